//! The question pane: what is asked, what was asked before, and what could be.

use ratatui::layout::{Position, Rect};

use super::super::action::Action;
use super::super::app::App;
use super::super::effect::Effect;
use super::super::keymap::Press;
use super::super::layout::Pane;
use super::super::theme::Role;
use super::super::widgets::list::Move;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::sql;

/// Names on offer that are shown at once.
const OFFERS_SHOWN: usize = 6;

/// Does an action in the question pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    if let Some(n) = action.suggestion() {
        return suggested(app, n);
    }
    let offered = app.question.offers.len();
    match action {
        Action::NewLine => app.question.editor.new_line(),
        Action::Clear => app.question.editor.set(""),
        Action::Complete => {
            if let Some(offer) = app.question.offers.get(app.question.offer.at) {
                let text = offer.text.clone();
                app.question.editor.replace_word(&text);
            }
            app.question.offers.clear();
        }
        Action::Up if offered > 0 => app.question.offer.go(Move::By(-1), offered),
        Action::Down if offered > 0 => app.question.offer.go(Move::By(1), offered),
        Action::Earlier => earlier(app),
        Action::Later => later(app),
        _ => {}
    }
    Vec::new()
}

/// Asks the question in the editor.
pub fn ask(app: &mut App) -> Vec<Effect> {
    let text = app.question.editor.text().trim().to_owned();
    if text.is_empty() {
        app.say("Type a question first.", super::super::app::Tone::Trouble);
        return Vec::new();
    }
    let question = app.made(&text, None, None);
    app.ask(question)
}

/// Asks one of the suggested questions.
pub fn suggested(app: &mut App, n: usize) -> Vec<Effect> {
    let Some(text) = app.suggestions().get(n).cloned() else { return Vec::new() };
    let parent = app.choices().and(app.run.as_ref()).map(|run| run.id().clone());
    app.question.editor.set(&text);
    let question = app.made(&text, None, parent);
    app.ask(question)
}

/// Goes back in history when the cursor is in the first line.
fn earlier(app: &mut App) {
    if app.question.editor.place().0 > 0 {
        app.question.editor.press(plain(crossterm::event::KeyCode::Up));
        return;
    }
    let back = app.question.back.map_or(0, |n| n + 1);
    let current = app.question.editor.text();
    // the question that was asked just now already stands in the editor
    let back = if app.question.past.get(back).is_some_and(|past| *past == current) {
        back + 1
    } else {
        back
    };
    if let Some(past) = app.question.past.get(back).cloned() {
        if app.question.back.is_none() {
            app.question.stash = current;
        }
        app.question.back = Some(back);
        app.question.editor.set(&past);
    }
}

/// Comes on in history when the cursor is in the last line.
fn later(app: &mut App) {
    let (row, rows) = app.question.editor.place();
    if row + 1 < rows {
        app.question.editor.press(plain(crossterm::event::KeyCode::Down));
        return;
    }
    match app.question.back {
        None => {}
        Some(0) => {
            let stash = std::mem::take(&mut app.question.stash);
            app.question.editor.set(&stash);
            app.question.back = None;
        }
        Some(n) => {
            app.question.back = Some(n - 1);
            if let Some(past) = app.question.past.get(n - 1).cloned() {
                app.question.editor.set(&past);
            }
        }
    }
}

fn plain(code: crossterm::event::KeyCode) -> Press {
    Press { code, with: crossterm::event::KeyModifiers::NONE }
}

/// Types into the editor; names are offered behind two letters.
pub fn typed(app: &mut App, press: Press) -> Vec<Effect> {
    let changed = app.question.editor.press(press);
    if !changed {
        app.question.offers.clear();
        return Vec::new();
    }
    app.question.back = None;
    let word = app.question.editor.word();
    if word.chars().count() < 2 {
        app.question.offers.clear();
        return Vec::new();
    }
    vec![Effect::Complete(word.to_owned())]
}

/// Pastes where typing goes.
pub fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    if app.overlay.is_some() {
        super::super::overlays::pasted(app, text);
    } else if app.typing_sql() {
        app.sql.editor.paste(text);
        return sql::changed(app);
    } else {
        app.go(Pane::Question);
        app.question.editor.paste(text);
        app.question.offers.clear();
    }
    Vec::new()
}

/// Takes a click: on a suggestion it asks it.
pub fn click(app: &mut App, inside: Rect, row: usize) -> Vec<Effect> {
    match first_suggestion(app, inside).and_then(|first| row.checked_sub(first)) {
        Some(n) => suggested(app, n),
        None => Vec::new(),
    }
}

/// Returns the row where suggestions begin.
fn first_suggestion(app: &App, inside: Rect) -> Option<usize> {
    let suggested = app.suggestions().len();
    let rows = app.question.editor.wrapped_rows(inside.width.saturating_sub(2));
    let room = usize::from(inside.height);
    (suggested > 0 && rows + suggested <= room).then(|| (rows + 1).min(room - suggested))
}

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    let frame = super::frame(app, pen, Pane::Question, elsewhere(app, pen), Vec::new());
    let inside = pen.frame(area, &frame);
    let mut text = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    if let Some(first) = first_suggestion(app, inside) {
        text.height = cols(first);
        draw_suggestions(app, pen, inside, cols(first));
    }
    if app.question.editor.is_empty() {
        let hint = if app.focus == Pane::Question {
            "Ask in your own words, or press the number of a question below."
        } else {
            "Ask in your own words."
        };
        let hint = if app.suggestions().is_empty() { "Ask in your own words." } else { hint };
        pen.text(text.x, text.y, text.width, hint, Role::Dim);
    }
    let style = pen.style(Role::Text);
    let cursor = app.question.editor.draw_wrapped(pen, text, style);
    cursor.filter(|_| app.focus == Pane::Question)
}

/// Says so when the run looked at answers something else than what stands in the editor.
fn elsewhere(app: &App, pen: &Pen<'_>) -> Vec<Piece> {
    let Some(run) = &app.run else { return Vec::new() };
    let question = &run.live.question;
    let text = app.question.editor.text();
    if text.trim().is_empty() || question.text.trim() == text.trim() {
        return Vec::new();
    }
    let words = match (&question.sql, question.text.is_empty()) {
        (Some(_), true) => "the run looked at is SQL of your own",
        (Some(_) | None, _) => "the run looked at answers another question",
    };
    vec![pen.piece(words, Role::Dim)]
}

fn draw_suggestions(app: &App, pen: &mut Pen<'_>, inside: Rect, first: u16) {
    for (n, question) in (0u16..).zip(app.suggestions()) {
        let y = inside.y + first + n;
        if y >= inside.bottom() {
            break;
        }
        let x = pen.text(inside.x + 2, y, 3, &format!("{} ", n + 1), Role::Key);
        pen.text(x + 1, y, inside.right().saturating_sub(x + 2), question, Role::Text);
    }
}

/// Draws the names on offer below the cursor, over whatever is there.
pub fn draw_offers(app: &App, pen: &mut Pen<'_>, at: Position, body: Rect) {
    let offers = &app.question.offers;
    if offers.is_empty() || app.focus != Pane::Question {
        return;
    }
    let wide = |of: &dyn Fn(&crate::pipeline::Completion) -> usize| {
        cols(offers.iter().map(of).max().unwrap_or(0))
    };
    let (texts, whats) = (wide(&|o| o.text.chars().count()), wide(&|o| o.what.chars().count()));
    let width = (texts + whats + 4).clamp(16, 70).min(body.width);
    let height = cols(offers.len().min(OFFERS_SHOWN)).min(body.bottom().saturating_sub(at.y + 1));
    let back = cols(app.question.editor.word().chars().count());
    let x = at.x.saturating_sub(back + 1).min(body.right().saturating_sub(width));
    let area = Rect::new(x, at.y + 1, width, height);
    pen.fill(area, Role::Overlay);
    let mut cursor = app.question.offer;
    cursor.settle(usize::from(height), offers.len());
    for (n, offer) in offers.iter().enumerate().skip(cursor.top).take(usize::from(height)) {
        let y = area.y + cols(n - cursor.top);
        let right =
            pen.text_right(area.right() - 1, y, whats.min(width - 10), &offer.what, Role::Dim);
        pen.text(area.x + 1, y, right.saturating_sub(area.x + 2), &offer.text, Role::Overlay);
        if n == cursor.at {
            pen.lay(Rect::new(area.x, y, width, 1), Role::Cursor);
        }
    }
}
