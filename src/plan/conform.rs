//! Holds SQL against the plan it came with: grain, filters, measures, tables, limit.
//!
//! Only what is surely broken is reported: a plan in words that can't be read proves nothing.

use crate::domain::counts::count;
use crate::domain::plan::{Aggregate, Condition, Term};
use crate::domain::{Catalog, ColumnRef, Finding, Plan, Severity};
use crate::sql::scope::{AggregateUse, Scope};
use crate::sql::{Binding, ReadQuery};

/// Lists where the SQL doesn't follow the plan (gate `plan_not_followed`).
pub fn conform(
    plan: &Plan,
    query: &ReadQuery,
    binding: &Binding,
    catalog: &Catalog,
) -> Vec<Finding> {
    let held = Held { plan, query, binding, catalog };
    let broken: Vec<(String, String)> = [held.tables(), held.measures(), held.filters()]
        .into_iter()
        .flatten()
        .chain(held.limit())
        .collect();
    broken.into_iter().map(|(message, evidence)| found(message, evidence)).collect()
}

fn found(message: String, evidence: String) -> Finding {
    let hint = format!("Write SQL that follows the plan: {message}.");
    Finding {
        gate: "plan_not_followed".to_owned(),
        severity: Severity::Warning,
        message,
        evidence,
        retryable: true,
        hint: Some(hint),
        span: None,
        rewrite: None,
    }
}

/// A plan and the SQL that is held against it.
struct Held<'a> {
    plan: &'a Plan,
    query: &'a ReadQuery,
    binding: &'a Binding,
    catalog: &'a Catalog,
}

impl Held<'_> {
    /// Tables of the plan that exist and aren't read.
    fn tables(&self) -> Vec<(String, String)> {
        let read = |name: &str| self.binding.tables.iter().any(|t| t.eq_ignore_ascii_case(name));
        let planned = self.plan.tables.iter().filter(|name| self.catalog.table(name).is_some());
        planned
            .filter(|name| !read(name))
            .map(|name| {
                let words = format!("the plan reads {name}, the SQL doesn't");
                (words, format!("tables read: {}", self.binding.tables.join(", ")))
            })
            .collect()
    }

    /// Measures of the plan that no aggregate computes.
    fn measures(&self) -> Vec<(String, String)> {
        let mut broken = Vec::new();
        for measure in &self.plan.measures {
            let Term::Aggregate { function, of, distinct } = &measure.term else { continue };
            let Term::Column(at) = &**of else { continue };
            if self.catalog.column(at).is_none() || self.computes(*function, at, *distinct) {
                continue;
            }
            // A measure may be computed by other means, such as an outer query over the groups.
            let same_column = self.binding.columns.iter().any(|used| used.at.as_ref() == Some(at));
            if same_column && !self.other_function(*function, at) {
                continue;
            }
            let words = format!("the plan measures {}({at}), the SQL doesn't", function.sql());
            broken.push((words, self.aggregates()));
        }
        broken
    }

    /// Tells whether an aggregate of the SQL is this one.
    fn computes(&self, function: Aggregate, at: &ColumnRef, distinct: bool) -> bool {
        let is = |used: &AggregateUse| {
            let inside = used.argument.is_some_and(|span| {
                self.binding.columns_in(span).iter().any(|column| same(column, at))
            });
            // Counting any column that is never NULL counts rows.
            let counts = function == Aggregate::Count && !distinct;
            used.function.eq_ignore_ascii_case(function.sql()) && (inside || counts)
        };
        self.scopes().any(|scope| scope.aggregates.iter().any(is))
    }

    /// Tells whether this very column is aggregated by another function only.
    fn other_function(&self, function: Aggregate, at: &ColumnRef) -> bool {
        let mut uses = self
            .scopes()
            .flat_map(|scope| &scope.aggregates)
            .filter(|used| used.column.as_ref().is_some_and(|column| same(column, at)));
        uses.any(|used| !used.function.eq_ignore_ascii_case(function.sql()))
    }

    fn aggregates(&self) -> String {
        let text = self.query.text();
        let calls: Vec<&str> =
            self.scopes().flat_map(|s| &s.aggregates).map(|used| used.span.of(text)).collect();
        if calls.is_empty() { "no aggregates".to_owned() } else { calls.join(", ") }
    }

    /// Filters of the plan whose value stands nowhere in the SQL.
    fn filters(&self) -> Vec<(String, String)> {
        let text = self.query.text();
        let lower = text.to_lowercase();
        let mut broken = Vec::new();
        for filter in &self.plan.filters {
            let Condition::Sql(words) = filter else { continue };
            let values = quoted(words);
            // Only a value that the SQL doesn't hold in any spelling is surely left out.
            let missing = values.iter().find(|value| !lower.contains(&value.to_lowercase()));
            if let Some(value) = missing {
                let message = format!("the plan filters by {words}, the SQL doesn't");
                broken.push((message, format!("'{value}' stands nowhere in the SQL")));
            }
        }
        broken
    }

    /// A planned limit that the SQL lacks or changes.
    fn limit(&self) -> Option<(String, String)> {
        let planned = self.plan.limit?;
        let text = self.query.text().to_ascii_uppercase();
        let tails = self.scopes().map(|scope| &scope.tail).chain([&self.binding.tail]);
        let limits: Vec<u64> = tails.filter_map(|tail| tail.limit).collect();
        // Ranks over windows limit rows by a condition.
        let ranked = text.contains("OVER") || text.contains("ROW_NUMBER");
        let computed = text.contains("LIMIT") && limits.is_empty();
        // One row may be had by an aggregate or a comparison with the largest.
        if limits.contains(&planned) || ranked || computed || planned == 1 {
            return None;
        }
        let message = format!("the plan keeps {}, the SQL doesn't", count(planned, "row"));
        let evidence = limits.first().map_or("no LIMIT".to_owned(), |n| format!("LIMIT {n}"));
        Some((message, evidence))
    }

    fn scopes(&self) -> impl Iterator<Item = &Scope> {
        self.binding.scopes.iter()
    }
}

fn same(a: &ColumnRef, b: &ColumnRef) -> bool {
    a.table.eq_ignore_ascii_case(&b.table) && a.column.eq_ignore_ascii_case(&b.column)
}

/// Lists the texts in single quotes of a condition.
fn quoted(words: &str) -> Vec<String> {
    let mut values = Vec::new();
    for (nth, part) in words.split('\'').enumerate() {
        if nth % 2 == 1 && !part.trim_matches('%').trim().is_empty() {
            values.push(part.trim_matches('%').trim().to_owned());
        }
    }
    // A quote left open means that the condition wasn't read rightly.
    if words.matches('\'').count().is_multiple_of(2) { values } else { Vec::new() }
}
