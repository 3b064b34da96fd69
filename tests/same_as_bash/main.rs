//! What runs is what was judged: a granted command run by `toolctl exec` and the same text run by a plain bash, each in a
//! fresh copy of the same files, print the same and end in the same way.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod corpus;
mod forms;
mod run;
