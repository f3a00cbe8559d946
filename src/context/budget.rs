//! Fits a package into its budget: low tiers lose first, piece by piece (S0-065).

use crate::domain::counts;
use crate::domain::package::{BusinessContent, RelationshipsContent};
use crate::domain::{ComponentKind, Content, ContextPackage};
use crate::render;

use super::prune;
use super::scene::{Scene, same};
use super::shares;

/// Takes pieces away until the included components fit, and counts tokens.
pub(super) fn fit(package: &mut ContextPackage, scene: &Scene<'_>) {
    hold_schema(package, scene);
    count(package);
    let kinds = &scene.request.understanding.kinds;
    let (before, mut pieces) = (package.tokens, 0_u64);
    let stays_longer = |kind: &ComponentKind| {
        matches!(
            kind,
            ComponentKind::Relationships | ComponentKind::Errors | ComponentKind::Business
        )
    };
    let (last, first): (Vec<_>, Vec<_>) = shares::order(kinds).into_iter().partition(stays_longer);
    let mut trim = |package: &mut ContextPackage, kinds: Vec<ComponentKind>| {
        for kind in kinds {
            while package.tokens > package.budget && take_piece(package, kind) {
                count(package);
                pieces += 1;
            }
        }
    };
    trim(package, first);
    let trimmed = package.tokens;
    if package.tokens > package.budget {
        // tables that nothing speaks for go before the keys of those that are needed
        shrink_schema(package, scene);
    }
    let shrunk = trimmed.saturating_sub(package.tokens);
    trim(package, last);
    refill_schema(package, scene);
    if pieces > 0 {
        let what = format!("{} left out to fit the budget", counts::count(pieces, "piece"));
        let why = shares::reason(kinds).map_or(String::new(), |why| format!("; {why}"));
        let saved = before.saturating_sub(package.tokens + shrunk);
        package.warnings.push(saving(&what, saved) + &why);
    }
    if package.tokens > package.budget {
        let (tokens, budget) = (package.tokens, package.budget);
        let note = format!(
            "the package has ~{}, more than the budget of {budget}",
            counts::count(tokens, "token")
        );
        package.warnings.push(note);
    }
}

fn count(package: &mut ContextPackage) {
    let included = package.components.iter().filter(|component| component.included);
    package.tokens = included.map(|component| component.tokens).sum();
}

/// Takes one piece from a component, and notes it with what it saved; false when it has none left
/// to lose.
fn take_piece(package: &mut ContextPackage, kind: ComponentKind) -> bool {
    let form = package.form;
    let component = package.components.iter_mut().find(|c| c.kind == kind && c.included);
    let Some(component) = component else { return false };
    let Some(cut) = lose(&mut component.content) else { return false };
    let before = component.tokens;
    component.text = render::component(kind, &component.content, form);
    component.tokens = render::tokens(&component.text);
    component.cut.push(saving(&cut, before.saturating_sub(component.tokens)));
    if component.text.is_empty() {
        component.included = false;
        "no room in the budget".clone_into(&mut component.reason);
    }
    true
}

/// Says what a trim saved; tokens are our estimate.
fn saving(what: &str, tokens: u32) -> String {
    format!("{what}: ~{} saved", counts::count(tokens, "token"))
}

/// Removes the least piece of a content and names it.
fn lose(content: &mut Content) -> Option<String> {
    match content {
        Content::History(pairs) => {
            pairs.pop().map(|pair| format!("past run '{}'", short(&pair.question)))
        }
        Content::Examples(pairs) => {
            pairs.pop().map(|pair| format!("example '{}'", short(&pair.question)))
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
            Some(format!("older error '{}'", short(&notes.remove(0).error)))
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
        return Some(format!("convention '{}'", short(&convention)));
    }
    if let Some(metric) = content.metrics.pop() {
        return Some(format!("metric {}", metric.name));
    }
    content.rules.pop().map(|rule| format!("rule '{}'", short(&rule)))
}

fn short(text: &str) -> String {
    render::marked::line(text, 60)
}

/// Holds the schema under its own limit in the form it is told in: pruning measures it as text,
/// and another form may be longer.
fn hold_schema(package: &mut ContextPackage, scene: &Scene<'_>) {
    let limit = prune::LIMIT.min(package.budget);
    let mut room = limit;
    for _ in 0..4 {
        let schema = package.component(ComponentKind::Schema).filter(|schema| schema.included);
        let Some(tokens) = schema.map(|s| s.tokens).filter(|tokens| *tokens > limit) else {
            return;
        };
        if package.form == crate::domain::package::Form::Text {
            // measured as told: what is over the limit is the least that can be told
            return;
        }
        let over = u64::from(room) * u64::from(limit) / u64::from(tokens);
        room = u32::try_from(over).unwrap_or(limit).saturating_sub(limit / 50);
        prune_to(package, scene, room);
    }
}

/// Prunes the schema to the room that the others leave.
fn shrink_schema(package: &mut ContextPackage, scene: &Scene<'_>) {
    let schema = package.component(ComponentKind::Schema).filter(|schema| schema.included);
    let Some(tokens) = schema.map(|schema| schema.tokens) else { return };
    let others = package.tokens.saturating_sub(tokens);
    prune_to(package, scene, package.budget.saturating_sub(others));
    count(package);
}

/// What of the budget may stay unused: one part of so many.
const SPARE: u32 = 10;

/// Prunes the schema again, less, where it took less room than it was given: names of many letters
/// have fewer tokens than their length says.
fn refill_schema(package: &mut ContextPackage, scene: &Scene<'_>) {
    let schema = package.component(ComponentKind::Schema).filter(|schema| schema.included);
    let Some(schema) = schema.filter(|schema| !schema.cut.is_empty()) else { return };
    let free = package.budget.saturating_sub(package.tokens);
    let target = (schema.tokens + free).min(prune::LIMIT);
    if schema.tokens == 0 || target - schema.tokens < target / SPARE {
        return;
    }
    let took = u64::from(prune::tokens_of(schema.text.len()));
    let room = took * u64::from(target) / u64::from(schema.tokens);
    let mut fuller = package.clone();
    prune_to(&mut fuller, scene, u32::try_from(room).unwrap_or(prune::LIMIT));
    count(&mut fuller);
    if fuller.tokens <= fuller.budget {
        *package = fuller;
    }
}

/// Prunes the schema to so many tokens of text, and drops keys of tables that went.
fn prune_to(package: &mut ContextPackage, scene: &Scene<'_>, room: u32) {
    let form = package.form;
    let schema = package.components.iter_mut().find(|c| c.kind == ComponentKind::Schema);
    let Some(schema) = schema else { return };
    let kept = prune::keep(scene, room);
    let told: Vec<String> = kept.tables.iter().map(|table| table.name.clone()).collect();
    package.warnings.retain(|warning| !warning.starts_with(prune::PRUNED));
    package.warnings.extend(kept.warning(scene.catalog.tables.len()));
    schema.content = Content::Schema(kept.content);
    super::sieve::sieve(&mut schema.content, scene);
    let before = schema.tokens;
    schema.text = render::component(ComponentKind::Schema, &schema.content, form);
    schema.tokens = render::tokens(&schema.text);
    schema.cut = kept.cut;
    let saved = before.saturating_sub(schema.tokens);
    schema.cut.extend((saved > 0).then(|| saving("these", saved)));
    let keys = package.components.iter_mut().find(|c| c.kind == ComponentKind::Relationships);
    if let Some(component) = keys
        && let Content::Relationships(keys) = &mut component.content
    {
        let has = |name: &String| told.iter().any(|table| same(table, name));
        let (before, listed) = (component.tokens, keys.keys.len());
        keys.keys.retain(|key| has(&key.from_table) && has(&key.to_table));
        let lost = listed - keys.keys.len();
        let joined = scene.tree().map(|tree| tree.tables.as_slice()).unwrap_or_default();
        if !joined.iter().all(has) {
            // no model can follow a pattern of tables that it isn't told
            keys.pattern = None;
            keys.alternatives.clear();
        }
        component.text = render::component(ComponentKind::Relationships, &component.content, form);
        component.tokens = render::tokens(&component.text);
        if lost > 0 {
            let what = format!("{} of tables not told", counts::count(lost, "key"));
            component.cut.push(saving(&what, before.saturating_sub(component.tokens)));
        }
    }
}
