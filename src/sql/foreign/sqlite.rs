//! Syntax that the parser reads but SQLite doesn't, each with SQLite's own way.
//!
//! A diagnostic here has the replacement among its suggestions only where it means exactly the same.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, CastKind, CeilFloorKind, DataType, DateTimeField, Distinct, Expr, GroupByExpr,
    InTarget, LimitClause, Query, Select, SetExpr, SetOperator, SetQuantifier, TableFactor, Value,
    Visit, Visitor,
};
use sqlparser::keywords::Keyword;

use crate::domain::{Diagnostic, Span};
use crate::sql::ReadQuery;
use crate::sql::places::Lexed;
use crate::sql::scope::Spans;

/// Lists what the query's engine can't read, in order of the text.
pub(super) fn foreign(query: &ReadQuery) -> Vec<Diagnostic> {
    let spans = Spans { text: query.text(), places: query.places() };
    let mut hunt = Hunt { spans, found: Vec::new() };
    let _ = query.query().visit(&mut hunt);
    hunt.found.sort_by_key(|d| d.span.map_or(0, |span| span.start));
    hunt.found
}

struct Hunt<'a> {
    spans: Spans<'a>,
    found: Vec<Diagnostic>,
}

impl Hunt<'_> {
    fn say(&mut self, span: Option<Span>, message: impl Into<String>, instead: Option<String>) {
        let mut message = format!("SQLite has no {}", message.into());
        if let Some(instead) = &instead {
            message.push_str(&format!(": write {instead}"));
        }
        self.found.push(Diagnostic {
            code: "foreign_syntax".to_owned(),
            message,
            span,
            suggestions: instead.into_iter().collect(),
        });
    }

    fn text(&self, expr: &Expr) -> Option<&str> {
        Some(self.spans.expr_span(expr)?.of(self.spans.text))
    }

    /// Finds a word among the tokens of a span.
    fn word(&self, within: Option<Span>, word: Keyword) -> Option<Span> {
        let within = within?;
        let places = self.spans.places;
        let tokens = places.lexemes.get(places.from(within.start)..)?;
        let mut inside = tokens.iter().take_while(|lexeme| lexeme.span.start < within.end);
        inside.find(|lexeme| lexeme.kind == Lexed::Word(word)).map(|lexeme| lexeme.span)
    }

    fn cast(&mut self, whole: &Expr, kind: &CastKind, inner: &Expr, to: &DataType) {
        let form = match kind {
            CastKind::Cast => return,
            CastKind::DoubleColon => "'::' casts",
            CastKind::TryCast => "TRY_CAST",
            CastKind::SafeCast => "SAFE_CAST",
        };
        let span = self.spans.expr_span(whole);
        let instead = self.text(inner).and_then(|inner| cast_to(inner, to));
        self.say(span, form, instead);
    }

    fn extract(&mut self, whole: &Expr, field: &DateTimeField, inner: &Expr) {
        let span = self.spans.expr_span(whole);
        let instead = self
            .text(inner)
            .zip(letter(field))
            .map(|(inner, letter)| format!("CAST(strftime('%{letter}', {inner}) AS INTEGER)"));
        self.say(span, "EXTRACT", instead);
    }

    fn operator(&mut self, whole: &Expr, left: &Expr, op: &BinaryOperator, right: &Expr) {
        use BinaryOperator as B;
        let span = self.spans.expr_span(whole);
        match op {
            B::PGRegexMatch | B::PGRegexIMatch | B::PGRegexNotMatch | B::PGRegexNotIMatch => {
                self.say(span, "regular expressions; use LIKE or GLOB", None);
            }
            B::PGILikeMatch | B::PGLikeMatch | B::PGNotLikeMatch | B::PGNotILikeMatch => {
                self.say(span, "'~~' operators; use LIKE", None);
            }
            B::PGExp => self.say(span, "'^' for powers; use multiplication or power()", None),
            B::Spaceship => self.say(span, "'<=>'; use IS", None),
            B::Xor => self.say(span, "XOR; use <> of both conditions", None),
            B::MyIntegerDivide => self.say(span, "DIV; use / of whole numbers", None),
            B::DuckIntegerDivide => self.say(span, "'//'; use / of whole numbers", None),
            B::Plus | B::Minus if matches!(right, Expr::Interval(_)) => {
                let instead = self.shifted(left, matches!(op, B::Minus), right);
                self.say(span, "INTERVAL; add to a date with date(x, '+1 day')", instead);
            }
            _ => {}
        }
    }

    /// Writes `date ± INTERVAL '3 days'` with a modifier, where the left side is surely a date.
    fn shifted(&self, left: &Expr, minus: bool, interval: &Expr) -> Option<String> {
        let Expr::Interval(interval) = interval else { return None };
        let Expr::Value(value) = &*interval.value else { return None };
        let said = match &value.value {
            Value::SingleQuotedString(text) => text.trim().to_owned(),
            Value::Number(number, _) => number.clone(),
            _ => return None,
        };
        let said = match &interval.leading_field {
            Some(field) => format!("{said} {field}"),
            None => said,
        };
        let (number, unit) = said.split_once(' ')?;
        let count: i64 = number.parse().ok()?;
        let unit = unit.trim().to_ascii_lowercase();
        let (count, unit) = match unit.trim_end_matches('s') {
            "week" => (count.checked_mul(7)?, "day".to_owned()),
            unit @ ("day" | "month" | "year") => (count, unit.to_owned()),
            _ => return None,
        };
        let signed = if minus { count.checked_neg()? } else { count };
        let written = self.text(left)?;
        let is_date = written.eq_ignore_ascii_case("current_date")
            || written.to_ascii_lowercase().starts_with("date(");
        let left = if written.eq_ignore_ascii_case("current_date") { "'now'" } else { written };
        is_date.then(|| format!("date({left}, '{signed:+} {unit}')"))
    }

    fn expr(&mut self, expr: &Expr) {
        let span = || self.spans.expr_span(expr);
        match expr {
            Expr::Cast { kind, expr: inner, data_type, .. } => {
                self.cast(expr, kind, inner, data_type);
            }
            Expr::Extract { field, expr: inner, .. } => self.extract(expr, field, inner),
            Expr::BinaryOp { left, op, right } => self.operator(expr, left, op, right),
            Expr::ILike { negated, expr: left, pattern, escape_char: None, any: false } => {
                let not = if *negated { "NOT " } else { "" };
                let sides = self.text(left).zip(self.text(pattern));
                let instead = sides.map(|(left, right)| format!("{left} {not}LIKE {right}"));
                self.say(span(), "ILIKE; its LIKE ignores the case of ASCII letters", instead);
            }
            Expr::Position { expr: part, r#in } => {
                let sides = self.text(r#in).zip(self.text(part));
                let instead = sides.map(|(whole, part)| format!("instr({whole}, {part})"));
                self.say(span(), "POSITION", instead);
            }
            Expr::Substring { substring_from: None, substring_for: None, .. } => {
                self.found.push(Diagnostic {
                    code: "wrong_argument_count".to_owned(),
                    message: "substr takes 2 to 3 arguments, not 1".to_owned(),
                    span: span(),
                    suggestions: Vec::new(),
                });
            }
            Expr::Substring { expr: of, substring_from, substring_for, special: false, .. } => {
                let parts = [substring_from, substring_for];
                let more: Vec<&str> =
                    parts.into_iter().flatten().filter_map(|e| self.text(e)).collect();
                let whole = substring_from.is_some();
                let instead = self.text(of).filter(|_| whole);
                let instead = instead.map(|of| format!("substr({of}, {})", more.join(", ")));
                self.say(span(), "SUBSTRING … FROM", instead);
            }
            Expr::TypedString(typed) => {
                let value = self.spans.places.lines.span(self.spans.text, typed.value.span);
                let literal = value.map(|value| value.of(self.spans.text).to_owned());
                let whole = value.and_then(|value| self.with_word_before(value));
                self.say(whole, format!("{} before a literal", typed.data_type), literal);
            }
            other => {
                if let Some(what) = without_equal(other) {
                    self.say(span(), what, None);
                }
            }
        }
    }

    fn with_word_before(&self, span: Span) -> Option<Span> {
        let at = self.spans.places.from(span.start).checked_sub(1)?;
        let start = self.spans.places.lexemes.get(at)?.span.start;
        Some(Span { start, end: span.end })
    }

    fn select(&mut self, select: &Select) {
        let all = self.spans.span(select);
        let top = self.word(all, Keyword::TOP);
        if select.top.is_some() {
            self.say(top, "TOP; write LIMIT at the end of the query", None);
        }
        if let Some(Distinct::On(_)) = select.distinct {
            let at = self.word(all, Keyword::DISTINCT);
            self.say(at, "DISTINCT ON; use GROUP BY, or row_number() in a subquery", None);
        }
        if let Some(qualify) = &select.qualify {
            let at = self.spans.expr_span(qualify);
            self.say(at, "QUALIFY; filter in a query around this one", None);
        }
        let modified = match &select.group_by {
            GroupByExpr::All(_) => true,
            GroupByExpr::Expressions(_, modifiers) => !modifiers.is_empty(),
        };
        if modified {
            let at = self.word(all, Keyword::GROUP);
            self.say(at, "GROUP BY ALL or WITH ROLLUP; name each key, use UNION ALL", None);
        }
    }

    fn query(&mut self, query: &Query) {
        if let Some(fetch) = &query.fetch {
            let quantity =
                fetch.quantity.as_ref().and_then(|quantity| self.spans.expr_span(quantity));
            let instead = quantity.filter(|_| !fetch.percent && !fetch.with_ties);
            let start = instead.and_then(|at| self.spans.places.from(at.start).checked_sub(2));
            let first = start.and_then(|at| self.spans.places.lexemes.get(at));
            let last = instead
                .and_then(|at| self.spans.places.lexemes.get(self.spans.places.from(at.end) + 1));
            let whole = first
                .zip(last)
                .map(|(first, last)| Span { start: first.span.start, end: last.span.end });
            let limit = instead.map(|at| format!("LIMIT {}", at.of(self.spans.text)));
            self.say(whole.or(quantity), "FETCH FIRST", limit.filter(|_| whole.is_some()));
        }
        if let Some(LimitClause::LimitOffset { limit_by, .. }) = &query.limit_clause
            && !limit_by.is_empty()
        {
            self.say(None, "LIMIT BY; use row_number() in a subquery", None);
        }
        let mut body = &*query.body;
        while let SetExpr::SetOperation { left, op, set_quantifier, right } = body {
            let between = self.spans.span(&**left).zip(self.spans.span(&**right));
            let between = between.map(|(left, right)| Span { start: left.end, end: right.start });
            let all = matches!(set_quantifier, SetQuantifier::All);
            if *op == SetOperator::Minus {
                let at = self.word(between, Keyword::MINUS);
                self.say(at, "MINUS", Some("EXCEPT".to_owned()));
            } else if all && *op != SetOperator::Union {
                let at = self.word(between, Keyword::ALL);
                self.say(at, format!("{op} ALL; leave out ALL"), None);
            }
            body = left;
        }
    }
}

impl Visitor for Hunt<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.expr(expr);
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.select(select);
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.query(query);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match factor {
            TableFactor::Derived { lateral: true, .. }
            | TableFactor::Function { lateral: true, .. } => {
                let at = self.spans.span(factor);
                self.say(at, "LATERAL; use a correlated subquery", None);
            }
            TableFactor::UNNEST { .. } => self.say(None, "UNNEST; use json_each", None),
            TableFactor::Pivot { .. } | TableFactor::Unpivot { .. } => {
                self.say(None, "PIVOT; use CASE in aggregates", None);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Names syntax that has no replacement of exactly the same meaning.
fn without_equal(expr: &Expr) -> Option<&'static str> {
    let unit = |field: &CeilFloorKind| matches!(field, CeilFloorKind::DateTimeField(f) if *f != DateTimeField::NoDateTime);
    Some(match expr {
        Expr::AnyOp { .. } => "ANY before a subquery; use IN, EXISTS or compare with a MIN or MAX",
        Expr::AllOp { .. } => "ALL before a subquery; use NOT EXISTS or compare with a MIN or MAX",
        Expr::Trim { trim_where, trim_what, .. } if trim_where.is_some() || trim_what.is_some() => {
            "TRIM … FROM; use trim, ltrim or rtrim (text, letters)"
        }
        Expr::ILike { .. } => "ILIKE; use LIKE",
        Expr::SimilarTo { .. } => "SIMILAR TO; use LIKE or GLOB",
        Expr::RLike { .. } => "RLIKE; use LIKE or GLOB",
        Expr::AtTimeZone { .. } => "AT TIME ZONE",
        Expr::Convert { .. } => "CONVERT; use CAST(x AS type)",
        Expr::Overlay { .. } => "OVERLAY; use substr and ||",
        Expr::MatchAgainst { .. } => "MATCH … AGAINST; use LIKE",
        Expr::Array(_) => "arrays",
        Expr::Rollup(_) | Expr::Cube(_) | Expr::GroupingSets(_) => {
            "ROLLUP, CUBE and GROUPING SETS; use UNION ALL"
        }
        Expr::Ceil { field, .. } | Expr::Floor { field, .. } if unit(field) => {
            "CEIL or FLOOR TO a unit; use strftime"
        }
        Expr::In { target: InTarget::Unnest(_), .. } => "UNNEST",
        Expr::Value(value)
            if matches!(
                value.value,
                Value::EscapedStringLiteral(_) | Value::DollarQuotedString(_)
            ) =>
        {
            "E'…' and $$…$$ strings; use '…'"
        }
        _ => return None,
    })
}

/// Writes a cast in SQLite's words; none for types that mean something else there.
fn cast_to(inner: &str, to: &DataType) -> Option<String> {
    let name = to.to_string().to_ascii_uppercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.starts_with(part));
    let kind = if has(&["FLOAT", "DOUBLE", "REAL", "DECIMAL", "NUMERIC", "DEC"]) {
        "REAL"
    } else if has(&["INT", "BIGINT", "SMALLINT", "TINYINT", "SIGNED", "UNSIGNED"]) {
        "INTEGER"
    } else if has(&["TEXT", "VARCHAR", "CHAR", "STRING"]) && !name.contains('(') {
        "TEXT"
    } else if name == "DATE" {
        return Some(format!("date({inner})"));
    } else if has(&["TIMESTAMP", "DATETIME"]) {
        return Some(format!("datetime({inner})"));
    } else {
        return None;
    };
    Some(format!("CAST({inner} AS {kind})"))
}

/// Returns the letter that `strftime` has for a field.
fn letter(field: &DateTimeField) -> Option<char> {
    match field {
        DateTimeField::Year | DateTimeField::Years => Some('Y'),
        DateTimeField::Month | DateTimeField::Months => Some('m'),
        DateTimeField::Day | DateTimeField::Days => Some('d'),
        DateTimeField::Hour | DateTimeField::Hours => Some('H'),
        DateTimeField::Minute | DateTimeField::Minutes => Some('M'),
        DateTimeField::Second | DateTimeField::Seconds => Some('S'),
        DateTimeField::Dow | DateTimeField::DayOfWeek => Some('w'),
        DateTimeField::Doy | DateTimeField::DayOfYear => Some('j'),
        DateTimeField::Epoch => Some('s'),
        _ => None,
    }
}
