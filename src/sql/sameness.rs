//! Whether two texts are the same query but for layout, letter case and alias names.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sqlparser::ast::{Select, SelectItem, TableAlias, TableFactor, Visit, Visitor};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Tokenizer;

use crate::domain::{Dialect, Span};

use super::ReadQuery;
use super::from_name;
use super::places::{Lexed, Places};

/// Returns a text that is equal for queries that differ only in layout, comments, letter case of
/// keywords and bare names, names of aliases, a `;` at the end, and words that change nothing.
///
/// Queries with equal fingerprints are the same query; the reverse doesn't always hold. A text that
/// can't be parsed is compared by its tokens, one that can't even be split by its words.
pub fn fingerprint(sql: &str, dialect: Dialect) -> String {
    if let Ok(query) = ReadQuery::parse(sql, dialect) {
        return words(query.text(), query.places(), &renamed(&query));
    }
    let rules = super::dialect::parser(dialect);
    match Tokenizer::new(&*rules, sql).tokenize_with_location() {
        Ok(tokens) => words(sql, &Places::of(sql, &tokens), &BTreeMap::new()),
        Err(_) => sql.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase(),
    }
}

/// Writes tokens in one way; `names` replaces tokens by the byte they start at.
fn words(text: &str, places: &Places, names: &BTreeMap<usize, String>) -> String {
    let mut kept: Vec<String> = Vec::with_capacity(places.lexemes.len());
    let (first, end) = outer(places);
    for at in first..end {
        let Some(lexeme) = places.lexemes.get(at) else { break };
        if let Some(name) = names.get(&lexeme.span.start) {
            if !name.is_empty() {
                kept.push(name.clone());
            }
            continue;
        }
        if !means_nothing(places, at, names) {
            kept.push(normal(lexeme.kind, lexeme.span.of(text)));
        }
    }
    kept.join(" ")
}

fn normal(kind: Lexed, written: &str) -> String {
    match kind {
        Lexed::Word(_) => written.to_lowercase(),
        Lexed::Sign => match written {
            "!=" => "<>".to_owned(),
            "==" => "=".to_owned(),
            sign => sign.to_owned(),
        },
        Lexed::Quoted
        | Lexed::Number
        | Lexed::Text
        | Lexed::Open
        | Lexed::Close
        | Lexed::Comma
        | Lexed::Semicolon
        | Lexed::DoubleColon => written.to_owned(),
    }
}

/// Leaves out `;` at the ends and parentheses around the whole.
fn outer(places: &Places) -> (usize, usize) {
    let (mut first, mut end) = (0, places.lexemes.len());
    while end > first && places.kind(end - 1) == Some(Lexed::Semicolon) {
        end -= 1;
    }
    while first < end && places.kind(first) == Some(Lexed::Semicolon) {
        first += 1;
    }
    while end > first + 1
        && places.kind(first) == Some(Lexed::Open)
        && places.closing(first) == Some(end - 1)
    {
        first += 1;
        end -= 1;
    }
    (first, end)
}

/// Words that can be left out without changing anything: INNER, OUTER, ASC, AS before an alias.
fn means_nothing(places: &Places, at: usize, names: &BTreeMap<usize, String>) -> bool {
    use Keyword as K;
    let next = places.kind(at + 1);
    match places.kind(at) {
        Some(Lexed::Word(K::INNER)) => next == Some(Lexed::Word(K::JOIN)),
        Some(Lexed::Word(K::OUTER)) => {
            next == Some(Lexed::Word(K::JOIN))
                && at > 0
                && matches!(places.kind(at - 1), Some(Lexed::Word(K::LEFT | K::RIGHT | K::FULL)))
        }
        Some(Lexed::Word(K::ASC)) => !matches!(next, Some(Lexed::Sign)),
        Some(Lexed::Word(K::AS)) => {
            places.lexemes.get(at + 1).is_some_and(|next| names.contains_key(&next.span.start))
        }
        _ => false,
    }
}

/// Replacements for alias names: tables become `t1`, `t2` in order, output aliases `#1`, `#2`.
fn renamed(query: &ReadQuery) -> BTreeMap<usize, String> {
    let mut collect = Aliases { query, tables: Vec::new(), outputs: Vec::new() };
    let _ = query.query().visit(&mut collect);
    let mut names = BTreeMap::new();
    rename_tables(query, &mut collect.tables, &mut names);
    rename_outputs(query, &mut collect.outputs, &mut names);
    names
}

/// A table in FROM: the name it is called by in lower case, and where its alias stands.
type Called = (String, usize, Option<Span>);

fn rename_tables(query: &ReadQuery, tables: &mut [Called], names: &mut BTreeMap<usize, String>) {
    tables.sort_by_key(|called| called.1);
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for (n, (name, ..)) in tables.iter().enumerate() {
        if by_name.insert(name, n + 1).is_some() {
            // one name for two tables: what it means depends on the place, so keep all names
            return;
        }
    }
    for (_, _, alias) in tables.iter() {
        if let Some(alias) = alias {
            names.insert(alias.start, String::new());
        }
    }
    let places = query.places();
    for (at, lexeme) in places.lexemes.iter().enumerate() {
        let dotted = places.lexemes.get(at + 1).is_some_and(|n| n.span.of(query.text()) == ".");
        if !dotted || !matches!(lexeme.kind, Lexed::Word(_) | Lexed::Quoted) {
            continue;
        }
        let name = from_name(lexeme.span.of(query.text())).to_lowercase();
        if let Some(n) = by_name.get(name.as_str()) {
            names.insert(lexeme.span.start, format!("t{n}"));
        }
    }
}

/// Renames an output alias only where its word occurs after its own SELECT list alone: anywhere
/// else it may be a column.
fn rename_outputs(
    query: &ReadQuery,
    outputs: &mut [(String, Span)],
    names: &mut BTreeMap<usize, String>,
) {
    outputs.sort_by_key(|(_, span)| span.start);
    let text = query.text();
    let lexemes = &query.places().lexemes;
    for (n, (name, declared)) in outputs.iter().enumerate() {
        let names_it = |lexeme: &&super::places::Lexeme| {
            matches!(lexeme.kind, Lexed::Word(_) | Lexed::Quoted)
                && from_name(lexeme.span.of(text)).eq_ignore_ascii_case(name)
        };
        let uses: Vec<usize> =
            lexemes.iter().filter(names_it).map(|lexeme| lexeme.span.start).collect();
        let late = after_from(query, declared.end);
        let safe = uses.iter().all(|at| *at == declared.start || late.is_some_and(|l| *at > l));
        let again = outputs.iter().filter(|(other, _)| other == name).count() > 1;
        if safe && !again {
            for at in uses {
                names.entry(at).or_insert_with(|| format!("#{}", n + 1));
            }
        }
    }
}

/// Finds the first GROUP, HAVING or ORDER after a byte.
fn after_from(query: &ReadQuery, byte: usize) -> Option<usize> {
    use Keyword as K;
    let places = query.places();
    let late = |kind| matches!(kind, Lexed::Word(K::GROUP | K::HAVING | K::ORDER));
    let from = places.from(byte);
    let rest = places.lexemes.get(from..)?;
    rest.iter().find(|lexeme| late(lexeme.kind)).map(|lexeme| lexeme.span.start)
}

struct Aliases<'a> {
    query: &'a ReadQuery,
    tables: Vec<Called>,
    outputs: Vec<(String, Span)>,
}

impl Aliases<'_> {
    fn called(&mut self, alias: Option<&TableAlias>, name: Option<&sqlparser::ast::Ident>) {
        let (places, text) = (self.query.places(), self.query.text());
        // an alias with a column list is kept: the list stands behind it
        let plain = alias.filter(|alias| alias.columns.is_empty());
        let Some(ident) = alias.map(|alias| &alias.name).or(name) else { return };
        let Some(span) = places.lines.span(text, ident.span) else { return };
        let declared = plain.map(|_| span);
        self.tables.push((ident.value.to_lowercase(), span.start, declared));
    }
}

impl Visitor for Aliases<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match factor {
            TableFactor::Table { name, alias, .. } => {
                let ident = name.0.last().and_then(|part| part.as_ident());
                self.called(alias.as_ref(), ident);
            }
            TableFactor::Derived { alias, .. } => self.called(alias.as_ref(), None),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let (places, text) = (self.query.places(), self.query.text());
        for item in &select.projection {
            if let SelectItem::ExprWithAlias { alias, .. } = item
                && let Some(span) = places.lines.span(text, alias.span)
            {
                self.outputs.push((alias.value.clone(), span));
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) -> bool {
        fingerprint(a, Dialect::Sqlite) == fingerprint(b, Dialect::Sqlite)
    }

    #[test]
    fn layout_case_comments_and_semicolons_do_not_count() {
        assert!(same("select  A from T -- x\n;", "SELECT a FROM t"));
        assert!(same("(SELECT 1)", "SELECT 1;"));
    }

    #[test]
    fn letters_of_values_do_count() {
        assert!(!same("SELECT a FROM t WHERE b = 'X'", "SELECT a FROM t WHERE b = 'x'"));
    }

    #[test]
    fn names_of_aliases_do_not_count() {
        assert!(same(
            "SELECT T1.a, count(*) AS n FROM x AS T1 INNER JOIN y AS T2 ON T1.i = T2.i ORDER BY n ASC",
            "SELECT p.a, count(*) c FROM x p JOIN y q ON p.i = q.i ORDER BY c"
        ));
        assert!(same("SELECT x.a FROM x", "SELECT T1.a FROM x AS T1"));
    }

    #[test]
    fn another_table_behind_the_same_alias_counts() {
        assert!(!same("SELECT t.a FROM x t", "SELECT t.a FROM y t"));
        assert!(!same(
            "SELECT p.a FROM x p JOIN y q ON p.i = q.i",
            "SELECT q.a FROM x p JOIN y q ON p.i = q.i"
        ));
    }

    #[test]
    fn an_alias_that_may_be_a_column_keeps_its_name() {
        assert!(!same(
            "SELECT sum(price) AS price FROM t WHERE price > 3",
            "SELECT sum(cost) AS cost FROM t WHERE cost > 3"
        ));
    }

    #[test]
    fn a_text_that_is_no_sql_is_compared_by_words() {
        assert!(same("SELEC a  FROM", "selec A from"));
        assert!(!same("SELEC a FROM", "SELEC b FROM"));
    }
}
