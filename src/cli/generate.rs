//! `completions` and `man`: made from the same table as parsing.

use clap::CommandFactory;

use super::args::Arguments;
use super::exit;
use super::output::{put, say};

/// Prints completions for a shell.
pub(super) fn completions(shell: clap_complete::Shell) -> u8 {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "querent", &mut out);
    put(&out);
    exit::OK
}

/// Prints the manual page.
pub(super) fn man() -> u8 {
    let mut out = Vec::new();
    match clap_mangen::Man::new(Arguments::command()).render(&mut out) {
        Ok(()) => {
            put(&out);
            exit::OK
        }
        Err(e) => {
            say(&format!("the manual page can't be made: {e}"));
            exit::USAGE
        }
    }
}
