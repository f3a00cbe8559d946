//! A measure of a table whose rows a join repeats, so that it counts them several times.
//!
//! The catalog shows that it can happen, a probe whether it does, and by what factor. What belongs
//! here: the joins as a graph (`joined`), what the question speaks of (`said`), the figures of the
//! data (`factor`), the query that counts each row once (`rewrite`). What must never come: a verdict on a count that the question may mean.

mod factor;
mod joined;
mod rewrite;
mod said;

pub(super) use factor::values_sql;

use crate::domain::{Finding, Severity, Span};
use crate::sql::scope::{AggregateUse, JoinKind, Relation, Scope};

use super::look::{finding, pairs, probe};
use super::{Before, Verdict};

use factor::{Factor, dropped, factor};
use joined::{At, Branch, branches, fixed, origin, relation, shown};
use rewrite::{Offer, offer};
use said::{Beside, beside, unsaid};

/// Deepest nesting of derived tables that a measure is followed into.
const DEEPEST: usize = 8;

/// Looks at every SUM, AVG and COUNT across joins.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for (index, scope) in look.binding.scopes.iter().enumerate() {
        for aggregate in &scope.aggregates {
            verdict.join(measure(look, index, aggregate));
        }
    }
    verdict
}

/// A measure whose rows a branch repeats.
struct Case {
    /// The table that is measured.
    owner: At,
    /// What repeats it.
    branch: Branch,
    /// SUM(DISTINCT …): it hides the repetition, and drops equal amounts of different rows.
    masked: bool,
    /// Groups of one row each show that the repeated rows are meant.
    single: bool,
}

fn measure(look: &Before<'_>, index: usize, aggregate: &AggregateUse) -> Verdict {
    let case = case_of(look, index, aggregate);
    case.map_or_else(Verdict::default, |case| told(look, index, aggregate, &case))
}

/// Finds the rows that a measure may count more than once.
fn case_of(look: &Before<'_>, index: usize, aggregate: &AggregateUse) -> Option<Case> {
    let function = aggregate.function.as_str();
    if aggregate.window && !adds_over_rows(look, index, aggregate) {
        return None;
    }
    let amounts = aggregate.distinct || !counts_conditions(look, aggregate);
    let sums = matches!(function, "sum" | "avg" | "total") && amounts;
    let counts = matches!(function, "count" | "sum" | "total") && !aggregate.distinct;
    match (sums, counts) {
        (true, _) => summed(look, index, aggregate),
        (false, true) => counted(look, index, aggregate),
        (false, false) => None,
    }
}

/// Tells whether a window adds the amounts of the joined rows themselves: a sum over groups adds what
/// the groups hold.
fn adds_over_rows(look: &Before<'_>, index: usize, aggregate: &AggregateUse) -> bool {
    let Some(scope) = look.binding.scopes.get(index) else { return false };
    let plain = scope.group_by.is_empty() && scope.aggregates.iter().all(|other| other.window);
    plain && matches!(aggregate.function.as_str(), "sum" | "total") && !aggregate.distinct
}

/// Finds whose rows a sum or average reads, and what repeats them; through derived tables.
fn summed(look: &Before<'_>, index: usize, aggregate: &AggregateUse) -> Option<Case> {
    let (mut owner, mut column) = owner(look, index, aggregate)?;
    let mut found: Option<Case> = None;
    for _ in 0..DEEPEST {
        // One group for each row of the owner: AVG over copies of one value is that value.
        let same = aggregate.function == "avg" && grouped_by_owner(look, index, owner);
        let case = repeating(look, owner).filter(|_| !same);
        // what is joined for nothing is the likelier fault, and what stands further inside
        if let Some(branch) =
            case.filter(|b| b.idle || !found.as_ref().is_some_and(|f| f.branch.idle))
        {
            let grouped = !look.binding.scopes.get(index)?.group_by.is_empty();
            let single = aggregate.function == "avg" && grouped && owner.scope == index;
            found = Some(Case { owner, branch, masked: aggregate.distinct, single });
        }
        let Some(inner) = origin(look, owner, &column) else { break };
        (owner, column) = inner;
    }
    found
}

/// Finds what repeats the rows of a relation: rather what is joined for nothing, wherever it hangs.
fn repeating(look: &Before<'_>, owner: At) -> Option<Branch> {
    let all: Vec<Branch> =
        branches(look, owner).into_iter().filter(|branch| branch.many.is_some()).collect();
    let within = |branch: &Branch| {
        let each = branch.relations.iter().map(|at| At { scope: owner.scope, relation: *at });
        let further = each.flat_map(|at| branches(look, at)).find(|further| {
            further.idle && further.many.is_some() && !further.relations.contains(&owner.relation)
        });
        further.unwrap_or_else(|| branch.clone())
    };
    let found = all.iter().map(|branch| if branch.idle { branch.clone() } else { within(branch) });
    found.max_by_key(|branch| branch.idle)
}

/// Finds a branch that is joined for nothing while rows are counted, and that the question doesn't
/// speak of, so that its rows aren't what is counted.
fn counted(look: &Before<'_>, index: usize, aggregate: &AggregateUse) -> Option<Case> {
    let of = aggregate.argument.and_then(|_| owner(look, index, aggregate)).map(|(owner, _)| owner);
    let mut scopes = vec![index];
    let mut next = 0;
    while let Some(at) = scopes.get(next).copied() {
        next += 1;
        let scope = look.binding.scopes.get(at)?;
        for relation in 0..scope.relations.len() {
            let owner = At { scope: at, relation };
            if scope.relations.get(relation).is_none_or(|relation| relation.table().is_none()) {
                continue;
            }
            let mut idle = branches(look, owner).into_iter();
            let case = idle.find(|branch| {
                branch.idle
                    && branch.many.is_some()
                    && !grouped_by_owner(look, index, owner)
                    && (beside(look, owner, branch) != Beside::Named
                        || of == Some(owner) && is_child(look, owner, branch)
                        || of.is_none() && is_outer(scope, branch))
                    && unsaid(look, owner, branch)
            });
            if let Some(branch) = case {
                let grouped = !look.binding.scopes.get(index)?.group_by.is_empty();
                let counted = beside(look, owner, &branch) == Beside::Counted;
                let single = grouped && owner.scope == index && !counted;
                return Some(Case { owner, branch, masked: false, single });
            }
        }
        let inner = scope.relations.iter().filter_map(|relation| shown(look, relation));
        scopes.extend(inner.map(|(at, _)| at).filter(|at| *at != index).take(DEEPEST));
        if scopes.len() > DEEPEST {
            break;
        }
    }
    None
}

/// Tells whether a table has several rows for one of another beside a branch: then its own rows are
/// what is counted where its columns are.
fn is_child(look: &Before<'_>, owner: At, branch: &Branch) -> bool {
    let beside = branches(look, owner).into_iter().filter(|other| other != branch);
    let parents = beside.map(|other| At { scope: owner.scope, relation: other.root() });
    parents.flat_map(|parent| branches(look, parent)).any(|back| {
        back.root() == owner.relation && back.many.is_some_and(|(_, many)| many == owner.relation)
    })
}

/// Tells whether a branch is joined by an outer join: counted with it are rows that have none of it.
fn is_outer(scope: &Scope, branch: &Branch) -> bool {
    scope.relations.get(branch.root()).is_some_and(|relation| relation.join == Some(JoinKind::Left))
}

/// Says what is counted how often, once the data has been asked.
fn told(look: &Before<'_>, index: usize, aggregate: &AggregateUse, case: &Case) -> Verdict {
    let Some((scope, relation)) = relation(look, case.owner) else { return Verdict::default() };
    let table = name_of(relation);
    let many = case.branch.many.and_then(|(_, many)| scope.relations.get(many));
    let by = many.map(name_of).unwrap_or_default();
    let measured =
        if case.masked { dropped(look, case.owner, aggregate) } else { factor(look, case.owner) };
    let (certain, evidence) = match measured {
        Factor::Ask(sql) => {
            let words = format!("how often the join repeats the rows of {table}");
            return Verdict { findings: Vec::new(), probes: vec![probe("fan_out", words, sql)] };
        }
        Factor::None => return Verdict::default(),
        // One row of the table for each group: what is counted or averaged in it are other rows.
        Factor::Times { rows, groups, .. } if case.single && rows <= groups => {
            return Verdict::default();
        }
        Factor::Times { joined, rows, .. } if case.masked => {
            let words = format!("{joined} rows of {table} have {rows} different amounts");
            (true, format!("{words}: equal amounts of different rows count once"))
        }
        Factor::Times { joined, rows, .. } => {
            let times = joined / rows;
            let why = why(scope, case.branch.many, by);
            let words = format!("on this data each row of {table} is counted {times:.1} times");
            (true, format!("{words} ({joined} joined rows for {rows}){why}"))
        }
        Factor::Unknown if case.masked => return Verdict::default(),
        Factor::Unknown => {
            (false, format!("several rows of {by} may belong to one row of {table}"))
        }
    };
    let warns = if certain {
        // An average over a look-up table is often meant to weigh by the rows that point there.
        let weighs = aggregate.function == "avg" || splits(look, case);
        !weighs || case.branch.idle || case.masked
    } else {
        case.branch.idle
    };
    let mut found = said_of(look, aggregate, case, (table, by), (warns, evidence));
    let offer = if certain && warns && !aggregate.window {
        offer(look, index, case)
    } else {
        Offer::default()
    };
    if let Some(sql) = offer.sql {
        found.evidence.push_str("; in the rewritten query each row counts once");
        let hint = found.hint.get_or_insert_default();
        hint.push_str(" So it does in this query:\n");
        hint.push_str(&sql);
        found.rewrite = Some(sql);
    }
    Verdict { findings: vec![found], probes: offer.probes }
}

/// Tells whether another measure splits the amounts of the table by what is joined: the amount is
/// then taken for each joined row on purpose.
fn splits(look: &Before<'_>, case: &Case) -> bool {
    let Some((scope, _)) = relation(look, case.owner) else { return false };
    let index = case.owner.scope;
    scope.aggregates.iter().filter_map(|aggregate| aggregate.argument).any(|argument| {
        let inside = |span: Span| argument.start <= span.start && span.end <= argument.end;
        let read = |relation: usize| {
            let mut columns = look.binding.columns.iter().filter(|used| inside(used.span));
            columns.any(|used| used.relation == Some((index, relation)))
        };
        read(case.owner.relation) && case.branch.relations.iter().any(|relation| read(*relation))
    })
}

fn said_of(
    look: &Before<'_>,
    aggregate: &AggregateUse,
    case: &Case,
    (table, by): (&str, &str),
    (warns, evidence): (bool, String),
) -> Finding {
    let call = look.text(aggregate.span);
    let message = if case.masked {
        format!(
            "{call} leaves out amounts of {table} that are equal, so as to hide that the join with {by} repeats its rows"
        )
    } else {
        format!("{call} counts rows of {table} more than once: the join with {by} repeats them")
    };
    let severity = if warns { Severity::Warning } else { Severity::Info };
    let mut found = finding("fan_out", severity, message, evidence);
    found.retryable = warns;
    found.span = Some(aggregate.span);
    found.hint = Some(format!(
        "Aggregate {by} to one row for each row of {table} first, or leave it out of this join, so that {call} sees each row of {table} once."
    ));
    found
}

fn name_of(relation: &Relation) -> &str {
    relation.table().unwrap_or(&relation.name)
}

/// Says by which columns a join gives several rows for one.
fn why(scope: &Scope, many: Option<(usize, usize)>, by: &str) -> String {
    let joined = many.map(|(from, to)| pairs(scope, from, to)).unwrap_or_default();
    let columns: Vec<&str> = joined.iter().map(|(_, theirs)| *theirs).collect();
    if columns.is_empty() {
        return String::new();
    }
    format!(": several rows of {by} have the same {}", columns.join(", "))
}

/// Tells whether a sum counts rows by a condition: then joined rows are what is counted. What a
/// CASE gives decides: ones are counted, amounts are summed.
fn counts_conditions(look: &Before<'_>, aggregate: &AggregateUse) -> bool {
    let text = aggregate.argument.map_or("", |span| look.text(span)).to_ascii_uppercase();
    let figure = |part: &str| part.trim_start().starts_with(|c: char| c.is_ascii_digit());
    if text.contains("CASE") {
        return text.split("THEN").skip(1).all(figure);
    }
    if text.contains("IIF(") || text.contains("IF(") {
        let mut parts = text.rsplit(',');
        return parts.next().is_some_and(figure) && parts.next().is_some_and(figure);
    }
    text.contains(['=', '<', '>'])
}

/// Finds the relation whose rows an aggregate's argument has one value for each, and a column that
/// it reads of it. Of several relations it is the one whose rows fix those of the others.
fn owner(look: &Before<'_>, index: usize, aggregate: &AggregateUse) -> Option<(At, String)> {
    let argument = aggregate.argument?;
    let inside = |span: Span| argument.start <= span.start && span.end <= argument.end;
    let mut read: Vec<(usize, &str)> = Vec::new();
    for used in look.binding.columns.iter().filter(|used| inside(used.span)) {
        let (scope, relation) = used.relation?;
        if scope != index {
            return None;
        }
        if !read.iter().any(|(known, _)| *known == relation) {
            read.push((relation, &used.name));
        }
    }
    let at = |relation: usize| At { scope: index, relation };
    let (relation, column) = match read.as_slice() {
        [only] => *only,
        several => *several.iter().find(|(finest, _)| {
            let fixed = fixed(look, at(*finest));
            several.iter().all(|(other, _)| fixed.contains(other))
        })?,
    };
    Some((at(relation), column.to_owned()))
}

/// Tells whether the groups of a SELECT hold one row of a table each.
fn grouped_by_owner(look: &Before<'_>, index: usize, owner: At) -> bool {
    let Some((_, relation)) = relation(look, owner) else { return false };
    let keys = look.binding.scopes.get(index).map(|scope| scope.group_by.iter());
    let keys: Vec<&str> = keys
        .into_iter()
        .flatten()
        .filter_map(|key| key.at.as_ref())
        .filter(|at| Some(at.table.as_str()) == relation.table())
        .map(|at| at.column.as_str())
        .collect();
    !keys.is_empty() && look.is_unique(relation, &keys)
}
