//! The engine alone: runs a text as it is, with nothing of ours around it, and says what came.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::database::{Database, Limits, ResultStore, Trouble};
use crate::domain::{Rows, Value};

use super::attribution::Verdict;
use crate::pipeline::compare::{self, Likeness};

/// Rows that are compared at most; a result with more is told as too large.
const MOST_ROWS: u64 = 200_000;

/// Time for gold SQL, whatever is set for answers: it decides what is right.
const GOLD_TIMEOUT: Duration = Duration::from_secs(30);

/// Gold results of one database that are kept, in cells: recordings and settings share them.
const KEPT_CELLS: usize = 2_000_000;

/// What came of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// Rows.
    Rows(Vec<Vec<Value>>),
    /// An error: its class and the engine's words.
    Failed {
        /// Class.
        class: String,
        /// Words.
        message: String,
    },
}

/// The engine of one database, with the gold results it has given.
pub(super) struct Judge {
    database: Arc<dyn Database>,
    /// Held to look up or to add.
    golds: Mutex<Golds>,
}

#[derive(Default)]
struct Golds {
    known: BTreeMap<String, Arc<Outcome>>,
    cells: usize,
}

impl Judge {
    pub(super) fn new(database: Arc<dyn Database>) -> Self {
        Judge { database, golds: Mutex::default() }
    }

    /// Runs gold SQL, once as long as there is room to keep its rows.
    pub(super) async fn gold(&self, sql: &str) -> Arc<Outcome> {
        let locked = || self.golds.lock().unwrap_or_else(PoisonError::into_inner);
        let known = locked().known.get(sql).cloned();
        if let Some(known) = known {
            return known;
        }
        let outcome = Arc::new(self.run(sql, GOLD_TIMEOUT).await);
        let mut golds = locked();
        let cells = outcome.cells();
        if golds.cells + cells <= KEPT_CELLS
            && golds.known.insert(sql.to_owned(), outcome.clone()).is_none()
        {
            golds.cells += cells;
        }
        outcome
    }

    /// Runs a text.
    pub(super) async fn run(&self, sql: &str, timeout: Duration) -> Outcome {
        let store = Arc::new(ResultStore::new());
        let limits = Limits { timeout, max_rows: Some(MOST_ROWS + 1) };
        match self.database.run(sql, limits, store.clone()).await {
            Ok(_) if store.count() > MOST_ROWS => Outcome::Failed {
                class: "too_many_rows".to_owned(),
                message: format!("the result has more than {MOST_ROWS} rows"),
            },
            Ok(_) => Outcome::Rows(store.page(0..store.count()).rows),
            Err(Trouble::Query(failure)) => {
                Outcome::Failed { class: failure.code().to_owned(), message: failure.message() }
            }
            Err(Trouble::Database(e)) => {
                Outcome::Failed { class: "database".to_owned(), message: e.to_string() }
            }
        }
    }
}

impl Outcome {
    /// Takes rows of a run, if it kept all of them.
    pub(super) fn of_run(rows: &Rows) -> Option<Self> {
        let whole = !rows.truncated && rows.rows.len() as u64 == rows.row_count;
        whole.then(|| Outcome::Rows(rows.rows.clone()))
    }

    fn cells(&self) -> usize {
        match self {
            Outcome::Rows(rows) => rows.iter().map(Vec::len).sum(),
            Outcome::Failed { .. } => 0,
        }
    }

    /// Compares with gold results; the best likeness counts.
    pub(super) fn verdict(&self, golds: &[Arc<Outcome>]) -> Verdict {
        let rows = match self {
            Outcome::Rows(rows) => rows,
            Outcome::Failed { class, .. } => return Verdict::Failed(class.clone()),
        };
        let mut best = Verdict::Wrong;
        for gold in golds {
            let Outcome::Rows(gold) = gold.as_ref() else { continue };
            match compare::compare(rows, gold) {
                Likeness::Same => return Verdict::Right,
                Likeness::OtherColumnOrder => best = Verdict::OtherColumnOrder,
                Likeness::Different => {}
            }
        }
        best
    }

    /// Tells whether the rows come in the order of a gold's.
    pub(super) fn in_order_of(&self, golds: &[Arc<Outcome>]) -> bool {
        let Outcome::Rows(rows) = self else { return false };
        golds.iter().any(|gold| match gold.as_ref() {
            Outcome::Rows(gold) => compare::same_order(rows, gold),
            Outcome::Failed { .. } => false,
        })
    }
}

/// Tells whether SQL orders its result: its last ORDER BY stands in no parentheses.
pub(super) fn orders(sql: &str) -> bool {
    let words = sql.to_ascii_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let last = words.windows(2).rposition(|pair| pair == ["order", "by"]);
    last.is_some_and(|at| !words[at..].iter().any(|word| word.contains(')')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_order_of_the_result_counts() {
        assert!(orders("SELECT a FROM t ORDER  BY a DESC LIMIT 1"));
        assert!(orders("SELECT a FROM t\norder\nby a"));
        assert!(!orders("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3)"));
        assert!(!orders("SELECT a FROM t"));
    }

    #[test]
    fn the_best_of_several_golds_counts() {
        let rows = |n: i64| Outcome::Rows(vec![vec![Value::Integer(n), Value::Text("x".into())]]);
        let turned = Outcome::Rows(vec![vec![Value::Text("x".into()), Value::Integer(1)]]);
        let failed = Outcome::Failed { class: "timeout".to_owned(), message: String::new() };
        let golds = [Arc::new(failed), Arc::new(rows(2)), Arc::new(rows(1))];
        assert_eq!(rows(1).verdict(&golds), Verdict::Right);
        assert_eq!(turned.verdict(&golds), Verdict::OtherColumnOrder);
        assert_eq!(rows(3).verdict(&golds), Verdict::Wrong);
    }
}
