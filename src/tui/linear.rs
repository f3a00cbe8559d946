//! The workbench as plain lines, for screen readers: one pane at a time, changes in reading order.
//!
//! The pane in front is drawn as for a screen and then read off it, without borders, with words for
//! signs. What is new is told as lines that scroll by; below them stands one line that is typed on.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;

use crate::shown::Shown;

use super::app::{App, Door, Tone};
use super::hints;
use super::keymap::{Bound, Chord};
use super::layout::{Layout, Pane};
use super::overlays::{self, Overlay};
use super::panes::result_view;
use super::picking;
use super::view;

/// Columns and rows of the screen that is drawn to be read: wide enough that little is cut.
pub const SIZE: (u16, u16) = (160, 40);

/// What is written: lines that stay, and the line that is typed on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Telling {
    /// Lines that stay.
    pub lines: Vec<String>,
    /// The line that is typed on.
    pub prompt: String,
    /// Letters of it that stand behind the cursor.
    pub behind: usize,
}

/// What was told before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Teller {
    title: String,
    lines: Vec<String>,
    chosen: String,
    status: String,
    prompt: String,
}

impl Teller {
    /// Tells what is new; nothing when nothing is.
    pub fn tell(&mut self, app: &App) -> Option<Telling> {
        let now = read(app);
        let mut lines = Vec::new();
        let elsewhere = now.title != self.title;
        if elsewhere {
            lines.push(now.title.clone());
            lines.extend(now.lines.iter().cloned());
            lines.extend(keys(app));
        } else if !typed_on(app) || now.prompt == self.prompt {
            let mut former = self.lines.clone();
            for line in &now.lines {
                match former.iter().position(|old| old == line) {
                    Some(at) => drop(former.swap_remove(at)),
                    None => lines.push(line.clone()),
                }
            }
        }
        if !now.chosen.is_empty()
            && (elsewhere || now.chosen != self.chosen)
            && !(lines.len() == 1 && lines.first() == Some(&now.chosen))
        {
            lines.push(format!("on: {}", now.chosen));
        }
        if !now.status.is_empty() && now.status != self.status {
            lines.push(now.status.clone());
        }
        if lines.is_empty() && now.prompt == self.prompt {
            *self = now;
            return None;
        }
        let behind = behind(app);
        let prompt = now.prompt.clone();
        *self = now;
        Some(Telling { lines, prompt, behind })
    }
}

/// Reads the pane or overlay in front off a screen that is drawn for this.
fn read(app: &App) -> Teller {
    let (width, height) = app.size;
    let mut cells = Buffer::empty(Rect::new(0, 0, width, height));
    view::draw(app, &mut cells);
    let lay = Layout::of(app);
    let area = picking::frame(app).unwrap_or(lay.pane(app.focus));
    let top = Rect { height: area.height.min(1), ..area };
    let frame = rows(&cells, top).into_iter().next().unwrap_or_default();
    let title = match (&app.overlay, frame.is_empty()) {
        (None, true) => format!("{} pane", app.focus.name()),
        (None, false) => format!("Pane {frame}"),
        (Some(_), _) => frame,
    };
    let inside = overlays::inner(area);
    Teller {
        title,
        lines: rows(&cells, inside).into_iter().filter(|line| !line.is_empty()).collect(),
        chosen: chosen(&cells, inside),
        status: status(app),
        prompt: prompt(app),
    }
}

/// Reads rows of a place as words.
fn rows(cells: &Buffer, area: Rect) -> Vec<String> {
    (area.top()..area.bottom()).map(|y| row(cells, area, y, |_| true)).collect()
}

/// Reads what the cursor of a list or grid is on.
fn chosen(cells: &Buffer, area: Rect) -> String {
    let on = |x: u16, y: u16| {
        cells.cell((x, y)).is_some_and(|cell| cell.modifier.contains(Modifier::REVERSED))
    };
    let hit = (area.top()..area.bottom()).find(|y| (area.left()..area.right()).any(|x| on(x, *y)));
    hit.map(|y| row(cells, area, y, |x| on(x, y))).unwrap_or_default()
}

fn row(cells: &Buffer, area: Rect, y: u16, wanted: impl Fn(u16) -> bool) -> String {
    let mut text = String::new();
    let mut skip = 0;
    for x in (area.left()..area.right()).filter(|x| wanted(*x)) {
        if skip > 0 {
            skip -= 1;
            continue;
        }
        let Some(cell) = cells.cell(Position { x, y }) else { continue };
        skip = ratatui::buffer::CellWidth::cell_width(cell.symbol()).saturating_sub(1);
        text.push_str(cell.symbol());
    }
    words(&text)
}

/// Puts words for signs, and commas for the room between columns.
fn words(text: &str) -> String {
    let mut said = String::new();
    for letter in text.chars() {
        match letter {
            '✓' => said.push_str("passed"),
            '✗' => said.push_str("failed"),
            '■' => said.push_str("in  "),
            '□' => said.push_str("out  "),
            '●' => said.push_str("marked  "),
            '∅' => said.push_str("NULL"),
            '↑' => said.push_str("Up"),
            '↓' => said.push_str("Down"),
            '←' => said.push_str("Left"),
            '→' if said.ends_with(' ') && said.trim() != "" => said.push_str("to"),
            '→' => said.push_str("Right"),
            '▶'
            | '▸'
            | '▾'
            | '▼'
            | '◀'
            | '~'
            | '›'
            | '\u{2500}'..='\u{259f}'
            | '\u{2800}'..='\u{28ff}' => {
                // signs of place, frames, blocks and dots are pictures
                said.push(' ');
            }
            other => said.push(other),
        }
    }
    let pieces: Vec<&str> = said
        .split("  ")
        .map(|piece| piece.trim().trim_matches('·').trim())
        .filter(|piece| !piece.is_empty())
        .collect();
    pieces.join(", ").replace(":, ", ": ").replace(" · ", ", ")
}

/// Tells the keys of the pane or overlay in front.
fn keys(app: &App) -> Option<String> {
    let rows = match &app.overlay {
        Some(_) => hints::reached(app, &app.places()),
        None => hints::of_pane(app, app.focus),
    };
    let said = |(bound, key): (&Bound, &Chord)| {
        let names: Vec<String> = key.presses().iter().map(|press| press.spoken()).collect();
        Some(format!("{} {}", names.join(" "), bound.foot.as_deref()?))
    };
    let keys: Vec<String> = rows.into_iter().filter_map(said).collect();
    (!keys.is_empty()).then(|| format!("keys: {}", keys.join(", ")))
}

/// Tells whether letters go into the line below.
fn typed_on(app: &App) -> bool {
    match &app.overlay {
        None => app.focus == Pane::Question || app.typing_sql(),
        Some(overlay) => matches!(overlay, Overlay::Confirm),
    }
}

/// Returns the line that is typed on.
fn prompt(app: &App) -> String {
    if let Some(overlay) = &app.overlay {
        let filter = overlay.clone().filter().cloned();
        return filter.map_or_else(String::new, |f| format!("narrow: {}", Shown::new(&f).as_str()));
    }
    match app.focus {
        Pane::Question => format!("question: {}", Shown::code(app.question.editor.line()).as_str()),
        Pane::Sql if app.typing_sql() => {
            let (row, _) = app.sql.editor.place();
            format!("sql line {}: {}", row + 1, Shown::code(app.sql.editor.line()).as_str())
        }
        Pane::Context | Pane::Sql | Pane::Result | Pane::Trace => {
            format!("{}: ", app.focus.name().to_lowercase())
        }
    }
}

/// Counts letters behind the cursor of the line that is typed on.
fn behind(app: &App) -> usize {
    if app.overlay.is_some() {
        return 0;
    }
    match app.focus {
        Pane::Question => app.question.editor.behind(),
        Pane::Sql if app.typing_sql() => app.sql.editor.behind(),
        Pane::Context | Pane::Sql | Pane::Result | Pane::Trace => 0,
    }
}

/// Says what matters now; without a clock, so that nothing is told twice.
fn status(app: &App) -> String {
    if let Some((words, tone, _)) = &app.notice {
        let head = if *tone == Tone::Trouble { "note: " } else { "" };
        return format!("{head}{words}");
    }
    match &app.door {
        Door::Opening => return "opening the database".to_owned(),
        Door::Shut(what, hint) => return format!("not open: {what} {hint}"),
        Door::Open => {}
    }
    let Some(run) = &app.run else { return "ready".to_owned() };
    match (&run.live.answer, run.running) {
        (_, true) if run.cancelling => "cancelling".to_owned(),
        (_, true) if run.waiting.is_empty() => "working".to_owned(),
        (_, true) => run.waiting.clone(),
        (Some(answer), false) => {
            let (verdict, _) = result_view::verdict(answer);
            words(&format!("{verdict}  {}", answer_words(app)))
        }
        (None, false) => "ended".to_owned(),
    }
}

/// Says the answer, where it is a sentence.
fn answer_words(app: &App) -> String {
    let answer = app.run.as_ref().and_then(|run| run.live.answer.as_ref());
    answer.map(|answer| answer.summary.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn signs_are_words_and_columns_are_told_with_commas() {
        assert_eq!(words("│ ■ schema    412 ████   bookings │"), "in, schema, 412, bookings");
        assert_eq!(
            words("  ✗ column 'price' doesn't exist"),
            "failed column 'price' doesn't exist"
        );
        assert_eq!(words("╭ Trace ─ 14 events · 1.9 s ─╮"), "Trace, 14 events, 1.9 s");
        assert_eq!(words("──────"), "");
        assert_eq!(words("  ~~~~~ ✗ price → price_cents"), "failed price to price_cents");
        assert_eq!(words(" →, l     The next version"), "Right, l, The next version");
        assert_eq!(words(" reads:  the sum"), "reads: the sum");
    }
}
