//! Rules for values: stored values, quoted strings, numbers and years without a column before them.

use crate::domain::plan::{Comparison, Operand};
use crate::domain::{ColumnRef, Value};

use super::cues::{Cue, Quality};
use super::items::Kind;
use super::literals::{literal, year_range};
use super::reader::{Reader, Role, Zone};
use super::sketch::{Filter, Output};

impl Reader<'_> {
    pub(super) fn equal_numbers(&mut self, at: usize, column: &ColumnRef, not: bool) -> usize {
        let mut places = vec![at];
        let mut next = at + 1;
        let mut or = false;
        while matches!(self.cue_of(next), Some(Cue::Or | Cue::Comma | Cue::And))
            && self.number_at(next + 1).is_some()
        {
            or = or || self.cue_of(next) == Some(Cue::Or);
            places.push(next + 1);
            next += 2;
        }
        let by = match self.cue_of(next) {
            Some(Cue::After(by)) => {
                next += 1;
                by
            }
            _ if not => Comparison::NotEqual,
            _ => Comparison::Equal,
        };
        let numbers: Vec<&str> = places.iter().filter_map(|n| self.number_at(*n)).collect();
        let values: Vec<Value> =
            numbers.iter().filter_map(|n| literal(self.schema, column, n)).collect();
        self.equal_any(column, by, values, or);
        next
    }

    /// "is 'A' or 'B'", "French".
    pub(super) fn equal_values(
        &mut self,
        at: usize,
        column: &ColumnRef,
        not: bool,
    ) -> Option<usize> {
        let mut values = vec![self.stored(at, column)?];
        let mut next = at + 1;
        let mut or = false;
        while let Some(Cue::Or | Cue::And | Cue::Comma) = self.cue_of(next) {
            let mut after = next + 1;
            while matches!(self.cue_of(after), Some(Cue::Or | Cue::And | Cue::Comma | Cue::Filler))
            {
                after += 1;
            }
            let Some(value) = self.stored(after, column) else { break };
            or = or || (next..after).any(|n| self.cue_of(n) == Some(Cue::Or));
            values.push(value);
            next = after + 1;
        }
        let by = if not { Comparison::NotEqual } else { Comparison::Equal };
        self.equal_any(column, by, values, or);
        Some(next)
    }

    fn stored(&self, at: usize, column: &ColumnRef) -> Option<Value> {
        let item = self.item(at)?;
        match &item.kind {
            Kind::Mention | Kind::Quoted => {}
            Kind::Cue(_) | Kind::Number(_) | Kind::Unknown => return None,
        }
        if let Some((_, stored)) = self.resolve_value(at, Some(column)) {
            let mention = item.kind == Kind::Mention && self.role(at) != Role::Value;
            return (!mention || item.value_score() >= 0.84).then_some(Value::Text(stored));
        }
        let elsewhere = !item.values.is_empty() && item.value_score() >= 0.9;
        if item.kind != Kind::Quoted || elsewhere {
            return None;
        }
        literal(self.schema, column, &item.text)
    }

    /// Adds a filter of one or several values.
    pub(super) fn equal_any(
        &mut self,
        column: &ColumnRef,
        by: Comparison,
        mut values: Vec<Value>,
        or: bool,
    ) {
        let both = std::mem::take(&mut self.both);
        let dated = super::periods::is_dated(self.schema, column);
        let apart = (both || self.is_child(&column.table)) && !dated;
        if values.len() == 2
            && !or
            && apart
            && by == Comparison::Equal
            && self.missing.is_none()
            && !self.negated
        {
            let second = values.pop().unwrap_or_default();
            let first = values.pop().unwrap_or_default();
            let a = self.filter(column, by, Operand::Value(first));
            let b = self.filter(column, by, Operand::Value(second));
            self.sketch.both = a.zip(b);
            return;
        }
        if values.len() > 1 {
            let not = by == Comparison::NotEqual;
            let by = if not { Comparison::NotIn } else { Comparison::In };
            if !or && !not {
                self.sketch.assumptions.push(format!("any of the values of {column} will do"));
            }
            self.filter(column, by, Operand::Values(values));
        } else if let Some(value) = values.pop() {
            self.filter(column, by, Operand::Value(value));
        }
    }

    /// "Ann Lee", where first and last name are columns of their own.
    fn person(&mut self, at: usize) -> Option<usize> {
        let item = self.item(at).filter(|i| i.kind == Kind::Quoted && i.values.is_empty())?;
        let (first, last) = item.text.split_once(' ')?;
        let stored = |column: &ColumnRef, text: &str| {
            let values = self.schema.list(column)?;
            values.iter().find(|v| v.eq_ignore_ascii_case(text)).cloned()
        };
        let found = self.schema.catalog.tables.iter().find_map(|table| {
            let known_by = self.schema.naming(&table.name);
            let [a, b] = known_by.as_slice() else { return None };
            Some((a.clone(), stored(a, first)?, b.clone(), stored(b, last)?))
        });
        let (a, given, b, family) = found?;
        self.filter(&a, Comparison::Equal, Operand::Value(Value::Text(given)));
        self.filter(&b, Comparison::Equal, Operand::Value(Value::Text(family)));
        self.zone = Zone::Conditions;
        Some(at + 1)
    }

    /// "Have 'a' in their names".
    fn quoted_part(&mut self, at: usize) -> Option<usize> {
        let quoted = self.item(at).is_some_and(|i| i.kind == Kind::Quoted);
        let inside =
            self.cue_of(at + 1) == Some(Cue::In) || self.cue_of(at + 1) == Some(Cue::Filler);
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::In | Cue::Their | Cue::Is));
        let has = matches!(self.before(at), Some(Cue::Have | Cue::With | Cue::Contains));
        if !(quoted && has && inside && self.is_column(next)) {
            return None;
        }
        let column = self.resolve(next, true).ok()?.into_iter().next()?;
        let text = format!("%{}%", self.item(at)?.text);
        self.filter(&column, Comparison::Like, Operand::Value(Value::Text(text)));
        Some(next + 1)
    }

    /// A stored value without its column.
    pub(super) fn value(&mut self, at: usize) -> usize {
        let Some(item) = self.item(at) else { return at + 1 };
        if let Some(next) = self.quoted_part(at) {
            return next;
        }
        if let Some(next) = self.person(at) {
            return next;
        }
        if item.kind == Kind::Quoted && item.values.is_empty() {
            self.sketch.open.push(format!("\"{}\"", item.text));
            return at + 1;
        }
        let after = self.item(at + 1).filter(|_| self.is_column(at + 1));
        let holds =
            |c: &&(ColumnRef, f32)| item.values.iter().any(|v| super::schema::same(&v.0, &c.0));
        let named = after
            .and_then(|next| next.columns.iter().find(holds))
            .and_then(|(column, _)| self.resolve_value(at, Some(column)));
        let found = named.clone().or_else(|| self.resolve_value(at, None));
        let Some((column, _)) = found else {
            self.sketch.open.push(item.text.clone());
            return at + 1;
        };
        let next = self.equal_values(at, &column, false).unwrap_or(at + 1);
        if self.counting && self.table_at(next).is_none() && !self.is_column(next) {
            self.counting = false;
            self.put_out(Output::Rows(column.table.clone()));
            self.speak_of(&column.table);
            self.zone = Zone::Conditions;
            return next;
        }
        if self.zone == Zone::Outputs
            && !self.counting
            && self.table_at(next).is_none()
            && !self.sketch.outputs.is_empty()
        {
            self.zone = Zone::Conditions;
        }
        let tail = if named.is_some() { at + 1 } else { usize::MAX };
        if next == tail { next + 1 } else { next }
    }

    /// The table of the condition read last.
    fn last_filtered(&self) -> Option<String> {
        match self.sketch.filters.last()? {
            Filter::Is(at, _) => Some(at.table.clone()),
            Filter::Missing { .. } => None,
        }
    }

    /// A number without a column before it: "3 credits", "5 largest", "in 2014".
    pub(super) fn number(&mut self, at: usize) -> usize {
        let Some(text) = self.number_at(at) else { return at + 1 };
        let next = self.skip(at + 1, |_| false);
        let whole: Option<u64> = text.parse().ok();
        if let (Some(Cue::Extreme(..) | Cue::Most(_) | Cue::Common(_)), Some(n)) =
            (self.cue_of(next), whole)
        {
            self.first = Some(n);
            return next;
        }
        let word = |n: usize, said: &[&str]| {
            self.item(n).is_some_and(|i| said.contains(&i.text.to_lowercase().as_str()))
        };
        if word(at + 1, &["years", "year"]) && word(at + 2, &["old"]) {
            let subject = self.subject.clone().or_else(|| self.last_filtered());
            let age = subject.and_then(|t| self.schema.measuring(&t, Quality::Age));
            if let Some((column, false)) = age
                && let Some(value) = literal(self.schema, &column, text)
            {
                self.filter(&column, Comparison::Equal, Operand::Value(value));
                return at + 3;
            }
        }
        if let Some(Cue::After(by)) = self.cue_of(next)
            && (self.table_at(next + 1).is_some() || self.is_column(next + 1))
        {
            self.zone = Zone::Conditions;
            return self.compare_number_of(next + 1, by, text);
        }
        if self.is_column(next)
            && let Ok([column]) = self.resolve(next, true).as_deref()
            && let Some(value) = literal(self.schema, column, text)
        {
            let column = column.clone();
            self.filter(&column, Comparison::Equal, Operand::Value(value));
            self.zone = Zone::Conditions;
            return next + 1;
        }
        if let Some(next) = self.year(at, text, Comparison::Equal) {
            return next;
        }
        self.sketch.open.push(text.to_owned());
        at + 1
    }

    /// A year or date: the one time column of the table in question.
    pub(super) fn year(&mut self, at: usize, text: &str, by: Comparison) -> Option<usize> {
        let year: u32 = text.get(..4)?.parse().ok()?;
        let dated = text.len() == 4 && (1000..2100).contains(&year)
            || text.len() > 5 && text.contains(['-', '/']);
        if !dated {
            return None;
        }
        let tables: Vec<String> =
            self.subject.iter().chain(self.sketch.about.iter()).cloned().collect();
        let (column, _) = tables.iter().find_map(|t| self.schema.measuring(t, Quality::Time))?;
        self.zone = Zone::Conditions;
        let next = match (self.cue_of(at + 1), by) {
            (Some(Cue::After(after)), Comparison::Equal) => {
                let value = literal(self.schema, &column, text)?;
                self.filter(&column, after, Operand::Value(value));
                return Some(at + 2);
            }
            _ => at + 1,
        };
        let listed = matches!(self.cue_of(at + 1), Some(Cue::Or | Cue::And | Cue::Comma))
            && self.number_at(at + 2).is_some();
        let dated = super::periods::is_dated(self.schema, &column);
        if let Some((low, high)) = year_range(self.schema, &column, text).filter(|_| !dated) {
            if by == Comparison::Equal {
                self.filter(&column, Comparison::Like, Operand::Value(low));
            } else if by == Comparison::Greater {
                self.filter(&column, by, Operand::Value(high));
            } else {
                self.filter(&column, by, Operand::Value(Value::Text(text.to_owned())));
            }
            return Some(next);
        }
        if by == Comparison::Equal && listed {
            return Some(self.equal_numbers(at, &column, false));
        }
        let value = literal(self.schema, &column, text)?;
        self.filter(&column, by, Operand::Value(value));
        Some(next)
    }
}
