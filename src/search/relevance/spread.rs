//! The sheet on which evidence is noted word by word, and its sum over tables and their neighbours.

/// Part of a word's strength that reaches a table one key away, and two keys away.
const NEAR: f32 = 0.5;
const FAR: f32 = 0.2;
/// Weight of what a table explains by itself, over what it shares with its neighbours.
const OWN: f32 = 0.6;

/// What one word of the question says of each table.
#[derive(Debug)]
struct Line {
    words: String,
    /// Strength of what explains the word best by itself.
    best: f32,
    tables: Vec<f32>,
    /// Table, column, strength; a column may come more than once.
    columns: Vec<(u32, u32, f32)>,
}

/// Evidence, a line for each word of the question.
#[derive(Debug)]
pub(super) struct Sheet {
    size: usize,
    lines: Vec<Line>,
}

/// Scores of a whole catalog.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    /// Score of each table.
    pub(super) tables: Vec<f32>,
    /// Table, column, score, for each word that speaks for it.
    pub(super) columns: Vec<(u32, u32, f32)>,
    /// For each word what it says.
    pub(super) lines: Vec<Weighed>,
    /// Each word with the strength of what explains it best, 0 to 1.
    pub(super) explained: Vec<(String, f32)>,
}

/// A word with its weight, and how strongly it speaks for each table by itself.
#[derive(Debug)]
pub(super) struct Weighed {
    /// 0 to 1.
    pub(super) weight: f32,
    /// The word.
    pub(super) words: String,
    /// 0 to 1 for each table.
    pub(super) tables: Vec<f32>,
}

impl Sheet {
    /// Makes an empty sheet for so many tables.
    pub(super) fn new(size: usize) -> Self {
        Sheet { size, lines: Vec::new() }
    }

    /// Begins the line of a word.
    pub(super) fn begin(&mut self, words: &str) {
        let tables = vec![0.0; self.size];
        self.lines.push(Line { words: words.to_owned(), best: 0.0, tables, columns: Vec::new() });
    }

    /// Notes how strongly the word speaks for a table or one of its columns; the strongest counts.
    pub(super) fn note(&mut self, table: u32, column: Option<u32>, strength: f32) {
        let Some(line) = self.lines.last_mut() else { return };
        let Some(known) = line.tables.get_mut(table as usize) else { return };
        *known = known.max(strength);
        line.best = line.best.max(strength);
        if let Some(column) = column {
            line.columns.push((table, column, strength));
        }
    }

    /// Lets the words that one column's name or description holds together speak louder for it:
    /// "hourly rate" says more of `hourly_rate_cents` than either word does.
    ///
    /// `first` is the number of columns before each table's own, and of all at the end; a name's
    /// word has `each` of its strength in any case, and `most` if it is the whole name.
    pub(super) fn join_phrases(&mut self, first: &[usize], each: f32, most: f32) {
        let all = first.last().copied().unwrap_or(0);
        // for each column the words that speak for it, and the line of the newest
        let mut held: Vec<(u8, usize)> = vec![(0, usize::MAX); all];
        let place = |table: u32, column: u32| Some(first.get(table as usize)? + column as usize);
        for (n, line) in self.lines.iter().enumerate() {
            for (table, column, _) in &line.columns {
                let slot = place(*table, *column).and_then(|at| held.get_mut(at));
                if let Some((words, newest)) = slot.filter(|(_, newest)| *newest != n) {
                    *words = words.saturating_add(1);
                    *newest = n;
                }
            }
        }
        for line in &mut self.lines {
            for (table, column, strength) in &mut line.columns {
                let words = place(*table, *column).and_then(|at| held.get(at)).map_or(0, |h| h.0);
                if words < 2 || *strength >= most {
                    continue;
                }
                let raised = *strength + f32::from(words - 1) * (*strength - each).max(0.0);
                *strength = raised.min(most);
                if let Some(known) = line.tables.get_mut(*table as usize) {
                    *known = known.max(*strength);
                }
            }
        }
    }

    /// Sums the lines up: a word that few tables explain weighs more.
    pub(super) fn finish(self, around: &[Vec<u32>]) -> Ranking {
        let mut ranking = Ranking { tables: vec![0.0; self.size], ..Ranking::default() };
        for line in self.lines {
            ranking.explained.push((line.words.clone(), line.best.min(1.0)));
            let weight = rarity(&line.tables);
            if weight == 0.0 {
                continue;
            }
            let spread = spread(&line.tables, around);
            let sums = ranking.tables.iter_mut().zip(spread.iter().zip(&line.tables));
            for (sum, (reached, own)) in sums {
                *sum += weight * (reached + OWN * own);
            }
            let columns = line.columns.into_iter();
            ranking.columns.extend(columns.map(|(t, c, strength)| (t, c, weight * strength)));
            ranking.lines.push(Weighed { weight, words: line.words, tables: line.tables });
        }
        ranking
    }
}

/// Weighs a word by how few tables it speaks for, 0 to 1: inverse document frequency, counted in
/// tables as strongly as each is spoken for, over that of a word that one table has.
fn rarity(tables: &[f32]) -> f32 {
    let best = tables.iter().copied().fold(0.0, f32::max);
    if best == 0.0 {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "schemas have thousands of tables")]
    let all = tables.len() as f32;
    let holders: f32 = tables.iter().map(|strength| strength / best).sum();
    (1.0 + all / holders).ln() / (1.0 + all).ln()
}

/// Lets each table also have, weakened, what its neighbours have.
fn spread(own: &[f32], around: &[Vec<u32>]) -> Vec<f32> {
    let near = reach(own, around, NEAR);
    let far = reach(&near, around, FAR / NEAR);
    own.iter()
        .zip(near.iter().zip(&far))
        .map(|(own, (near, far))| own.max(*near).max(*far))
        .collect()
}

fn reach(from: &[f32], around: &[Vec<u32>], factor: f32) -> Vec<f32> {
    let mut reached = vec![0.0_f32; from.len()];
    for (strength, neighbours) in from.iter().zip(around).filter(|(strength, _)| **strength > 0.0) {
        for next in neighbours {
            if let Some(known) = reached.get_mut(*next as usize) {
                *known = known.max(strength * factor);
            }
        }
    }
    reached
}

impl Ranking {
    /// Lists the words that speak for a table by itself, the strongest first; three at most.
    pub(super) fn why(&self, table: usize) -> Vec<String> {
        let own = |line: &Weighed| {
            let strength = line.weight * line.tables.get(table)?;
            (strength > 0.05).then(|| (strength, line.words.clone()))
        };
        let mut words: Vec<(f32, String)> = self.lines.iter().filter_map(own).collect();
        words.sort_by(|a, b| b.0.total_cmp(&a.0));
        words.into_iter().take(3).map(|(_, words)| words).collect()
    }
}
