//! Where a text that was looked for stands in what is drawn.

use std::ops::Range;

/// Finds the places of `needle` in a drawn text, whatever the letter case, in bytes.
///
/// `needle` is in lower case. Places don't overlap.
pub(super) fn places(text: &str, needle: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if needle.is_empty() {
        return found;
    }
    let mut from = 0;
    while from < text.len() {
        let Some(rest) = text.get(from..) else { break };
        if let Some(length) = begins(rest, needle) {
            found.push(from..from + length);
            from += length;
        } else {
            from += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Returns how many bytes of a text are the needle, when the text begins with it.
fn begins(text: &str, needle: &str) -> Option<usize> {
    let mut wanted = needle.chars();
    let mut next = wanted.next();
    for (at, c) in text.char_indices() {
        if next.is_none() {
            return Some(at);
        }
        for low in c.to_lowercase() {
            if next != Some(low) {
                return None;
            }
            next = wanted.next();
        }
    }
    next.is_none().then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_case_does_not_matter_and_places_are_bytes() {
        assert_eq!(places("Berlin, BERLIN", "berlin"), [0..6, 8..14]);
        assert_eq!(places("Größe", "öss").len(), 0);
        assert_eq!(places("xÄx", "ä").first(), Some(&(1..3)));
        assert_eq!(places("aaa", "aa").first(), Some(&(0..2)));
        assert_eq!(places("aaa", "").len(), 0);
    }
}
