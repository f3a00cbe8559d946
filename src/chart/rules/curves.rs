//! When lines, clouds, histograms and small lines suit: numbers along a date, a number, or the rows.

use crate::domain::counts::count;

use super::super::facts::Sort;
use super::{MOST_SERIES, NO_NUMBERS, Parts, Pick, Verdict};

impl Parts<'_> {
    pub(super) fn line(&self) -> Verdict {
        if self.measures.is_empty() {
            return Err(NO_NUMBERS.to_owned());
        }
        if self.rows < 2 {
            return Err("one row makes no line".to_owned());
        }
        match self.time.filter(|_| self.along.is_none()) {
            Some(time) => self.line_over_time(time),
            None => self.line_over_number(),
        }
    }

    pub(super) fn line_over_time(&self, time: usize) -> Verdict {
        let (points, rows) = self.told_apart(time);
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
            "{what}, a category and a number: a line for each {} ({groups})",
            self.name(split)
        );
        let ys = ys.into_iter().take(1).collect();
        let fit = if points == 2 { 40 } else { 88 };
        Ok((fit, reason, Pick { x: Some(time), ys, split: Some(split) }))
    }

    pub(super) fn time_in_words(&self, time: usize) -> String {
        match self.fact(time) {
            Some(facts) if facts.sort == Sort::Date => {
                let unit = facts.unit.name();
                if unit == "time" { "a time".to_owned() } else { format!("a date ({unit})") }
            }
            _ => format!("a part of the calendar ({})", self.name(time)),
        }
    }

    pub(super) fn line_over_number(&self) -> Verdict {
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
    pub(super) fn even(&self, column: usize) -> bool {
        let at: Vec<f64> =
            self.sheet.cells(column).iter().filter_map(|cell| cell.number()).collect();
        let Some(step) = at.get(1).zip(at.first()).map(|(b, a)| b - a) else { return false };
        at.len() > 2
            && at.iter().zip(at.iter().skip(1)).all(|(a, b)| (b - a - step).abs() <= step * 1e-6)
    }

    pub(super) fn scatter(&self) -> Verdict {
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
            let unique = self.unique(time);
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
        let named = self.labels.iter().any(|n| self.unique(*n)) && self.rows <= 30;
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

    pub(super) fn histogram(&self) -> Verdict {
        let Some(y) = self.measures.first().copied() else { return Err(NO_NUMBERS.to_owned()) };
        let (values, distinct) = self.fact(y).map_or((0, 0), |f| (f.values, f.distinct));
        if values < 8 {
            return Err(format!("{} are too few to count sizes", count(values, "value")));
        }
        if distinct < 2 {
            return Err(format!("all values of {} are the same", self.name(y)));
        }
        let alone = self.measures.len() == 1 && self.labels.is_empty() && self.time.is_none();
        let plain = self.measures.len() == 1
            && self.time.is_none()
            && !self.labels.iter().any(|n| self.unique(*n));
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

    pub(super) fn sparkline(&self) -> Verdict {
        if self.measures.is_empty() {
            return Err(NO_NUMBERS.to_owned());
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
