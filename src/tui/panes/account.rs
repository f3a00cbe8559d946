//! Everything an event says, for reading: a sentence, then what was found, in words and tables.

use crate::domain::counts::{count, grouped};
use crate::domain::{Answer, Call, Happened, Options, Question, ResultColumn, ResultId, Rows};
use crate::shown::Shown;

use super::super::moment::RunView;
use super::children;
use super::steps::{self, duration};

/// Writes everything event `n` of a run says.
pub fn whole(run: &RunView, n: usize) -> String {
    let Some(event) = run.events.get(n) else { return String::new() };
    match &event.happened {
        Happened::PackageReady(package) => package.text(),
        Happened::Drafted { sql, note, calls, .. } => drafted(sql, note, calls),
        Happened::Asked { question, .. } => asked(run, question, n),
        Happened::Ran { attempt, version, rows, elapsed_us } => {
            ran(run, (*attempt, *version), rows, *elapsed_us)
        }
        Happened::Rewritten { sql, repair, .. } => {
            let words = format!("{} → {}", repair.from, repair.to);
            [words, format!("because: {}", repair.evidence), format!("SQL:\n{sql}")].join("\n\n")
        }
        Happened::Answered(answer) => answered(answer, n, run),
        Happened::Understood(_)
        | Happened::Gathered { .. }
        | Happened::Planned { .. }
        | Happened::Checked { .. }
        | Happened::Estimated { .. }
        | Happened::Probed { .. }
        | Happened::Reviewed { .. }
        | Happened::Failed { .. }
        | Happened::Advised { .. }
        | Happened::AttemptClosed { .. }
        | Happened::Paused(_)
        | Happened::Resumed(_)
        | Happened::Escalated { .. }
        | Happened::Explained { .. }
        | Happened::Sampled { .. }
        | Happened::Compared { .. }
        | Happened::Judged(_) => listed(run, n),
    }
}

/// Writes the line of an event, and below it what it found, a line each.
fn listed(run: &RunView, n: usize) -> String {
    let told = run.events.get(n).map(|event| steps::told(&event.happened));
    let detail = told.map(|told| told.detail).filter(|detail| !detail.is_empty());
    let found = found(run, n);
    detail.into_iter().chain((!found.is_empty()).then_some(found)).collect::<Vec<_>>().join("\n\n")
}

/// Writes what an event found: labels in a column, evidence below its finding.
fn found(run: &RunView, n: usize) -> String {
    let children = children::of(run, n);
    let wide = children.iter().map(|line| Shown::new(&line.label).width()).max().unwrap_or(0);
    let line = |line: &super::tree::Line| {
        let blank = " ".repeat(wide.saturating_sub(Shown::new(&line.label).width()));
        format!("{}{blank}  {}", line.label, line.detail)
    };
    children.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn drafted(sql: &str, note: &str, calls: &[Call]) -> String {
    let mut parts = vec![sql.to_owned()];
    if !note.is_empty() {
        parts.push(format!("Note:\n{note}"));
    }
    for call in calls {
        let usage = call.usage;
        parts.push(format!(
            "── {} · {} · {} read ({} from cache), {} written{}",
            call.model,
            duration(call.elapsed_us),
            grouped(usage.input_tokens),
            grouped(usage.cached_tokens),
            grouped(usage.output_tokens),
            children::estimate(call)
        ));
        parts.extend(call.messages.iter().map(|(role, words)| format!("[{role}]\n{words}")));
        parts.push(format!("[reply]\n{}", call.reply));
    }
    parts.join("\n\n")
}

fn asked(run: &RunView, question: &Question, n: usize) -> String {
    let live = &run.live;
    let mut parts = Vec::new();
    if !question.text.is_empty() {
        parts.push(question.text.clone());
    }
    parts.extend(question.sql.as_ref().map(|sql| format!("SQL:\n{sql}")));
    parts.extend(question.evidence.as_ref().map(|words| format!("Given with it: {words}")));
    let scripted = if live.scripted { " (scripted)" } else { "" };
    let knowledge = if live.knowledge.is_empty() { "none" } else { &live.knowledge };
    let mut on = vec![
        format!("database   {} · {}", live.database, live.engine),
        format!("model      {}{scripted}", live.model),
        format!("knowledge  {knowledge}"),
    ];
    let switched = question.switches.count();
    if switched > 0 {
        on.push(format!("switches   {switched} by hand"));
    }
    parts.push(on.join("\n"));
    parts.push(found(run, n));
    parts.join("\n\n")
}

/// Writes what came back: columns with their types, how many rows, the time, the limits.
fn ran(run: &RunView, (attempt, version): (u32, usize), rows: &Rows, elapsed_us: u64) -> String {
    let came = format!(
        "{} of {} in {}.",
        count(rows.row_count, "row"),
        count(rows.columns.len(), "column"),
        duration(elapsed_us)
    );
    let id = ResultId { run: run.id().clone(), attempt, version, view: 0 };
    let kept = run.kept(&id).map_or(0, |rows| rows.rows.len() as u64);
    let kept = match (kept == rows.row_count && !rows.truncated, kept) {
        (true, 0) => String::new(),
        (true, 1) => "It is kept with the run.".to_owned(),
        (true, _) => "All of them are kept with the run.".to_owned(),
        (false, kept) => {
            format!("{} kept with the run, of which it takes 1,000 or 1 MiB.", count(kept, "row"))
        }
    };
    let limits = limits(&run.live.question.options, rows);
    let mut parts = vec![came, columns(&rows.columns), kept, limits];
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// Lists columns: name, type, where it comes from.
fn columns(columns: &[ResultColumn]) -> String {
    let wide = |text: &str| Shown::new(text).width();
    let names = columns.iter().map(|column| wide(&column.name)).max().unwrap_or(0);
    let types = columns.iter().map(|column| wide(&column.data_type)).max().unwrap_or(0);
    let pad =
        |text: &str, to: usize| format!("{text}{}", " ".repeat(to.saturating_sub(wide(text))));
    let line = |column: &ResultColumn| {
        let from = column.origin.as_ref().map_or(String::new(), |from| format!("  from {from}"));
        let line = format!(
            "{}  {}{from}",
            pad(&column.name, names),
            pad(&column.data_type.to_lowercase(), types)
        );
        line.trim_end().to_owned()
    };
    columns.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn limits(options: &Options, rows: &Rows) -> String {
    let most = match (&rows.stopped, options.max_rows) {
        (Some(why), _) => format!("reading {why}"),
        (None, Some(most)) => format!("at most {}", count(most, "row")),
        (None, None) => "no limit of rows".to_owned(),
    };
    format!("Limits: {} s a statement, {most}.", options.timeout_ms / 1_000)
}

fn answered(answer: &Answer, n: usize, run: &RunView) -> String {
    let (verdict, _) = super::result_view::verdict(answer);
    let mut parts = vec![verdict];
    if !answer.summary.is_empty() {
        parts.push(answer.summary.clone());
    }
    if let Some(stop) = &answer.stop {
        parts.push(format!("{} ({})", stop.message, stop.code.name()));
        parts.push(stop.hint.clone());
    }
    if let Some(clarify) = &answer.clarify {
        let choices = clarify.choices.iter().enumerate().map(|(n, c)| format!("{}  {c}", n + 1));
        parts.push(clarify.question.clone());
        parts.push(choices.collect::<Vec<_>>().join("\n"));
    }
    let found = found(run, n);
    parts.extend((!found.is_empty()).then_some(found));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}
