//! Draws what data can hold at its worst: thirteen scripts, marks, emoji, turning and hiding
//! characters, escape sequences. Columns stay in line, and nothing acts on the terminal.

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use crate::domain::{ResultColumn, ResultId, RunId, Value};
use crate::pipeline::Page;

use super::super::super::theme::{Depth, Themes};
use super::super::pen::Pen;
use super::{Grid, Marks};

/// A text of each script, and what else breaks tables.
const CORPUS: &[(&str, &str)] = &[
    ("Latin", "naïve café, e\u{301} combining"),
    ("Greek", "Ελληνικά"),
    ("Cyrillic", "Русский й"),
    ("Hebrew", "שלום עולם"),
    ("Arabic", "مرحبا بالعالم"),
    ("Devanagari", "नमस्ते किताब"),
    ("Bengali", "বাংলা"),
    ("Tamil", "தமிழ்"),
    ("Thai", "กำไรสุทธิ"),
    ("Han", "売上高の合計"),
    ("Kana", "ｶﾞｷﾞ カタカナ"),
    ("Hangul", "한국어 \u{1112}\u{1161}\u{11ab}"),
    ("Georgian", "ქართული"),
    ("emoji", "👩‍🔬 ❤️ 🇩🇪 👍🏽 1️⃣"),
    ("wide", "ｆｕｌｌ ｗｉｄｔｈ"),
    ("clear screen", "\u{1b}[2J\u{1b}[H"),
    ("title", "\u{1b}]0;owned\u{7}"),
    ("C1", "\u{9b}31m red \u{9d}0;x\u{9c}"),
    ("lines", "one\ntwo\r\nthree\u{2028}four"),
    ("tabs", "a\tb\tc"),
    ("override", "user\u{202e}gpj.exe"),
    ("isolate", "\u{2066}a\u{2069}\u{200f}"),
    ("zero width", "pay\u{200b}pal\u{feff}"),
    ("tags", "x\u{e0041}\u{e0042}"),
    ("tower", "Z\u{351}\u{36b}\u{343}\u{36a}\u{302}\u{36b}\u{33d}\u{34f}\u{334}\u{319}\u{324}"),
    ("NUL", "a\0b\u{7f}"),
    ("long", "verylongwordverylongwordverylongwordverylongwordverylongword"),
    ("wide at the cut", "売売売売売売売売売売売売売売売売売売売売売売売売売"),
];

fn drawn(width: u16) -> (Buffer, usize) {
    let column = |name: &str| ResultColumn {
        name: name.to_owned(),
        data_type: "text".into(),
        origin: None,
        unit: None,
    };
    let row = |(name, text): &(&str, &str)| {
        vec![Value::Text((*text).to_owned()), Value::Text((*name).to_owned()), Value::Integer(7)]
    };
    let mut grid = Grid::default();
    grid.show(Some(ResultId { run: RunId::default(), attempt: 1, version: 0, view: 0 }));
    let rows: Vec<_> = CORPUS.iter().map(row).collect();
    let total = rows.len() as u64;
    let columns = vec![column("text\u{1b}[31m"), column("名前"), column("n")];
    grid.take(Page { columns, first: 0, rows, total, finished: true });
    let height = u16::try_from(CORPUS.len()).expect("small") + 2;
    grid.settle(width, height);
    let area = Rect::new(0, 0, width, height);
    let mut cells = Buffer::empty(area);
    let theme = Themes::default().make("querent-dark", Depth::True).unwrap_or_default();
    let marks = Marks { focused: true, found: "a", ..Marks::default() };
    grid.draw(&mut Pen { cells: &mut cells, theme: &theme }, area, marks);
    (cells, CORPUS.len())
}

/// Returns the columns of a line where a rule stands, told by walking over wide cells.
fn rules(cells: &Buffer, y: u16) -> Vec<u16> {
    let mut found = Vec::new();
    let mut x = 0;
    while x < cells.area.width {
        let symbol = cells[(x, y)].symbol();
        if symbol == "│" {
            found.push(x);
        }
        x += symbol.cell_width().max(1);
    }
    found
}

#[test]
fn columns_stay_in_line_whatever_the_script() {
    for width in [40, 64, 80, 120] {
        let (cells, rows) = drawn(width);
        let head = rules(&cells, 0);
        for (n, (name, _)) in CORPUS.iter().enumerate().take(rows) {
            let y = u16::try_from(n).expect("small") + 2;
            assert_eq!(rules(&cells, y), head, "{name} at {width}");
        }
    }
}

#[test]
fn no_cell_holds_what_acts_on_a_terminal_or_turns_its_reading() {
    let (cells, _) = drawn(120);
    for cell in cells.content() {
        let symbol = cell.symbol();
        assert!(!symbol.chars().any(char::is_control), "{symbol:?}");
        assert!(!symbol.contains(['\u{202e}', '\u{2066}', '\u{2069}', '\u{200f}', '\u{200b}']));
    }
}

#[test]
fn each_cell_is_as_wide_as_terminals_draw_it() {
    let (cells, _) = drawn(120);
    for cell in cells.content() {
        let symbol = cell.symbol();
        // half-width katakana with its voicing mark and emoji sequences are where the two measures
        // are known to differ; terminals that join them follow ours
        if symbol.chars().count() == 1 {
            assert_eq!(usize::from(symbol.cell_width()), symbol.width().max(1), "{symbol:?}");
        }
    }
}
