//! Editors and pagers.

family! {}
