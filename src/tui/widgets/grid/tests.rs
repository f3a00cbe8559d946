//! Proves that the window follows the cursor, and that columns stand where they belong.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::{ResultColumn, ResultId, RunId, Value};
use crate::pipeline::Page;

use super::super::super::theme::{Depth, Themes};
use super::super::pen::Pen;
use super::selection::{Extent, Selected};
use super::{Grid, Hit, Marks};

fn id(view: u32) -> ResultId {
    ResultId { run: RunId::default(), attempt: 1, version: 0, view }
}

fn grid(columns: &[&str], rows: Vec<Vec<Value>>) -> Grid {
    let column = |name: &&str| ResultColumn {
        name: (*name).to_owned(),
        data_type: "text".into(),
        origin: None,
        unit: None,
    };
    let mut grid = Grid::default();
    grid.show(Some(id(0)));
    let total = rows.len() as u64;
    let columns = columns.iter().map(column).collect();
    grid.take(Page { columns, first: 0, rows, total, finished: true });
    grid
}

fn text(words: &[&str]) -> Vec<Value> {
    words.iter().map(|word| Value::Text((*word).to_owned())).collect()
}

/// Draws the grid as lines of text.
fn drawn(grid: &mut Grid, width: u16, height: u16) -> Vec<String> {
    grid.settle(width, height);
    let area = Rect::new(0, 0, width, height);
    let mut cells = Buffer::empty(area);
    let theme = Themes::default().make("querent-dark", Depth::True).unwrap_or_default();
    let marks = Marks { focused: true, ..Marks::default() };
    grid.draw(&mut Pen { cells: &mut cells, theme: &theme }, area, marks);
    let line = |y| (0..width).map(|x| cells[(x, y)].symbol()).collect::<String>();
    (0..height).map(|y| line(y).trim_end().to_owned()).collect()
}

#[test]
fn the_window_follows_the_cursor_and_asks_for_what_is_missing() {
    let mut grid = Grid::default();
    grid.show(Some(id(0)));
    assert_eq!(grid.settle(80, 12), Some(0..74));
    let column =
        ResultColumn { name: "n".into(), data_type: "integer".into(), origin: None, unit: None };
    let rows = (0..74).map(|n| vec![Value::Integer(n)]).collect();
    let columns = vec![column];
    grid.take(Page { columns, first: 0, rows, total: 1_000_000, finished: true });
    assert_eq!(grid.settle(80, 12), None);
    grid.go_row(u64::MAX);
    assert_eq!(grid.row, 999_999);
    assert_eq!(grid.settle(80, 12), Some(999_926..1_000_064));
}

#[test]
fn another_order_keeps_the_columns_and_asks_for_new_rows() {
    let mut grid = grid(&["a", "b"], vec![text(&["1", "2"])]);
    grid.go_place(1);
    grid.columns.hide(0);
    assert_eq!(grid.settle(80, 12), None);
    grid.show(Some(id(1)));
    assert_eq!((grid.row, grid.col, grid.columns.shown()), (0, 1, &[1][..]));
    assert_eq!(grid.settle(80, 12), Some(0..74));
    let other = ResultId { attempt: 2, ..id(1) };
    grid.show(Some(other));
    assert!(grid.columns.shown().is_empty());
}

#[test]
fn frozen_columns_stay_behind_a_double_rule() {
    let mut grid = grid(&["a", "b", "c", "d"], vec![text(&["1111", "2222", "3333", "4444"])]);
    grid.columns.freeze(0);
    grid.go_place(3);
    let lines = drawn(&mut grid, 26, 3);
    assert_eq!(lines.first().map(String::as_str), Some("   … a    ║ c    │ d"));
    assert_eq!(lines.get(2).map(String::as_str), Some("  1  1111 ║ 3333 │ 4444"));
}

#[test]
fn what_stands_at_a_cell_is_found_again() {
    let mut grid = grid(&["a", "b"], vec![text(&["1111", "2222"])]);
    let area = Rect::new(0, 0, 40, 5);
    drawn(&mut grid, 40, 5);
    assert_eq!(grid.at(area, 5, 0), Some(Hit::Head(0)));
    assert_eq!(grid.at(area, 10, 0), Some(Hit::Rule(0)));
    assert_eq!(grid.at(area, 12, 2), Some(Hit::Cell(0, 1)));
    assert_eq!(grid.at(area, 12, 3), None);
}

#[test]
fn a_selection_reaches_from_its_anchor_to_the_cursor() {
    let rows = vec![text(&["1", "2", "3"]), text(&["4", "5", "6"]), text(&["7", "8", "9"])];
    let mut grid = grid(&["a", "b", "c"], rows);
    grid.go(1, 1);
    grid.select(Extent::Cells);
    grid.go(-1, 1);
    assert_eq!(grid.selected(), Some(Selected { rows: 0..2, columns: vec![1, 2] }));
    grid.select(Extent::Rows);
    assert_eq!(grid.selected(), Some(Selected { rows: 0..2, columns: vec![0, 1, 2] }));
    grid.select(Extent::Columns);
    assert_eq!(grid.selected(), Some(Selected { rows: 0..3, columns: vec![1, 2] }));
}
