//! Layered configuration: files → trees of located scalars → one merged tree → typed [`Settings`] plus restricting layers.
//!
//! Nothing here decides anything. Every value keeps its place (config.md).

mod settings;

pub use settings::*;
