//! Decides whether one word may be a slip of the fingers for another.

/// Letters that may be off, by length: short words are too alike to guess.
fn allowed(length: usize) -> usize {
    match length {
        0..=4 => 0,
        5..=7 => 1,
        _ => 2,
    }
}

/// Returns how close two lower-case words are, 0 to 1, when one may be a typo of the other.
///
/// The distance is Damerau–Levenshtein in its optimal-alignment form, so that swapped neighbours
/// count once. The first letter must be right: people seldom miss it, and it keeps "rates" from
/// "dates".
pub fn closeness(typed: &str, name: &str) -> Option<f32> {
    let length = typed.chars().count().min(name.chars().count());
    let bound = allowed(length);
    if bound == 0 || typed.chars().next() != name.chars().next() {
        return None;
    }
    if typed.chars().count().abs_diff(name.chars().count()) > bound {
        return None;
    }
    let distance = strsim::osa_distance(typed, name);
    (distance <= bound && distance > 0).then(|| {
        #[expect(clippy::cast_precision_loss, reason = "word lengths are small")]
        let share = distance as f32 / length as f32;
        1.0 - share
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_neighbours_are_one_slip() {
        assert!(closeness("countires", "countries").is_some());
        assert!(closeness("sotck", "stock").is_some());
    }

    #[test]
    fn short_or_distant_words_are_no_slips() {
        assert_eq!(closeness("age", "are"), None);
        assert_eq!(closeness("rates", "dates"), None);
        assert_eq!(closeness("count", "country"), None);
    }
}
