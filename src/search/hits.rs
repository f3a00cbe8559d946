//! What a phrase may mean, and lists of it: merged, ranked, cut.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::domain::{LinkTarget, Match};

use super::dates::keeps_calendar;
use super::tokens::Token;

/// Hits at most for one phrase and kind of target.
pub(super) const MOST_HITS: usize = 60;
/// Comparisons up to which going through the list is quicker than a map.
const FEW: usize = 1_000;

/// Something that a phrase may mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The thing.
    pub target: LinkTarget,
    /// How it was recognised.
    pub how: Match,
    /// 0 to 1.
    pub score: f32,
}

/// Adds hits to others, their scores times a factor; of two for one target the better one stays.
pub(super) fn merge(hits: &mut Vec<Hit>, more: Vec<Hit>, factor: f32) {
    // a name that thousands of tables have would be compared with itself millions of times
    let many = (hits.len() + more.len()) * more.len() > FEW;
    let mut places: HashMap<u64, usize> = HashMap::new();
    if many {
        places.extend(hits.iter().enumerate().rev().map(|(n, hit)| (hashed(&hit.target), n)));
    }
    for mut hit in more {
        hit.score *= factor;
        let same = |known: &Hit| known.target == hit.target;
        let place = if many {
            let here = places.entry(hashed(&hit.target)).or_insert(hits.len());
            // two targets of one hash are a matter of one in 10^19; then the list decides
            let known = hits.get(*here);
            match known {
                Some(known) if !same(known) => hits.iter().position(same),
                Some(_) => Some(*here),
                None => None,
            }
        } else {
            hits.iter().position(same)
        };
        match place.and_then(|place| hits.get_mut(place)) {
            Some(known) if known.score < hit.score => *known = hit,
            Some(_) => {}
            None => hits.push(hit),
        }
    }
}

/// Leaves out stored values that a month or weekday of the phrase would only be a slip for.
pub(super) fn leave_out_slips(hits: &mut Vec<Hit>, phrase: &[Token]) {
    hits.retain(|hit| match &hit.target {
        LinkTarget::Value { stored, .. } => {
            !matches!(hit.how, Match::Stem | Match::Typo | Match::Part)
                || keeps_calendar(phrase, stored)
        }
        LinkTarget::Table(_) | LinkTarget::Column(_) | LinkTarget::Metric(_) => true,
    });
}

fn hashed(target: &LinkTarget) -> u64 {
    let mut hasher = DefaultHasher::new();
    target.hash(&mut hasher);
    hasher.finish()
}

/// Adds hits as found in a given way, weakened by a factor.
pub(super) fn merge_as(hits: &mut Vec<Hit>, more: Vec<Hit>, how: Match, factor: f32) {
    let more = more.into_iter().map(|hit| Hit { how, ..hit }).collect();
    merge(hits, more, factor);
}

/// Copies what can come into a list: thousands of things may hold a common word.
pub(super) fn best(mut found: Vec<(&LinkTarget, Match, f32)>) -> Vec<Hit> {
    found.sort_by(|a, b| b.2.total_cmp(&a.2));
    found.truncate(2 * MOST_HITS);
    let hit = |(target, how, score): (&LinkTarget, Match, f32)| Hit {
        target: target.clone(),
        how,
        score,
    };
    found.into_iter().map(hit).collect()
}

/// Sorts best first, equal ones in the catalog's order, and cuts the tail.
pub(super) fn rank(hits: &mut Vec<Hit>) {
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits.truncate(MOST_HITS);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_hits_are_put_together_alike() {
        let hit = |n: usize, score: f32| Hit {
            target: LinkTarget::Table(format!("t{n}")),
            how: Match::Exact,
            score,
        };
        for most in [3, 300] {
            let mut hits: Vec<Hit> = (0..most).map(|n| hit(n, 0.5)).collect();
            let more = (most - 2..2 * most).map(|n| hit(n, if n % 2 == 0 { 1.0 } else { 0.1 }));
            merge(&mut hits, more.collect(), 0.8);
            assert_eq!(hits.len(), 2 * most);
            let better = most - 2 + most % 2;
            assert!((hits[better].score - 0.8).abs() < 1e-6, "the better one stays");
            assert!((hits[2 * most - 1].score - 0.08).abs() < 1e-6);
            let in_order =
                |(n, hit): (usize, &Hit)| hit.target == LinkTarget::Table(format!("t{n}"));
            assert!(hits.iter().enumerate().all(in_order));
        }
    }
}
