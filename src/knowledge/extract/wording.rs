//! Pieces of a definition's SQL as they can stand alone: names with their tables, one line, no
//! parentheses that group nothing.

use crate::domain::{Catalog, ColumnRef, Span};
use crate::sql::dialect::quote;
use crate::sql::lexemes::{Kind, Lexeme, Open, lexemes};
use crate::sql::{Binding, ReadQuery};

/// A view's query, read and bound.
pub(super) struct Read<'a> {
    /// Its SQL.
    pub(super) sql: &'a str,
    /// What its names stand for.
    pub(super) binding: Binding,
    /// Its pieces.
    pub(super) lexemes: Vec<Lexeme>,
    /// The schema.
    pub(super) catalog: &'a Catalog,
}

impl<'a> Read<'a> {
    /// Reads a query; none when it can't be read, or its names don't bind.
    pub(super) fn of(sql: &'a str, catalog: &'a Catalog) -> Option<Self> {
        let query = ReadQuery::parse(sql, catalog.dialect).ok()?;
        let binding = crate::sql::bind(&query, catalog);
        let bound = binding.diagnostics.is_empty();
        bound.then(|| Read { sql, binding, lexemes: pieces(sql), catalog })
    }

    /// Lists the pieces inside a span.
    pub(super) fn inside(&self, span: Span) -> Vec<Lexeme> {
        let inside = |piece: &&Lexeme| span.start <= piece.span.start && piece.span.end <= span.end;
        self.lexemes.iter().filter(inside).copied().collect()
    }

    /// Writes a span so that it can stand alone.
    pub(super) fn alone(&self, span: Span) -> String {
        let mut words: Vec<(String, bool)> = Vec::new();
        let mut end = span.start;
        let mut skip = span.start;
        for piece in stripped(&self.inside(span), self.sql) {
            if piece.span.start < skip {
                continue;
            }
            let gap = piece.span.start > end && !words.is_empty();
            let used = self.binding.columns.iter().find(|u| u.span.start == piece.span.start);
            if let Some((used, at)) = used.and_then(|used| Some((used, used.at.as_ref()?))) {
                words.push((self.name(at), gap));
                (skip, end) = (used.span.end, used.span.end);
            } else {
                words.push((piece.of(self.sql).to_owned(), gap));
                end = piece.span.end;
            }
        }
        drop_idle_parentheses(&mut words);
        words.into_iter().fold(String::new(), |text, (word, gap)| {
            let tight = text.ends_with('(') || word == ")" || word == ",";
            text + if gap && !tight { " " } else { "" } + &word
        })
    }

    /// Writes a column with its table, quoted where the engine needs it.
    pub(super) fn name(&self, at: &ColumnRef) -> String {
        let quoted = |name: &str| quote(name, self.catalog.dialect);
        format!("{}.{}", quoted(&at.table), quoted(&at.column))
    }
}

/// Takes a text apart, comments left out.
pub(super) fn pieces(sql: &str) -> Vec<Lexeme> {
    let all = lexemes(sql, Open::RunsOn).into_iter();
    all.filter(|piece| piece.kind != Kind::Comment).collect()
}

/// Takes off parentheses that hold the whole.
fn stripped(pieces: &[Lexeme], sql: &str) -> Vec<Lexeme> {
    let mut rest = pieces;
    while let [first, inner @ .., last] = rest
        && first.is_sign(sql, "(")
        && last.is_sign(sql, ")")
        && closes_at_end(inner, sql)
    {
        rest = inner;
    }
    rest.to_vec()
}

/// Tells whether no parenthesis opened before these pieces is closed among them.
fn closes_at_end(inner: &[Lexeme], sql: &str) -> bool {
    let mut depth = 0_i32;
    for piece in inner {
        depth += i32::from(piece.is_sign(sql, "(")) - i32::from(piece.is_sign(sql, ")"));
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Drops parentheses around one name that call nothing: `(a.b)=0`.
fn drop_idle_parentheses(words: &mut Vec<(String, bool)>) {
    let mut at = 0;
    while at + 2 < words.len() {
        let word = |n: usize| words.get(n).map_or("", |(word, _)| word.as_str());
        let before = at.checked_sub(1).map(word).unwrap_or_default();
        let called = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"');
        let calls = called && !matches!(before.to_ascii_uppercase().as_str(), "AND" | "OR" | "NOT");
        let one = word(at) == "(" && word(at + 2) == ")" && word(at + 1).contains('.');
        if one && !calls {
            let gap = words.get(at).is_some_and(|(_, gap)| *gap);
            words.remove(at + 2);
            words.remove(at);
            if let Some((_, before)) = words.get_mut(at) {
                *before = gap;
            }
        }
        at += 1;
    }
}

/// Splits a condition at its outermost ANDs; one that has an outermost OR stays whole, as one
/// alternative alone says nothing.
pub(super) fn conjuncts(read: &Read<'_>, condition: Span) -> Vec<Span> {
    match split_at(read, condition, "OR").as_slice() {
        [_, _, ..] => vec![condition],
        _ => split_at(read, condition, "AND"),
    }
}

/// Splits a condition at its outermost ANDs or ORs, each part as a span.
pub(super) fn split_at(read: &Read<'_>, condition: Span, word: &str) -> Vec<Span> {
    let sql = read.sql;
    let mut parts: Vec<Span> = Vec::new();
    let (mut depth, mut between) = (0_i32, false);
    let mut current: Option<Span> = None;
    for piece in &stripped(&read.inside(condition), sql) {
        depth += i32::from(piece.is(sql, "(") || piece.is_word(sql, "CASE"));
        depth -= i32::from(piece.is(sql, ")") || piece.is_word(sql, "END"));
        if depth == 0 {
            let of_between = between && piece.is_word(sql, "AND");
            if piece.is_word(sql, word) && !of_between {
                parts.extend(current.take());
                continue;
            }
            between = piece.is_word(sql, "BETWEEN") || (between && !of_between);
        }
        let start = current.map_or(piece.span.start, |span| span.start);
        current = Some(Span::new(start, piece.span.end));
    }
    parts.extend(current);
    parts
}

/// Reads a literal as the value it stands for.
pub(super) fn literal(piece: &Lexeme, sql: &str) -> Option<String> {
    let written = piece.of(sql);
    match piece.kind {
        Kind::Number => Some(written.to_owned()),
        Kind::Text => {
            let inner = written.strip_prefix('\'')?.strip_suffix('\'')?;
            Some(inner.replace("''", "'"))
        }
        Kind::Word | Kind::Quoted | Kind::Comment | Kind::Sign => None,
    }
}

/// Finds the query in the statement that made a view.
pub(super) fn query_of(ddl: &str) -> Option<&str> {
    let pieces = pieces(ddl);
    let mut depth = 0_i32;
    for pair in pieces.windows(2) {
        let [piece, next] = pair else { continue };
        depth += i32::from(piece.is_sign(ddl, "(")) - i32::from(piece.is_sign(ddl, ")"));
        let begins = ["SELECT", "WITH", "VALUES", "("].iter().any(|word| next.is(ddl, word));
        if depth == 0 && piece.is_word(ddl, "AS") && begins {
            return ddl.get(next.span.start..);
        }
    }
    None
}
