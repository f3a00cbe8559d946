//! A bar of tokens, in eighths of a column.

use super::super::theme::Role;
use super::pen::Pen;

/// Signs from one eighth to seven.
const EIGHTHS: [&str; 7] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Writes `part` of `whole` as a bar of at most `most` columns.
pub fn text(most: u16, part: u32, whole: u32) -> String {
    if whole == 0 || part == 0 || most == 0 {
        return String::new();
    }
    let eighths = u64::from(part.min(whole)) * u64::from(most) * 8 / u64::from(whole);
    let eighths = usize::try_from(eighths.max(1)).unwrap_or(0);
    let mut bar = "█".repeat(eighths / 8);
    if let Some(sign) = (eighths % 8).checked_sub(1).and_then(|n| EIGHTHS.get(n)) {
        bar.push_str(sign);
    }
    bar
}

/// Draws `part` of `whole` as a bar of at most `most` columns.
pub fn draw(pen: &mut Pen<'_>, x: u16, y: u16, most: u16, part: u32, whole: u32) {
    pen.text(x, y, most, &text(most, part, whole), Role::Bar);
}
