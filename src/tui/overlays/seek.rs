//! Finds words in the trace: in lines, in what steps found, and in the SQL that was written.

use ratatui::layout::Rect;

use crate::domain::Happened;
use crate::domain::counts::count;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Pane;
use super::super::moment::RunView;
use super::super::panes::{children, steps, trace};
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

/// Tells whether an event holds the words, and whether only in what is folded.
fn holds(run: &RunView, n: usize, words: &str) -> Option<bool> {
    let event = run.events.get(n)?;
    let told = steps::told(&event.happened);
    let has = |text: &str| first(text, words).is_some();
    if has(told.label) || has(&told.detail) {
        return Some(false);
    }
    let inner = children::of(run, n).iter().any(|line| has(&line.label) || has(&line.detail));
    if inner {
        return Some(true);
    }
    let written =
        if let Happened::Drafted { sql, .. } | Happened::Rewritten { sql, .. } = &event.happened {
            has(sql)
        } else if let Happened::Asked { question, .. } = &event.happened {
            has(&question.text)
        } else {
            false
        };
    written.then_some(false)
}

/// Goes to the next or former event that holds the words, round the ends.
fn go(app: &mut App, from: usize, forward: bool, with_here: bool) -> bool {
    let words = app.trace.find.clone();
    let Some(run) = &mut app.run else { return false };
    let count = run.events.len();
    if count == 0 || words.is_empty() {
        return false;
    }
    let skip = usize::from(!with_here);
    let nth = |k: usize| if forward { (from + k) % count } else { (from + count - k) % count };
    let hit = (skip..count + skip).map(nth).find_map(|n| Some((n, holds(run, n, &words)?)));
    let Some((event, folded)) = hit else { return false };
    if folded {
        run.opened.insert(event);
    }
    trace::goto(run, event, 0);
    true
}

/// Finds the words again, forward or back.
pub fn again(app: &mut App, forward: bool) {
    let at = app.run.as_ref().and_then(RunView::at).unwrap_or(0);
    if app.trace.find.is_empty() {
        app.say("Nothing was looked for yet.", Tone::Trouble);
    } else if !go(app, at, forward, false) {
        app.say(format!("'{}' isn't in this run.", app.trace.find), Tone::Trouble);
    }
}

/// Looks for what was typed so far, from where the cursor stood.
pub fn typed(app: &mut App) {
    let Some(Overlay::Seek(seek)) = &app.overlay else { return };
    let (from, words) = (seek.from.0, seek.filter.clone());
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
    super::filter_line(pen, inside, &seek.filter, "words in lines, findings or SQL");
    let hits = app.run.as_ref().map_or(0, |run| {
        (0..run.events.len()).filter(|n| holds(run, *n, &seek.filter).is_some()).count()
    });
    if !seek.filter.is_empty() {
        let words = if hits == 0 { "nothing".to_owned() } else { count(hits, "event") };
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
