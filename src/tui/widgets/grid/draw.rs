//! Draws the grid: names, types, cells with their marks, the cursor, what is selected.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::view::SortKey;
use crate::domain::{ResultColumn, Value};
use crate::shown::Shown;

use super::super::super::theme::Role;
use super::super::pen::{Pen, cols};
use super::cells::{cell, role_of, stand};
use super::matches;
use super::selection::Selected;
use super::slots::Slot;
use super::{Grid, Width};

/// What is marked in the grid beside its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks<'a> {
    /// The grid takes keys.
    pub focused: bool,
    /// The order of the rows.
    pub sort: &'a [SortKey],
    /// Columns whose filter leaves rows out.
    pub filtered: &'a [usize],
    /// What was looked for, in lower case; empty marks nothing.
    pub found: &'a str,
}

impl Marks<'_> {
    /// Returns the sign at a column's name: ` ▲`, and with several keys its number ` ▼2`.
    pub fn sign(&self, col: usize) -> String {
        let mut sign = String::new();
        if let Some(n) = self.sort.iter().position(|key| key.column == col) {
            let arrow =
                if self.sort.get(n).is_some_and(|key| key.descending) { '▼' } else { '▲' };
            sign = if self.sort.len() > 1 {
                format!(" {arrow}{}", n + 1)
            } else {
                format!(" {arrow}")
            };
        }
        if self.filtered.contains(&col) {
            sign.push_str(" ⊆");
        }
        sign
    }
}

impl Grid {
    /// Draws header, types, and the rows that have room.
    pub fn draw(&self, pen: &mut Pen<'_>, area: Rect, marks: Marks<'_>) {
        if area.height == 0 || area.width < 6 {
            return;
        }
        let slots = self.slots(area);
        let gutter = self.gutter();
        let selected = self.selected();
        for (n, slot) in slots.iter().enumerate() {
            self.draw_column(pen, area, *slot, marks);
            self.draw_rule(pen, area, *slot, n + 1 == slots.len());
        }
        if self.left > self.kept(area.width) && !slots.is_empty() {
            pen.text(area.x + gutter, area.y, 1, "…", Role::Dim);
        }
        self.draw_numbers(pen, area, gutter, selected.as_ref());
        if !marks.focused {
            return;
        }
        if let Some(y) = self.y_of(area, self.row) {
            let from = area.x + gutter + 1;
            pen.lay(Rect::new(from, y, area.right().saturating_sub(from), 1), Role::Row);
        }
        if let Some(selected) = &selected {
            self.lay_selected(pen, area, &slots, selected);
        }
        let slot = slots.iter().find(|slot| slot.col == self.col);
        if let (Some(slot), Some(y)) = (slot, self.y_of(area, self.row)) {
            pen.lay(Rect::new(slot.x, y, slot.width, 1), Role::Cursor);
        }
    }

    fn lay_selected(&self, pen: &mut Pen<'_>, area: Rect, slots: &[Slot], selected: &Selected) {
        let from = selected.rows.start.max(self.top);
        let end = selected.rows.end.min(self.top + u64::from(area.height.saturating_sub(2)));
        let (Some(y), true) = (self.y_of(area, from), from < end) else { return };
        let height = u16::try_from(end - from).unwrap_or(area.height);
        for slot in slots.iter().filter(|slot| selected.columns.contains(&slot.col)) {
            pen.lay(Rect::new(slot.x, y, slot.width, height), Role::Selected);
        }
    }

    /// Draws the line right of a column; double behind those that stay at the left.
    fn draw_rule(&self, pen: &mut Pen<'_>, area: Rect, slot: Slot, last: bool) {
        let x = slot.x + slot.width + 1;
        if !slot.more {
            return;
        }
        if x >= area.right() {
            // no room is left to say so but the end of the name
            pen.text(area.right() - 1, area.y, 1, "…", Role::Dim);
            return;
        }
        if x + 2 >= area.right() {
            pen.text(x, area.y, 1, "…", Role::Dim);
            return;
        }
        let rows = u16::try_from(self.page.total.saturating_sub(self.top)).unwrap_or(u16::MAX);
        let bottom = area.y.saturating_add(rows).saturating_add(2).min(area.bottom());
        let line = Shown::new(if slot.edge { "║" } else { "│" });
        let style = pen.style(Role::Border);
        for y in area.y..bottom {
            pen.put(x, y, 1, &line, style);
        }
        if last {
            pen.text(x + 2, area.y, area.right() - x - 2, "…", Role::Dim);
        }
    }

    /// Draws the row numbers; a bar stands at the selected ones.
    fn draw_numbers(
        &self,
        pen: &mut Pen<'_>,
        area: Rect,
        gutter: u16,
        selected: Option<&Selected>,
    ) {
        for n in 0..area.height.saturating_sub(2) {
            let row = self.top + u64::from(n);
            if row >= self.page.total {
                break;
            }
            let y = area.y + 2 + n;
            pen.text_right(area.x + gutter, y, gutter, &(row + 1).to_string(), Role::Dim);
            if selected.is_some_and(|s| s.rows.contains(&row)) {
                pen.text(area.x + gutter, y, 1, "▌", Role::Accent);
            }
        }
    }

    fn draw_column(&self, pen: &mut Pen<'_>, area: Rect, slot: Slot, marks: Marks<'_>) {
        let width = self.widths.get(slot.col);
        let right = width.is_some_and(Width::is_number) && !self.is_mixed(slot.col);
        self.draw_head(pen, area, slot, right, marks);
        let tail = width.map_or(0, Width::tail);
        let most = usize::from(slot.width);
        for n in 0..area.height.saturating_sub(2) {
            let Some(value) = self.value(self.top + u64::from(n), slot.col) else { break };
            let y = area.y + 2 + n;
            let shown = stand(value, cell(value, most.max(CUT_LEAST)), most, right, tail);
            let style = pen.style(role_of(value));
            pen.put(slot.x, y, slot.width, &shown, style);
            if !marks.found.is_empty() && is_readable(value) {
                mark(pen, slot, y, &shown, marks.found);
            }
        }
    }

    /// Tells whether the values of a column have no type in common: each stands by its own.
    fn is_mixed(&self, col: usize) -> bool {
        self.page.columns.get(col).is_some_and(|column| column.data_type == "mixed")
    }

    /// Draws name with sort sign, and type.
    fn draw_head(&self, pen: &mut Pen<'_>, area: Rect, slot: Slot, right: bool, marks: Marks<'_>) {
        let Some(column) = self.page.columns.get(slot.col) else { return };
        let most = usize::from(slot.width);
        let fit = |text: Shown| if right { text.right(most) } else { text.left(most) };
        let here = marks.focused && slot.col == self.col;
        let style = pen.style(if here { Role::Accent } else { Role::Column });
        let sign = Shown::from(marks.sign(slot.col));
        let mut name = Shown::cut(&column.name, most.saturating_sub(sign.width()));
        name.push(&sign);
        pen.put(slot.x, area.y, slot.width, &fit(name), style);
        if area.height > 1 {
            let style = pen.style(Role::Dim);
            let kind = Shown::cut(&kind_of(column), most);
            pen.put(slot.x, area.y + 1, slot.width, &fit(kind), style);
        }
    }
}

/// Says the type of a column, and the unit of its numbers: `integer · cents`.
pub(super) fn kind_of(column: &ResultColumn) -> String {
    let kind = column.data_type.to_lowercase();
    match &column.unit {
        Some(unit) if kind.is_empty() => unit.clone(),
        Some(unit) => format!("{kind} · {unit}"),
        None => kind,
    }
}

/// Numbers are made at least this wide before it is seen whether they fit.
const CUT_LEAST: usize = 24;

/// Bytes and NULL hold nothing that could have been looked for.
fn is_readable(value: &Value) -> bool {
    match value {
        Value::Null | Value::Blob(_) => false,
        Value::Text(text) => !text.is_empty(),
        Value::Integer(_) | Value::Real(_) | Value::Malformed(_) => true,
    }
}

/// Lays the look of a find over the places of what was found.
fn mark(pen: &mut Pen<'_>, slot: Slot, y: u16, shown: &Shown, found: &str) {
    for place in matches::places(shown.as_str(), found) {
        let before = Shown::column(shown.as_str(), place.start);
        let end = Shown::column(shown.as_str(), place.end);
        let x = slot.x + cols(before);
        let style: Style = pen.style(Role::Match);
        pen.cells.set_style(Rect::new(x, y, cols(end - before), 1), style);
    }
}
