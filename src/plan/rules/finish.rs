//! What is settled once all is read: implied outputs, waiting extremes, an order without a key.

use crate::domain::ColumnRef;

use super::cues::Cue;
use super::items::Item;
use super::reader::Reader;
use super::sketch::{Filter, Group, Output, Size};

impl Reader<'_> {
    pub(super) fn finish(&mut self) {
        if self.counting {
            self.sketch.open.push("how many".to_owned());
        }
        if self.negated {
            self.sketch.open.push("not".to_owned());
        }
        self.finish_asked();
        self.finish_outputs();
        self.finish_extremes();
        self.finish_order();
        if self.each_output && self.sketch.groups.is_empty() {
            let columns = self.sketch.outputs.iter().filter_map(|o| match o {
                Output::Column(at) => Some(Group::Column(at.clone())),
                Output::Everything(_)
                | Output::Aggregate(..)
                | Output::Rows(_)
                | Output::Different(_)
                | Output::Metric(_) => None,
            });
            self.sketch.groups = columns.collect();
        }
    }

    /// "Where is the club 'X'?", "how old is …": a column that the question word names.
    fn finish_asked(&mut self) {
        let filtered = self.sketch.filters.iter().find_map(|filter| match filter {
            Filter::Is(at, _) => Some(at.table.clone()),
            Filter::Missing { .. } => None,
        });
        let Some(table) = self.sketch.about.clone().or(filtered) else { return };
        if let Some(quality) = self.asked {
            let found = self.schema.measuring(&table, quality);
            match found.filter(|(_, turned)| !turned) {
                Some((column, _)) => self.put_out(Output::Column(column)),
                None => self.sketch.open.push("which column says how much or when".to_owned()),
            }
        }
        if self.place && self.sketch.outputs.is_empty() {
            match self.schema.place(&table) {
                Some(column) => self.put_out(Output::Column(column)),
                None => self.sketch.open.push("where".to_owned()),
            }
        }
    }

    fn finish_outputs(&mut self) {
        let about = self.sketch.about.clone();
        let everything = self.implied.iter().any(|o| matches!(o, Output::Everything(_)));
        if everything {
            match about {
                Some(about) => self.sketch.outputs = vec![self.details(&about)],
                None => self.sketch.open.push("all information".to_owned()),
            }
            return;
        }
        let plain = self.sketch.outputs.iter().any(|o| matches!(o, Output::Column(_)));
        if !plain {
            let mut outputs = std::mem::take(&mut self.implied);
            outputs.append(&mut self.sketch.outputs);
            self.sketch.outputs = outputs;
        }
    }

    /// "All the details of lots" is a column where there is one called details.
    fn details(&self, table: &str) -> Output {
        let said = |i: &Item| i.is(Cue::Everything) && i.text.to_lowercase().contains("detail");
        let column = self.schema.table(table).and_then(|t| {
            let called =
                |name: &str| super::schema::words(name).last().is_some_and(|w| w == "detail");
            t.columns.iter().find(|c| called(&c.name))
        });
        match column.filter(|_| self.items.iter().any(said)) {
            Some(column) => Output::Column(ColumnRef::new(table, &column.name)),
            None => Output::Everything(table.to_owned()),
        }
    }

    fn finish_extremes(&mut self) {
        let extremes = std::mem::take(&mut self.extremes);
        if extremes.len() > 1 {
            self.sketch.open.push("two extremes at once".to_owned());
        }
        for (descending, quality) in extremes {
            let tables: Vec<String> =
                self.subject.iter().chain(self.sketch.about.iter()).cloned().collect();
            let found = tables.iter().find_map(|t| self.schema.measuring(t, quality));
            match found {
                Some((at, turned)) => {
                    self.sketch.order.push((Size::Column(at), descending != turned));
                    self.sketch.limit.get_or_insert(1);
                }
                None => self.sketch.open.push("the extreme of what".to_owned()),
            }
        }
    }

    fn finish_order(&mut self) {
        let Some(descending) = self.direction.take() else { return };
        let first = self.sketch.outputs.iter().find_map(|o| match o {
            Output::Column(at) => Some(Size::Column(at.clone())),
            Output::Rows(table) => Some(Size::Rows(table.clone())),
            Output::Aggregate(f, at) => Some(Size::Aggregate(*f, at.clone())),
            Output::Metric(metric) => Some(Size::Metric(metric.clone())),
            Output::Everything(_) | Output::Different(_) => None,
        });
        match (first, self.sketch.order.is_empty()) {
            (Some(size), true) => self.sketch.order.push((size, descending)),
            (_, false) => {}
            (None, true) => self.sketch.open.push("the order of what".to_owned()),
        }
    }
}
