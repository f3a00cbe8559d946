//! Reading, binding, changing and saying queries, each stated as what an analyst would see.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]
#![expect(clippy::print_stdout, reason = "figures and what is skipped are stated")]

mod binding_words;
mod english;
mod facts;
mod properties;
mod read_back;
mod reading;
mod told_alike;
mod told_golds;

use querent::domain::{Catalog, Column, ColumnKind, Diagnostic, Dialect, Table};
use querent::sql::{Binding, ReadQuery, bind};

/// A small house: rooms are booked by members, and paid for.
pub(crate) fn catalog() -> Catalog {
    let column = |name: &str| {
        let whole = name.ends_with("id") || name.ends_with("cents") || name == "seats";
        let kind = if whole { ColumnKind::Integer } else { ColumnKind::Text };
        Column { name: name.to_owned(), kind, ..Column::default() }
    };
    let table = |name: &str, columns: &[&str]| Table {
        name: name.to_owned(),
        columns: columns.iter().map(|name| column(name)).collect(),
        ..Table::default()
    };
    Catalog {
        tables: vec![
            table("rooms", &["id", "name", "seats"]),
            table("members", &["id", "name", "email", "joined_on"]),
            table("bookings", &["id", "room_id", "member_id", "status", "price_cents", "day"]),
            table("payments", &["id", "booking_id", "amount_cents", "method"]),
        ],
        ..Catalog::default()
    }
}

pub(crate) fn bound(sql: &str) -> Binding {
    bind(&ReadQuery::parse(sql, Dialect::Sqlite).unwrap(), &catalog())
}

pub(crate) fn diagnostics(sql: &str) -> Vec<Diagnostic> {
    match ReadQuery::parse(sql, Dialect::Sqlite) {
        Ok(query) => bind(&query, &catalog()).diagnostics,
        Err(failure) => failure.diagnostics,
    }
}
