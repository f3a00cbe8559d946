//! Reads items from left to right into a sketch: who owns a word, and which rule takes it.

use crate::domain::ColumnRef;
use crate::domain::plan::Aggregate;

use super::cues::{Cue, Quality};
use super::items::{Item, Kind};
use super::schema::Schema;
use super::sketch::{Output, Sketch};

/// Where in the question the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// Among the outputs.
    Outputs,
    /// Among the conditions.
    Conditions,
}

/// What a mention stands for here.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Role {
    /// A table.
    Table(String),
    /// A column.
    Column,
    /// A stored value.
    Value,
    /// Nothing sure.
    Open,
}

/// The reader. Rules are methods in the files beside this one; each returns the next position.
#[expect(clippy::struct_excessive_bools, reason = "each is a word read that waits for another")]
pub(super) struct Reader<'a> {
    pub(super) schema: &'a Schema<'a>,
    pub(super) items: &'a [Item],
    pub(super) sketch: Sketch,
    pub(super) zone: Zone,
    /// The table spoken of last.
    pub(super) subject: Option<String>,
    /// "Not" was read and waits for what it negates.
    pub(super) negated: bool,
    /// "Distinct" was read and waits for its column.
    pub(super) distinct: bool,
    /// "How many" was read and waits for its noun.
    pub(super) counting: bool,
    /// A number that waits for a superlative: "3 youngest".
    pub(super) first: Option<u64>,
    /// Superlatives of a quality that wait for their table.
    pub(super) extremes: Vec<(bool, Quality)>,
    /// Direction given before or without a sort key.
    pub(super) direction: Option<bool>,
    /// "Sort" was read and waits for "by".
    pub(super) sorting: bool,
    /// Groups by what is put out: "each" without a noun.
    pub(super) each_output: bool,
    /// Outputs that stand for a table named as a whole.
    pub(super) implied: Vec<Output>,
    /// The filter that further conditions belong to, when it speaks of missing rows.
    pub(super) missing: Option<usize>,
    /// "Both" or "either" was read.
    pub(super) both: bool,
    /// "Or" stands before the next filter.
    pub(super) or: bool,
    /// Where the second half of a range stands among the filters.
    pub(super) paired: Option<usize>,
    /// What a question word asks for: where, when, how old.
    pub(super) asked: Option<Quality>,
    /// "Where" opened the question.
    pub(super) place: bool,
    /// Tables named purely as tables, anywhere.
    pub(super) pure: Vec<String>,
}

/// Tells whether a word looks like a verb that relates rows: "the tweets posted by users".
pub(super) fn is_relation(text: &str) -> bool {
    const IRREGULAR: &[&str] =
        &["made", "paid", "led", "won", "held", "chosen", "chose", "given", "driven"];
    let regular = text.len() > 4
        && (text.ends_with("ed") || text.len() > 5 && text.ends_with("ing"))
        && text.chars().all(|c| c.is_ascii_lowercase());
    regular || IRREGULAR.contains(&text)
}

impl<'a> Reader<'a> {
    pub(super) fn new(schema: &'a Schema<'a>, items: &'a [Item]) -> Self {
        let named = |item: &Item| {
            let sure = item.table_score() >= 0.7 && item.column_score() < item.table_score();
            item.tables.first().filter(|_| sure).map(|t| t.0.clone())
        };
        Reader {
            schema,
            items,
            sketch: Sketch::default(),
            zone: Zone::Outputs,
            subject: None,
            negated: false,
            distinct: false,
            counting: false,
            first: None,
            extremes: Vec::new(),
            direction: None,
            sorting: false,
            each_output: false,
            implied: Vec::new(),
            missing: None,
            both: false,
            or: false,
            paired: None,
            asked: None,
            place: false,
            pure: items.iter().filter_map(named).collect(),
        }
    }

    /// Reads all items.
    pub(super) fn read(mut self) -> Sketch {
        let mut at = 0;
        while at < self.items.len() {
            let next = self.step(at);
            at = next.max(at + 1);
        }
        self.finish();
        self.sketch
    }

    fn step(&mut self, at: usize) -> usize {
        let Some(item) = self.items.get(at) else { return at + 1 };
        if matches!(item.kind, Kind::Mention | Kind::Unknown) && self.goes_on_naming(at) {
            return at + 1;
        }
        match &item.kind {
            Kind::Cue(cue) => self.cue(at, *cue),
            Kind::Number(_) => self.number(at),
            Kind::Mention | Kind::Quoted => {
                let event = self.never_happened(at).or_else(|| self.happened(at));
                event.unwrap_or_else(|| self.mention(at))
            }
            Kind::Unknown => {
                if let Some(next) = self.never_happened(at) {
                    return next;
                }
                if let Some(next) = self.shared_noun(at).or_else(|| self.comparative(at)) {
                    return next;
                }
                self.unknown(at);
                at + 1
            }
        }
    }

    pub(super) fn unknown(&mut self, at: usize) {
        let text = self.items.get(at).map(|i| i.text.clone()).unwrap_or_default();
        let counted = self.sketch.outputs.iter().any(|o| matches!(o, Output::Rows(_)));
        if ["number", "count", "counts"].contains(&text.as_str()) && counted {
            return;
        }
        let explained = self.items.get(at + 1).is_some_and(|i| {
            i.kind == Kind::Quoted && i.value_score() >= 0.9 && self.before(at) != Some(Cue::Not)
        });
        if explained && !self.counting {
            // "The country 'Canada'" says what kind of thing the stored value is.
            return;
        }
        if is_relation(&text) && !self.counting {
            // A verb in the past says how rows belong together; the keys say the same.
            self.sketch.verbs.push(at);
            return;
        }
        self.sketch.open.push(text);
    }

    fn mention(&mut self, at: usize) -> usize {
        if let Some(next) = self.metric_at(at).and_then(|metric| self.metric(at, &metric)) {
            return next;
        }
        match self.role(at) {
            Role::Table(_) if super::verbs::is_state(self.items, at) => self.state(at),
            Role::Table(table) => self.table(at, &table),
            Role::Column => self.column(at),
            Role::Value => self.value(at),
            Role::Open if self.item(at).is_some_and(|i| i.kind == Kind::Quoted) => self.value(at),
            Role::Open => {
                self.unknown(at);
                at + 1
            }
        }
    }

    /// A participle that also stands for a table: here it says something of the rows.
    fn state(&mut self, at: usize) -> usize {
        if self.item(at).is_some_and(|i| i.value_score() >= 0.84) {
            return self.value(at);
        }
        self.sketch.verbs.push(at);
        at + 1
    }

    /// Decides what a mention stands for.
    pub(super) fn role(&self, at: usize) -> Role {
        let Some(item) = self.items.get(at) else { return Role::Open };
        let (t, c, v) = (item.table_score(), item.column_score(), item.value_score());
        let written_as_value = item.kind == Kind::Quoted
            || item.text.chars().next().is_some_and(char::is_uppercase) && at > 0;
        if v > 0.0
            && (v > t.max(c)
                || (written_as_value && v >= 0.84 && t.max(c) <= 1.0 && v >= t.max(c) - 0.08))
        {
            return Role::Value;
        }
        let table = item.tables.first().map(|t| t.0.clone());
        match table {
            Some(table) if t >= 0.6 && t >= c - 0.02 => {
                let owned = item.columns.iter().find(|(at, score)| {
                    *score >= 0.95 && at.table != table && self.pure.contains(&at.table)
                });
                if owned.is_some() && !self.pure.contains(&table) {
                    Role::Column
                } else {
                    Role::Table(table)
                }
            }
            _ if c >= 0.5 => Role::Column,
            Some(table) if t >= 0.5 => Role::Table(table),
            _ if v > 0.0 => Role::Value,
            _ => Role::Open,
        }
    }

    /// The item at a position.
    pub(super) fn item(&self, at: usize) -> Option<&'a Item> {
        self.items.get(at)
    }

    /// The cue at a position.
    pub(super) fn cue_of(&self, at: usize) -> Option<Cue> {
        match self.items.get(at)?.kind {
            Kind::Cue(cue) => Some(cue),
            Kind::Number(_) | Kind::Mention | Kind::Quoted | Kind::Unknown => None,
        }
    }

    /// Skips items that say nothing, and those for which `also` holds.
    pub(super) fn skip(&self, mut at: usize, also: impl Fn(Cue) -> bool) -> usize {
        while self.cue_of(at).is_some_and(|cue| cue == Cue::Filler || also(cue)) {
            at += 1;
        }
        at
    }

    /// The last item before a position that says something.
    pub(super) fn before(&self, at: usize) -> Option<Cue> {
        let mut at = at;
        while at > 0 {
            at -= 1;
            match self.cue_of(at) {
                Some(Cue::Filler | Cue::Distinct) => {}
                other => return other,
            }
        }
        Some(Cue::Stop)
    }

    /// The table of a mention, if it stands for one.
    pub(super) fn table_at(&self, at: usize) -> Option<String> {
        let mention = matches!(self.items.get(at)?.kind, Kind::Mention);
        match self.role(at) {
            Role::Table(table) if mention => Some(table),
            Role::Table(_) | Role::Column | Role::Value | Role::Open => None,
        }
    }

    /// Tells whether a mention stands for a column.
    pub(super) fn is_column(&self, at: usize) -> bool {
        self.items.get(at).is_some_and(|i| i.kind == Kind::Mention) && self.role(at) == Role::Column
    }

    /// The number at a position.
    pub(super) fn number_at(&self, at: usize) -> Option<&'a str> {
        match &self.items.get(at)?.kind {
            Kind::Number(text) => Some(text),
            Kind::Cue(_) | Kind::Mention | Kind::Quoted | Kind::Unknown => None,
        }
    }

    /// Adds an output once.
    pub(super) fn put_out(&mut self, output: Output) {
        if self.distinct && matches!(output, Output::Column(_)) {
            self.sketch.distinct = true;
        }
        self.distinct = false;
        if !self.sketch.outputs.contains(&output) {
            self.sketch.outputs.push(output);
        }
    }

    /// Notes the table that a word speaks of.
    pub(super) fn speak_of(&mut self, table: &str) {
        if self.sketch.about.is_none() {
            self.sketch.about = Some(table.to_owned());
        }
        self.subject = Some(table.to_owned());
    }

    /// An aggregate fits a column: numbers for sums and averages, anything for extremes.
    pub(super) fn fits(&self, function: Aggregate, at: &ColumnRef) -> bool {
        match function {
            Aggregate::Sum | Aggregate::Avg => self.schema.is_number(at),
            Aggregate::Count | Aggregate::Min | Aggregate::Max => true,
        }
    }
}
