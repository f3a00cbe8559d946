//! A measure of a table whose rows a join repeats, so that the sum counts them several times.
//!
//! The catalog shows that it can happen, a probe whether it does, and by what factor.

use crate::domain::schema::TableKind;
use crate::domain::{Dialect, Link, LinkTarget, Match, Severity, Span, Value};
use crate::sql::scope::{AggregateUse, Clause, Scope};

use super::look::{Probed, finding, pairs, probe, words};
use super::tables::idle;
use super::{Before, Verdict};

/// Letters by which a word alludes to a name.
const BEGINNING: usize = 4;

/// Words before a noun among which one says that it is counted.
const WITHIN: usize = 5;

/// Looks at every SUM, AVG and counted column across joins.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for (index, scope) in look.binding.scopes.iter().enumerate() {
        for aggregate in &scope.aggregates {
            verdict.join(measure(look, index, scope, aggregate));
        }
    }
    verdict
}

fn measure(look: &Before<'_>, index: usize, scope: &Scope, aggregate: &AggregateUse) -> Verdict {
    let function = aggregate.function.as_str();
    if aggregate.distinct || aggregate.window || scope.relations.len() < 2 {
        return Verdict::default();
    }
    let sums = matches!(function, "sum" | "avg" | "total") && !counts_conditions(look, aggregate);
    let counts = matches!(function, "count" | "sum" | "total");
    let children = idle_children(look, index, scope);
    let found = if sums {
        summed(look, index, scope, aggregate, &children)
    } else {
        children.iter().copied().filter(|_| counts).find(|case| unsaid(look, scope, *case))
    };
    found.map_or_else(Verdict::default, |case| {
        told(look, scope, aggregate, case, children.iter().any(|(_, child)| *child == case.1))
    })
}

/// Finds whose rows a sum or average reads, and what repeats them.
fn summed(
    look: &Before<'_>,
    index: usize,
    scope: &Scope,
    aggregate: &AggregateUse,
    children: &[(usize, usize)],
) -> Option<(usize, usize)> {
    let owner = only_relation(look, index, aggregate)?;
    let by = multiplier(look, scope, owner)?;
    // One group for each row of the owner: AVG over copies of one value is that value.
    if aggregate.function == "avg" && grouped_by_owner(look, scope, owner) {
        return None;
    }
    let idle = children.iter().map(|(_, child)| *child).find(|child| *child != owner);
    Some((owner, idle.unwrap_or(by)))
}

/// Lists relations that are joined for nothing and may have several rows for one, and for which.
fn idle_children(look: &Before<'_>, index: usize, scope: &Scope) -> Vec<(usize, usize)> {
    let owned = idle(look, index, scope).into_iter().filter_map(|child| {
        let relation = scope.relations.get(child)?;
        let owner = (0..scope.relations.len()).find(|other| {
            let joined = pairs(scope, *other, child);
            let columns: Vec<&str> = joined.iter().map(|(_, theirs)| *theirs).collect();
            !columns.is_empty() && !look.is_unique(relation, &columns)
        })?;
        Some((owner, child))
    });
    owned.collect()
}

/// Tells whether the question has no word of its own for a table, so that its rows aren't what is
/// counted: words that name another table of the query as well name that one.
fn unsaid(look: &Before<'_>, scope: &Scope, (owner, child): (usize, usize)) -> bool {
    let name = |at: usize| scope.relations.get(at).and_then(|relation| relation.table());
    let (Some(_), Some(understanding), Some(table)) =
        (look.question, look.understanding, name(child))
    else {
        return false;
    };
    // One group for each row of the owner: what is counted in it are the child's rows.
    if grouped_by_owner(look, scope, owner) || !is_counted(look, scope, child) {
        return false;
    }
    let others: Vec<&str> =
        (0..scope.relations.len()).filter(|at| *at != child).filter_map(name).collect();
    let of = |link: &Link, table: &str| match &link.target {
        LinkTarget::Table(name) => name == table,
        LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => at.table == table,
        LinkTarget::Metric(_) => false,
    };
    let said = |link: &&Link| {
        let rival = understanding.links.iter().any(|other| {
            let over = other.span.start < link.span.end && link.span.start < other.span.end;
            over && others.iter().any(|table| of(other, table)) && other.score >= link.score
        });
        let column = !matches!(link.target, LinkTarget::Table(_));
        let weak = column && link.how > Match::Stem;
        of(link, table) && !rival && !weak
    };
    !understanding.links.iter().any(|link| said(&link)) && !is_alluded(look, table, &others)
}

/// Tells whether the question counts another table of the query by its name: "how many singers".
fn is_counted(look: &Before<'_>, scope: &Scope, child: usize) -> bool {
    const CUES: &[&str] = &[
        "many",
        "number",
        "numbers",
        "count",
        "most",
        "fewest",
        "least",
        "amount",
        "total",
        "than",
        "only",
        "exactly",
        "common",
        "popular",
        "among",
        "percentage",
        "percent",
        "proportion",
        "share",
    ];
    let (Some(question), Some(understanding)) = (look.question, look.understanding) else {
        return false;
    };
    let others = (0..scope.relations.len()).filter(|at| *at != child);
    let tables: Vec<&str> = others.filter_map(|at| scope.relations.get(at)?.table()).collect();
    understanding.links.iter().any(|link| {
        let named = matches!(&link.target, LinkTarget::Table(name) if tables.contains(&&**name));
        let before = words(question.get(..link.span.start).unwrap_or_default());
        let mut near = before.iter().rev().take(WITHIN);
        named && link.how <= Match::Part && near.any(|word| CUES.contains(&word.as_str()))
    })
}

/// Tells whether a word of the question begins as a table's name does: "rented", and `rental`.
fn is_alluded(look: &Before<'_>, table: &str, others: &[&str]) -> bool {
    let begins = |name: &str, word: &str| {
        let parts = name.split(|c: char| !c.is_alphanumeric());
        parts
            .filter_map(|part| part.get(..BEGINNING))
            .any(|head| word.get(..BEGINNING).is_some_and(|start| start.eq_ignore_ascii_case(head)))
    };
    let asked = look.question.map(words).unwrap_or_default();
    asked.iter().any(|word| begins(table, word) && !others.iter().any(|name| begins(name, word)))
}

/// Says what is counted how often, once the data has been asked.
fn told(
    look: &Before<'_>,
    scope: &Scope,
    aggregate: &AggregateUse,
    (owner, repeated_by): (usize, usize),
    idle: bool,
) -> Verdict {
    let names = |at: usize| scope.relations.get(at).map_or("", |r| r.table().unwrap_or(&r.name));
    let (table, by) = (names(owner), names(repeated_by));
    let call = look.text(aggregate.span);
    let severity;
    let shown;
    match factor(look, scope, owner) {
        Factor::Ask(sql) => {
            let words = format!("how often the join repeats the rows of {table}");
            return Verdict { findings: Vec::new(), probes: vec![probe("fan_out", words, sql)] };
        }
        Factor::None => return Verdict::default(),
        Factor::Times(factor) => {
            // An average over a look-up table is often meant to weigh by the rows that point there.
            let weighs = aggregate.function == "avg" && !idle;
            severity = if weighs { Severity::Info } else { Severity::Warning };
            shown = format!("on this data each row of {table} is counted {factor:.2} times");
        }
        Factor::Unknown => {
            severity = if idle { Severity::Warning } else { Severity::Info };
            shown = format!("several rows of {by} may belong to one row of {table}");
        }
    }
    let message =
        format!("{call} counts rows of {table} more than once: the join with {by} repeats them");
    let mut found = finding("fan_out", severity, message, shown);
    found.retryable = severity == Severity::Warning;
    found.span = Some(aggregate.span);
    found.hint = Some(format!(
        "Aggregate {by} to one row for each row of {table} first, or leave it out of this join, so that {call} sees each row of {table} once."
    ));
    vec![found].into()
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

/// Finds the one relation whose columns an aggregate reads.
fn only_relation(look: &Before<'_>, index: usize, aggregate: &AggregateUse) -> Option<usize> {
    let argument = aggregate.argument?;
    let inside = |span: Span| argument.start <= span.start && span.end <= argument.end;
    let mut owner = None;
    for used in look.binding.columns.iter().filter(|used| inside(used.span)) {
        let (scope, relation) = used.relation?;
        if scope != index || owner.is_some_and(|known| known != relation) {
            return None;
        }
        owner = Some(relation);
    }
    owner
}

/// Walks the joins from a relation; returns the first one that can have several rows for one.
fn multiplier(look: &Before<'_>, scope: &Scope, owner: usize) -> Option<usize> {
    let mut reached = vec![owner];
    let mut at = 0;
    while let Some(from) = reached.get(at).copied() {
        at += 1;
        for (to, relation) in scope.relations.iter().enumerate() {
            let joined = pairs(scope, from, to);
            if reached.contains(&to) || joined.is_empty() {
                continue;
            }
            relation.table()?;
            let columns: Vec<&str> = joined.iter().map(|(_, theirs)| *theirs).collect();
            if !look.is_unique(relation, &columns) && !fixed_by_filter(look, scope, to, &columns) {
                return Some(to);
            }
            reached.push(to);
        }
    }
    None
}

/// Tells whether equalities with literals make the join columns a key: one row is left then.
fn fixed_by_filter(look: &Before<'_>, scope: &Scope, to: usize, joined: &[&str]) -> bool {
    let Some(relation) = scope.relations.get(to) else { return false };
    let mut columns: Vec<&str> = joined.to_vec();
    for literal in &scope.literals {
        let equal = literal.op == crate::domain::plan::Comparison::Equal && !literal.conditional;
        let at = literal.column.as_ref().filter(|_| equal && literal.clause != Clause::Having);
        if let Some(at) = at.filter(|at| Some(at.table.as_str()) == relation.table()) {
            columns.push(&at.column);
        }
    }
    look.is_unique(relation, &columns)
}

/// Tells whether the groups hold one row of the owner each.
fn grouped_by_owner(look: &Before<'_>, scope: &Scope, owner: usize) -> bool {
    let Some(relation) = scope.relations.get(owner) else { return false };
    let keys: Vec<&str> = scope
        .group_by
        .iter()
        .filter_map(|key| key.at.as_ref())
        .filter(|at| Some(at.table.as_str()) == relation.table())
        .map(|at| at.column.as_str())
        .collect();
    !keys.is_empty() && look.is_unique(relation, &keys)
}

/// What is known of how often rows are repeated.
enum Factor {
    Ask(String),
    Unknown,
    None,
    Times(f64),
}

/// Counts joined rows against distinct rows of the owner within each group, on the query's own FROM
/// and WHERE.
fn factor(look: &Before<'_>, scope: &Scope, owner: usize) -> Factor {
    let Some(sql) = probe_sql(look, scope, owner) else { return Factor::Unknown };
    let rows = match look.answer(&sql) {
        Probed::Open => return Factor::Ask(sql),
        Probed::Lost => return Factor::Unknown,
        Probed::Rows(rows) => rows,
    };
    let number = |at: usize| rows.rows.first().and_then(|row| row.get(at)).and_then(Value::number);
    match (number(0), number(1)) {
        (Some(all), Some(distinct)) if distinct > 0.0 && all > distinct => {
            Factor::Times(all / distinct)
        }
        (_, Some(_)) => Factor::None,
        _ => Factor::Unknown,
    }
}

fn probe_sql(look: &Before<'_>, scope: &Scope, owner: usize) -> Option<String> {
    // Only a SELECT that stands on tables alone can be cut out.
    if scope.relations.iter().any(|r| r.table().is_none()) || is_tied_outside(look, scope) {
        return None;
    }
    let relation = scope.relations.get(owner)?;
    let table = look.catalog.table(relation.table()?)?;
    let text = look.query.text();
    let first = scope.relations.first()?.span.start;
    let head = text.get(..first)?;
    let from = head.to_ascii_uppercase().rfind("FROM")?;
    let filter = scope.filter.map_or(String::new(), |span| format!(" WHERE {}", span.of(text)));
    let clause = text.get(from..scope.from_end?)?;
    let mut keys: Vec<String> = Vec::new();
    for key in &scope.group_by {
        let named = key.output.and_then(|at| scope.outputs.get(at)).map(|output| output.span);
        keys.push(named.unwrap_or(key.span).of(text).to_owned());
    }
    let name = look.quoted(&relation.name);
    let hidden = ["rowid".to_owned()];
    let own = match table.primary_key.as_slice() {
        [] if look.query.dialect() == Dialect::Sqlite && table.kind == TableKind::Table => &hidden,
        [] => return None,
        columns => columns,
    };
    keys.extend(own.iter().map(|column| format!("{name}.{}", look.quoted(column))));
    let groups = format!("SELECT COUNT(*) AS n {clause}{filter} GROUP BY {}", keys.join(", "));
    Some(format!("SELECT SUM(n), COUNT(*) FROM ({groups}) AS counted"))
}

/// Tells whether a SELECT reads columns of one around it, or may read names of a WITH.
fn is_tied_outside(look: &Before<'_>, scope: &Scope) -> bool {
    let within = |span: Span| scope.span.start <= span.start && span.end <= scope.span.end;
    let columns = look.binding.columns.iter().filter(|used| within(used.span));
    let outside = |at: usize| look.binding.scopes.get(at).is_none_or(|other| !within(other.span));
    let mut tied = columns.filter_map(|used| used.relation);
    let with = look.query.query().with.is_some();
    tied.any(|(at, _)| outside(at)) || with && scope.parent.is_some()
}
