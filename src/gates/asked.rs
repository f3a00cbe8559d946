//! What the words of a question ask for, as far as plain English shows it.

use super::look::words;

/// Words that ask for each value once.
const DIFFERENT: &[&str] = &["different", "distinct", "unique", "differing"];

/// Words that ask for how many or how often.
const COUNTS: &[&str] = &[
    "many",
    "number",
    "numbers",
    "count",
    "counts",
    "counting",
    "amount",
    "amounts",
    "total",
    "totals",
    "often",
    "frequency",
    "frequencies",
    "times",
    "quantity",
    "no",
    "quantities",
    "much",
    "size",
    "sizes",
    "distribution",
    "tally",
    "share",
    "percentage",
    "proportion",
];

/// Words that choose an extreme: what is counted behind them is not asked for itself.
const EXTREMES: &[&str] = &[
    "most", "least", "fewest", "largest", "smallest", "highest", "lowest", "greatest", "biggest",
    "maximum", "minimum", "maximal", "minimal", "more", "less", "fewer", "exactly", "than", "top",
];

/// Words that say no.
const NOT: &[&str] =
    &["not", "no", "never", "without", "neither", "nor", "cannot", "lack", "lacks", "lacking"];

/// Words that compare each group, or ask for an order: a superlative then asks for no single row.
const SPREAD: &[&str] = &[
    "each",
    "every",
    "per",
    "all",
    "order",
    "ordered",
    "sort",
    "sorted",
    "ascending",
    "descending",
    "alphabetical",
    "alphabetically",
    "from",
    "respective",
    "among",
];

/// A question's words.
#[derive(Debug, Clone)]
pub(super) struct Asked(Vec<String>);

impl Asked {
    /// Reads a question.
    pub(super) fn of(question: &str) -> Self {
        Asked(words(question))
    }

    fn any(&self, list: &[&str]) -> bool {
        self.0.iter().any(|word| list.contains(&word.as_str()))
    }

    /// Tells whether any of these words stands in it.
    pub(super) fn has(&self, list: &[&str]) -> bool {
        self.any(list)
    }

    /// Tells whether each value is asked for once.
    pub(super) fn different(&self) -> bool {
        self.any(DIFFERENT)
    }

    /// Tells whether a count is asked for, not only what is largest by it.
    pub(super) fn counts(&self) -> bool {
        let mut counts = self.0.iter().enumerate().filter(|(_, w)| COUNTS.contains(&w.as_str()));
        counts.any(|(at, word)| {
            let before: Vec<&str> =
                self.0.iter().take(at).rev().take(3).map(String::as_str).collect();
            let article = |w: &&&str| matches!(**w, "the" | "total" | "of" | "by" | "number");
            let said = before.iter().find(|w| !article(w)).copied().unwrap_or("");
            word == "many" && said == "how" || !EXTREMES.contains(&said) || self.is_subject(at)
        })
    }

    /// Tells whether what is largest is the count itself: "what is the maximum number of times".
    fn is_subject(&self, at: usize) -> bool {
        const LEADS: &[&str] = &["is", "are", "find", "show", "list", "return", "give", "and"];
        let mut before = self.0.iter().take(at).rev().skip(1);
        let lead = before.find(|word| word.as_str() != "the");
        lead.is_some_and(|word| LEADS.contains(&word.as_str()))
    }

    /// Tells whether something is denied.
    pub(super) fn denies(&self) -> bool {
        self.any(NOT) || self.0.iter().any(|word| word.ends_with("n't"))
    }

    /// Tells whether two things shall hold for one: `both … and …`.
    pub(super) fn both(&self) -> bool {
        let both = self.0.iter().position(|word| word == "both");
        both.is_some_and(|at| self.0.iter().skip(at).any(|word| word == "and"))
    }

    /// Names the superlative that asks for one row, if it does: `the oldest`, `most common`.
    pub(super) fn superlative(&self) -> Option<&str> {
        const ALONE: &[&str] = &[
            "most", "least", "largest", "smallest", "highest", "lowest", "greatest", "fewest",
            "oldest", "youngest", "biggest", "longest", "shortest", "cheapest", "heaviest",
        ];
        let pairs = || self.0.windows(2).filter_map(|w| Some((w.first()?.as_str(), w.get(1)?)));
        let alone = |word: &String| ALONE.contains(&word.as_str());
        if self.any(SPREAD) || pairs().any(|(before, word)| before == "at" && alone(word)) {
            return None;
        }
        let chooses = |before: &str, word: &String| {
            let kinds = ["number", "common", "popular", "frequent"];
            before == "the" && alone(word) || before == "most" && kinds.contains(&word.as_str())
        };
        pairs().find(|(before, word)| chooses(before, word)).map(|(_, word)| word.as_str())
    }
}
