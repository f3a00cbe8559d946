//! Times drawing a page of a result on a screen of 200 × 50, and the moves that lead there.

#![expect(clippy::unwrap_used, reason = "a bench that can't go on stops")]

use divan::{Bencher, black_box};
use querent::domain::{ResultColumn, ResultId, RunId, Value};
use querent::pipeline::Page;
use querent::tui::theme::{Depth, Theme, Themes};
use querent::tui::widgets::grid::{Grid, Marks};
use querent::tui::widgets::pen::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const WIDTH: u16 = 200;
const HEIGHT: u16 = 50;
const ROWS: u64 = 1_000_000;
const COLUMNS: usize = 20;

fn main() {
    divan::main();
}

/// A cell of a row: numbers, texts of several scripts, NULL, what must be made harmless.
fn cell(row: u64, col: usize) -> Value {
    let n = i64::try_from(row).unwrap();
    match col % 5 {
        0 => Value::Integer(n * 7),
        1 => Value::Text(format!("name {n}")),
        2 => Value::Real(f64::from(i32::try_from(n % 10_000).unwrap()) / 8.0),
        3 if row.is_multiple_of(3) => Value::Null,
        3 => Value::Text("売上高 \u{1b}[2J naïve".to_owned()),
        _ => Value::Text("a text of middling length".to_owned()),
    }
}

fn page(first: u64, rows: u64) -> Page {
    let column = |n: usize| ResultColumn {
        name: format!("column {n}"),
        data_type: "text".to_owned(),
        origin: None,
        unit: None,
    };
    let row = |row: u64| (0..COLUMNS).map(|col| cell(row, col)).collect();
    Page {
        columns: (0..COLUMNS).map(column).collect(),
        first,
        rows: (first..first + rows).map(row).collect(),
        total: ROWS,
        finished: true,
    }
}

fn grid() -> Grid {
    let mut grid = Grid::default();
    grid.show(Some(ResultId { run: RunId::default(), attempt: 1, version: 0, view: 0 }));
    grid.take(page(0, 400));
    grid.settle(WIDTH, HEIGHT);
    grid
}

fn draw(grid: &Grid, cells: &mut Buffer, theme: &Theme, found: &str) {
    let marks = Marks { focused: true, found, ..Marks::default() };
    grid.draw(&mut Pen { cells, theme }, Rect::new(0, 0, WIDTH, HEIGHT), marks);
}

fn theme() -> Theme {
    Themes::default().make("querent-dark", Depth::True).unwrap()
}

/// The baseline: an empty screen of cells.
#[divan::bench]
fn an_empty_screen(bencher: Bencher<'_, '_>) {
    let mut cells = Buffer::empty(Rect::new(0, 0, WIDTH, HEIGHT));
    bencher.bench_local(|| black_box(&mut cells).reset());
}

#[divan::bench(args = ["", "na"])]
fn a_page_is_drawn(bencher: Bencher<'_, '_>, found: &str) {
    let grid = grid();
    let theme = theme();
    let mut cells = Buffer::empty(Rect::new(0, 0, WIDTH, HEIGHT));
    bencher.bench_local(|| {
        cells.reset();
        draw(&grid, &mut cells, &theme, found);
    });
}

#[divan::bench]
fn a_step_down_is_settled_and_drawn(bencher: Bencher<'_, '_>) {
    let mut grid = grid();
    let theme = theme();
    let mut cells = Buffer::empty(Rect::new(0, 0, WIDTH, HEIGHT));
    bencher.bench_local(|| {
        grid.go(if grid.row > 300 { -250 } else { 1 }, 0);
        grid.settle(WIDTH, HEIGHT);
        cells.reset();
        draw(&grid, &mut cells, &theme, "");
    });
}

#[divan::bench]
fn a_new_page_is_taken_settled_and_drawn(bencher: Bencher<'_, '_>) {
    let mut grid = grid();
    let pages = [page(0, 178), page(500_000, 178)];
    let theme = theme();
    let mut cells = Buffer::empty(Rect::new(0, 0, WIDTH, HEIGHT));
    let mut n = 0;
    bencher.bench_local(|| {
        n += 1;
        let page = pages.get(n % 2).unwrap();
        grid.go_row(page.first + 70);
        grid.take(page.clone());
        grid.settle(WIDTH, HEIGHT);
        cells.reset();
        draw(&grid, &mut cells, &theme, "");
    });
}
