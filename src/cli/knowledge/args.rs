//! The arguments of `knowledge`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::super::args::{Edges, seconds};

/// `knowledge`
#[derive(Debug, Args)]
pub(in crate::cli) struct KnowledgeArgs {
    /// What to do.
    #[command(subcommand)]
    pub(super) action: KnowledgeAction,
}

/// What `knowledge` can do.
#[derive(Debug, Subcommand)]
pub(super) enum KnowledgeAction {
    /// Write a first knowledge file from the schema and what is stored, to be filled in.
    Init {
        /// Where to; `-` is standard output [default: beside the database file]. A file that is
        /// there is never written over.
        file: Option<String>,
        #[command(flatten)]
        edges: Edges,
    },
    /// Hold every name and formula against the schema, and run the examples.
    Check {
        /// Bind names only: run no example and no formula, look at no data.
        #[arg(long)]
        no_run: bool,
        /// Seconds for each statement [default: 30].
        #[arg(long, value_name = "SECONDS", value_parser = seconds)]
        timeout: Option<f64>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        edges: Edges,
    },
    /// Propose rules, joins, metrics and meanings from views, triggers, constraints and comments.
    Extract {
        /// Print JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        edges: Edges,
    },
    /// Print a dbt or Cube file as a knowledge file.
    Import {
        /// A YAML file: dbt schema or semantic models, or a Cube data model.
        file: PathBuf,
        /// Taken as every command does; an import needs none of it.
        #[command(flatten)]
        edges: Edges,
    },
}
