//! Tabs in a line: names with signs, one in front, which `▸` points to.

use ratatui::layout::Rect;

use super::super::theme::Role;
use super::pen::{Pen, Piece, cols};

/// Points to the tab in front, where colours alone would tell it.
const FRONT: &str = "▸";

/// Makes the pieces of tabs, `·` between them: ` one ·▸two · three`. The blank before a name is the
/// place of the sign, so that nothing moves when another one comes to the front. A single name needs
/// no sign.
pub fn pieces(pen: &Pen<'_>, names: &[(String, Role)], front: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (n, (name, role)) in names.iter().enumerate() {
        if n > 0 {
            pieces.push(pen.piece(" ·", Role::Dim));
        }
        let signed = n == front && names.len() > 1;
        pieces.push(pen.piece(if signed { FRONT } else { " " }, Role::Accent));
        let style = if n == front { pen.style(Role::TabActive) } else { pen.style(*role) };
        pieces.push((name.into(), style));
    }
    pieces
}

/// Tells whether a line of pieces begins with tabs.
pub fn begin(pieces: &[Piece]) -> bool {
    pieces.first().is_some_and(|(text, _)| matches!(text.as_str(), " " | FRONT))
}

/// Draws a line of tabs that can be clicked; returns the place of each.
pub fn line(pen: &mut Pen<'_>, area: Rect, names: &[&str], front: usize) -> Vec<Rect> {
    let places = places(area, names);
    for (n, (name, place)) in names.iter().zip(&places).enumerate() {
        let role = if n == front { Role::TabActive } else { Role::Tab };
        pen.text(place.x, place.y, place.width, name, role);
        if n == front && place.width > 0 {
            pen.text(place.x - 1, place.y, 1, FRONT, Role::Accent);
        }
    }
    places
}

/// Returns where each tab of a line stands; the cell before it is free for the sign.
pub fn places(area: Rect, names: &[&str]) -> Vec<Rect> {
    let mut x = area.x + 1;
    names
        .iter()
        .map(|name| {
            let wide = cols(name.chars().count()).min(area.right().saturating_sub(x));
            let place = Rect::new(x, area.y, wide, 1);
            x = x.saturating_add(wide + 2).min(area.right());
            place
        })
        .collect()
}
