//! A chart ready to be drawn: series of points, what stands along the axis, and what was left out.
//!
//! What belongs here: points of each kind from rows, their range, their words. What must never
//! come: cells, pixels. To add a kind: its arm in `figure`.

mod bars;
mod range;
mod words;

use std::collections::BTreeMap;

use crate::domain::counts::{count, grouped, grouped_digits};

pub use super::points::Point;

use super::bins::bins;
use super::dates::{self, Unit};
use super::facts::{Facts, Sort};
use super::points::{Missing, along, thin_cloud, thin_line};
use super::rules::{MOST_SERIES, Pick, Proposal};
use super::sheet::{Cell, Sheet};
use super::ticks::{self, Tick};
use super::{Kind, numbers};

use range::{x_range, y_range};

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
            Across::Bins(_) if self.one_bin_a_number() => {
                // each number stands in the middle of its bin, and nothing between two of them
                let whole = |tick: &Tick| tick.at.fract() == 0.0;
                ticks::within(self.x.0, self.x.1, most).into_iter().filter(whole).collect()
            }
            Across::Numbers | Across::Bins(_) => ticks::within(self.x.0, self.x.1, most),
            Across::Rows => {
                let whole = |tick: &Tick| tick.at.fract() == 0.0 && tick.at >= 1.0;
                ticks::within(self.x.0, self.x.1, most).into_iter().filter(whole).collect()
            }
        }
    }

    /// Tells whether each bin holds one whole number: one wide, from half to half.
    fn one_bin_a_number(&self) -> bool {
        let one = |width: f64| (width - 1.0).abs() < f64::EPSILON;
        let halves = (self.x.0 - 0.5).fract() == 0.0;
        matches!(self.across, Across::Bins(width) if one(width) && halves)
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
            Across::Bins(_) if self.one_bin_a_number() => numbers::short(x + 0.5, 12),
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
pub fn figure(sheet: &Sheet, proposal: &Proposal) -> Figure {
    let facts = sheet.facts();
    let pick = &proposal.pick;
    let mut maker = Maker { sheet, facts, pick, missing: Missing::default(), notes: Vec::new() };
    let (across, mut series) = match proposal.kind {
        Kind::BigNumber => (Across::Rows, maker.big()),
        Kind::Bars | Kind::HorizontalBars => maker.bars(),
        Kind::Line | Kind::Scatter => maker.joined(),
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
                Cell::Whole(_) | Cell::Real(_) => grouped_digits(&self.sheet.label(cell)),
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
            let (after, before) = (count(after, "point"), grouped(before));
            self.notes.push(format!("thinned to {after} of {before}: {how}"));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows at most")]
fn bound(n: usize) -> f64 {
    n as f64
}
