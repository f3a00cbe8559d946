//! `knowledge`: a first file, its proof, proposals from the schema, files of other tools.
//!
//! What belongs here: one function for each action, and how its outcome is printed. What must never
//! come: reading a file's form, or adopting a proposal.
//! To add an action: a variant in `args`, an arm below.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::config::Config;
use crate::domain::counts::count;
use crate::pipeline::{self, Proposal, SessionError};

use super::args::Edges;
use super::output::{print_json, print_safe, say, say_hint};
use super::{exit, open, report, without_model};

mod args;
mod check;

pub(super) use args::KnowledgeArgs;

use args::KnowledgeAction;

/// Does what `knowledge` is asked.
pub(super) async fn knowledge(knowledge: KnowledgeArgs, config: Arc<Config>) -> u8 {
    match knowledge.action {
        KnowledgeAction::Init { file, edges } => init(file, edges, config).await,
        KnowledgeAction::Check { no_run, timeout, json, edges } => {
            check::check(check::Wish { run: !no_run, timeout, json }, edges, config).await
        }
        KnowledgeAction::Extract { json, edges } => extract(json, edges, config).await,
        KnowledgeAction::Import { file, .. } => import(&file),
    }
}

async fn init(file: Option<String>, edges: Edges, config: Arc<Config>) -> u8 {
    let printed = file.as_deref() == Some("-");
    let session = match open(without_model(edges), config).await {
        Ok(session) => session,
        Err(code) => return code,
    };
    let to = match file.map(PathBuf::from) {
        Some(file) => Some(file).filter(|file| file != Path::new("-")),
        None => session.knowledge_place(),
    };
    if to.is_none() && !printed {
        say("this database has no file beside which knowledge could lie");
        say_hint("Name a file, or - for standard output: querent knowledge init -");
        return exit::USAGE;
    }
    // what is there is told before the database is measured
    if let Some(path) = to.as_deref().filter(|path| path.exists()) {
        return taken(path);
    }
    let text = match session.first_knowledge().await {
        Ok(text) => text,
        Err(e) => return report(&e),
    };
    let Some(path) = to else {
        print_safe(text.trim_end());
        return exit::OK;
    };
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
    match made.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => {
            say(&format!("written: {}", path.display()));
            say_hint("Fill in what you know, then prove it: querent knowledge check --db …");
            exit::OK
        }
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => taken(&path),
        Err(e) => {
            say(&format!("{} can't be written: {e}", path.display()));
            exit::USAGE
        }
    }
}

fn taken(path: &Path) -> u8 {
    say(&format!("{} is there already, and is not written over", path.display()));
    say_hint("Name another file, or - for standard output: querent knowledge init -");
    exit::USAGE
}

async fn extract(as_json: bool, edges: Edges, config: Arc<Config>) -> u8 {
    let session = match open(without_model(edges), config).await {
        Ok(session) => session,
        Err(code) => return code,
    };
    let proposals = match session.proposals().await {
        Ok(proposals) => proposals,
        Err(e) => return report(&e),
    };
    if as_json {
        print_json(&Json::Array(proposals.iter().map(proposal).collect()));
        return exit::OK;
    }
    print_safe(pipeline::proposals_text(&proposals).trim_end());
    if proposals.is_empty() {
        say("no view, trigger, constraint, default, key or comment says more than the schema does");
        return exit::OK;
    }
    say(&format!(
        "{}: nothing is adopted; paste what is right into a knowledge file",
        count(proposals.len(), "proposal")
    ));
    exit::OK
}

fn proposal(proposal: &Proposal) -> Json {
    let cites: Vec<Json> =
        proposal.cites.iter().map(|c| json!({ "object": c.object, "text": c.text })).collect();
    json!({
        "kind": proposal.kind.name(),
        "toml": proposal.entry,
        "cites": cites,
        "note": proposal.note,
    })
}

fn import(file: &Path) -> u8 {
    let known = match pipeline::import(file) {
        Ok(known) => known,
        Err(e) => return refused(&e),
    };
    print_safe(pipeline::knowledge_text(&known).trim_end());
    for lost in &known.lost {
        say(lost);
    }
    exit::OK
}

fn refused(error: &SessionError) -> u8 {
    say(&error.to_string());
    exit::USAGE
}
