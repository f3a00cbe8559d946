//! Batches: JSON lines in, a line each out, in order, with the same id. One bad line is an error
//! line, not a stop.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::config::Config;
use crate::domain::Question;
use crate::pipeline::{Abreast, Session, SessionError};
use crate::record::report;

use super::args::{Ask, Batch, Check, Context, Edges};
use super::ask::carry;
use super::output::{escaped, print, say};
use super::terms::{options, question};
use super::{check, exit, setup, without_model};

/// One line; fields that are not listed here are ignored.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Line {
    #[serde(default)]
    pub(super) id: Json,
    #[serde(default)]
    pub(super) question: Option<String>,
    #[serde(default)]
    pub(super) evidence: Option<String>,
    #[serde(default)]
    pub(super) sql: Option<String>,
    #[serde(default)]
    pub(super) db: Option<String>,
}

/// Databases opened by a batch, each once.
pub(super) struct Opened {
    edges: Edges,
    folder: Option<std::path::PathBuf>,
    config: Arc<Config>,
    sessions: BTreeMap<String, Arc<Session>>,
}

impl Opened {
    fn new(edges: Edges, batch: &Batch, config: Arc<Config>) -> Self {
        Opened { edges, folder: batch.db_dir.clone(), config, sessions: BTreeMap::new() }
    }

    /// Opens the database that a line names, or the one of the arguments.
    async fn session(&mut self, db: Option<&str>) -> Result<Arc<Session>, String> {
        let key = db.unwrap_or_default().to_owned();
        if let Some(session) = self.sessions.get(&key) {
            return Ok(session.clone());
        }
        let mut edges = self.edges.clone();
        if let Some(db) = db {
            edges.db = Some(self.address(db)?);
        }
        let opened = Session::open(setup(edges, self.config.clone())).await;
        let session = Arc::new(opened.map_err(|e| error_text(&e))?);
        self.sessions.insert(key, session.clone());
        Ok(session)
    }

    fn address(&self, db: &str) -> Result<String, String> {
        let Some(folder) = &self.folder else { return Ok(db.to_owned()) };
        // a name, not a way out of the folder
        if db.is_empty() || db.contains(['/', '\\']) || db.contains("..") {
            return Err(format!("'{db}' is no name of a database in the folder"));
        }
        Ok(folder.join(format!("{db}.sqlite")).display().to_string())
    }
}

fn error_text(error: &SessionError) -> String {
    format!("{error}. {}", error.hint()).trim_end().to_owned()
}

/// `ask --jsonl`
pub(super) async fn ask(ask: Ask, config: Arc<Config>) -> u8 {
    let mut opened = Opened::new(ask.edges.clone(), &ask.batch, config.clone());
    let mut bad = false;
    let Some(lines) = lines(ask.batch.jsonl.as_deref()) else { return exit::USAGE };
    for line in lines.filter(|line| !is_blank(line)) {
        let answer = match read(line) {
            Err(e) => Err(e),
            Ok(line) => ask_line(&mut opened, &ask, &config, &line).await.map_err(|e| (line.id, e)),
        };
        let cancelled = answer.as_ref().is_ok_and(|run| run["status"] == "cancelled");
        bad |= put(answer);
        if cancelled {
            return exit::CANCELLED;
        }
    }
    u8::from(bad)
}

async fn ask_line(
    opened: &mut Opened,
    ask: &Ask,
    config: &Config,
    line: &Line,
) -> Result<Json, String> {
    let session = opened.session(line.db.as_deref()).await?;
    let text = line.question.clone().unwrap_or_default();
    if text.trim().is_empty() && line.sql.is_none() {
        return Err("the line has neither a question nor sql".to_owned());
    }
    let unusable = |_| "the run to follow can't be read".to_owned();
    let mut question = question(&session, text, &ask.terms, config).await.map_err(unusable)?;
    question.evidence = line.evidence.clone().or(question.evidence);
    question.sql = line.sql.clone();
    question.id = id_text(&line.id);
    let transcript =
        carry(&session, question, ask.printing.trace, ask.terms.yes, |_| ControlFlow::Continue(()))
            .await;
    Ok(with_id(&line.id, report::report(&transcript)))
}

/// `context --jsonl`: packages are put together abreast, and printed in order.
pub(super) async fn context(context: Context, config: Arc<Config>) -> u8 {
    let edges = without_model(context.edges.clone());
    let mut opened = Opened::new(edges, &context.batch, config.clone());
    let mut bad = false;
    let mut abreast = Abreast::new();
    let Some(lines) = lines(context.batch.jsonl.as_deref()) else { return exit::USAGE };
    for line in lines.filter(|line| !is_blank(line)) {
        let begun = match read(line) {
            Err(e) => Err(e),
            Ok(line) => {
                let begun = context_line(&mut opened, &context, &config, &line).await;
                begun.map_err(|e| (line.id.clone(), e)).map(|(session, q)| (line.id, session, q))
            }
        };
        let work = async move {
            let (id, session, question) = begun?;
            match session.package(&question).await {
                Ok(package) => Ok(with_id(&id, report::context_report(&package))),
                Err(e) => Err((id, error_text(&e))),
            }
        };
        if let Some(oldest) = abreast.begin(work).await {
            bad |= put(oldest);
        }
        // who writes lines by hand or by a pipe may wait for each answer before the next line
        let waits = context.batch.jsonl.as_deref() == Some("-");
        if let Some(answer) = if waits { abreast.next().await } else { None } {
            bad |= put(answer);
        }
    }
    while let Some(answer) = abreast.next().await {
        bad |= put(answer);
    }
    u8::from(bad)
}

/// Opens the database of a line and makes its question.
async fn context_line(
    opened: &mut Opened,
    context: &Context,
    config: &Config,
    line: &Line,
) -> Result<(Arc<Session>, Question), String> {
    let session = opened.session(line.db.as_deref()).await?;
    let text = line.question.clone().ok_or("the line has no question")?;
    let unusable = |_| "the run to follow can't be read".to_owned();
    let mut question = question(&session, text, &context.terms, config).await.map_err(unusable)?;
    question.evidence = line.evidence.clone().or(question.evidence);
    Ok((session, question))
}

/// `check --jsonl`
pub(super) async fn check(args: Check, config: Arc<Config>) -> u8 {
    let edges = without_model(args.edges.clone());
    let repair = options(&args.terms, &config).repair;
    let mut opened = Opened::new(edges, &args.batch, config);
    let mut bad = false;
    let Some(lines) = lines(args.batch.jsonl.as_deref()) else { return exit::USAGE };
    for line in lines.filter(|line| !is_blank(line)) {
        let answer = match read(line) {
            Err(e) => Err(e),
            Ok(line) => {
                let checked = check_line(&mut opened, &args, repair.local(), &line).await;
                checked.map_err(|e| (line.id, e))
            }
        };
        bad |= put(answer);
    }
    u8::from(bad)
}

async fn check_line(
    opened: &mut Opened,
    args: &Check,
    repair: bool,
    line: &Line,
) -> Result<Json, String> {
    let session = opened.session(line.db.as_deref()).await?;
    let sql = line.sql.clone().ok_or("the line has no sql")?;
    let question = line.question.clone();
    let request = crate::pipeline::CheckRequest { sql, question, probe: args.probe, repair };
    let report = session.check(&request).await.map_err(|e| error_text(&e))?;
    Ok(check::json(&line.id, &report))
}

/// Opens the input; an unreadable file is said.
pub(super) fn lines(
    from: Option<&str>,
) -> Option<Box<dyn Iterator<Item = std::io::Result<Vec<u8>>>>> {
    let from = from?;
    if from == "-" {
        return Some(Box::new(std::io::BufReader::new(std::io::stdin()).split(b'\n')));
    }
    match std::fs::File::open(Path::new(from)) {
        Ok(file) => Some(Box::new(std::io::BufReader::new(file).split(b'\n'))),
        Err(e) => {
            say(&format!("{from} can't be read: {e}"));
            None
        }
    }
}

fn is_blank(line: &std::io::Result<Vec<u8>>) -> bool {
    line.as_ref().is_ok_and(|bytes| bytes.trim_ascii().is_empty())
}

/// Reads a line; trouble comes with the line's id where it has one.
fn read(line: std::io::Result<Vec<u8>>) -> Result<Line, (Json, String)> {
    let bytes = line.map_err(|e| (Json::Null, format!("the line can't be read: {e}")))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|e| (Json::Null, format!("the line is no UTF-8 text: {e}")))?;
    // a mark that some programs put before the first line
    let text = text.trim_start_matches('\u{feff}').trim();
    let json: Json = serde_json::from_str(text)
        .map_err(|e| (Json::Null, format!("the line is no JSON: {e}")))?;
    if !json.is_object() {
        return Err((Json::Null, "the line is no JSON object".to_owned()));
    }
    let id = json["id"].clone();
    serde_json::from_value(json)
        .map_err(|e| (id, format!("a field of the line has the wrong type: {e}")))
}

/// Prints an answer line or an error line; tells whether it was an error.
fn put(answer: Result<Json, (Json, String)>) -> bool {
    let bad = answer.is_err();
    let json =
        answer.unwrap_or_else(|(id, message)| json!({ "id": id, "error": { "message": message } }));
    print(&escaped(&json.to_string()));
    bad
}

/// Puts the id of the line first.
pub(super) fn with_id(id: &Json, answer: Json) -> Json {
    let mut object = Map::new();
    object.insert("id".to_owned(), id.clone());
    if let Json::Object(rest) = answer {
        object.extend(rest);
    }
    Json::Object(object)
}

fn id_text(id: &Json) -> Option<String> {
    match id {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => Some(id.to_string()),
    }
}
