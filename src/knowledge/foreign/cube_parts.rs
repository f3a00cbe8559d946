//! Pieces of Cube's SQL: references in braces, pairs of columns of a join, codes of a case.

use crate::domain::ColumnRef;
use crate::sql::lexemes::{Kind, Open, lexemes};

use super::cube::Cube;
use super::yaml::Node;
use super::{is_name, qualified, template};

/// Reads SQL of one cube.
pub(super) struct Reader<'a> {
    pub(super) cube: &'a Cube<'a>,
    pub(super) cubes: &'a [Cube<'a>],
}

/// Finds the table that a cube stands on: `sql_table`, or a query that takes all of one.
pub(super) fn table_of(node: &Node) -> Option<String> {
    let last = |text: &str| {
        let name = text.rsplit('.').next().unwrap_or(text).trim();
        let name = name.trim_matches(|c| c == '"' || c == '`');
        is_name(name).then(|| name.to_owned())
    };
    if let Some(table) = node.text_of("sql_table") {
        return last(table);
    }
    let sql = node.text_of("sql")?.trim().trim_end_matches(';');
    let words: Vec<&str> = sql.split_whitespace().collect();
    match words.as_slice() {
        [select, "*", from, table]
            if select.eq_ignore_ascii_case("select") && from.eq_ignore_ascii_case("from") =>
        {
            last(table)
        }
        _ => None,
    }
}

impl Reader<'_> {
    /// Writes SQL with what its references stand for, and lists the other tables it asks for; none
    /// when one stands for nothing known.
    pub(super) fn sql(&self, text: &str) -> Option<(String, Vec<String>)> {
        if template::has_template(text) {
            return None;
        }
        let text = text.replace("${", "{");
        let mut tables = Vec::new();
        let sql = template::filled(&text, ("{", "}"), |inner| self.reference(inner, &mut tables))?;
        Some((sql, tables))
    }

    /// `CUBE` is the table, `CUBE.x` and `x` a dimension of it, `other.x` one of another cube.
    fn reference(&self, inner: &str, tables: &mut Vec<String>) -> Option<String> {
        let (owner, member) = match inner.split_once('.') {
            Some((owner, member)) => (owner, Some(member)),
            None => (inner, None),
        };
        let own = owner == "CUBE" || owner == self.cube.name;
        let other = self.cubes.iter().find(|cube| cube.name == owner && !own);
        let quoted =
            |table: &str| crate::sql::dialect::quote(table, crate::domain::Dialect::Generic);
        match (own, other, member) {
            (true, _, None) => Some(quoted(&self.cube.table)),
            (true, _, Some(member)) => self.cube.column(member),
            (false, Some(other), member) => {
                tables.push(other.table.clone());
                member.map_or_else(|| Some(quoted(&other.table)), |member| other.column(member))
            }
            (false, None, None) => self.cube.column(owner),
            (false, None, Some(_)) => None,
        }
    }

    /// Writes a measure made of measures of the same cube; none when it asks for anything else.
    pub(super) fn measures(&self, text: &str, depth: usize) -> Option<String> {
        if depth > 8 || template::has_template(text) {
            return None;
        }
        let text = text.replace("${", "{");
        let own = format!("{}.", self.cube.name);
        template::filled(&text, ("{", "}"), |inner| {
            let name =
                inner.strip_prefix("CUBE.").or_else(|| inner.strip_prefix(&own)).unwrap_or(inner);
            let Some(node) = self.cube.measure_named(name) else {
                return self
                    .reference(inner, &mut Vec::new())
                    .filter(|_| !inner.contains('.') || inner.starts_with("CUBE."));
            };
            let figure = self.cube.figure(self, node, depth + 1).ok()?;
            Some(format!("({})", figure.inside()?))
        })
    }
}

impl Cube<'_> {
    /// Writes a dimension that is a plain column with its table.
    fn column(&self, member: &str) -> Option<String> {
        Some(qualified(&self.table, self.columns.get(member)?))
    }
}

/// Reads `{CUBE}.a = {other}.b AND …` as pairs of columns, the cube's own first.
pub(super) fn pairs(
    reader: &Reader<'_>,
    sql: &str,
    other: &Cube<'_>,
) -> Option<Vec<(ColumnRef, ColumnRef)>> {
    let (sql, _) = reader.sql(sql)?;
    let pieces = lexemes(&sql, Open::RunsOn);
    let words: Vec<String> = pieces.iter().map(|piece| piece.name(&sql)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut pairs = Vec::new();
    for part in words.split(|word| word.eq_ignore_ascii_case("AND")) {
        let [a, ".", x, "=", b, ".", y] = part else { return None };
        let (a, b) = (ColumnRef::new(*a, *x), ColumnRef::new(*b, *y));
        if a.table == reader.cube.table && b.table == other.table {
            pairs.push((a, b));
        } else if b.table == reader.cube.table && a.table == other.table {
            pairs.push((b, a));
        } else {
            return None;
        }
    }
    Some(pairs)
}

/// Codes with what they mean.
type Codes = Vec<(String, String)>;

/// Reads a case whose conditions compare one column with constants as codes and what they mean.
pub(super) fn codes(reader: &Reader<'_>, case: &Node) -> Option<(ColumnRef, Codes)> {
    let mut column: Option<ColumnRef> = None;
    let mut found = Vec::new();
    for when in case.items_of("when") {
        let (sql, _) = reader.sql(when.text_of("sql")?)?;
        let pieces = lexemes(&sql, Open::RunsOn);
        let (last, before) = pieces.split_last()?;
        let names: Vec<String> = before.iter().map(|piece| piece.name(&sql)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let name = match names.as_slice() {
            [column, "="] | [_, ".", column, "="] => *column,
            _ => return None,
        };
        let at = ColumnRef::new(&reader.cube.table, name);
        if column.as_ref().is_some_and(|known| *known != at) {
            return None;
        }
        column = Some(at);
        let code = match last.kind {
            Kind::Text => last.of(&sql).trim_matches('\'').replace("''", "'"),
            Kind::Number => last.of(&sql).to_owned(),
            Kind::Word | Kind::Quoted | Kind::Comment | Kind::Sign => return None,
        };
        let label = when.get("label")?;
        found.push((code, label.text().or_else(|| label.text_of("sql"))?.to_owned()));
    }
    Some((column?, found))
}
