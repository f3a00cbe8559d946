//! What simpler ways of choosing would tell: BM25 over table descriptions, and keyword rules.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use querent::domain::package::{Form, SchemaContent};
use querent::domain::{Catalog, ComponentKind, Content, Table};
use querent::render;
use querent::search::{names, tokenise};

use super::gold::Question;
use super::score::Told;

/// Words that put relationships in (S0-043); plain substrings, as there.
const JOIN_WORDS: [&str; 5] = ["join", "with", "across", "by customer", "by product"];
/// Saturation and length weight of BM25 (Robertson and Zaragoza 2009, usual values).
const K1: f64 = 1.2;
const B: f64 = 0.75;

fn text(tables: Vec<Table>) -> String {
    let content = Content::Schema(SchemaContent { tables, ..SchemaContent::default() });
    render::component(ComponentKind::Schema, &content, Form::Text)
}

/// Counts the tokens of a whole schema.
pub(crate) fn whole(catalog: &Catalog) -> u32 {
    render::tokens(&text(catalog.tables.clone()))
}

/// Tells tables in the order given, whole, as many as fit.
fn tell(
    tables: impl Iterator<Item = Table>,
    budget: u32,
    relationships: bool,
    started: Instant,
) -> Told {
    let mut told = Told {
        tables: BTreeSet::new(),
        columns: BTreeSet::new(),
        relationships,
        anchors: String::new(),
        values: Vec::new(),
        tokens: render::tokens(&text(Vec::new())),
        elapsed_us: 0,
    };
    for table in tables {
        let tokens = render::tokens(&text(vec![table.clone()]));
        if told.tokens + tokens > budget {
            break;
        }
        told.tokens += tokens;
        told.tables.insert(table.name.to_lowercase());
        let columns =
            table.columns.iter().map(|c| (table.name.to_lowercase(), c.name.to_lowercase()));
        told.columns.extend(columns);
    }
    told.elapsed_us = started.elapsed().as_micros();
    told
}

fn stems(name: &str) -> Vec<String> {
    names::cut(name).iter().map(|word| querent::search::tokens::stem(word)).collect()
}

/// The schema from its start; relationships by keywords (S0-043 to S0-045).
pub(crate) fn keywords(catalog: &Catalog, question: &Question, budget: u32) -> Told {
    let started = Instant::now();
    let lower = question.text.to_lowercase();
    let relationships = JOIN_WORDS.iter().any(|word| lower.contains(word));
    tell(catalog.tables.iter().cloned(), budget, relationships, started)
}

/// An index over table descriptions: name, columns, comments.
pub(crate) struct Bm25 {
    documents: Vec<BTreeMap<String, f64>>,
    lengths: Vec<f64>,
    holders: BTreeMap<String, usize>,
}

impl Bm25 {
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let mut index =
            Bm25 { documents: Vec::new(), lengths: Vec::new(), holders: BTreeMap::new() };
        for table in &catalog.tables {
            let mut words = stems(&table.name);
            words
                .extend(table.comment.iter().flat_map(|comment| tokenise(comment)).map(|t| t.stem));
            for column in &table.columns {
                words.extend(stems(&column.name));
                words.extend(
                    column.comment.iter().flat_map(|comment| tokenise(comment)).map(|t| t.stem),
                );
            }
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            for word in &words {
                *counts.entry(word.clone()).or_default() += 1.0;
            }
            for word in counts.keys() {
                *index.holders.entry(word.clone()).or_default() += 1;
            }
            index.documents.push(counts);
            index.lengths.push(words.len() as f64);
        }
        index
    }

    pub(crate) fn told(&self, catalog: &Catalog, question: &Question, budget: u32) -> Told {
        let started = Instant::now();
        let words: BTreeSet<String> =
            tokenise(&question.text).into_iter().map(|t| t.stem).collect();
        let all = self.documents.len() as f64;
        let mean = self.lengths.iter().sum::<f64>() / all.max(1.0);
        let mut ranked: Vec<(f64, usize)> = Vec::new();
        for (n, (counts, length)) in self.documents.iter().zip(&self.lengths).enumerate() {
            let score: f64 = words
                .iter()
                .filter_map(|word| Some((counts.get(word)?, *self.holders.get(word)? as f64)))
                .map(|(count, holders)| {
                    let idf = (1.0 + (all - holders + 0.5) / (holders + 0.5)).ln();
                    idf * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / mean))
                })
                .sum();
            ranked.push((-score, n));
        }
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let tables = ranked.iter().filter_map(|(_, n)| catalog.tables.get(*n)).cloned();
        tell(tables, budget, true, started)
    }
}
