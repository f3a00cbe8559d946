//! The context package: which components a question needs, and what fits the budget.
//!
//! What belongs here: one file for each component, the table `COMPONENTS`, the budget. What must
//! never come: reading facts, or text that leaves without passing the privacy level.
//! To add a component: a file and a row.
//!
//! The way through: the scene ties the question to the catalog, each component proposes its
//! content with a reason, the sieve takes out what may not leave, hand switches win, and the budget
//! takes away what doesn't fit, in the order of `shares`.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::domain::package::{ErrorNote, Form, Source};
use crate::domain::{
    Component, ComponentKind, Content, ContextPackage, Facts, Question, Tier, Understanding,
};
use crate::joins::Graph;
use crate::render;

mod advice;
mod budget;
mod business;
mod dated;
mod engines;
mod errors;
mod examples;
mod formats;
mod grounded;
mod history;
mod looked_up;
mod multiplied;
mod notes;
mod pattern;
mod privacy;
mod prune;
mod redact;
mod relationships;
mod samples;
mod scene;
mod schema;
mod secrets;
mod selection;
mod shares;
mod sieve;
mod similar;
mod statistics;
#[cfg(test)]
mod tests;
mod views;
mod words;

pub use privacy::Withheld;
pub use redact::{may_tell_data, redact};
pub use secrets::looks_secret;

use scene::Scene;
use selection::Verdict;

/// What a package is made from.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The question with its switches, budget and privacy level.
    pub question: &'a Question,
    /// What intake found.
    pub understanding: &'a Understanding,
    /// Facts.
    pub facts: &'a Facts,
    /// The keys of the facts' catalog, kept by who asks often.
    pub graph: &'a Graph,
    /// This run's errors so far, newest last.
    pub errors: &'a [ErrorNote],
    /// The form of the texts.
    pub form: Form,
    /// When, ISO 8601.
    pub generated_at: &'a str,
}

/// One of the eight: how much it matters, where it comes from, what it proposes.
struct Row {
    kind: ComponentKind,
    tier: Tier,
    origin: Source,
    propose: fn(&Scene<'_>) -> Proposal,
}

/// What a component would tell, and whether it should.
struct Proposal {
    content: Content,
    verdict: Verdict,
    /// What was left out for a limit of the component's own, in words.
    cut: Vec<String>,
}

impl Proposal {
    /// Proposes content with nothing cut.
    fn new(content: Content, verdict: Verdict) -> Self {
        Proposal { content, verdict, cut: Vec::new() }
    }

    /// Proposes nothing, and says why.
    fn nothing(reason: impl Into<String>) -> Self {
        Proposal::new(Content::Empty, Verdict::Out(reason.into()))
    }
}

/// The components in the order they stand in the package; tiers by S0-065.
const COMPONENTS: [Row; 8] = [
    Row {
        kind: ComponentKind::Schema,
        tier: Tier::Always,
        origin: Source::Schema,
        propose: schema::propose,
    },
    Row {
        kind: ComponentKind::Relationships,
        tier: Tier::High,
        origin: Source::Schema,
        propose: relationships::propose,
    },
    Row {
        kind: ComponentKind::Business,
        tier: Tier::Always,
        origin: Source::Knowledge,
        propose: business::propose,
    },
    Row {
        kind: ComponentKind::Examples,
        tier: Tier::High,
        origin: Source::Knowledge,
        propose: examples::propose,
    },
    Row {
        kind: ComponentKind::Samples,
        tier: Tier::Medium,
        origin: Source::Data,
        propose: samples::propose,
    },
    Row {
        kind: ComponentKind::Statistics,
        tier: Tier::Medium,
        origin: Source::Data,
        propose: statistics::propose,
    },
    Row {
        kind: ComponentKind::History,
        tier: Tier::Low,
        origin: Source::Memory,
        propose: history::propose,
    },
    Row {
        kind: ComponentKind::Errors,
        tier: Tier::High,
        origin: Source::Memory,
        propose: errors::propose,
    },
];

/// Puts a package together. The same request gives the same bytes.
pub fn assemble(request: &Request<'_>) -> ContextPackage {
    let scene = Scene::of(request);
    let components = COMPONENTS.iter().map(|row| component(row, &scene)).collect();
    let mut package = ContextPackage {
        version: version(request.facts),
        generated_at: request.generated_at.to_owned(),
        components,
        tokens: 0,
        budget: request.question.options.tokens,
        form: request.form,
        tables: Vec::new(),
        columns: Vec::new(),
        values: grounded::lines(&scene),
        join_path: scene.join_path(),
        warnings: scene.warnings(),
    };
    budget::fit(&mut package, &scene);
    name_what_is_told(&mut package);
    package
}

fn component(row: &Row, scene: &Scene<'_>) -> Component {
    let form = scene.request.form;
    let mut proposal = (row.propose)(scene);
    proposal.cut.extend(sieve::sieve(&mut proposal.content, scene));
    let text = render::component(row.kind, &proposal.content, form);
    if text.is_empty()
        && let Verdict::In(_) = proposal.verdict
    {
        proposal.verdict = Verdict::Out(nothing_told(row.kind, &proposal.content, form));
    }
    let verdict = selection::switched(row.kind, &proposal, &text, &scene.request.question.switches);
    let (included, reason) = match verdict {
        Verdict::In(reason) => (true, reason),
        Verdict::Out(reason) => (false, reason),
    };
    Component {
        kind: row.kind,
        tier: row.tier,
        origin: row.origin,
        included,
        reason,
        tokens: render::tokens(&text),
        content: proposal.content,
        text,
        cut: proposal.cut,
    }
}

/// Says why a content gives no text.
fn nothing_told(kind: ComponentKind, content: &Content, form: Form) -> String {
    if form != Form::Text && !render::component(kind, content, Form::Text).is_empty() {
        format!("the {} form tells tables and keys only", form.name())
    } else {
        "nothing of it may leave".to_owned()
    }
}

/// Lists the tables and columns that the model sees.
fn name_what_is_told(package: &mut ContextPackage) {
    let schema = package.component(ComponentKind::Schema).filter(|schema| schema.included);
    let Some(Content::Schema(schema)) = schema.map(|schema| &schema.content) else { return };
    let all = || schema.tables.iter().chain(&schema.others);
    let alike = |table: &str| schema.alike.iter().find(|alike| alike.table == table);
    let tables = all().map(|table| &table.name).chain(schema.alike.iter().flat_map(|a| &a.others));
    let tables: Vec<String> = tables.cloned().collect();
    let keys = package.component(ComponentKind::Relationships).filter(|keys| keys.included);
    let keys = match keys.map(|keys| &keys.content) {
        Some(Content::Relationships(content)) => content.keys.as_slice(),
        Some(_) | None => &[],
    };
    let told = |table: &str, column: &str| {
        package.form != Form::Skeleton || render::skeleton::names(schema, keys, table, column)
    };
    let mut columns = Vec::new();
    for table in all() {
        // of the like those in question; a family may have thousands
        let others = alike(&table.name).map(|alike| alike.wanted.as_slice()).unwrap_or_default();
        for name in std::iter::once(&table.name).chain(others) {
            let of_table = table.columns.iter().filter(|column| told(&table.name, &column.name));
            columns.extend(of_table.map(|column| format!("{name}.{}", column.name)));
        }
    }
    package.tables = tables;
    package.columns = columns;
}

/// Hashes schema version, statistics and knowledge; time has no part in it.
fn version(facts: &Facts) -> String {
    let mut hash = Sha256::new();
    hash.update(facts.catalog.version.as_bytes());
    // Serialising plain values can't fail; if it could, the text would be empty, not wrong.
    hash.update(serde_json::to_string(&facts.statistics).unwrap_or_default());
    hash.update(serde_json::to_string(&*facts.knowledge).unwrap_or_default());
    let mut version = String::new();
    for byte in hash.finalize().iter().take(6) {
        let _ = write!(version, "{byte:02x}");
    }
    version
}
