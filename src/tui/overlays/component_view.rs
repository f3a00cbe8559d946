//! Draws a component looked into: what it is, its text with a gutter, what is looked for.

use ratatui::layout::Rect;

use crate::domain::counts::{count, grouped};
use crate::domain::package::Source;

use super::super::app::App;
use super::super::keymap::Place;
use super::super::panes::context_view::{about, origin};
use super::super::panes::switched;
use super::super::theme::Role;
use super::super::widgets::bar;
use super::super::widgets::lines::styled;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::component::Inspector;

/// Lines above the text: what it is, why, a blank one.
const ABOVE: u16 = 3;
/// Columns of the gutter.
const GUTTER: u16 = 2;
/// Columns of the bar.
const BAR: u16 = 12;

fn area(body: Rect) -> Rect {
    super::place(body, 120, body.height)
}

/// Returns columns of text and lines that fit.
pub fn extent(body: Rect) -> (usize, usize) {
    let area = area(body);
    let width = area.width.saturating_sub(4 + GUTTER).max(1);
    (usize::from(width), usize::from(area.height.saturating_sub(2 + ABOVE)))
}

/// Draws the component.
pub fn draw(app: &App, inspector: &Inspector, pen: &mut Pen<'_>, body: Rect) {
    let component = &inspector.component;
    let title = format!("{} · {} of {}", component.kind.name(), inspector.at + 1, inspector.count);
    let place = if inspector.typing { Place::Find } else { Place::Component };
    let inside = super::front(app, pen, area(body), &title, place);
    if inside.height <= ABOVE {
        return;
    }
    head(app, inspector, pen, inside);
    let (width, height) = extent(body);
    let rows = inspector.rows(width);
    for (n, (line, used)) in rows.iter().skip(inspector.top).take(height).enumerate() {
        let y = inside.y + ABOVE + cols(n);
        if *used {
            pen.text(inside.x + 1, y, 1, "▸", Role::Accent);
        }
        let pieces = styled(pen, line);
        pen.pieces(inside.x + 1 + GUTTER, y, cols(width), &pieces);
    }
    super::more(pen, inside, inspector.top, height, rows.len());
}

/// Draws what the component is, why it is in or out, and what is looked for.
fn head(app: &App, inspector: &Inspector, pen: &mut Pen<'_>, inside: Rect) {
    let component = &inspector.component;
    let (sign, state, role) = match (switched::component(app, component.kind), component.included) {
        (Some(next), _) => ("◧", next.state(), Role::Warn),
        (None, true) => ("■", "in", Role::Accent),
        (None, false) => ("□", "out", Role::Dim),
    };
    let form = inspector.other_form.map_or(String::new(), |form| format!("as {} · ", form.name()));
    let words = format!(
        "  {form}{} · {} · {} of {} tokens  ",
        component.tier.name(),
        from(component.origin),
        about(component.tokens),
        grouped(u64::from(inspector.budget))
    );
    let pieces =
        [pen.piece(sign, role), pen.piece(format!(" {state}"), role), pen.piece(words, Role::Dim)];
    let room = inside.width.saturating_sub(2);
    let end = pen.pieces(inside.x + 1, inside.y, room, &pieces);
    if end + BAR < inside.right() {
        bar::draw(pen, end, inside.y, BAR, component.tokens, inspector.budget);
    }
    let line = second(inspector, pen);
    pen.pieces(inside.x + 1, inside.y + 1, room, &line);
}

fn second(inspector: &Inspector, pen: &Pen<'_>) -> Vec<Piece> {
    if inspector.typing {
        return vec![
            pen.piece("/ ", Role::Accent),
            pen.piece(&inspector.find, Role::Text),
            pen.piece("▏", Role::Accent),
            pen.piece(format!("  {}", count(inspector.hits() as u64, "place")), Role::Dim),
        ];
    }
    let mut line = Vec::new();
    if !inspector.find.is_empty() {
        let words = format!("/{}: {}   ", inspector.find, count(inspector.hits() as u64, "place"));
        line.push(pen.piece(words, Role::Text));
    }
    line.push(pen.piece(format!("why: {}", inspector.component.reason), Role::Dim));
    if inspector.used() > 0 {
        line.push(pen.piece("   ▸ ", Role::Accent));
        let words = format!("{} used by the SQL", count(inspector.used() as u64, "line"));
        line.push(pen.piece(words, Role::Text));
    }
    line
}

fn from(source: Source) -> String {
    match source {
        Source::Schema => "from the catalog".to_owned(),
        Source::Knowledge | Source::Data | Source::Memory => format!("from {}", origin(source)),
    }
}
