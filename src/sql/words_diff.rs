//! What changed from one text of SQL to the next, word by word.

/// Cells of the table that the longest common run of words is found in; texts that would need more
/// are told as one replaced middle.
const CELLS: usize = 1 << 20;

/// What became of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It stands in both texts.
    Same,
    /// Only the new text has it.
    Added,
    /// Only the old text had it.
    Removed,
}

/// A piece of one text or of both: whole words, never a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What became of it.
    pub change: Change,
    /// The text, byte for byte.
    pub text: String,
}

/// Compares two texts of SQL by words, quoted texts and signs.
///
/// The pieces without the added ones are the old text, those without the removed ones the new text.
/// Where words were replaced, what was removed comes first.
pub fn diff(old: &str, new: &str) -> Vec<Piece> {
    let (old, new) = (words(old), words(new));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let tail = same_end.min(rest);
    let split = |words: &[&str]| {
        let (before, after) = words.split_at(head);
        let (middle, end) = after.split_at(after.len() - tail);
        (before.concat(), middle.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>(), end.concat())
    };
    let (before, gone, after) = split(&old);
    let (_, come, _) = split(&new);
    let mut pieces = Pieces::default();
    pieces.add(Change::Same, &before);
    pieces.middle(&gone, &come);
    pieces.add(Change::Same, &after);
    pieces.joined()
}

/// Pieces as they are found.
#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    fn add(&mut self, change: Change, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.change == change => last.text.push_str(text),
            _ => self.0.push(Piece { change, text: text.to_owned() }),
        }
    }

    /// Walks the table of longest common runs; without a table, all is replaced.
    fn middle(&mut self, old: &[String], new: &[String]) {
        let wide = new.len() + 1;
        if old.is_empty() || new.is_empty() || (old.len() + 1).saturating_mul(wide) > CELLS {
            self.add(Change::Removed, &old.concat());
            self.add(Change::Added, &new.concat());
            return;
        }
        let longest = longest(old, new);
        let at = |i: usize, j: usize| longest.get(i * wide + j).copied().unwrap_or(0);
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (old.get(i), new.get(j)) {
            if a == b {
                self.add(Change::Same, a);
                (i, j) = (i + 1, j + 1);
            } else if at(i + 1, j) >= at(i, j + 1) {
                self.add(Change::Removed, a);
                i += 1;
            } else {
                self.add(Change::Added, b);
                j += 1;
            }
        }
        self.add(Change::Removed, &old.get(i..).unwrap_or(&[]).concat());
        self.add(Change::Added, &new.get(j..).unwrap_or(&[]).concat());
    }

    /// Reads better than it was found: a blank between two changes belongs to both, and what was
    /// removed stands before what was added.
    fn joined(self) -> Vec<Piece> {
        let pieces = self.0;
        let changed = |n: Option<usize>| {
            n.and_then(|n| pieces.get(n)).is_some_and(|piece| piece.change != Change::Same)
        };
        let mut out: Vec<Piece> = Vec::new();
        let (mut gone, mut come) = (String::new(), String::new());
        for (n, piece) in pieces.iter().enumerate() {
            let blank = piece.text.chars().all(char::is_whitespace);
            match piece.change {
                Change::Removed => gone.push_str(&piece.text),
                Change::Added => come.push_str(&piece.text),
                Change::Same if blank && changed(n.checked_sub(1)) && changed(Some(n + 1)) => {
                    gone.push_str(&piece.text);
                    come.push_str(&piece.text);
                }
                Change::Same => {
                    put(&mut out, &mut gone, &mut come);
                    out.push(piece.clone());
                }
            }
        }
        put(&mut out, &mut gone, &mut come);
        out
    }
}

fn put(out: &mut Vec<Piece>, gone: &mut String, come: &mut String) {
    for (change, text) in [(Change::Removed, gone), (Change::Added, come)] {
        if !text.is_empty() {
            out.push(Piece { change, text: std::mem::take(text) });
        }
    }
}

/// Fills the table: at `(i, j)` the longest run that the rests from there have in common.
fn longest(old: &[String], new: &[String]) -> Vec<u32> {
    let wide = new.len() + 1;
    let mut table = vec![0_u32; (old.len() + 1) * wide];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let get = |at: usize| table.get(at).copied().unwrap_or(0);
            let best = if a == b {
                get((i + 1) * wide + j + 1) + 1
            } else {
                get((i + 1) * wide + j).max(get(i * wide + j + 1))
            };
            if let Some(cell) = table.get_mut(i * wide + j) {
                *cell = best;
            }
        }
    }
    table
}

/// Cuts a text into words, quoted texts, runs of blanks and single signs; nothing is lost.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '\'' | '"' | '`' => quoted(rest, first),
            _ if word(first) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            // a line end stands alone, so that a moved line keeps its neighbours
            '\n' => 1,
            _ if first.is_whitespace() => {
                rest.find(|c: char| !c.is_whitespace() || c == '\n').unwrap_or(rest.len())
            }
            _ => ["<=", ">=", "<>", "!=", "||", "::", "->"]
                .iter()
                .find(|sign| rest.starts_with(**sign))
                .map_or(first.len_utf8(), |sign| sign.len()),
        };
        let (one, after) = rest.split_at(end);
        words.push(one);
        rest = after;
    }
    words
}

fn word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Finds the end of a quoted text; one that never closes is only its first quote.
fn quoted(text: &str, quote: char) -> usize {
    text.get(1..).and_then(|rest| rest.find(quote)).map_or(1, |at| at + 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(old: &str, new: &str) -> String {
        let each = diff(old, new).into_iter().map(|piece| match piece.change {
            Change::Same => piece.text,
            Change::Added => format!("[+{}]", piece.text),
            Change::Removed => format!("[-{}]", piece.text),
        });
        each.collect()
    }

    #[test]
    fn a_renamed_column_is_the_only_change() {
        let told = told("SELECT SUM(price) FROM bookings", "SELECT SUM(price_cents) FROM bookings");
        assert_eq!(told, "SELECT SUM([-price][+price_cents]) FROM bookings");
    }

    #[test]
    fn words_replaced_in_a_row_are_one_change() {
        assert_eq!(told("SELECT a b FROM t", "SELECT c d FROM t"), "SELECT [-a b][+c d] FROM t");
    }

    #[test]
    fn what_is_only_added_or_only_removed_stands_alone() {
        assert_eq!(told("SELECT a", "SELECT a, b"), "SELECT a[+, b]");
        assert_eq!(told("SELECT a LIMIT 1", "SELECT a"), "SELECT a[- LIMIT 1]");
        assert_eq!(told("", "SELECT 1"), "[+SELECT 1]");
        assert_eq!(told("x", "x"), "x");
    }

    #[test]
    fn a_quoted_text_is_one_word() {
        assert_eq!(told("s = 'a b'", "s = 'a c'"), "s = [-'a b'][+'a c']");
    }

    #[test]
    fn texts_that_are_too_long_are_told_as_replaced() {
        let long = |word: &str| format!("{word} ").repeat(2_000);
        let pieces = diff(&long("a"), &long("b"));
        assert_eq!(pieces.len(), 3, "the last blank is the same");
    }

    proptest! {
        #[test]
        fn both_texts_come_back_whole(old in "[a-c' \n(]{0,40}", new in "[a-c' \n(]{0,40}") {
            let pieces = diff(&old, &new);
            let without = |change: Change| -> String {
                pieces.iter().filter(|p| p.change != change).map(|p| p.text.as_str()).collect()
            };
            prop_assert_eq!(without(Change::Added), old);
            prop_assert_eq!(without(Change::Removed), new);
        }
    }
}
