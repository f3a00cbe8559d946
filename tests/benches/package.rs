//! Times a question's way into its package on wide schemas, beside serialising the catalog.
//!
//! `warm` is what a person waits for while typing and switching: the index of names is there.

use std::fmt::Write;
use std::sync::Arc;

use divan::{Bencher, black_box};
use querent::context::{Request, assemble};
use querent::domain::package::Form;
use querent::domain::schema::{KeyOrigin, RowCount};
use querent::domain::{Catalog, Column, ColumnKind, Facts, ForeignKey, Question, Table};
use querent::intake;
use querent::joins::Graph;
use querent::search::Index;

/// Numbers of tables; each has 20 columns.
const TABLES: [usize; 2] = [500, 5000];
const ADJECTIVES: [&str; 10] = [
    "daily", "regional", "open", "closed", "monthly", "legacy", "partner", "retail", "online",
    "internal",
];
const NOUNS: [&str; 25] = [
    "order",
    "invoice",
    "payment",
    "shipment",
    "customer",
    "supplier",
    "product",
    "warehouse",
    "employee",
    "contract",
    "claim",
    "policy",
    "ticket",
    "campaign",
    "budget",
    "account",
    "ledger",
    "vehicle",
    "route",
    "visit",
    "course",
    "student",
    "flight",
    "booking",
    "hotel",
];
const COLUMNS: [&str; 18] = [
    "name",
    "status",
    "created_at",
    "updated_at",
    "amount",
    "quantity",
    "price",
    "discount",
    "tax",
    "city",
    "country",
    "email",
    "phone",
    "category",
    "priority",
    "due_date",
    "comment",
    "weight",
];
const QUESTION: &str = "What is the total amount of monthly invoices per customer country?";

fn main() {
    divan::main();
}

/// Names the table at a place: `daily_order`, …, `daily_order_2`, …
fn table_name(n: usize) -> String {
    let (noun, adjective) = (n % NOUNS.len(), n / NOUNS.len() % ADJECTIVES.len());
    let round = n / (NOUNS.len() * ADJECTIVES.len());
    let mut name = format!("{}_{}", ADJECTIVES[adjective], NOUNS[noun]);
    if round > 0 {
        let _ = write!(name, "_{}", round + 1);
    }
    name
}

fn column(name: &str, data_type: &str, kind: ColumnKind) -> Column {
    Column { name: name.into(), data_type: data_type.into(), kind, ..Column::default() }
}

fn table(n: usize) -> Table {
    let mut columns = vec![
        column("id", "INTEGER", ColumnKind::Integer),
        column("parent_id", "INTEGER", ColumnKind::Integer),
    ];
    columns.extend(COLUMNS.map(|name| match name {
        "amount" | "quantity" | "price" | "discount" | "tax" | "weight" => {
            column(name, "REAL", ColumnKind::Real)
        }
        name if name.ends_with("_at") || name.ends_with("_date") => {
            column(name, "DATE", ColumnKind::Date)
        }
        name => column(name, "TEXT", ColumnKind::Text),
    }));
    Table {
        name: table_name(n),
        columns,
        primary_key: vec!["id".into()],
        rows: Some(RowCount { count: 1000 + n as u64, exact: false }),
        ..Table::default()
    }
}

/// Each table points to the one before it that has half its number: a tree of keys.
fn key(n: usize) -> ForeignKey {
    ForeignKey {
        from_table: table_name(n),
        from_columns: vec!["parent_id".into()],
        to_table: table_name(n / 2),
        to_columns: vec!["id".into()],
        origin: KeyOrigin::Declared,
        one_to_one: false,
    }
}

fn facts(tables: usize) -> Facts {
    let catalog = Catalog {
        database: "wide".into(),
        tables: (0..tables).map(table).collect(),
        keys: (1..tables).map(key).collect(),
        version: "1".into(),
        ..Catalog::default()
    };
    Facts { catalog: Arc::new(catalog), ..Facts::default() }
}

fn asked() -> Question {
    Question { text: QUESTION.into(), ..Question::default() }
}

#[divan::bench(args = TABLES, sample_count = 200, sample_size = 1)]
fn warm(bencher: Bencher<'_, '_>, tables: usize) {
    let (facts, question) = (facts(tables), asked());
    let index = Index::new(&facts.catalog, &facts.values, &facts.knowledge);
    let graph = Graph::new(facts.catalog.clone());
    bencher.bench(|| {
        let understanding = intake::understand_with(&question, &facts, &index);
        assemble(&Request {
            question: &question,
            understanding: &understanding,
            facts: &facts,
            graph: &graph,
            errors: &[],
            form: Form::Text,
            generated_at: "2026-01-01T00:00:00Z",
        })
    });
}

#[divan::bench(args = TABLES, sample_count = 200, sample_size = 1)]
fn warm_intake_alone(bencher: Bencher<'_, '_>, tables: usize) {
    let (facts, question) = (facts(tables), asked());
    let index = Index::new(&facts.catalog, &facts.values, &facts.knowledge);
    bencher.bench(|| intake::understand_with(&question, &facts, &index));
}

#[divan::bench(args = TABLES, sample_count = 20, sample_size = 1)]
fn the_index_is_built(bencher: Bencher<'_, '_>, tables: usize) {
    let facts = facts(tables);
    bencher.bench(|| Index::new(&facts.catalog, &facts.values, &facts.knowledge));
}

/// What a letter typed in the schema browser costs.
#[divan::bench(args = TABLES, sample_count = 50, sample_size = 1)]
fn the_schema_is_searched(bencher: Bencher<'_, '_>, tables: usize) {
    let facts = facts(tables);
    let names = querent::tui::overlays::schema_search::Names::of(&facts.catalog);
    bencher.bench(|| names.find(black_box("invoice am")).len());
}

/// The baseline: one pass over all names.
#[divan::bench(args = TABLES, sample_count = 50, sample_size = 1)]
fn the_catalog_is_serialised(bencher: Bencher<'_, '_>, tables: usize) {
    let facts = facts(tables);
    bencher.bench(|| serde_json::to_string(black_box(&*facts.catalog)).map(|text| text.len()));
}
