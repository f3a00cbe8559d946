//! A Markdown table: pipes escaped, line ends as `<br>`.

use crate::domain::Cell;

pub(super) fn head<'a>(names: impl Iterator<Item = Cell<'a>>, out: &mut String) {
    let names: Vec<Cell<'_>> = names.collect();
    line(names.iter().copied(), out);
    out.push('|');
    for _ in names {
        out.push_str(" --- |");
    }
    out.push('\n');
}

pub(super) fn line<'a>(cells: impl Iterator<Item = Cell<'a>>, out: &mut String) {
    let mut text = String::new();
    out.push('|');
    for cell in cells {
        text.clear();
        cell.push_plain(&mut text);
        out.push(' ');
        for part in text.replace("\r\n", "\n").chars() {
            match part {
                '|' => out.push_str("\\|"),
                '\\' => out.push_str("\\\\"),
                '\n' | '\r' => out.push_str("<br>"),
                part => out.push(part),
            }
        }
        out.push_str(" |");
    }
    out.push('\n');
}
