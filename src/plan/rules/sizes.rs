//! Rules for comparisons without a column before them: "older than 30", "more than 2 pets".

use crate::domain::Value;
use crate::domain::plan::{Comparison, Operand};

use super::conditions::aggregate_of;
use super::cues::{Cue, Quality};
use super::items::Kind;
use super::literals::literal;
use super::reader::{Reader, Zone};
use super::sketch::{Filter, Output, Size};

impl Reader<'_> {
    /// "more than 2 courses", "older than 30", "above the average", "after 1950".
    pub(super) fn compare(&mut self, at: usize, by: Comparison, quality: Quality) -> usize {
        let mut next = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::Is));
        let only = self.item(at).is_some_and(|i| i.text.eq_ignore_ascii_case("only"));
        if only && self.number_at(next).is_none() {
            return at + 1;
        }
        self.zone = Zone::Conditions;
        if let Some(text) = self.number_at(next) {
            return self.compare_number(next, by, quality, text);
        }
        if let (Quality::Time, Some(item)) = (quality, self.item(next))
            && item.kind == Kind::Quoted
            && let Some(column) = self.measured(quality)
        {
            self.filter(&column, by, Operand::Value(Value::Text(item.text.clone())));
            return next + 1;
        }
        if let Some(Cue::Aggregate(function)) = self.cue_of(next) {
            next = self.skip(next + 1, |cue| matches!(cue, Cue::Of | Cue::For));
            let named = if self.is_column(next) { self.resolve(next, true).ok() } else { None };
            let column = match named.and_then(|c| c.into_iter().next()) {
                Some(column) => {
                    next += 1;
                    Some(column)
                }
                None => self.measured(quality),
            };
            if let Some(column) = column {
                self.filter(&column, by, aggregate_of(function, &column));
                return next;
            }
        }
        // "a greater weight than 10", "after the year 2008"
        if self.is_column(next)
            && let Ok([column]) = self.resolve(next, true).as_deref()
        {
            let after = self.skip(next + 1, |_| false);
            if let Some(value) = self.number_at(after).and_then(|n| literal(self.schema, column, n))
            {
                let column = column.clone();
                self.filter(&column, by, Operand::Value(value));
                return after + 1;
            }
        }
        self.sketch.open.push("a comparison".to_owned());
        at + 1
    }

    fn measured(&self, quality: Quality) -> Option<crate::domain::ColumnRef> {
        let tables = self.subject.iter().chain(self.sketch.about.iter());
        let mut found = tables.filter_map(|t| self.schema.measuring(t, quality));
        found.next().filter(|(_, turned)| !turned).map(|(at, _)| at)
    }

    fn compare_number(&mut self, at: usize, by: Comparison, quality: Quality, text: &str) -> usize {
        let noun = self.skip(at + 1, |cue| matches!(cue, Cue::Distinct));
        if quality == Quality::Any {
            return self.compare_number_of(noun, by, text);
        }
        if quality == Quality::Time
            && let Some(next) = self.year(at, text, by)
        {
            return next;
        }
        if let Some(column) = self.measured(quality)
            && let Some(value) = literal(self.schema, &column, text)
        {
            self.filter(&column, by, Operand::Value(value));
            return at + 1;
        }
        self.sketch.open.push(format!("a comparison with {text}"));
        at + 1
    }

    /// A number and its noun: rows to count, or a column to compare.
    pub(super) fn compare_number_of(&mut self, noun: usize, by: Comparison, text: &str) -> usize {
        if let Some(table) = self.times(noun) {
            return self.having_rows(noun + 1, &table, by, text);
        }
        if let Some(table) = self.table_at(noun) {
            return self.having_rows(noun + 1, &table, by, text);
        }
        if self.is_column(noun)
            && let Ok([column]) = self.resolve(noun, true).as_deref()
        {
            let column = column.clone();
            if self.schema.is_number(&column) {
                if let Some(value) = literal(self.schema, &column, text) {
                    self.filter(&column, by, Operand::Value(value));
                    return noun + 1;
                }
            } else if self.sketch.about.as_ref() != Some(&column.table) {
                return self.having_rows(noun + 1, &column.table, by, text);
            }
        }
        let last = self.sketch.filters.last().and_then(|filter| match filter {
            Filter::Is(at, crate::domain::plan::Condition::Compare { .. }) => Some(at.clone()),
            Filter::Is(..) | Filter::Missing { .. } => None,
        });
        // "Above age 40 … below 30": the same column again.
        if let Some(column) = last.filter(|at| self.schema.is_number(at))
            && let Some(value) = literal(self.schema, &column, text)
        {
            self.filter(&column, by, Operand::Value(value));
            return noun;
        }
        self.sketch.open.push(format!("a comparison with {text}"));
        noun
    }

    fn having_rows(&mut self, next: usize, table: &str, by: Comparison, number: &str) -> usize {
        if number.parse::<f64>().is_err() {
            self.sketch.open.push(number.to_owned());
        }
        if self.sketch.about.as_deref() != Some(table) {
            self.relate(table);
        }
        self.subject = Some(table.to_owned());
        let counted = self.sketch.outputs.iter().any(|o| matches!(o, Output::Rows(_)));
        if by == Comparison::GreaterEqual && number == "1" && counted {
            return next;
        }
        self.sketch.having.push((Size::Rows(table.to_owned()), by, number.to_owned()));
        next
    }

    /// A comparison of a group's size that follows it: "average age above 30".
    pub(super) fn having(&mut self, from: usize, size: &Size) -> Option<usize> {
        let at = self.skip(from, |cue| matches!(cue, Cue::Is | Cue::Of));
        let Some(Cue::Compare(by, _)) = self.cue_of(at) else { return None };
        let at = self.skip(at + 1, |cue| cue == Cue::Of);
        let number = self.number_at(at)?.to_owned();
        self.sketch.having.push((size.clone(), by, number));
        self.zone = Zone::Conditions;
        Some(at + 1)
    }

    /// "between 5 and 10" without a column before it.
    pub(super) fn between(&mut self, at: usize) -> usize {
        let low = self.skip(at + 1, |_| false);
        if let Some(text) = self.number_at(low)
            && text.len() == 4
        {
            let tables: Vec<String> =
                self.subject.iter().chain(self.sketch.about.iter()).cloned().collect();
            let column = tables.iter().find_map(|t| self.schema.measuring(t, Quality::Time));
            let high = self.skip(low + 1, |cue| cue == Cue::And);
            if let (Some((column, _)), Some(end)) = (column, self.number_at(high)) {
                let ends =
                    literal(self.schema, &column, text).zip(literal(self.schema, &column, end));
                if let Some((low, end)) = ends {
                    self.filter(&column, Comparison::Between, Operand::Range(low, end));
                    self.zone = Zone::Conditions;
                    return high + 1;
                }
            }
        }
        self.sketch.open.push("between what".to_owned());
        at + 1
    }

    /// "without pets", "has no email", "no students".
    pub(super) fn none_of(&mut self, at: usize) -> usize {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::Distinct));
        self.zone = Zone::Conditions;
        if let Some(table) = self.table_at(next) {
            return self.missing_table(next, &table);
        }
        self.negated = true;
        next
    }

    /// Rows that have no partner in a table.
    pub(super) fn missing_table(&mut self, at: usize, table: &str) -> usize {
        let Some(of) = self.sketch.about.clone().or_else(|| self.output_table()) else {
            self.sketch.open.push("no".to_owned());
            return at + 1;
        };
        self.subject = Some(table.to_owned());
        self.missing = Some(self.sketch.filters.len());
        let table = table.to_owned();
        self.sketch.filters.push(Filter::Missing { of, table, with: Vec::new() });
        at + 1
    }

    /// The table of the first output.
    pub(super) fn output_table(&self) -> Option<String> {
        self.sketch.outputs.first().map(|output| match output {
            Output::Column(at) | Output::Aggregate(_, at) | Output::Different(at) => {
                at.table.clone()
            }
            Output::Everything(table) | Output::Rows(table) => table.clone(),
            Output::Metric(metric) => metric.tables.first().cloned().unwrap_or_default(),
        })
    }
}
