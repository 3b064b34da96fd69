//! Shells.

family! {}
