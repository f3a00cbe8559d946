//! Starts Querent and ends with the command's exit code.

// nothing shipped stops at an expectation; tests may
#![warn(clippy::expect_used)]

use std::process::ExitCode;

use querent::cli::{self, Wish, Workbench};
use querent::tui::{self, Start};

fn main() -> ExitCode {
    ExitCode::from(match cli::read() {
        Wish::Exit(code) => code,
        Wish::Command(command) => cli::run(*command),
        Wish::Workbench(workbench) => open(*workbench),
    })
}

fn open(workbench: Workbench) -> u8 {
    let database = workbench.setup.database.clone();
    let start = Start { setup: workbench.setup, sql: workbench.sql };
    cli::block_on(async move {
        match Box::pin(tui::run(start)).await {
            Ok(code) => code,
            Err(e) => cli::refuse(&e.to_string(), database.as_deref()),
        }
    })
}
