//! Ways in which more rows come to a table that is measured, each with its twin by outer joins.

use querent::domain::{Catalog, Span, Table};
use querent::sql::rewrite::Edit;
use querent::sql::scope::{AggregateUse, Relation, Scope};

/// A table of a SELECT that more rows can be joined to.
pub(super) struct Spot<'a> {
    sql: &'a str,
    /// Where a join can be put.
    end: usize,
    filter: Option<Span>,
    relation: &'a Relation,
    table: &'a Table,
    /// Tables of the SELECT.
    taken: Vec<&'a str>,
    catalog: &'a Catalog,
}

/// A way, and its twin by outer joins.
pub(super) struct Way {
    pub(super) shape: &'static str,
    pub(super) edits: Vec<Edit>,
    pub(super) outer: Vec<Edit>,
    /// Of a masked one: without the mask, and joined to one row for each.
    pub(super) once: Option<(Vec<Edit>, Vec<Edit>)>,
}

/// A table that points to another: its name, its column, and the column that it points to.
#[derive(Clone, PartialEq)]
struct Tie<'a> {
    child: &'a str,
    from: &'a str,
    to: &'a str,
}

/// A join as text.
fn join(kind: &str, table: &str, name: &str, from: &str, to: &str) -> String {
    format!(" {kind} \"{table}\" AS {name} ON {name}.\"{from}\" = {to} ")
}

impl<'a> Spot<'a> {
    pub(super) fn of(
        sql: &'a str,
        scope: &'a Scope,
        at: usize,
        catalog: &'a Catalog,
    ) -> Option<Self> {
        let relation = scope.relations.get(at)?;
        let table = catalog.table(relation.table()?)?;
        let taken = scope.relations.iter().filter_map(Relation::table).collect();
        let (end, filter) = (scope.from_end?, scope.filter);
        Some(Spot { sql, end, filter, relation, table, taken, catalog })
    }

    /// Lists the ways, at most two for each shape that needs a child.
    pub(super) fn ways(&self, aggregate: &AggregateUse) -> Vec<Way> {
        let mut ways = self.self_join();
        let ties = self.ties(&self.table.name);
        for tie in ties.iter().take(2) {
            ways.extend(self.child(tie));
            ways.extend(self.closed(tie));
            ways.extend(self.further(tie));
            ways.extend(self.masked(tie, aggregate));
        }
        if let [a, b, ..] = ties.as_slice() {
            ways.extend(self.pair("chasm", |kind| {
                let first = join(kind, a.child, "more", a.from, &self.own(a.to));
                first + &join(kind, b.child, "again", b.from, &self.own(b.to))
            }));
        }
        ways
    }

    /// Joins that repeat nothing that is measured: a count of keys, a child of one row for each.
    pub(super) fn harmless(&self, aggregate: &AggregateUse, alone: bool) -> Vec<Vec<Edit>> {
        let mut found = Vec::new();
        for tie in self.ties(&self.table.name).iter().take(1) {
            let key = self.table.primary_key.as_slice();
            if let ([key], None, true) = (key, aggregate.argument, alone) {
                let counted = format!("COUNT(DISTINCT {})", self.own(key));
                let left = join("LEFT JOIN", tie.child, "more", tie.from, &self.own(tie.to));
                found.push(vec![
                    Edit::replace(aggregate.span, counted),
                    Edit::insert(self.end, left),
                ]);
            }
            for folded in [
                format!("SELECT DISTINCT \"{}\" FROM \"{}\"", tie.from, tie.child),
                format!(
                    "SELECT \"{0}\", COUNT(*) FROM \"{1}\" GROUP BY \"{0}\"",
                    tie.from, tie.child
                ),
            ] {
                let on = format!("more.\"{}\" = {}", tie.from, self.own(tie.to));
                let left = format!(" LEFT JOIN ({folded}) AS more ON {on} ");
                found.push(vec![Edit::insert(self.end, left)]);
            }
        }
        found
    }

    /// A column of the measured table, with its qualifier.
    fn own(&self, column: &str) -> String {
        format!("\"{}\".\"{column}\"", self.relation.name)
    }

    fn ties(&self, table: &str) -> Vec<Tie<'a>> {
        let mut found: Vec<Tie<'a>> = Vec::new();
        for key in self.catalog.keys.iter().filter(|key| key.to_table.eq_ignore_ascii_case(table)) {
            let ([from], [to]) = (key.from_columns.as_slice(), key.to_columns.as_slice()) else {
                continue;
            };
            let tie = Tie { child: &key.from_table, from, to };
            let taken = self.taken.iter().any(|name| name.eq_ignore_ascii_case(tie.child));
            if !taken && !found.iter().any(|known| known.child == tie.child) {
                found.push(tie);
            }
        }
        found
    }

    /// Appends joins by an inner and by an outer join.
    fn pair(&self, shape: &'static str, text: impl Fn(&str) -> String) -> [Way; 2] {
        let put = |kind: &str| vec![Edit::insert(self.end, text(kind))];
        let way = |kind: &str| Way { shape, edits: put(kind), outer: put("LEFT JOIN"), once: None };
        [way("JOIN"), way("LEFT JOIN")]
    }

    fn child(&self, tie: &Tie<'_>) -> Vec<Way> {
        let to = self.own(tie.to);
        let plain = |kind: &str| join(kind, tie.child, "more", tie.from, &to);
        let mut ways = Vec::from(self.pair("one child", plain));
        let outer = vec![Edit::insert(self.end, plain("LEFT JOIN"))];
        let child = tie.child;
        let on = format!("{to} = more.\"{}\"", tie.from);
        let flipped = format!(" INNER JOIN \"{child}\" AS more ON {on} ");
        let mut way = |shape: &'static str, edits: Vec<Edit>| {
            ways.push(Way { shape, edits, outer: outer.clone(), once: None });
        };
        way("one child", vec![Edit::insert(self.end, flipped)]);
        way("one child after a comma", self.comma(child, &on));
        if tie.from.eq_ignore_ascii_case(tie.to) {
            let using = format!(" JOIN \"{child}\" AS more USING (\"{}\") ", tie.from);
            way("one child by USING", vec![Edit::insert(self.end, using)]);
        }
        ways
    }

    fn comma(&self, child: &str, on: &str) -> Vec<Edit> {
        let more = format!(", \"{child}\" AS more ");
        match self.filter {
            Some(span) => vec![
                Edit::insert(self.end, more),
                Edit::insert(span.start, format!("{on} AND (")),
                Edit::insert(span.end, ")"),
            ],
            None => vec![Edit::insert(self.end, format!("{more}WHERE {on} "))],
        }
    }

    /// Joins that stand in a derived table or a CTE: the child alone, or the table with its child.
    fn closed(&self, tie: &Tie<'_>) -> Vec<Way> {
        let to = self.own(tie.to);
        let folded = format!("(SELECT \"{}\" FROM \"{}\")", tie.from, tie.child);
        let on = format!("AS more ON more.\"{}\" = {to} ", tie.from);
        let mut ways = Vec::from(
            self.pair("a child in a derived table", |kind| format!(" {kind} {folded} {on}")),
        );
        let within = |kind: &str| {
            let more = join(kind, tie.child, "more", tie.from, &format!("own.\"{}\"", tie.to));
            format!("(SELECT own.* FROM \"{}\" AS own{more})", self.table.name)
        };
        let name = match self.relation.alias {
            Some(_) => String::new(),
            None => format!(" AS \"{}\"", self.relation.name),
        };
        let derived =
            |kind: &str| vec![Edit::replace(self.relation.span, format!("{}{name}", within(kind)))];
        let shape = "both in a derived table";
        let outer = derived("LEFT JOIN");
        ways.push(Way { shape, edits: derived("JOIN"), outer: outer.clone(), once: None });
        if self.sql.trim_start().get(..4).is_some_and(|word| word.eq_ignore_ascii_case("with")) {
            return ways;
        }
        let shape = "a child in a CTE";
        let with = format!("WITH more AS {folded} ");
        let join = format!(" JOIN more ON more.\"{}\" = {to} ", tie.from);
        let edits = vec![Edit::insert(0, with), Edit::insert(self.end, join)];
        ways.push(Way { shape, edits, outer: outer.clone(), once: None });
        let with = format!("WITH joined AS {} ", within("JOIN"));
        let named = Edit::replace(self.relation.span, format!("joined{name}"));
        let edits = vec![Edit::insert(0, with), named];
        ways.push(Way { shape: "both in a CTE", edits, outer, once: None });
        ways
    }

    /// The child twice, what else the child points to, and what points to the child.
    fn further(&self, tie: &Tie<'_>) -> Vec<Way> {
        let to = self.own(tie.to);
        let first = |kind: &str| join(kind, tie.child, "more", tie.from, &to);
        let mut ways = Vec::from(self.pair("a child joined twice", |kind| {
            first(kind) + &join(kind, tie.child, "again", tie.from, &to)
        }));
        let other = self.catalog.keys.iter().find(|key| {
            key.from_table.eq_ignore_ascii_case(tie.child)
                && key.from_columns.len() == 1
                && !self.taken.iter().any(|name| name.eq_ignore_ascii_case(&key.to_table))
                && !key.to_table.eq_ignore_ascii_case(tie.child)
        });
        if let Some(key) = other {
            let (from, to) = (&key.from_columns[0], &key.to_columns[0]);
            ways.extend(self.pair("a bridge", |kind| {
                let at = format!("more.\"{from}\"");
                first(kind) + &join(kind, &key.to_table, "beyond", to, &at)
            }));
        }
        if let Some(below) = self.ties(tie.child).first() {
            ways.extend(self.pair("a child's child", |kind| {
                let at = format!("more.\"{}\"", below.to);
                first(kind) + &join(kind, below.child, "below", below.from, &at)
            }));
        }
        ways
    }

    /// The table joined to itself by a column that several rows share.
    fn self_join(&self) -> Vec<Way> {
        let key = self.catalog.keys.iter().find(|key| {
            key.from_table.eq_ignore_ascii_case(&self.table.name) && key.from_columns.len() == 1
        });
        let key = key.and_then(|key| key.from_columns.first());
        let text = self.table.columns.iter().find(|column| !column.primary && !column.unique);
        let Some(shared) = key.or(text.map(|column| &column.name)) else { return Vec::new() };
        let to = self.own(shared);
        Vec::from(
            self.pair("a self-join", |kind| join(kind, &self.table.name, "more", shared, &to)),
        )
    }

    /// Equal amounts of different rows, dropped to hide that rows are repeated.
    fn masked(&self, tie: &Tie<'_>, aggregate: &AggregateUse) -> Vec<Way> {
        let amount = matches!(aggregate.function.as_str(), "sum" | "avg" | "total");
        let Some(argument) = aggregate.argument.filter(|_| amount) else { return Vec::new() };
        let ways = ["JOIN", "LEFT JOIN"].map(|kind| {
            let put = |kind: &str| {
                let more = join(kind, tie.child, "more", tie.from, &self.own(tie.to));
                vec![Edit::insert(self.end, more)]
            };
            let mask =
                |kind: &str| [put(kind), vec![Edit::insert(argument.start, "DISTINCT ")]].concat();
            let on = format!("more.\"{}\" = {}", tie.from, self.own(tie.to));
            let each = format!("SELECT DISTINCT \"{}\" FROM \"{}\"", tie.from, tie.child);
            let once = vec![Edit::insert(self.end, format!(" {kind} ({each}) AS more ON {on} "))];
            Way {
                shape: "masked by DISTINCT",
                edits: mask(kind),
                outer: mask("LEFT JOIN"),
                once: Some((put(kind), once)),
            }
        });
        ways.into()
    }
}
