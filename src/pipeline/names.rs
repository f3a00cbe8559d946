//! The index of a database's names and values: built once, used for every question.

use std::sync::Arc;

use tokio::sync::Mutex;

use crate::domain::{Facts, Knowledge, ValueList};
use crate::search::Index;

/// What an index was built from, and the index.
#[derive(Debug)]
struct Built {
    /// Version of the catalog.
    version: String,
    values: Arc<Vec<ValueList>>,
    knowledge: Arc<Knowledge>,
    index: Arc<Index>,
}

/// The newest index; locked while one is built, so that it is built once.
#[derive(Debug, Default)]
pub(super) struct Names(Mutex<Option<Built>>);

impl Names {
    /// Returns the index of these facts; builds it when catalog, values or knowledge are others
    /// than before.
    pub(super) async fn of(&self, facts: &Facts) -> Arc<Index> {
        let mut newest = self.0.lock().await;
        if let Some(built) = newest.as_ref().filter(|built| built.fits(facts)) {
            return built.index.clone();
        }
        let (catalog, values, knowledge) =
            (facts.catalog.clone(), facts.values.clone(), facts.knowledge.clone());
        let build = move || Arc::new(Index::new(&catalog, &values, &knowledge));
        // it fails only while the runtime goes away, and then nobody looks
        let index = tokio::task::spawn_blocking(build).await.unwrap_or_default();
        *newest = Some(Built {
            version: facts.catalog.version.clone(),
            values: facts.values.clone(),
            knowledge: facts.knowledge.clone(),
            index: index.clone(),
        });
        index
    }
}

impl Built {
    fn fits(&self, facts: &Facts) -> bool {
        self.version == facts.catalog.version
            && Arc::ptr_eq(&self.values, &facts.values)
            && Arc::ptr_eq(&self.knowledge, &facts.knowledge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Catalog, Table};

    fn facts(version: &str) -> Facts {
        let table = Table { name: "bookings".to_owned(), ..Table::default() };
        let catalog =
            Catalog { version: version.to_owned(), tables: vec![table], ..Catalog::default() };
        Facts { catalog: Arc::new(catalog), ..Facts::default() }
    }

    #[tokio::test]
    async fn an_index_is_built_once_for_a_catalog_and_anew_for_another() {
        let names = Names::default();
        let one = facts("1");
        let first = names.of(&one).await;
        let same = Facts { statistics: Vec::new(), ..one.clone() };
        assert!(Arc::ptr_eq(&first, &names.of(&same).await));
        assert!(!Arc::ptr_eq(&first, &names.of(&facts("2")).await));
    }
}
