//! Which rows a filter lets through.

use std::cmp::Ordering;

use crate::domain::{Cell, Condition, Test, Value};

use super::encoding::RowRef;
use super::needle::Needle;
use super::order::{compare, kind};

/// Conditions made ready to be tested on many rows.
#[derive(Debug)]
pub(super) struct Sieve {
    conditions: Vec<(Option<usize>, Ready)>,
}

#[derive(Debug)]
enum Ready {
    Contains(Needle),
    Lacks(Needle),
    /// Compared with a value; the orders that pass, and whether another kind of value passes.
    Compared(Value, &'static [Ordering], bool),
    Null,
    NotNull,
}

impl Sieve {
    pub(super) fn new(filter: &[Condition]) -> Self {
        let ready = filter.iter().map(|c| (c.column, Ready::new(&c.test)));
        Sieve { conditions: ready.collect() }
    }

    /// Tells whether rows whose bytes these are may pass; false is certain.
    pub(super) fn may_pass(&self, bytes: &[u8]) -> bool {
        self.conditions.iter().all(|(_, test)| match test {
            Ready::Contains(needle) => needle.may_be_in(bytes),
            Ready::Lacks(_) | Ready::Compared(..) | Ready::Null | Ready::NotNull => true,
        })
    }

    /// Tells whether all conditions hold for a row.
    pub(super) fn passes(&self, row: RowRef<'_>, room: &mut String) -> bool {
        self.conditions.iter().all(|(column, test)| match column {
            Some(column) => test.passes(row.cell(*column), room),
            None if matches!(test, Ready::Lacks(_)) => row.cells().all(|c| test.passes(c, room)),
            None => row.cells().any(|c| test.passes(c, room)),
        })
    }
}

impl Ready {
    fn new(test: &Test) -> Self {
        use Ordering::{Equal, Greater, Less};
        match test {
            Test::Contains(part) => Ready::Contains(Needle::new(part)),
            Test::Lacks(part) => Ready::Lacks(Needle::new(part)),
            Test::Equal(value) => Ready::Compared(value.clone(), &[Equal], false),
            Test::NotEqual(value) => Ready::Compared(value.clone(), &[Less, Greater], true),
            Test::Less(value) => Ready::Compared(value.clone(), &[Less], false),
            Test::AtMost(value) => Ready::Compared(value.clone(), &[Less, Equal], false),
            Test::More(value) => Ready::Compared(value.clone(), &[Greater], false),
            Test::AtLeast(value) => Ready::Compared(value.clone(), &[Greater, Equal], false),
            Test::Null => Ready::Null,
            Test::NotNull => Ready::NotNull,
        }
    }

    fn passes(&self, cell: Cell<'_>, room: &mut String) -> bool {
        match self {
            Ready::Contains(needle) => needle.is_in(cell, room),
            Ready::Lacks(needle) => !needle.is_in(cell, room),
            // nothing compares with NULL, on either side
            Ready::Compared(value, ..) if cell.is_null() || value.is_null() => false,
            Ready::Compared(value, orders, other_kind) => {
                let value = Cell::from(value);
                if kind(cell) == kind(value) {
                    orders.contains(&compare(cell, value))
                } else {
                    *other_kind
                }
            }
            Ready::Null => cell.is_null(),
            Ready::NotNull => !cell.is_null(),
        }
    }
}
