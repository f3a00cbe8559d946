//! Decides which column a word means: the one of the table that owns it in the sentence.

use crate::domain::ColumnRef;

use super::cues::Cue;
use super::items::Kind;
use super::reader::{Reader, Role};
use super::schema::words;

/// Items at most between a word and its owner.
const REACH: usize = 16;

impl Reader<'_> {
    /// The table that follows after "of", "for" or "in": "the names and ages of all members".
    fn owner_right(&self, at: usize) -> Option<String> {
        let mut bound = false;
        let mut counted = false;
        for here in at + 1..(at + REACH).min(self.items.len()) {
            match &self.items.get(here)?.kind {
                Kind::Cue(Cue::Of | Cue::For | Cue::In) => bound = true,
                Kind::Cue(
                    Cue::And
                    | Cue::Comma
                    | Cue::Filler
                    | Cue::Distinct
                    | Cue::Each
                    | Cue::Their
                    | Cue::Extreme(..)
                    | Cue::Aggregate(_)
                    | Cue::Top(_)
                    | Cue::Is,
                )
                | Kind::Number(_) => {}
                Kind::Cue(Cue::Count) => {
                    counted = true;
                    bound = false;
                }
                Kind::Mention | Kind::Quoted => match self.role(here) {
                    Role::Table(_) if counted => counted = false,
                    Role::Table(table) if bound => return Some(table),
                    Role::Column if !(bound && self.cue_of(here - 1) == Some(Cue::Each)) => {}
                    Role::Value => {}
                    Role::Table(_) | Role::Column | Role::Open => return None,
                },
                Kind::Cue(_) | Kind::Unknown => return None,
            }
        }
        None
    }

    fn any_right(&self, at: usize) -> Option<String> {
        (at + 1..self.items.len()).find_map(|here| self.table_at(here))
    }

    /// Tables that may own a word here, the likeliest first.
    fn owners(&self, at: usize, in_conditions: bool) -> Vec<String> {
        let right = self.owner_right(at);
        let subject = self.subject.clone();
        let about = self.sketch.about.clone();
        let ordered = if in_conditions {
            [subject, about, right, self.any_right(at)]
        } else {
            [right, subject, about, self.any_right(at)]
        };
        let mut owners: Vec<String> = Vec::new();
        let valued = (0..self.items.len())
            .filter(|n| self.role(*n) == Role::Value)
            .filter_map(|n| self.item(n)?.values.first().map(|v| v.0.table.clone()));
        for owner in ordered.into_iter().flatten().chain(valued) {
            if !owners.contains(&owner) {
                owners.push(owner);
            }
        }
        owners
    }

    /// Finds the column, or columns (first and last name), that a mention means.
    pub(super) fn resolve(&self, at: usize, in_conditions: bool) -> Result<Vec<ColumnRef>, String> {
        let Some(item) = self.item(at) else { return Err(String::new()) };
        let owners = self.owners(at, in_conditions);
        let long = item.text.contains(' ');
        if long && item.column_score() >= 0.95 && self.best_everywhere(at).len() == 1 {
            return Ok(self.best_everywhere(at));
        }
        for owner in &owners {
            if let Some(found) = self.best_of(at, owner) {
                return found;
            }
        }
        for owner in &owners {
            if let Some(found) = self.best_of_neighbours(at, owner) {
                return found;
            }
        }
        match self.best_everywhere(at).as_slice() {
            [one] => Ok(vec![one.clone()]),
            _ => Err(format!("\"{}\" may be several columns", item.text)),
        }
    }

    /// The column that a word means because the value after it is stored there: "state Ohio".
    pub(super) fn resolve_by_value(&self, at: usize) -> Option<ColumnRef> {
        let next = self.skip(at + 1, |cue| matches!(cue, Cue::Is | Cue::Of));
        if self.role(next) != Role::Value {
            return None;
        }
        let (said, value) = (self.item(at)?, self.item(next)?);
        let good = value.value_score() - 0.1;
        let mut holders = said.columns.iter().filter(|(column, _)| {
            value
                .values
                .iter()
                .any(|(at, _, score, _)| super::schema::same(at, column) && *score >= good)
        });
        let first = holders.next()?;
        let owners = self.owners(at, true);
        let all: Vec<&ColumnRef> = std::iter::once(&first.0).chain(holders.map(|h| &h.0)).collect();
        let owned = owners.iter().find_map(|owner| all.iter().find(|c| c.table == *owner));
        owned.map(|c| (*c).clone()).or_else(|| (all.len() == 1).then(|| first.0.clone()))
    }

    fn best_everywhere(&self, at: usize) -> Vec<ColumnRef> {
        let Some(item) = self.item(at) else { return Vec::new() };
        let best = item.column_score();
        item.columns.iter().filter(|(_, s)| *s >= best - 0.02).map(|(c, _)| c.clone()).collect()
    }

    /// The best column of one table; an error when several are equally good.
    fn best_of(&self, at: usize, table: &str) -> Option<Result<Vec<ColumnRef>, String>> {
        let item = self.item(at)?;
        let mine: Vec<&(ColumnRef, f32)> =
            item.columns.iter().filter(|(c, s)| c.table == table && *s >= 0.45).collect();
        let naming = is_name(&item.text);
        let best = mine.first().map_or(0.0, |(_, s)| *s);
        if naming && best < 0.9 {
            let columns = self.schema.naming(table);
            if !columns.is_empty() {
                return Some(Ok(columns));
            }
        }
        let top: Vec<&ColumnRef> =
            mine.iter().filter(|(_, s)| *s >= best - 0.02).map(|(c, _)| c).collect();
        match top.as_slice() {
            [] => None,
            [one] => Some(Ok(vec![(*one).clone()])),
            several => {
                let plain: Vec<&&ColumnRef> =
                    several.iter().filter(|c| !self.schema.is_key(c)).collect();
                match plain.as_slice() {
                    [one] => Some(Ok(vec![(**one).clone()])),
                    _ => Some(Err(format!("\"{}\" may be several columns of {table}", item.text))),
                }
            }
        }
    }

    fn best_of_neighbours(&self, at: usize, owner: &str) -> Option<Result<Vec<ColumnRef>, String>> {
        let item = self.item(at)?;
        let near = |table: &str| !self.schema.keys_between(owner, table).is_empty();
        let mine: Vec<&(ColumnRef, f32)> =
            item.columns.iter().filter(|(c, s)| near(&c.table) && *s >= 0.55).collect();
        let best = mine.first().map_or(0.0, |(_, s)| *s);
        let top: Vec<&ColumnRef> =
            mine.iter().filter(|(_, s)| *s >= best - 0.02).map(|(c, _)| c).collect();
        match top.as_slice() {
            [one] => Some(Ok(vec![(*one).clone()])),
            _ => None,
        }
    }

    /// Finds the column that holds a value here.
    pub(super) fn resolve_value(
        &self,
        at: usize,
        column: Option<&ColumnRef>,
    ) -> Option<(ColumnRef, String)> {
        let item = self.item(at)?;
        let bound = if column.is_some() { 0.0 } else { item.value_score() - 0.1 };
        let pick = |wanted: &dyn Fn(&ColumnRef) -> bool| {
            let mine: Vec<_> =
                item.values.iter().filter(|(c, _, s, _)| wanted(c) && *s >= bound).collect();
            let best = mine.first().map(|v| v.2)?;
            let top: Vec<_> = mine.iter().filter(|v| v.2 >= best - 0.02).collect();
            let named = top.iter().find(|v| self.schema.naming(&v.0.table).contains(&v.0));
            let chosen = if top.len() == 1 { top.first() } else { named.or(top.first()) };
            chosen.map(|v| (v.0.clone(), v.1.clone()))
        };
        if let Some(column) = column {
            return pick(&|c| super::schema::same(c, column));
        }
        for owner in self.value_owners(at) {
            if let Some(found) = pick(&|c| c.table == owner) {
                return Some(found);
            }
        }
        let near = self.value_owners(at);
        let neighbour = |c: &ColumnRef| {
            near.iter().any(|owner| !self.schema.keys_between(owner, &c.table).is_empty())
        };
        pick(&neighbour).or_else(|| pick(&|_| true))
    }

    fn value_owners(&self, at: usize) -> Vec<String> {
        let next = self.table_at(at + 1);
        let before = if at > 0 { self.table_at(at - 1) } else { None };
        let all = (0..self.items.len()).filter_map(|n| self.table_at(n));
        let firsts = [next, before, self.subject.clone(), self.sketch.about.clone()];
        let mut owners: Vec<String> = Vec::new();
        for owner in firsts.into_iter().flatten().chain(all) {
            if !owners.contains(&owner) {
                owners.push(owner);
            }
        }
        owners
    }
}

/// Tells whether a word only asks for the name of something.
pub(super) fn is_name(text: &str) -> bool {
    matches!(words(text).as_slice(), [one] if one == "name" || one == "titl")
        || matches!(words(text).as_slice(), [a, b] if a == "full" && b == "name")
}
