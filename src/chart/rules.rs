//! Which kinds of chart suit a result, ranked, each with the reason in words; and why others don't.

use std::collections::HashSet;

use super::facts::{Facts, Sort};
use super::sheet::{Cell, Sheet};
use super::{Kind, count};

/// Numbers that are drawn into one chart at most.
pub(super) const MOST_SERIES: usize = 6;

/// Standing bars side by side at most.
const MOST_STANDING: usize = 50;

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
pub fn choose(sheet: &Sheet, facts: &[Facts]) -> Vec<Proposal> {
    choose_among(sheet, facts, &Pick::default())
}

/// Ranks the kinds of chart where some columns were chosen by hand.
pub fn choose_among(sheet: &Sheet, facts: &[Facts], own: &Pick) -> Vec<Proposal> {
    let parts = Parts::of(sheet, facts, own);
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
    fn of(sheet: &'a Sheet, facts: &'a [Facts], own: &Pick) -> Self {
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

    /// Counts the rows that these columns tell apart, and the rows where none of them is NULL.
    fn told_apart(&self, columns: &[usize]) -> (usize, usize) {
        let mut seen = HashSet::new();
        let mut rows = 0;
        for row in 0..self.rows {
            let cells = columns.iter().map(|column| self.sheet.cell(*column, row));
            let key: Vec<String> = cells
                .clone()
                .map(|cell| match cell {
                    Cell::Text(n) => format!("#{n}"),
                    _ => self.sheet.label(cell),
                })
                .collect();
            if !cells.clone().any(|cell| cell == Cell::Null) {
                rows += 1;
                seen.insert(key);
            }
        }
        (seen.len(), rows)
    }

    fn unique(&self, columns: &[usize]) -> bool {
        let (different, rows) = self.told_apart(columns);
        different == rows && rows > 0
    }

    /// Finds the label that tells series apart, so that each has one value for each `x`.
    fn splitting(&self, x: usize) -> Option<usize> {
        if let Some(split) = self.split {
            return self.unique(&[x, split]).then_some(split);
        }
        let fits = |n: &&usize| {
            let few = self.fact(**n).is_some_and(|f| f.distinct * 2 <= self.rows);
            **n != x && few && self.unique(&[x, **n])
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

    fn no_numbers(&self) -> String {
        "there is no column of numbers that measure".to_owned()
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

    fn line(&self) -> Verdict {
        if self.measures.is_empty() {
            return Err(self.no_numbers());
        }
        if self.rows < 2 {
            return Err("one row makes no line".to_owned());
        }
        match self.time.filter(|_| self.along.is_none()) {
            Some(time) => self.line_over_time(time),
            None => self.line_over_number(),
        }
    }

    fn line_over_time(&self, time: usize) -> Verdict {
        let (points, rows) = self.told_apart(&[time]);
        if points < 2 {
            return Err("all rows have the same date".to_owned());
        }
        let ys = self.together();
        let what = self.time_in_words(time);
        if points == rows && self.split.is_none() {
            let reason = format!("{what} and {}: line over time", self.numbers_in_words(ys.len()));
            let fit = if points == 2 { 45 } else { 90 };
            return Ok((fit, reason, Pick { x: Some(time), ys, split: None }));
        }
        let Some(split) = self.splitting(time) else {
            return Err(format!(
                "several rows share a {}, and no column tells them apart",
                self.name(time)
            ));
        };
        let groups = self.fact(split).map_or(0, |f| f.distinct);
        let reason = format!(
            "{what}, a category and a number: a line for each of {groups} {}",
            self.name(split)
        );
        let ys = ys.into_iter().take(1).collect();
        let fit = if points == 2 { 40 } else { 88 };
        Ok((fit, reason, Pick { x: Some(time), ys, split: Some(split) }))
    }

    fn time_in_words(&self, time: usize) -> String {
        match self.fact(time) {
            Some(facts) if facts.sort == Sort::Date => {
                let unit = facts.unit.name();
                if unit == "time" { "a time".to_owned() } else { format!("a date ({unit})") }
            }
            _ => format!("a part of the calendar ({})", self.name(time)),
        }
    }

    fn line_over_number(&self) -> Verdict {
        let x = self.along.or_else(|| {
            let first = self.measures.first().copied()?;
            (self.measures.len() > 1).then_some(first)
        });
        let Some(x) = x else {
            return Err("there is no date and no second number to go along".to_owned());
        };
        if !self.fact(x).is_some_and(|f| f.rising && f.nulls == 0) {
            return Err(format!("{} doesn't rise from row to row", self.name(x)));
        }
        let ys: Vec<usize> =
            self.measures.iter().copied().filter(|n| *n != x).take(MOST_SERIES).collect();
        let ys = if self.fixed { ys } else { ys.into_iter().take(1).collect() };
        let (fit, how) = if self.even(x) { (82, "rises evenly") } else { (60, "rises") };
        let reason = format!("two numbers, and {} {how}: line along it", self.name(x));
        Ok((fit, reason, Pick { x: Some(x), ys, split: None }))
    }

    /// Tells whether a column rises by the same step from row to row.
    fn even(&self, column: usize) -> bool {
        let at: Vec<f64> =
            self.sheet.cells(column).iter().filter_map(|cell| cell.number()).collect();
        let Some(step) = at.get(1).zip(at.first()).map(|(b, a)| b - a) else { return false };
        at.len() > 2
            && at.iter().zip(at.iter().skip(1)).all(|(a, b)| (b - a - step).abs() <= step * 1e-6)
    }

    fn bars(&self, lying: bool) -> Verdict {
        if self.measures.is_empty() {
            return self.counts(lying);
        }
        if let Some(time) = self.time.filter(|_| self.labels.is_empty() || self.unique_time()) {
            return self.bars_over_time(time, lying);
        }
        let Some(x) = self.labels.first().copied() else {
            return Err("there is no column of names".to_owned());
        };
        let longest = self.fact(x).map_or(0, |f| f.longest);
        if self.unique(&[x]) && self.split.is_none() {
            let ys = self.together();
            let words = self.numbers_in_words(ys.len());
            let (fit, reason) = self.room_for(x, self.rows, ys.len(), longest, lying)?;
            let kinds = format!("{words} for each of {}: {reason}", self.names_of(x));
            return Ok((fit, kinds, Pick { x: Some(x), ys, split: None }));
        }
        let Some((x, split)) = self.crossed(x) else {
            return self.repeated(x, lying);
        };
        let names = self.fact(x).map_or(0, |f| f.distinct);
        let groups = self.fact(split).map_or(0, |f| f.distinct);
        let longest = self.fact(x).map_or(0, |f| f.longest);
        let (fit, reason) = self.room_for(x, names, groups.min(MOST_SERIES), longest, lying)?;
        let reason = format!(
            "two categories and a number: {groups} {} for each {}, {reason}",
            self.name(split),
            self.name(x)
        );
        let ys = self.measures.iter().copied().take(1).collect();
        Ok((fit.saturating_sub(2), reason, Pick { x: Some(x), ys, split: Some(split) }))
    }

    fn unique_time(&self) -> bool {
        self.time.is_some_and(|time| self.unique(&[time]))
    }

    fn names_of(&self, x: usize) -> String {
        format!("{} {}", super::numbers::grouped(&self.rows.to_string()), self.name(x))
    }

    /// Finds two labels that tell all rows apart together: along the axis, and in the group.
    fn crossed(&self, first: usize) -> Option<(usize, usize)> {
        let split = self.splitting(first)?;
        let distinct = |n: usize| self.fact(n).map_or(0, |f| f.distinct);
        // the one with more names goes along the axis, where there is room for them
        let swap = self.split.is_none() && distinct(split) > distinct(first);
        let fits = distinct(split).min(distinct(first)) <= 24;
        fits.then_some(if swap { (split, first) } else { (first, split) })
    }

    /// Says how well so many bars suit, standing or lying.
    fn room_for(
        &self,
        x: usize,
        names: usize,
        series: usize,
        longest: usize,
        lying: bool,
    ) -> Result<(u8, &'static str), String> {
        let short = longest <= 10 && names <= 12 && names * series <= 24;
        if self.rows == 1 {
            return Ok((if lying { 30 } else { 20 }, "one bar"));
        }
        match (lying, short) {
            (false, _) if names * series > MOST_STANDING => {
                Err(format!("{} {} don't stand side by side", names, self.name(x)))
            }
            (false, true) => Ok((86, "standing bars compare them")),
            (false, false) => Ok((42, "standing bars, with little room for the names")),
            (true, true) => Ok((70, "lying bars compare them")),
            (true, false) if names <= 60 => Ok((86, "lying bars leave room for the names")),
            (true, false) if names <= 200 => Ok((64, "lying bars, to scroll")),
            (true, false) => Ok((50, "many lying bars, to scroll")),
        }
    }

    fn bars_over_time(&self, time: usize, lying: bool) -> Verdict {
        let (points, rows) = self.told_apart(&[time]);
        if points < rows || self.split.is_some() {
            let Some(split) = self.splitting(time) else {
                return Err(format!("several rows share a {}", self.name(time)));
            };
            let fit = if lying { 30 } else { 60 };
            let reason = "a date, a category and a number: bars for each date".to_owned();
            let ys = self.measures.iter().copied().take(1).collect();
            return Ok((fit, reason, Pick { x: Some(time), ys, split: Some(split) }));
        }
        if !lying && points > MOST_STANDING {
            return Err(format!("{} don't stand side by side", count(points, "date")));
        }
        let ys = self.together();
        let fit = match (points, lying) {
            (..=2, false) => 86,
            (..=24, false) => 62,
            (_, false) => 35,
            (..=2, true) => 70,
            (_, true) => 32,
        };
        let reason = format!(
            "{} and {}: bars compare them",
            count(points, "date"),
            self.numbers_in_words(ys.len())
        );
        Ok((fit, reason, Pick { x: Some(time), ys, split: None }))
    }

    /// Judges bars where names repeat and nothing tells the rows apart: each row is a bar.
    fn repeated(&self, x: usize, lying: bool) -> Verdict {
        if self.rows > MOST_STANDING {
            let rows = count(self.rows, "row");
            return Err(format!("{} repeats in {rows}, and nothing is summed here", self.name(x)));
        }
        let ys = self.together();
        let fit = if lying { 45 } else { 25 };
        let reason = format!("{} repeats: each row is a bar of its own", self.name(x));
        Ok((fit, reason, Pick { x: Some(x), ys, split: None }))
    }

    /// Judges bars that count rows, where there is nothing to measure.
    fn counts(&self, lying: bool) -> Verdict {
        let few = |n: &&usize| {
            self.fact(**n).is_some_and(|f| f.distinct < f.values && f.distinct <= MOST_STANDING)
        };
        let Some(x) = self.labels.iter().find(few).copied() else {
            return Err(self.no_numbers());
        };
        let facts = self.fact(x);
        let (names, longest) = facts.map_or((0, 0), |f| (f.distinct, f.longest));
        let (fit, _) = self.room_for(x, names, 1, longest, lying)?;
        let reason =
            format!("no numbers: how many rows there are for each of {names} {}", self.name(x));
        Ok((fit.saturating_sub(10), reason, Pick { x: Some(x), ..Pick::default() }))
    }

    fn scatter(&self) -> Verdict {
        let time = self.time.filter(|_| self.along.is_none());
        let numbers: Vec<usize> =
            self.along.into_iter().chain(self.measures.iter().copied()).collect();
        let split = self.split.or_else(|| {
            let few = |n: &&usize| {
                self.fact(**n).is_some_and(|f| (2..=MOST_SERIES).contains(&f.distinct) && !f.key)
            };
            self.labels.iter().find(few).copied().filter(|_| self.rows >= 8)
        });
        if self.rows < 3 {
            return Err(format!("{} make no cloud of points", count(self.rows, "row")));
        }
        if let (Some(time), Some(y)) = (time, self.measures.first()) {
            let unique = self.unique(&[time]);
            let reason = if unique {
                "a date and a number: a point for each row".to_owned()
            } else {
                format!("several rows share a {}: a point for each row", self.name(time))
            };
            let fit = if unique { 44 } else { 72 };
            return Ok((fit, reason, Pick { x: Some(time), ys: vec![*y], split }));
        }
        let [x, y, ..] = numbers.as_slice() else {
            return Err("it takes two columns of numbers".to_owned());
        };
        let named = self.labels.iter().any(|n| self.unique(&[*n])) && self.rows <= 30;
        let fit = match (named, self.rows) {
            (true, _) => 50,
            (false, ..5) => 55,
            (false, _) => 80,
        };
        let groups = split.map_or(String::new(), |n| format!(", told apart by {}", self.name(n)));
        let reason =
            format!("two numbers in {}: a point for each{groups}", count(self.rows, "row"));
        Ok((fit, reason, Pick { x: Some(*x), ys: vec![*y], split }))
    }

    fn histogram(&self) -> Verdict {
        let Some(y) = self.measures.first().copied() else { return Err(self.no_numbers()) };
        let (values, distinct) = self.fact(y).map_or((0, 0), |f| (f.values, f.distinct));
        if values < 8 {
            return Err(format!("{} are too few to count sizes", count(values, "value")));
        }
        if distinct < 2 {
            return Err(format!("all values of {} are the same", self.name(y)));
        }
        let alone = self.measures.len() == 1 && self.labels.is_empty() && self.time.is_none();
        let plain = self.measures.len() == 1 && !self.labels.iter().any(|n| self.unique(&[*n]));
        let fit = match (alone, values) {
            (true, ..20) => 65,
            (true, _) => 85,
            (false, _) if plain && values >= 20 => 74,
            (false, 50..) => 58,
            (false, _) => 30,
        };
        let reason =
            format!("{} of {}: how often each size occurs", count(values, "value"), self.name(y));
        Ok((fit, reason, Pick { x: None, ys: vec![y], split: None }))
    }

    fn sparkline(&self) -> Verdict {
        if self.measures.is_empty() {
            return Err(self.no_numbers());
        }
        if self.rows < 3 {
            return Err(format!("{} make no line", count(self.rows, "row")));
        }
        let ys: Vec<usize> = self.measures.iter().copied().take(MOST_SERIES).collect();
        let alone = self.labels.is_empty() && self.time.is_none() && self.measures.len() == 1;
        let apart = self.together().len() < self.measures.len();
        let (fit, why) = match (alone, apart, self.time) {
            (true, _, _) if self.rows < 20 => (80, "one number in the order of the rows"),
            (true, _, _) => (60, "one number in the order of the rows"),
            (_, true, Some(_)) => (75, "numbers of different size over time: a small line each"),
            (_, true, None) => (40, "numbers of different size: a small line each"),
            (..) => (35, "a small line for each number, in the order of the rows"),
        };
        Ok((fit, why.to_owned(), Pick { x: self.time, ys, split: None }))
    }
}
