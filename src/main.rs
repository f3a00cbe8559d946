//! Starts Querent and ends with the command's exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(querent::cli::main())
}
