//! `LOWER(country) = 'Brazil'`: a text in small letters never equals one with a capital.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArguments, InTarget, Value, visit_expressions,
};

use crate::domain::{Dialect, Finding, Severity};

use super::look::finding;
use super::{Before, Verdict};

/// Looks at every literal that is compared with a text in one letter case.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    if !minds_case(look) {
        return Verdict::default();
    }
    let mut findings = Vec::new();
    let _ = visit_expressions(look.query.query(), |expr: &Expr| {
        if let Expr::BinaryOp { left, op, right } = expr {
            if matches!(op, BinaryOperator::Eq | BinaryOperator::NotEq) {
                findings.extend(judge(expr, left, right).or_else(|| judge(expr, right, left)));
            }
        } else if let Expr::In { expr: of, target: InTarget::List(items), .. } = expr {
            findings.extend(items.iter().find_map(|item| judge(expr, of, item)));
        }
        ControlFlow::<()>::Continue(())
    });
    findings.into()
}

/// Tells whether comparisons of texts surely mind letter case.
fn minds_case(look: &Before<'_>) -> bool {
    let mut columns = look.catalog.tables.iter().flat_map(|table| &table.columns);
    match look.query.dialect() {
        // a collation of the column doesn't go through a function
        Dialect::Sqlite => true,
        Dialect::Postgres => !columns.any(|c| c.data_type.eq_ignore_ascii_case("citext")),
        Dialect::Mysql | Dialect::Duckdb | Dialect::Generic => false,
    }
}

fn judge(whole: &Expr, call: &Expr, literal: &Expr) -> Option<Finding> {
    let Expr::Function(call) = call else { return None };
    let Expr::Value(value) = literal else { return None };
    let Value::SingleQuotedString(text) = &value.value else { return None };
    let name = function(call)?;
    // of letters beyond ASCII engines differ
    let (fits, case, text) = match name.as_str() {
        "lower" => (!has(text, char::is_ascii_uppercase), "small", text.to_lowercase()),
        "upper" => (!has(text, char::is_ascii_lowercase), "capital", text.to_uppercase()),
        _ => return None,
    };
    if fits {
        return None;
    }
    let message = format!("{whole} compares {literal} with a text in {case} letters: never equal");
    let evidence = format!("{name} gives {case} letters alone");
    let mut found = finding("letter_case", Severity::Warning, message, evidence);
    found.retryable = true;
    found.hint = Some(format!("Write '{}'.", text.replace('\'', "''")));
    Some(found)
}

/// Returns the name of a call with one argument.
fn function(call: &Function) -> Option<String> {
    let FunctionArguments::List(list) = &call.args else { return None };
    (list.args.len() == 1).then(|| call.name.to_string().to_ascii_lowercase())
}

fn has(text: &str, is: impl Fn(&char) -> bool) -> bool {
    text.chars().any(|c| is(&c))
}
