//! Command text → what it would run, or "cannot tell". Knows no policy, runs nothing, reads nothing.

mod arg;
pub mod interpreter;
pub mod option;
pub mod wrapper;

pub use arg::{Arg, Piece, Shape, Span, Unknown};
