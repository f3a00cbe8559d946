//! Rules for what is put out: columns, tables named as a whole, counts, aggregates.

use crate::domain::plan::{Aggregate, Comparison, Condition, Operand, Term};
use crate::domain::{ColumnRef, Value};

use super::cues::Cue;
use super::reader::{Reader, Role, Zone};
use super::sketch::{Filter, Output, Size};

impl Reader<'_> {
    /// A column: a condition when a comparison follows, else an output.
    pub(super) fn column(&mut self, at: usize) -> usize {
        let conditions = self.zone == Zone::Conditions && !self.continues_outputs(at);
        if self.names_a_column(at) {
            return at + 1;
        }
        if let Some(table) = self.alias_table(at) {
            if self.negated && conditions && self.sketch.about.as_ref() != Some(&table) {
                self.negated = false;
                self.missing_table(at, &table);
            } else if conditions {
                self.subject = Some(table);
            } else {
                self.speak_of(&table);
            }
        }
        let by_value = self.resolve_by_value(at).map(|column| vec![column]);
        let columns = match by_value.map_or_else(|| self.resolve(at, conditions), Ok) {
            Ok(columns) => columns,
            Err(_) if self.is_verb(at) => return self.pass_verb(at),
            Err(problem) => {
                self.sketch.open.push(problem);
                return at + 1;
            }
        };
        if self.counting {
            return self.counted_column(at, &columns);
        }
        let named = matches!(self.before(at), Some(Cue::Their | Cue::Is));
        let filtered = |c: &ColumnRef| {
            self.sketch.filters.iter().any(|f| matches!(f, Filter::Is(at, _) if at == c))
        };
        if named && columns.iter().all(filtered) {
            return at + 1;
        }
        let before = self.sketch.outputs.len();
        if let Some(column) = columns.first().filter(|_| columns.len() == 1)
            && let Some(next) = self.condition(at + 1, column)
        {
            if before == 0
                && self.zone == Zone::Outputs
                && let Some(table) = self.alias_table(at)
            {
                self.imply(&table);
            }
            self.zone = Zone::Conditions;
            return next;
        }
        if self.is_verb(at) {
            return self.pass_verb(at);
        }
        let adjective = self.is_column(at + 1) || self.table_at(at + 1).is_some();
        if adjective && let Some(next) = columns.first().and_then(|column| self.flag(at, column)) {
            return next;
        }
        let described = columns.first().is_some_and(|column| self.describes_rows(at, column));
        if self.belongs_to_a_measure(at) || described {
            return self.unexplained(at);
        }
        if self.zone == Zone::Outputs || self.continues_outputs(at) {
            for column in columns {
                self.put_out(Output::Column(column));
            }
            return at + 1;
        }
        self.column_in_conditions(at, &columns)
    }

    /// "Active customers": which of its numbers makes a row one can't be read from the question.
    fn describes_rows(&self, at: usize, column: &ColumnRef) -> bool {
        let owner = self.table_at(at + 1).is_some_and(|table| table == column.table);
        owner && (self.schema.is_number(column) || self.schema.yes_and_no(column).is_some())
    }

    /// Leaves a word open.
    fn unexplained(&mut self, at: usize) -> usize {
        let text = self.item(at).map(|i| i.text.clone()).unwrap_or_default();
        self.sketch.open.push(text);
        at + 1
    }

    /// A noun after a measure is no group: "the amount paid".
    fn belongs_to_a_measure(&self, at: usize) -> bool {
        let measured = self.sketch.outputs.iter().any(|o| !matches!(o, Output::Column(_)));
        let joined = matches!(
            self.before(at),
            Some(Cue::And | Cue::Comma | Cue::Their | Cue::Lead | Cue::Which | Cue::Stop)
        );
        measured && self.zone == Zone::Outputs && !joined
    }

    /// "The names of the studios", where a studio is a column: the word "names" adds nothing.
    fn names_a_column(&self, at: usize) -> bool {
        let name = self.item(at).is_some_and(|i| super::owners::is_name(&i.text));
        if name && at > 0 && self.is_column(at - 1) && !self.sketch.outputs.is_empty() {
            return true;
        }
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Of | Cue::Distinct));
        let of = (at + 1..next).any(|n| self.cue_of(n) == Some(Cue::Of));
        name && of && self.is_column(next) && self.alias_table(next).is_none()
    }

    /// "Hourly rate" cut in two: the second word belongs to the column sorted by just before.
    pub(super) fn goes_on_naming(&self, at: usize) -> bool {
        let Some((Size::Column(column), _)) = self.sketch.order.last() else { return false };
        let own = super::schema::words(&column.column);
        let part = |n: usize| {
            self.item(n)
                .is_some_and(|i| super::schema::words(&i.text).iter().all(|w| own.contains(w)))
        };
        at > 0 && self.is_column(at - 1) && part(at - 1) && part(at)
    }

    /// A verb that only looks like a column: "shared by" beside a column `share`.
    fn is_verb(&self, at: usize) -> bool {
        self.item(at).is_some_and(|item| {
            let text = item.text.to_lowercase();
            if super::explained::is_irregular(&text) && item.column_score() < 0.95 {
                return true;
            }
            let verb = !text.contains(' ') && (text.ends_with("ed") || text.ends_with("ing"));
            let same =
                |column: &ColumnRef| crate::search::names::cut(&column.column).contains(&text);
            verb && !item.columns.iter().any(|(column, _)| same(column))
        })
    }

    fn pass_verb(&mut self, at: usize) -> usize {
        self.sketch.verbs.push(at);
        at + 1
    }

    /// "Official languages": rows whose column `is_official` says yes.
    fn flag(&mut self, at: usize, column: &ColumnRef) -> Option<usize> {
        let name = super::schema::words(&column.column);
        let flag = name.first().is_some_and(|w| w == "is" || w == "has")
            || name.last().is_some_and(|w| w == "flag");
        let (yes, no) = self.schema.yes_and_no(column).filter(|_| flag)?;
        if self.negated && self.is_child(&column.table) && self.sketch.either.is_empty() {
            return self.missing_flag(at, column, yes);
        }
        let value = if std::mem::take(&mut self.negated) { no } else { yes };
        self.filter(column, Comparison::Equal, Operand::Value(value));
        Some(at + 1)
    }

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
        if let Some(next) = self.flag(at, column) {
            return next;
        }
        if self.negated && self.is_child(&column.table) && !self.schema.is_number(column) {
            self.negated = false;
            return self.missing_table(at, &column.table.clone());
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
        let noun = self.is_column(at + 1) || self.table_at(at + 1).is_some();
        if let Some(next) = columns.first().filter(|_| noun).and_then(|c| self.flag(at, c)) {
            return next;
        }
        self.counting = false;
        let Some(column) = columns.first() else { return at + 1 };
        if self.describes_rows(at, column) {
            return self.unexplained(at);
        }
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

    /// "Where English isn't the official language": no row has both.
    fn missing_flag(&mut self, at: usize, column: &ColumnRef, yes: Value) -> Option<usize> {
        let of = self.sketch.about.clone()?;
        self.negated = false;
        let mut with = Vec::new();
        self.sketch.filters.retain(|filter| match filter {
            Filter::Is(at, condition) if at.table == column.table => {
                with.push((at.clone(), condition.clone()));
                false
            }
            Filter::Is(..) | Filter::Missing { .. } => true,
        });
        let left = Term::Column(column.clone());
        let right = Operand::Value(yes);
        with.push((column.clone(), Condition::Compare { left, by: Comparison::Equal, right }));
        self.sketch.filters.push(Filter::Missing { of, table: column.table.clone(), with });
        Some(at + 1)
    }

    /// "The number of passengers", where a column of numbers says it.
    fn means_number(&self, at: usize) -> bool {
        let found = self.resolve(at, self.zone == Zone::Conditions);
        matches!(found.as_deref(), Ok([column]) if self.schema.is_number(column))
    }

    /// "How many", "the number of".
    pub(super) fn count(&mut self, at: usize) -> usize {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Distinct | Cue::Of | Cue::Lead));
        if (at + 1..next).any(|n| self.cue_of(n) == Some(Cue::Distinct)) {
            self.distinct = true;
        }
        let alone = self.table_at(next + 1).is_none();
        if !self.distinct && alone && self.is_column(next) && self.means_number(next) {
            let total = self.item(at).is_some_and(|i| i.text.to_lowercase().starts_with("total"));
            return if total { self.aggregate(next - 1, Aggregate::Sum) } else { next };
        }
        let counted = self.sketch.outputs.iter().any(|o| matches!(o, Output::Rows(_)));
        let ends = matches!(self.cue_of(next), Some(Cue::Stop | Cue::And | Cue::Comma) | None)
            && self.item(next).is_none_or(|i| matches!(i.kind, super::items::Kind::Cue(_)));
        if counted && ends {
            return next;
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
            let noun = self.skip(next + 1, |cue| matches!(cue, Cue::Of));
            if !(self.is_column(noun) && self.means_number(noun)) {
                if functions != [Aggregate::Sum] {
                    self.sketch.open.push("an aggregate of a count".to_owned());
                }
                return next;
            }
            next = noun;
        }
        if let (true, Some(table)) = (functions == [Aggregate::Sum], self.table_at(next)) {
            if self.cue_of(at + 1) == Some(Cue::Of)
                && let Some(total) = super::sums::total_of(self.schema, &table)
            {
                self.speak_of(&table);
                return self.aggregates_of(next, &functions, &total);
            }
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
        let mut at = at;
        while self.is_column(at + 1)
            && self.resolve(at + 1, false).is_ok_and(|found| found == [column.clone()])
        {
            at += 1;
        }
        for function in functions {
            self.put_out(Output::Aggregate(*function, column.clone()));
        }
        at + 1
    }
}
