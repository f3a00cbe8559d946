//! The samples component: first rows of linked tables (S0-031, S0-032).

use crate::domain::{ColumnRef, ComponentKind, Content, Privacy, Sample, Value};

use super::Proposal;
use super::scene::{Scene, same};
use super::secrets::has_secret_shape;
use super::selection::{Verdict, wanted};

/// Most rows of a table (S0-032).
const MOST_ROWS: usize = 3;

/// Proposes the first rows of the tables that the question is about.
pub(super) fn propose(scene: &Scene<'_>) -> Proposal {
    if scene.privacy != Privacy::Rows {
        let level = scene.privacy.name();
        return Proposal::nothing(format!("privacy level {level} sends no rows"));
    }
    let about = scene.told_about();
    if about.is_empty() {
        return Proposal::nothing("no table is linked");
    }
    let all = &scene.request.facts.samples;
    let samples: Vec<Sample> = about
        .iter()
        .filter_map(|table| all.iter().find(|sample| same(&sample.table, table)))
        .filter(|sample| !sample.columns.iter().all(|column| is_key(scene, &sample.table, column)))
        .filter(|sample| !sample.rows.is_empty())
        .map(|sample| told(scene, sample))
        .collect();
    if samples.is_empty() {
        return Proposal::nothing("no rows are read");
    }
    // Every kind of question wants samples (S0-050).
    let reason = wanted(scene, ComponentKind::Samples);
    let verdict = match reason {
        Some(_) => Verdict::is_in("shows how the tables look"),
        None => Verdict::Out("the question's kind needs none".to_owned()),
    };
    Proposal::new(Content::Samples(samples), verdict)
}

/// Tells whether a column is of a key: the rows of a table of keys show nothing.
fn is_key(scene: &Scene<'_>, table: &str, column: &str) -> bool {
    let primary = scene.column(&ColumnRef::new(table, column)).is_some_and(|c| c.primary);
    let holds = |columns: &[String]| columns.iter().any(|of| same(of, column));
    let mut keys = scene.request.graph.keys_of(table);
    primary || keys.any(|key| same(&key.from_table, table) && holds(&key.from_columns))
}

/// Leaves out hidden columns, and the content of secret ones.
fn told(scene: &Scene<'_>, sample: &Sample) -> Sample {
    let at = |column: &String| ColumnRef::new(&sample.table, column);
    let columns: Vec<(usize, &String, bool)> = sample
        .columns
        .iter()
        .enumerate()
        .filter(|(_, column)| !scene.withheld.hides_name(&sample.table, column))
        .map(|(n, column)| (n, column, scene.withheld.hides_data(&at(column))))
        .collect();
    let cell = |row: &[Value], n: usize, secret: bool| {
        if secret {
            return Value::Text("(withheld)".to_owned());
        }
        match row.get(n) {
            Some(Value::Text(text)) if has_secret_shape(text) => {
                Value::Text("(withheld)".to_owned())
            }
            value => value.cloned().unwrap_or_default(),
        }
    };
    let row = |row: &Vec<Value>| columns.iter().map(|&(n, _, s)| cell(row, n, s)).collect();
    Sample {
        table: sample.table.clone(),
        columns: columns.iter().map(|(_, column, _)| (*column).clone()).collect(),
        rows: sample.rows.iter().take(MOST_ROWS).map(row).collect(),
    }
}
