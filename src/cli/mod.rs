//! The command line: arguments to a session, a run's events to standard output.
//!
//! What belongs here: one file for each command. What must never come: deciding.

/// Runs the command that the arguments name; returns the exit code (P11).
pub fn main() -> u8 {
    0
}
