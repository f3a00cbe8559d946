//! Everything the workbench knows: plain state, changed only by `apply`.

use std::sync::Arc;

use crate::config::Config;
use crate::domain::{Catalog, Privacy, Question, Status, Stops};
use crate::pipeline::{Connection, Header, Listed, StoredRun};

use super::action::Action;
use super::drafts::Unsent;
use super::effect::Terms;
use super::kept::Kept;
use super::keymap::{Chord, Found, Keymap, Press};
use super::layout::Pane;
use super::moment::RunView;
use super::mouse::Pointer;
use super::overlays::Overlay;
use super::overlays::export::Underway;
use super::panes::result_chart::Charting;
use super::panes::result_kept::Looks;
use super::panes::result_look::Looking;
use super::panes::sql_written::Written;
use super::panes::trace::Lens;
use super::said::Subject;
use super::splits::Splits;
use super::theme::{Depth, Role, Theme, Themes};
use super::waits::Waits;
use super::widgets::chart::Dots;
use super::widgets::grid::Grid;

pub use super::panes::asking::Asking;
pub use super::panes::told::{Preview, Told};

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
    /// Nothing was to be done, or nothing was changed by it.
    Note,
    /// Failed.
    Trouble,
}

impl Tone {
    /// Returns the sign that stands before a notice, and its look.
    pub fn sign(self) -> (&'static str, Role) {
        match self {
            Tone::Done => ("✓", Role::Good),
            Tone::Note => ("·", Role::Dim),
            Tone::Trouble => ("!", Role::Warn),
        }
    }
}

/// The state of the workbench.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own: no states exclude")]
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
    /// Databases to choose from: each with the words that open it, in which a password may stand.
    pub databases: Vec<(String, Connection)>,
    /// What was asked for when that was opened which is open.
    pub served: Terms,
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
    /// How other results were looked at.
    pub looks: Looks,
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
    /// What it is about; none where it stands for its time, whatever happens.
    pub notice_about: Option<Subject>,
    /// How often something was said.
    pub said: u64,
    /// The workbench is told as plain lines.
    pub linear: bool,
    /// What was said, the last one last.
    pub notices: Vec<(String, Tone, u64)>,
    /// Where knowledge disagrees with the schema, as last told.
    pub drift: Vec<String>,
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
        let databases = super::switching::choices(&config);
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
            databases,
            served: Terms::default(),
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
            looks: Looks::default(),
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
            notice_about: None,
            said: 0,
            linear: false,
            notices: Vec::new(),
            drift: Vec::new(),
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

    /// Lists what can be taken with one key: readings that were asked back, else examples while
    /// the editor is empty.
    pub fn suggestions(&self) -> &[String] {
        // one that was taken leaves the list as it stands
        let taken = super::panes::question::taken(self).is_some();
        let text_is_new = !self.question.editor.is_empty()
            && self.question.editor.as_str().trim() != self.question.asked;
        if text_is_new && !taken {
            return &[];
        }
        if let Some(choices) = self.choices() {
            return choices;
        }
        if (self.question.editor.is_empty() || taken) && self.run.is_none() {
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
        self.sql.unsent()
    }

    /// Returns the privacy level in force.
    pub fn privacy(&self) -> Privacy {
        self.header.privacy.unwrap_or(self.config.options.privacy)
    }

    /// Takes the terminal's size; told as lines, the workbench has a size of its own.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = if self.linear { super::linear::SIZE } else { (width, height) };
    }

    /// Returns the key that does an action right now, wherever the focus is; none when none does.
    pub fn key_now(&self, action: Action) -> Option<String> {
        let places = self.places();
        let rows = places.iter().flat_map(|place| {
            self.keys.rows().iter().filter(move |b| b.place == *place && b.action == action)
        });
        let does = |key: &&Chord| self.keys.look(&places, key.presses()) == Found::Does(action);
        rows.flat_map(|bound| &bound.keys).find(does).map(Chord::words)
    }
}
