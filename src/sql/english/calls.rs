//! Calls in words: aggregates, common functions, what they are filtered by and looked at over.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, NullTreatment,
};

use crate::domain::Span;

use super::super::scope::{argument, bare, last_ident};
use super::{Teller, listed};

impl<'a> Teller<'a> {
    /// Says a call.
    pub(super) fn call(&mut self, whole: &'a Expr, call: &'a Function) -> String {
        let span = self.spans.expr_span(whole);
        let list = match &call.args {
            FunctionArguments::List(list) => list,
            FunctionArguments::None => return self.written(whole),
            FunctionArguments::Subquery(query) => {
                return format!("{}({})", call.name, self.query(query));
            }
        };
        let odd = !matches!(call.parameters, FunctionArguments::None) || self.leaves_out_rows(span);
        let told = if odd { None } else { self.named_call(call, list) };
        let Some(mut told) = told else { return self.quoted(span) };
        let mut added = Vec::new();
        if !call.within_group.is_empty() {
            added.push(format!("within rows sorted by {}", self.in_order(&call.within_group)));
        }
        added.extend(call.null_treatment.map(nulls));
        for clause in &list.clauses {
            match self.clause(clause) {
                Some(words) => added.push(words),
                None => return self.quoted(span),
            }
        }
        if let Some(filter) = &call.filter {
            added.push(format!("only where {}", self.condition(filter)));
        }
        if let Some(over) = &call.over {
            match self.window(over) {
                Some(window) if added.is_empty() => told = format!("{told} {window}"),
                Some(window) => added.push(window),
                None => return self.quoted(span),
            }
        }
        if !added.is_empty() {
            told = format!("{told}, {}", added.join(", "));
        }
        if added.is_empty() && call.over.is_none() { told } else { format!("({told})") }
    }

    /// A frame may exclude rows: the tree doesn't hold those words.
    fn leaves_out_rows(&self, span: Option<Span>) -> bool {
        let Some(span) = span else { return false };
        let mut lexemes = self.spans.places.lexemes.iter();
        lexemes.any(|lexeme| {
            let inside = span.start <= lexeme.span.start && lexeme.span.end <= span.end;
            inside && lexeme.span.of(self.spans.text).eq_ignore_ascii_case("exclude")
        })
    }

    fn named_call(&mut self, call: &'a Function, list: &'a FunctionArgumentList) -> Option<String> {
        let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        let plain = last_ident(&call.name).filter(|_| call.name.0.len() == 1);
        let name = match plain {
            Some(ident) => ident.value.to_ascii_lowercase(),
            None => call.name.to_string(),
        };
        if let [only] = list.args.as_slice()
            && let Some(told) = self.aggregate(&name, only, distinct)
        {
            return Some(told);
        }
        let mut args = Vec::new();
        for arg in &list.args {
            args.push(self.an_argument(arg)?);
        }
        if distinct {
            return Some(match name.as_str() {
                "count" => format!("the number of distinct combinations of {}", listed(&args)),
                _ => format!("{name}(distinct {})", args.join(", ")),
            });
        }
        Some(match (name.as_str(), args.as_slice()) {
            ("round", [value, digits]) => format!("{value} rounded to {digits} decimals"),
            ("abs", [value]) => format!("the size of {value} without its sign"),
            ("lower", [value]) => format!("{value} in lower case"),
            ("upper", [value]) => format!("{value} in upper case"),
            ("length", [value]) => format!("the length of {value}"),
            ("coalesce" | "ifnull", [value, other]) => format!("{value} (or {other} if NULL)"),
            ("nullif", [value, other]) => format!("{value} (or NULL instead of {other})"),
            ("strftime", [format, moment]) => match date_part(format) {
                Some(part) => format!("{part} of {moment}"),
                None => format!("strftime({format}, {moment})"),
            },
            ("row_number", []) => "the row number".to_owned(),
            ("rank", []) => "the rank".to_owned(),
            ("dense_rank", []) => "the dense rank".to_owned(),
            _ => format!("{name}({})", args.join(", ")),
        })
    }

    /// Arguments with commas between them; none if one has no words.
    pub(super) fn arguments(&mut self, args: &'a [FunctionArg]) -> Option<String> {
        let args: Option<Vec<String>> = args.iter().map(|arg| self.an_argument(arg)).collect();
        args.map(|args| args.join(", "))
    }

    fn an_argument(&mut self, arg: &'a FunctionArg) -> Option<String> {
        let (name, arg) = match arg {
            FunctionArg::Unnamed(arg) => (String::new(), arg),
            FunctionArg::Named { name, arg, operator } => (format!("{name} {operator} "), arg),
            FunctionArg::ExprNamed { .. } => return None,
        };
        let value = match arg {
            FunctionArgExpr::Expr(expr) => self.value(expr),
            FunctionArgExpr::Wildcard => "*".to_owned(),
            FunctionArgExpr::QualifiedWildcard(of) => format!("{of}.*"),
            FunctionArgExpr::WildcardWithOptions(_) => return None,
        };
        Some(format!("{name}{value}"))
    }

    fn clause(&mut self, clause: &'a FunctionArgumentClause) -> Option<String> {
        match clause {
            FunctionArgumentClause::OrderBy(keys) => {
                Some(format!("sorted by {}", self.in_order(keys)))
            }
            FunctionArgumentClause::IgnoreOrRespectNulls(treatment) => Some(nulls(*treatment)),
            FunctionArgumentClause::Limit(limit) => {
                Some(format!("only the first {}", self.value(limit)))
            }
            FunctionArgumentClause::Separator(separator) => {
                Some(format!("separated by {separator}"))
            }
            FunctionArgumentClause::Where(condition) => {
                Some(format!("only where {}", self.condition(condition)))
            }
            FunctionArgumentClause::OnOverflow(_)
            | FunctionArgumentClause::Having(_)
            | FunctionArgumentClause::JsonNullClause(_)
            | FunctionArgumentClause::JsonReturningClause(_) => None,
        }
    }

    fn aggregate(&mut self, name: &str, arg: &'a FunctionArg, distinct: bool) -> Option<String> {
        if let FunctionArg::Unnamed(FunctionArgExpr::Wildcard) = arg {
            return (name == "count").then(|| "the number of rows".to_owned());
        }
        let expr = argument(arg)?;
        let phrase = match name {
            "count" if distinct => "the number of distinct",
            "count" if matches!(bare(expr), Expr::Value(_)) => {
                let null = self.written(expr).eq_ignore_ascii_case("null");
                let counts = if null {
                    "zero, the number of NULL that is not NULL"
                } else {
                    "the number of rows"
                };
                return Some(counts.to_owned());
            }
            "count" => "the number of non-NULL",
            "sum" => "the sum of",
            "total" => "the total (0 for no rows) of",
            "avg" => "the average",
            "min" => "the lowest",
            "max" => "the highest",
            _ => return None,
        };
        let of = self.operand(expr);
        let each = if distinct && name != "count" { " distinct" } else { "" };
        Some(format!("{phrase}{each} {of}"))
    }
}

fn nulls(treatment: NullTreatment) -> String {
    match treatment {
        NullTreatment::IgnoreNulls => "ignoring NULL".to_owned(),
        NullTreatment::RespectNulls => "NULL among them".to_owned(),
    }
}

/// The part of a moment that a format of `strftime` asks for.
fn date_part(format: &str) -> Option<&'static str> {
    Some(match format {
        "'%Y'" => "the year",
        "'%m'" => "the month",
        "'%d'" => "the day of the month",
        "'%Y-%m'" => "the year and month",
        "'%Y-%m-%d'" => "the date",
        "'%w'" => "the weekday (0 is Sunday)",
        "'%H'" => "the hour",
        _ => return None,
    })
}
