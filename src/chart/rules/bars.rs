//! When bars suit: one value for each name, two names for each value, or names to be counted.

use crate::domain::counts::{count, grouped};

use super::{MOST_SERIES, MOST_STANDING, NO_NUMBERS, Parts, Pick, Verdict};

impl Parts<'_> {
    pub(super) fn bars(&self, lying: bool) -> Verdict {
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
        if self.unique(x) && self.split.is_none() {
            let ys = self.together();
            let words = self.numbers_in_words(ys.len());
            let (fit, reason) = self.room_for(x, self.rows, ys.len(), longest, lying)?;
            let kinds = format!("{words} for each {}: {reason}", self.names_of(x));
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
            "two categories and a number: each {} ({groups}) for each {}, {reason}",
            self.name(split),
            self.name(x)
        );
        let ys = self.measures.iter().copied().take(1).collect();
        Ok((fit.saturating_sub(2), reason, Pick { x: Some(x), ys, split: Some(split) }))
    }

    pub(super) fn unique_time(&self) -> bool {
        self.time.is_some_and(|time| self.unique(time))
    }

    pub(super) fn names_of(&self, x: usize) -> String {
        format!("{} ({})", self.name(x), grouped(self.rows))
    }

    /// Finds two labels that tell all rows apart together: along the axis, and in the group.
    pub(super) fn crossed(&self, first: usize) -> Option<(usize, usize)> {
        let split = self.splitting(first)?;
        let distinct = |n: usize| self.fact(n).map_or(0, |f| f.distinct);
        // the one with more names goes along the axis, where there is room for them
        let swap = self.split.is_none() && distinct(split) > distinct(first);
        let fits = distinct(split).min(distinct(first)) <= 24;
        fits.then_some(if swap { (split, first) } else { (first, split) })
    }

    /// Says how well so many bars suit, standing or lying.
    pub(super) fn room_for(
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
                Err(format!("{names} names of {} don't stand side by side", self.name(x)))
            }
            (false, true) => Ok((86, "standing bars compare them")),
            (false, false) => Ok((42, "standing bars, with little room for the names")),
            (true, true) => Ok((70, "lying bars compare them")),
            (true, false) if names <= 60 => Ok((86, "lying bars leave room for the names")),
            (true, false) if names <= 200 => Ok((64, "lying bars, to scroll")),
            (true, false) => Ok((50, "many lying bars, to scroll")),
        }
    }

    pub(super) fn bars_over_time(&self, time: usize, lying: bool) -> Verdict {
        let (points, rows) = self.told_apart(time);
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
    pub(super) fn repeated(&self, x: usize, lying: bool) -> Verdict {
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
    pub(super) fn counts(&self, lying: bool) -> Verdict {
        let few = |n: &&usize| {
            self.fact(**n).is_some_and(|f| f.distinct < f.values && f.distinct <= MOST_STANDING)
        };
        let Some(x) = self.labels.iter().find(few).copied() else {
            return Err(NO_NUMBERS.to_owned());
        };
        let facts = self.fact(x);
        let (names, longest) = facts.map_or((0, 0), |f| (f.distinct, f.longest));
        let (fit, _) = self.room_for(x, names, 1, longest, lying)?;
        let reason =
            format!("no numbers: how many rows there are for each {} ({names})", self.name(x));
        Ok((fit.saturating_sub(10), reason, Pick { x: Some(x), ..Pick::default() }))
    }
}
