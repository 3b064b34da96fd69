//! Rust and Go.

family! {}
