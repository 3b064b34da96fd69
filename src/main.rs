//! The `toolctl` binary: hands the arguments to the library and returns its exit code.

use std::process::ExitCode;
use toolctl::allocator::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator::new();

fn main() -> ExitCode {
    Allocator::own();
    toolctl::cli::run(std::env::args_os())
}
