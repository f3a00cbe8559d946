//! Rules for tables named as a whole: owners, what is counted, what rows must be related to.

use crate::domain::plan::{Comparison, Operand};

use super::cues::{Cue, Quality};
use super::literals::literal;
use super::reader::{Reader, Role, Zone};
use super::sketch::{Output, Size};

impl Reader<'_> {
    /// A table: the owner of the outputs, what is counted, or what rows must be related to.
    pub(super) fn table(&mut self, at: usize, table: &str) -> usize {
        if self.counting {
            return self.counted_table(at, table);
        }
        let count_of_it = self.item(at + 1).is_some_and(|i| i.is(Cue::Count) && i.text == "count");
        if count_of_it {
            self.put_out(Output::Rows(table.to_owned()));
            return at + 2;
        }
        let told = self.item(at + 1).is_some_and(|i| {
            i.is(Cue::Filler) && ["information", "info", "details"].contains(&i.text.as_str())
        });
        if told && self.zone == Zone::Outputs {
            self.speak_of(table);
            self.implied.push(Output::Everything(table.to_owned()));
            self.zone = Zone::Conditions;
            return at + 2;
        }
        if self.negated
            && self.zone == Zone::Conditions
            && self.sketch.about.as_deref() != Some(table)
        {
            self.negated = false;
            return self.missing_table(at, table);
        }
        if self.zone == Zone::Conditions {
            return self.table_of_conditions(at, table);
        }
        self.table_of_outputs(at, table)
    }

    /// A table among the conditions: what rows are related to, or one more output.
    fn table_of_conditions(&mut self, at: usize, table: &str) -> usize {
        let new = self.sketch.about.is_none();
        if !new && self.lists_on(at, table) {
            for column in self.schema.naming(table) {
                self.put_out(Output::Column(column));
            }
            self.speak_of(table);
            return at + 1;
        }
        if self.missing.is_none() || new || self.sketch.about.as_deref() == Some(table) {
            self.speak_of(table);
            if !new {
                self.relate(table);
            }
        } else {
            self.subject = Some(table.to_owned());
        }
        self.named_row(at, table)
    }

    /// A table among the outputs: their owner, or asked for as a whole.
    fn table_of_outputs(&mut self, at: usize, table: &str) -> usize {
        let before = self.before(at);
        let possessive = self.is_column(at + 1) && before != Some(Cue::Of);
        self.speak_of(table);
        if possessive {
            return at + 1;
        }
        let whole = matches!(
            before,
            Some(
                Cue::Lead
                    | Cue::Which
                    | Cue::Stop
                    | Cue::Who
                    | Cue::And
                    | Cue::Comma
                    | Cue::Extreme(..)
                    | Cue::Is
            )
        );
        if self.sketch.about.as_deref() != Some(table) {
            self.relate(table);
        }
        let listed = matches!(before, Some(Cue::And | Cue::Comma))
            && self.sketch.outputs.iter().any(|o| matches!(o, Output::Column(_)));
        if listed {
            for column in self.schema.naming(table) {
                self.put_out(Output::Column(column));
            }
        } else if whole {
            self.imply(table);
        }
        self.zone = Zone::Conditions;
        self.named_row(at, table)
    }

    /// "The names of members and the rooms": a further output, as nothing is said of the
    /// first table yet.
    fn lists_on(&self, at: usize, table: &str) -> bool {
        let quiet = self.sketch.filters.is_empty() && self.sketch.having.is_empty();
        let listed = matches!(self.before(at), Some(Cue::And | Cue::Comma));
        let plain = self.sketch.outputs.iter().any(|o| matches!(o, Output::Column(_)));
        let other = self.sketch.about.as_deref() != Some(table);
        listed
            && plain
            && quiet
            && other
            && self.sketch.order.is_empty()
            && self.sketch.groups.is_empty()
    }

    /// Puts out what a table's rows are known by, unless columns are asked for.
    pub(super) fn imply(&mut self, table: &str) {
        for column in self.schema.naming(table) {
            let output = Output::Column(column);
            if !self.implied.contains(&output) {
                self.implied.push(output);
            }
        }
        if std::mem::take(&mut self.distinct) {
            self.sketch.distinct = true;
        }
    }

    /// Rows must have a partner in a table.
    pub(super) fn relate(&mut self, table: &str) {
        let known = self.sketch.about.as_deref() == Some(table)
            || self.sketch.related.iter().any(|t| t == table);
        if !known {
            self.sketch.related.push(table.to_owned());
        }
    }

    /// "department 140": the row with that key.
    fn numbered_row(&mut self, at: usize, table: &str) -> Option<usize> {
        let text = self.number_at(at + 1)?;
        let key = self.schema.key(table);
        let [key] = key.as_slice() else { return None };
        let counts = self.table_at(at + 2).is_some()
            || self.is_column(at + 2)
            || matches!(self.cue_of(at + 2), Some(Cue::After(_)));
        let year = text.len() == 4 && self.schema.measuring(table, Quality::Time).is_some();
        let value = literal(self.schema, key, text).filter(|_| !counts && !year)?;
        let key = key.clone();
        self.filter(&key, Comparison::Equal, Operand::Value(value));
        Some(at + 2)
    }

    /// "document 'Plan'": the row of that name.
    fn named_row(&mut self, at: usize, table: &str) -> usize {
        if let Some(next) = self.numbered_row(at, table) {
            return next;
        }
        let next = self.skip(at + 1, |cue| cue == Cue::Is);
        let value = self.role(next) == Role::Value
            && self.item(next).is_some_and(|i| i.values.iter().any(|v| v.0.table == table));
        if value {
            return self.value(next);
        }
        at + 1
    }

    pub(super) fn counted_table(&mut self, at: usize, table: &str) -> usize {
        self.counting = false;
        if self.distinct && self.zone == Zone::Outputs {
            self.distinct = false;
        }
        if let Some(next) = self.having(at + 1, &Size::Rows(table.to_owned())) {
            self.relate(table);
            return next;
        }
        let counted_first = self.sketch.about.is_none();
        self.speak_of(table);
        if !counted_first {
            self.relate(table);
        }
        self.put_out(Output::Rows(table.to_owned()));
        self.zone = Zone::Conditions;
        at + 1
    }

    /// The table in the words of a column: "cartoons directed by".
    pub(super) fn alias_table(&self, at: usize) -> Option<String> {
        let item = self.item(at)?;
        let said = super::schema::words(&item.text);
        let table = &item.columns.first()?.0.table;
        let own = super::schema::words(table);
        (said.len() > own.len() && said.starts_with(&own)).then(|| table.clone())
    }
}
