//! What a phrase may mean, and lists of it: merged, ranked, cut.

use crate::domain::{LinkTarget, Match};

/// Hits at most for one phrase and kind of target.
pub(super) const MOST_HITS: usize = 60;

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

/// Adds hits weakened by a factor; of the same thing the better one stays.
pub(super) fn merge(hits: &mut Vec<Hit>, more: Vec<Hit>, factor: f32) {
    for mut hit in more {
        hit.score *= factor;
        match hits.iter_mut().find(|known| known.target == hit.target) {
            Some(known) if known.score < hit.score => *known = hit,
            Some(_) => {}
            None => hits.push(hit),
        }
    }
}

/// Adds hits as found in a given way, weakened by a factor.
pub(super) fn merge_as(hits: &mut Vec<Hit>, more: Vec<Hit>, how: Match, factor: f32) {
    let more = more.into_iter().map(|hit| Hit { how, ..hit }).collect();
    merge(hits, more, factor);
}

/// Sorts best first, equal ones in the catalog's order, and cuts the tail.
pub(super) fn rank(hits: &mut Vec<Hit>) {
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits.truncate(MOST_HITS);
}
