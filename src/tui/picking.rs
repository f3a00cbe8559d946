//! Clicks in what stands in front: its place and its cursor are read off a drawing of it alone, so
//! that every list there is can be clicked, whatever it holds.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::layout::Layout;
use super::overlays;
use super::theme::Depth;
use super::widgets::pen::Pen;

/// Draws what stands in front on an empty screen, the cursor in reverse.
fn drawn(app: &App) -> Option<Buffer> {
    app.overlay.as_ref()?;
    let theme = app.themes.make("monochrome", Depth::Mono).ok()?;
    let mut cells = Buffer::empty(Rect::new(0, 0, app.size.0, app.size.1));
    let mut pen = Pen { cells: &mut cells, theme: &theme };
    overlays::draw(app, &mut pen, Layout::of(app).body);
    Some(cells)
}

/// Returns the place of what stands in front, with its frame.
pub(super) fn frame(app: &App) -> Option<Rect> {
    let cells = drawn(app)?;
    let corner = |symbol: &str| {
        let hit = cells.content().iter().position(|cell| cell.symbol() == symbol)?;
        Some(cells.pos_of(hit))
    };
    let (left, top) = corner("╭")?;
    let (right, _) = corner("╮")?;
    let (_, bottom) = corner("╰")?;
    Some(Rect::new(left, top, (right + 1).saturating_sub(left), (bottom + 1).saturating_sub(top)))
}

/// Returns the line of the list that the cursor is on.
fn cursor(app: &App) -> Option<u16> {
    let cells = drawn(app)?;
    let inside = overlays::inner(frame(app)?);
    let reversed = |x: u16, y: u16| {
        cells.cell(Position { x, y }).is_some_and(|c| c.modifier.contains(Modifier::REVERSED))
    };
    (inside.top()..inside.bottom())
        .find(|y| (inside.left()..inside.right()).any(|x| reversed(x, *y)))
}

/// Takes a click: the cursor goes there; where it is there already, it is Enter.
pub(super) fn pick(app: &mut App, x: u16, y: u16) -> Vec<Effect> {
    let within = frame(app).is_some_and(|area| overlays::inner(area).contains(Position { x, y }));
    let Some(from) = cursor(app).filter(|_| within) else { return Vec::new() };
    if from == y {
        return overlays::act(app, Action::Open);
    }
    let step = if from < y { Action::Down } else { Action::Up };
    let mut effects = Vec::new();
    let mut at = from;
    for _ in 0..app.size.1 {
        effects.extend(overlays::act(app, step));
        let Some(now) = cursor(app) else { break };
        // at an end of the list, or past a line that is no row
        if now == at || (step == Action::Down && now >= y) || (step == Action::Up && now <= y) {
            break;
        }
        at = now;
    }
    effects
}
