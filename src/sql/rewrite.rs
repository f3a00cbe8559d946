//! Patches a query's text by spans: the user's words, comments and layout stay; nothing is printed
//! anew.

use crate::domain::Span;

use super::scope::Scope;

/// One replacement; an empty span inserts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// What stands there then.
    pub text: String,
}

impl Edit {
    /// Replaces a span.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Edit { span, text: text.into() }
    }

    /// Inserts at a byte.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Edit { span: Span { start: at, end: at }, text: text.into() }
    }
}

/// Makes all edits at once, each placed in the text as it was.
///
/// None when two edits overlap, or one doesn't fit the text. Several insertions at one byte keep
/// their order.
pub fn apply(sql: &str, edits: &[Edit]) -> Option<String> {
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut patched = String::with_capacity(sql.len() + 16);
    let mut done = 0;
    for edit in ordered {
        patched.push_str(sql.get(done..edit.span.start)?);
        sql.get(edit.span.start..edit.span.end)?;
        patched.push_str(&edit.text);
        done = edit.span.end;
    }
    patched.push_str(sql.get(done..)?);
    Some(patched)
}

/// Replaces one span.
pub fn replace(sql: &str, span: Span, text: &str) -> Option<String> {
    apply(sql, &[Edit::replace(span, text)])
}

/// Adds a join at the end of a SELECT's FROM: `join` is `JOIN rooms ON …`. None without a FROM.
pub fn add_join(scope: &Scope, join: &str) -> Option<Edit> {
    Some(Edit::insert(scope.from_end?, format!(" {join}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_keep_everything_around_them() {
        let sql = "SELECT price -- cheap\nFROM rooms";
        let edits =
            [Edit::replace(Span::new(7, 12), "price_cents"), Edit::insert(sql.len(), " LIMIT 3")];
        let patched = apply(sql, &edits).unwrap();
        assert_eq!(patched, "SELECT price_cents -- cheap\nFROM rooms LIMIT 3");
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let edits = [Edit::replace(Span::new(0, 4), "a"), Edit::replace(Span::new(2, 5), "b")];
        assert_eq!(apply("SELECT 1", &edits), None);
    }

    #[test]
    fn an_edit_inside_a_letter_is_refused() {
        assert_eq!(replace("é", Span::new(1, 2), "x"), None);
    }
}
