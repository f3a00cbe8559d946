//! The graph of a database's keys: built once for a catalog, used for every package.

use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::Catalog;
use crate::joins::Graph;

/// The newest graph; locked only to look at it or to replace it, never while one is built.
#[derive(Debug, Default)]
pub(super) struct Keys(Mutex<Option<Arc<Graph>>>);

impl Keys {
    /// Returns the graph of a catalog; builds it when the newest one is of another.
    ///
    /// The same catalog read again gets a graph of its own: the former one would keep the former
    /// catalog in memory.
    pub(super) fn of(&self, catalog: &Arc<Catalog>) -> Arc<Graph> {
        let newest = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = newest().clone();
        if let Some(graph) = kept.filter(|graph| graph.is_of(catalog)) {
            return graph;
        }
        let graph = Arc::new(Graph::new(catalog.clone()));
        *newest() = Some(graph.clone());
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Table;

    fn catalog(version: &str) -> Arc<Catalog> {
        let table = Table { name: "bookings".to_owned(), ..Table::default() };
        let version = version.to_owned();
        Arc::new(Catalog { version, tables: vec![table], ..Catalog::default() })
    }

    #[test]
    fn a_graph_is_built_once_for_a_catalog_and_anew_for_another() {
        let keys = Keys::default();
        let one = catalog("1");
        let first = keys.of(&one);
        assert!(Arc::ptr_eq(&first, &keys.of(&one)));
        let second = keys.of(&catalog("2"));
        assert!(!Arc::ptr_eq(&first, &second));
        assert_eq!(second.catalog().version, "2");
    }
}
