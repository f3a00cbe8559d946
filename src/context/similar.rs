//! How much a stored pair is like the question: by masked question, shared tables, and shape.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use crate::domain::{Example, LinkTarget, QuestionKind};
use crate::sql::{self, ReadQuery};

use super::advice::asks_for_lacking;
use super::scene::Scene;
use super::words;

/// At this score the question asks nearly the same as a stored one.
pub(super) const NEARLY_THE_SAME: f32 = 0.85;

/// Ranks pairs by likeness, the most similar first; equal ones keep their order.
pub(super) fn ranked<'a>(scene: &Scene<'_>, pairs: &'a [Example]) -> Vec<(f32, &'a Example)> {
    let names = names(scene);
    let asked = Profile::of_question(scene, &names);
    let mut ranked: Vec<(f32, &Example)> = pairs
        .iter()
        .map(|pair| (asked.likeness(&Profile::of_pair(scene, pair, &names), scene), pair))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked
}

/// What of a question matters for likeness.
struct Profile {
    /// Stems with names as `<n>` and values as `<v>`, single and in pairs.
    masked: BTreeSet<String>,
    /// Tables that it takes, in lower case.
    tables: BTreeSet<String>,
    /// What the SQL is made of; empty for the question itself.
    shape: Shape,
}

impl Profile {
    fn of_question(scene: &Scene<'_>, names: &BTreeSet<String>) -> Self {
        let question = &scene.request.question.text;
        let values: BTreeSet<String> = scene
            .request
            .understanding
            .links
            .iter()
            .filter(|link| matches!(link.target, LinkTarget::Value { .. }))
            .flat_map(|link| words::stems(link.span.of(question)))
            .collect();
        let tables = scene.told_about().iter().map(|table| table.to_lowercase()).collect();
        Profile { tables, ..Profile::of_text(question, names, &values) }
    }

    fn of_pair(scene: &Scene<'_>, pair: &Example, names: &BTreeSet<String>) -> Self {
        let tables = tables_of(&pair.sql, scene);
        let shape = Shape::of(&pair.sql);
        Profile { tables, shape, ..Profile::of_text(&pair.question, names, &BTreeSet::new()) }
    }

    fn of_text(text: &str, names: &BTreeSet<String>, values: &BTreeSet<String>) -> Self {
        let mut sequence: Vec<String> = Vec::new();
        for word in raw_words(text) {
            for stem in words::stems(&word.text) {
                let mask = if names.contains(&stem) {
                    "<n>".to_owned()
                } else if word.is_value || values.contains(&stem) {
                    "<v>".to_owned()
                } else {
                    stem
                };
                if mask.starts_with('<') && sequence.last() == Some(&mask) {
                    continue;
                }
                sequence.push(mask);
            }
        }
        let pairs = sequence.windows(2).map(|pair| pair.join(" "));
        let masked = pairs.chain(sequence.iter().cloned()).collect();
        Profile { masked, tables: BTreeSet::new(), shape: Shape::default() }
    }

    /// Weighs words by four, tables and shape by three tenths each; without tables in question as if
    /// they were the same.
    fn likeness(&self, other: &Profile, scene: &Scene<'_>) -> f32 {
        0.4 * dice(&self.masked, &other.masked)
            + 0.3 * if self.tables.is_empty() { 1.0 } else { dice(&self.tables, &other.tables) }
            + 0.3 * other.shape.suits(scene)
    }
}

/// Queries whose tables are remembered at most; then all are forgotten.
const REMEMBERED: usize = 500;

thread_local! {
    /// Tables of stored queries, by the catalog's version and the query: each is read once.
    static TABLES: RefCell<HashMap<(String, String), BTreeSet<String>>> = RefCell::default();
}

/// Lists the tables that a query reads, in lower case; none when it can't be read.
fn tables_of(sql: &str, scene: &Scene<'_>) -> BTreeSet<String> {
    let key = (scene.catalog.version.clone(), sql.to_owned());
    TABLES.with_borrow_mut(|known| {
        if let Some(tables) = known.get(&key) {
            return tables.clone();
        }
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.entry(key).or_insert(read_tables(sql, scene)).clone()
    })
}

fn read_tables(sql: &str, scene: &Scene<'_>) -> BTreeSet<String> {
    let Ok(query) = ReadQuery::parse(sql, scene.catalog.dialect) else { return BTreeSet::new() };
    let binding = sql::bind(&query, scene.catalog);
    let relations = binding.scopes.iter().flat_map(|scope| &scope.relations);
    relations.filter_map(|relation| relation.table()).map(str::to_lowercase).collect()
}

/// Twice what is shared over all: 0 to 1.
fn dice(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    let all = a.len() + b.len();
    if all == 0 {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "sets hold a few hundred words")]
    let ratio = 2.0 * a.intersection(b).count() as f32 / all as f32;
    ratio
}

/// Stems of all words in names of tables and columns that are told.
fn names(scene: &Scene<'_>) -> BTreeSet<String> {
    let tables = scene.kept.tables.iter();
    let names = tables.flat_map(|table| {
        std::iter::once(&table.name).chain(table.columns.iter().map(|column| &column.name))
    });
    // the same words stand in many names: each is stemmed once
    let words: BTreeSet<String> = names.flat_map(|name| words::of_name(name)).collect();
    words.iter().flat_map(|word| words::stems(word)).filter(|stem| stem.len() > 1).collect()
}

struct Word {
    text: String,
    /// A number, a quoted text, or a capital inside the sentence.
    is_value: bool,
}

/// Splits a question into words and tells which of them look like values.
fn raw_words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut quoted = false;
    for (n, piece) in text.split_whitespace().enumerate() {
        let opens = piece.starts_with(['\'', '"']);
        let is_number = piece.chars().any(|c| c.is_ascii_digit());
        let is_name = n > 0 && piece.chars().next().is_some_and(char::is_uppercase);
        quoted |= opens;
        words.push(Word { text: piece.to_owned(), is_value: quoted || is_number || is_name });
        if piece.trim_end_matches(['.', ',', '?', '!']).ends_with(['\'', '"']) {
            quoted = false;
        }
    }
    words
}

/// What a query is made of.
#[expect(clippy::struct_excessive_bools, reason = "five independent marks of a query")]
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    aggregates: bool,
    joins: bool,
    ranks: bool,
    /// CTEs, window functions or subqueries.
    steps: bool,
    /// Keeps rows for having no partner.
    lacks: bool,
}

impl Shape {
    fn of(sql: &str) -> Self {
        let lower = sql.to_lowercase();
        let words: BTreeSet<&str> =
            lower.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let has = |list: &[&str]| list.iter().any(|word| words.contains(word));
        let spaced = lower.split_whitespace().collect::<Vec<_>>().join(" ");
        let lacks = ["not exists", "not in", "except"].iter().any(|words| spaced.contains(words))
            || (has(&["left"]) && spaced.contains("is null"));
        Shape {
            aggregates: has(&["sum", "count", "avg", "min", "max", "group"]),
            // a query that looks for what is missing elsewhere reads two tables, too
            joins: has(&["join"]) || lacks,
            ranks: has(&["order", "limit", "rank", "row_number"]),
            steps: has(&["with", "over", "lag", "lead"]) || lower.matches("select").count() > 1,
            lacks,
        }
    }

    /// Measures how many of the question's wishes the shape meets: 0 to 1.
    fn suits(self, scene: &Scene<'_>) -> f32 {
        let kinds = &scene.request.understanding.kinds;
        let asks = |kind| kinds.iter().any(|(k, _)| *k == kind);
        let growth = asks(QuestionKind::Growth);
        let pairs = [
            (asks(QuestionKind::Aggregation) || growth, self.aggregates),
            (asks(QuestionKind::MultiTableJoin) || scene.focus.len() > 1, self.joins),
            (asks(QuestionKind::Ranking), self.ranks),
            (growth, self.steps),
            (asks_for_lacking(scene), self.lacks),
        ];
        #[expect(clippy::cast_precision_loss, reason = "at most five")]
        let met = pairs.iter().filter(|(wish, has)| wish == has).count() as f32;
        met / 5.0
    }
}
