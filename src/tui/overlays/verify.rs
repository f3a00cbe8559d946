//! Asks before a pair of question and SQL is marked as verified: what is verified, in whose name, and
//! what is still open about it.

use ratatui::layout::Rect;

use crate::domain::{RunId, Trust};
use crate::shown::{Shown, in_one_line};

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Layout;
use super::super::moment::RunView;
use super::super::panes::trace;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, cols};
use super::super::widgets::scroll;
use super::Overlay;

/// Columns that the question takes at most, with its frame.
const WIDE: u16 = 96;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    run: RunId,
    lines: Vec<(Shown, Role)>,
    /// First line shown.
    top: usize,
}

/// Asks about the pair of the run looked at; says why where it has none.
pub fn open(app: &mut App) {
    if let Some(why) = trace::no_pair(app) {
        app.say(why, Tone::Trouble);
        return;
    }
    let width = area(Layout::of(app).body, usize::MAX).width.saturating_sub(4);
    let Some(run) = &app.run else { return };
    let Some(lines) = lines(app, run, usize::from(width)) else { return };
    app.overlay = Some(Overlay::Verify(Pair { run: run.id().clone(), lines, top: 0 }));
}

/// Says what is open first, then the pair, then what verifying means.
fn lines(app: &App, run: &RunView, width: usize) -> Option<Vec<(Shown, Role)>> {
    let answer = run.live.answer.as_ref()?;
    let (n, at) = answer.chosen?;
    let attempt = run.live.attempts.iter().find(|attempt| attempt.n == n)?;
    let sql = &attempt.versions.get(at)?.sql;
    let mut lines: Vec<(Shown, Role)> = Vec::new();
    let mut say = |head: &str, words: &str, role: Role| {
        let mut head = Shown::new(head);
        for part in Shown::new(&in_one_line(words)).wrap(width.saturating_sub(head.width())) {
            let blank = Shown::from(" ".repeat(head.width()));
            let mut line = std::mem::replace(&mut head, blank);
            line.push(&part);
            lines.push((line, role));
        }
    };
    if answer.trust == Some(Trust::NeedsReview) {
        say(
            "",
            "This answer needs review: look at what is open before you put your name to it.",
            Role::Warn,
        );
        for reason in &answer.reasons {
            say("! ", reason, Role::Warn);
        }
    } else {
        for reason in &answer.reasons {
            say("✓ ", reason, Role::Good);
        }
    }
    for assumption in &answer.assumptions {
        say("· ", &format!("taken for granted: {assumption}"), Role::Dim);
    }
    say("", "", Role::Text);
    say("question  ", &in_one_line(&run.live.question.text), Role::Text);
    let mut head = "SQL       ";
    for line in sql.lines() {
        say(head, &line.replace('\t', "    "), Role::Text);
        head = "          ";
    }
    say("", "", Role::Text);
    let words = "The pair may then serve as an example for models, and answers that equal it are \
                 called certified.";
    say("in the name of  ", &app.config.user, Role::Accent);
    say("", words, Role::Dim);
    Some(lines)
}

/// Verifies, leaves it, scrolls.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else scrolls, or does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = Layout::of(app).body;
    let Some(Overlay::Verify(pair)) = &mut app.overlay else { return Vec::new() };
    match action {
        Action::Yes => {
            let run = pair.run.clone();
            app.overlay = None;
            return vec![Effect::Verify(run, true)];
        }
        Action::No | Action::Cancel => app.overlay = None,
        other => {
            let count = pair.lines.len();
            let height = usize::from(area(body, count).height.saturating_sub(2));
            pair.top = scroll::by(other, pair.top, height, count).unwrap_or(pair.top);
        }
    }
    Vec::new()
}

fn area(body: Rect, lines: usize) -> Rect {
    super::place(body, WIDE, cols(lines.saturating_add(2)))
}

/// Draws the question.
pub fn draw(app: &App, pair: &Pair, pen: &mut Pen<'_>, body: Rect) {
    let area = area(body, pair.lines.len());
    let inside = super::front(app, pen, area, "Verify this pair?", Place::Verify);
    let rows: Vec<_> = pair.lines.iter().map(|(line, role)| (line, *role)).collect();
    scroll::draw(pen, inside, &rows, pair.top);
}
