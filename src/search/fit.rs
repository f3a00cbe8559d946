//! How well the words of a question fit the words of a name.

/// Tails that say little: `department_name` is nearly "department".
const WEAK_TAILS: &[&str] = &["name", "id", "code", "type", "number", "titl", "descript", "date"];

/// Scores words as a part of a name: its head (the end) weighs more than its start.
pub(super) fn part_score(words: &[String], name: &[String], column: bool) -> Option<f32> {
    if words.len() >= name.len() {
        return None;
    }
    let at = name.windows(words.len()).position(|window| window == words)?;
    #[expect(clippy::cast_precision_loss, reason = "names have few words")]
    let share = words.len() as f32 / name.len() as f32;
    let rest = name.get(at + words.len()..).unwrap_or_default();
    // In "date of transaction" the head stands before "of".
    let base = if rest.is_empty() || (at == 0 && rest.first().is_some_and(|w| w == "of")) {
        0.6
    } else if rest.iter().all(|word| WEAK_TAILS.contains(&word.as_str())) {
        if column && words.len() > 1 { 0.6 } else { 0.5 }
    } else {
        0.4
    };
    Some(base + 0.2 * share)
}

/// A key for the same words in any order.
pub(super) fn bag(words: &[String]) -> String {
    let mut sorted = words.to_vec();
    sorted.sort();
    format!("~{}", sorted.join("~"))
}

/// Turns "year of birth" into "birth year".
pub(super) fn turn(words: &[String]) -> Option<Vec<String>> {
    let at = words.iter().position(|w| w == "of")?;
    let (head, tail) = (words.get(..at)?, words.get(at + 1..)?);
    let tail: Vec<String> = tail.iter().filter(|w| *w != "the").cloned().collect();
    (!head.is_empty() && !tail.is_empty()).then(|| [tail, head.to_vec()].concat())
}

/// Tells whether words are what stands between a name's underscores, but for their endings: such a
/// name is found by its words as they are. Cheap, as it is asked of every name.
pub(super) fn is_cut_plainly(name: &str, words: &[String]) -> bool {
    let lower = |b: u8| b.is_ascii_lowercase() || b == b'_';
    let mut pieces = name.split('_').filter(|piece| !piece.is_empty());
    let alike = words.iter().all(|word| {
        let start = word.get(..word.len().saturating_sub(1));
        pieces
            .next()
            .zip(start)
            .is_some_and(|(piece, start)| word.len() <= piece.len() && piece.starts_with(start))
    });
    name.bytes().all(lower) && alike && pieces.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_capitals_and_short_forms_are_no_plain_cut() {
        let plain = |name: &str, words: &[&str]| {
            let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
            is_cut_plainly(name, &words)
        };
        assert!(plain("film_categories", &["film", "categori"]));
        assert!(!plain("order_qty", &["order", "quantiti"]));
        assert!(!plain("co2", &["co", "2"]) && !plain("HourlyRate", &["hour", "rate"]));
        assert!(
            !plain("stuid", &["student", "id"]) && !plain("order_desc", &["order", "descript"])
        );
    }
}
