//! Reads items from left to right into a sketch: who owns a word, and which rule takes it.

use crate::domain::ColumnRef;
use crate::domain::plan::Aggregate;

use super::cues::{Cue, Quality};
use super::items::{Item, Kind};
use super::schema::Schema;
use super::sketch::{Group, Output, Size, Sketch};

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
    /// Tables named purely as tables, anywhere.
    pub(super) pure: Vec<String>,
}

/// Tells whether a word looks like a verb that relates rows: "the tweets posted by users".
fn is_relation(text: &str) -> bool {
    const IRREGULAR: &[&str] =
        &["made", "led", "won", "held", "chosen", "chose", "given", "driven"];
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
        match &item.kind {
            Kind::Cue(cue) => self.cue(at, *cue),
            Kind::Number(_) => self.number(at),
            Kind::Mention | Kind::Quoted => self.mention(at),
            Kind::Unknown => {
                if let Some(next) = self.shared_noun(at).or_else(|| self.comparative(at)) {
                    return next;
                }
                self.unknown(at);
                at + 1
            }
        }
    }

    fn unknown(&mut self, at: usize) {
        let text = self.items.get(at).map(|i| i.text.clone()).unwrap_or_default();
        let counted = self.sketch.outputs.iter().any(|o| matches!(o, Output::Rows(_)));
        if ["number", "count", "counts"].contains(&text.as_str()) && counted {
            return;
        }
        if is_relation(&text) && !self.counting {
            // A verb in the past says how rows belong together; the keys say the same.
            return;
        }
        self.sketch.open.push(text);
    }

    fn mention(&mut self, at: usize) -> usize {
        match self.role(at) {
            Role::Table(table) => self.table(at, &table),
            Role::Column => self.column(at),
            Role::Value => self.value(at),
            Role::Open => {
                self.unknown(at);
                at + 1
            }
        }
    }

    fn cue(&mut self, at: usize, cue: Cue) -> usize {
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
            Cue::Unknown | Cue::After(_) => {
                self.unknown(at);
                at + 1
            }
            Cue::Everything => {
                self.sketch.distinct = false;
                self.each_output = false;
                self.implied.push(Output::Everything(String::new()));
                at + 1
            }
            Cue::Stop => {
                self.stop(at);
                at + 1
            }
            Cue::Not | Cue::Except => {
                self.negated = true;
                self.zone = Zone::Conditions;
                at + 1
            }
            Cue::Distinct => {
                let measured = self
                    .sketch
                    .outputs
                    .iter()
                    .any(|o| matches!(o, Output::Aggregate(..) | Output::Rows(_)));
                if measured && matches!(self.before(at), Some(Cue::For | Cue::In | Cue::Of)) {
                    return self.each(at);
                }
                self.distinct = true;
                at + 1
            }
            Cue::Both | Cue::Either => {
                self.both = cue == Cue::Both;
                at + 1
            }
            Cue::Or => {
                self.or = true;
                at + 1
            }
            Cue::Whose | Cue::That => {
                self.zone = Zone::Conditions;
                if cue == Cue::Whose {
                    self.missing = None;
                }
                at + 1
            }
            Cue::Lead | Cue::Which | Cue::Who => {
                if at > 0 {
                    self.missing = None;
                }
                if self.sketch.about.is_none() || cue == Cue::Lead {
                    self.zone = Zone::Outputs;
                }
                at + 1
            }
            Cue::And => {
                self.missing = None;
                at + 1
            }
            Cue::Comma
            | Cue::Of
            | Cue::In
            | Cue::For
            | Cue::With
            | Cue::Is
            | Cue::Have
            | Cue::Their
            | Cue::Filler => at + 1,
        }
    }

    fn stop(&mut self, at: usize) {
        self.missing = None;
        self.negated = false;
        self.or = false;
        if at + 1 < self.items.len() {
            self.zone = Zone::Outputs;
            self.subject = self.sketch.about.clone();
        }
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

    fn finish(&mut self) {
        if self.counting {
            self.sketch.open.push("how many".to_owned());
        }
        if self.negated {
            self.sketch.open.push("not".to_owned());
        }
        self.finish_outputs();
        self.finish_extremes();
        self.finish_order();
        if self.each_output && self.sketch.groups.is_empty() {
            let columns = self.sketch.outputs.iter().filter_map(|o| match o {
                Output::Column(at) => Some(Group::Column(at.clone())),
                Output::Everything(_)
                | Output::Aggregate(..)
                | Output::Rows(_)
                | Output::Different(_) => None,
            });
            self.sketch.groups = columns.collect();
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
            Output::Everything(_) | Output::Different(_) => None,
        });
        match (first, self.sketch.order.is_empty()) {
            (Some(size), true) => self.sketch.order.push((size, descending)),
            (_, false) => {}
            (None, true) => self.sketch.open.push("the order of what".to_owned()),
        }
    }

    /// An aggregate fits a column: numbers for sums and averages, anything for extremes.
    pub(super) fn fits(&self, function: Aggregate, at: &ColumnRef) -> bool {
        match function {
            Aggregate::Sum | Aggregate::Avg => self.schema.is_number(at),
            Aggregate::Count | Aggregate::Min | Aggregate::Max => true,
        }
    }
}
