//! Rules for conditions: a column and what it is compared with, a value alone, what is missing.

use crate::domain::plan::{Aggregate, Comparison, Condition, Operand, Term};
use crate::domain::{ColumnRef, Plan, Value};

use super::cues::{Cue, Quality};
use super::items::Kind;
use super::literals::literal;
use super::reader::{Reader, Role, Zone};
use super::sketch::{Filter, Size};

impl Reader<'_> {
    /// Reads what a column is compared with from a position on; none when nothing is.
    pub(super) fn condition(&mut self, from: usize, column: &ColumnRef) -> Option<usize> {
        let mut not = false;
        let mut at = from;
        while let Some(cue) = self.cue_of(at) {
            if matches!(cue, Cue::Not | Cue::Except) {
                not = true;
            } else if cue == Cue::Both {
                self.both = true;
            } else if !self.passes(at, cue) {
                break;
            }
            at += 1;
        }
        self.compared(at, column, not)
    }

    /// Tells whether a steering word may stand between a column and what it is compared with.
    fn passes(&self, at: usize, cue: Cue) -> bool {
        let next = at + 1;
        let number = self.number_at(next).is_some();
        let value = self.role(next) == Role::Value && self.zone == Zone::Conditions;
        let quoted = self.item(next).is_some_and(|i| i.kind == Kind::Quoted);
        let compares = matches!(self.cue_of(next), Some(Cue::Compare(..) | Cue::Between));
        matches!(cue, Cue::Is | Cue::Have | Cue::Filler | Cue::Either)
            || cue == Cue::Of && (compares || number || quoted || value)
            || cue == Cue::In && (number || value)
    }

    fn compared(&mut self, at: usize, column: &ColumnRef, not: bool) -> Option<usize> {
        let item = self.item(at)?;
        match &item.kind {
            Kind::Cue(Cue::Compare(by, _)) => self.compared_with(at + 1, column, *by, not),
            Kind::Cue(Cue::Between) if !not => self.range(at + 1, column),
            Kind::Cue(Cue::Contains | Cue::Starts | Cue::Ends) => self.pattern(at, column, not),
            Kind::Cue(Cue::Unknown) => {
                self.require_null(column, !not);
                Some(at + 1)
            }
            Kind::Cue(Cue::Extreme(descending, Quality::Any)) if !not && self.ends_at(at + 1) => {
                self.sketch.order.push((Size::Column(column.clone()), *descending));
                self.sketch.limit.get_or_insert(self.first.take().unwrap_or(1));
                Some(at + 1)
            }
            Kind::Number(text) => {
                // "age 30", "in 2014"; but "names of 3 members" compares nothing.
                let after_of = at > 0 && self.cue_of(at - 1) == Some(Cue::Of);
                let counts = self.table_at(at + 1).is_some()
                    || matches!(self.cue_of(at + 1), Some(Cue::Extreme(..) | Cue::Most(_)));
                let joined = !after_of || (self.schema.is_number(column) && !counts);
                let takes = joined && literal(self.schema, column, text).is_some();
                takes.then(|| self.equal_numbers(at, column, not))
            }
            Kind::Mention | Kind::Quoted => self.equal_values(at, column, not),
            Kind::Cue(_) | Kind::Unknown => None,
        }
    }

    fn ends_at(&self, at: usize) -> bool {
        matches!(self.cue_of(self.skip(at, |_| false)), Some(Cue::Stop) | None)
            && self.item(at).is_none_or(|i| i.is(Cue::Stop))
    }

    /// Adds a filter; returns its position. Negation turns it round, or makes it one of missing rows.
    pub(super) fn filter(
        &mut self,
        column: &ColumnRef,
        by: Comparison,
        right: Operand,
    ) -> Option<usize> {
        let negated = self.missing.is_none() && std::mem::take(&mut self.negated);
        let child = negated && self.is_child(&column.table);
        let by = if negated && !child { opposite(by) } else { by };
        let conditions = super::periods::conditions(self.schema, column, by, right, self.or);
        let with = conditions.iter().map(|condition| (column.clone(), condition.clone()));
        if let Some(Filter::Missing { with: known, .. }) =
            self.missing.and_then(|n| self.sketch.filters.get_mut(n))
        {
            known.extend(with);
            return None;
        }
        if child {
            let (of, table) = (self.sketch.about.clone()?, column.table.clone());
            let with = with.collect();
            self.sketch.filters.push(Filter::Missing { of, table, with });
            return None;
        }
        let paired = conditions.len() > 1;
        if paired && self.or {
            // a range behind an OR would need brackets, which filters in a row don't have
            self.sketch.open.push("or".to_owned());
        }
        let mut last = None;
        for condition in conditions {
            last = Some(self.push(column, condition));
        }
        self.paired = last.filter(|_| paired);
        last
    }

    fn push(&mut self, column: &ColumnRef, condition: Condition) -> usize {
        let or = std::mem::take(&mut self.or);
        if or && self.paired.is_some_and(|end| end + 1 == self.sketch.filters.len()) {
            // an OR behind a range would join one end of it only
            self.sketch.open.push("or".to_owned());
        }
        self.sketch.filters.push(Filter::Is(column.clone(), condition));
        let here = self.sketch.filters.len() - 1;
        if or && here > 0 {
            match self.sketch.either.last_mut() {
                Some(chain) if chain.last() == Some(&(here - 1)) => chain.push(here),
                _ => self.sketch.either.push(vec![here - 1, here]),
            }
        }
        here
    }

    /// Tells whether the table in question may have several rows of another table.
    pub(super) fn is_child(&self, table: &str) -> bool {
        let Some(about) = &self.sketch.about else { return false };
        if about == table {
            return false;
        }
        let points = |key: &&crate::domain::ForeignKey| {
            key.from_table.eq_ignore_ascii_case(about) && key.to_table.eq_ignore_ascii_case(table)
        };
        !self.schema.catalog.keys.iter().any(|key| points(&key))
    }

    pub(super) fn require_null(&mut self, column: &ColumnRef, null: bool) {
        let condition = Condition::Null { left: Term::Column(column.clone()), not: !null };
        self.push(column, condition);
    }

    pub(super) fn compared_with(
        &mut self,
        from: usize,
        column: &ColumnRef,
        by: Comparison,
        not: bool,
    ) -> Option<usize> {
        let mut at = self.skip(from, |cue| matches!(cue, Cue::Of | Cue::Is));
        if self.is_column(at) && self.number_at(at + 1).is_some() {
            at += 1;
        }
        let by = if not { opposite(by) } else { by };
        if self.number_at(at).is_some() && self.table_at(self.skip(at + 1, |_| false)).is_some() {
            // "Countries that have more than 2 members" counts members.
            return None;
        }
        if let Some(text) = self.number_at(at) {
            let (by, next) = match self.cue_of(at + 1) {
                Some(Cue::After(by)) => (by, at + 2),
                _ => (by, at + 1),
            };
            let value = literal(self.schema, column, text)?;
            self.filter(column, by, Operand::Value(value));
            return Some(next);
        }
        if let Some(Cue::Aggregate(function)) = self.cue_of(at) {
            let next = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::For | Cue::In));
            let repeated = self.is_column(next)
                && self.resolve(next, true).is_ok_and(|found| found == [column.clone()]);
            self.filter(column, by, aggregate_of(function, column));
            let mut next = if repeated { next + 1 } else { at + 1 };
            // "… of all members" names the same table again.
            let after = self.skip(next, |cue| matches!(cue, Cue::Of | Cue::For | Cue::In));
            if self.table_at(after).is_some_and(|t| t == column.table) {
                next = after + 1;
            }
            return Some(next);
        }
        match &self.item(at)?.kind {
            Kind::Quoted => {
                let text = self.item(at)?.text.clone();
                self.filter(column, by, Operand::Value(Value::Text(text)));
                Some(at + 1)
            }
            Kind::Cue(_) | Kind::Number(_) | Kind::Mention | Kind::Unknown => None,
        }
    }

    fn range(&mut self, from: usize, column: &ColumnRef) -> Option<usize> {
        let low = self.skip(from, |_| false);
        let high = self.skip(low + 1, |cue| matches!(cue, Cue::And | Cue::In | Cue::Or));
        let ends = (self.value_text(low)?, self.value_text(high)?);
        let low = literal(self.schema, column, &ends.0).unwrap_or(Value::Text(ends.0));
        let end = literal(self.schema, column, &ends.1).unwrap_or(Value::Text(ends.1));
        self.filter(column, Comparison::Between, Operand::Range(low, end));
        Some(high + 1)
    }

    fn value_text(&self, at: usize) -> Option<String> {
        let item = self.item(at)?;
        match &item.kind {
            Kind::Number(text) => Some(text.clone()),
            Kind::Quoted => Some(item.text.clone()),
            Kind::Cue(_) | Kind::Mention | Kind::Unknown => None,
        }
    }

    fn pattern(&mut self, at: usize, column: &ColumnRef, not: bool) -> Option<usize> {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::Is));
        let item = self.item(next).filter(|i| !matches!(i.kind, Kind::Cue(_)))?;
        let (start, end) = match self.cue_of(at) {
            Some(Cue::Starts) => ("", "%"),
            Some(Cue::Ends) => ("%", ""),
            _ => ("%", "%"),
        };
        let like = format!("{start}{}{end}", item.text);
        let by = if not { Comparison::NotLike } else { Comparison::Like };
        self.filter(column, by, Operand::Value(Value::Text(like)));
        Some(next + 1)
    }

    /// "Films with the word 'x'" or "with 'x' in their title": the column comes after, or is the name.
    pub(super) fn pattern_without_column(&mut self, at: usize) -> usize {
        let quoted = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::Is));
        let after = self.skip(quoted + 1, |cue| matches!(cue, Cue::In | Cue::Their));
        let column = if self.is_column(after) {
            self.resolve(after, true).ok().and_then(|c| c.into_iter().next())
        } else {
            None
        };
        self.zone = Zone::Conditions;
        let text = self.item(quoted).is_some_and(|i| i.kind == Kind::Quoted);
        if !text && (self.table_at(quoted).is_some() || self.number_at(quoted).is_some()) {
            // "Albums that contain tracks" relates tables.
            return at + 1;
        }
        let subject = self.subject.clone().unwrap_or_default();
        let naming = self.schema.naming(&subject);
        if let (None, true, [only]) = (&column, text, naming.as_slice()) {
            return self.pattern(at, only, false).unwrap_or(at + 1);
        }
        if column.is_some_and(|column| self.pattern(at, &column, false).is_some()) {
            return after + 1;
        }
        self.sketch.open.push("which column contains it".to_owned());
        at + 1
    }
}

/// `(SELECT f(column) FROM its table)`.
pub(super) fn aggregate_of(function: Aggregate, column: &ColumnRef) -> Operand {
    let of = Box::new(Term::Column(column.clone()));
    let term = Term::Aggregate { function, of, distinct: false };
    let measure = crate::domain::plan::Measure { term, alias: String::new(), metric: None };
    Operand::Plan(Box::new(Plan {
        tables: vec![column.table.clone()],
        measures: vec![measure],
        ..Plan::default()
    }))
}

pub(super) fn opposite(by: Comparison) -> Comparison {
    match by {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
        Comparison::Like => Comparison::NotLike,
        Comparison::NotLike => Comparison::Like,
        Comparison::In => Comparison::NotIn,
        Comparison::NotIn => Comparison::In,
        Comparison::Between => Comparison::Between,
    }
}
