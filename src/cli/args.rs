//! The arguments as typed: one table that parsing, help, completions and the man page come from.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::domain::ComponentKind;
use crate::sql::nearest::nearest;

use super::choices::{FormArg, Format, PolicyArg, PrivacyArg, RepairArg, RouteArg};
use super::eval::EvalArgs;
use super::knowledge::KnowledgeArgs;

/// Ask a database in plain language, see what the model was told, and defend the answer.
#[derive(Debug, Parser)]
#[command(name = "querent", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(after_help = "Without a command the workbench opens.\n\n\
    Examples:\n  \
    querent                              the workbench on a demo database\n  \
    querent shop.sqlite                  the workbench on a file\n  \
    querent ask --db demo \"How many bookings are there?\"\n  \
    querent check --db shop.sqlite \"SELECT pric FROM items\"")]
pub(super) struct Arguments {
    /// Command; none opens the workbench.
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Database of the workbench: a file, sqlite:PATH, demo:NAME or a profile.
    #[arg(value_name = "DB")]
    pub(super) database: Option<String>,
    /// SQL to run at once in the workbench.
    #[arg(long, value_name = "SQL")]
    pub(super) sql: Option<String>,
    /// Tell the workbench as plain lines, one pane at a time, for screen readers.
    #[arg(long)]
    pub(super) linear: bool,
    #[command(flatten)]
    pub(super) edges: Edges,
    #[command(flatten)]
    pub(super) terms: Terms,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Ask a question and get a summary, a table, and its trust.
    Ask(Ask),
    /// Run SQL of your own through check, run and review.
    Run(RunSql),
    /// Show the context package of a question; no model is asked.
    Context(Context),
    /// Check SQL without running it.
    Check(Check),
    /// Measure a model over a set of questions with gold SQL.
    Eval(EvalArgs),
    /// Show tables, columns and keys.
    Schema(Schema),
    /// List, rate and verify past runs.
    Runs(Runs),
    /// Print what a past run printed, without database or network.
    Replay(Replay),
    /// List and withdraw what is remembered as verified.
    Memory(MemoryArgs),
    /// Start, prove, extend or import what people know of a database.
    Knowledge(KnowledgeArgs),
    /// List models and what stands in their way.
    Models(Plain),
    /// Show every setting and where it comes from.
    Config(Plain),
    /// Print shell completions.
    Completions {
        /// Shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}

/// What is opened.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Edges {
    /// Database: a file, sqlite:PATH, demo:NAME or a profile.
    #[arg(long, value_name = "DB")]
    pub(super) db: Option<String>,
    /// Model: provider:name, rules, script:NAME, record:FILE=provider:name, replay:FILE.
    #[arg(long, value_name = "MODEL")]
    pub(super) model: Option<String>,
    /// Knowledge file.
    #[arg(long, value_name = "FILE")]
    pub(super) knowledge: Option<PathBuf>,
    /// What may leave this machine.
    #[arg(long, value_enum)]
    pub(super) privacy: Option<PrivacyArg>,
}

/// Budgets and terms of a run.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Terms {
    /// Attempts at most, 1 to 10 [default: 3].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    pub(super) max_attempts: Option<u32>,
    /// Model calls at most [default: 12].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_calls: Option<u32>,
    /// Seconds for one statement [default: 30].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<f64>,
    /// Seconds for the whole run [default: 120].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) deadline: Option<f64>,
    /// Tokens of the context package [default: 6000].
    #[arg(long, value_name = "N")]
    pub(super) tokens: Option<u32>,
    /// Form the package is told in [default: text].
    #[arg(long, value_enum)]
    pub(super) form: Option<FormArg>,
    /// Rows read at most; without it all are.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_rows: Option<u64>,
    /// Repair lanes that are open [default: both].
    #[arg(long, value_enum)]
    pub(super) repair: Option<RepairArg>,
    /// Component to leave out of the package; may be given several times.
    #[arg(long, value_name = "COMPONENT", value_parser = component)]
    pub(super) without: Vec<ComponentKind>,
    /// One draft, islands (not built yet), or by complexity [default: auto].
    #[arg(long, value_enum)]
    pub(super) route: Option<RouteArg>,
    /// Also draft further candidates to compare, and have a judge read the SQL in words.
    #[arg(long)]
    pub(super) thorough: bool,
    /// A hint that joins the package for this question.
    #[arg(long, value_name = "TEXT")]
    pub(super) evidence: Option<String>,
    /// Run that this question follows up.
    #[arg(long, value_name = "RUN")]
    pub(super) follow: Option<String>,
    /// Which statements want approval before they run [default: auto, that is none].
    #[arg(long, value_enum)]
    pub(super) policy: Option<PolicyArg>,
    /// Approve every statement; without it and without a terminal, one that asks isn't run.
    #[arg(long)]
    pub(super) yes: bool,
}

/// How results are printed.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Printing {
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// Form of the result.
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// Stream events as JSON lines to standard error.
    #[arg(long)]
    pub(super) trace: bool,
}

/// Lines in, lines out.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Batch {
    /// Read JSON lines from a file, or from standard input with `-`; answer a line each.
    #[arg(long, value_name = "FILE")]
    pub(super) jsonl: Option<String>,
    /// Folder in which `db` of a line names DB.sqlite.
    #[arg(long, value_name = "DIR")]
    pub(super) db_dir: Option<PathBuf>,
}

/// `ask`
#[derive(Debug, Args)]
pub(super) struct Ask {
    /// The question; `-` reads standard input.
    pub(super) question: Option<String>,
    #[command(flatten)]
    pub(super) edges: Edges,
    #[command(flatten)]
    pub(super) terms: Terms,
    #[command(flatten)]
    pub(super) printing: Printing,
    #[command(flatten)]
    pub(super) batch: Batch,
}

/// `run`
#[derive(Debug, Args)]
pub(super) struct RunSql {
    /// The SQL; `-` reads standard input.
    pub(super) sql: String,
    #[command(flatten)]
    pub(super) edges: Edges,
    #[command(flatten)]
    pub(super) terms: Terms,
    #[command(flatten)]
    pub(super) printing: Printing,
}

/// `context`
#[derive(Debug, Args)]
pub(super) struct Context {
    /// The question; `-` reads standard input.
    pub(super) question: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) edges: Edges,
    #[command(flatten)]
    pub(super) terms: Terms,
    #[command(flatten)]
    pub(super) batch: Batch,
}

/// `check`
#[derive(Debug, Args)]
pub(super) struct Check {
    /// The SQL; `-` reads standard input.
    pub(super) sql: Option<String>,
    /// The question that the SQL shall answer: gates that need it run too.
    #[arg(long, value_name = "Q")]
    pub(super) question: Option<String>,
    /// Let gates and repairs look at data.
    #[arg(long)]
    pub(super) probe: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) edges: Edges,
    #[command(flatten)]
    pub(super) terms: Terms,
    #[command(flatten)]
    pub(super) batch: Batch,
}

/// `schema`
#[derive(Debug, Args)]
pub(super) struct Schema {
    /// Table to show; none shows all.
    pub(super) table: Option<String>,
    /// Read the catalog and statistics anew.
    #[arg(long)]
    pub(super) refresh: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) edges: Edges,
}

/// `runs`
#[derive(Debug, Args)]
pub(super) struct Runs {
    /// What to do; none lists.
    #[command(subcommand)]
    pub(super) action: Option<RunsAction>,
    /// Runs listed at most.
    #[arg(long, default_value_t = 20)]
    pub(super) most: usize,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// With --db only runs of that database are listed.
    #[command(flatten)]
    pub(super) edges: Edges,
}

/// What `runs` can do.
#[derive(Debug, Subcommand)]
pub(super) enum RunsAction {
    /// Mark a run's question and SQL as verified, in your name.
    Verify {
        /// Run id, the start of one, or `last`.
        run: String,
        /// Name of the person who verifies [default: the configured user].
        #[arg(long, value_name = "NAME")]
        by: Option<String>,
    },
    /// Take a verification back.
    Withdraw {
        /// Run id, the start of one, or `last`.
        run: String,
    },
    /// Rate a run.
    Rate {
        /// Run id, the start of one, or `last`.
        run: String,
        /// `+`, `-`, or `none` to take the rating back.
        #[arg(allow_hyphen_values = true)]
        rating: String,
    },
}

/// `replay`
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// Run id, the start of one, or `last`.
    pub(super) run: String,
    #[command(flatten)]
    pub(super) printing: Printing,
    /// Taken as every command does; a replay needs none of it.
    #[command(flatten)]
    pub(super) edges: Edges,
}

/// `memory`
#[derive(Debug, Args)]
pub(super) struct MemoryArgs {
    /// What to do.
    #[command(subcommand)]
    pub(super) action: MemoryAction,
}

/// What `memory` can do.
#[derive(Debug, Subcommand)]
pub(super) enum MemoryAction {
    /// List verified pairs.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
        /// With --db only pairs of that database are listed.
        #[command(flatten)]
        edges: Edges,
    },
    /// Count what repairs and gates did in past runs: fired, kept, undone, right, wrong.
    Ledger {
        /// Runs counted at most, newest first.
        #[arg(long, default_value_t = 2_000)]
        most: usize,
        /// Print JSON.
        #[arg(long)]
        json: bool,
        /// With --db only runs of that database are counted.
        #[command(flatten)]
        edges: Edges,
    },
    /// Withdraw a verified pair.
    Withdraw {
        /// Run it came from: id, the start of one, or `last`.
        run: String,
    },
}

/// A command that only prints.
#[derive(Debug, Args)]
pub(super) struct Plain {
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// Taken as every command does.
    #[command(flatten)]
    pub(super) edges: Edges,
}

/// Reads a component's name; one that is none names the nearest.
fn component(name: &str) -> Result<ComponentKind, String> {
    if let Some(kind) = ComponentKind::named(&name.trim().to_lowercase()) {
        return Ok(kind);
    }
    let names = ComponentKind::ALL.map(ComponentKind::name);
    let close = nearest(name, names).first().map(|(close, _)| format!("did you mean {close}? "));
    Err(format!("{}components are {}", close.unwrap_or_default(), names.join(", ")))
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        Ok(_) | Err(_) => Err("give seconds above 0 and up to 86400".to_owned()),
    }
}
