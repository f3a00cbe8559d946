//! Number words of a question, for the gates that count.

/// Reads a whole number, in digits or as an English word up to twelve.
pub(super) fn number(word: &str) -> Option<u64> {
    const WORDS: &[&str] = &[
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    word.parse().ok().or_else(|| {
        let at = WORDS.iter().position(|known| *known == word)?;
        u64::try_from(at).ok()
    })
}
