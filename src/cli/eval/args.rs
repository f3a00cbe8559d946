//! What `eval` takes.

use std::path::PathBuf;

use clap::Args;

use super::super::args::{Edges, Terms};
use super::super::choices::ReportForm;

/// `eval`
#[derive(Debug, Args)]
pub(in crate::cli) struct EvalArgs {
    /// Sets: JSON lines with question, db and gold_sql; `-` reads standard input.
    #[arg(value_name = "SET", required = true)]
    pub(in crate::cli) sets: Vec<String>,
    /// Folder in which `db` of a line names DB.sqlite.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) db_dir: Option<PathBuf>,
    /// Recorded answers of the set instead of a model; may be given several times, `all` takes each
    /// model that answers more than half of a set.
    #[arg(long, value_name = "NAME", conflicts_with = "model")]
    pub(in crate::cli) recorded: Vec<String>,
    /// Leave out each component in turn.
    #[arg(long)]
    pub(in crate::cli) ablate: bool,
    /// Only questions on this database; may be given several times.
    #[arg(long, value_name = "DB", value_delimiter = ',')]
    pub(in crate::cli) only_db: Vec<String>,
    /// Questions at most, from the first.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) limit: Option<u32>,
    /// Write a chart of the shares of right answers, as SVG.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) chart: Option<PathBuf>,
    /// Write a JSON line for each question: verdicts, steps, SQL, cost.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) details: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Form of the report [default: markdown].
    #[arg(long, value_enum, conflicts_with = "json")]
    pub(in crate::cli) format: Option<ReportForm>,
    #[command(flatten)]
    pub(in crate::cli) edges: Edges,
    #[command(flatten)]
    pub(in crate::cli) terms: Terms,
}
