//! Notices: what was said in the status line, how long it stands, and what it was about. A notice goes
//! with its subject: nobody shall read of an error that is mended, or of another run.

use crate::domain::RunId;

use super::app::{App, Door, Tone};
use super::msg::Msg;

/// Notices that are kept to be looked at again.
const KEPT: usize = 200;

/// Milliseconds that a notice stands.
const STANDS: u64 = 4_000;

/// What a notice is about: the run looked at, whether the database is open, and for what a key said,
/// the texts in the editors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The number of a run of this sitting, else the name of a stored one.
    run: Option<Result<u32, RunId>>,
    open: bool,
    texts: Option<(u64, u64)>,
}

/// Where a notice came from: that says what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// A key, the mouse, a paste: it is about what is in front of the person.
    Person,
    /// An answer to something of the run looked at.
    Work,
    /// Opening or starting: it is about no run and no text.
    Start,
}

impl From {
    /// Tells where what is said while a message is taken comes from.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all else answers something that was wanted"
    )]
    pub(super) fn of(msg: &Msg) -> From {
        match msg {
            Msg::Key(_) | Msg::Paste(_) | Msg::Mouse(..) => From::Person,
            Msg::Opened(_)
            | Msg::NotOpened(..)
            | Msg::Refreshed(_)
            | Msg::Drifted(_)
            | Msg::Clock(_) => From::Start,
            _ => From::Work,
        }
    }
}

impl App {
    /// Says something in the status line.
    pub fn say(&mut self, words: impl Into<String>, tone: Tone) {
        let notice = (words.into(), tone, self.clock);
        self.notices.push(notice.clone());
        let old = self.notices.len().saturating_sub(KEPT);
        self.notices.drain(..old);
        self.notice = Some(notice);
        self.notice_about = None;
        self.said += 1;
    }

    /// Says what knowledge and schema newly disagree about: each disagreement once, until it is gone.
    pub(super) fn drifted(&mut self, now: Vec<String>) {
        let news: Vec<&String> = now.iter().filter(|words| !self.drift.contains(words)).collect();
        let words = news.first().map(|first| {
            let more = match news.len() {
                1 => String::new(),
                n => format!(" {} more: `querent knowledge check` lists them.", n - 1),
            };
            format!("Knowledge disagrees with the schema at {first}{more}")
        });
        self.drift = now;
        if let Some(words) = words {
            self.say(words, Tone::Note);
        }
    }

    /// Returns what is in front of the person now; `texts`, with what stands in the editors.
    fn subject(&self, texts: bool) -> Subject {
        let texts = texts.then(|| (self.question.editor.revision(), self.sql.editor.revision()));
        let run = self.run.as_ref().map(|run| match run.number {
            0 => Err(run.id().clone()),
            number => Ok(number),
        });
        Subject { run, open: self.door == Door::Open, texts }
    }

    /// Notes what a notice is about that was said since `said`, else drops one whose subject is gone.
    pub(super) fn mind_notice(&mut self, said: u64, from: From) {
        if self.said != said {
            self.notice_about = match from {
                From::Person => Some(self.subject(true)),
                From::Work => Some(self.subject(false)),
                From::Start => None,
            };
        } else if let Some(about) = &self.notice_about
            && *about != self.subject(about.texts.is_some())
        {
            (self.notice, self.notice_about) = (None, None);
        }
    }

    /// Drops a notice that has stood long enough.
    pub(super) fn age_notice(&mut self) {
        if self.notice.as_ref().is_some_and(|(_, _, at)| at + STANDS <= self.clock) {
            (self.notice, self.notice_about) = (None, None);
        }
    }
}
