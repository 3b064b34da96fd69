//! The `toolctl` binary: hands the arguments to the library and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolctl::cli::run(std::env::args_os())
}
