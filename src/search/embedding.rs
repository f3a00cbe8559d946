//! Which words mean nearly the same: a small table of word vectors that comes with the program.
//!
//! The table is described in `assets/embedding/README.md`. Looking a word up reads a few pages of
//! the program itself; nothing is loaded.

/// The table.
static TABLE: &[u8] = include_bytes!("../../assets/embedding/words64.bin");

/// Components of a vector.
const COMPONENTS: usize = 64;

/// The direction of a word's meaning, of length 1.
pub(super) type Vector = [f32; COMPONENTS];

/// Returns the vector of a lower-case word; none when it has letters that the table lacks.
///
/// A word that isn't in the table is cut into the longest pieces that are, from the left (WordPiece,
/// Wu et al. 2016), and has their sum.
pub(super) fn vector(word: &str) -> Option<Vector> {
    let mut sum = [0.0_f32; COMPONENTS];
    let mut rest = word;
    while !rest.is_empty() {
        let is_start = rest.len() == word.len();
        let (entry, length) = longest(rest, is_start)?;
        for (sum, part) in sum.iter_mut().zip(row(entry)?) {
            *sum += part;
        }
        rest = rest.get(length..)?;
    }
    let length = sum.iter().map(|part| part * part).sum::<f32>().sqrt();
    (length > 0.0).then(|| sum.map(|part| part / length))
}

/// Returns how alike two directions are: their cosine, −1 to 1.
pub(super) fn likeness(one: &Vector, other: &Vector) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// Finds the longest entry that a text begins with: its number, and bytes of the text.
fn longest(text: &str, is_start: bool) -> Option<(usize, usize)> {
    let most = text.len().min(24);
    (1..=most).rev().find_map(|length| {
        let piece = text.get(..length)?;
        let entry =
            if is_start { find(piece.as_bytes()) } else { find(format!("##{piece}").as_bytes()) };
        Some((entry?, length))
    })
}

fn find(entry: &[u8]) -> Option<usize> {
    let (mut from, mut to) = (0, entries());
    while from < to {
        let middle = from.midpoint(to);
        match text(middle)?.cmp(entry) {
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Less => from = middle + 1,
            std::cmp::Ordering::Greater => to = middle,
        }
    }
    None
}

fn number(at: usize) -> Option<u32> {
    let bytes = TABLE.get(at..at + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn entries() -> usize {
    number(0).unwrap_or(0) as usize
}

fn text(entry: usize) -> Option<&'static [u8]> {
    let end = |entry: usize| number(8 + 4 * entry).map(|end| end as usize);
    let texts = 8 + entries() * (8 + COMPONENTS);
    let start = if entry == 0 { 0 } else { end(entry - 1)? };
    TABLE.get(texts + start..texts + end(entry)?)
}

fn row(entry: usize) -> Option<impl Iterator<Item = f32>> {
    let all = entries();
    let scale = f32::from_bits(number(8 + 4 * all + 4 * entry)?);
    let rows = 8 + 8 * all;
    let row = TABLE.get(rows + COMPONENTS * entry..rows + COMPONENTS * (entry + 1))?;
    Some(row.iter().map(move |part| scale * f32::from(part.cast_signed())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, other: &str) -> f32 {
        likeness(&vector(one).unwrap(), &vector(other).unwrap())
    }

    #[test]
    fn words_of_one_meaning_are_nearer_than_others() {
        for (word, near, far) in [
            ("vocalist", "singer", "salary"),
            ("puppy", "dog", "order"),
            ("wage", "salary", "country"),
            ("nation", "country", "invoice"),
        ] {
            assert!(alike(word, near) > 0.6, "{word} {near}");
            assert!(alike(word, far) < 0.35, "{word} {far}");
        }
        assert!((alike("payment", "payment") - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_word_of_foreign_letters_has_no_vector() {
        assert_eq!(vector("straße"), None);
        assert_eq!(vector(""), None);
    }

    #[test]
    fn the_table_is_in_order_and_whole() {
        assert_eq!(entries(), 26_503);
        assert!((1..entries()).all(|n| text(n - 1) < text(n)));
        assert!(row(entries() - 1).is_some());
    }
}
