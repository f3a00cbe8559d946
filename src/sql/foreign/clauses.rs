//! Clauses that the engine lacks or writes in another way: SELECT, ORDER BY, LIMIT and FROM.

use sqlparser::ast::{
    Distinct, Expr, GroupByExpr, GroupByWithModifier, JoinOperator, LimitClause, ObjectName,
    OrderByExpr, OrderByKind, OrderBySort, Query, Select, SetExpr, SetOperator, TableFactor,
    TopQuantity,
};
use sqlparser::keywords::Keyword;

use super::Hunt;
use super::turn::Turn;
use crate::domain::{Dialect, Span};

impl Hunt<'_> {
    /// Looks at the clauses of a SELECT.
    pub(super) fn select(&mut self, select: &Select) {
        let all = self.spans.span(select);
        let mysql = self.is(Dialect::Mysql);
        if let Some(qualify) = select.qualify.as_ref().filter(|_| !self.is(Dialect::Duckdb)) {
            let at = self.spans.expr_span(qualify);
            self.turn(at, "QUALIFY; filter in a query around this one", None, &[]);
        }
        if matches!(select.distinct, Some(Distinct::On(_))) && mysql {
            let at = self.word(all, Keyword::DISTINCT);
            self.turn(at, "DISTINCT ON; use ROW_NUMBER() in a subquery", None, &[]);
        }
        match &select.group_by {
            GroupByExpr::All(_) if !self.is(Dialect::Duckdb) => {
                let at = self.word(all, Keyword::GROUP);
                self.turn(at, "GROUP BY ALL; name each key", None, &[]);
            }
            GroupByExpr::Expressions(keys, modifiers)
                if !mysql && modifiers.contains(&GroupByWithModifier::Rollup) =>
            {
                self.rollup(keys);
            }
            GroupByExpr::All(_) | GroupByExpr::Expressions(..) => {}
        }
        for join in select.from.iter().flat_map(|item| &item.joins) {
            match join.join_operator {
                JoinOperator::FullOuter(_) if mysql => {
                    let at = self.word(all, Keyword::FULL);
                    let what = "FULL JOIN; put a LEFT JOIN and a RIGHT JOIN together with UNION";
                    self.turn(at, what, None, &[]);
                }
                JoinOperator::CrossApply | JoinOperator::OuterApply => {
                    self.turn(self.spans.span(join), "APPLY; use JOIN LATERAL", None, &[]);
                }
                _ => {}
            }
        }
    }

    /// `GROUP BY a, b WITH ROLLUP` → `GROUP BY ROLLUP (a, b)`.
    fn rollup(&mut self, keys: &[Expr]) {
        let spans: Option<Vec<Span>> = keys.iter().map(|key| self.spans.expr_span(key)).collect();
        let ends = spans.as_ref().and_then(|spans| {
            let last = spans.last()?;
            let text = Span { start: last.end, end: self.spans.text.len() };
            let word = self.word(Some(text), Keyword::ROLLUP)?;
            Some(Span { start: spans.first()?.start, end: word.end })
        });
        let holes: Vec<String> = (0..keys.len()).map(|n| format!("{{{n}}}")).collect();
        let template = ends.map(|_| format!("ROLLUP ({})", holes.join(", ")));
        let keys: Vec<&Expr> = keys.iter().collect();
        self.turn(ends, "WITH ROLLUP", template, &keys);
    }

    /// Looks at order, limit and set operations of a query.
    pub(super) fn query(&mut self, query: &Query) {
        if let SetExpr::Select(select) = &*query.body {
            self.top(select, query.limit_clause.is_some());
        }
        if let Some(LimitClause::OffsetCommaLimit { offset, limit }) = &query.limit_clause
            && !self.is(Dialect::Mysql)
        {
            let ends = self.spans.expr_span(offset).zip(self.spans.expr_span(limit));
            let at = ends.map(|(first, last)| Span { start: first.start, end: last.end });
            let template = "{1} OFFSET {0}".to_owned();
            self.turn(at, "LIMIT with a comma", Some(template), &[offset, limit]);
        }
        if let Some(order) = query.order_by.as_ref().filter(|_| self.is(Dialect::Mysql))
            && let OrderByKind::Expressions(keys) = &order.kind
        {
            for key in keys {
                self.nulls(key);
            }
        }
        let mut body = &*query.body;
        while let SetExpr::SetOperation { left, op, right, .. } = body {
            if *op == SetOperator::Minus {
                let between = self.spans.span(&**left).zip(self.spans.span(&**right));
                let between = between.map(|(l, r)| Span { start: l.end, end: r.start });
                let at = self.word(between, Keyword::MINUS);
                self.turn(at, "MINUS", Some("EXCEPT".to_owned()), &[]);
            }
            body = left;
        }
    }

    /// `NULLS LAST`: MySQL takes NULL for the least; where that is not meant, a key before says so.
    fn nulls(&mut self, key: &OrderByExpr) {
        let Some(first) = key.options.nulls_first else { return };
        let descends = matches!(key.options.sort, Some(OrderBySort::Desc));
        let at = self.spans.expr_span(&key.expr).and_then(|span| {
            let rest = Span { start: span.end, end: self.spans.text.len() };
            let word = if first { Keyword::FIRST } else { Keyword::LAST };
            Some(Span { start: span.start, end: self.word(Some(rest), word)?.end })
        });
        let way = if descends { " DESC" } else { "" };
        let template = match first != descends {
            true => format!("{{0}}{way}"),
            false if first => format!("{{(0)}} IS NOT NULL, {{0}}{way}"),
            false => format!("{{(0)}} IS NULL, {{0}}{way}"),
        };
        self.turn(at, "NULLS FIRST or LAST", Some(template), &[&key.expr]);
    }

    /// `SELECT TOP 3 …` → `SELECT … LIMIT 3`.
    fn top(&mut self, select: &Select, limited: bool) {
        let Some(top) = &select.top else { return };
        let word = self.word(self.spans.span(select), Keyword::TOP);
        let number = match &top.quantity {
            Some(TopQuantity::Constant(n)) => Some(n.to_string()),
            Some(TopQuantity::Expr(expr)) => self.text(expr).map(str::to_owned),
            None => None,
        };
        let first = select.projection.first().and_then(|item| self.spans.span(item));
        let end = self.spans.span(&select.select_token.0).and_then(|s| self.query_end(s.end));
        let plain = !top.percent && !top.with_ties && !limited && select.distinct.is_none();
        let parts = word.zip(first).zip(end).zip(number).filter(|_| plain);
        let Some((((word, first), end), number)) = parts else {
            self.turn(word, "TOP; write LIMIT at the end of the query", None, &[]);
            return;
        };
        let cut = Span { start: word.start, end: first.start };
        let what = format!("TOP; LIMIT {number} stands at the end");
        self.turn(Some(cut), &what, Some(String::new()), &[]);
        self.turns.push(Turn {
            span: Some(Span { start: end, end }),
            code: "foreign_syntax",
            what: "TOP".to_owned(),
            instead: Some((format!(" LIMIT {number}"), Vec::new())),
            whole: false,
        });
    }

    /// Finds the end of the query that a byte stands in: its closing bracket or the last word.
    fn query_end(&self, from: usize) -> Option<usize> {
        use super::super::places::Lexed;
        let places = self.spans.places;
        let (mut depth, mut end) = (0_usize, from);
        for lexeme in places.lexemes.get(places.from(from)..)? {
            match lexeme.kind {
                Lexed::Open => depth += 1,
                Lexed::Close if depth == 0 => break,
                Lexed::Close => depth -= 1,
                Lexed::Semicolon => break,
                _ => {}
            }
            end = lexeme.span.end;
        }
        Some(end)
    }

    /// Finds a word among the tokens of a span.
    fn word(&self, within: Option<Span>, word: Keyword) -> Option<Span> {
        use super::super::places::Lexed;
        let within = within?;
        let places = self.spans.places;
        let tokens = places.lexemes.get(places.from(within.start)..)?;
        let mut inside = tokens.iter().take_while(|lexeme| lexeme.span.start < within.end);
        inside.find(|lexeme| lexeme.kind == Lexed::Word(word)).map(|lexeme| lexeme.span)
    }

    /// A table in double quotes, which MySQL reads as a text.
    fn quoted_table(&mut self, name: &ObjectName) {
        let idents = || name.0.iter().filter_map(|part| part.as_ident());
        if idents().any(|ident| ident.quote_style == Some('"')) {
            let own: Vec<String> = idents().map(|ident| format!("`{}`", ident.value)).collect();
            let what = "\"…\" around names";
            self.turn(self.spans.span(name), what, Some(own.join(".")), &[]);
        }
    }

    /// Looks at an item of FROM.
    pub(super) fn factor(&mut self, factor: &TableFactor) {
        let at = self.spans.span(factor);
        let mysql = self.is(Dialect::Mysql);
        match factor {
            TableFactor::Table { name, alias: None, .. } if !mysql => {
                let is_dual = name.to_string().eq_ignore_ascii_case("dual");
                let known = self.catalog.table("dual").is_some();
                let from = at.and_then(|at| {
                    let before = self.spans.places.from(at.start).checked_sub(1)?;
                    let word = self.spans.places.lexemes.get(before)?.span;
                    let is_from = word.of(self.spans.text).eq_ignore_ascii_case("from");
                    is_from.then_some(Span { start: word.start, end: at.end })
                });
                if is_dual && !known && from.is_some() {
                    self.turn(from, "table DUAL; leave FROM out", Some(String::new()), &[]);
                }
            }
            TableFactor::Table { name, .. } if mysql => self.quoted_table(name),
            TableFactor::UNNEST { .. } if mysql => {
                self.turn(at, "UNNEST; use JSON_TABLE", None, &[]);
            }
            TableFactor::Pivot { .. } | TableFactor::Unpivot { .. }
                if !self.is(Dialect::Duckdb) =>
            {
                self.turn(at, "PIVOT; use CASE in aggregates", None, &[]);
            }
            TableFactor::OpenJsonTable { .. } => {
                self.turn(at, "OPENJSON; use the engine's own JSON functions", None, &[]);
            }
            _ => {}
        }
    }
}
