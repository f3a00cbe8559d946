//! One query: SELECT, FROM with joins, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT, set operation.

use crate::domain::plan::{Condition, Join, SetOperation, Term};
use crate::domain::{Catalog, Dialect, Plan};
use crate::sql::dialect::quote;

use super::terms::{Names, condition, term};

/// Nested plans at most; a plan read from a reply may be anything.
const DEEPEST: usize = 8;

/// Writes a plan as a query without a semicolon.
pub(super) fn query(plan: &Plan, catalog: &Catalog, depth: usize) -> Result<String, String> {
    if depth > DEEPEST {
        return Err("the plan nests too deeply".to_owned());
    }
    let names = Names::new(plan, catalog, depth);
    let base = plan.tables.first().ok_or("the plan names no table")?;
    let mut sql = format!(
        "SELECT {}{} FROM {}",
        if plan.distinct { "DISTINCT " } else { "" },
        outputs(plan, &names)?,
        names.table(base)
    );
    let mut there = vec![base.clone()];
    for join in &plan.joins {
        sql.push_str(&join_text(join, &names, &mut there)?);
    }
    if let Some(missing) =
        plan.tables.iter().find(|t| !there.iter().any(|x| x.eq_ignore_ascii_case(t)))
    {
        return Err(format!("the plan doesn't say how {missing} is joined"));
    }
    push_conditions(&mut sql, " WHERE ", &plan.filters, &names)?;
    push_list(&mut sql, " GROUP BY ", &grouped(plan, catalog), &names)?;
    push_conditions(&mut sql, " HAVING ", &plan.having, &names)?;
    let keys = plan.order.iter().map(|key| {
        let text = term(&key.term, &names)?;
        Ok(if key.descending { format!("{text} DESC") } else { text })
    });
    let keys: Vec<String> = keys.collect::<Result<_, String>>()?;
    let tail = order_and_limit(&keys, plan.limit);
    match &plan.combined {
        Some((operation, other)) => {
            let word = match operation {
                SetOperation::Union => "UNION",
                SetOperation::Intersect => "INTERSECT",
                SetOperation::Except => "EXCEPT",
            };
            let other = query(other, catalog, depth + 1)?;
            Ok(format!("{sql} {word} {other}{tail}"))
        }
        None => Ok(sql + &tail),
    }
}

fn order_and_limit(keys: &[String], limit: Option<u64>) -> String {
    let order =
        if keys.is_empty() { String::new() } else { format!(" ORDER BY {}", keys.join(", ")) };
    let limit = limit.map(|n| format!(" LIMIT {n}")).unwrap_or_default();
    order + &limit
}

fn outputs(plan: &Plan, names: &Names<'_>) -> Result<String, String> {
    let mut outputs = Vec::new();
    for output in &plan.dimensions {
        outputs.push(match output {
            // With joins, "all columns" are those of the table in question.
            Term::Star if !plan.joins.is_empty() => {
                format!("{}.*", names.alias(plan.tables.first().map_or("", String::as_str)))
            }
            Term::Star | Term::Column(_) | Term::Aggregate { .. } | Term::Sql(_) => {
                term(output, names)?
            }
        });
    }
    for measure in &plan.measures {
        let text = term(&measure.term, names)?;
        outputs.push(if measure.alias.is_empty() {
            text
        } else {
            format!("{text} AS {}", quote(&measure.alias, names.dialect()))
        });
    }
    if outputs.is_empty() {
        return Err("the plan puts nothing out".to_owned());
    }
    Ok(outputs.join(", "))
}

fn join_text(join: &Join, names: &Names<'_>, there: &mut Vec<String>) -> Result<String, String> {
    let (_, added) = join.on.first().ok_or("a join of the plan names no columns")?;
    let pair = |(left, right): &(crate::domain::ColumnRef, crate::domain::ColumnRef)| {
        Ok(format!("{} = {}", names.column(left)?, names.column(right)?))
    };
    there.push(added.table.clone());
    let on: Vec<String> = join.on.iter().map(pair).collect::<Result<_, String>>()?;
    let word = if join.outer { "LEFT JOIN" } else { "JOIN" };
    Ok(format!(" {word} {} ON {}", names.table(&added.table), on.join(" AND ")))
}

/// What is grouped by: what the plan says, and every plain output beside an aggregate that isn't
/// decided by a primary key already grouped by.
fn grouped(plan: &Plan, catalog: &Catalog) -> Vec<Term> {
    let sorted = plan.order.iter().any(|key| matches!(key.term, Term::Aggregate { .. }));
    if !plan.aggregates() && !sorted {
        return Vec::new();
    }
    let mut terms = plan.group_by.clone();
    let decided: Vec<&String> =
        plan.tables.iter().filter(|table| key_is_in(&plan.group_by, table, catalog)).collect();
    for output in &plan.dimensions {
        let known = matches!(output, Term::Column(at)
            if decided.iter().any(|table| table.eq_ignore_ascii_case(&at.table)));
        if !known && !terms.contains(output) && !matches!(output, Term::Star) {
            terms.push(output.clone());
        }
    }
    terms
}

/// Tells whether terms hold the primary key of a table, in a dialect that draws the consequence.
fn key_is_in(terms: &[Term], table: &str, catalog: &Catalog) -> bool {
    let draws = match catalog.dialect {
        Dialect::Sqlite | Dialect::Postgres | Dialect::Mysql => true,
        Dialect::Duckdb | Dialect::Generic => false,
    };
    let Some(table) = catalog.table(table).filter(|t| draws && !t.primary_key.is_empty()) else {
        return false;
    };
    table.primary_key.iter().all(|key| {
        terms.iter().any(|term| {
            matches!(term, Term::Column(at) if at.table.eq_ignore_ascii_case(&table.name)
                && at.column.eq_ignore_ascii_case(key))
        })
    })
}

fn push_list(
    sql: &mut String,
    word: &str,
    terms: &[Term],
    names: &Names<'_>,
) -> Result<(), String> {
    let texts: Vec<String> = terms.iter().map(|t| term(t, names)).collect::<Result<_, _>>()?;
    if !texts.is_empty() {
        sql.push_str(word);
        sql.push_str(&texts.join(", "));
    }
    Ok(())
}

fn push_conditions(
    sql: &mut String,
    word: &str,
    all: &[Condition],
    names: &Names<'_>,
) -> Result<(), String> {
    let texts: Vec<String> = all.iter().map(|c| condition(c, names)).collect::<Result<_, _>>()?;
    if !texts.is_empty() {
        sql.push_str(word);
        sql.push_str(&texts.join(" AND "));
    }
    Ok(())
}
