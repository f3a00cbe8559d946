//! Views that show a withheld column under a name of their own: what they show is withheld, too.

use crate::domain::schema::TableKind;
use crate::domain::{Catalog, ColumnRef, Span, Table};
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

/// Lists the columns of views and virtual tables that show a column which `withheld` names, directly
/// or computed.
///
/// `suspicious` says cheaply whether a word may be the name of such a column: only views that hold
/// one, or the name of a column found before, are read; and those with a star over a table of which
/// `holds` says that it has one.
pub(super) fn showing(
    catalog: &Catalog,
    suspicious: impl Fn(&str) -> bool,
    holds: impl Fn(&str) -> bool,
    withheld: impl Fn(&ColumnRef) -> Option<Why>,
) -> Vec<(ColumnRef, Why)> {
    let is_other = |table: &&Table| table.kind != TableKind::Table;
    let mut unread: Vec<&Table> = catalog.tables.iter().filter(is_other).collect();
    let mut read: Vec<(&Table, Option<Binding>)> = Vec::new();
    let mut found: Vec<(ColumnRef, Why)> = Vec::new();
    for _ in 0..ROUNDS {
        let before = found.len();
        unread.retain(|view| {
            let ddl = view.ddl.as_deref().unwrap_or("");
            let column =
                |word: &str| found.iter().any(|(at, _)| at.column.eq_ignore_ascii_case(word));
            let table =
                |word: &str| found.iter().any(|(at, _)| at.table.eq_ignore_ascii_case(word));
            let star = ddl.contains('*');
            let wanted = identifiers(ddl).any(|(_, word)| {
                suspicious(word) || column(word) || (star && (table(word) || holds(word)))
            });
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
            let shown = columns_of(view, binding.as_ref(), catalog, &known);
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

/// Lists a view's columns that may show something withheld.
fn columns_of(
    view: &Table,
    binding: Option<&Binding>,
    catalog: &Catalog,
    withheld: &dyn Fn(&ColumnRef) -> Option<Why>,
) -> Vec<(ColumnRef, Why)> {
    let ddl = view.ddl.as_deref().unwrap_or("");
    let columns = view.columns.iter().map(|column| ColumnRef::new(&view.name, &column.name));
    let Some((binding, text)) = binding.zip(query_of(ddl)) else {
        let words: Vec<&str> = identifiers(ddl).map(|(_, word)| word).collect();
        let has = |name: &str| words.iter().any(|word| word.eq_ignore_ascii_case(name));
        let hidden = hidden_of(catalog.tables.iter().filter(|table| has(&table.name)), withheld);
        if view.kind == TableKind::Virtual {
            // an index over the texts of a table, under the names of its columns
            let like =
                |at: &ColumnRef| hidden.iter().find(|(h, _)| same_name(&h.column, &at.column));
            return columns.filter_map(|at| like(&at).map(|(_, why)| (at, *why))).collect();
        }
        // what can't be read may show any column that it names
        let named = |(at, _): &&(ColumnRef, Why)| ddl.contains('*') || has(&at.column);
        let why = hidden.iter().find(named).map(|(_, why)| *why);
        return why.map(|why| columns.map(|at| (at, why)).collect()).unwrap_or_default();
    };
    let tables = binding.tables.iter().filter_map(|name| catalog.table(name));
    let hidden = hidden_of(tables, withheld);
    if hidden.is_empty() {
        return Vec::new();
    }
    let flow = Flow { binding, text, hidden: &hidden, withheld };
    let outputs = binding.outputs.iter().zip(columns).enumerate();
    outputs
        .filter_map(|(n, ((_, base), at))| Some((at, flow.reaching_output(n, base.as_ref())?)))
        .collect()
}

fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Lists the withheld columns of tables.
fn hidden_of<'a>(
    tables: impl Iterator<Item = &'a Table>,
    withheld: &dyn Fn(&ColumnRef) -> Option<Why>,
) -> Vec<(ColumnRef, Why)> {
    let all = tables.flat_map(|t| t.columns.iter().map(|c| ColumnRef::new(&t.name, &c.name)));
    all.filter_map(|at| withheld(&at).map(|why| (at, why))).collect()
}

/// What a view's query reads, and what of it must not be shown.
struct Flow<'a> {
    binding: &'a Binding,
    text: &'a str,
    /// The withheld columns of the tables that it reads.
    hidden: &'a [(ColumnRef, Why)],
    withheld: &'a dyn Fn(&ColumnRef) -> Option<Why>,
}

impl Flow<'_> {
    /// Tells why output `n` may show something withheld; what can't be told apart may.
    fn reaching_output(&self, n: usize, base: Option<&ColumnRef>) -> Option<Why> {
        let arms = || self.binding.scopes.iter().filter(|scope| scope.parent.is_none());
        if let (Some(base), 1) = (base, arms().count()) {
            return (self.withheld)(base);
        }
        arms().find_map(|arm| match arm.outputs.get(n) {
            Some(output) if !arm.outputs.iter().any(|output| output.star) => {
                self.reaching_expression(output.span)
            }
            Some(_) | None => self.anywhere(),
        })
    }

    fn reaching_expression(&self, span: Span) -> Option<Why> {
        let said = self.named_in(span.of(self.text));
        let inside = |at: Span| span.start <= at.start && at.end <= span.end;
        let mut used = self.binding.columns.iter().filter(|used| inside(used.span));
        said.or_else(|| {
            used.find_map(|used| match &used.at {
                Some(at) => (self.withheld)(at),
                // made further inside: of anything that is put out or handed over there
                None => self.anywhere(),
            })
        })
    }

    /// Finds a withheld column that a star takes in, or that is named outside of conditions.
    fn anywhere(&self) -> Option<Why> {
        let scopes = &self.binding.scopes;
        if scopes.iter().any(|scope| scope.outputs.iter().any(|output| output.star)) {
            return self.hidden.first().map(|(_, why)| *why);
        }
        let filters = scopes.iter().flat_map(|scope| scope.filter.iter().chain(&scope.having));
        let mut told = self.text.to_owned();
        for filter in filters {
            let blank = " ".repeat(filter.of(&told).len());
            if !blank.is_empty() {
                told.replace_range(filter.start..filter.end, &blank);
            }
        }
        self.named_in(&told)
    }

    fn named_in(&self, text: &str) -> Option<Why> {
        let words: Vec<&str> = identifiers(text).map(|(_, word)| word).collect();
        let named = |at: &ColumnRef| {
            let parts: Vec<&str> = identifiers(&at.column).map(|(_, word)| word).collect();
            let is = |here: &[&str]| here.iter().zip(&parts).all(|(a, b)| same_name(a, b));
            !parts.is_empty() && words.windows(parts.len()).any(is)
        };
        self.hidden.iter().find(|(at, _)| named(at)).map(|(_, why)| *why)
    }
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
        of(vec![Table { kind: TableKind::View, ddl, ..table("seen", columns) }])
    }

    fn of(views: Vec<Table>) -> Vec<String> {
        let mut tables = vec![table("staff", &["id", "name", "salary"]), table("rooms", &["id"])];
        tables.extend(views);
        let catalog = Catalog { tables, dialect: Dialect::Sqlite, ..Catalog::default() };
        let withheld =
            |at: &ColumnRef| (at.table == "staff" && at.column == "salary").then_some(Why::Denied);
        let found = showing(&catalog, |word| word == "salary", |table| table == "staff", withheld);
        found.into_iter().map(|(at, _)| at.to_string()).collect()
    }

    #[test]
    fn a_star_shows_what_its_table_holds_under_any_name() {
        assert_eq!(shown(&["a", "b", "c"], "SELECT * FROM staff"), ["seen.c"]);
        assert_eq!(
            shown(&["a", "b", "c", "d"], "SELECT r.id, s.* FROM rooms r, staff s"),
            ["seen.d"]
        );
        assert_eq!(shown(&["id"], "SELECT * FROM rooms"), [""; 0]);
        assert_eq!(shown(&["n"], "SELECT count(*) FROM staff"), [""; 0]);
        let inside = "SELECT a || '' FROM (SELECT id, name, salary AS a FROM staff)";
        assert_eq!(shown(&["x"], inside), ["seen.x"]);
        let computed = "SELECT * FROM (SELECT salary || '!' AS x FROM staff)";
        assert_eq!(shown(&["x"], computed), ["seen.x"]);
        let arms = "SELECT id, id, id FROM rooms UNION SELECT * FROM staff";
        assert_eq!(shown(&["a", "b", "c"], arms), ["seen.a", "seen.b", "seen.c"]);
        let over = |name: &str, of: &str| Table {
            kind: TableKind::View,
            ddl: Some(format!("CREATE VIEW {name}(a, b, c) AS SELECT * FROM {of}")),
            ..table(name, &["a", "b", "c"])
        };
        assert_eq!(of(vec![over("one", "staff"), over("two", "one")]), ["one.c", "two.c"]);
    }

    #[test]
    fn what_is_handed_to_a_function_comes_out_of_it() {
        let each = "SELECT value FROM staff, json_each(json_array(salary))";
        assert_eq!(shown(&["v"], each), ["seen.v"]);
        let object = "SELECT json_extract(json_object('a', staff.salary), '$.a') FROM staff";
        assert_eq!(shown(&["v"], object), ["seen.v"]);
    }

    #[test]
    fn an_index_of_texts_shows_the_columns_that_it_is_made_of() {
        let ddl = Some("CREATE VIRTUAL TABLE f USING fts5(name, salary, content='staff')".into());
        let index = Table { kind: TableKind::Virtual, ddl, ..table("f", &["name", "salary"]) };
        assert_eq!(of(vec![index]), ["f.salary"]);
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
