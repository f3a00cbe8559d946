//! The last look at what a component would tell: names on the deny list and literals of
//! declarations stay here, whoever put them into the content.

use crate::domain::package::{BusinessContent, RelationshipsContent, SchemaContent};
use crate::domain::schema::KeyOrigin;
use crate::domain::{Column, ColumnRef, Content, Example, Metric, Privacy, Table};
use crate::search::names::holds_word;

use super::redact::{quoted_replaced, without_literals, without_numbers, without_texts};
use super::scene::Scene;

/// Takes out of a content what may not leave; returns what went, in words.
pub(super) fn sieve(content: &mut Content, scene: &Scene<'_>) -> Vec<String> {
    let mut cut = Vec::new();
    match content {
        Content::Schema(schema) => of_schema(schema, scene),
        Content::Relationships(keys) => of_keys(keys, scene),
        Content::Business(business) => of_business(business, scene, &mut cut),
        Content::Examples(pairs) | Content::History(pairs) => of_pairs(pairs, scene, &mut cut),
        // Rows and figures are of columns that may be told, each looked at when it was taken;
        // errors are redacted as they are taken.
        Content::Samples(_) | Content::Statistics(_) | Content::Errors(_) | Content::Empty => {}
    }
    cut
}

fn of_schema(content: &mut SchemaContent, scene: &Scene<'_>) {
    for table in &mut content.tables {
        let hides =
            |column: &Column| scene.withheld.hides_data(&ColumnRef::new(&table.name, &column.name));
        let secret: Vec<String> =
            table.columns.iter().filter(|c| hides(c)).map(|c| c.name.clone()).collect();
        for column in &mut table.columns {
            if secret.contains(&column.name) {
                column.comment = None;
                column.default = None;
            }
            of_column(column, scene);
        }
        of_constraints(table, &secret, scene);
    }
    content.notes.retain(|note| !scene.withheld.names_hidden(note));
    content.meanings.retain(|(_, meaning)| !scene.withheld.names_hidden(meaning));
    content.columns.retain(|meaning| {
        let more = meaning.unit.iter().chain(&meaning.format);
        !more.chain([&meaning.text]).any(|text| scene.withheld.names_hidden(text))
    });
}

fn of_column(column: &mut Column, scene: &Scene<'_>) {
    if let Some(comment) = &mut column.comment {
        *comment = scene.withheld.without_names(comment, "");
    }
    if scene.privacy == Privacy::Names {
        column.data_type = without_texts(&column.data_type);
        column.default = column.default.as_deref().map(without_literals);
    }
}

/// Checks and indexes are written about columns: those about a secret one go whole.
fn of_constraints(table: &mut Table, secret: &[String], scene: &Scene<'_>) {
    if let Some(comment) = &mut table.comment {
        *comment = scene.withheld.without_names(comment, "");
    }
    let about_secret = |text: &str| {
        scene.withheld.names_hidden(text) || secret.iter().any(|name| holds_word(text, name))
    };
    table.checks.retain(|check| !about_secret(check));
    table.indexes.retain(|index| {
        // an index's parts are names, or expressions that may hold literals
        let parts = index.columns.join(", ");
        !scene.withheld.names_hidden(&index.name) && !scene.withheld.names_hidden(&parts)
    });
    if scene.privacy == Privacy::Names {
        table.checks.iter_mut().for_each(|check| *check = without_literals(check));
        for part in table.indexes.iter_mut().flat_map(|index| &mut index.columns) {
            *part = without_texts(part);
        }
    }
}

/// How a key was inferred may hold counts, why people told it a name.
fn of_keys(content: &mut RelationshipsContent, scene: &Scene<'_>) {
    for key in &mut content.keys {
        if let KeyOrigin::Told(why) = &mut key.origin
            && scene.withheld.names_hidden(why)
        {
            why.clear();
        }
    }
    if scene.privacy != Privacy::Names {
        return;
    }
    for key in &mut content.keys {
        if let KeyOrigin::Inferred(why) = &mut key.origin {
            *why = without_numbers(why, "");
        }
    }
}

fn of_business(content: &mut BusinessContent, scene: &Scene<'_>, cut: &mut Vec<String>) {
    let hidden = |text: &str| scene.withheld.names_hidden(text);
    let metric_hidden = |metric: &Metric| {
        hidden(&metric.formula)
            || metric.filter.as_deref().is_some_and(hidden)
            || hidden(&metric.meaning)
            || metric.grain.as_deref().is_some_and(hidden)
    };
    let all = (content.metrics.len(), content.rules.len(), content.conventions.len());
    content.metrics.retain(|metric| !metric_hidden(metric));
    content.words.retain(|(word, name)| !hidden(word) && !hidden(name));
    content.rules.retain(|rule| !hidden(rule));
    content.conventions.retain(|convention| !hidden(convention));
    note(all.0 - content.metrics.len(), "metric", cut);
    note(all.1 - content.rules.len(), "rule", cut);
    note(all.2 - content.conventions.len(), "convention", cut);
}

/// Pairs that use a hidden column go; literals stored in a secret column become `'…'`.
fn of_pairs(pairs: &mut Vec<Example>, scene: &Scene<'_>, cut: &mut Vec<String>) {
    let all = pairs.len();
    let hidden = |text: &str| scene.withheld.names_hidden(text);
    pairs.retain(|pair| !hidden(&pair.sql) && !hidden(&pair.question));
    note(all - pairs.len(), "pair", cut);
    let lists = &scene.request.facts.values;
    let secret = |quoted: &str| {
        let mut stored = lists.iter().filter(|list| list.values.iter().any(|v| v == quoted));
        stored.any(|list| scene.withheld.hides_data(&list.at))
    };
    for pair in pairs {
        pair.sql = quoted_replaced(&pair.sql, false, |quoted| !secret(quoted));
        pair.question = quoted_replaced(&pair.question, false, |quoted| !secret(quoted));
    }
}

/// Says how much went because it names a column on the deny list.
fn note(gone: usize, noun: &str, cut: &mut Vec<String>) {
    let gone = u64::try_from(gone).unwrap_or(u64::MAX);
    if gone > 0 {
        let what = crate::domain::counts::count(gone, noun);
        cut.push(format!("{what} about a column on the deny list"));
    }
}
