//! Takes a change into an index without building it anew: a table's columns, lists of values.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::hits::Hit;
use super::index::{Index, Named};
use super::tokens::{phrase_stems, stems};
use super::values::Values;
use crate::domain::{Catalog, ColumnRef, Knowledge, LinkTarget, Match, ValueList};

/// A table whose columns changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedTable {
    /// Its name.
    pub name: String,
    /// Names of columns that are as they were.
    pub kept: BTreeSet<String>,
}

/// Lists the tables that are others than before; none when tables came, went or moved, so that
/// what their names mean has to be thought over.
pub fn changed_tables(before: &Catalog, now: &Catalog) -> Option<Vec<ChangedTable>> {
    if before.tables.len() != now.tables.len() {
        return None;
    }
    let mut changed = Vec::new();
    for (old, new) in before.tables.iter().zip(&now.tables) {
        if old.name != new.name || old.comment != new.comment {
            return None;
        }
        if old.columns != new.columns {
            let same = new.columns.iter().filter(|column| old.columns.contains(column));
            let kept = same.map(|column| column.name.clone()).collect();
            changed.push(ChangedTable { name: new.name.clone(), kept });
        }
    }
    Some(changed)
}

/// Values looked up one by one that are kept; then all are forgotten.
const MOST_LOOKED_UP: usize = 400;

/// Values that were found by looking them up, beside the lists.
#[derive(Debug, Clone, Default)]
pub(super) struct LookedUpValues {
    lists: Vec<ValueList>,
    index: Values,
}

impl LookedUpValues {
    /// Adds what is found among them to other hits.
    pub(super) fn add(&self, hits: &mut Vec<Hit>, find: impl Fn(&Values) -> Vec<Hit>) {
        if self.lists.is_empty() {
            return;
        }
        for hit in find(&self.index) {
            // it may be in a list that was read since
            if !hits.iter().any(|known| known.target == hit.target) {
                hits.push(hit);
            }
        }
    }

    fn learn(&mut self, found: &[(ColumnRef, String)]) {
        if self.lists.iter().map(|list| list.values.len()).sum::<usize>() >= MOST_LOOKED_UP {
            self.lists.clear();
        }
        for (at, stored) in found {
            let mut values = vec![stored.clone()];
            let place = self.lists.iter().position(|list| list.at == *at);
            if let Some(list) = place.map(|place| self.lists.swap_remove(place)) {
                values.extend(list.values.iter().filter(|text| *text != stored).cloned());
            }
            let list = ValueList { at: at.clone(), values: values.into(), ..ValueList::default() };
            self.lists.push(list);
        }
        self.index.renew(&self.lists);
    }
}

impl Index {
    /// Puts a thing among others of the same words, in the order of the catalog.
    pub(super) fn placed<T>(named: &[Named], list: &mut Vec<T>, more: T, id: impl Fn(&T) -> usize) {
        let place = |one: &T| named.get(id(one)).map(|named| named.place);
        let own = place(&more);
        // nearly always the last: the catalog is read in its order
        let at = match list.last() {
            Some(newest) if place(newest) > own => list.partition_point(|one| place(one) <= own),
            Some(_) | None => list.len(),
        };
        list.insert(at, more);
    }

    /// Takes the columns of changed tables anew; names of all other things stay as they are.
    pub fn renew_tables(
        &mut self,
        catalog: &Catalog,
        changed: &[ChangedTable],
        knowledge: &Knowledge,
    ) {
        for change in changed {
            let found = catalog.tables.iter().enumerate().find(|(_, t)| t.name == change.name);
            let Some((n, table)) = found else { continue };
            let mut known = BTreeSet::new();
            let mut words_gone = Vec::new();
            for named in self.named.iter_mut().filter(|named| !named.gone) {
                let LinkTarget::Column(at) = &named.target else { continue };
                if at.table != change.name {
                    continue;
                }
                let place = table.columns.iter().position(|c| c.name == at.column);
                if let Some(place) = place.filter(|_| change.kept.contains(&at.column)) {
                    named.place = (n, place + 1);
                    known.insert(at.column.clone());
                } else {
                    named.gone = true;
                    words_gone.append(&mut named.words.clone());
                }
            }
            self.forget_words(&words_gone);
            let table_words = stems(&self.tables.table(&table.name));
            let new = table.columns.iter().enumerate().filter(|(_, c)| !known.contains(&c.name));
            for (c, column) in new {
                let words = stems(&self.tables.column(&column.name, &table.name));
                let at = ColumnRef::new(&table.name, &column.name);
                self.place = (n, c + 1);
                let id = self.named.len();
                self.add_column(&at, &words, &table_words);
                for (synonym, _) in knowledge.synonyms.iter().filter(|(_, name)| names(name, &at)) {
                    self.call(id, &phrase_stems(synonym), Match::Synonym, 0.95);
                }
            }
        }
        if !changed.is_empty() {
            let is_changed = |name: &String| changed.iter().any(|change| change.name == *name);
            let places = catalog.tables.iter().enumerate().filter(|(_, t)| is_changed(&t.name));
            let places: Vec<usize> = places.map(|(n, _)| n).collect();
            Arc::make_mut(&mut self.relevance).renew(catalog, &places, knowledge, &self.tables);
            self.vocabulary.sort();
            self.vocabulary.dedup();
        }
    }

    /// Takes words out of the vocabulary of typos that no thing is called by any more.
    fn forget_words(&mut self, words: &[String]) {
        for word in words {
            let named = &self.named;
            let Some(holders) = self.holders.get_mut(word) else { continue };
            holders.retain(|id| named.get(*id).is_some_and(|named| !named.gone));
            if holders.is_empty() {
                self.holders.remove(word);
                self.vocabulary.retain(|(known, _)| known != word);
            }
        }
    }

    /// Returns the stored values that it finds.
    pub fn stored(&self) -> &Arc<Values> {
        &self.values
    }

    /// Puts an index of values built elsewhere in the place of the former.
    pub fn set_stored(&mut self, values: Arc<Values>) {
        self.values = values;
    }

    /// Adds values that were found by looking them up.
    pub fn add_looked_up(&mut self, found: &[(ColumnRef, String)]) {
        self.looked_up.learn(found);
    }

    /// Forgets the values that were found by looking them up: what they were true of has changed.
    pub fn forget_looked_up(&mut self) {
        self.looked_up = LookedUpValues::default();
    }

    /// Share of things that are in the catalog no more, in hundredths: a reason to build anew.
    pub fn waste(&self) -> usize {
        let gone = self.named.iter().filter(|named| named.gone).count();
        gone * 100 / self.named.len().max(1)
    }
}

/// Tells whether knowledge means a column by a name.
fn names(name: &str, at: &ColumnRef) -> bool {
    name.split_once('.').is_some_and(|(table, column)| {
        table.eq_ignore_ascii_case(&at.table) && column.eq_ignore_ascii_case(&at.column)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Table;
    use crate::search::tokenise;

    fn catalog(members: &[&str]) -> Catalog {
        let tables = vec![
            Table::bare("bookings", &["id", "member_id", "city", "price"]),
            Table::bare("members", members),
            Table::bare("rooms", &["id", "city", "price"]),
        ];
        Catalog { tables, ..Catalog::default() }
    }

    fn knowledge() -> Knowledge {
        let synonyms = vec![("home town".to_owned(), "members.town".to_owned())];
        Knowledge { synonyms, ..Knowledge::default() }
    }

    /// Renews an index from some columns of members to others, and compares it with a new one.
    fn check(before: &[&str], now: &[&str]) {
        let (old, new, knowledge) = (catalog(before), catalog(now), knowledge());
        let mut index = Index::new(&old, &[], &knowledge);
        let changed = changed_tables(&old, &new).expect("the same tables");
        index.renew_tables(&new, &changed, &knowledge);
        let built = Index::new(&new, &[], &knowledge);
        let phrases = [
            "city",
            "price",
            "town",
            "home town",
            "member city",
            "members",
            "nickname",
            "name",
            "cities of members",
            "id",
            "price of rooms",
            "surname",
        ];
        for phrase in phrases {
            let tokens = tokenise(phrase);
            assert_eq!(index.names(&tokens), built.names(&tokens), "{phrase}");
        }
        for slip in ["nicknmae", "citty", "surnmae", "pricee"] {
            let tokens = tokenise(slip);
            assert_eq!(index.typos(&tokens[0]), built.typos(&tokens[0]), "{slip}");
        }
    }

    #[test]
    fn an_index_that_took_a_change_answers_like_one_built_anew() {
        let plain = ["id", "name", "city"];
        check(&plain, &["id", "name", "city", "nickname"]);
        check(&["id", "name", "city", "nickname"], &plain);
        check(&plain, &["id", "surname", "city"]);
        check(&plain, &["id", "name", "town"]);
        check(&plain, &["city", "id", "name", "price"]);
    }

    #[test]
    fn looked_up_values_are_found_until_they_are_forgotten() {
        let mut index = Index::new(&catalog(&["id", "city"]), &[], &Knowledge::default());
        let at = ColumnRef::new("members", "city");
        let found = [(at.clone(), "Tromsø".to_owned())];
        index.add_looked_up(&found);
        index.add_looked_up(&found);
        index.add_looked_up(&[(at, "Bodø".to_owned())]);
        let hits = |index: &Index, phrase: &str| index.values(&tokenise(phrase)).len();
        assert_eq!((hits(&index, "Tromsø"), hits(&index, "bodø")), (1, 1));
        index.forget_looked_up();
        assert_eq!(hits(&index, "Tromsø"), 0);
    }

    #[test]
    fn tables_that_came_or_went_are_no_small_change() {
        let (old, mut new) = (catalog(&["id"]), catalog(&["id"]));
        assert_eq!(changed_tables(&old, &new), Some(Vec::new()));
        new.tables.pop();
        assert_eq!(changed_tables(&old, &new), None);
        assert_eq!(changed_tables(&new, &old), None);
    }
}
