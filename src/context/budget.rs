//! Fits a package into its budget: low tiers lose first, piece by piece (S0-065).

use crate::domain::counts;
use crate::domain::package::{BusinessContent, RelationshipsContent};
use crate::domain::{ComponentKind, Content, ContextPackage};
use crate::render;

use super::prune;
use super::scene::{Scene, same};

/// The order in which components lose pieces before the schema is pruned further: low, then medium,
/// then examples.
const BEFORE_SCHEMA: [ComponentKind; 4] = [
    ComponentKind::History,
    ComponentKind::Samples,
    ComponentKind::Statistics,
    ComponentKind::Examples,
];

/// The order after that: high, then always.
const AFTER_SCHEMA: [ComponentKind; 3] =
    [ComponentKind::Relationships, ComponentKind::Errors, ComponentKind::Business];

/// Takes pieces away until the included components fit, and counts tokens.
pub(super) fn fit(package: &mut ContextPackage, scene: &Scene<'_>) {
    count(package);
    for kind in BEFORE_SCHEMA {
        while package.tokens > package.budget && take_piece(package, kind) {
            count(package);
        }
    }
    if package.tokens > package.budget {
        // tables that nothing speaks for go before the keys of those that are needed
        shrink_schema(package, scene);
    }
    for kind in AFTER_SCHEMA {
        while package.tokens > package.budget && take_piece(package, kind) {
            count(package);
        }
    }
    if package.tokens > package.budget {
        let (tokens, budget) = (package.tokens, package.budget);
        let note = format!(
            "the package has {}, more than the budget of {budget}",
            counts::count(tokens, "token")
        );
        package.warnings.push(note);
    }
}

fn count(package: &mut ContextPackage) {
    let included = package.components.iter().filter(|component| component.included);
    package.tokens = included.map(|component| component.tokens).sum();
}

/// Takes one piece from a component; false when it has none left to lose.
fn take_piece(package: &mut ContextPackage, kind: ComponentKind) -> bool {
    let form = package.form;
    let component = package.components.iter_mut().find(|c| c.kind == kind && c.included);
    let Some(component) = component else { return false };
    let Some(cut) = lose(&mut component.content) else { return false };
    component.cut.push(cut);
    component.text = render::component(kind, &component.content, form);
    component.tokens = render::tokens(&component.text);
    if component.text.is_empty() {
        component.included = false;
        "no room in the budget".clone_into(&mut component.reason);
    }
    true
}

/// Removes the least piece of a content and names it.
fn lose(content: &mut Content) -> Option<String> {
    match content {
        Content::History(pairs) => {
            pairs.pop().map(|pair| format!("past run: {}", short(&pair.question)))
        }
        Content::Examples(pairs) => {
            pairs.pop().map(|pair| format!("example: {}", short(&pair.question)))
        }
        Content::Samples(samples) => {
            // The longest sample loses a row; the last table goes first when all have one row.
            let longest = samples.iter().map(|sample| sample.rows.len()).max()?;
            let sample = samples.iter_mut().rev().find(|sample| sample.rows.len() == longest)?;
            sample.rows.pop();
            let cut = format!("row {longest} of {}", sample.table);
            samples.retain(|sample| !sample.rows.is_empty());
            Some(cut)
        }
        Content::Statistics(columns) => {
            columns.pop().map(|facts| format!("figures of {}", facts.stats.at))
        }
        Content::Errors(notes) if notes.len() > 1 => {
            Some(format!("older error: {}", short(&notes.remove(0).error)))
        }
        Content::Relationships(keys) => lose_key(keys),
        Content::Business(business) => lose_knowledge(business),
        Content::Errors(_) | Content::Schema(_) | Content::Empty => None,
    }
}

fn lose_key(content: &mut RelationshipsContent) -> Option<String> {
    if content.alternatives.pop().is_some() {
        return Some("another join pattern".to_owned());
    }
    if let Some(key) = content.keys.pop() {
        return Some(format!("key of {} to {}", key.from_table, key.to_table));
    }
    content.pattern.take().map(|_| "the join pattern".to_owned())
}

/// Evidence stays: it was given with this very question.
fn lose_knowledge(content: &mut BusinessContent) -> Option<String> {
    if let Some(convention) = content.conventions.pop() {
        return Some(format!("convention: {}", short(&convention)));
    }
    if let Some(metric) = content.metrics.pop() {
        return Some(format!("metric {}", metric.name));
    }
    content.rules.pop().map(|rule| format!("rule: {}", short(&rule)))
}

fn short(text: &str) -> String {
    render::marked::line(text, 60)
}

/// Prunes the schema to the room that the others leave, and drops keys of tables that went.
fn shrink_schema(package: &mut ContextPackage, scene: &Scene<'_>) {
    let form = package.form;
    let schema = package.components.iter_mut().find(|c| c.kind == ComponentKind::Schema);
    let Some(schema) = schema.filter(|schema| schema.included) else { return };
    let others = package.tokens.saturating_sub(schema.tokens);
    let kept = prune::keep(scene, package.budget.saturating_sub(others));
    let told: Vec<String> = kept.tables.iter().map(|table| table.name.clone()).collect();
    schema.content = Content::Schema(kept.content);
    schema.text = render::component(ComponentKind::Schema, &schema.content, form);
    schema.tokens = render::tokens(&schema.text);
    schema.cut = kept.cut;
    let keys = package.components.iter_mut().find(|c| c.kind == ComponentKind::Relationships);
    if let Some(component) = keys
        && let Content::Relationships(keys) = &mut component.content
    {
        let has = |name: &String| told.iter().any(|table| same(table, name));
        keys.keys.retain(|key| has(&key.from_table) && has(&key.to_table));
        component.text = render::component(ComponentKind::Relationships, &component.content, form);
        component.tokens = render::tokens(&component.text);
    }
    count(package);
}
