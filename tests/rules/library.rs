//! A small library: authors write books, members borrow them.

use std::sync::Arc;

use querent::domain::knowledge::Meaning;
use querent::domain::schema::KeyOrigin;
use querent::domain::{
    Catalog, Column, ColumnKind, ColumnRef, Facts, ForeignKey, Knowledge, Metric, Table, ValueList,
};

use ColumnKind::{Date, Integer, Real, Text};

fn table(name: &str, columns: &[(&str, ColumnKind)]) -> Table {
    let column = |(name, kind): &(&str, ColumnKind)| Column {
        name: (*name).to_owned(),
        kind: *kind,
        ..Column::default()
    };
    Table {
        name: name.to_owned(),
        columns: columns.iter().map(column).collect(),
        primary_key: vec![columns[0].0.to_owned()],
        ..Table::default()
    }
}

fn key(from: &str, column: &str, to: &str) -> ForeignKey {
    ForeignKey {
        from_table: from.to_owned(),
        from_columns: vec![column.to_owned()],
        to_table: to.to_owned(),
        to_columns: vec![column.to_owned()],
        origin: KeyOrigin::Declared,
        one_to_one: false,
    }
}

fn list(table: &str, column: &str, values: &[&str]) -> ValueList {
    ValueList {
        at: ColumnRef::new(table, column),
        values: values.iter().map(|v| (*v).to_owned()).collect(),
        complete: true,
        ..ValueList::default()
    }
}

fn catalog() -> Catalog {
    Catalog {
        tables: vec![
            table("authors", &[("author_id", Integer), ("name", Text), ("country", Text)]),
            table(
                "books",
                &[
                    ("book_id", Integer),
                    ("title", Text),
                    ("author_id", Integer),
                    ("genre", Text),
                    ("pages", Integer),
                    ("price", Real),
                    ("year", Integer),
                    ("state", Text),
                ],
            ),
            table(
                "members",
                &[
                    ("member_id", Integer),
                    ("first_name", Text),
                    ("last_name", Text),
                    ("city", Text),
                    ("age", Integer),
                    ("active", Integer),
                ],
            ),
            table(
                "loans",
                &[
                    ("loan_id", Integer),
                    ("book_id", Integer),
                    ("member_id", Integer),
                    ("loan_date", Date),
                    ("fine", Real),
                ],
            ),
            table(
                "invoices",
                &[
                    ("invoice_id", Integer),
                    ("invoice_date", Date),
                    ("billing_country", Text),
                    ("total", Real),
                ],
            ),
        ],
        keys: vec![
            key("books", "author_id", "authors"),
            key("loans", "book_id", "books"),
            key("loans", "member_id", "members"),
        ],
        ..Catalog::default()
    }
}

/// Structure, values and one metric of the library.
pub(crate) fn facts() -> Facts {
    let values = vec![
        list("authors", "country", &["France", "Japan", "Kenya"]),
        list("authors", "name", &["Aya Sato", "Marie Dubois", "Paul Otieno"]),
        list("books", "genre", &["crime", "poetry", "science fiction"]),
        list("books", "state", &["L", "S"]),
        list("members", "city", &["Lima", "Oslo"]),
        list("members", "first_name", &["Ann", "Bo", "JULIE"]),
        list("invoices", "billing_country", &["Brazil", "Norway"]),
        list("members", "last_name", &["Lee", "Ruud"]),
    ];
    let fines = Metric {
        name: "unpaid_fines".to_owned(),
        formula: "SUM(loans.fine)".to_owned(),
        tables: vec!["loans".to_owned()],
        synonyms: vec!["money owed".to_owned()],
        approved: true,
        ..Metric::default()
    };
    let state = Meaning {
        text: "where the book is".to_owned(),
        values: [("L", "lost"), ("S", "in stock")]
            .map(|(c, m)| (c.to_owned(), m.to_owned()))
            .into(),
        ..Meaning::of(ColumnRef::new("books", "state"))
    };
    let knowledge =
        Knowledge { metrics: vec![fines], columns: vec![state], ..Knowledge::default() };
    Facts {
        catalog: Arc::new(catalog()),
        values: Arc::new(values),
        knowledge: Arc::new(knowledge),
        ..Facts::default()
    }
}
