//! What the context pane holds: its cursor, the switches, and what was found out for it.

use std::collections::BTreeMap;

use crate::domain::{ColumnStats, ContextPackage, Switches};

use super::super::widgets::list::Cursor;

/// What the context pane holds.
#[derive(Debug, Default)]
pub struct Told {
    /// The component, note or table under the cursor.
    pub cursor: Cursor,
    /// What was switched by hand for the next asking.
    pub switches: Switches,
    /// The package that what is typed or switched would get.
    pub preview: Option<Preview>,
    /// Question and switches that a package was asked for last.
    pub asked_for: Option<(String, Switches)>,
    /// What was measured, by table.
    pub measured: BTreeMap<String, Vec<ColumnStats>>,
}

/// A package that was not sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// Question and switches it is for.
    pub of: (String, Switches),
    /// The package.
    pub package: ContextPackage,
}
