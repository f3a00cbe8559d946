//! `eval`: a set of questions through the pipeline, its score on standard output.
//!
//! What belongs here: arguments to terms, files, exit codes. What must never come: scoring.
//! To add an option: a field in `args`, its way into `terms`.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;

use crate::chart::export;
use crate::config::Config;
use crate::domain::{StopCode, Switches};
use crate::evaluation::report::{chart, json, markdown};
use crate::evaluation::{Evaluation, Fatal, Narrow, Progress, Suite, evaluate};

use super::choices::ReportForm;
use super::output::{escaped, print_json, print_safe, say, say_hint};
use super::terms::{options, say_unbuilt};
use super::{batch, exit, report, setup};

mod args;
mod meter;

pub(super) use args::EvalArgs;
use meter::Meter;

/// A measured set, or the exit code of why it can't be.
type Tried<T> = Result<T, u8>;

/// Measures a set.
pub(super) async fn eval(eval: EvalArgs, config: Arc<Config>) -> u8 {
    match try_eval(eval, config).await {
        Ok(code) | Err(code) => code,
    }
}

async fn try_eval(eval: EvalArgs, config: Arc<Config>) -> Tried<u8> {
    let suite = suite(&eval)?;
    let recordings = suite.named(&eval.recorded).map_err(|e| refuse(&e.what, &e.hint))?;
    say_recordings(&suite, &eval);
    free(eval.chart.as_deref(), eval.terms.yes, &eval.sets, is_chart)?;
    free(eval.details.as_deref(), eval.terms.yes, &eval.sets, is_details)?;
    let terms = terms(&eval, recordings, config);
    let evaluation = measure(&suite, &terms).await?;
    if let Some(path) = &eval.chart {
        let text = export::svg(&chart::chart(&evaluation)).map_err(|e| refuse(&e.to_string(), ""));
        put(path, text?.as_bytes())?;
    }
    if let Some(path) = &eval.details {
        put(path, details(&evaluation).as_bytes())?;
    }
    if eval.json || eval.format == Some(ReportForm::Json) {
        print_json(&json::report(&evaluation));
    } else {
        print_safe(markdown::report(&evaluation).trim_end());
    }
    Ok(code(&evaluation))
}

/// Says what is wrong and what to do; it is wrong usage.
fn refuse(what: &str, hint: &str) -> u8 {
    say(what);
    say_hint(hint);
    exit::USAGE
}

/// Reads the set and keeps what shall be asked.
fn suite(eval: &EvalArgs) -> Tried<Suite> {
    if let Some(folder) = eval.db_dir.as_deref().filter(|folder| !folder.is_dir()) {
        let what = format!("--db-dir {} is no folder", folder.display());
        return Err(refuse(&what, "Name the folder that holds the databases as NAME.sqlite."));
    }
    let mut suite = Suite::default();
    for set in &eval.sets {
        let lines = batch::lines(Some(set)).ok_or(exit::USAGE)?;
        suite.read(name(set), lines);
    }
    if suite.items.is_empty() && suite.unreadable.is_empty() {
        let hint = "A line is {\"id\", \"db\", \"question\", \"gold_sql\"}.";
        return Err(refuse(&format!("{} holds no questions", suite.sets.join(", ")), hint));
    }
    let limit = eval.limit.and_then(|n| usize::try_from(n).ok());
    let narrow = Narrow { databases: eval.only_db.clone(), limit };
    suite.narrow(&narrow).map_err(|e| refuse(&e.what, &e.hint))?;
    Ok(suite)
}

/// Names a set by its file.
fn name(set: &str) -> String {
    if set == "-" {
        return "standard input".to_owned();
    }
    let file = Path::new(set).file_name();
    file.map_or_else(|| set.to_owned(), |file| file.to_string_lossy().into_owned())
}

/// Tells of recorded answers that lie unused.
fn say_recordings(suite: &Suite, eval: &EvalArgs) {
    let recordings = suite.recordings();
    if let Some((first, _)) = recordings.first().filter(|_| eval.recorded.is_empty()) {
        let n = crate::domain::counts::count(recordings.len(), "model");
        say(&format!("the set holds recorded answers of {n}: --recorded \"{first}\" scores them"));
    }
}

fn terms(
    eval: &EvalArgs,
    recordings: Vec<String>,
    config: Arc<Config>,
) -> crate::evaluation::Terms {
    let options = options(&eval.terms, &config);
    say_unbuilt(&options);
    crate::evaluation::Terms {
        folder: eval.db_dir.clone(),
        recordings,
        options,
        switches: Switches {
            without: eval.terms.without.iter().copied().collect(),
            ..Switches::default()
        },
        evidence: eval.terms.evidence.clone(),
        yes: eval.terms.yes,
        ablate: eval.ablate,
        setup: setup(eval.edges.clone(), config),
    }
}

/// Asks all questions; Ctrl-C ends with what was scored by then, a second one leaves.
async fn measure(suite: &Suite, terms: &crate::evaluation::Terms) -> Tried<Evaluation> {
    let (stop, stopping) = watch::channel(false);
    let mut meter = Meter::new();
    let mut told = |progress: &Progress| meter.show(progress);
    let work = evaluate(suite, terms, &mut told, stopping);
    tokio::pin!(work);
    let interrupt = tokio::signal::ctrl_c();
    tokio::pin!(interrupt);
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            signal = &mut interrupt => {
                if signal.is_err() || *stop.borrow() {
                    return Err(exit::CANCELLED);
                }
                say("stopping: the report is of what was scored by now; Ctrl-C again leaves");
                stop.send_replace(true);
                interrupt.set(tokio::signal::ctrl_c());
            }
        }
    };
    done.map_err(|Fatal(e)| report(&e))
}

/// The exit code: a part is cancelled, a line that was not scored is an error line, a model that
/// never answered can't be used.
fn code(evaluation: &Evaluation) -> u8 {
    let live = || evaluation.measured.iter().filter(|m| !m.subject.recorded);
    let mut asked = live().flat_map(|m| &m.scored).peekable();
    if evaluation.cancelled {
        return exit::CANCELLED;
    }
    if asked.peek().is_some() && asked.all(|one| one.stop == Some(StopCode::Model)) {
        say("the model answered none of the questions");
        return exit::MODEL;
    }
    if evaluation.unscored.is_empty() { exit::OK } else { exit::OPEN }
}

fn details(evaluation: &Evaluation) -> String {
    let mut text = String::new();
    for measured in &evaluation.measured {
        for one in &measured.scored {
            let set = evaluation.sets.get(one.place.set).map_or("", String::as_str);
            let line = json::question(&measured.subject.name, set, one);
            text.push_str(&escaped(&line.to_string()));
            text.push('\n');
        }
    }
    text
}

/// Makes sure, before anything is asked, that a file may be written: it is new, or an earlier one of
/// ours, or `--yes` was given. The set itself is never written over.
fn free(path: Option<&Path>, yes: bool, sets: &[String], ours: fn(&str) -> bool) -> Tried<()> {
    let Some(path) = path.filter(|path| path.exists()) else { return Ok(()) };
    let same = |one: &Path, other: &Path| matches!((one.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if sets.iter().any(|set| same(path, Path::new(set))) {
        let what = format!("{} is the set itself", path.display());
        return Err(refuse(&what, "Name another file."));
    }
    let known = std::fs::read_to_string(path).is_ok_and(|text| text.is_empty() || ours(&text));
    if yes || known {
        return Ok(());
    }
    let what = format!("{} is there already and is no report of this kind", path.display());
    Err(refuse(&what, "Name another file, or give --yes to replace it."))
}

fn is_chart(text: &str) -> bool {
    text.starts_with("<svg")
}

fn is_details(text: &str) -> bool {
    let first =
        text.lines().next().and_then(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    first.is_some_and(|line| line.get("moves").is_some() && line.get("gold_sql").is_some())
}

fn put(path: &Path, bytes: &[u8]) -> Tried<()> {
    std::fs::write(path, bytes)
        .map_err(|e| refuse(&format!("{} can't be written: {e}", path.display()), ""))
}
