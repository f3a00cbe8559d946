//! One number, or a few, in digits three lines high.

use ratatui::layout::Rect;

use crate::shown::Shown;

use super::super::super::theme::Role;
use super::super::pen::{Pen, cols};
use super::View;
use super::canvas::Dots;

/// Signs of three by five dots, a row a text.
const SIGNS: [(char, [&str; 5]); 14] = [
    ('0', ["###", "# #", "# #", "# #", "###"]),
    ('1', [" # ", "## ", " # ", " # ", "###"]),
    ('2', ["###", "  #", "###", "#  ", "###"]),
    ('3', ["###", "  #", " ##", "  #", "###"]),
    ('4', ["# #", "# #", "###", "  #", "  #"]),
    ('5', ["###", "#  ", "###", "  #", "###"]),
    ('6', ["###", "#  ", "###", "# #", "###"]),
    ('7', ["###", "  #", "  #", "  #", "  #"]),
    ('8', ["###", "# #", "###", "# #", "###"]),
    ('9', ["###", "# #", "###", "  #", "###"]),
    ('-', ["   ", "   ", "###", "   ", "   "]),
    ('.', [" ", " ", " ", " ", "#"]),
    (',', [" ", " ", " ", "#", "#"]),
    ('e', ["   ", "###", "###", "#  ", "###"]),
];

/// Draws each number in the middle of its share of the place, with its name below.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    let all = &view.figure.series;
    let count = cols(all.len()).max(1);
    // side by side where that leaves room for digits, else one below the other
    let widest = all.iter().map(|series| width_of(&series.exact, 2)).max().unwrap_or(0);
    let beside = area.width / count >= widest + 4;
    for (n, series) in (0..count).zip(all) {
        let share = if beside {
            let width = area.width / count;
            Rect { x: area.x + n * width, width, ..area }
        } else {
            let height = (area.height / count).max(1);
            Rect { y: area.y + n * height, height, ..area }
        };
        if share.bottom() <= area.bottom() {
            one(pen, share, &series.exact, &series.name, view.dots);
        }
    }
}

fn one(pen: &mut Pen<'_>, area: Rect, number: &str, name: &str, dots: Dots) {
    let (scale, lines) = match () {
        () if area.height >= 9 && width_of(number, 2) <= area.width => (2, 5),
        () if dots != Dots::Letters && area.height >= 4 && width_of(number, 1) <= area.width => {
            (1, 3)
        }
        () => (0, 1),
    };
    let known = number.chars().all(|c| SIGNS.iter().any(|(sign, _)| *sign == c));
    let (scale, lines) = if known { (scale, lines) } else { (0, 1) };
    let block = lines + if area.height > lines + 1 { 2 } else { 1 };
    let y = area.y + area.height.saturating_sub(block) / 2;
    match scale {
        2 => rows_of(number, 2).iter().enumerate().for_each(|(n, row)| {
            let row = row.replace('#', if dots == Dots::Letters { "#" } else { "█" });
            middle(pen, area, y + cols(n), &row, Role::Accent);
        }),
        1 => halves(&rows_of(number, 1)).iter().enumerate().for_each(|(n, row)| {
            middle(pen, area, y + cols(n), row, Role::Accent);
        }),
        _ => middle(pen, area, y, number, Role::Accent),
    }
    if block > lines && y + block <= area.bottom() {
        middle(pen, area, y + block - 1, name, Role::Column);
    }
}

fn middle(pen: &mut Pen<'_>, area: Rect, y: u16, text: &str, role: Role) {
    let wide = cols(Shown::cut(text, usize::from(area.width)).width());
    pen.text(area.x + (area.width - wide) / 2, y, area.width, text, role);
}

fn width_of(number: &str, scale: u16) -> u16 {
    let signs = number.chars().filter_map(|c| SIGNS.iter().find(|(sign, _)| *sign == c));
    signs.map(|(_, rows)| (cols(rows[0].len()) + 1) * scale).sum()
}

/// Makes the five rows of dots of a number, each dot `scale` signs wide.
fn rows_of(number: &str, scale: usize) -> [String; 5] {
    let mut rows: [String; 5] = Default::default();
    for c in number.chars() {
        let Some((_, dots)) = SIGNS.iter().find(|(sign, _)| *sign == c) else { continue };
        for (row, dots) in rows.iter_mut().zip(dots) {
            for dot in dots.chars().chain([' ']) {
                row.extend(std::iter::repeat_n(dot, scale));
            }
        }
    }
    rows
}

/// Sets two rows of dots into one line of half blocks.
fn halves(rows: &[String; 5]) -> Vec<String> {
    let line = |pair: &[String]| {
        let upper = pair.first().map_or("", String::as_str).chars();
        let lower = pair.get(1).map_or("", String::as_str).chars().chain(std::iter::repeat(' '));
        let both = upper.zip(lower).map(|dots| match dots {
            ('#', '#') => '█',
            ('#', _) => '▀',
            (_, '#') => '▄',
            _ => ' ',
        });
        both.collect()
    };
    rows.chunks(2).map(line).collect()
}
