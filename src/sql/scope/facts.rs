//! What binding learns about a query: the facts that gates, plans, repairs and English read.

use crate::domain::plan::{Comparison, SetOperation};
use crate::domain::{ColumnKind, ColumnRef, Diagnostic, Span, Value};

/// What the names of a query stand for, and the shape of each of its SELECTs.
#[derive(Debug, Clone, Default)]
pub struct Binding {
    /// Everything that doesn't bind, in order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Base tables used, each once, names as in the catalog, in order of first use.
    pub tables: Vec<String>,
    /// Every use of a column, in order of the text.
    pub columns: Vec<ColumnUse>,
    /// Output columns of the outermost query: name, and the base column it is unchanged.
    pub outputs: Vec<(String, Option<ColumnRef>)>,
    /// One entry for each SELECT, in order of the text. The first arm of the outermost query is
    /// `scopes[outermost]`.
    pub scopes: Vec<Scope>,
    /// Index into `scopes` of the outermost query's first SELECT; none for VALUES.
    pub outermost: Option<usize>,
    /// Set operations: of which SELECT (its first arm), which, with which SELECT.
    pub set_operations: Vec<SetOperationUse>,
    /// Order and limit of the outermost query when it is a set operation; else see its scope.
    pub tail: Tail,
}

impl Binding {
    /// Finds the base column used at a place.
    pub fn column_at(&self, span: Span) -> Option<&ColumnRef> {
        self.columns.iter().find(|use_| use_.span == span)?.at.as_ref()
    }

    /// Returns the outermost query's first SELECT.
    pub fn outer(&self) -> Option<&Scope> {
        self.scopes.get(self.outermost?)
    }

    /// Lists the base columns used inside a span, each once, in order.
    pub fn columns_in(&self, span: Span) -> Vec<&ColumnRef> {
        let mut found: Vec<&ColumnRef> = Vec::new();
        for used in &self.columns {
            let inside = span.start <= used.span.start && used.span.end <= span.end;
            if let (true, Some(at)) = (inside, &used.at)
                && !found.contains(&at)
            {
                found.push(at);
            }
        }
        found
    }
}

/// One use of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnUse {
    /// Bytes of the query's text, qualifier included.
    pub span: Span,
    /// The qualifier as written, without quotes, if any.
    pub qualifier: Option<String>,
    /// The name as written, without quotes.
    pub name: String,
    /// The base column that it is, directly or unchanged through subqueries; none for a computed
    /// one, or for a double-quoted word that SQLite reads as a string.
    pub at: Option<ColumnRef>,
    /// The scope it stands in: index into `Binding::scopes`.
    pub scope: usize,
    /// The relation it belongs to: scope and index into that scope's `relations`. The scope is an
    /// outer one for a correlated use. None for strings and output aliases.
    pub relation: Option<(usize, usize)>,
    /// True for a double-quoted word that binds to nothing: SQLite reads it as a string.
    pub string: bool,
    /// Which part of the SELECT it stands in.
    pub clause: Clause,
}

/// Parts of a SELECT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clause {
    /// The output list.
    Output,
    /// FROM, without ON conditions.
    From,
    /// A join's ON or USING.
    On,
    /// WHERE.
    Where,
    /// GROUP BY.
    GroupBy,
    /// HAVING.
    Having,
    /// ORDER BY.
    OrderBy,
    /// LIMIT and OFFSET.
    Limit,
}

/// What a SELECT is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The query itself.
    Outermost,
    /// The body of a CTE of this name.
    Cte(String),
    /// A subquery in FROM, by its alias.
    Derived(Option<String>),
    /// A subquery in an expression: scalar, EXISTS or IN.
    Expression,
    /// A later arm of a set operation whose first arm is this scope.
    Arm(usize),
}

/// One SELECT.
#[derive(Debug, Clone)]
pub struct Scope {
    /// From the SELECT keyword to the end of its last part, ORDER BY and LIMIT included where the
    /// SELECT is no arm of a set operation.
    pub span: Span,
    /// The scope it stands in; none for the outermost and its arms.
    pub parent: Option<usize>,
    /// What it is for.
    pub place: Place,
    /// What FROM names, in order of the text.
    pub relations: Vec<Relation>,
    /// Equalities between columns of two relations, from ON, USING, NATURAL and WHERE.
    pub joins: Vec<JoinPair>,
    /// Comparisons of something with literals, in ON, WHERE, HAVING and CASE.
    pub literals: Vec<LiteralUse>,
    /// Aggregates, in order of the text; those inside nested SELECTs belong to their own scope.
    pub aggregates: Vec<AggregateUse>,
    /// Divisions, in order of the text.
    pub divisions: Vec<Division>,
    /// GROUP BY keys.
    pub group_by: Vec<Key>,
    /// Output columns as written; stars are not expanded here.
    pub outputs: Vec<Output>,
    /// WHERE, without the keyword.
    pub filter: Option<Span>,
    /// HAVING, without the keyword.
    pub having: Option<Span>,
    /// DISTINCT.
    pub distinct: bool,
    /// Order and limit of this SELECT; empty for arms of set operations.
    pub tail: Tail,
    /// End of the FROM clause, where a further JOIN can be put; none without FROM.
    pub from_end: Option<usize>,
}

impl Scope {
    /// Tells whether rows are grouped or aggregated.
    pub fn is_aggregated(&self) -> bool {
        !self.group_by.is_empty() || !self.aggregates.is_empty() || self.having.is_some()
    }

    /// Finds a relation by the name it is referred to with, ignoring letter case.
    pub fn relation(&self, name: &str) -> Option<&Relation> {
        self.relations.iter().find(|relation| relation.name.eq_ignore_ascii_case(name))
    }
}

/// ORDER BY and LIMIT of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tail {
    /// ORDER BY keys.
    pub order_by: Vec<Key>,
    /// LIMIT, when it is a plain number.
    pub limit: Option<u64>,
    /// OFFSET, when it is a plain number.
    pub offset: Option<u64>,
    /// The LIMIT expression.
    pub limit_span: Option<Span>,
}

/// A sort or group key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The expression.
    pub span: Span,
    /// The base column, when the key is one, also by output alias or position.
    pub at: Option<ColumnRef>,
    /// The output column it names by alias or position, from 0.
    pub output: Option<usize>,
    /// Largest first.
    pub descending: bool,
}

/// An output column as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The expression, alias left out.
    pub span: Span,
    /// The name that the outside sees: alias, column name or the expression's text; `*` for stars.
    pub name: String,
    /// True when `name` is an alias that the query gives.
    pub aliased: bool,
    /// The base column, when it is one unchanged.
    pub at: Option<ColumnRef>,
    /// True for `*` and `t.*`.
    pub star: bool,
}

/// What a FROM item stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A table or view of the catalog, name as in the catalog.
    Table(String),
    /// A CTE, name as declared.
    Cte(String),
    /// A subquery: the scope of its first SELECT.
    Subquery(Option<usize>),
    /// A table-valued function, name in lower case.
    Function(String),
    /// A table that doesn't exist, or one that isn't looked into, such as `sqlite_master`.
    Other(String),
}

/// One item of FROM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// The name that columns are qualified with: the alias, else the table's name as written.
    pub name: String,
    /// Alias as written.
    pub alias: Option<String>,
    /// Bytes of the table name as written, or of the subquery.
    pub span: Span,
    /// What it is.
    pub source: Source,
    /// Its columns; none when they aren't known.
    pub columns: Option<Vec<SeenColumn>>,
    /// Rows of it may be missing: the inner side of an outer join.
    pub optional: bool,
    /// How it is joined to those before; none for the first and after commas.
    pub join: Option<JoinKind>,
}

/// A column as a relation or a subquery shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenColumn {
    /// Its name.
    pub name: String,
    /// The base column that it is unchanged.
    pub at: Option<ColumnRef>,
    /// The family of its values, as far as it is certain.
    pub kind: ColumnKind,
}

impl Relation {
    /// Returns the catalog's name of the base table.
    pub fn table(&self) -> Option<&str> {
        if let Source::Table(name) = &self.source { Some(name) } else { None }
    }
}

/// Kinds of join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    /// JOIN, INNER JOIN.
    Inner,
    /// LEFT JOIN.
    Left,
    /// RIGHT JOIN.
    Right,
    /// FULL JOIN.
    Full,
    /// CROSS JOIN, or a JOIN without condition.
    Cross,
    /// Any other.
    Other,
}

/// An equality between columns of two relations of one scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinPair {
    /// The equality, or the column's name in USING; for NATURAL the relation.
    pub span: Span,
    /// Indexes into `relations`.
    pub relations: (usize, usize),
    /// Column names as in their relations.
    pub names: (String, String),
    /// The base columns, where they are known.
    pub columns: (Option<ColumnRef>, Option<ColumnRef>),
    /// ON (with USING and NATURAL) or WHERE.
    pub clause: Clause,
}

/// A comparison with one literal; an IN list gives one use for each of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct LiteralUse {
    /// The literal, quotes included.
    pub span: Span,
    /// The base column it is compared with, when that side is a plain column.
    pub column: Option<ColumnRef>,
    /// The side it is compared with.
    pub compared: Span,
    /// How, read with the compared side on the left.
    pub op: Comparison,
    /// The value.
    pub value: Value,
    /// Written as a double-quoted word, which SQLite reads as a string here.
    pub double_quoted: bool,
    /// Which part of the SELECT.
    pub clause: Clause,
    /// Stands under NOT or in an OR, so that the condition alone doesn't decide about a row.
    pub conditional: bool,
}

/// An aggregate function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregateUse {
    /// Name in lower case.
    pub function: String,
    /// The whole call.
    pub span: Span,
    /// Its argument; none for `count(*)`.
    pub argument: Option<Span>,
    /// The base column, when the argument is a plain one.
    pub column: Option<ColumnRef>,
    /// DISTINCT.
    pub distinct: bool,
    /// FILTER (WHERE …) is there.
    pub filtered: bool,
    /// Used over a window: it gives a value for each row and groups nothing.
    pub window: bool,
    /// Which part of the SELECT it stands in.
    pub clause: Clause,
}

/// A division.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    /// The whole of it.
    pub span: Span,
    /// The dividend.
    pub left: Span,
    /// The divisor.
    pub right: Span,
    /// True when both sides are surely whole numbers on this engine, so that the fraction is lost.
    pub integer: bool,
    /// True when a side is an aggregate or made of aggregates: a ratio.
    pub ratio: bool,
    /// Which part of the SELECT.
    pub clause: Clause,
}

/// A set operation between SELECTs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetOperationUse {
    /// Scope of the left side's first SELECT.
    pub left: Option<usize>,
    /// Scope of the right side's first SELECT.
    pub right: Option<usize>,
    /// Which.
    pub operation: SetOperation,
    /// ALL: repeated rows are kept.
    pub all: bool,
}
