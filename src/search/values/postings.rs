//! Small containers of an index that has a million entries, most of them alone under their key.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Where a value stands: a column's slot, its place in the list, and a check of its exact words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) slot: u32,
    pub(super) at: u32,
    /// Hash of its lower-case words: tells the same words from the same stems.
    pub(super) low: u32,
}

/// None, one or several of a kind; one takes no memory of its own.
#[derive(Debug, Clone, Default)]
pub(super) enum Few<T> {
    #[default]
    None,
    One(T),
    Several(Vec<T>),
}

impl<T: Copy + PartialEq> Few<T> {
    pub(super) fn as_slice(&self) -> &[T] {
        match self {
            Few::None => &[],
            Few::One(one) => std::slice::from_ref(one),
            Few::Several(several) => several,
        }
    }

    pub(super) fn push(&mut self, more: T) {
        match self {
            Few::None => *self = Few::One(more),
            Few::One(one) => *self = Few::Several(vec![*one, more]),
            Few::Several(several) => several.push(more),
        }
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        match self {
            Few::One(one) if !keep(one) => *self = Few::None,
            Few::None | Few::One(_) => {}
            Few::Several(several) => {
                several.retain(keep);
                match several.as_slice() {
                    [] => *self = Few::None,
                    [one] => *self = Few::One(*one),
                    _ => {}
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }
}

/// A single-word value, for typos: enough to pass over most of them without reading the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// One bit for each letter that it has.
    letters: u32,
    /// Letters.
    length: u16,
    /// Where its values are found.
    pub(super) key: u64,
}

impl Word {
    pub(super) fn of(text: &str, key: u64) -> Self {
        let bit = |c: char| match c {
            'a'..='z' => u32::from(c) - u32::from('a'),
            other => 26 + u32::from(other) % 6,
        };
        let letters = text.chars().fold(0, |letters, c| letters | 1 << bit(c));
        Word { letters, length: u16::try_from(text.chars().count()).unwrap_or(u16::MAX), key }
    }

    /// Tells whether it may be a slip for another word: false is sure.
    ///
    /// Each slip changes the length by one at most, and the set of letters by two.
    pub(super) fn may_be(self, other: Word) -> bool {
        let slips = if self.length.min(other.length) < 8 { 1 } else { 2 };
        self.length.abs_diff(other.length) <= slips
            && (self.letters ^ other.letters).count_ones() <= 2 * u32::from(slips)
    }
}

/// Hashes words in their order; the same on every run.
pub(super) fn key<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for word in words {
        word.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_holds_none_one_and_several() {
        let mut few = Few::default();
        assert!(few.is_empty());
        few.push(1);
        few.push(2);
        few.push(3);
        assert_eq!(few.as_slice(), [1, 2, 3]);
        few.retain(|n| *n == 2);
        assert!(matches!(few, Few::One(2)));
        few.retain(|_| false);
        assert!(few.is_empty());
    }

    #[test]
    fn a_slip_is_never_passed_over() {
        let of = |text: &str| Word::of(text, 0);
        assert!(of("berlin").may_be(of("brelin")) && of("berlin").may_be(of("berln")));
        assert!(of("confirmed").may_be(of("comfirmd")));
        assert!(!of("berlin").may_be(of("bremen")));
    }
}
