//! What each steering word does: some call a rule, the others leave a mark for what follows.

use super::cues::{Cue, Quality};
use super::reader::{Reader, Zone};
use super::sketch::Output;

impl Reader<'_> {
    /// Follows a steering word; returns the next position.
    pub(super) fn cue(&mut self, at: usize, cue: Cue) -> usize {
        let ends = matches!(cue, Cue::And | Cue::Comma | Cue::Stop | Cue::That | Cue::With);
        if ends && std::mem::take(&mut self.counting) {
            self.sketch.open.push("how many of what".to_owned());
        }
        match cue {
            Cue::Count => self.count(at),
            Cue::Aggregate(function) => self.aggregate(at, function),
            Cue::Most(descending) => self.most(at, descending),
            Cue::Extreme(descending, quality) => self.extreme(at, descending, quality),
            Cue::Common(descending) => self.common(at, descending),
            Cue::Compare(by, quality) => self.compare(at, by, quality),
            Cue::Between => self.between(at),
            Cue::Each => self.each(at),
            Cue::Order | Cue::Ascending | Cue::Descending | Cue::Alphabetical => {
                self.order(at, cue)
            }
            Cue::By => self.by(at),
            Cue::No => self.none_of(at),
            Cue::Top(descending) => self.top(at, descending),
            Cue::Contains | Cue::Starts | Cue::Ends => self.pattern_without_column(at),
            Cue::Distinct => self.distinct_word(at),
            Cue::Unknown
            | Cue::After(_)
            | Cue::Everything
            | Cue::Stop
            | Cue::Not
            | Cue::Except
            | Cue::Both
            | Cue::Either
            | Cue::Or
            | Cue::Asked(_)
            | Cue::Whose
            | Cue::That
            | Cue::Lead
            | Cue::Which
            | Cue::Who
            | Cue::And
            | Cue::Comma
            | Cue::Of
            | Cue::In
            | Cue::For
            | Cue::With
            | Cue::Is
            | Cue::Have
            | Cue::Their
            | Cue::Filler => {
                self.mark(at, cue);
                at + 1
            }
        }
    }

    /// Leaves a mark for what follows.
    fn mark(&mut self, at: usize, cue: Cue) {
        match cue {
            Cue::Unknown | Cue::After(_) => self.unknown(at),
            Cue::Everything => {
                self.each_output = false;
                self.implied.push(Output::Everything(String::new()));
            }
            Cue::Stop => self.stop(at),
            Cue::Not | Cue::Except => {
                self.negated = true;
                self.zone = Zone::Conditions;
            }
            Cue::Both | Cue::Either => self.both = cue == Cue::Both,
            Cue::Or => self.or = true,
            Cue::Asked(quality) => self.asked = Some(quality),
            Cue::Whose => {
                self.zone = Zone::Conditions;
                self.missing = None;
            }
            Cue::That => self.that(at),
            Cue::Lead | Cue::Which | Cue::Who => {
                if at > 0 {
                    self.missing = None;
                }
                if self.sketch.about.is_none() || cue == Cue::Lead {
                    self.zone = Zone::Outputs;
                }
            }
            Cue::And => self.missing = None,
            Cue::Count
            | Cue::Aggregate(_)
            | Cue::Most(_)
            | Cue::Extreme(..)
            | Cue::Common(_)
            | Cue::Compare(..)
            | Cue::Between
            | Cue::Each
            | Cue::Order
            | Cue::Ascending
            | Cue::Descending
            | Cue::Alphabetical
            | Cue::By
            | Cue::No
            | Cue::Top(_)
            | Cue::Contains
            | Cue::Starts
            | Cue::Ends
            | Cue::Distinct
            | Cue::Comma
            | Cue::Of
            | Cue::In
            | Cue::For
            | Cue::With
            | Cue::Is
            | Cue::Have
            | Cue::Their
            | Cue::Filler => {}
        }
    }

    /// "Where" and "when" at the start of a sentence ask; elsewhere they open a condition.
    fn that(&mut self, at: usize) {
        if self.before(at) != Some(Cue::Stop) {
            self.zone = Zone::Conditions;
            return;
        }
        let text = self.item(at).map(|i| i.text.to_lowercase()).unwrap_or_default();
        self.place = text == "where";
        if text == "when" {
            self.asked = Some(Quality::Time);
        }
    }

    /// "For different investors" groups; elsewhere each value is wanted once.
    fn distinct_word(&mut self, at: usize) -> usize {
        let measure = |o: &Output| matches!(o, Output::Aggregate(..) | Output::Rows(_));
        let measured = self.sketch.outputs.iter().any(measure);
        if measured && matches!(self.before(at), Some(Cue::For | Cue::In | Cue::Of)) {
            return self.each(at);
        }
        self.distinct = true;
        at + 1
    }

    fn stop(&mut self, at: usize) {
        self.missing = None;
        if std::mem::take(&mut self.negated) {
            self.sketch.open.push("not".to_owned());
        }
        self.or = false;
        if at + 1 < self.items.len() {
            self.zone = Zone::Outputs;
            self.subject = self.sketch.about.clone();
        }
    }
}
