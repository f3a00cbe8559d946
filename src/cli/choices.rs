//! The closed sets of words that arguments take, and what each means.

use clap::ValueEnum;

use crate::domain::package::Form;
use crate::domain::{Privacy, RepairMode, Route, RunPolicy};

/// Forms of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Summary and aligned columns.
    Table,
    /// Comma-separated values, every row.
    Csv,
    /// Tab-separated values, every row.
    Tsv,
    /// One JSON object, as `--json`.
    Json,
    /// A JSON object a row, every row.
    Jsonl,
    /// A Markdown table.
    Markdown,
}

/// Forms of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportForm {
    /// Tables and sentences.
    Markdown,
    /// One JSON object, as `--json`.
    Json,
}

/// Forms of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormArg {
    /// Headed sections.
    Text,
    /// Token-Oriented Object Notation.
    Toon,
    /// Tables and keys only.
    Skeleton,
}

impl From<FormArg> for Form {
    fn from(form: FormArg) -> Self {
        match form {
            FormArg::Text => Form::Text,
            FormArg::Toon => Form::Toon,
            FormArg::Skeleton => Form::Skeleton,
        }
    }
}

/// Privacy levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PrivacyArg {
    /// Names, types, comments, knowledge.
    Names,
    /// Also counts, ranges, short value lists.
    Stats,
    /// Also samples and stored spellings.
    Rows,
}

impl From<PrivacyArg> for Privacy {
    fn from(level: PrivacyArg) -> Self {
        match level {
            PrivacyArg::Names => Privacy::Names,
            PrivacyArg::Stats => Privacy::Stats,
            PrivacyArg::Rows => Privacy::Rows,
        }
    }
}

/// Repair lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RepairArg {
    /// None.
    None,
    /// Rewrites made here.
    Local,
    /// The model is told and writes again.
    Model,
    /// Local first, then the model.
    Both,
}

impl From<RepairArg> for RepairMode {
    fn from(mode: RepairArg) -> Self {
        match mode {
            RepairArg::None => RepairMode::None,
            RepairArg::Local => RepairMode::Local,
            RepairArg::Model => RepairMode::Model,
            RepairArg::Both => RepairMode::Both,
        }
    }
}

/// Routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RouteArg {
    /// By complexity.
    Auto,
    /// One draft.
    Single,
    /// Islands.
    Divided,
}

impl From<RouteArg> for Route {
    fn from(route: RouteArg) -> Self {
        match route {
            RouteArg::Auto => Route::Auto,
            RouteArg::Single => Route::Single,
            RouteArg::Divided => Route::Divided,
        }
    }
}

/// Run policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PolicyArg {
    /// None.
    Auto,
    /// Those that the engine's estimate calls costly.
    AskCostly,
    /// All that are not typed by you.
    Ask,
}

impl From<PolicyArg> for RunPolicy {
    fn from(policy: PolicyArg) -> Self {
        match policy {
            PolicyArg::Auto => RunPolicy::Auto,
            PolicyArg::AskCostly => RunPolicy::AskCostly,
            PolicyArg::Ask => RunPolicy::Ask,
        }
    }
}
