//! Whatever was told so far, whatever the size: there is a screen, and no control byte on it.

use proptest::prelude::*;
use querent::domain::{Event, Value};
use querent::pipeline::Told;
use querent::record::lines;
use querent::tui::keymap::Press;
use querent::tui::msg::{Mouse, Msg};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::bench::{Bench, page, result};
use super::runs::case_a;

/// Runs of the program as it told them with `--trace`: asked again after an error, given up, a
/// semantic retry, rules over two tables, a write declined, words that mean nothing there.
const RECORDED: [&str; 6] = [
    include_str!("recorded/case-a.jsonl"),
    include_str!("recorded/case-b.jsonl"),
    include_str!("recorded/kpi.jsonl"),
    include_str!("recorded/rules.jsonl"),
    include_str!("recorded/declined.jsonl"),
    include_str!("recorded/ungrounded.jsonl"),
];

fn recorded(run: usize) -> Vec<Event> {
    RECORDED[run].lines().map(|line| lines::read(line).expect("an event")).collect()
}

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
    "Alt-s",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_prefix_of_events_gives_a_screen_at_any_size(
        run in 0..RECORDED.len(),
        told in any::<proptest::sample::Index>(),
        width in 1u16..=400,
        height in 1u16..=100,
        keys in proptest::collection::vec(proptest::sample::select(KEYS), 0..12),
    ) {
        let events = recorded(run);
        let mut bench = Bench::told(width, height, &events[..=told.index(events.len())]);
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

/// One thing that a person or a terminal may do at any moment.
#[derive(Debug, Clone)]
enum Deed {
    /// A key of the table, by its number there.
    Key(usize),
    /// A letter.
    Letter(char),
    /// A new size.
    Size(u16, u16),
    /// The mouse at a cell.
    Mouse(Mouse, u16, u16),
    /// The next event of the run.
    Told,
    /// Time.
    Clock(u64),
}

fn deed() -> impl Strategy<Value = Deed> {
    let mouse = prop_oneof![
        Just(Mouse::Press),
        Just(Mouse::WheelUp),
        Just(Mouse::WheelDown),
        Just(Mouse::Drag),
        Just(Mouse::Release)
    ];
    prop_oneof![
        12 => any::<proptest::sample::Index>().prop_map(|n| Deed::Key(n.index(1 << 20))),
        4 => prop_oneof![Just('a'), Just('1'), Just('売'), Just('\u{301}'), Just('\''), Just(' ')]
            .prop_map(Deed::Letter),
        2 => (1u16..=400, 1u16..=100).prop_map(|(w, h)| Deed::Size(w, h)),
        2 => (mouse, 0u16..400, 0u16..100).prop_map(|(m, x, y)| Deed::Mouse(m, x, y)),
        2 => Just(Deed::Told),
        1 => (0u64..5_000).prop_map(Deed::Clock),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8) })]

    #[test]
    fn a_thousand_keys_and_sizes_leave_a_screen(
        run in 0..RECORDED.len(),
        deeds in proptest::collection::vec(deed(), 1_000),
        flavour in proptest::sample::select(&["default", "vim", "emacs"][..]),
    ) {
        let events = recorded(run);
        let mut told = events.iter();
        let mut bench = Bench::told(100, 30, &[]);
        bench.app.choose_keys(flavour);
        let keys: Vec<_> = bench.app.keys.rows().iter().flat_map(|row| row.keys.clone()).collect();
        let mut clock = 0;
        for (n, deed) in deeds.into_iter().enumerate() {
            match deed {
                Deed::Key(at) => {
                    for press in keys[at % keys.len()].presses() {
                        bench.send(Msg::Key(*press));
                    }
                }
                Deed::Letter(letter) => {
                    let code = crossterm::event::KeyCode::Char(letter);
                    let with = crossterm::event::KeyModifiers::NONE;
                    bench.send(Msg::Key(Press { code, with }));
                }
                Deed::Size(width, height) => bench.send(Msg::Size(width, height)),
                Deed::Mouse(mouse, x, y) => bench.send(Msg::Mouse(mouse, x, y)),
                Deed::Told => {
                    if let Some(event) = told.next() {
                        bench.send(Msg::Told(Told::Event(Box::new(event.clone()))));
                    }
                }
                Deed::Clock(ms) => {
                    clock += ms;
                    bench.send(Msg::Clock(clock));
                }
            }
            bench.app.leave = None;
            if n % 16 == 0 {
                safe(&bench);
            }
        }
        safe(&bench);
    }
}
