//! Measures of foreign files as formulas: what is added up of which column, under which condition.

use crate::sql::lexemes::{Kind, Open, lexemes};

use super::{is_name, qualified};

/// A measure: an aggregate of an expression over one table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measure {
    pub(super) table: String,
    /// How it is put together, in lower case: `sum`, `count_distinct`, …
    pub(super) how: String,
    /// What is put together, as SQL; none counts rows.
    pub(super) of: Option<String>,
    /// Conditions that always go with it.
    pub(super) conditions: Vec<String>,
}

/// A figure: a measure, or one made of figures of the same table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Figure {
    Measure(Measure),
    Made { table: String, formula: String },
}

impl Figure {
    /// The table it is taken over.
    pub(super) fn table(&self) -> &str {
        match self {
            Figure::Measure(measure) => &measure.table,
            Figure::Made { table, .. } => table,
        }
    }

    /// Writes it as a formula that can stand beside others: conditions stand inside.
    pub(super) fn inside(&self) -> Option<String> {
        match self {
            Figure::Measure(measure) => measure.formula(true),
            Figure::Made { formula, .. } => Some(formula.clone()),
        }
    }
}

impl Measure {
    /// Writes the formula; none for what no engine here can put together.
    pub(super) fn formula(&self, conditions_inside: bool) -> Option<String> {
        let condition = super::super::file::all_of(&self.conditions).filter(|_| conditions_inside);
        let of = self.of.as_deref();
        let of = match (of, condition) {
            (of, None) => of.map(str::to_owned),
            (None, Some(condition)) => Some(format!("CASE WHEN {condition} THEN 1 END")),
            (Some(of), Some(condition)) => Some(format!("CASE WHEN {condition} THEN {of} END")),
        };
        let call = |function: &str| Some(format!("{function}({})", of.clone()?));
        match self.how.as_str() {
            "sum" => call("SUM"),
            "avg" | "average" => call("AVG"),
            "min" => call("MIN"),
            "max" => call("MAX"),
            "count" => call("COUNT").or_else(|| Some("COUNT(*)".to_owned())),
            "count_distinct" | "count_distinct_approx" => Some(format!("COUNT(DISTINCT {})", of?)),
            "sum_boolean" => Some(format!("SUM(CASE WHEN {} THEN 1 ELSE 0 END)", of?)),
            _ => None,
        }
    }
}

/// Writes an expression over one table with its table's name where it is a plain column.
pub(super) fn expression(table: &str, text: &str) -> String {
    let text = text.trim();
    if is_name(text) { qualified(table, text) } else { text.to_owned() }
}

/// Puts formulas for the bare names in an expression: `a / b` of two figures. None when a name is
/// none of them; function names and words of SQL stay.
pub(super) fn made_of(text: &str, means: impl Fn(&str) -> Option<String>) -> Option<String> {
    let pieces = lexemes(text, Open::RunsOn);
    let mut made = String::new();
    let mut end = 0;
    for (n, piece) in pieces.iter().enumerate() {
        made.push_str(text.get(end..piece.span.start)?);
        end = piece.span.end;
        let word = piece.of(text);
        let called = pieces.get(n + 1).is_some_and(|next| next.is_sign(text, "("));
        let keyword = crate::sql::dialect::quote(word, crate::domain::Dialect::Generic) != word;
        if piece.kind != Kind::Word || called || keyword {
            made.push_str(word);
        } else {
            made += "(";
            made += &means(word)?;
            made += ")";
        }
    }
    Some(made)
}
