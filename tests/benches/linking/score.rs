//! Asks for the package of each question of a set, and counts what it holds of what is needed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use querent::domain::{Catalog, ComponentKind, Options, Question as Asked};
use querent::pipeline::{Session, Setup};
use rusqlite::{Connection, OpenFlags};

use super::baselines;
use super::gold::{Needs, Question, Set, needs};

/// Who chooses what is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// The product.
    Querent,
    /// Tables by BM25 over their descriptions, whole, as many as fit.
    Bm25,
    /// The schema from its start, as much as fits; relationships by keywords (S0-043 to S0-045).
    Keywords,
}

impl Way {
    pub(crate) const ALL: [Way; 3] = [Way::Querent, Way::Bm25, Way::Keywords];

    fn name(self) -> &'static str {
        match self {
            Way::Querent => "querent",
            Way::Bm25 => "BM25",
            Way::Keywords => "keywords",
        }
    }
}

/// What one way of choosing tells.
pub(crate) struct Told {
    pub(crate) tables: BTreeSet<String>,
    pub(crate) columns: BTreeSet<(String, String)>,
    pub(crate) relationships: bool,
    /// The join path, for reading misses.
    pub(crate) anchors: String,
    /// Stored values with their column, as lines.
    pub(crate) values: Vec<String>,
    pub(crate) tokens: u32,
    pub(crate) elapsed_us: u128,
}

/// Counts over a set.
#[derive(Debug, Default)]
pub(crate) struct Score {
    questions: usize,
    unread: usize,
    all_tables: usize,
    all_columns: usize,
    tables: (usize, usize),
    columns: (usize, usize),
    literals: (usize, usize),
    joined: (usize, usize),
    single: (usize, usize),
    tokens: u64,
    whole: u64,
    times_us: Vec<u128>,
    /// Questions of which something is not told, in words.
    pub(crate) misses: Vec<String>,
}

fn share(some: u64, all: u64) -> String {
    if all == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * some as f64 / all as f64) }
}

fn percent((some, all): (usize, usize)) -> String {
    if all == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * some as f64 / all as f64) }
}

impl Score {
    /// Head of the table that `row` fills.
    pub(crate) const HEAD: &str = "\
| set | by | questions | with all tables | with all columns | tables | columns | literals | keys told: join | no join | tokens | of whole | ms p50 | p99 |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

    pub(crate) fn row(&self, label: &str, way: Way) -> String {
        let n = self.questions;
        let mut times = self.times_us.clone();
        times.sort_unstable();
        let at = |percent: usize| {
            let last = times.len().saturating_sub(1);
            times.get(last * percent / 100).map_or(0.0, |us| *us as f64 / 1000.0)
        };
        let unread =
            if self.unread > 0 { format!(" (+{} unread)", self.unread) } else { String::new() };
        format!(
            "| {label} | {} | {n}{unread} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {:.2} |",
            way.name(),
            percent((self.all_tables, n)),
            percent((self.all_columns, n)),
            percent(self.tables),
            percent(self.columns),
            percent(self.literals),
            percent(self.joined),
            percent(self.single),
            self.tokens / (n.max(1) as u64),
            share(self.tokens, self.whole),
            at(50),
            at(99),
        )
    }

    fn count(
        &mut self,
        question: &Question,
        needs: &Needs,
        told: &Told,
        whole: u32,
        stored: &[(String, String, String)],
    ) {
        self.questions += 1;
        self.tokens += u64::from(told.tokens);
        self.whole += u64::from(whole);
        self.times_us.push(told.elapsed_us);
        let lost_tables: Vec<&String> = needs.tables.difference(&told.tables).collect();
        let lost_columns: Vec<String> =
            needs.columns.difference(&told.columns).map(|(t, c)| format!("{t}.{c}")).collect();
        self.all_tables += usize::from(lost_tables.is_empty());
        self.all_columns += usize::from(lost_columns.is_empty());
        self.tables.0 += needs.tables.len() - lost_tables.len();
        self.tables.1 += needs.tables.len();
        self.columns.0 += needs.columns.len() - lost_columns.len();
        self.columns.1 += needs.columns.len();
        let mut lost_values = Vec::new();
        for (table, column, text) in stored {
            let line = format!("'{}' → {table}.{column} ", text.replace('\'', "''")).to_lowercase();
            let found = told.values.iter().any(|value| value.to_lowercase().starts_with(&line));
            self.literals.0 += usize::from(found);
            self.literals.1 += 1;
            if !found {
                lost_values.push(format!("'{text}' in {table}.{column}"));
            }
        }
        let keys = if needs.tables.len() > 1 { &mut self.joined } else { &mut self.single };
        keys.0 += usize::from(told.relationships);
        keys.1 += 1;
        let wrong_keys = told.relationships != (needs.tables.len() > 1);
        if !(lost_tables.is_empty()
            && lost_columns.is_empty()
            && lost_values.is_empty()
            && !wrong_keys)
        {
            let keys =
                if wrong_keys { if told.relationships { "keys+ " } else { "keys- " } } else { "" };
            self.misses.push(format!(
                "{} {} {} {keys}tables {lost_tables:?} columns {lost_columns:?} values {lost_values:?}: {} [{}]",
                question.id, question.db, told.anchors, question.text, question.evidence.as_deref().unwrap_or("")
            ));
        }
    }
}

/// A database that questions are asked of.
struct Place {
    session: Session,
    catalog: Arc<Catalog>,
    /// Tokens of the schema component with everything in it.
    whole: u32,
    bm25: baselines::Bm25,
}

async fn open(file: &Path) -> Place {
    let setup = Setup {
        database: Some(file.display().to_string()),
        model: Some("rules".to_owned()),
        ..Setup::default()
    };
    let session = Session::open(setup).await.unwrap();
    let catalog = session.catalog();
    let whole = baselines::whole(&catalog);
    let bm25 = baselines::Bm25::new(&catalog);
    Place { session, catalog, whole, bm25 }
}

/// Scores one way of choosing on a set.
pub(crate) async fn of(set: &Set, way: Way, budget: u32, evidence: bool, every: usize) -> Score {
    let mut score = Score::default();
    let mut places: BTreeMap<&Path, Place> = BTreeMap::new();
    let mut originals: BTreeMap<&str, (Arc<Catalog>, Connection)> = BTreeMap::new();
    for question in set.questions.iter().step_by(every) {
        let file = set.files.get(&question.db).unwrap().as_path();
        if !places.contains_key(file) {
            places.insert(file, open(file).await);
        }
        if !originals.contains_key(question.db.as_str()) {
            let file = set.originals.get(&question.db).unwrap();
            let connection =
                Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
            originals.insert(&question.db, (open(file).await.catalog, connection));
        }
        let place = places.get(file).unwrap();
        let (original, connection) = originals.get(question.db.as_str()).unwrap();
        let Some(mut needs) = needs(question, original) else {
            score.unread += 1;
            continue;
        };
        let mut stored: Vec<(String, String, String)> = needs
            .literals
            .iter()
            .filter(|(t, c, text)| is_stored(connection, t, c, text))
            .cloned()
            .collect();
        if let Some(names) = set.renamed.get(&question.db) {
            let views = original
                .tables
                .iter()
                .filter(|t| t.kind == querent::domain::schema::TableKind::View);
            if views.into_iter().any(|view| needs.tables.contains(&view.name.to_lowercase())) {
                score.unread += 1;
                continue;
            }
            needs = renamed(&needs, names);
            for literal in &mut stored {
                literal.0 = names.get(&literal.0).unwrap_or(&literal.0).clone();
            }
        }
        let told = match way {
            Way::Querent => ask(place, question, budget, evidence).await,
            Way::Bm25 => place.bm25.told(&place.catalog, question, budget),
            Way::Keywords => baselines::keywords(&place.catalog, question, budget),
        };
        score.count(question, &needs, &told, place.whole, &stored);
    }
    score
}

fn renamed(needs: &Needs, names: &BTreeMap<String, String>) -> Needs {
    let name = |table: &String| names.get(table).unwrap_or(table).clone();
    Needs {
        tables: needs.tables.iter().map(&name).collect(),
        columns: needs.columns.iter().map(|(t, c)| (name(t), c.clone())).collect(),
        literals: needs.literals.iter().map(|(t, c, v)| (name(t), c.clone(), v.clone())).collect(),
    }
}

fn is_stored(connection: &Connection, table: &str, column: &str, text: &str) -> bool {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let sql = format!("SELECT 1 FROM {} WHERE {} = ?1 LIMIT 1", quoted(table), quoted(column));
    connection.query_row(&sql, [text], |_| Ok(())).is_ok()
}

async fn ask(place: &Place, question: &Question, budget: u32, evidence: bool) -> Told {
    let asked = Asked {
        text: question.text.clone(),
        evidence: question.evidence.clone().filter(|_| evidence),
        options: Options { tokens: budget, ..Options::default() },
        ..Asked::default()
    };
    // the first look at a table measures it; what is timed is what a person waits for afterwards
    place.session.package(&asked).await.unwrap();
    let started = Instant::now();
    let package = place.session.package(&asked).await.unwrap();
    let elapsed_us = started.elapsed().as_micros();
    let relationships = package.component(ComponentKind::Relationships);
    let column = |at: &String| {
        let (table, column) = place
            .catalog
            .tables
            .iter()
            .find_map(|table| Some((table, at.strip_prefix(&table.name)?.strip_prefix('.')?)))
            .filter(|(table, column)| table.column(column).is_some())?;
        Some((table.name.to_lowercase(), column.to_lowercase()))
    };
    Told {
        tables: package.tables.iter().map(|table| table.to_lowercase()).collect(),
        columns: package.columns.iter().filter_map(column).collect(),
        anchors: relationships.map_or(String::new(), |component| component.reason.clone()),
        relationships: relationships.is_some_and(|component| component.included),
        values: package.values.clone(),
        tokens: package.tokens,
        elapsed_us,
    }
}
