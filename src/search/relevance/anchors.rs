//! The tables that together explain a question: a greedy cover of its words, near to each other.
//!
//! It begins with the tables that the question names, else with the one that ranks best, and adds the one that explains most of what is not yet
//! explained, while that is worth a join. Tables that keys join to those chosen are preferred, so
//! that of five `customers` the one beside the chosen orders is taken.

use super::spread::Ranking;

/// Tables at most.
const MOST: usize = 8;
/// What a further table must explain, in weighted words.
const WORTH: f32 = 0.18;
/// Strength below which a word speaks for a table too weakly to ask for a join.
const TELLING: f32 = 0.4;
/// What a table's explanation counts for, by the number of keys between it and those chosen.
const BY_DISTANCE: [f32; 5] = [1.0, 1.0, 0.9, 0.8, 0.65];
/// The same farther away, and where no keys lead.
const FAR: f32 = 0.5;
const APART: f32 = 0.3;

/// Lists tables by place, in the order in which they were chosen; `named` are called by their whole
/// name.
pub(super) fn anchors(ranking: &Ranking, around: &[Vec<u32>], named: Vec<usize>) -> Vec<usize> {
    let best = |scores: &[f32]| {
        let scored = scores.iter().copied().enumerate().filter(|(_, score)| *score > 0.0);
        scored.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    };
    let mut chosen = named;
    if chosen.is_empty() {
        let Some((first, _)) = best(&ranking.tables) else { return Vec::new() };
        chosen.push(first);
    }
    while chosen.len() < MOST {
        let distances = distances(&chosen, around);
        let known: Vec<f32> =
            ranking.lines.iter().map(|line| known(&line.tables, &chosen)).collect();
        let gains: Vec<f32> = (0..ranking.tables.len())
            .map(|table| {
                let closeness = match distances.get(table).copied().flatten() {
                    Some(steps) => BY_DISTANCE.get(steps).copied().unwrap_or(FAR),
                    None => APART,
                };
                // the better rank decides between tables that explain the same
                let rank = ranking.tables.get(table).copied().unwrap_or(0.0);
                closeness * gain(ranking, table, &known) * (1.0 + 0.01 * rank)
            })
            .collect();
        match best(&gains).filter(|(_, gain)| *gain >= WORTH) {
            Some((next, _)) => chosen.push(next),
            None => break,
        }
    }
    chosen
}

/// Returns how well those chosen explain a word.
fn known(tables: &[f32], chosen: &[usize]) -> f32 {
    chosen.iter().filter_map(|at| tables.get(*at)).copied().fold(0.0, f32::max)
}

/// Sums up what a table explains and those chosen don't; `known` says how well they do, by word.
fn gain(ranking: &Ranking, table: usize, known: &[f32]) -> f32 {
    let lines = ranking.lines.iter().zip(known);
    let gains = lines.map(|(line, known)| {
        let own = line.tables.get(table).copied().unwrap_or(0.0);
        if own < TELLING { 0.0 } else { line.weight * (own - known).max(0.0) }
    });
    gains.sum()
}

/// Counts the keys between each table and the nearest of those chosen; none where no keys lead.
fn distances(chosen: &[usize], around: &[Vec<u32>]) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; around.len()];
    let mut queue: std::collections::VecDeque<usize> = chosen.iter().copied().collect();
    for at in chosen {
        if let Some(slot) = found.get_mut(*at) {
            *slot = Some(0);
        }
    }
    while let Some(at) = queue.pop_front() {
        let Some(Some(steps)) = found.get(at).copied() else { continue };
        for next in around.get(at).into_iter().flatten() {
            if let Some(slot) = found.get_mut(*next as usize).filter(|slot| slot.is_none()) {
                *slot = Some(steps + 1);
                queue.push_back(*next as usize);
            }
        }
    }
    found
}
