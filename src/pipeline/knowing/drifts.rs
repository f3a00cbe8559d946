//! Where knowledge disagrees with the schema, proved once for each version of it, and what is left
//! of knowledge without the entries that are wrong.

use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::{Catalog, Knowledge};
use crate::knowledge::{self, Drift};

/// The newest proof; locked only to look at it or to replace it.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Drifts(Mutex<Option<Held>>);

/// A proof of one version of the schema.
#[derive(Debug, Clone)]
pub(in crate::pipeline) struct Held {
    version: String,
    /// Every disagreement.
    pub(in crate::pipeline) drift: Arc<Vec<Drift>>,
    /// Knowledge without metrics and examples that can't run; the same one where none is wrong.
    pub(in crate::pipeline) sound: Arc<Knowledge>,
}

impl Drifts {
    /// Returns the proof of knowledge against a catalog.
    pub(in crate::pipeline) fn of(&self, known: &Arc<Knowledge>, catalog: &Catalog) -> Held {
        let newest = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = newest().clone();
        if let Some(held) = kept.filter(|held| held.version == catalog.version) {
            return held;
        }
        let drift = knowledge::drift(known, catalog);
        let sound = if drift.is_empty() { known.clone() } else { Arc::new(sound(known, &drift)) };
        let held = Held { version: catalog.version.clone(), drift: Arc::new(drift), sound };
        *newest() = Some(held.clone());
        held
    }
}

/// Leaves out what would lead a model to names that don't exist.
fn sound(known: &Knowledge, drift: &[Drift]) -> Knowledge {
    let stands = |entry: &str| !drift.iter().any(|drift| drift.entry == entry);
    let mut sound = known.clone();
    sound.metrics.retain(|metric| stands(&format!("metric {}", metric.name)));
    let mut n = 0;
    sound.examples.retain(|_| {
        n += 1;
        stands(&format!("example {n}"))
    });
    sound
}

/// Says in one line which entries disagree; none when all agree.
pub(in crate::pipeline) fn note(drift: &[Drift]) -> Option<String> {
    let first = drift.first()?;
    let more = match drift.len() {
        1 => String::new(),
        n => format!("; {} more", n - 1),
    };
    Some(format!("knowledge disagrees with the schema: {}: {}{more}", first.entry, first.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Metric, Table};

    #[test]
    fn a_wrong_metric_is_left_out_and_the_proof_is_made_once_for_a_schema() {
        let metric = |name: &str, formula: &str| Metric {
            name: name.to_owned(),
            formula: formula.to_owned(),
            tables: vec!["t".to_owned()],
            ..Metric::default()
        };
        let metrics = vec![metric("good", "SUM(a)"), metric("bad", "SUM(b)")];
        let known = Arc::new(Knowledge { metrics, ..Knowledge::default() });
        let catalog = |version: &str, columns: &[&str]| Catalog {
            version: version.to_owned(),
            tables: vec![Table::bare("t", columns)],
            ..Catalog::default()
        };
        let drifts = Drifts::default();
        let first = drifts.of(&known, &catalog("1", &["a", "b"]));
        assert!(Arc::ptr_eq(&first.sound, &known) && first.drift.is_empty());
        let second = drifts.of(&known, &catalog("2", &["a"]));
        let names: Vec<&str> = second.sound.metrics.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["good"]);
        let words = note(&second.drift).unwrap();
        assert!(words.starts_with("knowledge disagrees with the schema: metric bad: "), "{words}");
        let again = drifts.of(&known, &catalog("2", &["a"]));
        assert!(Arc::ptr_eq(&again.sound, &second.sound));
    }
}
