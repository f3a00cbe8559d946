//! The mouse: clicks focus and choose, two are Enter, the wheel scrolls, borders are drawn along.

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::layout::{Layout, Pane};
use super::msg::Mouse;
use super::overlays;
use super::panes;
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
}

impl Pointer {
    /// Notes a press; tells whether it is the second one on this cell within a short time.
    fn press(&mut self, x: u16, y: u16, now: u64) -> bool {
        let twice =
            self.pressed.is_some_and(|(px, py, at)| (px, py) == (x, y) && now < at + DOUBLE_WITHIN);
        // a third press begins anew
        self.pressed = (!twice).then_some((x, y, now));
        twice
    }
}

/// Takes what the mouse did at a cell.
pub(super) fn take(app: &mut App, mouse: Mouse, x: u16, y: u16) -> Vec<Effect> {
    let clock = app.clock;
    let twice = mouse == Mouse::Press && app.pointer.press(x, y, clock);
    if app.overlay.is_some() {
        return in_front(app, mouse);
    }
    let lay = Layout::of(app);
    match mouse {
        Mouse::Press => press(app, &lay, twice, x, y),
        Mouse::Drag | Mouse::Release => {
            let held = app.pointer.held;
            if mouse == Mouse::Release {
                app.pointer.held = None;
            }
            let Some(pane) = held else { return Vec::new() };
            panes::drag(app, pane, lay.inside(pane), mouse, x, y)
        }
        Mouse::WheelUp => wheel(app, &lay, Action::Up, x, y),
        Mouse::WheelDown => wheel(app, &lay, Action::Down, x, y),
    }
}

/// Takes what the mouse did while an overlay is in front.
fn in_front(app: &mut App, mouse: Mouse) -> Vec<Effect> {
    match mouse {
        Mouse::WheelUp => overlays::act(app, Action::Up),
        Mouse::WheelDown => overlays::act(app, Action::Down),
        Mouse::Press | Mouse::Drag | Mouse::Release => Vec::new(),
    }
}

fn press(app: &mut App, lay: &Layout, twice: bool, x: u16, y: u16) -> Vec<Effect> {
    if lay.tabs.height > 0 && y == lay.tabs.y {
        panes::click_tab(app, lay.tabs, x);
        return Vec::new();
    }
    let Some(pane) = lay.at(x, y) else { return Vec::new() };
    app.go(pane);
    app.pointer.held = Some(pane);
    let inside = lay.inside(pane);
    if twice && inside.contains((x, y).into()) && pane != Pane::Question && !app.typing_sql() {
        return act(app, Action::Open);
    }
    panes::click(app, pane, inside, x, y)
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
