//! Puts a query into plain English, exactly, without a model.

use crate::domain::Catalog;

use super::{Binding, ReadQuery};

/// Says what a query reads, in one paragraph without a full stop at its end.
pub fn english(_query: &ReadQuery, _binding: &Binding, _catalog: &Catalog) -> String {
    String::new()
}
