//! A metric that the question or an output names, computed by another formula than the agreed one.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Select, visit_expressions};

use crate::domain::{Finding, LinkTarget, Match, Metric, Severity, Span};

use super::formula::{Shape, parse, parts, shape};
use super::look::{finding, words};
use super::selects::{Computed, outputs, selects};
use super::{Before, Verdict};

/// Looks at every metric that is named.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let metrics = look.facts.knowledge.metrics.iter();
    metrics.filter_map(|metric| judge(look, metric)).collect::<Vec<_>>().into()
}

/// An output that may compute a metric.
struct Candidate<'a> {
    expr: &'a Expr,
    /// Its alias, else its text.
    name: String,
    /// Conditions of its SELECT.
    given: Vec<String>,
    /// It bears the metric's name.
    named: bool,
}

fn judge(look: &Before<'_>, metric: &Metric) -> Option<Finding> {
    let dialect = look.query.dialect();
    let agreed = parse(&metric.formula, dialect)?;
    let asked = is_asked(look, metric);
    let all = selects(look.query.query());
    let candidates: Vec<Candidate<'_>> =
        all.into_iter().flat_map(|select| candidates(look, select, metric)).collect();
    let named: Vec<&Candidate<'_>> = candidates.iter().filter(|c| c.named).collect();
    let judged: Vec<&Candidate<'_>> = if named.is_empty() && asked {
        candidates.iter().filter(|c| same_kind(&agreed, c)).collect()
    } else {
        named
    };
    if judged.is_empty() {
        return None;
    }
    // the metric's own condition may stand in WHERE or inside the measure: it is looked for below
    let filter = metric.filter.as_deref().and_then(|text| parse(text, dialect));
    let own = filter.as_ref().map(parts).unwrap_or_default();
    let differs = |c: &&&Candidate<'_>| {
        let given = [c.given.as_slice(), own.as_slice()].concat();
        shape(c.expr, &given) != shape(&agreed, &given)
    };
    if judged.iter().any(|c| !differs(&c)) {
        let filter = missing_filter(look, metric, &judged);
        return filter.or_else(|| left_out(look, metric, &agreed, judged.first()?));
    }
    let first = judged.first()?;
    Some(flag(look, metric, &agreed, first))
}

/// The formula is the agreed one, but WHERE keeps only rows that it doesn't count: its dividend or
/// its divisor is then nothing.
fn left_out(
    look: &Before<'_>,
    metric: &Metric,
    agreed: &Expr,
    found: &Candidate<'_>,
) -> Option<Finding> {
    let Shape::Ratio(dividend, divisor) = shape(agreed, &[]) else { return None };
    let rules_out = |part: &&String| {
        let mut sides = [&dividend, &divisor].into_iter();
        sides.any(|side| kept(part).is_some_and(|(column, values)| none_of(side, column, &values)))
    };
    let part = found.given.iter().find(rules_out)?;
    let message = format!(
        "the condition {part} leaves out rows that the agreed formula of {} counts",
        metric.name
    );
    let evidence = format!("agreed: {}", metric.formula.trim());
    let mut flagged = finding("metric_differs", Severity::Warning, message, evidence);
    flagged.retryable = true;
    flagged.hint = Some(format!(
        "{} is over all rows that its formula counts: drop the condition {part}.",
        metric.name
    ));
    flagged.span = span_of(look, found);
    Some(flagged)
}

/// Reads which values of which column a condition keeps: `c='v'`, `cin['v','w']`.
fn kept(part: &str) -> Option<(&str, Vec<&str>)> {
    let listed = part.strip_suffix(']').and_then(|rest| rest.split_once("in["));
    let (column, values) = match listed {
        Some((column, values)) => (column, values.split(',').collect()),
        None => part.split_once('=').map(|(column, value)| (column, vec![value]))?,
    };
    let named = column.chars().all(|c| c.is_alphanumeric() || c == '_');
    (named && values.iter().all(|value| value.starts_with('\''))).then_some((column, values))
}

/// Tells whether a count compares a column by equality, and with other values only.
fn none_of(count: &str, column: &str, values: &[&str]) -> bool {
    let compared = format!("{column}='");
    let mut found = count.match_indices(&compared).peekable();
    let wanted = |at: usize| {
        let value = count.get(at + column.len() + 1..).unwrap_or_default();
        values.iter().any(|kept| value.starts_with(kept))
    };
    found.peek().is_some() && found.all(|(at, _)| !wanted(at))
}

fn flag(look: &Before<'_>, metric: &Metric, agreed: &Expr, found: &Candidate<'_>) -> Finding {
    let formula = metric.formula.trim();
    let what = match (shape(agreed, &found.given), shape(found.expr, &found.given)) {
        (Shape::Ratio(a, b), Shape::Ratio(x, y)) => match (a == x, b == y) {
            (true, false) => "divides by something else than",
            (false, true) => "divides something else than",
            _ => "is another ratio than",
        },
        _ => "is computed otherwise than",
    };
    let text = found.expr;
    let message = format!("{} {what} the agreed formula of {}", found.name, metric.name);
    let evidence = format!("written: {text}; agreed: {formula}");
    let mut flagged = finding("metric_differs", Severity::Warning, message, evidence);
    flagged.retryable = true;
    flagged.hint = Some(format!(
        "{} is agreed to be {formula}. Compute it exactly so, casting and scaling as the question needs.",
        metric.name
    ));
    flagged.span = span_of(look, found);
    flagged
}

/// The metric's own condition must stand in WHERE or inside the measure.
fn missing_filter(
    look: &Before<'_>,
    metric: &Metric,
    judged: &[&Candidate<'_>],
) -> Option<Finding> {
    let filter = metric.filter.as_deref()?;
    let wanted = parts(&parse(filter, look.query.dialect())?);
    let holds = |c: &&&Candidate<'_>| {
        let text = format!("{:?}", shape(c.expr, &[]));
        wanted.iter().all(|part| c.given.contains(part) || text.contains(part.as_str()))
    };
    if judged.iter().any(|c| holds(&c)) {
        return None;
    }
    let first = judged.first()?;
    let message = format!("{} lacks the condition that goes with {}", first.name, metric.name);
    let mut flagged =
        finding("metric_differs", Severity::Warning, message, format!("agreed: {filter}"));
    flagged.retryable = true;
    flagged.hint = Some(format!("{} counts only rows with {filter}.", metric.name));
    flagged.span = span_of(look, first);
    Some(flagged)
}

/// Finds the output's place by its name.
fn span_of(look: &Before<'_>, found: &Candidate<'_>) -> Option<Span> {
    let outputs = look.binding.scopes.iter().flat_map(|scope| &scope.outputs);
    outputs.filter(|output| output.name == found.name).map(|output| output.span).next()
}

/// Lists the outputs of a SELECT that aggregate base columns, and so can be compared.
fn candidates<'a>(look: &Before<'a>, select: &'a Select, metric: &Metric) -> Vec<Candidate<'a>> {
    let given = select.selection.as_ref().map(parts).unwrap_or_default();
    let comparable = outputs(select).into_iter().filter(|output| aggregates(look, output.expr));
    comparable
        .map(|Computed { expr, alias }| Candidate {
            expr,
            name: alias.map_or_else(|| expr.to_string(), str::to_owned),
            given: given.clone(),
            named: alias.is_some_and(|alias| names(metric, alias)),
        })
        .collect()
}

/// Tells whether an expression aggregates, and reads base columns only: what a CTE computed before
/// can't be compared.
fn aggregates(look: &Before<'_>, expr: &Expr) -> bool {
    const FUNCTIONS: &[&str] = &["COUNT", "SUM", "AVG", "MIN", "MAX", "TOTAL"];
    let is_base = |name: &str| {
        let tables = look.binding.tables.iter().filter_map(|table| look.catalog.table(table));
        tables.into_iter().any(|table| table.column(name).is_some())
    };
    let (mut found, mut base) = (false, true);
    let _ = visit_expressions(expr, |inner: &Expr| {
        if let Expr::Function(function) = inner {
            let name = function.name.to_string();
            found |= FUNCTIONS.iter().any(|f| name.eq_ignore_ascii_case(f));
        } else if let Expr::Identifier(ident) = inner {
            // A double-quoted word may be a text.
            base &= ident.quote_style == Some('"') || is_base(&ident.value);
        } else if let Expr::CompoundIdentifier(path) = inner {
            base &= path.last().is_some_and(|ident| is_base(&ident.value));
        }
        ControlFlow::<()>::Continue(())
    });
    found && base
}

/// Tells whether an output computes the kind of thing the metric is: a ratio, or a sum.
fn same_kind(agreed: &Expr, candidate: &Candidate<'_>) -> bool {
    match (shape(agreed, &[]), shape(candidate.expr, &[])) {
        (Shape::Ratio(..), Shape::Ratio(..)) => true,
        (Shape::Plain(a), Shape::Plain(b)) => {
            let function = |text: &str| text.split('[').next().unwrap_or("").to_owned();
            function(&a) == function(&b)
        }
        _ => false,
    }
}

/// Tells whether an output's name is the metric's, or one of its other words.
fn names(metric: &Metric, alias: &str) -> bool {
    let alias = spoken(alias);
    let same = |name: &String| {
        let name = spoken(name);
        alias == name || (name.len() > 1 && alias.starts_with(name.as_slice()))
    };
    same(&metric.name) || metric.synonyms.iter().any(same)
}

/// Tells whether the question names the metric.
fn is_asked(look: &Before<'_>, metric: &Metric) -> bool {
    let linked = look.understanding.is_some_and(|understanding| {
        understanding
            .links
            .iter()
            // part of a name, or a word of its description, doesn't ask for the metric
            .filter(|link| link.how <= Match::Synonym)
            .any(|link| matches!(&link.target, LinkTarget::Metric(name) if *name == metric.name))
    });
    let asked = look.question.map(words).unwrap_or_default();
    let said = |name: &String| {
        let name = spoken(name);
        name.len() > 1 && asked.windows(name.len()).any(|window| window == name)
    };
    linked || said(&metric.name) || metric.synonyms.iter().any(said)
}

fn spoken(name: &str) -> Vec<String> {
    words(&name.replace('_', " "))
}
