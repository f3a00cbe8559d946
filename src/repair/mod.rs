//! Repairs: rewriting a query that failed, here, where the target can be proved; else advice.
//!
//! What belongs here: one file for each repair and the table `REPAIRS`, in the order of P5. What
//! must never come: touching a query that runs, or guessing.
//! To add a repair: a file and a row.

mod aggregate_misuse;
mod ambiguous_name;
mod any_all;
mod bridge;
mod case;
mod closeness;
mod foreign_functions;
mod foreign_syntax;
mod join_key;
mod lexemes;
mod notes;
mod output_name;
mod quoting;
mod several;
mod several_statements;
mod spaced_name;
mod stray_text;
mod unknown_function;
mod unknown_name;
mod wrong_table;

#[cfg(test)]
mod tests;

use crate::domain::{Catalog, Diagnostic, Dialect, Failure, Repair, ValueList};

use case::{Case, Change};

pub use notes::notes;

/// A query that failed, with what is known.
#[derive(Debug, Clone, Copy)]
pub struct Broken<'a> {
    /// Its text.
    pub sql: &'a str,
    /// Why it failed.
    pub failure: &'a Failure,
    /// The catalog.
    pub catalog: &'a Catalog,
    /// Stored values.
    pub values: &'a [ValueList],
    /// The dialect.
    pub dialect: Dialect,
}

/// What repair has to offer.
#[derive(Debug, Clone, PartialEq)]
pub enum Advice {
    /// The query rewritten; goes straight back to checking.
    Rewrite {
        /// The new text.
        sql: String,
        /// What was done.
        repair: Repair,
    },
    /// Every repair abstained; why, in words.
    Abstain(String),
}

/// A repair: what to change for one diagnostic, or nothing when the target can't be proved.
type Mend = fn(&Case<'_>, &Diagnostic) -> Option<Change>;

/// The repairs, in the order in which they are asked (P5). The name is the repair's kind.
const REPAIRS: &[(&str, Mend)] = &[
    ("spaced_name", spaced_name::mend),
    ("unknown_name", unknown_name::mend),
    ("wrong_table", wrong_table::mend),
    ("output_name", output_name::mend),
    ("join_key", join_key::mend),
    ("bridge", bridge::mend),
    ("ambiguous_name", ambiguous_name::mend),
    ("quoting", quoting::mend),
    ("foreign_syntax", foreign_syntax::mend),
    ("unknown_function", unknown_function::mend),
    ("quantifier", any_all::mend),
    ("aggregate_misuse", aggregate_misuse::mend),
    ("stray_text", stray_text::mend),
    ("several_statements", several_statements::mend),
];

/// Asks each repair in order for each diagnostic; what is sure is rewritten in one go.
///
/// A rewrite is handed out only when the new text reads and has strictly fewer names that don't
/// bind than the old one, so that it can never make a query worse.
pub fn advise(broken: &Broken<'_>) -> Advice {
    if !broken.failure.retryable {
        return Advice::Abstain("a failure of this kind can't be mended in the query".to_owned());
    }
    let case = Case::of(broken);
    let mut kinds: Vec<&str> = Vec::new();
    let mut whole = Change::default();
    for diagnostic in case.diagnostics() {
        let found = REPAIRS.iter().find_map(|(kind, mend)| Some((*kind, mend(&case, diagnostic)?)));
        if let Some((kind, change)) = found
            && whole.join(change)
            && !kinds.contains(&kind)
        {
            kinds.push(kind);
        }
    }
    let sql = whole.apply(broken.sql);
    if kinds.is_empty() || !case.improves(&sql) {
        if let Some(advice) = several::mend(broken, &case) {
            return advice;
        }
        return Advice::Abstain(format!("no repair can prove what '{}' should be", case.subject()));
    }
    let (from, to) = whole.shown(broken.sql);
    let repair = Repair { kind: kinds.join("+"), from, to, evidence: whole.evidence.join("; ") };
    Advice::Rewrite { sql, repair }
}
