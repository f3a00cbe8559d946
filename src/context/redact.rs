//! Stored values and names in texts made elsewhere: errors, hints, former queries, declared literals.

use std::collections::BTreeSet;

use crate::domain::{Facts, Privacy};
use crate::search::names::holds_word;

use super::privacy::{LIST_LIMIT, Withheld, identifiers};
use super::scene::Scene;

/// Takes out of a text made elsewhere (errors, hints, repair notes) what the level keeps here.
///
/// Quoted texts that equal a stored value become `'…'` unless the level allows them or `known`
/// (the question and the SQL that the model itself wrote) holds them; at level `names`, numbers
/// that `known` doesn't hold become `…` too. Names on the deny list go at every level, and so does
/// every quoted text and number of a message about a withheld column that can't be proved to be
/// another column's.
pub fn redact(text: &str, facts: &Facts, privacy: Privacy, known: &str) -> String {
    let withheld = &Withheld::of(&facts.knowledge, &facts.catalog);
    let words = words(text, known);
    let tables = facts.catalog.tables.iter();
    let touched =
        withheld.touched_by(&words, tables.filter(|t| words.contains(&t.name.to_lowercase())));
    Redaction { facts, privacy, known, withheld, touched }.of(text)
}

/// Tells whether an engine's words about a statement that broke off while it ran may leave: such
/// words can be made of stored data, without a quote around it.
pub fn may_tell_data(facts: &Facts, privacy: Privacy, sql: &str) -> bool {
    let withheld = &Withheld::of(&facts.knowledge, &facts.catalog);
    let words = words(sql, "");
    let tables = facts.catalog.tables.iter();
    privacy == Privacy::Rows
        && !withheld.touched_by(&words, tables.filter(|t| words.contains(&t.name.to_lowercase())))
}

/// Takes out of a text of memory or of this run what may not leave; `known` is the question.
pub(super) fn redact_in(scene: &Scene<'_>, text: &str) -> String {
    let (known, withheld) = (scene.request.question.text.as_str(), &scene.withheld);
    let words = words(text, known);
    let touched = withheld.touched_by(&words, words.iter().filter_map(|word| scene.table(word)));
    let facts = scene.request.facts;
    Redaction { facts, privacy: scene.privacy, known, withheld, touched }.of(text)
}

/// Lists the words of both texts in lower case.
fn words(text: &str, known: &str) -> BTreeSet<String> {
    identifiers(text).chain(identifiers(known)).map(|(_, word)| word.to_lowercase()).collect()
}

/// What a text is held against.
struct Redaction<'a> {
    facts: &'a Facts,
    privacy: Privacy,
    known: &'a str,
    withheld: &'a Withheld,
    /// The text or the SQL it speaks of names a column whose data is withheld.
    touched: bool,
}

impl Redaction<'_> {
    fn of(&self, text: &str) -> String {
        // what is not closed may be a value that holds a quote: its end can't be told
        let open = self.privacy != Privacy::Rows || self.touched;
        let text = quoted_replaced(text, open, |quoted| self.leaves(quoted));
        let text = self.withheld.without_names(&text, self.known);
        if self.privacy == Privacy::Names || self.touched {
            without_numbers(&text, self.known)
        } else {
            text
        }
    }

    fn leaves(&self, quoted: &str) -> bool {
        if quoted.trim().is_empty() || holds_word(self.known, quoted) {
            return true;
        }
        let lists = self.facts.values.iter();
        let mut stored = lists.filter(|list| list.values.iter().any(|v| v == quoted)).peekable();
        let leaves = if stored.peek().is_none() {
            // not known as stored, but lists are bounded: only names are sure to be no data
            self.privacy == Privacy::Rows && !self.touched
        } else {
            stored.all(|list| {
                let listed = list.complete && list.values.len() <= LIST_LIMIT;
                !self.withheld.hides_data(&list.at)
                    && (self.privacy == Privacy::Rows || (self.privacy == Privacy::Stats && listed))
            })
        };
        leaves || self.is_name(quoted)
    }

    /// Tells whether a text names a table or a column, or a column with its table.
    fn is_name(&self, word: &str) -> bool {
        let tables = &self.facts.catalog.tables;
        tables.iter().any(|table| {
            let told = |column: &str| {
                table.column(column).is_some() && !self.withheld.hides_name(&table.name, column)
            };
            let behind = word.split_once('.');
            table.name.eq_ignore_ascii_case(word)
                || told(word)
                || behind.is_some_and(|(t, c)| table.name.eq_ignore_ascii_case(t) && told(c))
        })
    }
}

/// Replaces literals that a declaration holds (a default, a check, a type) by `…`.
pub(super) fn without_literals(text: &str) -> String {
    without_numbers(&without_texts(text), "")
}

/// Replaces the quoted texts of a declaration by `'…'`; names in double quotes stay.
pub(super) fn without_texts(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\'') {
        told.push_str(before);
        told.push_str("'…'");
        match end_of_quote(behind, '\'') {
            Some((_, after)) => rest = after,
            None => return told,
        }
    }
    told + rest
}

/// Replaces each quoted text that may not leave. Without an end, the rest goes if `open` says so.
pub(super) fn quoted_replaced(text: &str, open: bool, leaves: impl Fn(&str) -> bool) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, quote, after)) = split_at_quote(rest) {
        told.push_str(before);
        told.push(quote);
        let Some((inner, behind)) = end_of_quote(after, quote) else {
            told.push_str(if open { "…" } else { after });
            return told;
        };
        let doubled = format!("{quote}{quote}");
        told.push_str(if leaves(&inner.replace(&doubled, &quote.to_string())) {
            inner
        } else {
            "…"
        });
        told.push(quote);
        rest = behind;
    }
    told + rest
}

/// Splits at the quote that closes: none that is doubled, and none inside a word, as in `O'Brien`.
fn end_of_quote(text: &str, quote: char) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(quote)?;
        let behind = text.get(at + quote.len_utf8()..)?;
        if behind.starts_with(quote) && at > 0 {
            from = at + 2 * quote.len_utf8();
        } else if behind.starts_with(char::is_alphanumeric) {
            from = at + quote.len_utf8();
        } else {
            return Some((text.get(..at)?, behind));
        }
    }
}

/// Splits at the next quote that opens; the apostrophe of `doesn't` opens nothing.
fn split_at_quote(text: &str) -> Option<(&str, char, &str)> {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if matches!(c, '\'' | '"' | '`') && !before.is_alphanumeric() {
            let (head, tail) = text.split_at(at);
            return Some((head, c, tail.strip_prefix(c)?));
        }
        before = c;
    }
    None
}

/// Replaces free-standing numbers that `known` doesn't hold.
pub(super) fn without_numbers(text: &str, known: &str) -> String {
    let known: BTreeSet<&str> = identifiers(known).map(|(_, word)| word).collect();
    let mut told = String::with_capacity(text.len());
    let mut from = 0;
    for (start, word) in identifiers(text) {
        if word.starts_with(|c: char| c.is_ascii_digit()) && !known.contains(word) {
            told.push_str(text.get(from..start).unwrap_or_default());
            told.push('…');
            from = start + word.len();
        }
    }
    told + text.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::{Catalog, Column, ColumnRef, Knowledge, Table, ValueList};

    fn table(name: &str, columns: &[&str]) -> Table {
        let column = |name: &&str| Column { name: (*name).to_owned(), ..Column::default() };
        let columns = columns.iter().map(column).collect();
        Table { name: name.to_owned(), columns, ..Table::default() }
    }

    fn facts() -> Facts {
        let list = |column: &str, values: &[&str], complete| ValueList {
            at: ColumnRef::new("bookings", column),
            values: values.iter().map(|&v| v.to_owned()).collect(),
            complete,
            ..ValueList::default()
        };
        let lists = vec![
            list("status", &["cancelled", "confirmed"], true),
            list("guest", &["Ada Byron", "a' b"], false),
            list("api_key", &["k-123"], true),
        ];
        let tables = vec![table("bookings", &["status", "guest", "api_key", "margin"])];
        let deny = vec![ColumnRef::new("bookings", "margin")];
        Facts {
            catalog: Arc::new(Catalog { tables, ..Catalog::default() }),
            values: Arc::new(lists),
            knowledge: Arc::new(Knowledge { deny, ..Knowledge::default() }),
            ..Facts::default()
        }
    }

    #[test]
    fn stored_values_leave_an_error_only_where_the_level_allows_it() {
        let text = "no 'x', it doesn't stand in 'bookings': near 'confirmed', 'Ada Byron', 'k-123', factor 42";
        let told = |privacy| redact(text, &facts(), privacy, "SELECT 'x'");
        assert_eq!(
            told(Privacy::Rows),
            "no 'x', it doesn't stand in 'bookings': near 'confirmed', 'Ada Byron', '…', factor 42"
        );
        assert_eq!(
            told(Privacy::Stats),
            "no 'x', it doesn't stand in 'bookings': near 'confirmed', '…', '…', factor 42"
        );
        assert_eq!(
            told(Privacy::Names),
            "no 'x', it doesn't stand in 'bookings': near '…', '…', '…', factor …"
        );
    }

    #[test]
    fn a_text_that_no_list_holds_stays_here_and_an_apostrophe_ends_nothing() {
        let told = |text: &str| redact(text, &facts(), Privacy::Stats, "");
        assert_eq!(told("near 'O'Brien', 'nowhere listed'"), "near '…', '…'");
        assert_eq!(told("near 'O'' LEAK ''Brien' there"), "near '…' there");
        assert_eq!(told("bad value \"x 'y' z"), "bad value \"…");
        assert_eq!(redact("near 'a'' b'", &facts(), Privacy::Rows, ""), "near 'a'' b'");
    }

    #[test]
    fn words_that_the_person_or_the_model_wrote_stay_but_only_whole() {
        let told = redact("no row has 'Ada Byron' 7", &facts(), Privacy::Names, "ada byron, 7");
        assert_eq!(told, "no row has 'Ada Byron' 7");
        let told = redact("near 'Ada Byron', 70", &facts(), Privacy::Names, "Ada Byronson 700");
        assert_eq!(told, "near '…', …");
    }

    #[test]
    fn what_is_said_of_a_withheld_column_holds_none_of_its_values() {
        let known = "SELECT api_key FROM bookings";
        let told = redact("bad path: 'k-999', 12", &facts(), Privacy::Rows, known);
        assert_eq!(told, "bad path: '…', …");
        // a value that is surely another column's may leave
        let told = redact("near 'confirmed'", &facts(), Privacy::Rows, known);
        assert_eq!(told, "near 'confirmed'");
    }

    #[test]
    fn a_name_on_the_deny_list_leaves_only_when_the_other_side_wrote_it() {
        let text = "column 'margn' doesn't exist. Did you mean margin? Use 'margin'.";
        let told = redact(text, &facts(), Privacy::Rows, "SELECT margn FROM x");
        assert_eq!(told, "column 'margn' doesn't exist. Did you mean …? Use '…'.");
        let told = redact(text, &facts(), Privacy::Rows, "margin margn");
        assert_eq!(told, text);
    }

    #[test]
    fn declarations_lose_their_literals() {
        assert_eq!(
            without_literals("status IN ('a','it''s') AND n > 12"),
            "status IN ('…','…') AND n > …"
        );
        assert_eq!(without_texts("ENUM('x', 'y')(20)"), "ENUM('…', '…')(20)");
        assert_eq!(without_literals("CURRENT_TIMESTAMP"), "CURRENT_TIMESTAMP");
    }
}
