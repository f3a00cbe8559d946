//! Reads FROM and JOIN as far as they are written: tables, names of WITH, subqueries, aliases.

use super::super::lexemes::{Kind, Lexeme};
use super::frames::{Page, Relation};

impl Page<'_> {
    /// Lists the relations of a query's FROM, as far as they are written.
    pub(super) fn listed(&self, first: usize, last: usize, ctes: &[Relation]) -> Vec<Relation> {
        let mut relations = Vec::new();
        let mut in_from = false;
        let mut n = first;
        while n < last {
            if self.is(n, "(") {
                n = self.behind(n);
            } else if self.is_any(n, &["FROM", "JOIN"]) || (in_from && self.is(n, ",")) {
                in_from = true;
                n = self.relation(n + 1, last, ctes, &mut relations);
            } else {
                let ends = ["WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WINDOW"];
                in_from &= !self.is_any(n, &ends);
                n += 1;
            }
        }
        relations
    }

    /// Reads one relation of a FROM; returns the token behind it.
    fn relation(
        &self,
        at: usize,
        last: usize,
        ctes: &[Relation],
        relations: &mut Vec<Relation>,
    ) -> usize {
        let Some(token) = self.tokens.get(at).filter(|_| at < last) else { return at };
        let mut n = at + 1;
        let (name, mut found) = if token.is(self.text, "(") {
            n = self.behind(at);
            if !self.is_any(at + 1, &["SELECT", "WITH", "VALUES"]) {
                relations.extend(self.deeper(|| {
                    let mut inner = Vec::new();
                    let next = self.relation(at + 1, n, ctes, &mut inner);
                    inner.extend(self.listed(next, n, ctes));
                    inner
                }));
                return n;
            }
            let columns = self.deeper(|| self.outputs(at + 1, self.frame_end(at + 1), ctes));
            (
                String::new(),
                Relation { called: String::new(), table: None, columns: plain(columns) },
            )
        } else if token.is_name()
            && !(token.kind == Kind::Word && ends_relation(token.of(self.text)))
        {
            let mut name = token.name(self.text);
            while self.is(n, ".") && self.tokens.get(n + 1).is_some_and(Lexeme::is_name) {
                name = self.tokens.get(n + 1).map(|t| t.name(self.text)).unwrap_or_default();
                n += 2;
            }
            (name.clone(), self.named(&name, ctes))
        } else {
            return at;
        };
        n += usize::from(self.is(n, "AS"));
        let alias = self.tokens.get(n).filter(|t| {
            n < last && t.is_name() && !(t.kind == Kind::Word && ends_relation(t.of(self.text)))
        });
        if let Some(alias) = alias {
            found.called = alias.name(self.text);
            n += 1;
        }
        if found.called.is_empty() {
            found.called = name;
        }
        if !found.called.is_empty() {
            relations.push(found);
        }
        n
    }

    /// Finds what a name in FROM stands for.
    fn named(&self, name: &str, ctes: &[Relation]) -> Relation {
        if let Some(cte) = ctes.iter().find(|cte| cte.called.eq_ignore_ascii_case(name)) {
            return Relation { called: name.to_owned(), ..cte.clone() };
        }
        let table = self.catalog.table(name);
        let columns = table.map_or(&[][..], |table| &table.columns);
        let columns = columns.iter().map(|column| (column.name.clone(), column.data_type.clone()));
        Relation {
            called: name.to_owned(),
            table: table.map(|table| table.name.clone()),
            columns: columns.collect(),
        }
    }
}

fn plain(names: Vec<String>) -> Vec<(String, String)> {
    names.into_iter().map(|name| (name, String::new())).collect()
}

/// Tells whether a word behind a table is no alias of it.
fn ends_relation(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "WHERE",
        "GROUP",
        "HAVING",
        "ORDER",
        "LIMIT",
        "OFFSET",
        "UNION",
        "EXCEPT",
        "INTERSECT",
        "JOIN",
        "LEFT",
        "RIGHT",
        "FULL",
        "INNER",
        "OUTER",
        "CROSS",
        "NATURAL",
        "ON",
        "USING",
        "AS",
        "WINDOW",
        "SELECT",
        "FROM",
        "INDEXED",
        "NOT",
        "AND",
        "OR",
        "SET",
    ];
    WORDS.iter().any(|one| one.eq_ignore_ascii_case(word))
}
