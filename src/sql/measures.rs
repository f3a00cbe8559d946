//! What the numbers that a query puts out are measures of: the mark of a column, such as its unit,
//! as far as it lasts on the way through expressions, subqueries and CTEs.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArguments, Query, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, TableAlias, TableFactor, UnaryOperator, With,
};

use crate::domain::{Catalog, ColumnRef};

use super::ReadQuery;
use super::scope::{argument, bare, last_ident};

/// Deepest nesting that is looked into.
const DEEPEST: usize = 60;

/// Functions whose result is of the measure of their first argument.
const KEEPING: [&str; 15] = [
    "sum",
    "total",
    "avg",
    "min",
    "max",
    "median",
    "round",
    "abs",
    "coalesce",
    "ifnull",
    "nullif",
    "lag",
    "lead",
    "first_value",
    "last_value",
];

/// An output column: its name, and the mark of what it is a measure of.
pub type Output<T> = (String, Option<T>);

/// What is known of an expression.
#[derive(Clone, PartialEq)]
enum Mark<T> {
    /// A literal: it takes the mark of what it is put together with.
    Any,
    /// All of it has this mark.
    One(T),
    /// It has none, or its mark didn't last.
    Lost,
}

impl<T: PartialEq> Mark<T> {
    fn and(self, other: Mark<T>) -> Mark<T> {
        match (self, other) {
            (Mark::Any, mark) | (mark, Mark::Any) => mark,
            (Mark::One(a), Mark::One(b)) if a == b => Mark::One(a),
            (Mark::One(_) | Mark::Lost, Mark::One(_) | Mark::Lost) => Mark::Lost,
        }
    }
}

/// Lists the outputs of a query with the marks that lasted, given those of columns; none where the
/// outputs can't be told.
pub fn measures<T: Clone + PartialEq>(
    query: &ReadQuery,
    catalog: &Catalog,
    mark: &dyn Fn(&ColumnRef) -> Option<T>,
) -> Option<Vec<Output<T>>> {
    let mut reader = Reader { catalog, mark, ctes: Vec::new(), depth: 0 };
    reader.query(query.query())
}

/// A relation in sight: its name, and its columns where they are known.
type Seen<T> = (String, Option<Vec<Output<T>>>);

struct Reader<'a, T> {
    catalog: &'a Catalog,
    mark: &'a dyn Fn(&ColumnRef) -> Option<T>,
    ctes: Vec<Seen<T>>,
    depth: usize,
}

impl<T: Clone + PartialEq> Reader<'_, T> {
    fn query(&mut self, query: &Query) -> Option<Vec<Output<T>>> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let before = self.ctes.len();
        if let Some(with) = &query.with {
            self.with(with);
        }
        let outputs = self.body(&query.body);
        self.ctes.truncate(before);
        self.depth -= 1;
        outputs
    }

    fn with(&mut self, with: &With) {
        for cte in &with.cte_tables {
            let outputs = self.query(&cte.query);
            self.ctes.push(aliased(outputs, Some(&cte.alias), ""));
        }
    }

    fn body(&mut self, body: &SetExpr) -> Option<Vec<Output<T>>> {
        match body {
            SetExpr::Select(select) => self.select(select),
            SetExpr::Query(query) => self.query(query),
            SetExpr::SetOperation { .. } => self.chain(body),
            _ => None,
        }
    }

    /// Reads a chain of set operations; what one arm measures otherwise than the others is open.
    fn chain(&mut self, body: &SetExpr) -> Option<Vec<Output<T>>> {
        // left-deep chains are walked in a loop: they can be thousands long
        let (mut first, mut arms) = (body, Vec::new());
        while let SetExpr::SetOperation { left, right, .. } = first {
            arms.push(&**right);
            first = left;
        }
        let mut outputs = self.body(first)?;
        for arm in arms {
            let others = self.body(arm)?;
            for (output, (_, other)) in outputs.iter_mut().zip(others) {
                if output.1 != other {
                    output.1 = None;
                }
            }
        }
        Some(outputs)
    }

    fn select(&mut self, select: &Select) -> Option<Vec<Output<T>>> {
        let mut seen: Vec<Seen<T>> = Vec::new();
        for item in &select.from {
            self.factor(&item.relation, &mut seen);
            for join in &item.joins {
                self.factor(&join.relation, &mut seen);
            }
        }
        let mut outputs = Vec::new();
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    outputs.push((name_of(expr), self.lasting(expr, &seen)));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    outputs.push((alias.value.clone(), self.lasting(expr, &seen)));
                }
                SelectItem::Wildcard(_) => {
                    for (_, columns) in &seen {
                        outputs.extend(columns.clone()?);
                    }
                }
                SelectItem::QualifiedWildcard(
                    SelectItemQualifiedWildcardKind::ObjectName(name),
                    _,
                ) => {
                    let name = &last_ident(name)?.value;
                    let of = seen.iter().find(|(called, _)| called.eq_ignore_ascii_case(name))?;
                    outputs.extend(of.1.clone()?);
                }
                _ => return None,
            }
        }
        Some(outputs)
    }

    fn factor(&mut self, factor: &TableFactor, seen: &mut Vec<Seen<T>>) {
        match factor {
            TableFactor::Table { name, alias, .. } => {
                let Some(ident) = last_ident(name) else { return };
                let columns = self.table(&ident.value);
                seen.push(aliased(columns, alias.as_ref(), &ident.value));
            }
            TableFactor::Derived { subquery, alias, .. } => {
                let columns = self.query(subquery);
                seen.push(aliased(columns, alias.as_ref(), ""));
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.factor(&table_with_joins.relation, seen);
                for join in &table_with_joins.joins {
                    self.factor(&join.relation, seen);
                }
            }
            _ => seen.push((String::new(), None)),
        }
    }

    fn table(&self, name: &str) -> Option<Vec<Output<T>>> {
        let cte = self.ctes.iter().rev().find(|(called, _)| called.eq_ignore_ascii_case(name));
        if let Some((_, columns)) = cte {
            return columns.clone();
        }
        let table = self.catalog.table(name)?;
        let column = |column: &crate::domain::Column| {
            let at = ColumnRef::new(&table.name, &column.name);
            (column.name.clone(), (self.mark)(&at))
        };
        Some(table.columns.iter().map(column).collect())
    }

    fn lasting(&mut self, expr: &Expr, seen: &[Seen<T>]) -> Option<T> {
        if let Mark::One(mark) = self.expr(expr, seen) { Some(mark) } else { None }
    }

    fn expr(&mut self, expr: &Expr, seen: &[Seen<T>]) -> Mark<T> {
        if self.depth > DEEPEST {
            return Mark::Lost;
        }
        self.depth += 1;
        let mark = match bare(expr) {
            Expr::Value(_) => Mark::Any,
            Expr::Identifier(name) => column(None, &name.value, seen),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [.., of, name] => column(Some(&of.value), &name.value, seen),
                _ => Mark::Lost,
            },
            Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::Plus, expr }
            | Expr::Cast { expr, .. }
            | Expr::Ceil { expr, .. }
            | Expr::Floor { expr, .. } => self.expr(expr, seen),
            Expr::BinaryOp { left, op: BinaryOperator::Plus | BinaryOperator::Minus, right } => {
                self.expr(left, seen).and(self.expr(right, seen))
            }
            Expr::Function(call) => self.call(call, seen),
            Expr::Case { conditions, else_result, .. } => {
                let results = conditions.iter().map(|when| &when.result);
                let results = results.chain(else_result.as_deref());
                results.fold(Mark::Any, |mark, result| mark.and(self.expr(result, seen)))
            }
            Expr::Subquery(query) => match self.query(query).as_deref() {
                Some([(_, Some(mark))]) => Mark::One(mark.clone()),
                Some(_) | None => Mark::Lost,
            },
            _ => Mark::Lost,
        };
        self.depth -= 1;
        mark
    }

    fn call(&mut self, call: &Function, seen: &[Seen<T>]) -> Mark<T> {
        let FunctionArguments::List(list) = &call.args else { return Mark::Lost };
        let name = last_ident(&call.name).map(|name| name.value.to_ascii_lowercase());
        let keeps = name.as_deref().is_some_and(|name| KEEPING.contains(&name));
        let first = list.args.first().and_then(argument).filter(|_| keeps);
        first.map_or(Mark::Lost, |first| self.expr(first, seen))
    }
}

fn column<T: Clone + PartialEq>(of: Option<&str>, name: &str, seen: &[Seen<T>]) -> Mark<T> {
    let relations =
        seen.iter().filter(|(called, _)| of.is_none_or(|of| called.eq_ignore_ascii_case(of)));
    let mut columns = relations.flat_map(|(_, columns)| columns.iter().flatten());
    match columns.find(|(column, _)| column.eq_ignore_ascii_case(name)) {
        Some((_, Some(mark))) => Mark::One(mark.clone()),
        Some((_, None)) | None => Mark::Lost,
    }
}

/// Gives a relation its name and its columns the names of an alias list.
fn aliased<T>(columns: Option<Vec<Output<T>>>, alias: Option<&TableAlias>, name: &str) -> Seen<T> {
    let Some(alias) = alias else { return (name.to_owned(), columns) };
    let mut columns = columns;
    for (column, name) in columns.iter_mut().flatten().zip(&alias.columns) {
        column.0.clone_from(&name.name.value);
    }
    (alias.name.value.clone(), columns)
}

/// Returns the name of an output without an alias, where it is a column's.
fn name_of(expr: &Expr) -> String {
    match bare(expr) {
        Expr::Identifier(name) => name.value.clone(),
        Expr::CompoundIdentifier(parts) => {
            parts.last().map(|name| name.value.clone()).unwrap_or_default()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Column, Dialect, Table};

    /// Tells which outputs of a query are cents: `bookings.price_cents` and `payments.amount_cents`.
    fn cents(sql: &str) -> Vec<bool> {
        let table = |name: &str, columns: &[&str]| Table {
            name: name.to_owned(),
            columns: columns
                .iter()
                .map(|name| Column { name: (*name).to_owned(), ..Column::default() })
                .collect(),
            ..Table::default()
        };
        let tables = vec![
            table("bookings", &["id", "status", "price_cents"]),
            table("payments", &["booking_id", "amount_cents"]),
        ];
        let catalog = Catalog { tables, ..Catalog::default() };
        let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("reads");
        let mark = |at: &ColumnRef| at.column.ends_with("_cents").then_some(());
        let outputs = measures(&query, &catalog, &mark).expect("known outputs");
        outputs.into_iter().map(|(_, mark)| mark.is_some()).collect()
    }

    #[test]
    fn sums_means_and_rounded_ones_keep_their_unit_and_counts_have_none() {
        let sql = "SELECT status, SUM(price_cents) AS revenue, ROUND(AVG(b.price_cents), 1), \
                   COUNT(price_cents), MAX(price_cents) - MIN(price_cents) FROM bookings b";
        assert_eq!(cents(sql), [false, true, true, false, true]);
    }

    #[test]
    fn what_is_multiplied_or_divided_is_in_no_unit_that_we_know() {
        let sql = "SELECT SUM(price_cents) / 100.0, price_cents * 2, price_cents + 5, \
                   price_cents || '' FROM bookings";
        assert_eq!(cents(sql), [false, false, true, false]);
    }

    #[test]
    fn units_last_through_ctes_subqueries_stars_and_cases() {
        let sql = "WITH paid(booking, got) AS (SELECT booking_id, SUM(amount_cents) FROM payments \
                   GROUP BY 1) SELECT b.*, COALESCE(p.got, 0) AS got, \
                   CASE WHEN p.got > 0 THEN b.price_cents - p.got ELSE 0 END AS owed, \
                   (SELECT MAX(amount_cents) FROM payments) AS most \
                   FROM bookings b LEFT JOIN paid p ON p.booking = b.id";
        assert_eq!(cents(sql), [false, false, true, true, true, true]);
    }

    #[test]
    fn arms_of_a_union_must_agree() {
        let sql = "SELECT price_cents, price_cents FROM bookings UNION ALL \
                   SELECT amount_cents, booking_id FROM payments";
        assert_eq!(cents(sql), [true, false]);
    }
}
