//! Points of bars: one for each name, for each name and group, or a count of rows.

use std::collections::BTreeMap;

use crate::domain::counts::{count, grouped};

use super::super::dates;
use super::super::facts::Sort;
use super::super::sheet::Cell;
use super::{Across, Maker, Point, Series, bound};

/// Bars of a series at most.
const MOST_BARS: usize = 1_000;

impl Maker<'_> {
    pub(super) fn bars(&mut self) -> (Across, Vec<Series>) {
        let Some(x) = self.pick.x else { return (Across::Rows, self.sparklines()) };
        if self.pick.ys.is_empty() {
            return self.counted(x);
        }
        let (labels, places) = self.labelled(x);
        let series = match (self.pick.split, self.pick.ys.first()) {
            (Some(split), Some(y)) => self.groups(&places, *y, split),
            _ => self.columns(&places),
        };
        if labels.len() > MOST_BARS {
            let all = count(labels.len(), "name");
            self.notes.push(format!("the first {} of {all}", grouped(MOST_BARS)));
        }
        let few = |series: Series| Series {
            points: series.points.into_iter().filter(|p| p.x < bound(MOST_BARS)).collect(),
            ..series
        };
        let labels = labels.into_iter().take(MOST_BARS).collect();
        (Across::Labels(labels), series.into_iter().map(few).collect())
    }

    /// Lists the labels, and for each row which one is its: once each where groups share them.
    fn labelled(&mut self, x: usize) -> (Vec<String>, Vec<Option<f64>>) {
        let Some(facts) = self.facts.get(x) else { return Default::default() };
        let cells = self.sheet.cells(x);
        let write = |cell: Cell| match facts.place(self.sheet, cell) {
            Some(at) if facts.sort == Sort::Date => dates::words(at, facts.unit),
            _ => self.sheet.label(cell),
        };
        if self.pick.split.is_none() {
            let mut rows: Vec<usize> = (0..cells.len()).collect();
            if facts.sort == Sort::Date {
                let at = |n: &usize| cells.get(*n).and_then(|c| facts.place(self.sheet, *c));
                rows.sort_by(|a, b| {
                    at(a).unwrap_or(f64::INFINITY).total_cmp(&at(b).unwrap_or(f64::INFINITY))
                });
            }
            let mut places = vec![None; rows.len()];
            for (place, row) in rows.iter().enumerate() {
                if let Some(slot) = places.get_mut(*row) {
                    *slot = Some(bound(place));
                }
            }
            let labels = rows.iter().filter_map(|n| cells.get(*n)).map(|cell| write(*cell));
            return (labels.collect(), places);
        }
        let mut labels: Vec<String> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut places = Vec::with_capacity(cells.len());
        for cell in cells {
            let label = write(*cell);
            let place = *known.entry(label.clone()).or_insert_with(|| {
                labels.push(label);
                labels.len() - 1
            });
            places.push(Some(bound(place)));
        }
        (labels, places)
    }

    /// Counts the rows of each label, the most frequent first.
    fn counted(&mut self, x: usize) -> (Across, Vec<Series>) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for cell in self.sheet.cells(x) {
            *counts.entry(self.sheet.label(*cell)).or_default() += 1;
        }
        let mut sorted: Vec<(String, usize)> = counts.into_iter().collect();
        sorted.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let points = sorted.iter().enumerate();
        let points = points.map(|(x, (_, n))| Point { x: bound(x), y: Some(bound(*n)) }).collect();
        let labels = sorted.into_iter().map(|(label, _)| label).collect();
        let series = Series { name: "rows".to_owned(), points, exact: String::new() };
        (Across::Labels(labels), vec![series])
    }
}
