//! Number words of a question, for the gates that count.

/// Lists the numbers of a text: in digits, with thousands set apart or not, and as words.
pub(super) fn numbers(text: &str) -> Vec<f64> {
    let figure = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.');
    let pieces = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, ',' | '.')));
    // `No.3479` is a word and a number
    let worded = |piece: &str| piece.chars().any(char::is_alphabetic);
    let pieces = pieces.flat_map(|piece| {
        let parts: Vec<&str> =
            if worded(piece) { piece.split([',', '.']).collect() } else { vec![piece] };
        parts
    });
    let read = |piece: &str| {
        let piece = piece.trim_matches([',', '.']);
        let digits = piece.chars().all(figure).then(|| piece.replace(',', ""));
        let figure = digits.and_then(|digits| digits.parse::<f64>().ok());
        figure.or_else(|| spelled(&piece.to_lowercase()))
    };
    pieces.filter_map(read).collect()
}

/// Lists the numbers that a word of scale or unit follows: "100 million", "5 minutes". A query may
/// write them in a smaller unit.
pub(super) fn measured(text: &str) -> Vec<f64> {
    const SCALES: &[&str] = &[
        "dozen",
        "hundred",
        "thousand",
        "million",
        "billion",
        "k",
        "m",
        "minute",
        "minutes",
        "min",
        "mins",
        "hour",
        "hours",
        "second",
        "seconds",
        "sec",
        "secs",
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
        "km",
        "kilometers",
        "kilometres",
        "meters",
        "metres",
        "kg",
        "kilograms",
        "kb",
        "mb",
        "gb",
        "megabytes",
        "gigabytes",
        "dollars",
        "euros",
        "pounds",
    ];
    let words: Vec<&str> = text.split_whitespace().collect();
    let followed = words.windows(2).filter_map(|pair| {
        let [figure, unit] = pair else { return None };
        let unit = unit.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        SCALES
            .contains(&unit.as_str())
            .then(|| numbers(figure))
            .and_then(|found| found.first().copied())
    });
    followed.collect()
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
