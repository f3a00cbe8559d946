//! A run as the workbench holds it: its events, the moment that is looked at, and its fold.
//!
//! Moving the trace cursor folds a prefix of the events. Rows are kept apart from the events, so
//! that folding a prefix costs little and the same whatever the result's size.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{
    Attempt, ContextPackage, Event, Happened, Paused, Pulse, ResultId, Rows, RunId, Transcript,
    Version,
};
use crate::pipeline::{Page, Told};

/// Bytes of a streamed reply that are kept for looking at while it comes.
const DRAFT_KEPT: usize = 64 * 1024;

/// One run, live or replayed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunView {
    /// Its events, rows taken out.
    pub events: Vec<Event>,
    /// Rows by attempt and version.
    kept: BTreeMap<(u32, usize), Rows>,
    /// The fold of all events.
    pub live: Transcript,
    /// The event looked at; none follows the newest.
    pub cursor: Option<usize>,
    /// The fold up to the cursor.
    past: Transcript,
    /// How many events `past` holds.
    folded: usize,
    /// What a model has written so far of its reply.
    pub draft: String,
    /// What the run waits for, in words.
    pub waiting: String,
    /// Rows that are arriving.
    pub arriving: Option<(ResultId, u64)>,
    /// It hasn't ended yet.
    pub running: bool,
    /// A cancel was sent.
    pub cancelling: bool,
    /// Milliseconds of the workbench's clock when it began.
    pub since_ms: u64,
    /// Read from memory.
    pub replayed: bool,
    /// Which run of this sitting it is, from 1; 0 for a stored one.
    pub number: u32,
    /// Attempts folded in the trace.
    pub folds: BTreeSet<u32>,
    /// Events whose children are shown in the trace.
    pub opened: BTreeSet<usize>,
    /// Which child of the event looked at the cursor is on, from 1; 0 is the event itself.
    pub child: usize,
    /// Events that were marked.
    pub marks: BTreeSet<usize>,
    /// When the next event is shown while the run is played, in milliseconds of the clock.
    pub playing: Option<u64>,
}

impl RunView {
    /// Makes a view of a run that was just started.
    pub fn started(id: RunId, since_ms: u64) -> Self {
        let mut live = Transcript::default();
        live.run = id;
        RunView { live, running: true, since_ms, ..RunView::default() }
    }

    /// Makes a view of a stored run.
    pub fn replayed(events: Vec<Event>) -> Self {
        let mut view = RunView { replayed: true, ..RunView::default() };
        for event in events {
            view.apply(event);
        }
        view
    }

    /// Returns why the run waits for a person, if it does.
    pub fn paused(&self) -> Option<&Paused> {
        self.live.paused.as_ref().filter(|_| self.running)
    }

    /// Returns the events as they were told, rows put back.
    pub fn whole(&self) -> Vec<Event> {
        let mut events = self.events.clone();
        for event in &mut events {
            if let Happened::Ran { attempt, version, rows, .. } = &mut event.happened
                && let Some(kept) = self.kept.get(&(*attempt, *version))
            {
                rows.clone_from(kept);
            }
        }
        events
    }

    /// Returns the run's name.
    pub fn id(&self) -> &RunId {
        &self.live.run
    }

    /// Takes what a run tells; what a foreign run tells is ignored.
    pub fn take(&mut self, told: Told) {
        match told {
            Told::Event(event) => self.apply(*event),
            Told::Pulse(Pulse::Waiting(words)) => self.waiting = words,
            Told::Pulse(Pulse::Text(text)) => {
                if self.draft.len() < DRAFT_KEPT {
                    self.draft.push_str(&text);
                }
            }
            Told::Pulse(Pulse::Rows { result, count }) => self.arriving = Some((result, count)),
        }
    }

    fn apply(&mut self, mut event: Event) {
        if !self.live.run.0.is_empty() && self.live.run != event.run {
            return;
        }
        self.prepare(&mut event);
        self.waiting.clear();
        self.live.apply(&event);
        self.events.push(event);
        if self.cursor.is_none() {
            self.child = 0;
        }
    }

    /// Takes rows out of an event, and ends what it ends.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other events end nothing")]
    fn prepare(&mut self, event: &mut Event) {
        match &mut event.happened {
            Happened::Ran { attempt, version, rows, .. } => {
                self.kept.insert((*attempt, *version), rows.clone());
                rows.rows = Vec::new();
                self.arriving = None;
            }
            Happened::Drafted { .. } => self.draft.clear(),
            Happened::Answered(_) => {
                self.running = false;
                self.arriving = None;
                self.draft.clear();
            }
            _ => {}
        }
    }

    /// Marks the run as ended, whatever its last event was.
    pub fn ended(&mut self) {
        self.running = false;
        self.waiting.clear();
    }

    /// Looks at the moment after event `n`; what was played holds still.
    pub fn look_at(&mut self, n: usize) {
        (self.child, self.playing) = (0, None);
        let n = n.min(self.events.len().saturating_sub(1));
        if n < self.folded || self.folded == 0 {
            self.past = Transcript::default();
            self.folded = 0;
        }
        for event in self.events.iter().take(n + 1).skip(self.folded) {
            self.past.apply(event);
        }
        self.folded = n + 1;
        self.cursor = Some(n);
    }

    /// Follows the newest event again.
    pub fn follow(&mut self) {
        (self.child, self.playing) = (0, None);
        self.cursor = None;
    }

    /// Returns the run as it was at the moment looked at.
    pub fn moment(&self) -> &Transcript {
        if self.cursor.is_some() { &self.past } else { &self.live }
    }

    /// Returns the index of the event looked at.
    pub fn at(&self) -> Option<usize> {
        self.cursor.or(self.events.len().checked_sub(1))
    }

    /// Returns the attempt and version that the moment is about.
    pub fn place(&self) -> Option<(u32, usize)> {
        let moment = self.moment();
        let told = self.cursor.and_then(|n| self.events.get(n)).and_then(about);
        if let Some((n, version)) = told {
            let attempt = moment.attempts.iter().find(|attempt| attempt.n == n)?;
            return Some((n, version.min(attempt.versions.len() - 1)));
        }
        let chosen = moment.answer.as_ref().and_then(|answer| answer.chosen);
        let last = moment.attempt().map(|attempt| (attempt.n, attempt.versions.len() - 1));
        chosen.filter(|(n, _)| moment.attempts.iter().any(|a| a.n == *n)).or(last)
    }

    /// Returns attempt and version at the moment, with all that is known of them by now.
    ///
    /// What became of a version belongs to it: looking at a draft shows why it failed.
    pub fn version(&self) -> Option<(&Attempt, usize, &Version)> {
        let (n, at) = self.place()?;
        let attempt = self.live.attempts.iter().find(|attempt| attempt.n == n)?;
        Some((attempt, at, attempt.versions.get(at)?))
    }

    /// Returns the event that was the last of a version.
    pub fn last_event_of(&self, attempt: u32, version: usize) -> Option<usize> {
        let found = self.events.iter().rposition(|e| about(e) == Some((attempt, version)));
        found.or_else(|| {
            self.events.iter().position(|e| about(e).is_some_and(|(n, _)| n == attempt))
        })
    }

    /// Lists all versions of all attempts in order.
    pub fn versions(&self) -> Vec<(u32, usize)> {
        let of = |a: &Attempt| (0..a.versions.len()).map(|v| (a.n, v)).collect::<Vec<_>>();
        self.live.attempts.iter().flat_map(of).collect()
    }

    /// Returns the package of the moment and the one before it.
    pub fn packages(&self) -> (Option<&ContextPackage>, Option<&ContextPackage>) {
        let all = &self.moment().packages;
        let before = all.len().checked_sub(2).and_then(|n| all.get(n));
        (all.last(), before)
    }

    /// Tells whether a version has rows that were kept with the run.
    pub fn kept(&self, result: &ResultId) -> Option<&Rows> {
        self.kept.get(&(result.attempt, result.version))
    }

    /// Makes a page of the rows kept with the run.
    pub fn kept_page(&self, result: &ResultId) -> Option<Page> {
        let rows = self.kept(result)?;
        Some(Page {
            columns: rows.columns.clone(),
            first: 0,
            rows: rows.rows.clone(),
            total: rows.rows.len() as u64,
            finished: true,
        })
    }
}

/// Returns the attempt and version an event is about.
pub fn about(event: &Event) -> Option<(u32, usize)> {
    match &event.happened {
        Happened::Drafted { attempt, .. } => Some((*attempt, 0)),
        Happened::Checked { attempt, version, .. }
        | Happened::Estimated { attempt, version, .. }
        | Happened::Ran { attempt, version, .. }
        | Happened::Reviewed { attempt, version, .. }
        | Happened::Advised { attempt, version, .. }
        | Happened::Rewritten { attempt, version, .. } => Some((*attempt, *version)),
        // what was looked up to understand the question is about no attempt
        Happened::Probed { attempt, version, .. } => (*attempt > 0).then_some((*attempt, *version)),
        Happened::AttemptClosed { attempt, .. } => Some((*attempt, usize::MAX)),
        Happened::Failed { attempt, .. } => attempt.map(|n| (n, usize::MAX)),
        Happened::Asked { .. }
        | Happened::Understood(_)
        | Happened::Gathered { .. }
        | Happened::PackageReady(_)
        | Happened::Planned { .. }
        | Happened::Paused(_)
        | Happened::Resumed(_)
        | Happened::Escalated { .. }
        | Happened::Explained { .. }
        | Happened::Sampled { .. }
        | Happened::Compared { .. }
        | Happened::Judged(_)
        | Happened::Answered(_) => None,
    }
}
