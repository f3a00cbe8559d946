//! The workbench without a terminal: screens, keys, and properties of both.

#![expect(unreachable_pub, reason = "one binary of tests: nothing of it is published")]
#![expect(clippy::panic, clippy::wildcard_enum_match_arm, reason = "a test stops where it fails")]

mod bench;
mod care;
mod charts;
mod context;
mod context_runs;
mod details;
mod feel;
mod forms;
mod grid;
mod keys;
mod know;
mod properties;
mod refuse;
mod runs;
mod screens;
mod sql;
mod switching;
mod thorough;
mod time;
mod ways;
mod ways_deeds;
mod ways_keys;
