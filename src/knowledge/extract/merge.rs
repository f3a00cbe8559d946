//! Drafts that say the same become one, with all their citations.

use crate::domain::ColumnRef;
use crate::domain::knowledge::{JoinHint, Meaning, Metric, Rule};

use super::super::init::split;
use super::{Draft, Entry};

/// Merges drafts, first found first.
pub(super) fn merged(drafts: Vec<Draft>) -> Vec<Draft> {
    let mut kept: Vec<Draft> = Vec::new();
    for mut draft in drafts {
        let mut known = kept.iter_mut();
        let first = known.find_map(|first| takes(&mut first.entry, &draft.entry).then_some(first));
        if let Some(first) = first {
            first.cites.append(&mut draft.cites);
            if first.note.is_empty() {
                first.note = draft.note;
            }
        } else {
            if let Entry::Metric(metric) = &mut draft.entry {
                let taken = |name: &str| kept.iter().any(|d| is_metric(&d.entry, name));
                metric.name = free(&metric.name, taken);
            }
            kept.push(draft);
        }
    }
    kept
}

fn is_metric(entry: &Entry, name: &str) -> bool {
    matches!(entry, Entry::Metric(metric) if metric.name == name)
}

/// Finds a name that is not taken: `sales`, `sales_2`, …
fn free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|n| format!("{name}_{n}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// Takes a draft into one that says the same; tells whether it does.
fn takes(first: &mut Entry, other: &Entry) -> bool {
    match (first, other) {
        (Entry::Metric(first), Entry::Metric(other)) => takes_metric(first, other),
        (Entry::Join(first), Entry::Join(other)) => same_join(first, other),
        (Entry::Rule(first), Entry::Rule(other)) if same_rule(first, other) => {
            for name in &other.about {
                if !first.about.contains(name) {
                    first.about.push(name.clone());
                }
            }
            true
        }
        (
            Entry::Kept { views, condition, .. },
            Entry::Kept { views: more, condition: other, .. },
        ) if bare(condition) == bare(other) => {
            views.extend(
                more.iter().filter(|view| !views.contains(view)).cloned().collect::<Vec<_>>(),
            );
            true
        }
        (Entry::Table(first, meaning), Entry::Table(other, more)) if first == other => {
            add_words(meaning, more);
            true
        }
        (Entry::Column(first, words), Entry::Column(other, more)) if first.at == other.at => {
            takes_meaning(first, other);
            words.extend(
                more.iter().filter(|word| !words.contains(word)).cloned().collect::<Vec<_>>(),
            );
            true
        }
        (
            Entry::Metric(_)
            | Entry::Join(_)
            | Entry::Rule(_)
            | Entry::Kept { .. }
            | Entry::Table(..)
            | Entry::Column(..),
            _,
        ) => false,
    }
}

/// Takes layout and idle parentheses out of a formula, to compare it.
fn bare(text: &str) -> String {
    text.to_lowercase().replace([' ', '(', ')'], "")
}

/// The same words, or the same name for what is computed of the same columns: the first one counts.
fn same_rule(first: &Rule, other: &Rule) -> bool {
    let name = |rule: &Rule| rule.text.split_once(" is ").map(|(name, _)| name.to_owned());
    first.text == other.text
        || (first.about == other.about && name(first).is_some() && name(first) == name(other))
}

/// The same formula under another name is another word for it.
fn takes_metric(first: &mut Metric, other: &Metric) -> bool {
    let same = bare(&first.formula) == bare(&other.formula)
        && first.filter.as_deref().map(bare) == other.filter.as_deref().map(bare);
    if same && first.name != other.name {
        let word = split(&other.name).join(" ");
        if !first.synonyms.contains(&word) {
            first.synonyms.push(word);
        }
    }
    same
}

fn same_join(first: &JoinHint, other: &JoinHint) -> bool {
    let pairs = |from: &[ColumnRef], to: &[ColumnRef]| {
        let mut pairs: Vec<_> = from.iter().cloned().zip(to.iter().cloned()).collect();
        pairs.sort();
        pairs
    };
    let here = pairs(&first.from, &first.to);
    here == pairs(&other.from, &other.to) || here == pairs(&other.to, &other.from)
}

fn takes_meaning(first: &mut Meaning, other: &Meaning) {
    add_words(&mut first.text, &other.text);
    match (&mut first.format, &other.format) {
        (Some(format), Some(more)) => add_words(format, more),
        (format @ None, Some(more)) => *format = Some(more.clone()),
        (_, None) => {}
    }
    for (code, words) in &other.values {
        match first.values.iter_mut().find(|(known, _)| known == code) {
            Some((_, known)) if known.is_empty() => words.clone_into(known),
            Some(_) => {}
            None => first.values.push((code.clone(), words.clone())),
        }
    }
}

fn add_words(text: &mut String, more: &str) {
    if !more.is_empty() && !text.contains(more) {
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(more);
    }
}
