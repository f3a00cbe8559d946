//! Rules for metrics: a word of the knowledge file stands for a formula that people agreed on.

use crate::domain::Metric;

use super::reader::{Reader, Zone};
use super::schema::words;
use super::sketch::{Output, Size};

impl Reader<'_> {
    /// The approved metric that an item names with all words of its name or of a synonym.
    pub(super) fn metric_at(&self, at: usize) -> Option<Metric> {
        let item = self.item(at)?;
        let said = words(&item.text);
        let whole = |name: &str| words(name).iter().all(|w| said.contains(w));
        let metrics = &self.schema.facts.knowledge.metrics;
        item.metrics.iter().filter(|(_, score)| *score > item.table_score() - 0.02).find_map(
            |(name, _)| {
                let metric = metrics.iter().find(|m| m.name == *name)?;
                let named = whole(&metric.name) || metric.synonyms.iter().any(|s| whole(s));
                (named && metric.approved && !metric.tables.is_empty()).then(|| metric.clone())
            },
        )
    }

    /// A metric named among the outputs is put out by its formula.
    pub(super) fn metric(&mut self, at: usize, metric: &Metric) -> Option<usize> {
        if self.zone == Zone::Conditions && self.sketch.about.is_some() && !self.asks_on() {
            return None;
        }
        self.sketch.assumptions.push(format!("{} is {}", metric.name, metric.formula));
        self.put_out(Output::Metric(Box::new(metric.clone())));
        if let Some(table) = metric.tables.first() {
            self.speak_of(table);
        }
        self.zone = Zone::Conditions;
        Some(at + 1)
    }

    /// Nothing is put out yet: the sentence still says what it wants.
    fn asks_on(&self) -> bool {
        self.sketch.outputs.is_empty()
    }

    /// "The highest loss ratio": groups by the size of a metric.
    pub(super) fn extreme_metric(&mut self, at: usize, descending: bool) -> Option<usize> {
        let metric = self.metric_at(at)?;
        for table in &metric.tables {
            self.relate(table);
        }
        self.sketch.order.push((Size::Metric(Box::new(metric)), descending));
        let first = self.first.take().unwrap_or(1);
        self.sketch.limit.get_or_insert(first);
        self.zone = Zone::Conditions;
        Some(at + 1)
    }
}
