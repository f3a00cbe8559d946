//! The context package: exactly what the model is told, piece by piece, with the reason for each.

use serde::{Deserialize, Serialize};

use super::facts::{ColumnStats, Sample};
use super::knowledge::{Example, Meaning, Metric};
use super::schema::{ForeignKey, Table};

/// The eight kinds of component (S0, dimensions 1 to 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComponentKind {
    /// Tables, columns, notes.
    Schema,
    /// Keys and the chosen join tree.
    Relationships,
    /// Rules, metrics, conventions, evidence.
    Business,
    /// Verified pairs of the knowledge file.
    Examples,
    /// First rows of linked tables.
    Samples,
    /// Distinct counts, ranges, NULLs.
    Statistics,
    /// Verified past runs.
    History,
    /// Errors of this run, and recurring ones.
    Errors,
}

impl ComponentKind {
    /// All kinds, in the order they stand in the package.
    pub const ALL: [ComponentKind; 8] = [
        ComponentKind::Schema,
        ComponentKind::Relationships,
        ComponentKind::Business,
        ComponentKind::Examples,
        ComponentKind::Samples,
        ComponentKind::Statistics,
        ComponentKind::History,
        ComponentKind::Errors,
    ];

    /// Returns the kind's name as scripts and people type it.
    pub fn name(self) -> &'static str {
        match self {
            ComponentKind::Schema => "schema",
            ComponentKind::Relationships => "relationships",
            ComponentKind::Business => "business",
            ComponentKind::Examples => "examples",
            ComponentKind::Samples => "samples",
            ComponentKind::Statistics => "statistics",
            ComponentKind::History => "history",
            ComponentKind::Errors => "errors",
        }
    }

    /// Finds a kind by its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Which components go first when the budget is short (S0-065).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Never left out.
    Always,
    /// Left out last.
    High,
    /// Left out before high.
    Medium,
    /// Left out first.
    Low,
}

impl Tier {
    /// Returns the tier's name.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Always => "always",
            Tier::High => "high",
            Tier::Medium => "medium",
            Tier::Low => "low",
        }
    }
}

/// Where a component's content came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The catalog.
    Schema,
    /// The knowledge file or the person.
    Knowledge,
    /// Stored data.
    Data,
    /// Past runs, or this run's own errors.
    Memory,
}

/// One piece of the package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Component {
    /// Which of the eight.
    pub kind: ComponentKind,
    /// Its tier.
    pub tier: Tier,
    /// Where its content came from.
    pub origin: Source,
    /// Whether it is in the package.
    pub included: bool,
    /// Why it is in or out, in words: `asks for a total`, `one table only`.
    pub reason: String,
    /// Its content, kept also when it is out so that it can be looked at.
    pub content: Content,
    /// The content in the chosen form, exactly as sent when included.
    pub text: String,
    /// Tokens of `text`.
    pub tokens: u32,
    /// What was cut for lack of room, in words.
    pub cut: Vec<String>,
}

/// What a component says, before it takes a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Nothing to say.
    Empty,
    /// Tables with what is told about each column.
    Schema(SchemaContent),
    /// Keys and a join pattern.
    Relationships(RelationshipsContent),
    /// Rules, metrics, conventions.
    Business(BusinessContent),
    /// Verified pairs.
    Examples(Vec<Example>),
    /// First rows.
    Samples(Vec<Sample>),
    /// Statistics of columns, in table order.
    Statistics(Vec<ColumnFacts>),
    /// Verified past runs.
    History(Vec<Example>),
    /// Errors, each with cause and fix.
    Errors(Vec<ErrorNote>),
}

/// Content of the schema component.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct SchemaContent {
    /// Tables kept, columns pruned to those kept.
    pub tables: Vec<Table>,
    /// Further tables that are told by their names and those of their columns only.
    #[serde(default)]
    pub others: Vec<Table>,
    /// Tables that differ from one told by the numbers in their names only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<Alike>,
    /// Meanings of tables: name and words.
    pub meanings: Vec<(String, String)>,
    /// Meanings of columns.
    pub columns: Vec<Meaning>,
    /// Value lists or format notes behind `--`: (`table`, `column`, note).
    pub remarks: Vec<(String, String, String)>,
    /// Lines of `SCHEMA NOTES:`.
    pub notes: Vec<String>,
}

/// Tables named and built like one that is told: parts of one, by month or by number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Alike {
    /// The table that is told.
    pub table: String,
    /// The others, in the order of the catalog.
    pub others: Vec<String>,
    /// Of the others those that the question is about; they are always named.
    pub wanted: Vec<String>,
}

/// Content of the relationships component.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct RelationshipsContent {
    /// Keys between the tables kept.
    pub keys: Vec<ForeignKey>,
    /// The chosen join tree as SQL with aliases; verified against the schema.
    pub pattern: Option<String>,
    /// Other join trees of the same cost, as SQL.
    pub alternatives: Vec<String>,
}

/// Content of the business component.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct BusinessContent {
    /// What the database is about.
    pub domain: String,
    /// Rules that apply, in order.
    pub rules: Vec<String>,
    /// How many rules there are in all.
    pub rules_in_all: usize,
    /// Metrics that apply.
    pub metrics: Vec<Metric>,
    /// Words of the question that people explained, each with the table, column or metric that it
    /// stands for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<(String, String)>,
    /// Naming conventions.
    pub conventions: Vec<String>,
    /// The hint given with this question.
    pub evidence: Option<String>,
}

/// Statistics of one column as told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnFacts {
    /// Declared type.
    pub data_type: String,
    /// What was measured.
    pub stats: ColumnStats,
    /// All values when there are few, as SQL literals; with it whether the list is complete.
    pub values: Option<(Vec<String>, bool)>,
}

/// An error told to the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorNote {
    /// The exact error, enriched.
    pub error: String,
    /// Why it happened, in words.
    pub cause: String,
    /// What to do instead.
    pub fix: String,
}

/// The form a package is rendered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Headed sections (S0).
    #[default]
    Text,
    /// Token-Oriented Object Notation.
    Toon,
    /// Tables and keys only.
    Skeleton,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 3] = [Form::Text, Form::Toon, Form::Skeleton];

    /// Returns the form's name as people type it.
    pub fn name(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Toon => "toon",
            Form::Skeleton => "skeleton",
        }
    }

    /// Returns the form after this one, the first after the last.
    #[must_use]
    pub fn next(self) -> Form {
        match self {
            Form::Text => Form::Toon,
            Form::Toon => Form::Skeleton,
            Form::Skeleton => Form::Text,
        }
    }
}

/// Everything the model is told, versioned by content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContextPackage {
    /// Hash of schema, statistics and knowledge, lower-case hexadecimal.
    pub version: String,
    /// When it was assembled, ISO 8601.
    pub generated_at: String,
    /// The eight components in order, in or out.
    pub components: Vec<Component>,
    /// Tokens of all included components.
    pub tokens: u32,
    /// The budget they had to fit.
    pub budget: u32,
    /// The form of the texts.
    pub form: Form,
    /// Tables the model sees.
    pub tables: Vec<String>,
    /// Columns the model sees, `table.column`.
    pub columns: Vec<String>,
    /// Grounded values, `'stored' → table.column (how, list complete)`.
    pub values: Vec<String>,
    /// The join tree, one step each: `a.x = b.y`.
    pub join_path: Vec<String>,
    /// What the person should know: pruned, nothing linked, …
    pub warnings: Vec<String>,
}

impl ContextPackage {
    /// Finds a component.
    pub fn component(&self, kind: ComponentKind) -> Option<&Component> {
        self.components.iter().find(|component| component.kind == kind)
    }

    /// Joins the included texts in order: the package as it stands in the prompt.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .components
            .iter()
            .filter(|c| c.included && !c.text.is_empty())
            .map(|c| c.text.trim_end())
            .collect();
        texts.join("\n\n")
    }

    /// Lists the kinds that are in.
    pub fn included(&self) -> Vec<ComponentKind> {
        self.components.iter().filter(|c| c.included).map(|c| c.kind).collect()
    }
}
