//! Forms that leave the program: run files of one event a line, and the report that scripts read.
//!
//! What belongs here: turning events into lines and back, and a transcript into the JSON of the
//! headless contract, or into a report to read. What must never come: files, clocks, deciding.

pub mod lines;
pub mod markdown;
pub mod report;
