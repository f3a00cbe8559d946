//! Verbs that were passed over: each must be tied to something, or the question says more than the plan.

use crate::domain::plan::{Condition, Term};
use crate::domain::{ColumnRef, Plan};
use crate::search::tokens::stem;
use crate::search::verbs::VERBS;

use super::cues::Cue;
use super::explained::is_participle;
use super::fillers::FILLERS;
use super::items::{Item, Kind};
use super::schema::{Schema, words};
use super::sketch::{Filter, Output, Sketch};

/// Finds a verb that was passed over though it says something of the rows: "were declined?",
/// "sold tracks", "members who pay".
pub(super) fn untied(
    schema: &Schema<'_>,
    items: &[Item],
    sketch: &Sketch,
    plan: &Plan,
) -> Option<usize> {
    let absent = sketch
        .filters
        .iter()
        .any(|f| matches!(f, Filter::Missing { .. } | Filter::Is(_, Condition::Null { .. })));
    let alone =
        !absent && plan.tables.len() == 1 && plan.order.is_empty() && plan.group_by.is_empty();
    (0..items.len()).filter(|at| passed_over(items, sketch, *at)).find(|at| {
        // "Majors that few students are studying": a size of groups ties rows together as well.
        let tied = is_relative(items, *at) || !sketch.having.is_empty();
        let state = is_passive(items, *at) && says_state(items, *at) && !tied;
        is_adjective(items, *at)
            || is_status(schema, items, plan, *at)
            || ends(items, *at) && (alone || state)
    })
}

/// Tells whether an item is a verb that no rule took.
fn passed_over(items: &[Item], sketch: &Sketch, at: usize) -> bool {
    // A stored value is one that occurs: "how many different languages are spoken".
    let different = |o: &Output| matches!(o, Output::Different(_));
    let occurs = !sketch.outputs.is_empty() && sketch.outputs.iter().all(different);
    let filler = !occurs
        && items
            .get(at)
            .is_some_and(|i| i.is(Cue::Filler) && VERBS.contains(&i.text.to_lowercase().as_str()));
    // "Located", "listed": that a row is there says as much.
    let exists = items.get(at).is_some_and(|i| FILLERS.contains(&i.text.to_lowercase().as_str()));
    filler || sketch.verbs.contains(&at) && !exists
}

/// "Were processed in 2024", where rows have a status and no name speaks of processing: the word
/// is a status that is not known, whatever follows.
fn is_status(schema: &Schema<'_>, items: &[Item], plan: &Plan, at: usize) -> bool {
    let Some(item) = items.get(at).filter(|_| says_state(items, at)) else { return false };
    let said = at.checked_sub(1).and_then(|n| items.get(n));
    let of_rows = is_passive(items, at) || said.is_some_and(|i| i.kind == Kind::Mention);
    let tables = || plan.tables.iter().filter_map(|name| schema.table(name));
    let status = tables().next().is_some_and(|table| {
        table.columns.iter().any(|c| words(&c.name).iter().any(|w| w.starts_with("status")))
    });
    let verb = stem(&item.text.to_lowercase());
    let speaks = |name: &str| words(name).iter().any(|word| word.starts_with(&verb));
    let named = plan.tables.iter().any(|t| speaks(t)) || used(plan).any(|c| speaks(&c.column));
    of_rows && status && !named
}

/// The columns that rows are shown, chosen and ordered by.
fn used(plan: &Plan) -> impl Iterator<Item = &ColumnRef> {
    let compared = plan.filters.iter().flat_map(|condition| match condition {
        Condition::Any(any) => any.as_slice(),
        one @ (Condition::Compare { .. } | Condition::Null { .. } | Condition::Sql(_)) => {
            std::slice::from_ref(one)
        }
    });
    let compared = compared.filter_map(|condition| match condition {
        Condition::Compare { left, .. } | Condition::Null { left, .. } => Some(left),
        Condition::Any(_) | Condition::Sql(_) => None,
    });
    let terms = plan.dimensions.iter().chain(plan.order.iter().map(|o| &o.term)).chain(compared);
    terms.filter_map(|term| if let Term::Column(at) = term { Some(at) } else { None })
}

/// Tells whether a verb closes a clause that "where" or "in which" ties to what stands before.
fn is_relative(items: &[Item], at: usize) -> bool {
    let before = items.get(..at).unwrap_or_default();
    before.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        let place = ["where", "when", "whom"].contains(&second.text.to_lowercase().as_str());
        second.is(Cue::That) && place || first.is(Cue::In) && second.is(Cue::Which)
    })
}

/// Tells whether a participle speaks of a state of the rows, at the end or before their noun.
pub(super) fn is_state(items: &[Item], at: usize) -> bool {
    let end = is_passive(items, at) && ends(items, at);
    says_state(items, at) && (end || is_adjective(items, at))
}

fn says_state(items: &[Item], at: usize) -> bool {
    items.get(at).is_some_and(|i| {
        is_participle(&i.text) || i.text.len() > 5 && i.text.to_lowercase().ends_with("ing")
    })
}

/// Tells whether a verb stands behind "is", "were", "been": something was done to the rows.
pub(super) fn is_passive(items: &[Item], at: usize) -> bool {
    let before = items.get(..at).unwrap_or_default().iter().rev();
    let mut said = before.filter(|i| !says_nothing(i));
    said.next().is_some_and(|i| i.is(Cue::Is) || i.is(Cue::Who))
}

/// Tells whether nothing follows that a verb could be tied to.
pub(super) fn ends(items: &[Item], at: usize) -> bool {
    let mut rest = items.iter().skip(at + 1).filter(|i| !says_nothing(i));
    let Some(next) = rest.next() else { return true };
    let mut grouped = || rest.next().is_some_and(|i| i.is(Cue::Each));
    match next.kind {
        Kind::Cue(Cue::Stop | Cue::Each | Cue::And | Cue::Or | Cue::Comma) => true,
        Kind::Cue(Cue::In | Cue::For) => grouped(),
        Kind::Cue(_) | Kind::Number(_) | Kind::Mention | Kind::Quoted | Kind::Unknown => false,
    }
}

/// After these comes a noun with what restricts it.
const OPENS_NOUN: &[Cue] = &[
    Cue::Lead,
    Cue::Count,
    Cue::Stop,
    Cue::Distinct,
    Cue::Of,
    Cue::In,
    Cue::For,
    Cue::By,
    Cue::With,
    Cue::Each,
    Cue::No,
];

fn measures(cue: Cue) -> bool {
    matches!(cue, Cue::Aggregate(_) | Cue::Most(_) | Cue::Top(_))
}

/// Tells whether a participle stands right before the noun that it restricts: "sold tracks".
fn is_adjective(items: &[Item], at: usize) -> bool {
    let before = items.get(..at).unwrap_or_default().iter().rev();
    let mut said = before.filter(|i| !says_nothing(i));
    let opens = match said.next().map(|i| &i.kind) {
        None => true,
        // Elsewhere "which won prizes" is a verb and what it is done to.
        Some(Kind::Cue(Cue::Which)) => said.next().is_none_or(|i| i.is(Cue::Stop)),
        Some(Kind::Cue(cue)) => OPENS_NOUN.iter().any(|opens| opens == cue) || measures(*cue),
        Some(Kind::Number(_) | Kind::Mention | Kind::Quoted | Kind::Unknown) => false,
    };
    let noun = items
        .get(at + 1)
        .is_some_and(|i| i.kind == Kind::Mention && i.table_score() > i.value_score());
    opens && noun && says_state(items, at)
}

fn says_nothing(item: &Item) -> bool {
    let verb = VERBS.contains(&item.text.to_lowercase().as_str());
    item.is(Cue::Filler) && !verb
}
