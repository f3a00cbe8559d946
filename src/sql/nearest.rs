//! Names that are close to a wrong one.

/// Closeness below which a name is no candidate.
const LEAST: f64 = 0.55;
/// Closeness from which a name can be *the* one.
const CERTAIN: f64 = 0.8;
/// Closeness of names that differ in letter case, underscores or number alone.
const SAME: f64 = 0.97;
/// Closeness of short names that differ in how often a letter is typed: `idd`, `id`.
const DOUBLED: f64 = 0.7;
/// How far the best must be before the second best.
const LEAD: f64 = 0.12;

/// Ranks `names` by closeness to `wrong`, best first, those too far left out.
///
/// The score is 0 to 1; 1 is the same name but for letter case and underscores. Equal scores keep
/// the order of the names.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<(&'a str, f64)> {
    let wanted = Shape::of(wrong);
    let mut ranked: Vec<(&str, f64)> = names
        .into_iter()
        .map(|name| (name, wanted.closeness(&Shape::of(name))))
        .filter(|(_, score)| *score >= LEAST)
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}

/// Returns the one name that is clearly meant, or none: the bar for changing a query unasked.
///
/// That is a slip of the finger with no second candidate near it, another number (`room`, `rooms`),
/// or a name that adds one word at the end (`price`, `price_cents`) where nothing else comes close.
/// An added `id` or `code` makes another thing of it and doesn't count.
pub fn the_one_close<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let ranked = nearest(wrong, names);
    let (best, score) = *ranked.first()?;
    let second = ranked.get(1).map_or(0.0, |(_, score)| *score);
    let same_words = score >= SAME && second < SAME;
    let certain = same_words || (score >= CERTAIN && score - second >= LEAD);
    let extended = ranked.len() == 1 && Shape::of(best).extends(&Shape::of(wrong));
    (certain || extended).then_some(best)
}

/// A name taken apart once.
#[derive(Debug)]
struct Shape {
    /// Lower case, letters and digits only.
    letters: String,
    /// Words between underscores, case changes and digits, singular.
    words: Vec<String>,
}

impl Shape {
    fn of(name: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        let mut last_lower = false;
        let mut fresh = true;
        for c in name.chars() {
            if !c.is_alphanumeric() {
                fresh = true;
                last_lower = false;
                continue;
            }
            if fresh || (c.is_uppercase() && last_lower) {
                words.push(String::new());
                fresh = false;
            }
            last_lower = c.is_lowercase();
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        let letters = words.concat();
        Shape { letters, words: words.into_iter().map(singular).collect() }
    }

    fn closeness(&self, other: &Shape) -> f64 {
        if self.letters.is_empty() || other.letters.is_empty() {
            return 0.0;
        }
        if self.letters == other.letters {
            return 1.0;
        }
        if self.words == other.words || self.words.concat() == other.words.concat() {
            return SAME;
        }
        let typo = self.typo(other);
        typo.max(self.parts(other))
    }

    /// Tells whether this is the other name with one more word, which doesn't make it a key.
    fn extends(&self, other: &Shape) -> bool {
        const KEYS: [&str; 6] = ["id", "key", "code", "no", "uid", "number"];
        match self.words.strip_prefix(other.words.as_slice()) {
            Some([more]) => other.letters.len() > 2 && !KEYS.contains(&more.as_str()),
            _ => false,
        }
    }

    /// Edit distance with swaps, scaled by length; short names bear few edits.
    fn typo(&self, other: &Shape) -> f64 {
        let (a, b) = (&self.letters, &other.letters);
        let longest = a.chars().count().max(b.chars().count());
        if longest <= 3 && squeezed(a) == squeezed(b) {
            return DOUBLED;
        }
        let edits = strsim::damerau_levenshtein(a, b);
        let borne = match longest {
            0..=3 => 0,
            4..=6 => 1,
            7..=9 => 2,
            _ => 3,
        };
        if edits > borne {
            return 0.0;
        }
        let share = strsim::normalized_damerau_levenshtein(a, b);
        // one slip in a word of some length is as sure as it gets
        if edits == 1 && longest >= 5 { share.max(0.9) } else { share }
    }

    /// Whole words in common: `price` is close to `price_cents`.
    fn parts(&self, other: &Shape) -> f64 {
        let shared = self.words.iter().filter(|word| other.words.contains(word)).count();
        if shared == 0 {
            return 0.0;
        }
        let (mine, theirs) = (self.words.len(), other.words.len());
        let length = |words: &[String]| words.iter().map(|w| w.chars().count()).sum::<usize>();
        let common: usize = self
            .words
            .iter()
            .filter(|word| other.words.contains(word))
            .map(|word| word.chars().count())
            .sum();
        let all = length(&self.words) + length(&other.words) - common;
        let overlap = ratio(common, all);
        if shared == mine || shared == theirs { 0.6 + 0.3 * overlap } else { 0.7 * overlap }
    }
}

/// Writes each run of one letter as one.
fn squeezed(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

fn ratio(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "lengths of names")]
    let share = part as f64 / whole.max(1) as f64;
    share
}

/// Takes the English plural off a word.
fn singular(word: String) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return format!("{stem}y");
    }
    for ending in ["ches", "shes", "sses", "xes", "zes"] {
        if word.ends_with(ending) {
            return word.get(..word.len() - 2).unwrap_or(&word).to_owned();
        }
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') && !stem.ends_with('u') => {
            stem.to_owned()
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: [&str; 4] = ["bookings", "members", "payments", "rooms"];

    fn first<'a>(wrong: &str, names: &[&'a str]) -> Option<&'a str> {
        nearest(wrong, names.iter().copied()).first().map(|(name, _)| *name)
    }

    #[test]
    fn price_is_close_to_price_cents() {
        assert_eq!(
            first("price", &["id", "room_id", "status", "price_cents"]),
            Some("price_cents")
        );
    }

    #[test]
    fn reservations_is_close_to_no_table_of_a_booking_system() {
        assert_eq!(first("reservations", &TABLES), None);
    }

    #[test]
    fn a_slip_of_the_finger_has_one_close_name() {
        assert_eq!(the_one_close("bookigns", TABLES), Some("bookings"));
        assert_eq!(the_one_close("booking", TABLES), Some("bookings"));
        assert_eq!(the_one_close("Member", TABLES), Some("members"));
    }

    #[test]
    fn two_close_names_are_none() {
        assert_eq!(the_one_close("name", ["first_name", "last_name"]), None);
    }

    #[test]
    fn a_name_with_one_more_word_is_the_one_unless_it_is_a_key() {
        let columns = ["id", "room_id", "status", "price_cents"];
        assert_eq!(the_one_close("price", columns), Some("price_cents"));
        assert_eq!(the_one_close("room", columns), None);
        assert_eq!(the_one_close("price", ["price_cents", "price_note"]), None);
    }

    #[test]
    fn short_names_and_far_ones_are_never_the_one() {
        assert_eq!(the_one_close("age", ["page", "wage"]), None);
        assert_eq!(the_one_close("title", ["name", "label"]), None);
    }

    #[test]
    fn case_and_underscores_do_not_count() {
        assert_eq!(the_one_close("UserId", ["user_id", "user_ip"]), Some("user_id"));
    }
}
