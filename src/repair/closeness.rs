//! How close a wrong name is to a real one, as people and models get names wrong.

use rust_stemmers::{Algorithm, Stemmer};

/// Closeness from which a name may stand for another.
pub(super) const CLOSE: f64 = 0.72;
/// By how much the best name must lead the second.
pub(super) const LEAD: f64 = 0.07;

/// Finds the one name that is close, with its closeness: well above the bound and ahead of others.
///
/// `about` is the table's name: words of it in a name say nothing.
pub(super) fn one_close<'a>(
    wrong: &str,
    names: impl IntoIterator<Item = &'a str>,
    about: &str,
) -> Option<(&'a str, f64)> {
    let mut ranked: Vec<(&str, f64)> =
        names.into_iter().map(|name| (name, closeness(wrong, name, about))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let best = *ranked.first()?;
    let second = ranked.get(1).map_or(0.0, |(_, score)| *score);
    (best.1 >= CLOSE && best.1 - second >= LEAD).then_some(best)
}

/// Measures closeness: 1 is the same but for letter case and underscores, 0 nothing in common.
pub(super) fn closeness(wrong: &str, name: &str, about: &str) -> f64 {
    let (a, b) = (flat(wrong), flat(name));
    if a == b {
        return 1.0;
    }
    let letters = strsim::normalized_damerau_levenshtein(&a, &b);
    let (words, others) = (words(wrong), words(name));
    words_closeness(&words, &others, about).max(letters)
}

/// Tells whether a name is another one with one slip of the finger: a letter left out, added,
/// changed, or two swapped. Short names are all a slip apart.
pub(super) fn one_slip(wrong: &str, name: &str) -> bool {
    let (a, b) = (flat(wrong), flat(name));
    a.chars().count().max(b.chars().count()) >= 5 && strsim::damerau_levenshtein(&a, &b) == 1
}

/// A name without signs, in lower case.
fn flat(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Tells whether two names are the same but for letter case, signs and plural.
pub(super) fn same_name(a: &str, b: &str) -> bool {
    flat(a) == flat(b) || (!words(a).is_empty() && words(a) == words(b))
}

/// Splits a name into the stems of its words: `TotalPrices` and `total_price` are the same.
pub(super) fn words(name: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut former_lower = false;
    for c in name.chars().chain([' ']) {
        let starts = !c.is_alphanumeric() || (c.is_uppercase() && former_lower);
        if starts && !word.is_empty() {
            words.push(stemmer.stem(&word).into_owned());
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        former_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    words
}

/// Words that say how values are put together: leaving one out changes what is meant.
const TOGETHER: &[&str] = &[
    "num", "number", "count", "total", "sum", "avg", "averag", "mean", "max", "maximum", "min",
    "minimum", "highest", "lowest", "most", "least", "quantiti",
];

/// Compares names by their words: the table's own name in front left out, one may say more than
/// the other.
fn words_closeness(wrong: &[String], name: &[String], about: &str) -> f64 {
    let about = words(about);
    let telling = |all: &[String]| -> Vec<String> {
        let kept = all.strip_prefix(about.as_slice()).unwrap_or(all);
        if kept.is_empty() { all.to_vec() } else { kept.to_vec() }
    };
    let (a, b) = (telling(wrong), telling(name));
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    if a == b {
        return 0.96;
    }
    let shared = a.iter().filter(|w| b.contains(w)).count();
    if shared == a.len() {
        // All words of the wrong name are there; each further word costs a little.
        return (0.9 - 0.04 * small(b.len() - shared)).max(0.74);
    }
    let extra = a.iter().filter(|w| !b.contains(w));
    let changes_meaning = extra.clone().any(|w| TOGETHER.contains(&w.as_str()));
    if shared == b.len() && b.iter().any(|w| w.len() > 2) && !changes_meaning {
        return 0.8 - 0.08 * small(a.len() - shared);
    }
    if abbreviates(&a, &b) { 0.88 } else { 0.0 }
}

/// Tells whether word for word one is the start of the other: `dept_nm` is not, `dep_name` is.
fn abbreviates(a: &[String], b: &[String]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(x, y)| {
            x == y
                || (x.len().min(y.len()) >= 3
                    && (x.starts_with(y.as_str()) || y.starts_with(x.as_str())))
        })
}

#[expect(clippy::cast_precision_loss, reason = "counts of words in a name")]
fn small(n: usize) -> f64 {
    n as f64
}
