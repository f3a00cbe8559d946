//! Views that show a withheld column under a name of their own: what they show is withheld, too.

use crate::domain::schema::TableKind;
use crate::domain::{Catalog, ColumnRef, Table};
use crate::sql::scope::Clause;
use crate::sql::{self, Binding, ReadQuery};

use super::privacy::identifiers;

/// Most rounds of looking: a view over a view over a view is followed so far.
const ROUNDS: usize = 3;

/// Why a column is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// It is on the deny list.
    Denied,
    /// It looks like a secret.
    Secret,
}

/// Lists the columns of views that show a column which `withheld` names, directly or computed.
///
/// `suspicious` says cheaply whether a word may be the name of such a column: only views that hold
/// one, or the name of a column found before, are read.
pub(super) fn showing(
    catalog: &Catalog,
    suspicious: impl Fn(&str) -> bool,
    withheld: impl Fn(&ColumnRef) -> Option<Why>,
) -> Vec<(ColumnRef, Why)> {
    let is_view = |table: &&Table| table.kind == TableKind::View;
    let mut unread: Vec<&Table> = catalog.tables.iter().filter(is_view).collect();
    let mut read: Vec<(&Table, Option<Binding>)> = Vec::new();
    let mut found: Vec<(ColumnRef, Why)> = Vec::new();
    for _ in 0..ROUNDS {
        let before = found.len();
        unread.retain(|view| {
            let is_found =
                |word: &str| found.iter().any(|(at, _)| at.column.eq_ignore_ascii_case(word));
            let mut words = identifiers(view.ddl.as_deref().unwrap_or(""));
            let wanted = words.any(|(_, word)| suspicious(word) || is_found(word));
            if wanted {
                read.push((view, bound(view, catalog)));
            }
            !wanted
        });
        for (view, binding) in &read {
            let known = |at: &ColumnRef| {
                let shown = found.iter().find(|(other, _)| same(other, at)).map(|(_, why)| *why);
                shown.or_else(|| withheld(at))
            };
            let shown = columns_of(view, binding.as_ref(), catalog, known);
            let new: Vec<_> = shown
                .into_iter()
                .filter(|(at, _)| !found.iter().any(|(other, _)| same(other, at)))
                .collect();
            found.extend(new);
        }
        if found.len() == before {
            break;
        }
    }
    found
}

fn same(a: &ColumnRef, b: &ColumnRef) -> bool {
    a.table.eq_ignore_ascii_case(&b.table) && a.column.eq_ignore_ascii_case(&b.column)
}

/// Binds the query of a view; none when it can't be read.
fn bound(view: &Table, catalog: &Catalog) -> Option<Binding> {
    let query = ReadQuery::parse(query_of(view.ddl.as_deref()?)?, catalog.dialect).ok()?;
    let binding = sql::bind(&query, catalog);
    (binding.diagnostics.is_empty() && binding.outputs.len() == view.columns.len())
        .then_some(binding)
}

/// Cuts the query out of a CREATE VIEW statement: what stands behind its AS.
fn query_of(ddl: &str) -> Option<&str> {
    let (at, word) = identifiers(ddl).find(|(_, word)| word.eq_ignore_ascii_case("as"))?;
    ddl.get(at + word.len()..)
}

/// Lists a view's columns that show something withheld.
fn columns_of(
    view: &Table,
    binding: Option<&Binding>,
    catalog: &Catalog,
    withheld: impl Fn(&ColumnRef) -> Option<Why>,
) -> Vec<(ColumnRef, Why)> {
    let named = |n: usize, why: Why| {
        let column = view.columns.get(n)?;
        Some((ColumnRef::new(&view.name, &column.name), why))
    };
    let Some(binding) = binding else {
        // What can't be read may show any column that it names.
        let ddl = view.ddl.as_deref().unwrap_or("");
        let words: Vec<&str> = identifiers(ddl).map(|(_, word)| word).collect();
        let has = |name: &str| words.iter().any(|word| word.eq_ignore_ascii_case(name));
        let tables = catalog.tables.iter().filter(|table| has(&table.name));
        let all = tables.flat_map(|t| t.columns.iter().map(|c| ColumnRef::new(&t.name, &c.name)));
        let why = all.filter(|at| has(&at.column)).find_map(|at| withheld(&at));
        let columns = 0..view.columns.len();
        return why
            .into_iter()
            .flat_map(|why| columns.clone().filter_map(move |n| named(n, why)))
            .collect();
    };
    let outputs = binding.outputs.iter().enumerate();
    let shown = outputs.filter_map(|(n, (_, base))| {
        let why = base.as_ref().and_then(&withheld).or_else(|| in_arms(binding, n, &withheld))?;
        named(n, why)
    });
    shown.collect()
}

/// Looks into the expressions that make output `n`, in every arm of the outermost query.
fn in_arms(
    binding: &Binding,
    n: usize,
    withheld: impl Fn(&ColumnRef) -> Option<Why>,
) -> Option<Why> {
    let arms = binding.scopes.iter().filter(|scope| scope.parent.is_none());
    for arm in arms {
        if arm.outputs.iter().any(|output| output.star) {
            // stars keep names: what they show has a base column
            continue;
        }
        let Some(output) = arm.outputs.get(n) else { continue };
        let inside =
            |at: crate::domain::Span| output.span.start <= at.start && at.end <= output.span.end;
        for used in binding.columns.iter().filter(|used| inside(used.span)) {
            let why = match &used.at {
                Some(at) => withheld(at),
                // computed further inside: by any withheld column that is put out there
                None => put_out(binding, &withheld),
            };
            if why.is_some() {
                return why;
            }
        }
    }
    None
}

/// Finds a withheld column among those that any SELECT of a query puts out.
fn put_out(binding: &Binding, withheld: impl Fn(&ColumnRef) -> Option<Why>) -> Option<Why> {
    let outputs = binding.columns.iter().filter(|used| used.clause == Clause::Output);
    outputs.filter_map(|used| used.at.as_ref()).find_map(withheld)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Column, Dialect};

    fn table(name: &str, columns: &[&str]) -> Table {
        let column = |name: &&str| Column { name: (*name).to_owned(), ..Column::default() };
        let columns = columns.iter().map(column).collect();
        Table { name: name.to_owned(), columns, ..Table::default() }
    }

    fn shown(columns: &[&str], query: &str) -> Vec<String> {
        let ddl = Some(format!("CREATE VIEW seen AS {query}"));
        let view = Table { kind: TableKind::View, ddl, ..table("seen", columns) };
        let tables = vec![table("staff", &["id", "name", "salary"]), table("rooms", &["id"]), view];
        let catalog = Catalog { tables, dialect: Dialect::Sqlite, ..Catalog::default() };
        let withheld = |at: &ColumnRef| (at.column == "salary").then_some(Why::Denied);
        let found = showing(&catalog, |word| word == "salary", withheld);
        found.into_iter().map(|(at, _)| at.to_string()).collect()
    }

    #[test]
    fn a_view_shows_a_column_under_any_name() {
        assert_eq!(shown(&["id", "pay"], "SELECT id, salary AS pay FROM staff"), ["seen.pay"]);
        assert_eq!(shown(&["id", "pay"], "SELECT id, salary * 12 FROM staff"), ["seen.pay"]);
        assert_eq!(
            shown(&["id", "name", "salary"], "SELECT * FROM staff /* salary */"),
            ["seen.salary"]
        );
        let nested = "SELECT id, p + 1 FROM (SELECT id, salary * 2 AS p FROM staff)";
        assert_eq!(shown(&["id", "x"], nested), ["seen.x"]);
        let union = "SELECT id, name FROM staff UNION SELECT id, salary FROM staff";
        assert_eq!(shown(&["id", "name"], union), ["seen.name"]);
    }

    #[test]
    fn a_view_that_only_filters_by_it_shows_nothing() {
        assert!(shown(&["id"], "SELECT id FROM staff WHERE salary > 5").is_empty());
        assert!(shown(&["n"], "SELECT COUNT(*) FROM staff WHERE salary > 5").is_empty());
        assert!(shown(&["id"], "SELECT id FROM rooms").is_empty());
    }

    #[test]
    fn a_view_that_can_not_be_read_may_show_anything() {
        let query = "SELECT id, salary FROM staff GARBLED BEYOND reading (";
        assert_eq!(shown(&["id", "pay"], query), ["seen.id", "seen.pay"]);
    }
}
