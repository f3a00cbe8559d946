//! Past runs, newest first: searched, narrowed, looked at, replayed, asked again, compared.

use crate::domain::RunId;
use crate::domain::counts::count;
use crate::pipeline::StoredRun;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::layout::Layout;
use super::super::widgets::list::{Cursor, Move};
use super::{Overlay, history_view};

/// Outcomes that the list can be narrowed to: their word, and the sign of runs that have them.
const OUTCOMES: [(&str, &str); 5] = [
    ("answered", "✓"),
    ("doubtful", "!"),
    ("asked back", "?"),
    ("failed", "✗"),
    ("cancelled", "·"),
];

/// Ratings that the list can be narrowed to.
const RATINGS: [&str; 3] = ["rated good", "rated bad", "verified"];

/// State of the list of past runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Runs {
    /// What narrows the list.
    pub filter: String,
    /// Words are being typed that narrow it.
    pub searching: bool,
    /// The outcome that narrows it.
    outcome: Option<usize>,
    /// The rating that narrows it.
    rating: Option<usize>,
    /// Runs that are marked, at most two.
    pub marked: Vec<RunId>,
    /// The runs; none while they are being read.
    pub runs: Option<Vec<StoredRun>>,
    /// The row chosen.
    pub cursor: Cursor,
}

impl Runs {
    /// Lists what the words, the outcome and the rating leave.
    pub fn rows(&self) -> Vec<&StoredRun> {
        let all = self.runs.as_deref().unwrap_or(&[]);
        let outcome = self.outcome.and_then(|n| OUTCOMES.get(n));
        all.iter()
            .filter(|run| outcome.is_none_or(|(_, sign)| self::outcome(run).0 == *sign))
            .filter(|run| match self.rating {
                None => true,
                Some(0) => run.rating == "+",
                Some(1) => run.rating == "-",
                Some(_) => !run.verified_by.is_empty(),
            })
            .filter(|run| self.filter.trim().is_empty() || super::holds(&text(run), &self.filter))
            .collect()
    }

    /// Returns what narrows the list besides words, in words.
    pub fn narrowed(&self) -> Vec<&'static str> {
        let outcome = self.outcome.and_then(|n| OUTCOMES.get(n)).map(|(word, _)| *word);
        let rating = self.rating.and_then(|n| RATINGS.get(n)).copied();
        outcome.into_iter().chain(rating).collect()
    }

    fn chosen(&self) -> Option<StoredRun> {
        self.rows().get(self.cursor.at).map(|run| (*run).clone())
    }

    /// Marks a run, or takes its mark away; a third mark takes the place of the first.
    fn mark(&mut self, run: RunId) {
        if self.marked.contains(&run) {
            self.marked.retain(|marked| *marked != run);
            return;
        }
        self.marked.push(run);
        let over = self.marked.len().saturating_sub(2);
        self.marked.drain(..over);
    }
}

/// What words of a search are looked for in.
fn text(run: &StoredRun) -> String {
    let (_, outcome) = outcome(run);
    let StoredRun { question, sql, model, asked_at, verified_by, .. } = run;
    format!("{question} {sql} {outcome} {model} {asked_at} {verified_by}")
}

/// Returns the sign and the words of a run's outcome.
pub fn outcome(run: &StoredRun) -> (&'static str, &'static str) {
    match (run.status.as_str(), run.trust.as_str()) {
        ("answered", "needs_review") => ("!", "needs review"),
        ("answered", "certified") => ("✓", "certified"),
        ("answered", _) => ("✓", "grounded"),
        ("clarify", _) => ("?", "asked back"),
        ("cancelled", _) => ("·", "cancelled"),
        ("gave_up", _) => ("✗", "gave up"),
        ("declined", _) => ("✗", "declined"),
        _ => ("✗", "unfinished"),
    }
}

/// Moves, searches, narrows, marks, replays, asks again, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let height = history_view::height(Layout::of(app).body);
    let Some(Overlay::Runs(runs)) = &mut app.overlay else { return Vec::new() };
    if runs.searching && search(runs, action) {
        return Vec::new();
    }
    let count = runs.rows().len();
    match action {
        Action::Find => runs.searching = true,
        Action::Outcomes => narrow(&mut runs.outcome, OUTCOMES.len(), &mut runs.cursor),
        Action::Ratings => narrow(&mut runs.rating, RATINGS.len(), &mut runs.cursor),
        Action::Cancel if !runs.filter.is_empty() || !runs.narrowed().is_empty() => {
            runs.filter.clear();
            (runs.outcome, runs.rating) = (None, None);
            runs.cursor = Cursor::default();
        }
        Action::Cancel => app.overlay = None,
        Action::Compare => return compare(app),
        Action::Mark | Action::Open | Action::Again | Action::Copy => {
            if let Some(run) = runs.chosen() {
                return with(app, action, run);
            }
        }
        other => {
            if let Some(step) = Move::of(other, height) {
                runs.cursor.step(step, height, count);
            }
        }
    }
    Vec::new()
}

/// Does what an action means while words are typed; tells whether it means anything then.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else is as in the list")]
fn search(runs: &mut Runs, action: Action) -> bool {
    match action {
        Action::Open => runs.searching = false,
        Action::Clear => runs.filter.clear(),
        Action::Cancel => {
            runs.filter.clear();
            runs.searching = false;
        }
        _ => return false,
    }
    if action != Action::Open {
        runs.cursor = Cursor::default();
    }
    true
}

/// Goes on to the next of `count` ways to narrow the list; behind the last one stands none.
fn narrow(by: &mut Option<usize>, count: usize, cursor: &mut Cursor) {
    *by = match *by {
        None => Some(0),
        Some(n) if n + 1 < count => Some(n + 1),
        Some(_) => None,
    };
    *cursor = Cursor::default();
}

/// Does an action with the chosen run.
#[expect(clippy::wildcard_enum_match_arm, reason = "only these four are done with a run")]
fn with(app: &mut App, action: Action, run: StoredRun) -> Vec<Effect> {
    match action {
        Action::Mark => {
            if let Some(Overlay::Runs(runs)) = &mut app.overlay {
                runs.mark(run.run);
                let count = runs.rows().len();
                runs.cursor.go(super::super::widgets::list::Move::By(1), count);
            }
        }
        Action::Open => {
            app.overlay = None;
            return vec![Effect::Replay(run.run)];
        }
        Action::Copy if run.sql.is_empty() => {
            app.say("This run has no SQL that answered it.", Tone::Trouble);
        }
        Action::Copy => {
            app.say(format!("Copied the SQL, {}.", count(run.sql.len(), "byte")), Tone::Done);
            return vec![Effect::Copy(run.sql)];
        }
        _ => return again(app, &run),
    }
    Vec::new()
}

/// Asks a past question again, on the terms in force now.
fn again(app: &mut App, run: &StoredRun) -> Vec<Effect> {
    app.overlay = None;
    // where only SQL was given, it stands in the place of the words
    if run.question == run.sql {
        let question = app.made("", Some(run.sql.clone()), None);
        return app.ask(question);
    }
    app.load_question(&run.question);
    let question = app.made(&run.question, None, None);
    app.ask(question)
}

fn compare(app: &mut App) -> Vec<Effect> {
    let Some(Overlay::Runs(runs)) = &app.overlay else { return Vec::new() };
    let marked = runs.marked.clone();
    let [one, other] = marked.as_slice() else {
        let key = app.keys.key_in(&[super::super::keymap::Place::Runs], Action::Mark);
        let words = format!("Mark two runs with {} first.", key.unwrap_or_default());
        app.say(words, Tone::Trouble);
        return Vec::new();
    };
    // names of runs grow with time: the older one stands at the left
    let (older, newer) = if one < other { (one, other) } else { (other, one) };
    super::compare::between(app, older.clone(), newer.clone())
}
