//! State to cells: the panes between header and status line, and what stands in front. Pure; draws
//! nothing unseen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::app::App;
use super::header;
use super::layout::{Layout, NEEDED, Pane, Room};
use super::overlays;
use super::panes;
use super::status;
use super::theme::Role;
use super::widgets::pen::{Pen, cols};
use super::widgets::tabs;

/// Signs of something going on, a step every tenth of a second.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// Draws the whole screen; returns where the terminal's cursor belongs.
pub fn draw(app: &App, cells: &mut Buffer) -> Option<Position> {
    let lay = Layout::of(app);
    let mut pen = Pen { cells, theme: &app.theme };
    pen.fill(Rect::new(0, 0, app.size.0, app.size.1), Role::Ground);
    if lay.room == Room::Tiny {
        too_small(&mut pen, lay.body);
        return None;
    }
    header::draw(app, &mut pen, lay.header);
    if lay.tabs.height > 0 {
        let front = Pane::ALL.iter().position(|pane| *pane == app.focus).unwrap_or(0);
        tabs::line(&mut pen, lay.tabs, &Pane::ALL.map(Pane::name), front);
    }
    let mut cursor = panes::draw(app, &mut pen, &lay);
    status::draw(app, &mut pen, lay.status);
    if let Some(at) = cursor {
        panes::offers::draw(app, &mut pen, at, lay.body);
    }
    if app.overlay.is_some() {
        overlays::draw(app, &mut pen, lay.body);
        cursor = None;
    }
    cursor
}

/// Returns the sign of something going on, at this moment.
pub(super) fn spin(app: &App) -> &'static str {
    let step = usize::try_from(app.clock / 100).unwrap_or(0);
    SPINNER.get(step % SPINNER.len()).copied().unwrap_or("·")
}

/// Says which size is needed and which there is, in the words that fit.
fn too_small(pen: &mut Pen<'_>, area: Rect) {
    let (needs, has) =
        (format!("{}x{}", NEEDED.0, NEEDED.1), format!("{}x{}", area.width, area.height));
    let forms = [
        vec![format!("too small: needs {needs}, has {has}")],
        vec![format!("needs {needs}, has {has}")],
        vec![format!("needs {needs},"), format!("has {has}")],
        vec![format!("needs {needs}")],
        vec![needs],
        vec!["…".to_owned()],
    ];
    let fits = |lines: &&Vec<String>| {
        cols(lines.len()) <= area.height
            && lines.iter().all(|line| cols(line.chars().count()) <= area.width)
    };
    for (line, y) in forms.iter().find(fits).into_iter().flatten().zip(area.y..) {
        pen.text(area.x, y, area.width, line, Role::Warn);
    }
}
