//! Interpreters of languages.

family! {}
