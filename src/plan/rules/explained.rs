//! Holds a finished plan against the words: what asks for groups, amounts or events must be in it.

use crate::domain::plan::Term;
use crate::domain::{ColumnKind, ColumnRef, Plan};
use crate::search::tokens::stem;

use super::cues::Cue;
use super::items::{Item, Kind};
use super::reader::Reader;
use super::schema::{Schema, words};
use super::sketch::{Group, Sketch};

/// A verb after which "by" names who did it, not what is grouped by.
pub(super) fn is_participle(text: &str) -> bool {
    let text = text.to_lowercase();
    let last = text.rsplit(' ').next().unwrap_or("");
    ["ed", "en", "wn"].iter().any(|end| last.ends_with(end)) || is_irregular(last)
}

/// An irregular form in the past.
pub(super) fn is_irregular(word: &str) -> bool {
    const IRREGULAR: &[&str] = &[
        "made", "led", "won", "held", "built", "taught", "sold", "sent", "paid", "bought", "spent",
        "done", "kept", "lent",
    ];
    IRREGULAR.contains(&word)
}

/// Says which words a plan leaves out; none when all are explained.
pub(super) fn left_out(
    schema: &Schema<'_>,
    items: &[Item],
    sketch: &Sketch,
    plan: &Plan,
) -> Option<String> {
    let numbers = |term: &Term| matches!(term, Term::Column(at) if schema.is_number(at));
    let amount = !plan.measures.is_empty() || plan.dimensions.iter().any(numbers);
    let grouped = !plan.group_by.is_empty();
    let each = items.iter().any(|i| i.is(Cue::Each));
    if each && !grouped && (!plan.measures.is_empty() || plan.limit.is_some()) {
        return Some("each".to_owned());
    }
    if !grouped && foreign_groups(sketch, plan, &numbers) {
        return Some("for each".to_owned());
    }
    if asks_how_much(items) && !amount {
        return Some("how much".to_owned());
    }
    if !grouped && plan.order.is_empty() && plan.filters.is_empty() && grouping_by(items) {
        return Some("by".to_owned());
    }
    let verb = super::verbs::untied(schema, items, sketch, plan)?;
    items.get(verb).map(|i| i.text.clone())
}

/// "How many hours in each room" is a sum, not a list of hours.
fn foreign_groups(sketch: &Sketch, plan: &Plan, numbers: &dyn Fn(&Term) -> bool) -> bool {
    sketch.groups.iter().any(|group| {
        let table = match group {
            Group::Rows(table) => table,
            Group::Column(at) => &at.table,
        };
        let foreign = |term: &Term| matches!(term, Term::Column(at) if at.table != *table);
        plan.dimensions.iter().any(|term| numbers(term) && foreign(term))
    })
}

fn asks_how_much(items: &[Item]) -> bool {
    items.windows(2).any(|pair| {
        pair.first().is_some_and(|i| i.text.eq_ignore_ascii_case("how"))
            && pair.get(1).is_some_and(|i| i.text.eq_ignore_ascii_case("much"))
    })
}

fn grouping_by(items: &[Item]) -> bool {
    items.windows(3).any(|three| {
        let [said, by, noun] = three else { return false };
        by.is(Cue::By)
            && !is_participle(&said.text)
            && noun.kind == Kind::Mention
            && noun.table_score().max(noun.column_score()) > noun.value_score()
    })
}

impl Reader<'_> {
    /// "Not returned", "never rented": the event has no date, or no row in the table of its name.
    pub(super) fn never_happened(&mut self, at: usize) -> Option<usize> {
        let text = self.item(at)?.text.to_lowercase();
        if !self.negated || text.contains(' ') || !is_participle(&text) {
            return None;
        }
        let about = self.sketch.about.clone()?;
        let verb = stem(&text);
        if let Some(column) = self.moment_of(&about, &verb) {
            self.negated = false;
            self.require_null(&column, true);
            return Some(at + 1);
        }
        let mut tables = self.schema.catalog.tables.iter().filter(|t| {
            let name = words(&t.name);
            let [only] = name.as_slice() else { return false };
            t.name != about && verb.len() >= 4 && only.starts_with(&verb)
        });
        let (Some(table), None) = (tables.next(), tables.next()) else { return None };
        self.negated = false;
        Some(self.missing_table(at, &table.name))
    }

    /// "Were returned": the event has a date.
    pub(super) fn happened(&mut self, at: usize) -> Option<usize> {
        let text = self.item(at)?.text.to_lowercase();
        if self.negated || text.contains(' ') || !is_participle(&text) {
            return None;
        }
        if !super::verbs::is_passive(self.items, at) || !super::verbs::ends(self.items, at) {
            return None;
        }
        let about = self.sketch.about.clone()?;
        let column = self.moment_of(&about, &stem(&text))?;
        self.require_null(&column, false);
        Some(at + 1)
    }

    /// The column that says when something happened to a row, empty until then.
    fn moment_of(&self, table: &str, verb: &str) -> Option<ColumnRef> {
        let table = self.schema.table(table)?;
        let column = table.columns.iter().find(|c| {
            let name = words(&c.name);
            let moment =
                name.last().is_some_and(|w| ["date", "at", "on", "time"].contains(&w.as_str()));
            let dated = moment || c.kind == ColumnKind::Date;
            dated && !c.not_null && name.first().is_some_and(|first| first == verb)
        })?;
        Some(ColumnRef::new(&table.name, &column.name))
    }
}
