//! Two texts line by line, and where lines were changed, word by word.

use crate::sql::words_diff::{self, Change, Piece};

/// Cells of the table that is filled to find what two texts have in common; above, the middle counts
/// as changed.
const MOST_CELLS: usize = 4_000_000;

/// A piece of a line; the pieces of a line make up the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text.
    pub text: String,
    /// The other line doesn't have it.
    pub differs: bool,
}

/// A line of the former text, a line of the later one, or both, side by side.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pair {
    /// The former line; none when it was added.
    pub was: Option<Vec<Word>>,
    /// The later line; none when it was removed.
    pub now: Option<Vec<Word>>,
    /// The two are the same.
    pub same: bool,
}

/// Pairs the lines of two texts: equal ones, changed ones, those that only one of them has.
pub fn pairs(was: &str, now: &str) -> Vec<Pair> {
    let (a, b): (Vec<&str>, Vec<&str>) = (was.lines().collect(), now.lines().collect());
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (x, y) in common(&a, &b).into_iter().chain([(a.len(), b.len())]) {
        block(a.get(i..x).unwrap_or(&[]), b.get(j..y).unwrap_or(&[]), &mut pairs);
        if let Some(line) = a.get(x) {
            let plain = vec![Word { text: (*line).to_owned(), differs: false }];
            pairs.push(Pair { was: Some(plain.clone()), now: Some(plain), same: true });
        }
        (i, j) = (x + 1, y + 1);
    }
    pairs
}

/// Pairs lines that differ, the first with the first, while they have enough in common.
fn block(was: &[&str], now: &[&str], pairs: &mut Vec<Pair>) {
    let whole = |line: &str| Some(vec![Word { text: line.to_owned(), differs: true }]);
    for n in 0..was.len().max(now.len()) {
        match (was.get(n), now.get(n)) {
            (Some(a), Some(b)) => {
                if let Some((was, now)) = words(a, b) {
                    pairs.push(Pair { was: Some(was), now: Some(now), same: false });
                } else {
                    pairs.push(Pair { was: whole(a), ..Pair::default() });
                    pairs.push(Pair { now: whole(b), ..Pair::default() });
                }
            }
            (a, b) => pairs.push(Pair {
                was: a.and_then(|line| whole(line)),
                now: b.and_then(|line| whole(line)),
                same: false,
            }),
        }
    }
}

/// Marks the words of two lines that the other one doesn't have; none when they share too little.
pub fn words(was: &str, now: &str) -> Option<(Vec<Word>, Vec<Word>)> {
    let pieces = words_diff::diff(was, now);
    let same = |piece: &&Piece| piece.change == Change::Same;
    let shared: usize = pieces.iter().filter(same).map(|piece| piece.text.trim().len()).sum();
    if shared * 3 < was.trim().len().min(now.trim().len()) {
        return None;
    }
    let side = |other: Change| {
        let own = pieces.iter().filter(|piece| piece.change != other);
        own.map(|piece| Word { text: piece.text.clone(), differs: piece.change != Change::Same })
            .collect()
    };
    Some((side(Change::Added), side(Change::Removed)))
}

/// Finds the longest sequence that two lists have in common: indexes into both, ascending.
pub fn common<T: PartialEq>(a: &[T], b: &[T]) -> Vec<(usize, usize)> {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a_rest, b_rest) = (a.get(head..).unwrap_or(&[]), b.get(head..).unwrap_or(&[]));
    let tail = a_rest.iter().rev().zip(b_rest.iter().rev()).take_while(|(x, y)| x == y).count();
    let (n, m) = (a_rest.len() - tail, b_rest.len() - tail);
    let mut found: Vec<(usize, usize)> = (0..head).map(|k| (k, k)).collect();
    let middle = (a_rest.get(..n).unwrap_or(&[]), b_rest.get(..m).unwrap_or(&[]));
    if n.saturating_mul(m) <= MOST_CELLS {
        found.extend(longest(middle.0, middle.1).into_iter().map(|(i, j)| (i + head, j + head)));
    }
    found.extend((0..tail).map(|k| (head + n + k, head + m + k)));
    found
}

/// The textbook way: lengths from the end, then one walk from the start.
fn longest<T: PartialEq>(a: &[T], b: &[T]) -> Vec<(usize, usize)> {
    let wide = b.len() + 1;
    let mut lengths = vec![0u32; (a.len() + 1) * wide];
    let at = |lengths: &[u32], i: usize, j: usize| lengths.get(i * wide + j).copied().unwrap_or(0);
    for (i, x) in a.iter().enumerate().rev() {
        for (j, y) in b.iter().enumerate().rev() {
            let length = if x == y {
                at(&lengths, i + 1, j + 1) + 1
            } else {
                at(&lengths, i + 1, j).max(at(&lengths, i, j + 1))
            };
            if let Some(slot) = lengths.get_mut(i * wide + j) {
                *slot = length;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::new();
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x == y {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if at(&lengths, i + 1, j) >= at(&lengths, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differing(words: &[Word]) -> Vec<&str> {
        words.iter().filter(|word| word.differs).map(|word| word.text.as_str()).collect()
    }

    #[test]
    fn one_changed_word_is_marked_on_both_sides() {
        let was = "SELECT SUM(price) AS revenue\nFROM bookings";
        let now = "SELECT SUM(price_cents) AS revenue\nFROM bookings";
        let pairs = pairs(was, now);
        assert_eq!(pairs.len(), 2);
        let changed = &pairs[0];
        assert_eq!(differing(changed.was.as_deref().expect("a line")), ["price"]);
        assert_eq!(differing(changed.now.as_deref().expect("a line")), ["price_cents"]);
        assert!(pairs[1].same);
    }

    #[test]
    fn an_added_line_stands_alone_and_the_rest_stays_paired() {
        let pairs = pairs("a\nc", "a\nb\nc");
        let sides: Vec<(bool, bool, bool)> =
            pairs.iter().map(|p| (p.was.is_some(), p.now.is_some(), p.same)).collect();
        assert_eq!(sides, [(true, true, true), (false, true, false), (true, true, true)]);
    }

    #[test]
    fn lines_that_share_nothing_are_a_removed_and_an_added_one() {
        let pairs = pairs("LIMIT 10", "ORDER BY name");
        assert_eq!(pairs.len(), 2);
        assert!(pairs[0].now.is_none() && pairs[1].was.is_none());
    }

    #[test]
    fn the_words_of_a_side_are_its_line_again() {
        let (a, b) = (" a.b=1 AND «ü» = x", " a.c=1 AND «ü»  = x");
        let (was, now) = words(a, b).expect("alike");
        let line = |words: &[Word]| words.iter().map(|w| w.text.as_str()).collect::<String>();
        assert_eq!((line(&was).as_str(), line(&now).as_str()), (a, b));
    }

    #[test]
    fn the_longest_common_sequence_is_found() {
        let a: Vec<char> = "nematode knowledge".chars().collect();
        let b: Vec<char> = "empty bottle".chars().collect();
        let word: String = common(&a, &b).iter().map(|(n, _)| a[*n]).collect();
        assert_eq!(word.len(), 7);
        assert!(common(&a, &b).is_sorted());
    }
}
