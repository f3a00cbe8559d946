//! `knowledge check`: every name, formula and example held against the live schema.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::config::Config;
use crate::domain::counts::count;

use super::args::{KnowledgeAction, KnowledgeArgs};
use super::output::{print_json, print_safe, say};
use super::{exit, open, without_model};

/// Does what `knowledge` is asked.
pub(super) async fn knowledge(knowledge: KnowledgeArgs, config: Arc<Config>) -> u8 {
    let KnowledgeAction::Check { json: as_json, edges } = knowledge.action;
    let session = match open(without_model(edges), config).await {
        Ok(session) => session,
        Err(code) => return code,
    };
    let known = session.knowledge();
    let drift = session.drift();
    if as_json {
        let entries: Vec<Json> =
            drift.iter().map(|d| json!({ "entry": d.entry, "message": d.message })).collect();
        print_json(&json!({
            "source": known.source,
            "rules": known.rules.len(),
            "metrics": known.metrics.len(),
            "examples": known.examples.len(),
            "drift": entries,
        }));
    } else if known.source.is_empty() {
        say("no knowledge file belongs to this database");
    } else {
        for entry in &drift {
            print_safe(&format!("✗ {}: {}", entry.entry, entry.message));
        }
        say(&format!(
            "{}: {}, {}, {}, {} with the schema",
            known.source,
            count(known.rules.len(), "rule"),
            count(known.metrics.len(), "metric"),
            count(known.examples.len(), "example"),
            match drift.len() {
                1 => "1 disagrees".to_owned(),
                n => format!("{n} disagree"),
            },
        ));
    }
    if drift.is_empty() { exit::OK } else { exit::OPEN }
}
