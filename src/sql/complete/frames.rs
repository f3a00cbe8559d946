//! What is in sight at the cursor: the SELECT it stands in, that one's FROM, those around it.

use std::cell::Cell;

use crate::domain::Catalog;

use super::super::lexemes::Lexeme;

/// A relation in sight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relation {
    /// What columns are qualified with: the alias, else the name.
    pub(super) called: String,
    /// The table of the catalog, if it is one.
    pub(super) table: Option<String>,
    /// Its columns: name, and what each is in words.
    pub(super) columns: Vec<(String, String)>,
}

/// Parts of a SELECT, as far as offers differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Clause {
    /// Before any keyword.
    #[default]
    Start,
    /// The output list.
    Output,
    /// FROM and JOIN.
    From,
    /// ON.
    On,
    /// WHERE and HAVING.
    Where,
    /// GROUP BY and ORDER BY.
    By,
    /// LIMIT and OFFSET.
    Limit,
}

/// What is in sight at the cursor.
#[derive(Debug, Clone, Default)]
pub(super) struct Sight {
    /// Relations of the innermost SELECT, then of those around it.
    pub(super) relations: Vec<Relation>,
    /// How many of them are of the innermost SELECT.
    pub(super) own: usize,
    /// Names of WITH, each with its columns.
    pub(super) ctes: Vec<Relation>,
    /// The clause the cursor stands in.
    pub(super) clause: Clause,
}

/// How deep queries inside FROM are looked into.
const DEEP: usize = 16;

/// A text with its tokens, comments left out.
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Lexeme],
    pub(super) catalog: &'a Catalog,
    /// For each open parenthesis the token that closes it, or before which it ends.
    ends: Vec<usize>,
    /// How deep queries inside FROM are looked into right now.
    depth: Cell<usize>,
}

impl<'a> Page<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Lexeme], catalog: &'a Catalog) -> Self {
        let mut page = Page { text, tokens, catalog, ends: Vec::new(), depth: Cell::new(0) };
        page.ends = page.close();
        page
    }

    /// Finds where each parenthesis ends; one that was not closed yet ends before the FROM that
    /// follows it, because only a query's parenthesis holds one.
    fn close(&self) -> Vec<usize> {
        let own_from = ["EXTRACT", "TRIM", "SUBSTRING", "OVERLAY"];
        let mut ends = vec![self.tokens.len(); self.tokens.len()];
        let mut open: Vec<(usize, bool)> = Vec::new();
        for n in 0..self.tokens.len() {
            if self.is(n, "(") {
                let before = n.checked_sub(1).is_some_and(|m| self.is_any(m, &own_from));
                open.push((n, before || self.is_any(n + 1, &["SELECT", "WITH", "VALUES"])));
            } else if self.is(n, ")") {
                let closed = open.pop().and_then(|(at, _)| ends.get_mut(at));
                if let Some(end) = closed {
                    *end = n;
                }
            } else if self.is(n, "FROM") {
                while let Some((at, false)) = open.last().copied() {
                    open.pop();
                    if let Some(end) = ends.get_mut(at) {
                        *end = n;
                    }
                }
            }
        }
        ends
    }

    /// Looks one level deeper, unless that is too deep.
    pub(super) fn deeper<T: Default>(&self, look: impl FnOnce() -> T) -> T {
        let depth = self.depth.get();
        if depth >= DEEP {
            return T::default();
        }
        self.depth.set(depth + 1);
        let seen = look();
        self.depth.set(depth);
        seen
    }
}

/// Looks around from token `at`: all tokens before it stand before the cursor.
pub(super) fn look(page: &Page<'_>, at: usize) -> Sight {
    let mut sight = Sight::default();
    page.with_names(0, &mut sight.ctes);
    let mut from = at;
    let mut innermost = true;
    loop {
        let first = page.frame_start(from);
        let last = page.frame_end(first);
        page.with_names(first, &mut sight.ctes);
        if innermost {
            sight.clause = page.clause(first, at);
        }
        let (arm, arm_end) = page.arm(first, last, from);
        let found = page.listed(arm, arm_end, &sight.ctes);
        sight.relations.extend(found);
        if innermost {
            sight.own = sight.relations.len();
        }
        innermost = false;
        if first == 0 {
            return sight;
        }
        from = first - 1;
    }
}

impl Page<'_> {
    pub(super) fn is(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(self.text, word))
    }

    pub(super) fn is_any(&self, at: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(at, word))
    }

    /// Returns the first token of the query that encloses token `at`: behind an open parenthesis
    /// that a query follows, or 0.
    fn frame_start(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for n in (0..at.min(self.tokens.len())).rev() {
            if self.is(n, ")") {
                depth += 1;
            } else if self.is(n, "(") {
                if depth == 0 && self.is_any(n + 1, &["SELECT", "WITH", "VALUES"]) {
                    return n + 1;
                }
                depth = depth.saturating_sub(1);
            }
        }
        0
    }

    /// Returns one past the last token of the query that begins at `first`.
    pub(super) fn frame_end(&self, first: usize) -> usize {
        let open = first.checked_sub(1).and_then(|open| self.ends.get(open));
        open.copied().unwrap_or(self.tokens.len())
    }

    /// Returns the token behind the parenthesis opened at `open`.
    pub(super) fn behind(&self, open: usize) -> usize {
        let end = self.frame_end(open + 1);
        if self.is(end, ")") { end + 1 } else { end.max(open + 1) }
    }

    /// Narrows a query to the arm of its set operations that token `at` stands in.
    fn arm(&self, first: usize, last: usize, at: usize) -> (usize, usize) {
        let (mut from, mut n) = (first, first);
        while n < last {
            if self.is(n, "(") {
                n = self.behind(n);
                continue;
            }
            if self.is_any(n, &["UNION", "EXCEPT", "INTERSECT"]) {
                if n >= at {
                    return (from, n);
                }
                from = n + 1;
            }
            n += 1;
        }
        (from, last)
    }

    /// Finds the last clause keyword before token `at`, closed parentheses skipped.
    fn clause(&self, first: usize, at: usize) -> Clause {
        let mut depth = 0usize;
        for n in (first..at).rev() {
            if self.is(n, ")") {
                depth += 1;
            } else if self.is(n, "(") {
                depth = depth.saturating_sub(1);
            } else if depth == 0 {
                let found = self.clause_word(n);
                if let Some(clause) = found {
                    return clause;
                }
            }
        }
        Clause::Start
    }

    fn clause_word(&self, n: usize) -> Option<Clause> {
        const WORDS: &[(&str, Clause)] = &[
            ("SELECT", Clause::Output),
            ("FROM", Clause::From),
            ("JOIN", Clause::From),
            ("ON", Clause::On),
            ("WHERE", Clause::Where),
            ("HAVING", Clause::Where),
            ("BY", Clause::By),
            ("LIMIT", Clause::Limit),
            ("OFFSET", Clause::Limit),
            ("UNION", Clause::Start),
            ("EXCEPT", Clause::Start),
            ("INTERSECT", Clause::Start),
        ];
        WORDS.iter().find(|(word, _)| self.is(n, word)).map(|(_, clause)| *clause)
    }

    /// Adds the names that WITH at token `at` gives, if one stands there.
    fn with_names(&self, at: usize, ctes: &mut Vec<Relation>) {
        if !self.is(at, "WITH") {
            return;
        }
        let mut n = at + 1 + usize::from(self.is(at + 1, "RECURSIVE"));
        while let Some(token) = self.tokens.get(n).filter(|token| token.is_name()) {
            let called = token.name(self.text);
            let mut listed = Vec::new();
            n += 1;
            if self.is(n, "(") {
                let end = self.behind(n);
                listed = self.names_in(n + 1, end);
                n = end;
            }
            if !self.is(n, "AS") {
                return;
            }
            n += 1;
            while self.is_any(n, &["NOT", "MATERIALIZED"]) {
                n += 1;
            }
            if !self.is(n, "(") {
                return;
            }
            let body = n + 1;
            n = self.behind(n);
            let names = if listed.is_empty() {
                self.outputs(body, self.frame_end(body), ctes)
            } else {
                listed
            };
            let what = format!("column of {called}");
            let columns = names.into_iter().map(|name| (name, what.clone())).collect();
            if !ctes.iter().any(|cte| cte.called.eq_ignore_ascii_case(&called)) {
                ctes.push(Relation { called, table: None, columns });
            }
            if !self.is(n, ",") {
                return;
            }
            n += 1;
        }
    }

    fn names_in(&self, from: usize, to: usize) -> Vec<String> {
        let all = self.tokens.get(from..to).unwrap_or(&[]);
        all.iter().filter(|token| token.is_name()).map(|token| token.name(self.text)).collect()
    }

    /// Lists the names of a query's output columns, as far as its text tells them.
    pub(super) fn outputs(&self, first: usize, last: usize, ctes: &[Relation]) -> Vec<String> {
        let mut n = first;
        while n < last && !self.is(n, "SELECT") {
            n = if self.is(n, "(") { self.behind(n) } else { n + 1 };
        }
        n += 1 + usize::from(self.is_any(n + 1, &["DISTINCT", "ALL"]));
        let mut names = Vec::new();
        let mut item = n;
        while n <= last {
            if self.is(n, "(") && n < last {
                n = self.behind(n);
                continue;
            }
            let over = n == last || self.is(n, "FROM");
            if over || self.is(n, ",") {
                self.output(item, n, (n, last), ctes, &mut names);
                item = n + 1;
            }
            if over {
                break;
            }
            n += 1;
        }
        names
    }

    /// Names one output: its alias or last name; a star stands for the columns it gives.
    fn output(
        &self,
        from: usize,
        to: usize,
        rest: (usize, usize),
        ctes: &[Relation],
        names: &mut Vec<String>,
    ) {
        let Some(last) = to.checked_sub(1).filter(|last| *last >= from) else { return };
        if self.is(last, "*") {
            // the FROM stands behind the whole list
            let mut n = rest.0;
            while n < rest.1 && !self.is(n, "FROM") {
                n = if self.is(n, "(") { self.behind(n) } else { n + 1 };
            }
            let relations = self.listed(n, rest.1, ctes);
            names.extend(relations.into_iter().flat_map(|r| r.columns).map(|(name, _)| name));
            return;
        }
        let token = self.tokens.get(last).filter(|token| token.is_name());
        names.extend(token.map(|token| token.name(self.text)));
    }
}
