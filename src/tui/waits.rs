//! What is being waited for outside a run, and since when: said once it takes noticeably long.

use super::effect::Effect;
use super::msg::Msg;

/// Milliseconds after which a wait is said.
const NOTICEABLE: u64 = 200;

/// Something that takes a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wait {
    Opening,
    Structure,
    Runs,
    Replay,
    Checking,
}

impl Wait {
    fn words(self) -> &'static str {
        match self {
            Wait::Opening => "opening the database",
            Wait::Structure => "reading the structure",
            Wait::Runs => "reading past runs",
            Wait::Replay => "reading the run",
            Wait::Checking => "checking the SQL",
        }
    }
}

/// What is being waited for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waits {
    list: Vec<(Wait, u64)>,
}

impl Waits {
    /// Notes what effects begin.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all else is done at once, or is a run")]
    pub(super) fn begin(&mut self, effects: &[Effect], now: u64) {
        for effect in effects {
            let wait = match effect {
                Effect::Open(_) => Wait::Opening,
                Effect::Refresh => Wait::Structure,
                Effect::Runs => Wait::Runs,
                Effect::Replay(_) => Wait::Replay,
                Effect::Check { .. } => Wait::Checking,
                _ => continue,
            };
            self.end_of(&[wait]);
            self.list.push((wait, now));
        }
    }

    /// Notes what a message ends.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all else ends no wait")]
    pub(super) fn end(&mut self, msg: &Msg) {
        match msg {
            Msg::Opened(_) | Msg::NotOpened(..) => self.list.clear(),
            Msg::Refreshed(_) => self.end_of(&[Wait::Structure]),
            Msg::Runs(_) => self.end_of(&[Wait::Runs]),
            Msg::Replayed(_) => self.end_of(&[Wait::Replay]),
            Msg::Checked(_) => self.end_of(&[Wait::Checking]),
            // what failed doesn't say which wait it was; only opening tells by itself
            Msg::Trouble(_) => self.list.retain(|(wait, _)| *wait == Wait::Opening),
            _ => {}
        }
    }

    fn end_of(&mut self, waits: &[Wait]) {
        self.list.retain(|(wait, _)| !waits.contains(wait));
    }

    /// Tells whether anything is being waited for.
    pub fn any(&self) -> bool {
        !self.list.is_empty()
    }

    /// Returns the wait to be said, in words, with its milliseconds.
    pub fn noticeable(&self, now: u64) -> Option<(&'static str, u64)> {
        let long = self.list.iter().map(|(wait, since)| (wait.words(), now.saturating_sub(*since)));
        long.filter(|(_, ms)| *ms >= NOTICEABLE).max_by_key(|(_, ms)| *ms)
    }
}
