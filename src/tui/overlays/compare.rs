//! Two runs side by side over the whole body: which two, reading them, scrolling, copying.

use crate::domain::{Event, RunId};

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::compare::rows::{Band, Row, rows};
use super::super::compare::{self, Comparison};
use super::super::effect::Effect;
use super::super::layout::Layout;
use super::super::moment::RunView;
use super::super::widgets::lines::Line;
use super::super::widgets::scroll;
use super::{Overlay, compare_view};

/// Two runs side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Compare {
    /// The two runs.
    pub runs: (RunId, RunId),
    /// What differs; none while a run is read from memory.
    pub found: Option<Box<Comparison>>,
    /// What is drawn of it.
    pub rows: Vec<Row>,
    /// First row shown.
    pub top: usize,
    /// The band in front where there is room for one only.
    pub band: Band,
}

/// Compares the run on the screen with the one it was made from, else with the one before.
pub fn open(app: &mut App) -> Vec<Effect> {
    let Some(later) = app.run.as_ref().filter(|run| !run.events.is_empty()) else {
        app.say("Nothing was asked yet, so there is nothing to compare.", Tone::Trouble);
        return Vec::new();
    };
    let id = later.id().clone();
    let parent = later.live.question.parent.clone();
    let before = app.former.iter().rev().map(|run| run.id().clone()).find(|run| *run != id);
    let Some(former) = parent.or(before) else {
        let key = app.keys.key_of(Action::History);
        let words = format!("There is no other run yet; {key} lists past ones to compare with.");
        app.say(words, Tone::Trouble);
        return Vec::new();
    };
    between(app, former, id)
}

/// Compares two runs; what isn't at hand is read from memory first.
pub fn between(app: &mut App, former: RunId, later: RunId) -> Vec<Effect> {
    let missing = [&former, &later].into_iter().filter(|id| app.find_run(id).is_none());
    let effects = missing.map(|id| Effect::Fetch(id.clone())).collect();
    app.overlay = Some(Overlay::Compare(Compare {
        runs: (former, later),
        found: None,
        rows: Vec::new(),
        top: 0,
        band: Band::Package,
    }));
    fill(app);
    effects
}

/// Takes a run that was read from memory.
pub fn fetched(app: &mut App, events: Vec<Event>) {
    app.shelve(RunView::replayed(events));
    fill(app);
}

/// Closes a comparison that waits for a run that can't be read.
pub fn not_fetched(app: &mut App) {
    if matches!(&app.overlay, Some(Overlay::Compare(compare)) if compare.found.is_none()) {
        app.overlay = None;
    }
}

/// Compares once both runs are at hand.
fn fill(app: &mut App) {
    let Some(Overlay::Compare(waiting)) = &app.overlay else { return };
    let (Some(former), Some(later)) =
        (app.find_run(&waiting.runs.0), app.find_run(&waiting.runs.1))
    else {
        return;
    };
    let mut found = compare::compare(former, later, app.catalog.dialect);
    found.former.name = name(former, "the former run");
    found.later.name = name(later, "the later run");
    if let Some(Overlay::Compare(compare)) = &mut app.overlay {
        compare.rows = rows(&found);
        compare.found = Some(Box::new(found));
    }
}

fn name(run: &RunView, otherwise: &str) -> String {
    if run.number > 0 { format!("run {}", run.number) } else { otherwise.to_owned() }
}

/// Scrolls, goes to a band, copies, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = Layout::of(app).body;
    let Some(Overlay::Compare(compare)) = &mut app.overlay else { return Vec::new() };
    let (height, count) = compare_view::extent(compare, body);
    if let Some(top) = scroll::by(action, compare.top, height, count) {
        compare.top = top;
        return Vec::new();
    }
    match action {
        Action::Left | Action::FormerPane => compare_view::go_band(compare, body, false),
        Action::Right | Action::NextPane => compare_view::go_band(compare, body, true),
        Action::Copy => {
            let text = plain(&compare.rows);
            app.say("Copied the comparison as text.", Tone::Done);
            return vec![Effect::Copy(text)];
        }
        Action::Cancel | Action::Compare => app.overlay = None,
        _ => {}
    }
    if let Some(Overlay::Compare(compare)) = &mut app.overlay {
        let (height, count) = compare_view::extent(compare, body);
        compare.top = compare.top.min(count.saturating_sub(height));
    }
    Vec::new()
}

/// Writes rows as plain text: `-` before what only the former has, `+` before what the later has.
pub fn plain(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut put = |sign: &str, line: &Line| {
        let words: String = line.iter().map(|(word, _)| word.as_str()).collect();
        text.push_str(format!("{sign}{words}").trim_end());
        text.push('\n');
    };
    for row in rows {
        match row {
            Row::Head(band, line) => {
                put(&format!("{}: ", band.name()), line);
            }
            Row::Wide(line) => put("  ", line),
            Row::Blank => put("", &Line::new()),
            Row::Both { now: Some(now), same: true, .. } => put("  ", now),
            Row::Both { was, now, .. } => {
                if let Some(was) = was {
                    put("- ", was);
                }
                if let Some(now) = now {
                    put("+ ", now);
                }
            }
        }
    }
    text
}
