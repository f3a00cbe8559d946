//! Whatever was told so far, whatever the size: there is a screen, and no control byte on it.

use proptest::prelude::*;
use querent::domain::Value;
use querent::tui::msg::Msg;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::bench::{Bench, page, result};
use super::runs::case_a;

fn safe(bench: &Bench) {
    let (width, height) = bench.app.size;
    let mut cells = Buffer::empty(Rect::new(0, 0, width, height));
    querent::tui::view::draw(&bench.app, &mut cells);
    for cell in cells.content() {
        assert!(!cell.symbol().chars().any(char::is_control), "{:?}", cell.symbol());
    }
}

/// Keys that change what is drawn.
const KEYS: &[&str] = &[
    "Tab",
    "Shift-Tab",
    "Up",
    "Down",
    "Left",
    "Right",
    "PageUp",
    "PageDown",
    "Home",
    "End",
    "F10",
    "Enter",
    "Space",
    "t",
    "e",
    "n",
    "F1",
    "Ctrl-P",
    "Esc",
    "Alt-1",
    "Alt-5",
    "x",
    "1",
    "o",
    "p",
    "]",
    "b",
    "F",
    "/",
    "m",
    "'",
    "Y",
    "Alt-p",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_prefix_of_events_gives_a_screen_at_any_size(
        told in 0usize..14,
        width in 1u16..200,
        height in 1u16..60,
        keys in proptest::collection::vec(proptest::sample::select(KEYS), 0..12),
    ) {
        let events = case_a();
        let mut bench = Bench::told(width, height, &events[..told.min(events.len())]);
        safe(&bench);
        for key in keys {
            bench.keys(key);
            safe(&bench);
        }
    }

    #[test]
    fn no_cell_of_a_result_can_harm_the_screen(
        text in any::<String>(),
        bytes in proptest::collection::vec(any::<u8>(), 0..50),
        name in any::<String>(),
        width in 1u16..160,
    ) {
        let mut bench = Bench::told(width, 30, &case_a());
        let row = vec![Value::Text(text), Value::Malformed(bytes.clone()), Value::Blob(bytes)];
        bench.page(&result(1, 1), page(&[(&name, "text"), ("b", &name), ("c", "")], vec![row], true));
        bench.keys("Alt-4");
        safe(&bench);
        bench.keys("Enter");
        safe(&bench);
    }

    #[test]
    fn no_pasted_text_can_harm_the_screen(text in any::<String>(), width in 1u16..160, sql in any::<bool>()) {
        let mut bench = Bench::open(width, 24);
        if sql {
            bench.keys("Alt-3");
        }
        bench.send(Msg::Paste(text));
        safe(&bench);
        bench.keys("Left Up End");
        safe(&bench);
    }
}
