//! The index of a database's names and values: built once, used for every question, changed with
//! the database.

use std::sync::Arc;

use tokio::sync::Mutex;

use crate::domain::{Catalog, ColumnRef, Facts, Knowledge};
use crate::search::Index;
use crate::search::renew::changed_tables;
use crate::search::values::Values;

/// Hundredths of an index that may be waste before it is built anew.
const MOST_WASTE: usize = 10;

/// What an index was built from, and the index.
#[derive(Debug)]
struct Built {
    catalog: Arc<Catalog>,
    knowledge: Arc<Knowledge>,
    index: Arc<Index>,
}

/// The newest index; locked while one is built, so that it is built once.
#[derive(Debug, Default)]
pub(super) struct Names(Mutex<Option<Built>>);

impl Names {
    /// Returns the index of these facts: the newest one as it is, or changed where the database
    /// changed, or built anew where knowledge is another or tables came and went.
    pub(super) async fn of(&self, facts: &Facts, stored: &Arc<Values>) -> Arc<Index> {
        let mut newest = self.0.lock().await;
        if let Some(built) = newest.as_mut() {
            built.take(facts);
            if built.fits(facts) {
                built.find_in(stored);
                return built.index.clone();
            }
        }
        let (catalog, knowledge) = (facts.catalog.clone(), facts.knowledge.clone());
        let build = move || Index::new(&catalog, &[], &knowledge);
        // it fails only while the runtime goes away, and then nobody looks
        let mut index = tokio::task::spawn_blocking(build).await.unwrap_or_default();
        index.set_stored(stored.clone());
        let index = Arc::new(index);
        *newest = Some(Built {
            catalog: facts.catalog.clone(),
            knowledge: facts.knowledge.clone(),
            index: index.clone(),
        });
        index
    }

    /// Adds values that were found by looking them up.
    pub(super) async fn learn(&self, found: &[(ColumnRef, String)]) {
        if let Some(built) = self.0.lock().await.as_mut() {
            Arc::make_mut(&mut built.index).add_looked_up(found);
        }
    }

    /// Forgets what was found by looking it up.
    pub(super) async fn unlearn(&self) {
        if let Some(built) = self.0.lock().await.as_mut() {
            Arc::make_mut(&mut built.index).forget_looked_up();
        }
    }
}

impl Built {
    fn fits(&self, facts: &Facts) -> bool {
        self.catalog.version == facts.catalog.version
            && Arc::ptr_eq(&self.knowledge, &facts.knowledge)
    }

    /// Takes a newer catalog where only columns of some tables changed.
    fn take(&mut self, facts: &Facts) {
        if Arc::ptr_eq(&self.catalog, &facts.catalog) {
            return;
        }
        if self.catalog.version == facts.catalog.version {
            // read again, and the same: the former one need not stay in memory for this
            self.catalog = facts.catalog.clone();
            return;
        }
        let Some(changed) = changed_tables(&self.catalog, &facts.catalog) else { return };
        if self.index.waste() > MOST_WASTE {
            return;
        }
        if !changed.is_empty() {
            Arc::make_mut(&mut self.index).renew_tables(&facts.catalog, &changed, &facts.knowledge);
        }
        self.catalog = facts.catalog.clone();
    }

    fn find_in(&mut self, stored: &Arc<Values>) {
        if !Arc::ptr_eq(self.index.stored(), stored) {
            Arc::make_mut(&mut self.index).set_stored(stored.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Table;
    use crate::search::tokenise;

    fn facts(version: &str, columns: &[&str]) -> Facts {
        let table = Table::bare("bookings", columns);
        let catalog =
            Catalog { version: version.to_owned(), tables: vec![table], ..Catalog::default() };
        Facts { catalog: Arc::new(catalog), ..Facts::default() }
    }

    #[tokio::test]
    async fn an_index_is_built_once_for_a_catalog_and_changed_with_it() {
        let (names, stored) = (Names::default(), Arc::default());
        let one = facts("1", &["id", "price"]);
        let first = names.of(&one, &stored).await;
        let same = Facts { statistics: Vec::new(), ..one.clone() };
        assert!(Arc::ptr_eq(&first, &names.of(&same, &stored).await));
        let second = names.of(&facts("2", &["id", "price", "city"]), &stored).await;
        let hits = |index: &Index| index.names(&tokenise("city")).len();
        assert_eq!((hits(&first), hits(&second)), (0, 1), "what is in use stays as it was");
    }
}
