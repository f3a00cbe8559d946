//! What a figure is called, what its axes are, and what it doesn't show.

use crate::domain::counts::{count, grouped};

use super::super::Kind;
use super::super::points::Missing;
use super::Maker;

impl Maker<'_> {
    pub(super) fn axis_names(&self, kind: Kind) -> (String, String) {
        let ys: Vec<String> = self.pick.ys.iter().map(|n| self.name(*n)).collect();
        let x = self.pick.x.map(|n| self.name(n)).unwrap_or_default();
        match kind {
            Kind::Histogram => (ys.join(", "), "rows".to_owned()),
            Kind::Sparkline if x.is_empty() => ("row".to_owned(), ys.join(", ")),
            Kind::BigNumber
            | Kind::Line
            | Kind::Bars
            | Kind::HorizontalBars
            | Kind::Scatter
            | Kind::Sparkline => {
                let y = if ys.is_empty() { "rows".to_owned() } else { ys.join(", ") };
                (x, y)
            }
        }
    }

    pub(super) fn title(&self, kind: Kind, x: &str, y: &str) -> String {
        let split = self.pick.split.map(|n| format!(" and {}", self.name(n))).unwrap_or_default();
        match kind {
            Kind::BigNumber => y.to_owned(),
            Kind::Histogram => format!("how often each {x} occurs"),
            Kind::Scatter => format!("{y} against {x}"),
            Kind::Sparkline => format!("{y} by {x}"),
            Kind::Line | Kind::Bars | Kind::HorizontalBars => format!("{y} by {x}{split}"),
        }
    }

    pub(super) fn all_notes(mut self) -> Vec<String> {
        let held = self.sheet.rows() as u64;
        if self.sheet.total > held {
            let total = grouped(self.sheet.total);
            let held = grouped(held);
            self.notes.insert(0, format!("the first {held} of {total} rows"));
        } else if !self.sheet.finished {
            self.notes.insert(0, "rows are still arriving".to_owned());
        }
        let Missing { nulls, strays, nowhere } = self.missing;
        if nulls > 0 {
            let s = if nulls == 1 { "a gap" } else { "gaps" };
            self.notes.push(format!("{} left as {s}", count(nulls, "NULL")));
        }
        if strays > 0 {
            let are = if strays == 1 { "is no number" } else { "are no numbers" };
            self.notes.push(format!("{} {are}: left out", count(strays, "value")));
        }
        if nowhere > 0 {
            let x = self.pick.x.map(|n| self.name(n)).unwrap_or_default();
            self.notes.push(format!("{} without {x} left out", count(nowhere, "row")));
        }
        self.notes
    }
}
