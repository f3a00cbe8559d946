//! The table: counts in two halves of the databases, and the misses behind them.

use std::fmt::Write;

/// How many of how many.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Share {
    pub(crate) hits: usize,
    pub(crate) all: usize,
}

impl Share {
    fn add(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.all += 1;
    }

    fn shown(self) -> String {
        if self.all == 0 {
            return "–".to_owned();
        }
        let percent = 100.0 * self.hits as f64 / self.all as f64;
        format!("{} of {} ({percent:.1} %)", self.hits, self.all)
    }
}

/// One row.
#[derive(Debug)]
pub(crate) struct Row {
    what: String,
    reach: &'static str,
    halves: [Share; 2],
    baseline: Share,
    /// What is to be read when the row misses its bar.
    pub(crate) misses: Vec<String>,
}

impl Row {
    /// Head of the table.
    pub(crate) const HEAD: &str = "\
| what | reach | half chosen on | half reported | all | bare engine |
|---|---|---|---|---|---|";

    pub(crate) fn new(what: impl Into<String>, reach: &'static str) -> Self {
        Row {
            what: what.into(),
            reach,
            halves: [Share::default(); 2],
            baseline: Share::default(),
            misses: Vec::new(),
        }
    }

    /// Counts one case of a half.
    pub(crate) fn count(&mut self, half: usize, hit: bool) {
        if let Some(share) = self.halves.get_mut(half) {
            share.add(hit);
        }
    }

    /// Counts one case of the baseline.
    pub(crate) fn baseline(&mut self, hit: bool) {
        self.baseline.add(hit);
    }

    pub(crate) fn shown(&self) -> String {
        let [chosen, reported] = self.halves;
        let all = Share { hits: chosen.hits + reported.hits, all: chosen.all + reported.all };
        let mut line = String::new();
        let cells = [chosen.shown(), reported.shown(), all.shown(), self.baseline.shown()];
        write!(line, "| {} | {} | {} |", self.what, self.reach, cells.join(" | ")).unwrap();
        line
    }
}
