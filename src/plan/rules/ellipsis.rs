//! Rules for words left out: "first and last names", "more passengers than", "used 3 times".

use crate::domain::ColumnRef;
use crate::domain::plan::Comparison;
use crate::search::tokens::stem;

use super::cues::Cue;
use super::items::Kind;
use super::reader::{Reader, Zone};
use super::schema::words;
use super::sketch::Output;

impl Reader<'_> {
    /// "First and last names": the noun comes once, at the end.
    pub(super) fn shared_noun(&mut self, at: usize) -> Option<usize> {
        let adjective = stem(&self.item(at)?.text.to_lowercase());
        let listed = matches!(self.cue_of(at + 1), Some(Cue::And | Cue::Comma));
        if self.zone != Zone::Outputs || !listed {
            return None;
        }
        let noun = (at + 2..at + 7).find(|n| self.is_column(*n))?;
        let head = words(&self.item(noun)?.text).last()?.clone();
        let sibling = self.resolve(noun, false).ok()?.into_iter().next()?;
        let table = self.schema.table(&sibling.table)?;
        let wanted = [adjective, head];
        let column = table.columns.iter().find(|c| {
            let at = ColumnRef::new(&table.name, &c.name);
            let own = self.schema.own_words(&at);
            own == wanted || own.ends_with(&wanted)
        })?;
        self.put_out(Output::Column(ColumnRef::new(&table.name, &column.name)));
        Some(at + 1)
    }

    /// "More passengers than 1000", "a greater weight than the average".
    pub(super) fn comparative(&mut self, at: usize) -> Option<usize> {
        let by = match self.item(at)?.text.to_lowercase().as_str() {
            "more" | "greater" | "larger" | "higher" | "bigger" => Comparison::Greater,
            "less" | "fewer" | "smaller" | "lower" => Comparison::Less,
            _ => return None,
        };
        let than = self.item(at + 2).is_some_and(|i| i.text == "than");
        if !(self.is_column(at + 1) && than) {
            return None;
        }
        let column = self.resolve(at + 1, true).ok()?.into_iter().next()?;
        self.zone = Zone::Conditions;
        self.compared_with(at + 3, &column, by, false)
    }

    /// What "times" counts: the rows related last, or those of the output's own table.
    pub(super) fn times(&self, at: usize) -> Option<String> {
        let item = self.item(at)?;
        let said = ["times", "time"].contains(&item.text.to_lowercase().as_str());
        if !said || matches!(item.kind, Kind::Number(_)) {
            return None;
        }
        if let Some(related) = self.sketch.related.last() {
            return Some(related.clone());
        }
        let columns: Vec<&ColumnRef> = self
            .sketch
            .outputs
            .iter()
            .filter_map(|o| match o {
                Output::Column(at) => Some(at),
                Output::Everything(_)
                | Output::Aggregate(..)
                | Output::Rows(_)
                | Output::Different(_)
                | Output::Metric(_) => None,
            })
            .collect();
        match columns.as_slice() {
            [one]
                if !self.schema.is_unique(one) && !self.schema.naming(&one.table).contains(one) =>
            {
                Some(one.table.clone())
            }
            _ => None,
        }
    }
}
