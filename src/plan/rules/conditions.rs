//! Rules for conditions: a column and what it is compared with, a value alone, what is missing.

use crate::domain::plan::{Aggregate, Comparison, Condition, Operand, Term};
use crate::domain::{ColumnRef, Plan, Value};

use super::cues::{Cue, Quality};
use super::items::Kind;
use super::literals::{literal, year_range};
use super::reader::{Reader, Role, Zone};
use super::sketch::{Filter, Size};

impl Reader<'_> {
    /// Reads what a column is compared with from a position on; none when nothing is.
    pub(super) fn condition(&mut self, from: usize, column: &ColumnRef) -> Option<usize> {
        let mut not = false;
        let mut at = from;
        while let Some(cue) = self.cue_of(at) {
            match cue {
                Cue::Not | Cue::Except => not = true,
                Cue::Both => self.both = true,
                Cue::Is | Cue::Have | Cue::Filler | Cue::Either => {}
                Cue::Of if matches!(self.cue_of(at + 1), Some(Cue::Compare(..) | Cue::Between)) => {
                }
                Cue::Of if self.number_at(at + 1).is_some() => {}
                Cue::Of if self.items.get(at + 1).is_some_and(|i| i.kind == Kind::Quoted) => {}
                Cue::Of | Cue::In
                    if self.role(at + 1) == Role::Value && self.zone == Zone::Conditions => {}
                Cue::In if self.number_at(at + 1).is_some() => {}
                _ => break,
            }
            at += 1;
        }
        self.compared(at, column, not)
    }

    fn compared(&mut self, at: usize, column: &ColumnRef, not: bool) -> Option<usize> {
        let item = self.item(at)?;
        match &item.kind {
            Kind::Cue(Cue::Compare(by, _)) => self.compared_with(at + 1, column, *by, not),
            Kind::Cue(Cue::Between) => self.range(at + 1, column),
            Kind::Cue(Cue::Contains | Cue::Starts | Cue::Ends) => self.pattern(at, column, not),
            Kind::Cue(Cue::Unknown) => {
                self.require_null(column, !not);
                Some(at + 1)
            }
            Kind::Cue(Cue::Extreme(descending, Quality::Any)) if self.ends_at(at + 1) => {
                self.sketch.order.push((Size::Column(column.clone()), *descending));
                self.sketch.limit.get_or_insert(self.first.take().unwrap_or(1));
                Some(at + 1)
            }
            Kind::Number(text) => {
                // "age 30", "in 2014"; but "names of 3 singers" compares nothing.
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

    fn equal_numbers(&mut self, at: usize, column: &ColumnRef, not: bool) -> usize {
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
    fn equal_values(&mut self, at: usize, column: &ColumnRef, not: bool) -> Option<usize> {
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
        (item.kind == Kind::Quoted).then(|| {
            literal(self.schema, column, &item.text).unwrap_or(Value::Text(item.text.clone()))
        })
    }

    /// Adds a filter of one or several values.
    fn equal_any(&mut self, column: &ColumnRef, by: Comparison, mut values: Vec<Value>, or: bool) {
        let both = std::mem::take(&mut self.both);
        let apart = both || self.is_child(&column.table);
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

    /// Adds a filter; returns its position. Negation turns it round, or makes it one of missing rows.
    pub(super) fn filter(
        &mut self,
        column: &ColumnRef,
        by: Comparison,
        right: Operand,
    ) -> Option<usize> {
        let condition = |by| Condition::Compare {
            left: Term::Column(column.clone()),
            by,
            right: right.clone(),
        };
        if let Some(Filter::Missing { with, .. }) =
            self.missing.and_then(|n| self.sketch.filters.get_mut(n))
        {
            with.push((column.clone(), condition(by)));
            return None;
        }
        if std::mem::take(&mut self.negated) {
            if self.is_child(&column.table) {
                let of = self.sketch.about.clone()?;
                let with = vec![(column.clone(), condition(by))];
                self.sketch.filters.push(Filter::Missing { of, table: column.table.clone(), with });
                return None;
            }
            return Some(self.push(column, condition(opposite(by))));
        }
        Some(self.push(column, condition(by)))
    }

    fn push(&mut self, column: &ColumnRef, condition: Condition) -> usize {
        let or = std::mem::take(&mut self.or);
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
            // "… of all singers" names the same table again.
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
        let like = match self.cue_of(at)? {
            Cue::Starts => format!("{}%", item.text),
            Cue::Ends => format!("%{}", item.text),
            _ => format!("%{}%", item.text),
        };
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
        if !text && self.table_at(quoted).is_some() {
            // "Albums that contain tracks" relates tables.
            return at + 1;
        }
        let subject = self.subject.clone().unwrap_or_default();
        let naming = self.schema.naming(&subject);
        if let (None, true, [only]) = (&column, text, naming.as_slice()) {
            return self.pattern(at, only, false).unwrap_or(at + 1);
        }
        let taken = column.as_ref().and_then(|column| self.pattern(at, column, false));
        match taken {
            Some(_) => after + 1,
            None => {
                self.sketch.open.push("which column contains it".to_owned());
                at + 1
            }
        }
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

impl Reader<'_> {
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
        if let Some((low, high)) = year_range(self.schema, &column, text) {
            match by {
                Comparison::Equal => self.filter(&column, Comparison::Like, Operand::Value(low)),
                Comparison::Greater => {
                    self.filter(&column, Comparison::Greater, Operand::Value(high))
                }
                _ => self.filter(&column, by, Operand::Value(Value::Text(text.to_owned()))),
            };
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
