//! A chart ready to be drawn: series of points, what stands along the axis, and what was left out.

use std::collections::BTreeMap;

pub use super::points::Point;

use super::bins::bins;
use super::dates::{self, Unit};
use super::facts::{Facts, Sort};
use super::points::{Missing, along, thin_cloud, thin_line};
use super::rules::{MOST_SERIES, Pick, Proposal};
use super::sheet::{Cell, Sheet};
use super::ticks::{self, Tick};
use super::{Kind, count, numbers};

/// Bars of a series at most.
const MOST_BARS: usize = 1_000;

/// What the places along the axis mean.
#[derive(Debug, Clone, PartialEq)]
pub enum Across {
    /// Place `n` is the n-th label.
    Labels(Vec<String>),
    /// Numbers.
    Numbers,
    /// Seconds since 1970, told as finely as this.
    Times(Unit),
    /// Each place is the lower bound of a bin this wide.
    Bins(f64),
    /// The number of a row, from 1.
    Rows,
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// The points, in the order of the axis where they are joined.
    pub points: Vec<Point>,
    /// The only value as it is, digit for digit; for big numbers.
    pub exact: String,
}

/// A chart ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The kind.
    pub kind: Kind,
    /// What it shows: `revenue by region`.
    pub title: String,
    /// What stands along the axis.
    pub x_name: String,
    /// What stands upwards.
    pub y_name: String,
    /// What the places along the axis mean.
    pub across: Across,
    /// The series.
    pub series: Vec<Series>,
    /// What isn't shown, and what was done to the points.
    pub notes: Vec<String>,
    /// The smallest and the largest place along.
    pub x: (f64, f64),
    /// The smallest and the largest place upwards that the axis holds.
    pub y: (f64, f64),
}

impl Figure {
    /// Lists ticks along the axis, at most `most`; labels have none.
    pub fn x_ticks(&self, most: usize) -> Vec<Tick> {
        match &self.across {
            Across::Labels(_) => Vec::new(),
            Across::Times(unit) => ticks::times(self.x.0, self.x.1, *unit, most),
            Across::Numbers | Across::Bins(_) => ticks::within(self.x.0, self.x.1, most),
            Across::Rows => {
                let whole = |tick: &Tick| tick.at.fract() == 0.0 && tick.at >= 1.0;
                ticks::within(self.x.0, self.x.1, most).into_iter().filter(whole).collect()
            }
        }
    }

    /// Lists ticks upwards, at most `most`; the first and the last are the ends of the axis.
    pub fn y_ticks(&self, most: usize) -> Vec<Tick> {
        ticks::around(self.y.0, self.y.1, most)
    }

    /// Writes a place along the axis.
    pub fn place(&self, x: f64) -> String {
        match &self.across {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a label's place"
            )]
            Across::Labels(labels) => labels.get(x as usize).cloned().unwrap_or_default(),
            Across::Times(unit) => dates::words(x, *unit),
            Across::Numbers | Across::Rows => numbers::short(x, 12),
            Across::Bins(width) => {
                format!("{} to {}", numbers::short(x, 10), numbers::short(x + width, 10))
            }
        }
    }

    /// Returns the labels along the axis.
    pub fn labels(&self) -> &[String] {
        match &self.across {
            Across::Labels(labels) => labels,
            Across::Numbers | Across::Times(_) | Across::Bins(_) | Across::Rows => &[],
        }
    }
}

/// Makes the figure of a proposal.
pub fn figure(sheet: &Sheet, facts: &[Facts], proposal: &Proposal) -> Figure {
    let pick = &proposal.pick;
    let mut maker = Maker { sheet, facts, pick, missing: Missing::default(), notes: Vec::new() };
    let (across, mut series) = match proposal.kind {
        Kind::BigNumber => (Across::Rows, maker.big()),
        Kind::Line => maker.joined(),
        Kind::Bars | Kind::HorizontalBars => maker.bars(),
        Kind::Scatter => maker.joined(),
        Kind::Histogram => maker.histogram(),
        Kind::Sparkline => (Across::Rows, maker.sparklines()),
    };
    let x = x_range(&across, &series);
    let y = y_range(proposal.kind, &series);
    maker.thin(proposal.kind, &mut series, x, y);
    let (x_name, y_name) = maker.axis_names(proposal.kind);
    let title = maker.title(proposal.kind, &x_name, &y_name);
    Figure {
        kind: proposal.kind,
        title,
        x_name,
        y_name,
        across,
        series,
        notes: maker.all_notes(),
        x,
        y,
    }
}

struct Maker<'a> {
    sheet: &'a Sheet,
    facts: &'a [Facts],
    pick: &'a Pick,
    missing: Missing,
    notes: Vec<String>,
}

impl Maker<'_> {
    fn name(&self, column: usize) -> String {
        self.facts.get(column).map(|f| f.name.clone()).unwrap_or_default()
    }

    fn big(&mut self) -> Vec<Series> {
        let mut series = Vec::new();
        for column in &self.pick.ys {
            let cell = self.sheet.cell(*column, 0);
            let exact = match cell {
                Cell::Null => "∅".to_owned(),
                Cell::Whole(_) | Cell::Real(_) => numbers::grouped(&self.sheet.label(cell)),
                Cell::Text(_) | Cell::Bytes => self.sheet.label(cell),
            };
            let points = vec![Point { x: 1.0, y: cell.number() }];
            series.push(Series { name: self.name(*column), points, exact });
        }
        series
    }

    /// Makes points with a place along an axis: a line's, or a cloud's.
    fn joined(&mut self) -> (Across, Vec<Series>) {
        let Some((column, facts)) = self.pick.x.and_then(|x| Some((x, self.facts.get(x)?))) else {
            return (Across::Rows, self.sparklines());
        };
        let across =
            if facts.sort == Sort::Date { Across::Times(facts.unit) } else { Across::Numbers };
        let mut places = Vec::with_capacity(self.sheet.rows());
        for cell in self.sheet.cells(column) {
            places.push(self.missing.place(self.sheet, facts, *cell));
        }
        let series = match (self.pick.split, self.pick.ys.first()) {
            (Some(split), Some(y)) => self.groups(&places, *y, split),
            _ => self.columns(&places),
        };
        (across, series)
    }

    /// Makes a series of each number.
    fn columns(&mut self, places: &[Option<f64>]) -> Vec<Series> {
        let mut all = Vec::new();
        for column in self.pick.ys.iter().take(MOST_SERIES) {
            let cells = self.sheet.cells(*column).iter();
            let mut points = Vec::with_capacity(places.len());
            for (place, cell) in places.iter().zip(cells) {
                if let Some(x) = place {
                    points.push(Point { x: *x, y: self.missing.number(*cell) });
                }
            }
            all.push(Series { name: self.name(*column), points, exact: String::new() });
        }
        all
    }

    /// Makes a series of each value of the column that tells them apart.
    fn groups(&mut self, places: &[Option<f64>], y: usize, split: usize) -> Vec<Series> {
        let mut order: Vec<String> = Vec::new();
        let mut found: BTreeMap<String, (usize, Vec<Point>)> = BTreeMap::new();
        for (row, place) in places.iter().enumerate() {
            let Some(x) = place else { continue };
            let y = self.missing.number(self.sheet.cell(y, row));
            let name = self.sheet.label(self.sheet.cell(split, row));
            let next = order.len();
            let (_, points) = found.entry(name.clone()).or_insert_with(|| {
                order.push(name);
                (next, Vec::new())
            });
            points.push(Point { x: *x, y });
        }
        let kept = self.largest(&found, split);
        let mut series: Vec<(usize, Series)> = Vec::new();
        for (name, (at, points)) in found {
            if kept.contains(&at) {
                series.push((at, Series { name, points, exact: String::new() }));
            }
        }
        series.sort_by_key(|(at, _)| *at);
        series.into_iter().map(|(_, series)| series).collect()
    }

    /// Picks the groups that are drawn: those with the largest numbers in all.
    fn largest(
        &mut self,
        found: &BTreeMap<String, (usize, Vec<Point>)>,
        split: usize,
    ) -> Vec<usize> {
        let size = |points: &[Point]| points.iter().filter_map(|p| p.y).map(f64::abs).sum::<f64>();
        let mut sized: Vec<(f64, usize)> =
            found.values().map(|(at, points)| (size(points), *at)).collect();
        sized.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let others = sized.len().saturating_sub(MOST_SERIES);
        if others > 0 {
            let name = self.name(split);
            self.notes
                .push(format!("… {others} others: the {MOST_SERIES} largest {name} are drawn"));
        }
        sized.into_iter().take(MOST_SERIES).map(|(_, at)| at).collect()
    }

    fn bars(&mut self) -> (Across, Vec<Series>) {
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
            self.notes
                .push(format!("the first {} of {all}", numbers::grouped(&MOST_BARS.to_string())));
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

    fn histogram(&mut self) -> (Across, Vec<Series>) {
        let Some(y) = self.pick.ys.first().copied() else { return (Across::Rows, Vec::new()) };
        let mut values = Vec::new();
        for cell in self.sheet.cells(y) {
            values.extend(self.missing.number(*cell));
        }
        let Some(bins) = bins(&mut values) else { return (Across::Bins(1.0), Vec::new()) };
        let point = |(n, count): (usize, &usize)| Point {
            x: bins.low + bins.width * bound(n),
            y: Some(bound(*count)),
        };
        let points = bins.counts.iter().enumerate().map(point).collect();
        let series = Series { name: "rows".to_owned(), points, exact: String::new() };
        (Across::Bins(bins.width), vec![series])
    }

    /// Makes a series of each number in the order of the rows, or of the dates.
    fn sparklines(&mut self) -> Vec<Series> {
        let time = self.pick.x.and_then(|x| Some((x, self.facts.get(x)?)));
        let mut places: Vec<Option<f64>> = Vec::new();
        match time.filter(|(_, facts)| matches!(facts.sort, Sort::Date | Sort::Part)) {
            Some((x, facts)) => {
                for cell in self.sheet.cells(x) {
                    places.push(self.missing.place(self.sheet, facts, *cell));
                }
            }
            None => places.extend((1..=self.sheet.rows()).map(|n| Some(bound(n)))),
        }
        let mut all = self.columns(&places);
        for series in &mut all {
            along(&mut series.points);
            for (n, point) in series.points.iter_mut().enumerate() {
                point.x = bound(n + 1);
            }
        }
        all
    }

    /// Orders joined points, and thins what is too much.
    fn thin(&mut self, kind: Kind, series: &mut [Series], x: (f64, f64), y: (f64, f64)) {
        let (mut before, mut after) = (0, 0);
        for one in series {
            let thinned = match kind {
                Kind::Line | Kind::Sparkline => {
                    along(&mut one.points);
                    thin_line(&mut one.points)
                }
                Kind::Scatter => thin_cloud(&mut one.points, x, y),
                Kind::BigNumber | Kind::Bars | Kind::HorizontalBars | Kind::Histogram => None,
            };
            if let Some(n) = thinned {
                before += n;
                after += one.points.len();
            }
        }
        if before > 0 {
            let how = if kind == Kind::Scatter {
                "points on one spot are drawn once"
            } else {
                "lowest and highest of each stretch"
            };
            let (after, before) = (count(after, "point"), numbers::grouped(&before.to_string()));
            self.notes.push(format!("thinned to {after} of {before}: {how}"));
        }
    }

    fn axis_names(&self, kind: Kind) -> (String, String) {
        let ys: Vec<String> = self.pick.ys.iter().map(|n| self.name(*n)).collect();
        let x = self.pick.x.map(|n| self.name(n)).unwrap_or_default();
        match kind {
            Kind::Histogram => (ys.join(", "), "rows".to_owned()),
            Kind::Sparkline if x.is_empty() => ("row".to_owned(), ys.join(", ")),
            _ if ys.is_empty() => (x, "rows".to_owned()),
            _ => (x, ys.join(", ")),
        }
    }

    fn title(&self, kind: Kind, x: &str, y: &str) -> String {
        let split = self.pick.split.map(|n| format!(" and {}", self.name(n))).unwrap_or_default();
        match kind {
            Kind::BigNumber => y.to_owned(),
            Kind::Histogram => format!("how often each {x} occurs"),
            Kind::Scatter => format!("{y} against {x}"),
            Kind::Sparkline => format!("{y} by {x}"),
            Kind::Line | Kind::Bars | Kind::HorizontalBars => format!("{y} by {x}{split}"),
        }
    }

    fn all_notes(mut self) -> Vec<String> {
        let held = self.sheet.rows() as u64;
        if self.sheet.total > held {
            let total = numbers::grouped(&self.sheet.total.to_string());
            let held = numbers::grouped(&held.to_string());
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

#[expect(clippy::cast_precision_loss, reason = "counts of rows at most")]
fn bound(n: usize) -> f64 {
    n as f64
}

fn x_range(across: &Across, series: &[Series]) -> (f64, f64) {
    if let Across::Labels(labels) = across {
        return (0.0, bound(labels.len()));
    }
    let xs = || series.iter().flat_map(|s| &s.points).map(|p| p.x);
    let low = xs().fold(f64::INFINITY, f64::min);
    let high = xs().fold(f64::NEG_INFINITY, f64::max);
    let high = if let Across::Bins(width) = across { high + width } else { high };
    if low > high { (0.0, 1.0) } else { (low, high) }
}

/// Bars begin at zero. A line or a cloud does when that costs at most half of the height.
fn y_range(kind: Kind, series: &[Series]) -> (f64, f64) {
    let ys = || series.iter().flat_map(|s| &s.points).filter_map(|p| p.y);
    let mut low = ys().fold(f64::INFINITY, f64::min);
    let mut high = ys().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return (0.0, 1.0);
    }
    let bars = match kind {
        Kind::Bars | Kind::HorizontalBars | Kind::Histogram => true,
        Kind::BigNumber | Kind::Line | Kind::Scatter | Kind::Sparkline => false,
    };
    if bars || (low > 0.0 && low <= high / 2.0) {
        low = low.min(0.0);
    }
    if bars || (high < 0.0 && high >= low / 2.0) {
        high = high.max(0.0);
    }
    if low < high {
        return (low, high);
    }
    let room = if low == 0.0 { 1.0 } else { low.abs() / 2.0 };
    (low - room, high + room)
}
