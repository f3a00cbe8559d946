//! A failed query as repairs see it: text, tokens, and names where it can be read; and a change.

use crate::domain::{Catalog, Diagnostic, Dialect, Span};
use crate::sql::scope::{Relation, Scope};
use crate::sql::{Binding, ReadQuery, bind};

use super::Broken;
use super::lexemes::{Lexeme, lex};

/// A failed query with everything that repairs look at.
pub(super) struct Case<'a> {
    /// The text.
    pub(super) sql: &'a str,
    /// Its tokens, comments and spaces left out.
    pub(super) lexemes: Vec<Lexeme>,
    /// What its names stand for; none when it can't be read.
    pub(super) binding: Option<Binding>,
    /// The catalog.
    pub(super) catalog: &'a Catalog,
    /// The dialect.
    pub(super) dialect: Dialect,
    /// What the failure says.
    failed: &'a [Diagnostic],
}

impl<'a> Case<'a> {
    /// Reads what can be read of a failed query.
    pub(super) fn of(broken: &Broken<'a>) -> Self {
        let query = ReadQuery::parse(broken.sql, broken.dialect).ok();
        Case {
            sql: broken.sql,
            lexemes: lex(broken.sql),
            binding: query.map(|query| bind(&query, broken.catalog)),
            catalog: broken.catalog,
            dialect: broken.dialect,
            failed: &broken.failure.diagnostics,
        }
    }

    /// Lists what is wrong: what binding says where it says anything, else what the failure says.
    pub(super) fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let bound = self.binding.as_ref().map_or(&[][..], |binding| &binding.diagnostics);
        if bound.is_empty() { self.failed.iter() } else { bound.iter() }
    }

    /// Names what the first diagnostic is about, for a sentence.
    pub(super) fn subject(&self) -> &str {
        let first = self.diagnostics().find_map(|d| d.span).map_or("", |span| span.of(self.sql));
        if first.is_empty() { "it" } else { first }
    }

    /// Tells whether a new text reads, and binds with fewer diagnostics than this one.
    pub(super) fn improves(&self, sql: &str) -> bool {
        if sql == self.sql {
            return false;
        }
        let Ok(query) = ReadQuery::parse(sql, self.dialect) else { return false };
        let now = weight(&bind(&query, self.catalog));
        match self.binding.as_ref().map(weight) {
            // It read and bound before, so the engine refused something else.
            Some(0) => now == 0,
            Some(before) => now < before,
            None => true,
        }
    }

    /// Finds the innermost SELECT around a byte.
    pub(super) fn scope_at(&self, byte: usize) -> Option<(usize, &Scope)> {
        let scopes = self.binding.as_ref()?.scopes.iter().enumerate();
        scopes
            .filter(|(_, scope)| scope.span.start <= byte && byte < scope.span.end.max(1))
            .min_by_key(|(_, scope)| scope.span.end - scope.span.start)
    }

    /// Lists a SELECT's relations, then those of the SELECTs around it.
    pub(super) fn visible(&self, scope: &Scope) -> Vec<&Relation> {
        let Some(binding) = &self.binding else { return Vec::new() };
        let mut relations: Vec<&Relation> = Vec::new();
        let mut at = binding.scopes.iter().find(|s| s.span == scope.span);
        while let Some(scope) = at {
            relations.extend(&scope.relations);
            at = scope.parent.and_then(|parent| binding.scopes.get(parent));
        }
        relations
    }

    /// Splits the name that a diagnostic points at into qualifier and name, without quotes.
    pub(super) fn name_at(&self, span: Span) -> Option<Name<'_>> {
        let inside = |l: &&Lexeme| span.start <= l.span.start && l.span.end <= span.end;
        let parts: Vec<&Lexeme> = self.lexemes.iter().filter(inside).collect();
        let bare = |lexeme: &Lexeme| lexeme.unquoted(self.sql);
        match parts.as_slice() {
            [name] if name.is_name() => Some(Name { qualifier: None, last: bare(name), span }),
            [.., qualifier, dot, name]
                if name.is_name() && qualifier.is_name() && dot.span.of(self.sql) == "." =>
            {
                Some(Name { qualifier: Some(bare(qualifier)), last: bare(name), span })
            }
            _ => None,
        }
    }

    /// Finds the name at a diagnostic's place, with the qualifier before it even when the
    /// diagnostic points at the last part only.
    pub(super) fn column_of(&self, diagnostic: &Diagnostic) -> Option<Name<'_>> {
        let span = diagnostic.span?;
        let uses = &self.binding.as_ref()?.columns;
        let around = uses.iter().find(|u| u.span.start <= span.start && span.end <= u.span.end);
        self.name_at(around.map_or(span, |u| u.span))
    }
}

/// Weighs what doesn't bind: an unknown table hides what is wrong with its columns.
fn weight(binding: &Binding) -> usize {
    let weigh = |d: &Diagnostic| if d.code == "no_such_table" { HIDES } else { 1 };
    binding.diagnostics.iter().map(weigh).sum()
}

/// How many column errors an unknown table may hide.
const HIDES: usize = 10;

/// A name as written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'a> {
    /// What stands before the dot.
    pub(super) qualifier: Option<&'a str>,
    /// The last part.
    pub(super) last: &'a str,
    /// All of it.
    pub(super) span: Span,
}

/// What to write where, and what proves it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Change {
    /// Places and what shall stand there; an empty place is an insertion.
    pub(super) patches: Vec<(Span, String)>,
    /// Proofs in words.
    pub(super) evidence: Vec<String>,
}

impl Change {
    /// Makes a change of one place.
    pub(super) fn at(span: Span, text: impl Into<String>, evidence: impl Into<String>) -> Self {
        Change { patches: vec![(span, text.into())], evidence: vec![evidence.into()] }
    }

    /// Adds another change; false, and nothing added, when both touch the same bytes differently.
    pub(super) fn join(&mut self, other: Change) -> bool {
        let clash = |(span, text): &(Span, String)| {
            self.patches.iter().any(|(old, words)| {
                (span != old || text != words) && span.start < old.end && old.start < span.end
            })
        };
        if other.patches.iter().any(clash) {
            return false;
        }
        for patch in other.patches {
            if !self.patches.contains(&patch) {
                self.patches.push(patch);
            }
        }
        for words in other.evidence {
            if !self.evidence.contains(&words) {
                self.evidence.push(words);
            }
        }
        self.patches.sort_by_key(|(span, _)| (span.start, span.end));
        true
    }

    /// Writes the text with all patches in it.
    pub(super) fn apply(&self, sql: &str) -> String {
        let mut patches: Vec<&(Span, String)> = self.patches.iter().collect();
        patches.sort_by_key(|(span, _)| (span.start, span.end));
        let mut out = String::with_capacity(sql.len() + 32);
        let mut at = 0;
        for (span, text) in patches {
            out.push_str(sql.get(at..span.start).unwrap_or(""));
            out.push_str(text);
            at = span.end.max(at);
        }
        out.push_str(sql.get(at..).unwrap_or(""));
        out
    }

    /// Says what stood there and what stands there now: the stretch around all places where it is
    /// short, else the places.
    pub(super) fn shown(&self, sql: &str) -> (String, String) {
        let start = self.patches.iter().map(|(span, _)| span.start).min().unwrap_or(0);
        let end = self.patches.iter().map(|(span, _)| span.end).max().unwrap_or(0);
        let inserts = self.patches.iter().any(|(span, _)| span.start == span.end);
        if inserts && end - start <= SHORT {
            let behind = sql.len() - end;
            let patched = self.apply(sql);
            let now = patched.get(start..patched.len() - behind).unwrap_or("");
            return (Span::new(start, end).of(sql).to_owned(), now.trim().to_owned());
        }
        let mut from: Vec<&str> = self.patches.iter().map(|(s, _)| s.of(sql).trim()).collect();
        let mut to: Vec<&str> = self.patches.iter().map(|(_, text)| text.trim()).collect();
        for texts in [&mut from, &mut to] {
            texts.retain(|text| !text.is_empty());
            texts.dedup();
        }
        (from.join(", "), to.join(", "))
    }
}

/// Bytes up to which a stretch with an insertion is shown whole.
const SHORT: usize = 160;
