//! Which kinds of chart suit a result, ranked, each with the reason in words; and why others don't.
//!
//! What belongs here: a rule for each kind. What must never come: points, drawing.
//! To add one: a method of `Parts`, and its arm in `choose_among`.

mod bars;
mod curves;

use std::collections::HashSet;

use crate::domain::counts::count;

use super::Kind;
use super::facts::{Facts, Sort, bits};
use super::sheet::{Cell, Sheet};

/// Numbers that are drawn into one chart at most.
pub(super) const MOST_SERIES: usize = 6;

/// Standing bars side by side at most.
const MOST_STANDING: usize = 50;

/// Why nothing can be measured.
const NO_NUMBERS: &str = "there is no column of numbers that measure";

/// Rows of a big number at most.
const MOST_BIG: usize = 6;

/// Which columns a chart draws.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pick {
    /// What stands along the axis: a date, a label, a number; none means the order of the rows.
    pub x: Option<usize>,
    /// The numbers; empty means that rows are counted.
    pub ys: Vec<usize>,
    /// Tells the series apart.
    pub split: Option<usize>,
}

/// A kind of chart and how well it suits.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The kind.
    pub kind: Kind,
    /// How well it suits, to 100; 0 when it doesn't.
    pub fit: u8,
    /// Why it suits, or why it doesn't.
    pub reason: String,
    /// The columns.
    pub pick: Pick,
}

/// What a rule says: fit, reason and columns, or why not.
type Verdict = Result<(u8, String, Pick), String>;

/// Ranks the kinds of chart for a result: the best first, those that don't suit last.
pub fn choose(sheet: &Sheet) -> Vec<Proposal> {
    choose_among(sheet, &Pick::default())
}

/// Ranks the kinds of chart where some columns were chosen by hand.
pub fn choose_among(sheet: &Sheet, own: &Pick) -> Vec<Proposal> {
    let parts = Parts::of(sheet, own);
    let judge = |kind: Kind| {
        let verdict = match kind {
            _ if sheet.rows() == 0 => Err("there are no rows".to_owned()),
            Kind::BigNumber => parts.big_number(),
            Kind::Line => parts.line(),
            Kind::Bars => parts.bars(false),
            Kind::HorizontalBars => parts.bars(true),
            Kind::Scatter => parts.scatter(),
            Kind::Histogram => parts.histogram(),
            Kind::Sparkline => parts.sparkline(),
        };
        match verdict {
            Ok((fit, reason, pick)) => Proposal { kind, fit, reason, pick },
            Err(reason) => Proposal { kind, fit: 0, reason, pick: Pick::default() },
        }
    };
    let mut ranked: Vec<Proposal> = Kind::ALL.into_iter().map(judge).collect();
    ranked.sort_by_key(|proposal| std::cmp::Reverse(proposal.fit));
    ranked
}

/// The columns by what they can be in a chart.
struct Parts<'a> {
    sheet: &'a Sheet,
    facts: &'a [Facts],
    rows: usize,
    /// The date, or part of the calendar, to go along.
    time: Option<usize>,
    /// Labels, the best one first.
    labels: Vec<usize>,
    /// Numbers that measure.
    measures: Vec<usize>,
    /// The number along the axis that was chosen by hand.
    along: Option<usize>,
    /// The column that tells series apart, chosen by hand.
    split: Option<usize>,
    /// The numbers were chosen by hand.
    fixed: bool,
}

impl<'a> Parts<'a> {
    fn of(sheet: &'a Sheet, own: &Pick) -> Self {
        let facts = sheet.facts();
        let of = |sorts: &[Sort]| {
            let some = facts.iter().enumerate().filter(|(_, f)| sorts.contains(&f.sort));
            some.map(|(n, _)| n).collect::<Vec<_>>()
        };
        let mut times = of(&[Sort::Date]);
        times.extend(of(&[Sort::Part]));
        let mut labels = of(&[Sort::Label]);
        // a name before an id, one that tells all rows apart before one that doesn't
        let worth =
            |n: &usize| facts.get(*n).map(|f| (f.key, f.distinct < sheet.rows(), f.longest > 40));
        labels.sort_by_key(worth);
        let mut measures = of(&[Sort::Number]);
        let mut along = None;
        if let Some(x) = own.x {
            let sort = facts.get(x).map(|f| f.sort);
            times.retain(|n| *n == x);
            labels.retain(|n| *n == x || own.split == Some(*n));
            labels.sort_by_key(|n| *n != x);
            along = (sort == Some(Sort::Number)).then_some(x);
            measures.retain(|n| *n != x);
        }
        if let Some(split) = own.split {
            labels.retain(|n| *n != split);
            measures.retain(|n| *n != split);
        }
        if !own.ys.is_empty() {
            measures.clone_from(&own.ys);
        }
        let first = times.first().copied();
        Parts {
            sheet,
            facts,
            rows: sheet.rows(),
            time: first.filter(|t| !measures.contains(t)),
            labels,
            measures,
            along,
            split: own.split,
            fixed: !own.ys.is_empty(),
        }
    }

    fn fact(&self, column: usize) -> Option<&Facts> {
        self.facts.get(column)
    }

    fn name(&self, column: usize) -> &str {
        self.fact(column).map_or("", |facts| facts.name.as_str())
    }

    /// Counts a column's different values, and the rows where it isn't NULL.
    fn told_apart(&self, column: usize) -> (usize, usize) {
        self.fact(column).map_or((0, 0), |facts| (facts.distinct, facts.values))
    }

    fn unique(&self, column: usize) -> bool {
        let (different, rows) = self.told_apart(column);
        different == rows && rows > 0
    }

    /// Tells whether two columns together tell all rows apart where none of them is NULL.
    fn unique_pair(&self, one: usize, other: usize) -> bool {
        let mut seen = HashSet::new();
        let pairs = self.sheet.cells(one).iter().zip(self.sheet.cells(other));
        let known = pairs.filter(|(a, b)| **a != Cell::Null && **b != Cell::Null);
        // the first pair that repeats ends the search
        known.map(|(a, b)| (bits(*a), bits(*b))).all(|pair| seen.insert(pair)) && !seen.is_empty()
    }

    /// Finds the label that tells series apart, so that each has one value for each `x`.
    fn splitting(&self, x: usize) -> Option<usize> {
        if let Some(split) = self.split {
            return self.unique_pair(x, split).then_some(split);
        }
        let fits = |n: &&usize| {
            let few = self.fact(**n).is_some_and(|f| f.distinct * 2 <= self.rows);
            **n != x && few && self.unique_pair(x, **n)
        };
        self.labels.iter().filter(fits).min_by_key(|n| self.fact(**n).map(|f| f.distinct)).copied()
    }

    /// Lists the numbers that one axis can hold: those of the size of the first one.
    fn together(&self) -> Vec<usize> {
        let size = |n: usize| self.fact(n).map_or(0.0, |f| f.high.abs().max(f.low.abs()));
        let Some(first) = self.measures.first().map(|n| size(*n)) else { return Vec::new() };
        let near = |n: &usize| {
            let other = size(*n);
            self.fixed || (other <= first * 20.0 && other * 20.0 >= first)
        };
        self.measures.iter().copied().filter(near).take(MOST_SERIES).collect()
    }

    /// Says which numbers are drawn, and which aren't.
    fn numbers_in_words(&self, drawn: usize) -> String {
        match (drawn, self.measures.len() - drawn) {
            (1, 0) => "one number".to_owned(),
            (n, 0) => format!("{n} numbers"),
            (1, _) => {
                let first = self.measures.first().map_or("", |n| self.name(*n));
                format!("the first number ({first}; the others are of another size)")
            }
            (n, left) => format!("{n} numbers (not {left} of another size)"),
        }
    }

    fn big_number(&self) -> Verdict {
        if self.rows > 1 {
            return Err(format!("{} are too many for one number", count(self.rows, "row")));
        }
        let mut ys = self.measures.clone();
        if ys.is_empty() {
            // the only row's year or id is what was asked for
            let whole = |n: &usize| self.sheet.cell(*n, 0).number().is_some();
            ys = (0..self.facts.len()).filter(whole).collect();
        }
        let known = |n: &usize| self.sheet.cell(*n, 0).number().is_some();
        if !ys.iter().any(known) {
            return Err("the row holds no number".to_owned());
        }
        ys.truncate(MOST_BIG);
        let reason = match ys.len() {
            1 => "one number in one row".to_owned(),
            n => format!("{n} numbers in one row: each stands large"),
        };
        Ok((100, reason, Pick { x: self.labels.first().copied(), ys, split: None }))
    }
}
