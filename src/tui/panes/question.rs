//! The question pane: what is asked, what was asked before, and what could be.

use ratatui::layout::{Position, Rect};

use crate::domain::counts::count;
use crate::domain::{RunId, Status};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::drafts;
use super::super::effect::Effect;
use super::super::keymap::{Place, Press};
use super::super::layout::{Layout, Pane};
use super::super::theme::Role;
use super::super::widgets::list::Move;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::asking::Taken;
use super::sql_editor;

/// Does an action in the question pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    if let Some(n) = action.suggestion() {
        if taken(app).is_none() && app.suggestions().get(n).is_some() {
            take(app, n);
            return Vec::new();
        }
        // with nothing on offer, or behind another one, a digit is a letter
        let digit = u32::try_from(n + 1).ok().and_then(|n| char::from_digit(n, 10));
        return digit
            .map(|c| typed(app, plain(crossterm::event::KeyCode::Char(c))))
            .unwrap_or_default();
    }
    let offered = app.question.offers.len();
    match action {
        Action::NewLine => app.question.editor.new_line(false),
        Action::Clear => replace(app, ""),
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
        let own = app.run.as_ref().is_some_and(|run| run.live.question.text.is_empty());
        let key = app.keys.key_of(Action::Ask);
        let words = if own {
            format!("Type a question first; in the SQL pane {key} runs your SQL again.")
        } else {
            "Type a question first.".to_owned()
        };
        app.say(words, Tone::Trouble);
        return Vec::new();
    }
    // a reading that was asked back belongs to the run that asked
    let reading = app.choices().is_some_and(|choices| choices.iter().any(|c| c.trim() == text));
    let parent = app.run.as_ref().filter(|_| reading).map(|run| run.id().clone());
    let mut question = app.made(&text, None, parent);
    if let Some((id, former)) = followed(app).filter(|_| app.question.follow) {
        question.parent = Some(id);
        question.follows = Some(former);
    }
    app.ask(question)
}

/// Tells whether questions can follow up another one, or do.
pub fn can_follow(app: &App) -> bool {
    app.question.follow || followed(app).is_some()
}

/// Returns the run that a follow-up follows, its question and its SQL: the answered one in view.
fn followed(app: &App) -> Option<(RunId, (String, String))> {
    let run = app.run.as_ref()?;
    let answer = run.live.answer.as_ref()?;
    let (n, at) = answer.chosen.filter(|_| answer.status == Status::Answered)?;
    let attempt = run.live.attempts.iter().find(|attempt| attempt.n == n)?;
    let sql = attempt.versions.get(at)?.sql.clone();
    let text = &run.live.question.text;
    let text = if text.is_empty() { "(SQL written by hand)" } else { text };
    Some((run.id().clone(), (text.to_owned(), sql)))
}

/// Switches whether questions follow up the one answered last.
pub fn follow_up(app: &mut App) {
    app.go(Pane::Question);
    if app.question.follow {
        app.question.follow = false;
        app.say("Questions stand by themselves again.", Tone::Done);
    } else if followed(app).is_none() {
        app.say("There is no answered question to follow up yet.", Tone::Trouble);
    } else {
        app.question.follow = true;
        let (words, tone) = if by_rules(app) {
            ("rules carry nothing from one question to the next: only a model does.", Tone::Trouble)
        } else {
            ("Questions now carry tables, filters and measures of the one before.", Tone::Done)
        };
        app.say(words, tone);
    }
}

fn by_rules(app: &App) -> bool {
    app.header.model == "rules"
}

/// Returns the question that was taken from those shown, while it stands as it was taken.
pub fn taken(app: &App) -> Option<&Taken> {
    app.question.taken.as_ref().filter(|t| t.revision == app.question.editor.revision())
}

/// Takes one of the questions shown into the editor: one key asks it then, and a letter goes on from
/// the digit, as typing over a selection does.
fn take(app: &mut App, n: usize) {
    let Some(text) = app.suggestions().get(n).cloned() else { return };
    let before = taken(app).map_or_else(|| app.question.editor.text(), |t| t.before.clone());
    replace(app, &text);
    app.question.editor.select_all();
    app.question.taken = Some(Taken { n, before, revision: app.question.editor.revision() });
}

/// Puts back what stood in the editor before a question was taken.
pub fn give_back(app: &mut App) {
    if let Some(taken) = app.question.taken.take() {
        replace(app, &taken.before);
    }
}

/// Lets a taken question stand as if it was typed: another key than a letter came.
pub fn settle_taken(app: &mut App) {
    if app.question.taken.take().is_some_and(|t| t.revision == app.question.editor.revision()) {
        app.question.editor.go_to(app.question.editor.as_str().len());
    }
}

/// Asks one of the readings of a question that was asked back.
pub fn choose(app: &mut App, n: usize) -> Vec<Effect> {
    let Some(text) = app.choices().and_then(|choices| choices.get(n)).cloned() else {
        return Vec::new();
    };
    let parent = app.run.as_ref().map(|run| run.id().clone());
    app.load_question(&text);
    let question = app.made(&text, None, parent);
    app.ask(question)
}

/// Replaces the whole text, so that it can be taken back.
fn replace(app: &mut App, text: &str) {
    let all = 0..app.question.editor.as_str().len();
    app.question.editor.replace(all, text);
}

impl App {
    /// Shows a question in the editor. One that was typed and not asked stays within reach.
    pub fn load_question(&mut self, text: &str) {
        let unsent = self.unsent_question().then(|| self.question.editor.text().trim().to_owned());
        replace(self, text);
        self.question.back = None;
        let Some(unsent) = unsent.filter(|unsent| unsent != text.trim()) else { return };
        self.question.past.retain(|past| *past != unsent);
        self.question.past.insert(0, unsent);
        let key = self.keys.key_in(&[Place::Question], Action::Earlier).unwrap_or_default();
        self.say(format!("Your unsent question is kept: {key} brings it back."), Tone::Note);
    }
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
    let over = taken(app).filter(|_| press.letter().is_some());
    if let Some(begun) = over.map(|taken| format!("{}{}", taken.before, taken.digit())) {
        app.question.taken = None;
        replace(app, &begun);
    }
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
        return sql_editor::paste(app, text);
    } else {
        app.go(Pane::Question);
        let left = app.question.editor.paste(text);
        say_left(app, left);
        app.question.offers.clear();
    }
    Vec::new()
}

/// Says so when a pasted text was too long to be taken whole.
pub fn say_left(app: &mut App, left: usize) {
    if left > 0 {
        let holds = super::super::widgets::editor::HOLDS >> 20;
        let words =
            format!("An editor holds {holds} MB: {} of the paste left out.", count(left, "byte"));
        app.say(words, Tone::Trouble);
    }
}

/// Takes a click: on a question that is shown it does what its digit does.
pub fn click(app: &mut App, inside: Rect, row: usize) -> Vec<Effect> {
    if let Some(n) = first_suggestion(app, inside).and_then(|first| row.checked_sub(first)) {
        take(app, n);
    }
    Vec::new()
}

/// Counts the rows that text, or what stands there while there is none, takes at a width.
pub fn rows(app: &App, width: u16) -> usize {
    let typed = app.question.editor.wrapped_rows(width);
    if app.question.editor.is_empty() { typed.max(hints(app, width).len()) } else { typed }
}

/// Lists what stands in an empty editor: a text that was kept, else a hint.
fn hints(app: &App, width: u16) -> Vec<(Shown, Role)> {
    if let Some(words) = drafts::words(app) {
        let mut lines: Vec<(Shown, Role)> = Shown::new(&words)
            .wrap(usize::from(width))
            .into_iter()
            .map(|line| (line, Role::Accent))
            .collect();
        let text = drafts::preview(app).unwrap_or("");
        lines.push((Shown::cut(text, usize::from(width)), Role::Dim));
        return lines;
    }
    let words = if app.focus == Pane::Question && !app.suggestions().is_empty() {
        let key = app.keys.key_of(Action::Ask);
        format!("Ask in your own words, or take a number; {key} asks it.")
    } else {
        "Ask in your own words.".to_owned()
    };
    vec![(Shown::new(&words), Role::Dim)]
}

/// Returns the row where suggestions begin.
fn first_suggestion(app: &App, inside: Rect) -> Option<usize> {
    let suggested = app.suggestions().len();
    let rows = rows(app, inside.width.saturating_sub(2));
    let room = usize::from(inside.height);
    (suggested > 0 && rows + suggested <= room).then(|| (rows + 1).min(room - suggested))
}

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    let more = match taken(app) {
        Some(taken) => {
            let key = app.keys.key_of(Action::Ask);
            let words = format!("{key} asks it, typing goes on from {}", taken.digit());
            vec![pen.piece(words, Role::Accent)]
        }
        None if app.question.follow => follows(app, pen),
        None => elsewhere(app, pen),
    };
    let inside = Layout::inside_of(area);
    let mut room = inside.height;
    if let Some(first) = first_suggestion(app, inside) {
        room = cols(first);
    }
    let (top, rows) = app.question.editor.wrapped(inside.width.saturating_sub(2), room);
    let unseen = super::unseen(pen, top, usize::from(room), rows);
    let frame = super::frame(app, pen, Pane::Question, more, unseen);
    let inside = pen.frame(area, &frame);
    let mut text = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    if let Some(first) = first_suggestion(app, inside) {
        text.height = cols(first);
        draw_suggestions(app, pen, inside, cols(first));
    }
    if app.question.editor.is_empty() {
        for ((line, role), y) in hints(app, text.width).iter().zip(text.y..text.bottom()) {
            let style = pen.style(*role);
            pen.put(text.x, y, text.width, line, style);
        }
    }
    let style = pen.style(Role::Text);
    let cursor = app.question.editor.draw_wrapped(pen, text, style);
    cursor.filter(|_| app.focus == Pane::Question)
}

/// Says what the next question follows up.
fn follows(app: &App, pen: &Pen<'_>) -> Vec<Piece> {
    let mut pieces = vec![pen.piece("follows: ", Role::Accent)];
    let Some((_, (text, _))) = followed(app) else {
        pieces.push(pen.piece("the next answer", Role::Dim));
        return pieces;
    };
    if by_rules(app) {
        pieces.push(pen.piece("! not carried by rules: ", Role::Warn));
    }
    pieces.push(pen.piece(text, Role::Text));
    pieces
}

/// Says so when the run looked at answers something else than what stands in the editor.
fn elsewhere(app: &App, pen: &Pen<'_>) -> Vec<Piece> {
    let Some(run) = &app.run else { return Vec::new() };
    let question = &run.live.question;
    let text = app.question.editor.as_str().trim();
    if text.is_empty() || question.text.trim() == text {
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
        if taken(app).is_some_and(|taken| taken.n == usize::from(n)) {
            pen.text(inside.x + 1, y, 1, "▸", Role::Accent);
        }
        let x = pen.text(inside.x + 2, y, 3, &format!("{} ", n + 1), Role::Key);
        pen.text(x + 1, y, inside.right().saturating_sub(x + 2), question, Role::Text);
    }
}
