//! The mouse: clicks focus and choose, two are Enter, the wheel scrolls, borders are drawn along,
//! keys that are shown are pressed.

use ratatui::layout::{Position, Rect};

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::hints;
use super::layout::{Layout, Pane};
use super::msg::Mouse;
use super::overlays;
use super::panes;
use super::picking;
use super::splits::Edge;
use super::update::act;

/// Milliseconds within which two clicks on one cell are a double click.
const DOUBLE_WITHIN: u64 = 400;

/// Lines a notch of the wheel, as terminals scroll.
const NOTCH: usize = 3;

/// What the mouse did before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pointer {
    /// Where the button went down last, and when.
    pressed: Option<(u16, u16, u64)>,
    /// The pane the button went down in; none once it came up.
    held: Option<Pane>,
    /// The border that is being drawn along, and how far beside it the button went down.
    edge: Option<(Edge, u16)>,
}

impl Pointer {
    /// Notes a press; tells whether it is the second one on this cell within a short time.
    fn press(&mut self, x: u16, y: u16, now: u64) -> bool {
        let twice =
            self.pressed.is_some_and(|(px, py, at)| (px, py) == (x, y) && now < at + DOUBLE_WITHIN);
        // a third press begins anew
        self.pressed = (!twice).then_some((x, y, now));
        (self.held, self.edge) = (None, None);
        twice
    }

    /// Tells whether a border is being moved.
    pub fn moving(&self) -> bool {
        self.edge.is_some()
    }
}

/// Takes what the mouse did at a cell.
pub(super) fn take(app: &mut App, mouse: Mouse, x: u16, y: u16) -> Vec<Effect> {
    let clock = app.clock;
    let twice = mouse == Mouse::Press && app.pointer.press(x, y, clock);
    if mouse == Mouse::Press
        && let Some((pane, action)) = hints::at(app, x, y)
    {
        if let Some(pane) = pane {
            app.go(pane);
        }
        return act(app, action);
    }
    if app.overlay.is_some() {
        return in_front(app, mouse, x, y);
    }
    let lay = Layout::of(app);
    match mouse {
        Mouse::Press => press(app, &lay, twice, x, y),
        Mouse::Drag => drag(app, &lay, x, y),
        Mouse::Release => {
            let held = app.pointer.held.take();
            app.pointer.edge = None;
            held.map(|pane| panes::drag(app, pane, lay.inside(pane), mouse, x, y))
                .unwrap_or_default()
        }
        Mouse::WheelUp => wheel(app, &lay, Action::Up, x, y),
        Mouse::WheelDown => wheel(app, &lay, Action::Down, x, y),
    }
}

/// Takes what the mouse did while an overlay is in front: a click chooses, one more is Enter.
fn in_front(app: &mut App, mouse: Mouse, x: u16, y: u16) -> Vec<Effect> {
    match mouse {
        Mouse::WheelUp => overlays::act(app, Action::Up),
        Mouse::WheelDown => overlays::act(app, Action::Down),
        Mouse::Press => picking::pick(app, x, y),
        Mouse::Drag | Mouse::Release => Vec::new(),
    }
}

fn press(app: &mut App, lay: &Layout, twice: bool, x: u16, y: u16) -> Vec<Effect> {
    if lay.tabs.height > 0 && y == lay.tabs.y {
        panes::click_tab(app, lay.tabs, x);
        return Vec::new();
    }
    let Some(pane) = lay.at(x, y) else { return Vec::new() };
    let inside = lay.inside(pane);
    let within = inside.contains(Position { x, y });
    app.pointer.edge = edge_at(lay, x, y).filter(|_| !within);
    app.go(pane);
    if app.pointer.edge.is_none() {
        app.pointer.held = Some(pane);
    }
    let head = pane == Pane::Result && panes::result::on_head(app, inside, x, y);
    if twice && within && pane != Pane::Question && !head && !app.typing_sql() {
        return act(app, Action::Open);
    }
    panes::click(app, pane, inside, x, y)
}

/// Finds the border at a cell, and how far behind its first line the cell lies.
fn edge_at(lay: &Layout, x: u16, y: u16) -> Option<(Edge, u16)> {
    let hit = |cells: Rect| cells.contains(Position { x, y });
    let edge = lay.edges.iter().flatten().find(|edge| hit(edge.cells))?;
    let beside = if edge.upright { x - edge.cells.x } else { y - edge.cells.y };
    Some((*edge, beside))
}

fn drag(app: &mut App, lay: &Layout, x: u16, y: u16) -> Vec<Effect> {
    if let Some((edge, beside)) = app.pointer.edge {
        edge.to(&mut app.splits, x.saturating_sub(beside), y.saturating_sub(beside));
        return Vec::new();
    }
    let Some(pane) = app.pointer.held else { return Vec::new() };
    panes::drag(app, pane, lay.inside(pane), Mouse::Drag, x, y)
}

fn wheel(app: &mut App, lay: &Layout, action: Action, x: u16, y: u16) -> Vec<Effect> {
    let Some(pane) = lay.at(x, y) else { return Vec::new() };
    app.go(pane);
    let mut effects = Vec::new();
    if pane != Pane::Question && !app.typing_sql() {
        for _ in 0..NOTCH {
            effects.extend(panes::act(app, action));
        }
    }
    effects
}
