//! Finds words in the trace: in what its lines say, folded ones too.

use ratatui::layout::Rect;

use crate::domain::counts::count;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Pane;
use super::super::moment::{RunView, about};
use super::super::panes::trace;
use super::super::panes::tree::{self, Filter};
use super::super::theme::Role;
use super::super::widgets::pen::Pen;
use super::Overlay;

/// What is being looked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seek {
    /// The words as typed.
    pub filter: String,
    /// Where the cursor stood before: event, child, following.
    from: (usize, usize, bool),
}

impl Seek {
    /// Starts at the cursor.
    pub fn of(app: &App) -> Self {
        let from = app
            .run
            .as_ref()
            .map_or((0, 0, true), |run| (run.at().unwrap_or(0), run.child, run.cursor.is_none()));
        Seek { filter: String::new(), from }
    }
}

/// Returns the bytes of a text where the words stand, whatever the letter case.
pub fn found(text: &str, words: &str) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some((start, end)) = text.get(from..).and_then(|rest| first(rest, words)) {
        places.push((from + start, from + end));
        from += end;
    }
    places
}

/// Finds the first place, letter by letter: lower case may have another length.
fn first(text: &str, words: &str) -> Option<(usize, usize)> {
    if words.is_empty() {
        return None;
    }
    let same = |a: char, b: char| a == b || a.to_lowercase().eq(b.to_lowercase());
    text.char_indices().find_map(|(start, _)| {
        let mut letters = text.get(start..)?.char_indices();
        let mut end = start;
        for wanted in words.chars() {
            let (at, letter) = letters.next().filter(|(_, letter)| same(*letter, wanted))?;
            end = start + at + letter.len_utf8();
        }
        Some((start, end))
    })
}

/// Lists the places of lines that hold the words, as they are drawn; folded ones too. The head of an
/// attempt stands for the line below it.
fn places(run: &RunView, filter: Filter, words: &str) -> Vec<(usize, usize)> {
    let lines = tree::unfolded(run, filter);
    let holds = |text: &str| first(text, words).is_some();
    let place = |n: usize| lines.iter().skip(n).find_map(|line| Some((line.event?, line.child)));
    let held =
        lines.iter().enumerate().filter(|(_, line)| holds(&line.label) || holds(&line.detail));
    let mut places: Vec<(usize, usize)> = held.filter_map(|(n, _)| place(n)).collect();
    places.dedup();
    places
}

/// Goes to the next place from one on, or behind it; tells whether there is one.
fn go(app: &mut App, from: (usize, usize), forward: bool, with_here: bool) -> bool {
    let words = app.trace.find.clone();
    let filter = app.trace.filter;
    let Some(run) = app.run.as_mut().filter(|_| !words.is_empty()) else { return false };
    let places = places(run, filter, &words);
    let hit = if forward {
        let ahead = |place: &&(usize, usize)| **place > from || with_here && **place == from;
        places.iter().find(ahead).or(places.first())
    } else {
        places.iter().rfind(|place| **place < from).or(places.last())
    };
    let Some((event, child)) = hit.copied() else { return false };
    if child > 0 {
        run.opened.insert(event);
    }
    if let Some((attempt, _)) = run.events.get(event).and_then(about) {
        run.folds.remove(&attempt);
    }
    trace::goto(run, event, child);
    true
}

/// Finds the words again, forward or back.
pub fn again(app: &mut App, forward: bool) {
    let at = app.run.as_ref().map_or((0, 0), |run| (run.at().unwrap_or(0), run.child));
    if app.trace.find.is_empty() {
        app.say("Nothing was looked for yet.", Tone::Trouble);
    } else if !go(app, at, forward, false) {
        app.say(format!("'{}' isn't in these lines.", app.trace.find), Tone::Trouble);
    }
}

/// Looks for what was typed so far, from where the cursor stood.
pub fn typed(app: &mut App) {
    let Some(Overlay::Seek(seek)) = &app.overlay else { return };
    let (from, words) = ((seek.from.0, seek.from.1), seek.filter.clone());
    app.trace.find = words;
    if !go(app, from, true, true) {
        back(app);
    }
}

/// Goes back to where the cursor stood.
fn back(app: &mut App) {
    let Some(Overlay::Seek(seek)) = &app.overlay else { return };
    let (event, child, following) = seek.from;
    let Some(run) = &mut app.run else { return };
    if following {
        run.follow();
    } else {
        run.look_at(event);
    }
    run.child = child;
}

/// Keeps what was found, or goes back.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match action {
        Action::Open => app.overlay = None,
        Action::Up => again(app, false),
        Action::Down => again(app, true),
        Action::Cancel => {
            back(app);
            app.trace.find.clear();
            app.overlay = None;
        }
        _ => {}
    }
    Vec::new()
}

/// Draws the line at the foot of the trace.
pub fn draw(app: &App, seek: &Seek, pen: &mut Pen<'_>, body: Rect) {
    let inside = app.inside(Pane::Trace);
    let below = if inside.height >= 4 { inside } else { body };
    let area = Rect::new(below.x, below.bottom().saturating_sub(2), below.width.min(60), 3);
    let inside = super::front(app, pen, area.intersection(body), "Find in the trace", Place::Seek);
    super::filter_line(pen, inside, &seek.filter, "words in what the lines say");
    let run = app.run.as_ref();
    let hits = run.map_or(0, |run| places(run, app.trace.filter, &seek.filter).len());
    if !seek.filter.is_empty() {
        let words = if hits == 0 { "nothing".to_owned() } else { count(hits, "line") };
        let role = if hits == 0 { Role::Warn } else { Role::Dim };
        pen.text_right(inside.right().saturating_sub(1), inside.y, 14, &words, role);
    }
}

#[cfg(test)]
mod tests {
    use super::found;

    #[test]
    fn words_are_found_whatever_the_letter_case() {
        assert_eq!(found("Price and PRICE", "price"), [(0, 5), (10, 15)]);
        assert_eq!(found("straße", "SSE"), []);
        assert_eq!(found("größe", "ÖSS"), []);
        assert_eq!(found("größe", "GRÖ"), [(0, 4)]);
        assert_eq!(found("anything", ""), []);
        assert_eq!(found("aaa", "aa"), [(0, 2)]);
    }
}
