//! Rules for groups, order and extremes: "for each", "sorted by", "the most", "the oldest".

use crate::domain::plan::{Aggregate, Comparison, Operand, Order, Term};
use crate::domain::{ColumnRef, Plan};

use super::cues::{Cue, Quality};
use super::explained::is_participle;
use super::reader::{Reader, Role, Zone};
use super::sketch::{Group, Output, Size};

impl Reader<'_> {
    /// "For each room", "in each country", "per year".
    pub(super) fn each(&mut self, at: usize) -> usize {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::Distinct | Cue::In));
        if let Some(table) = self.table_at(next) {
            if self.is_column(next + 1) && !matches!(self.before(at), Some(Cue::Of)) {
                return self.each_column(next + 1);
            }
            if self.counting {
                self.sketch.open.push("how many".to_owned());
            }
            self.sketch.groups.push(Group::Rows(table.clone()));
            if self.sketch.about.is_none() {
                self.speak_of(&table);
            } else {
                self.relate(&table);
                self.subject = Some(table);
            }
            if !self.sketch.outputs.is_empty() {
                self.zone = Zone::Conditions;
            }
            return next + 1;
        }
        let owned = self.alias_table(next).is_some() && self.before(at) != Some(Cue::For);
        if self.is_column(next) && owned && self.sketch.outputs.is_empty() && !self.counting {
            return next;
        }
        if self.is_column(next) {
            return self.each_column(next);
        }
        self.each_output = true;
        at + 1
    }

    fn each_column(&mut self, at: usize) -> usize {
        match self.resolve(at, true).as_deref() {
            Ok([column]) => self.sketch.groups.push(Group::Column(column.clone())),
            Ok(_) => self.sketch.open.push("each of what".to_owned()),
            Err(problem) => self.sketch.open.push(problem.clone()),
        }
        // "By region and product".
        let more = at + 2;
        let compared = matches!(
            self.cue_of(self.skip(more + 1, |cue| matches!(cue, Cue::Is))),
            Some(Cue::Compare(..) | Cue::Between | Cue::Not)
        );
        let listed = self.cue_of(at + 1) == Some(Cue::And) && self.is_column(more);
        if listed && !compared && !self.sketch.outputs.is_empty() {
            return self.each_column(more);
        }
        at + 1
    }

    /// "By": the sort key after "sort", else what groups are made by.
    pub(super) fn by(&mut self, at: usize) -> usize {
        if std::mem::take(&mut self.sorting) {
            return self.sort_keys(at + 1);
        }
        let aggregates = self
            .sketch
            .outputs
            .iter()
            .any(|o| !matches!(o, Output::Column(_) | Output::Everything(_)));
        let next = self.skip(at + 1, |_| false);
        if aggregates
            && self.sketch.groups.is_empty()
            && self.is_column(next)
            && self.role(next) == Role::Column
        {
            return self.each_column(next);
        }
        if aggregates && self.sketch.groups.is_empty() && self.table_at(next).is_some() {
            let verb = at > 0 && self.item(at - 1).is_some_and(|i| is_participle(&i.text));
            if !verb {
                return self.each(at);
            }
        }
        at + 1
    }

    /// Order and its direction.
    pub(super) fn order(&mut self, at: usize, cue: Cue) -> usize {
        if cue == Cue::Order {
            let text = self.item(at).map_or("", |i| i.text.as_str());
            let keyed = text.ends_with("by") || text.ends_with("of");
            self.sorting = !keyed;
            return if keyed { self.sort_keys(at + 1) } else { self.sort_without_by(at) };
        }
        let descending = cue == Cue::Descending;
        match self.sketch.order.last_mut() {
            Some(last) if self.sketch.limit.is_none() => last.1 = descending,
            _ => self.direction = Some(descending),
        }
        let next = self.skip(at + 1, |_| false);
        let keys = matches!(self.cue_of(next), Some(Cue::Of | Cue::By));
        if keys { self.sort_keys(next) } else { at + 1 }
    }

    fn sort_without_by(&mut self, at: usize) -> usize {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::In));
        let keys = matches!(self.cue_of(next), Some(Cue::By));
        if keys {
            self.sorting = false;
            return self.sort_keys(next + 1);
        }
        at + 1
    }

    fn sort_keys(&mut self, from: usize) -> usize {
        let mut at = from;
        let mut direction = self.direction.take();
        loop {
            at = self.skip(at, |cue| {
                matches!(cue, Cue::Of | Cue::By | Cue::Their | Cue::In | Cue::Is | Cue::Comma)
            });
            match self.cue_of(at) {
                Some(Cue::Ascending | Cue::Descending | Cue::Alphabetical) => {
                    direction = Some(self.cue_of(at) == Some(Cue::Descending));
                    at += 1;
                    if let Some(last) = self.sketch.order.last_mut() {
                        last.1 = direction.unwrap_or(false);
                        break;
                    }
                }
                Some(Cue::And) if !self.sketch.order.is_empty() && self.is_sort_key(at + 1) => {
                    at += 1;
                }
                _ => match self.sort_key(at) {
                    Some((size, next)) => {
                        self.sketch.order.push((size, direction.unwrap_or(false)));
                        at = next;
                    }
                    None => break,
                },
            }
        }
        if self.sketch.order.is_empty() {
            self.direction = Some(direction.unwrap_or(false));
        }
        at
    }

    fn is_sort_key(&self, at: usize) -> bool {
        let at = self.skip(at, |cue| cue == Cue::Their);
        self.is_column(at) && !matches!(self.cue_of(at + 1), Some(Cue::Compare(..)))
    }

    fn sort_key(&mut self, at: usize) -> Option<(Size, usize)> {
        if let Some(Cue::Count) = self.cue_of(at) {
            let noun = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::Distinct));
            let table = self.table_at(noun)?;
            if self.sketch.about.as_ref() != Some(&table) {
                self.relate(&table);
            }
            return Some((Size::Rows(table), noun + 1));
        }
        if let Some(Cue::Aggregate(function)) = self.cue_of(at) {
            let noun = self.skip(at + 1, |cue| cue == Cue::Of);
            let column = self.resolve(noun, true).ok()?.into_iter().next()?;
            let named =
                self.sketch.outputs.iter().any(
                    |o| matches!(o, Output::Aggregate(f, c) if *f == function && *c == column),
                );
            let size = if named || function != Aggregate::Sum {
                Size::Aggregate(function, column)
            } else {
                Size::Column(column)
            };
            return Some((size, noun + 1));
        }
        if !self.is_column(at) {
            return None;
        }
        let columns = self.resolve(at, true).ok()?;
        let column = columns.into_iter().next()?;
        Some((Size::Column(column), at + 1))
    }

    fn limit_one(&mut self) {
        let first = self.first.take().unwrap_or(1);
        self.sketch.limit.get_or_insert(first);
    }

    /// "The most", "the fewest": of rows, or of a number.
    pub(super) fn most(&mut self, at: usize, descending: bool) -> usize {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::Distinct | Cue::Count));
        if let Some(table) = self.times(next) {
            self.sketch.order.push((Size::Rows(table), descending));
            self.limit_one();
            return next + 1;
        }
        if let Some(next) = self.extreme_metric(next, descending) {
            return next;
        }
        let noun = (next..next + 2).find(|n| self.table_at(*n).is_some() || self.is_column(*n));
        let Some(noun) = noun.filter(|n| *n == next || self.role(next) == Role::Value) else {
            self.sketch.open.push("the most of what".to_owned());
            return at + 1;
        };
        if let Some(table) = self.table_at(noun) {
            if self.sketch.about.as_ref() != Some(&table) {
                self.relate(&table);
            }
            self.sketch.order.push((Size::Rows(table), descending));
        } else {
            match self.resolve(noun, true).as_deref() {
                Ok([column]) if self.schema.is_number(column) => {
                    self.sketch.order.push((Size::Column(column.clone()), descending));
                }
                Ok([column]) => {
                    let table = column.table.clone();
                    self.relate(&table);
                    self.sketch.order.push((Size::Rows(table), descending));
                }
                Ok(_) => self.sketch.open.push("the most of what".to_owned()),
                Err(problem) => self.sketch.open.push(problem.clone()),
            }
        }
        self.limit_one();
        self.zone = Zone::Conditions;
        if noun == next { noun + 1 } else { next }
    }

    /// "The highest salary", "the youngest member", "the largest country".
    pub(super) fn extreme(&mut self, at: usize, descending: bool, quality: Quality) -> usize {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Of));
        if let Some(next) = self.extreme_metric(next, descending) {
            return next;
        }
        if let Some(Cue::Aggregate(function)) = self.cue_of(next) {
            let noun = self.skip(next + 1, |cue| cue == Cue::Of);
            if let Ok([column]) = self.resolve(noun, true).as_deref() {
                let column = column.clone();
                self.sketch.order.push((Size::Aggregate(function, column), descending));
                self.limit_one();
                self.zone = Zone::Conditions;
                return noun + 1;
            }
        }
        if self.is_column(next) {
            return self.extreme_column(next, descending, quality);
        }
        if quality == Quality::Any {
            if let Some(column) = self.table_at(next).and_then(|t| self.only_size(&t)) {
                self.sketch.order.push((Size::Column(column), descending));
                self.limit_one();
                return next;
            }
            self.sketch.open.push("the extreme of what".to_owned());
            return at + 1;
        }
        self.extremes.push((descending, quality));
        if let Some(n) = self.first.take() {
            self.sketch.limit = Some(n);
        }
        at + 1
    }

    fn extreme_column(&mut self, at: usize, descending: bool, quality: Quality) -> usize {
        let column = match self.resolve(at, self.zone == Zone::Conditions).as_deref() {
            Ok([column]) => column.clone(),
            Ok(_) => return at + 1,
            Err(problem) => {
                self.sketch.open.push(problem.clone());
                return at + 1;
            }
        };
        if quality != Quality::Time && !self.schema.has_sizes(&column) {
            // The last of the alphabet is not the best.
            let words = [at - 1, at].map(|n| self.item(n).map_or("", |i| i.text.as_str()));
            self.sketch.open.push(words.join(" "));
            return at + 1;
        }
        let plain = self.sketch.outputs.iter().any(|o| matches!(o, Output::Column(_)));
        let topped = std::mem::take(&mut self.sorting);
        if topped {
            self.direction = None;
        }
        let asked = !topped
            && self.zone == Zone::Outputs
            && !plain
            && self.implied.is_empty()
            && self.first.is_none();
        if asked {
            let function = if descending { Aggregate::Max } else { Aggregate::Min };
            self.put_out(Output::Aggregate(function, column));
        } else {
            self.sketch.order.push((Size::Column(column), descending));
            self.limit_one();
            self.zone = Zone::Conditions;
        }
        at + 1
    }

    /// The only column of a table that says how large a row is.
    fn only_size(&self, table: &str) -> Option<ColumnRef> {
        let table = self.schema.table(table)?;
        let mut sizes = table
            .columns
            .iter()
            .map(|c| ColumnRef::new(&table.name, &c.name))
            .filter(|at| self.schema.is_number(at));
        let first = sizes.next()?;
        sizes.next().is_none().then_some(first)
    }

    /// "The most common nationality".
    pub(super) fn common(&mut self, at: usize, descending: bool) -> usize {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Of));
        if let Some(table) = self.table_at(next) {
            let others: Vec<String> =
                (next + 1..self.items.len()).filter_map(|n| self.table_at(n)).collect();
            if let [other] = others.as_slice() {
                self.speak_of(&table);
                self.imply(&table);
                self.relate(other);
                self.sketch.order.push((Size::Rows(other.clone()), descending));
                self.limit_one();
                self.zone = Zone::Conditions;
                return next + 1;
            }
        }
        if let ([Output::Column(column)], false) =
            (self.sketch.outputs.as_slice(), self.is_column(next))
        {
            let column = column.clone();
            self.sketch.order.push((Size::Rows(column.table.clone()), descending));
            self.sketch.groups.push(Group::Column(column));
            self.limit_one();
            return at + 1;
        }
        if !self.is_column(next) {
            self.sketch.open.push("the most common what".to_owned());
            return at + 1;
        }
        match self.resolve(next, self.zone == Zone::Conditions).as_deref() {
            Ok([column]) => {
                let column = column.clone();
                let group = Size::Rows(column.table.clone());
                if self.zone == Zone::Conditions && !self.sketch.outputs.is_empty() {
                    let limit = self.first.take().unwrap_or(1);
                    self.filter(&column, Comparison::In, most_common(&column, descending, limit));
                    return next + 1;
                }
                self.put_out(Output::Column(column.clone()));
                self.sketch.groups.push(Group::Column(column));
                self.sketch.order.push((group, descending));
                self.limit_one();
            }
            Ok(_) => self.sketch.open.push("the most common what".to_owned()),
            Err(problem) => self.sketch.open.push(problem.clone()),
        }
        next + 1
    }

    /// "The top 3 countries by population".
    pub(super) fn top(&mut self, at: usize, descending: bool) -> usize {
        let next = self.skip(at + 1, |_| false);
        let (limit, next) = match self.number_at(next).and_then(|n| n.parse().ok()) {
            Some(n) => (n, next + 1),
            None => (1, at + 1),
        };
        self.sketch.limit = Some(limit);
        self.direction = Some(descending);
        self.sorting = true;
        next
    }
}

/// `(SELECT column … GROUP BY column ORDER BY COUNT(*) DESC LIMIT n)`.
fn most_common(column: &ColumnRef, descending: bool, limit: u64) -> Operand {
    let term = Term::Column(column.clone());
    let count =
        Term::Aggregate { function: Aggregate::Count, of: Box::new(Term::Star), distinct: false };
    Operand::Plan(Box::new(Plan {
        tables: vec![column.table.clone()],
        dimensions: vec![term.clone()],
        group_by: vec![term],
        order: vec![Order { term: count, descending }],
        limit: Some(limit),
        ..Plan::default()
    }))
}
