//! Number words of a question, for the gates that count.

/// Lists the numbers of a text: in digits, with thousands set apart or not, and as words.
pub(super) fn numbers(text: &str) -> Vec<f64> {
    let figure = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.');
    let pieces = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, ',' | '.')));
    let read = |piece: &str| {
        let piece = piece.trim_matches([',', '.']);
        let digits = piece.chars().all(figure).then(|| piece.replace(',', ""));
        let figure = digits.and_then(|digits| digits.parse::<f64>().ok());
        figure.or_else(|| spelled(&piece.to_lowercase()))
    };
    pieces.filter_map(read).collect()
}

fn spelled(word: &str) -> Option<f64> {
    const TENS: &[&str] =
        &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"];
    let tens = TENS.iter().zip(2_u32..).find(|(known, _)| **known == word);
    tens.map(|(_, n)| f64::from(n * 10))
        .or_else(|| number(word).and_then(|n| u32::try_from(n).ok()).map(f64::from))
}

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
