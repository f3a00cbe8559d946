//! Exact bytes of expressions: the parser leaves out parentheses, keywords and closing brackets.

use sqlparser::ast::{CastKind, Expr, Function, InTarget, Interval, Spanned, UnaryOperator};
use sqlparser::keywords::Keyword;

use crate::domain::Span;

use super::super::places::{Lexed, Places};
use super::binder::Binder;

/// A text with the places of its tokens.
#[derive(Debug, Clone, Copy)]
pub(in crate::sql) struct Spans<'a> {
    pub(in crate::sql) text: &'a str,
    pub(in crate::sql) places: &'a Places,
}

impl<'a> Binder<'a> {
    pub(super) fn spans(&self) -> Spans<'a> {
        Spans { text: self.text, places: self.places }
    }

    /// Returns the bytes of an expression, all of it.
    pub(super) fn expr_span(&self, expr: &Expr) -> Option<Span> {
        self.spans().expr_span(expr)
    }

    /// Returns the bytes of a call with its FILTER and OVER.
    pub(super) fn call_span(&self, call: &Function) -> Option<Span> {
        self.spans().call_span(call)
    }
}

impl Spans<'_> {
    /// Returns the bytes of a piece of the tree, as far as the parser knows them.
    pub(in crate::sql) fn span(&self, node: &impl Spanned) -> Option<Span> {
        self.places.of_node(self.text, node)
    }

    /// Returns the bytes of an expression, all of it.
    pub(in crate::sql) fn expr_span(&self, expr: &Expr) -> Option<Span> {
        match expr {
            Expr::Function(call) => self.call_span(call),
            // the parser's span of nested parentheses may start inside all of them
            Expr::Nested(inner) => self.in_parentheses(self.expr_span(inner)?),
            Expr::Tuple(_) => self.in_parentheses(self.span(expr)?),
            Expr::Subquery(query) => self.in_parentheses(self.span(&**query)?),
            Expr::Exists { subquery, negated } => {
                let span = self.in_parentheses(self.span(&**subquery)?)?;
                self.back(span, if *negated { 2 } else { 1 })
            }
            Expr::BinaryOp { .. } => {
                let (mut first, mut last) = (expr, expr);
                while let Expr::BinaryOp { left, .. } = first {
                    first = left;
                }
                while let Expr::BinaryOp { right, .. } = last {
                    last = right;
                }
                let (first, last) = (self.expr_span(first)?, self.expr_span(last)?);
                Some(Span { start: first.start, end: last.end })
            }
            Expr::UnaryOp { op, expr } => {
                let span = self.expr_span(expr)?;
                let _: &UnaryOperator = op;
                self.back(span, 1)
            }
            Expr::Cast { kind, expr, .. } => {
                let inner = self.expr_span(expr)?;
                if *kind == CastKind::DoubleColon {
                    Some(self.past_type(inner))
                } else {
                    self.call_around(inner)
                }
            }
            Expr::Extract { expr, .. }
            | Expr::Ceil { expr, .. }
            | Expr::Floor { expr, .. }
            | Expr::Convert { expr, .. }
            | Expr::Trim { expr, .. }
            | Expr::Substring { expr, .. }
            | Expr::Position { expr, .. } => self.call_around(self.expr_span(expr)?),
            Expr::In { expr: left, target, .. } => {
                let start = self.expr_span(left)?.start;
                let span = match target {
                    InTarget::Subquery(query) => self.in_parentheses(self.span(&**query)?)?,
                    InTarget::List(_) | InTarget::Unnest(_) | InTarget::Table { .. } => {
                        let span = self.span(expr)?;
                        let close = self.enclosing_close(span.end);
                        Span { start, end: close.unwrap_or(span.end) }
                    }
                };
                Some(Span { start, end: span.end })
            }
            Expr::Interval(interval) => self.interval_span(interval),
            Expr::Between { expr, high, .. } => {
                Some(self.cover(self.expr_span(expr)?, self.expr_span(high)?))
            }
            Expr::Like { expr, pattern, .. } | Expr::ILike { expr, pattern, .. } => {
                Some(self.cover(self.expr_span(expr)?, self.expr_span(pattern)?))
            }
            Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsTrue(inner)
            | Expr::IsFalse(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsNotFalse(inner) => Some(self.past_is(self.expr_span(inner)?)),
            other => Some(self.places.balanced(self.span(other)?)),
        }
    }

    /// Returns the bytes of a call with its FILTER and OVER.
    pub(in crate::sql) fn call_span(&self, call: &Function) -> Option<Span> {
        let name = self.span(&call.name)?;
        let mut end = name.end;
        let mut next = self.places.from(name.end);
        if self.places.kind(next) == Some(Lexed::Open)
            && let Some(close) = self.places.closing(next)
        {
            end = self.end_of(close)?;
            next = close + 1;
        }
        if !call.within_group.is_empty()
            && self.places.is_word(next, Keyword::WITHIN)
            && let Some(close) = self.places.closing(next + 2)
        {
            end = self.end_of(close)?;
            next = close + 1;
        }
        let wanted = usize::from(call.filter.is_some()) + usize::from(call.over.is_some());
        for _ in 0..wanted {
            let clause = self.places.is_word(next, Keyword::FILTER)
                || self.places.is_word(next, Keyword::OVER);
            if !clause {
                break;
            }
            let after = if self.places.kind(next + 1) == Some(Lexed::Open) {
                self.places.closing(next + 1)?
            } else {
                next + 1
            };
            end = self.end_of(after)?;
            next = after + 1;
        }
        Some(Span { start: name.start, end })
    }

    fn cover(&self, first: Span, last: Span) -> Span {
        self.places.balanced(Span { start: first.start, end: last.end.max(first.end) })
    }

    fn end_of(&self, token: usize) -> Option<usize> {
        self.places.lexemes.get(token).map(|lexeme| lexeme.span.end)
    }

    fn word_at(&self, token: usize) -> &str {
        self.places.lexemes.get(token).map_or("", |lexeme| lexeme.span.of(self.text))
    }

    /// Widens a span by the parenthesis before it and its partner.
    fn in_parentheses(&self, span: Span) -> Option<Span> {
        let mut open = self.places.from(span.start);
        // the parser's span may start inside: step back to the parenthesis
        while open > 0 && self.places.kind(open) != Some(Lexed::Open) {
            open -= 1;
        }
        let inside = self.places.lexemes.get(open)?;
        if inside.span.start >= span.start {
            open = open.checked_sub(1)?;
        }
        let start = self.places.lexemes.get(open).filter(|l| l.kind == Lexed::Open)?.span.start;
        let end = self.end_of(self.places.closing(open)?)?;
        Some(Span { start, end })
    }

    /// Widens a span by some tokens before it.
    fn back(&self, span: Span, tokens: usize) -> Option<Span> {
        let at = self.places.from(span.start).checked_sub(tokens)?;
        let start = self.places.lexemes.get(at)?.span.start;
        Some(Span { start, end: span.end })
    }

    /// Returns the call whose parentheses directly hold a span: `CAST( … AS x)`.
    fn call_around(&self, inner: Span) -> Option<Span> {
        let mut at = self.places.from(inner.start);
        let mut depth = 0usize;
        loop {
            at = at.checked_sub(1)?;
            match self.places.kind(at)? {
                Lexed::Close => depth += 1,
                Lexed::Open if depth == 0 => break,
                Lexed::Open => depth -= 1,
                Lexed::Word(_)
                | Lexed::Quoted
                | Lexed::Number
                | Lexed::Text
                | Lexed::Comma
                | Lexed::Semicolon
                | Lexed::DoubleColon
                | Lexed::Sign => {}
            }
        }
        let end = self.end_of(self.places.closing(at)?)?;
        let start = self.places.lexemes.get(at.checked_sub(1)?)?.span.start;
        Some(Span { start, end })
    }

    /// Returns the end of the parenthesis that is open at a byte.
    fn enclosing_close(&self, byte: usize) -> Option<usize> {
        let mut depth = 0usize;
        for lexeme in self.places.lexemes.get(self.places.from(byte)..)? {
            match lexeme.kind {
                Lexed::Open => depth += 1,
                Lexed::Close if depth == 0 => return Some(lexeme.span.end),
                Lexed::Close => depth -= 1,
                Lexed::Word(_)
                | Lexed::Quoted
                | Lexed::Number
                | Lexed::Text
                | Lexed::Comma
                | Lexed::Semicolon
                | Lexed::DoubleColon
                | Lexed::Sign => {}
            }
        }
        None
    }

    /// Returns the bytes of an interval with its word and its units.
    fn interval_span(&self, interval: &Interval) -> Option<Span> {
        let value = self.back(self.expr_span(&interval.value)?, 1)?;
        let units = usize::from(interval.leading_field.is_some())
            + 2 * usize::from(interval.last_field.is_some());
        Some(self.past_words(value, units))
    }

    /// Moves past a number of bare words.
    fn past_words(&self, span: Span, words: usize) -> Span {
        let first = self.places.from(span.end);
        let is_word = |at: &usize| matches!(self.places.kind(*at), Some(Lexed::Word(_)));
        let last = (first..first + words).take_while(is_word).last();
        Span { start: span.start, end: last.and_then(|at| self.end_of(at)).unwrap_or(span.end) }
    }

    /// Moves past `::type` or `::type(n)`.
    fn past_type(&self, inner: Span) -> Span {
        let mut at = self.places.from(inner.end);
        let mut end = inner.end;
        if self.places.kind(at) == Some(Lexed::DoubleColon) {
            at += 1;
            if matches!(self.places.kind(at), Some(Lexed::Word(_) | Lexed::Quoted)) {
                end = self.end_of(at).unwrap_or(end);
                at += 1;
            }
            let double = at > 0 && self.places.is_word(at, Keyword::PRECISION);
            if double {
                end = self.end_of(at).unwrap_or(end);
                at += 1;
            }
            if self.places.kind(at) == Some(Lexed::Open)
                && let Some(close) = self.places.closing(at)
            {
                end = self.end_of(close).unwrap_or(end);
            }
        }
        Span { start: inner.start, end }
    }

    /// Moves past `IS NOT NULL` and its like.
    fn past_is(&self, inner: Span) -> Span {
        use Keyword as K;
        let mut at = self.places.from(inner.end);
        let mut end = inner.end;
        if self.word_at(at).eq_ignore_ascii_case("ISNULL") {
            return Span { start: inner.start, end: self.end_of(at).unwrap_or(end) };
        }
        while let Some(Lexed::Word(K::IS | K::NOT | K::NULL | K::NOTNULL | K::TRUE | K::FALSE)) =
            self.places.kind(at)
        {
            end = self.end_of(at).unwrap_or(end);
            let last = matches!(
                self.places.kind(at),
                Some(Lexed::Word(K::NULL | K::NOTNULL | K::TRUE | K::FALSE))
            );
            at += 1;
            if last {
                break;
            }
        }
        Span { start: inner.start, end }
    }
}
