//! Everything the workbench knows: plain state, changed only by `apply`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::Config;
use crate::domain::{
    Catalog, ColumnStats, ContextPackage, Options, Privacy, Question, RunId, Status, Stops,
    Switches,
};
use crate::pipeline::{CheckReport, Completion, Header, Listed, StoredRun};

use super::drafts::Unsent;
use super::effect::{Effect, Terms};
use super::kept::Kept;
use super::keymap::{Keymap, Press};
use super::layout::{Layout, Pane};
use super::moment::RunView;
use super::mouse::Pointer;
use super::msg::Colours;
use super::overlays::Overlay;
use super::overlays::export::Underway;
use super::panes::result_chart::Charting;
use super::panes::result_look::Looking;
use super::panes::trace::Lens;
use super::splits::Splits;
use super::theme::{Depth, Theme, Themes};
use super::waits::Waits;
use super::widgets::chart::Dots;
use super::widgets::editor::Editor;
use super::widgets::grid::Grid;
use super::widgets::list::Cursor;

/// Notices that are kept to be looked at again.
const NOTICES: usize = 200;
/// Runs looked at before that are kept whole; others are read from memory.
const RUNS_AT_HAND: usize = 8;

/// Whether database and model are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Door {
    /// They are being opened.
    Opening,
    /// They are open.
    Open,
    /// They can't be opened: what, and what to do.
    Shut(String, String),
}

/// How loud a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Done.
    Done,
    /// Failed.
    Trouble,
}

/// What the question pane holds.
#[derive(Debug, Default)]
pub struct Asking {
    /// The text.
    pub editor: Editor,
    /// The text that was asked last.
    pub asked: String,
    /// Questions asked before, newest first.
    pub past: Vec<String>,
    /// Which of them stands in the editor.
    pub back: Option<usize>,
    /// What stood in the editor before going back.
    pub stash: String,
    /// Questions follow up the one answered last, until this is switched off.
    pub follow: bool,
    /// Names on offer at the cursor.
    pub offers: Vec<Completion>,
    /// Which of them would be taken.
    pub offer: Cursor,
}

/// What the context pane holds.
#[derive(Debug, Default)]
pub struct Told {
    /// The component, note or table under the cursor.
    pub cursor: Cursor,
    /// What was switched by hand for the next asking.
    pub switches: Switches,
    /// The package that what is typed or switched would get.
    pub preview: Option<Preview>,
    /// Question and switches that a package was asked for last.
    pub asked_for: Option<(String, Switches)>,
    /// What was measured, by table.
    pub measured: BTreeMap<String, Vec<ColumnStats>>,
}

/// A package that was not sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// Question and switches it is for.
    pub of: (String, Switches),
    /// The package.
    pub package: ContextPackage,
}

/// What the SQL pane holds.
#[derive(Debug, Default)]
pub struct Written {
    /// SQL of one's own.
    pub editor: Editor,
    /// The editor is in front and takes keys.
    pub editing: bool,
    /// The run that the SQL in the editor was made from, and its question.
    pub parent: Option<(RunId, String)>,
    /// SQL that was run or loaded last; the editor holds something new when it differs.
    pub saved: String,
    /// What checking the editor's text found, and the text.
    pub report: Option<CheckReport>,
    /// The text that was checked last.
    pub checked: String,
    /// First line shown.
    pub top: usize,
    /// The SQL is shown laid out, not as it was written.
    pub formatted: bool,
    /// What differs from the former version is shown.
    pub diff: bool,
    /// The SQL looked at, and the same laid out.
    pub laid: (String, String),
    /// What could stand at the cursor.
    pub offers: crate::sql::complete::Offers,
    /// Which of them would be taken.
    pub offer: Cursor,
    /// The state of the text that they were made for.
    pub offers_of: u64,
    /// Colours as they came.
    pub colours: Colours,
    /// Text and theme that colours were asked for.
    pub colouring: Option<(String, String)>,
    /// The SQL looked at, and what it says in plain English.
    pub reading: (String, String),
}

/// The state of the workbench.
pub struct App {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Milliseconds since the start.
    pub clock: u64,
    /// The keys.
    pub keys: Keymap,
    /// Keys pressed that wait for the next one.
    pub pending: Vec<Press>,
    /// Letters are typed in editors, in a key map with modes.
    pub writing: bool,
    /// The looks.
    pub theme: Theme,
    /// Themes to choose from.
    pub themes: Themes,
    /// How many colours there are.
    pub depth: Depth,
    /// The person's own `keymap.toml`.
    pub own_keys: Option<String>,
    /// What is remembered from start to start.
    pub kept: Kept,
    /// What was written of it last.
    pub remembered: Kept,
    /// Sizes of panes chosen by hand.
    pub splits: Splits,
    /// Settings.
    pub config: Arc<Config>,
    /// What was asked to be opened.
    pub terms: Terms,
    /// Whether it is open.
    pub door: Door,
    /// What the header shows.
    pub header: Header,
    /// Structure of the database.
    pub catalog: Arc<Catalog>,
    /// Example questions.
    pub examples: Vec<String>,
    /// Models to choose from.
    pub models: Vec<Listed>,
    /// Databases to choose from.
    pub databases: Vec<String>,
    /// The pane that takes keys.
    pub focus: Pane,
    /// Which of context and trace is in front where they share a place.
    pub lower: Pane,
    /// The focused pane is shown alone.
    pub zoom: bool,
    /// Question pane.
    pub question: Asking,
    /// Context pane.
    pub context: Told,
    /// SQL pane.
    pub sql: Written,
    /// Result pane.
    pub grid: Grid,
    /// The result as a chart, while it is shown as one.
    pub chart: Option<Charting>,
    /// What charts are drawn with.
    pub dots: Dots,
    /// Order, filter and find of the result.
    pub looking: Looking,
    /// The export that goes on, or was done last.
    pub export: Option<Underway>,
    /// The form that was copied as last, by its place among the forms.
    pub copied_as: usize,
    /// How the trace is looked at.
    pub trace: Lens,
    /// Where runs wait for the person, from now on.
    pub stops: Stops,
    /// The run looked at.
    pub run: Option<RunView>,
    /// Runs looked at before, newest last.
    pub former: Vec<RunView>,
    /// How many runs were started.
    pub runs: u32,
    /// How the run looked at was rated.
    pub rated: Option<bool>,
    /// Its pair is marked as verified.
    pub verified: bool,
    /// Questions that wait for the run to end, the next one first.
    pub queue: Vec<Question>,
    /// Past runs as last listed.
    pub stored: Vec<StoredRun>,
    /// Texts in progress, kept over a crash.
    pub unsent: Unsent,
    /// What stands in front.
    pub overlay: Option<Overlay>,
    /// What the mouse did before.
    pub pointer: Pointer,
    /// A word on what was done, and when it was said.
    pub notice: Option<(String, Tone, u64)>,
    /// The workbench is told as plain lines.
    pub linear: bool,
    /// What was said, the last one last.
    pub notices: Vec<(String, Tone, u64)>,
    /// What is being waited for outside a run.
    pub waits: Waits,
    /// When Ctrl-C was pressed with nothing running.
    pub interrupted: Option<u64>,
    /// SQL to be run once the database is open.
    pub waiting_sql: Option<String>,
    /// The exit code, once left.
    pub leave: Option<u8>,
}

impl App {
    /// Makes the state before anything is open.
    pub fn new(config: Arc<Config>, terms: Terms, depth: Depth, keys: Keymap) -> Self {
        let themes = Themes::default();
        let stops = config.options.stops;
        App {
            size: (80, 24),
            clock: 0,
            keys,
            pending: Vec::new(),
            writing: true,
            theme: themes.make("querent-dark", depth).unwrap_or_default(),
            themes,
            depth,
            own_keys: None,
            kept: Kept::default(),
            remembered: Kept::default(),
            splits: Splits::default(),
            config,
            terms,
            door: Door::Opening,
            header: Header::default(),
            catalog: Arc::default(),
            examples: Vec::new(),
            models: Vec::new(),
            databases: Vec::new(),
            focus: Pane::Question,
            lower: Pane::Context,
            zoom: false,
            question: Asking::default(),
            context: Told::default(),
            sql: Written::default(),
            grid: Grid::default(),
            chart: None,
            dots: Dots::default(),
            looking: Looking::default(),
            export: None,
            copied_as: 0,
            trace: Lens::default(),
            stops,
            run: None,
            former: Vec::new(),
            runs: 0,
            rated: None,
            verified: false,
            queue: Vec::new(),
            stored: Vec::new(),
            unsent: Unsent::default(),
            overlay: None,
            pointer: Pointer::default(),
            notice: None,
            linear: false,
            notices: Vec::new(),
            waits: Waits::default(),
            interrupted: None,
            waiting_sql: None,
            leave: None,
        }
    }

    /// Tells whether a run goes on.
    pub fn running(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.running)
    }

    /// Tells whether something on the screen moves by itself.
    pub fn moving(&self) -> bool {
        let waits = super::pause::paused(self).is_some();
        let plays = self.run.as_ref().is_some_and(|run| run.playing.is_some());
        let runs = self.running() && !waits;
        let figures = matches!(&self.overlay, Some(Overlay::Figures(figures)) if figures.waiting());
        let exports = self.export.as_ref().is_some_and(Underway::writing);
        let result = self.looking.waiting() || figures || exports;
        let works = runs || plays || result || self.waits.any();
        works || self.door == Door::Opening || self.notice.is_some()
    }

    /// Lists what can be asked with one key: readings that were asked back, else examples while
    /// the editor is empty.
    pub fn suggestions(&self) -> &[String] {
        let text_is_new = !self.question.editor.is_empty()
            && self.question.editor.as_str().trim() != self.question.asked;
        if text_is_new {
            return &[];
        }
        if let Some(choices) = self.choices() {
            return choices;
        }
        if self.question.editor.is_empty() && self.run.is_none() {
            return self.examples.get(..5).unwrap_or(&self.examples);
        }
        &[]
    }

    /// Lists the readings of a question that was asked back.
    pub fn choices(&self) -> Option<&[String]> {
        let answer = self.run.as_ref()?.live.answer.as_ref()?;
        let clarify = answer.clarify.as_ref().filter(|_| answer.status == Status::Clarify)?;
        Some(&clarify.choices)
    }

    /// Tells whether the SQL pane takes letters.
    pub fn typing_sql(&self) -> bool {
        self.focus == Pane::Sql && (self.sql.editing || self.run.is_none())
    }

    /// Tells whether the SQL pane shows the editor.
    pub fn showing_editor(&self) -> bool {
        self.sql.editing || self.run.is_none()
    }

    /// Tells whether leaving would lose a text.
    pub fn unsaved(&self) -> bool {
        self.unsent_question() || self.unsent_sql()
    }

    /// Tells whether the question in the editor was not asked yet.
    pub fn unsent_question(&self) -> bool {
        let text = self.question.editor.as_str().trim();
        !text.is_empty() && text != self.question.asked
    }

    /// Tells whether the SQL in the editor was neither run nor loaded as it is.
    pub fn unsent_sql(&self) -> bool {
        let text = self.sql.editor.as_str();
        !text.trim().is_empty() && text != self.sql.saved
    }

    /// Returns the privacy level in force.
    pub fn privacy(&self) -> Privacy {
        self.header.privacy.unwrap_or(self.config.options.privacy)
    }

    /// Takes the terminal's size; told as lines, the workbench has a size of its own.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = if self.linear { super::linear::SIZE } else { (width, height) };
    }

    /// Says something in the status line.
    pub fn say(&mut self, words: impl Into<String>, tone: Tone) {
        let notice = (words.into(), tone, self.clock);
        self.notices.push(notice.clone());
        let old = self.notices.len().saturating_sub(NOTICES);
        self.notices.drain(..old);
        self.notice = Some(notice);
    }

    /// Makes a question on the terms in force.
    pub fn made(&self, text: &str, sql: Option<String>, parent: Option<RunId>) -> Question {
        Question {
            text: text.to_owned(),
            sql,
            parent,
            switches: self.context.switches.clone(),
            options: Options {
                privacy: self.privacy(),
                stops: self.stops,
                ..self.config.options.clone()
            },
            ..Question::default()
        }
    }

    /// Starts a question; while a run goes on, it waits for its end.
    pub fn ask(&mut self, question: Question) -> Vec<Effect> {
        if self.door != Door::Open {
            self.say("The database isn't open yet.", Tone::Trouble);
            return Vec::new();
        }
        let waits = super::pause::paused(self).is_some();
        if (self.running() && !waits) || !self.queue.is_empty() {
            return self.wait(question);
        }
        self.start(question)
    }

    /// Starts a question now.
    pub fn start(&mut self, question: Question) -> Vec<Effect> {
        if let Some(sql) = &question.sql {
            self.sql.saved.clone_from(sql);
        }
        if !question.text.is_empty() && question.sql.is_none() {
            question.text.trim().clone_into(&mut self.question.asked);
            self.question.past.retain(|past| *past != question.text);
            self.question.past.insert(0, question.text.clone());
        }
        self.question.back = None;
        self.question.offers.clear();
        self.runs += 1;
        self.rated = None;
        self.verified = false;
        self.sql.editing = false;
        if Layout::of(self).alone {
            // with one pane at a time, the one that tells how it goes
            self.focus = Pane::Result;
        }
        self.sql.top = 0;
        self.trace.top = 0;
        let mut run = RunView::started(RunId::default(), self.clock);
        run.live.question = question.clone();
        run.number = self.runs;
        self.put_in_front(run);
        vec![Effect::Ask(Box::new(question))]
    }

    /// Looks at a run; the one looked at before is kept.
    pub fn put_in_front(&mut self, run: RunView) {
        self.former.retain(|former| *former.id() != *run.id());
        if let Some(former) = self.run.replace(run) {
            self.shelve(former);
        }
    }

    /// Keeps a run at hand, for comparing; the oldest one goes when there are too many.
    pub fn shelve(&mut self, run: RunView) {
        if run.events.is_empty() {
            return;
        }
        self.former.retain(|former| *former.id() != *run.id());
        self.former.push(run);
        let more = self.former.len().saturating_sub(RUNS_AT_HAND);
        self.former.drain(..more);
    }

    /// Finds a run that is at hand.
    pub fn find_run(&self, id: &RunId) -> Option<&RunView> {
        self.run.iter().chain(&self.former).find(|run| *run.id() == *id)
    }
}
