//! Tabs in a line: names with signs, one in front.

use ratatui::layout::Rect;

use super::super::theme::Role;
use super::pen::{Pen, Piece, cols};

/// Makes the pieces of tabs, `·` between them.
pub fn pieces(pen: &Pen<'_>, names: &[(String, Role)], front: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (n, (name, role)) in names.iter().enumerate() {
        if n > 0 {
            pieces.push(pen.piece(" · ", Role::Dim));
        }
        let style = if n == front { pen.style(Role::TabActive) } else { pen.style(*role) };
        pieces.push((name.into(), style));
    }
    pieces
}

/// Draws a line of tabs that can be clicked; returns the place of each.
pub fn line(pen: &mut Pen<'_>, area: Rect, names: &[&str], front: usize) -> Vec<Rect> {
    let places = places(area, names);
    for (n, (name, place)) in names.iter().zip(&places).enumerate() {
        let role = if n == front { Role::TabActive } else { Role::Tab };
        pen.text(place.x, place.y, place.width, name, role);
    }
    places
}

/// Returns where each tab of a line stands.
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
