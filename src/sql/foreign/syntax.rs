//! Operators, casts, intervals and clauses that the engine lacks.

use sqlparser::ast::{BinaryOperator, CastKind, DateTimeField, Expr, UnaryOperator, Value};

use crate::domain::{ColumnKind, Dialect, Span};

use super::dates::{Unit, extracted, interval};
use super::turn::Turn;
use super::{Hunt, types};

impl Hunt<'_> {
    pub(super) fn is(&self, dialect: Dialect) -> bool {
        self.dialect == dialect
    }

    /// Looks at an expression that is no call.
    pub(super) fn expr(&mut self, expr: &Expr) {
        let at = self.spans.expr_span(expr);
        let mysql = self.is(Dialect::Mysql);
        match expr {
            Expr::Cast { kind, expr: inner, data_type, .. } => {
                self.cast(at, kind, inner, &data_type.to_string());
            }
            Expr::Convert {
                expr: inner, data_type: Some(to), target_before_value, styles, ..
            } if !mysql || *target_before_value => {
                let named = types::named(&to.to_string(), self.dialect);
                let named = named.filter(|_| styles.is_empty());
                let template = named.map(|to| format!("CAST({{0}} AS {to})"));
                self.turn(at, "CONVERT", template, &[inner]);
            }
            Expr::Extract { field, expr: inner, .. } if mysql => self.extract(at, field, inner),
            Expr::Interval(_) => self.interval(at, expr),
            Expr::ILike { negated, expr: left, pattern, .. } if mysql => {
                let not = if *negated { "NOT " } else { "" };
                let template = format!("{{0}} {not}LIKE {{1}}");
                self.turn(at, "ILIKE", Some(template), &[left, pattern]);
            }
            Expr::RLike { negated, expr: left, pattern, .. } if !mysql => {
                self.matches(*negated, left, pattern);
            }
            Expr::IsDistinctFrom(left, right) if mysql => {
                let template = "(NOT {(0)} <=> {(1)})".to_owned();
                self.turn(at, "IS DISTINCT FROM", Some(template), &[left, right]);
            }
            Expr::IsNotDistinctFrom(left, right) if mysql => {
                let template = "{(0)} <=> {(1)}".to_owned();
                self.turn(at, "IS NOT DISTINCT FROM", Some(template), &[left, right]);
            }
            Expr::BinaryOp { left, op, right } => self.operator(expr, left, op, right),
            Expr::Array(array) if !array.named && self.is(Dialect::Postgres) => {
                if let [Expr::Identifier(ident)] = array.elem.as_slice() {
                    let quoted = format!("\"{}\"", ident.value.replace('"', "\"\""));
                    self.turn(at, "[…] around names", Some(quoted), &[]);
                }
            }
            other => {
                if let Some(what) = without_equal(other, self.dialect) {
                    self.turn(at, what, None, &[]);
                }
            }
        }
    }

    fn cast(&mut self, at: Option<Span>, kind: &CastKind, inner: &Expr, to: &str) {
        let named = types::named(to, self.dialect);
        let foreign = types::is_foreign(to, self.dialect);
        let (what, word) = match (kind, self.dialect) {
            (CastKind::DoubleColon, Dialect::Mysql) => ("'::' casts".to_owned(), "CAST"),
            (CastKind::SafeCast, Dialect::Duckdb) => ("SAFE_CAST".to_owned(), "TRY_CAST"),
            (CastKind::TryCast | CastKind::SafeCast, Dialect::Postgres | Dialect::Mysql) => {
                let what = "TRY_CAST; test the value in a CASE before a CAST";
                self.turn(at, what, None, &[]);
                return;
            }
            _ if foreign => (format!("type {to}"), "CAST"),
            _ => return,
        };
        let template = named.map(|to| format!("{word}({{0}} AS {to})"));
        self.turn(at, &what, template, &[inner]);
    }

    fn extract(&mut self, at: Option<Span>, field: &DateTimeField, inner: &Expr) {
        let field = field.to_string().to_ascii_lowercase();
        if field == "epoch" {
            let between = match super::super::scope::bare(inner) {
                Expr::BinaryOp { left, op: BinaryOperator::Minus, right } => Some((left, right)),
                _ => None,
            };
            let what = "EXTRACT(EPOCH …)";
            if let Some((left, right)) = between {
                let template = "TIMESTAMPDIFF(SECOND, {1}, {0})".to_owned();
                self.turn(at, what, Some(template), &[left, right]);
            } else {
                let template = "TIMESTAMPDIFF(SECOND, '1970-01-01', {0})".to_owned();
                self.turn(at, what, Some(template), &[inner]);
            }
        } else if ["dow", "dayofweek", "isodow", "doy", "dayofyear"].contains(&field.as_str()) {
            let what = format!("EXTRACT({} …)", field.to_ascii_uppercase());
            self.turn(at, &what, extracted(&field, "{0}"), &[inner]);
        } else if ["century", "decade", "millennium", "julian", "isoyear"].contains(&&*field) {
            self.turn(at, &format!("EXTRACT({} …)", field.to_ascii_uppercase()), None, &[]);
        }
    }

    fn interval(&mut self, at: Option<Span>, expr: &Expr) {
        let Expr::Interval(said) = expr else { return };
        let text = match &*said.value {
            Expr::Value(value) => match &value.value {
                Value::SingleQuotedString(text) => Some((text.trim(), true)),
                Value::Number(number, _) => Some((number.as_str(), false)),
                _ => None,
            },
            _ => None,
        };
        let unit = said.leading_field.as_ref().and_then(|field| Unit::read(&field.to_string()));
        match (self.dialect, text, unit) {
            (Dialect::Postgres, Some((number, false)), Some(unit)) => {
                let template = number.parse().ok().and_then(|n| interval(n, unit, self.dialect));
                self.turn(at, "INTERVAL without quotes", template, &[]);
            }
            (Dialect::Postgres, None, Some(unit)) => {
                let template = format!("({{(0)}} * INTERVAL '1 {}')", unit.name());
                self.turn(at, "INTERVAL of an expression", Some(template), &[&said.value]);
            }
            (Dialect::Mysql, Some((words, true)), None) if said.leading_field.is_none() => {
                let pair = words.split_once(' ').and_then(|(number, unit)| {
                    Some((number.parse::<u64>().ok()?, Unit::read(unit)?))
                });
                let template = pair.and_then(|(n, unit)| interval(n, unit, self.dialect));
                self.turn(at, "unit inside an INTERVAL's quotes", template, &[]);
            }
            _ => {}
        }
    }

    /// `REGEXP` and `RLIKE`, which ignore letter case where they come from.
    fn matches(&mut self, negated: bool, left: &Expr, pattern: &Expr) {
        let ends = self.spans.expr_span(left).zip(self.spans.expr_span(pattern));
        let at = ends.map(|(left, right)| Span { start: left.start, end: right.end });
        let template = match (self.dialect, negated) {
            (Dialect::Postgres, false) => "{(0)} ~* {(1)}",
            (Dialect::Postgres, true) => "{(0)} !~* {(1)}",
            (_, false) => "regexp_matches({0}, {1}, 'i')",
            (_, true) => "NOT regexp_matches({0}, {1}, 'i')",
        };
        self.turn(at, "REGEXP", Some(template.to_owned()), &[left, pattern]);
    }

    fn operator(&mut self, whole: &Expr, left: &Expr, op: &BinaryOperator, right: &Expr) {
        use BinaryOperator as B;
        let at = self.spans.expr_span(whole);
        let template = |text: &str| Some(text.to_owned());
        let sides = [left, right];
        match (op, self.dialect) {
            (B::Eq | B::NotEq, Dialect::Postgres) => {
                self.truth(left, right);
                self.truth(right, left);
            }
            (B::StringConcat, Dialect::Mysql) => self.concatenated(whole, at, "'||' of texts"),
            (B::Plus, _) => self.concatenated(whole, at, "'+' of texts"),
            (B::Spaceship, Dialect::Postgres | Dialect::Duckdb) => {
                self.turn(at, "'<=>'", template("{(0)} IS NOT DISTINCT FROM {(1)}"), &sides);
            }
            (B::Xor, Dialect::Postgres | Dialect::Duckdb) => {
                self.turn(at, "XOR", template("({(0)} <> {(1)})"), &sides);
            }
            (B::MyIntegerDivide, Dialect::Postgres) => {
                self.turn(at, "operator DIV", template("DIV({0}, {1})"), &sides);
            }
            (B::MyIntegerDivide, Dialect::Duckdb) => {
                self.turn(at, "operator DIV", template("({(0)} // {(1)})"), &sides);
            }
            (B::DuckIntegerDivide, Dialect::Postgres) => {
                self.turn(at, "'//'", template("DIV({0}, {1})"), &sides);
            }
            (B::DuckIntegerDivide, Dialect::Mysql) => {
                self.turn(at, "'//'", template("({(0)} DIV {(1)})"), &sides);
            }
            (B::PGRegexIMatch, Dialect::Mysql) => {
                self.turn(at, "'~*'", template("{(0)} REGEXP {(1)}"), &sides);
            }
            (B::PGRegexNotIMatch, Dialect::Mysql) => {
                self.turn(at, "'!~*'", template("{(0)} NOT REGEXP {(1)}"), &sides);
            }
            (B::PGRegexMatch | B::PGRegexNotMatch, Dialect::Mysql) => {
                self.turn(at, "'~'; use REGEXP, which may ignore letter case", None, &[]);
            }
            (B::Regexp, Dialect::Postgres | Dialect::Duckdb) => self.matches(false, left, right),
            (B::Glob, _) => self.turn(at, "GLOB; use LIKE", None, &[]),
            (B::AtArrow | B::ArrowAt | B::HashArrow | B::HashLongArrow, Dialect::Mysql) => {
                self.turn(at, "such JSON operators; use JSON_EXTRACT", None, &[]);
            }
            _ => {}
        }
    }

    /// PostgreSQL compares truth values with TRUE and FALSE only.
    fn truth(&mut self, compared: &Expr, value: &Expr) {
        let is_truth = self.column(compared).is_some_and(|c| c.kind == ColumnKind::Boolean);
        let word = match value {
            Expr::Value(v) => match &v.value {
                Value::Number(number, _) if number == "1" => "TRUE",
                Value::Number(number, _) if number == "0" => "FALSE",
                _ => return,
            },
            _ => return,
        };
        if is_truth {
            let at = self.spans.expr_span(value);
            self.turn(at, "numbers for truth values", Some(word.to_owned()), &[]);
        }
    }

    /// A chain of `||` or `+` that joins texts, in one go.
    fn concatenated(&mut self, whole: &Expr, at: Option<Span>, what: &str) {
        let Expr::BinaryOp { op, .. } = whole else { return };
        let covered = |turn: &Turn| {
            let inside = turn
                .span
                .zip(at)
                .is_some_and(|(outer, inner)| outer.start == inner.start && inner.end < outer.end);
            turn.what == what && inside
        };
        if self.turns.iter().any(covered) {
            return; // the longer chain has it
        }
        let mut leaves = Vec::new();
        let mut first = whole;
        while let Expr::BinaryOp { left, op: same, right } = first {
            if same != op {
                break;
            }
            leaves.push(&**right);
            first = left;
        }
        leaves.push(first);
        leaves.reverse();
        let is_sign = |expr: &&Expr| match expr {
            Expr::Value(value) => matches!(&value.value, Value::SingleQuotedString(text)
                if !text.chars().any(|c| c.is_ascii_digit())),
            _ => false,
        };
        let joins = match op {
            BinaryOperator::Plus => leaves.iter().any(is_sign),
            _ => leaves.iter().any(|leaf| self.is_text(leaf)),
        };
        if !joins {
            return;
        }
        let holes: Vec<String> = (0..leaves.len()).map(|n| format!("{{{n}}}")).collect();
        let template = if self.is(Dialect::Mysql) {
            format!("CONCAT({})", holes.join(", "))
        } else {
            holes.join(" || ")
        };
        self.turn(at, what, Some(template), &leaves);
    }
}

/// Names syntax that has no replacement of exactly the same meaning.
fn without_equal(expr: &Expr, dialect: Dialect) -> Option<&'static str> {
    if let Expr::UnaryOp { op: UnaryOperator::PGAbs, .. } = expr {
        return (dialect != Dialect::Postgres).then_some("'@'; use ABS");
    }
    if dialect != Dialect::Mysql {
        return match expr {
            Expr::MatchAgainst { .. } => Some("MATCH … AGAINST; use LIKE"),
            _ => None,
        };
    }
    Some(match expr {
        Expr::SimilarTo { .. } => "SIMILAR TO; use REGEXP",
        Expr::AtTimeZone { .. } => "AT TIME ZONE; use CONVERT_TZ",
        Expr::Array(_) => "arrays; use JSON_ARRAY",
        Expr::Overlay { .. } => "OVERLAY; use INSERT(text, from, length, new)",
        Expr::Rollup(_) => "ROLLUP (…); use WITH ROLLUP",
        Expr::Cube(_) | Expr::GroupingSets(_) => "CUBE and GROUPING SETS; use UNION ALL",
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
