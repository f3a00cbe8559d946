//! Rules for what is put out: columns, tables named as a whole, counts, aggregates.

use crate::domain::ColumnRef;
use crate::domain::plan::Aggregate;

use super::cues::Cue;
use super::reader::{Reader, Role, Zone};
use super::sketch::{Output, Size};

impl Reader<'_> {
    /// A column: a condition when a comparison follows, else an output.
    pub(super) fn column(&mut self, at: usize) -> usize {
        let conditions = self.zone == Zone::Conditions;
        let columns = match self.resolve(at, conditions) {
            Ok(columns) => columns,
            Err(problem) => {
                self.sketch.open.push(problem);
                return at + 1;
            }
        };
        if self.counting {
            return self.counted_column(at, &columns);
        }
        if let Some(column) = columns.first().filter(|_| columns.len() == 1)
            && let Some(next) = self.condition(at + 1, column)
        {
            self.zone = Zone::Conditions;
            return next;
        }
        if self.zone == Zone::Outputs || self.continues_outputs(at) {
            for column in columns {
                if self.sketch.about.is_none() && self.subject.is_none() {
                    self.hint_subject(&column);
                }
                self.put_out(Output::Column(column));
            }
            return at + 1;
        }
        self.column_in_conditions(at, &columns)
    }

    fn hint_subject(&mut self, _column: &ColumnRef) {}

    /// "… and their ages": back among the outputs.
    fn continues_outputs(&self, at: usize) -> bool {
        let before = self.before(at);
        let follows =
            matches!(before, Some(Cue::And | Cue::Comma | Cue::Their | Cue::Lead | Cue::Which));
        let outputs = self.sketch.outputs.iter().any(|o| matches!(o, Output::Column(_)));
        follows
            && (outputs || before == Some(Cue::Their))
            && self.missing.is_none()
            && !self.negated
    }

    fn column_in_conditions(&mut self, at: usize, columns: &[ColumnRef]) -> usize {
        let Some(column) = columns.first() else { return at + 1 };
        if std::mem::take(&mut self.negated) {
            self.require_null(column, false);
            return at + 1;
        }
        // A column named where nothing is said of it: the table it is in plays a part at most.
        let relates = !self.schema.is_number(column)
            && self.sketch.about.as_ref().is_some_and(|about| *about != column.table);
        if relates {
            self.relate(&column.table.clone());
        } else {
            let text = self.item(at).map(|i| i.text.clone()).unwrap_or_default();
            self.sketch.open.push(text);
        }
        at + 1
    }

    fn counted_column(&mut self, at: usize, columns: &[ColumnRef]) -> usize {
        self.counting = false;
        let Some(column) = columns.first() else { return at + 1 };
        let distinct = std::mem::take(&mut self.distinct);
        let output = if self.schema.is_unique(column) && !distinct {
            Output::Rows(column.table.clone())
        } else {
            Output::Different(column.clone())
        };
        self.speak_of(&column.table.clone());
        self.zone = Zone::Conditions;
        self.put_out(output);
        at + 1
    }

    /// A table: the owner of the outputs, what is counted, or what rows must be related to.
    pub(super) fn table(&mut self, at: usize, table: &str) -> usize {
        if self.counting {
            return self.counted_table(at, table);
        }
        if self.negated
            && self.zone == Zone::Conditions
            && self.sketch.about.as_deref() != Some(table)
        {
            self.negated = false;
            return self.missing_table(at, table);
        }
        if self.zone == Zone::Conditions {
            let new = self.sketch.about.is_none();
            self.speak_of(table);
            if !new {
                self.relate(table);
            }
            return self.named_row(at, table);
        }
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
        if whole {
            self.imply(table);
        }
        self.zone = Zone::Conditions;
        self.named_row(at, table)
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

    /// "document 'Plan'": the row of that name.
    fn named_row(&mut self, at: usize, table: &str) -> usize {
        let next = self.skip(at + 1, |cue| cue == Cue::Is);
        let value = self.role(next) == Role::Value
            && self.item(next).is_some_and(|i| i.values.iter().any(|v| v.0.table == table));
        if value && next > at + 1 || value && self.item(at + 1).is_some() {
            return self.value(next);
        }
        at + 1
    }

    fn counted_table(&mut self, at: usize, table: &str) -> usize {
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

    /// "How many", "the number of".
    pub(super) fn count(&mut self, at: usize) -> usize {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Distinct | Cue::Of | Cue::Lead));
        if (at + 1..next).any(|n| self.cue_of(n) == Some(Cue::Distinct)) {
            self.distinct = true;
        }
        self.counting = true;
        if self.table_at(next).is_some() || self.is_column(next) || self.role(next) == Role::Value {
            next
        } else {
            at + 1
        }
    }

    /// "The average, minimum and maximum age".
    pub(super) fn aggregate(&mut self, at: usize, function: Aggregate) -> usize {
        let mut functions = vec![function];
        let mut next = at + 1;
        loop {
            next = self.skip(next, |cue| matches!(cue, Cue::Of | Cue::And | Cue::Comma));
            match self.cue_of(next) {
                Some(Cue::Aggregate(more)) => {
                    functions.push(more);
                    next += 1;
                }
                Some(Cue::Most(true) | Cue::Extreme(true, super::cues::Quality::Any)) => {
                    functions.push(Aggregate::Max);
                    next += 1;
                }
                Some(Cue::Extreme(false, super::cues::Quality::Any)) => {
                    functions.push(Aggregate::Min);
                    next += 1;
                }
                _ => break,
            }
        }
        if let Some(Cue::Count) = self.cue_of(next) {
            return next;
        }
        if let (true, Some(table)) = (functions == [Aggregate::Sum], self.table_at(next)) {
            return self.counted_table(next, &table);
        }
        if !self.is_column(next) {
            self.sketch.open.push("the average or total of what".to_owned());
            return at + 1;
        }
        match self.resolve(next, self.zone == Zone::Conditions).as_deref() {
            Ok([column]) => self.aggregates_of(next, &functions, &column.clone()),
            Ok(_) => {
                self.sketch.open.push("the aggregate of several columns".to_owned());
                next + 1
            }
            Err(problem) => {
                self.sketch.open.push(problem.clone());
                next + 1
            }
        }
    }

    fn aggregates_of(&mut self, at: usize, functions: &[Aggregate], column: &ColumnRef) -> usize {
        if let Some(function) = functions.iter().find(|f| !self.fits(**f, column)) {
            self.sketch.open.push(format!("the {} of {column}", function.sql().to_lowercase()));
            return at + 1;
        }
        if let [function] = functions
            && let Some(next) = self.having(at + 1, &Size::Aggregate(*function, column.clone()))
        {
            return next;
        }
        self.distinct = false;
        for function in functions {
            self.put_out(Output::Aggregate(*function, column.clone()));
        }
        at + 1
    }
}
