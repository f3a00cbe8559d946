//! Reads numbers in words: `room twenty-five` is room 25.

const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// Tells whether a lower-case word is a number: "ten".
pub fn is_number(word: &str) -> bool {
    UNITS.contains(&word) || TENS.contains(&word)
}

/// Puts digits in the place of number words, in lower case; none when there are no such words.
pub(super) fn in_digits<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<Vec<String>> {
    let mut told: Vec<String> = Vec::new();
    let mut tens = 0;
    let mut changed = false;
    for word in words {
        let unit = UNITS.iter().position(|unit| *unit == word);
        let ten = TENS.iter().position(|ten| *ten == word).map(|at| (at + 2) * 10);
        let number = match (unit, ten) {
            (Some(unit @ 1..=9), _) if tens > 0 => {
                told.pop();
                Some(tens + unit)
            }
            (Some(unit), _) => Some(unit),
            (None, ten) => ten,
        };
        changed |= number.is_some();
        told.push(number.map_or_else(|| word.to_owned(), |number| number.to_string()));
        tens = ten.unwrap_or(0);
    }
    changed.then_some(told)
}

#[cfg(test)]
mod tests {
    use super::in_digits;

    #[test]
    fn number_words_become_digits() {
        let told = |words: &str| in_digits(words.split(' ')).map(|words| words.join(" "));
        assert_eq!(told("room twenty five").as_deref(), Some("room 25"));
        assert_eq!(told("thirteen").as_deref(), Some("13"));
        assert_eq!(told("gate thirty").as_deref(), Some("gate 30"));
        assert_eq!(told("the room"), None);
    }
}
