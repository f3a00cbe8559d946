//! Proves that nothing acts on the terminal, nothing hides, and widths are those of cells.

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Shown, in_one_line};

fn shown(text: &str) -> String {
    Shown::new(text).as_str().to_owned()
}

#[test]
fn controls_stand_as_their_pictures() {
    assert_eq!(shown("\u{1b}[2J"), "␛[2J");
    assert_eq!(shown("\u{1b}]0;x\u{7}"), "␛]0;x␇");
    assert_eq!(shown("two\nlines\there\0\r"), "two␊lines␉here␀␍");
    assert_eq!(shown("\u{7f}"), "␡");
    assert_eq!(shown("\u{9b}31m"), "‹U+009B›31m");
}

#[test]
fn what_turns_or_hides_text_stands_as_a_sign() {
    assert_eq!(shown("a\u{202e}b"), "a‹U+202E›b");
    assert_eq!(shown("pay\u{200b}pal"), "pay‹U+200B›pal");
    assert_eq!(shown("x\u{e0041}"), "x‹U+E0041›");
    assert_eq!(shown("a\u{fe0f}"), "a‹U+FE0F›");
    assert_eq!(shown("\u{feff}a\u{ad}b"), "‹U+FEFF›a‹U+00AD›b");
    assert_eq!(shown("\u{301}alone"), "‹U+0301›alone");
}

#[test]
fn letters_of_all_scripts_and_emoji_stay() {
    for text in ["売上 📈", "กำไร", "किताब", "می‌خواهم", "👩‍🔬", "❤️", "ｶﾞ", "שלום"]
    {
        assert_eq!(shown(text), text, "{text}");
    }
    assert_eq!(shown("e\u{301}"), "é");
}

#[test]
fn a_tower_of_marks_is_counted() {
    let tower = format!("a{}", "\u{316}".repeat(40));
    assert!(shown(&tower).ends_with("‹+34›"), "{}", shown(&tower));
}

#[test]
fn stray_bytes_stand_as_hexadecimal() {
    assert_eq!(Shown::bytes(b"a\xff\x1bz").as_str(), "a‹FF›␛z");
}

#[test]
fn what_is_cut_ends_in_an_ellipsis() {
    assert_eq!(Shown::new("revenue").fit(7).as_str(), "revenue");
    assert_eq!(Shown::new("revenue").fit(4).as_str(), "rev…");
    assert_eq!(Shown::new("売上高").fit(4).as_str(), "売…");
    assert_eq!(Shown::new("x").fit(0).as_str(), "");
    assert_eq!(Shown::new("12").right(4).as_str(), "  12");
    assert_eq!(Shown::new("売").left(4).as_str(), "売  ");
    assert_eq!(Shown::cut(&"y".repeat(1 << 20), 5).as_str(), "yyyy…");
}

#[test]
fn text_wraps_at_spaces_and_breaks_long_words() {
    let lines = |text: &str, width| -> Vec<String> {
        Shown::new(text).wrap(width).into_iter().map(|l| l.0).collect()
    };
    assert_eq!(lines("one two three", 7), ["one two", "three"]);
    assert_eq!(lines("abcdefgh", 3), ["abc", "def", "gh"]);
    assert_eq!(lines("", 3), [""]);
}

#[test]
fn columns_before_a_byte_count_tabs_and_wide_letters() {
    assert_eq!(Shown::column("\tx", 1), 4);
    assert_eq!(Shown::column("売x", 3), 2);
    assert_eq!(Shown::column("abc", 99), 3);
}

/// Characters that turn the reading direction or hide.
const TURNING: &[char] = &[
    '\u{202a}', '\u{202b}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
    '\u{200e}', '\u{200f}', '\u{61c}', '\u{200b}', '\u{feff}',
];

/// Characters that break terminals, more often than chance would bring them.
fn nasty() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        any::<char>(),
        (0u32..0xa0).prop_map(|n| char::from_u32(n).unwrap_or('a')),
        (0x2000u32..0x2070).prop_map(|n| char::from_u32(n).unwrap_or('a')),
        (0x300u32..0x370).prop_map(|n| char::from_u32(n).unwrap_or('a')),
        (0x1100u32..0x1200).prop_map(|n| char::from_u32(n).unwrap_or('a')),
        (0xfe00u32..0xfe10).prop_map(|n| char::from_u32(n).unwrap_or('a')),
        (0xe0000u32..0xe0200).prop_map(|n| char::from_u32(n).unwrap_or('a')),
        (0x1f1e6u32..0x1f700).prop_map(|n| char::from_u32(n).unwrap_or('a')),
    ];
    proptest::collection::vec(one, 0..40).prop_map(|chars| chars.into_iter().collect())
}

/// Counts the cells that a text takes when it is drawn.
fn drawn(shown: &Shown) -> usize {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 2000, 1));
    let (end, _) = buffer.set_stringn(0, 0, shown.as_str(), usize::MAX, Style::new());
    usize::from(end)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_control_ever_comes_through(text in nasty(), bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        for shown in [Shown::new(&text), Shown::code(&text), Shown::cut(&text, 9), Shown::bytes(&bytes)] {
            prop_assert!(!shown.as_str().chars().any(char::is_control));
            prop_assert!(!shown.as_str().contains(TURNING), "{:?}", shown);
        }
    }

    #[test]
    fn width_is_the_number_of_cells_drawn(text in nasty()) {
        let shown = Shown::new(&text);
        prop_assert_eq!(shown.width(), drawn(&shown));
    }

    #[test]
    fn fitting_never_exceeds_the_place(text in nasty(), width in 0usize..30) {
        let shown = Shown::new(&text);
        prop_assert!(shown.clone().fit(width).width() <= width);
        prop_assert_eq!(shown.clone().left(width).width(), width);
        prop_assert_eq!(shown.clone().right(width).width(), width);
        for line in shown.wrap(width) {
            prop_assert!(line.width() <= width.max(1));
        }
    }

    #[test]
    fn what_is_safe_stays_as_it_is(text in nasty()) {
        let once = Shown::new(&text);
        prop_assert!(Shown::new(once.as_str()).width() >= once.width());
        let plain: String = text.chars().filter(|c| c.is_alphanumeric() && c.is_ascii()).collect();
        let shown = Shown::new(&plain);
        prop_assert_eq!(shown.as_str(), plain);
    }
}

#[test]
fn names_that_begin_alike_are_told_apart_by_their_ends() {
    let name = |n: u32| Shown::middle(&format!("a_table_whose_name_goes_on_{n}"), 20);
    assert_eq!(name(69).as_str(), "a_table_whose…_on_69");
    assert_eq!((name(7).width(), name(7) == name(8)), (20, false));
    assert_eq!(Shown::middle("short", 20).as_str(), "short");
    for width in 0..12 {
        assert!(Shown::middle("顧客の注文とその明細", width).width() <= width);
    }
}

#[test]
fn lines_of_prose_become_one_and_spaces_within_a_line_stay() {
    assert_eq!(in_one_line("SELECT a,\n\n    b\r\nFROM t"), "SELECT a, b FROM t");
    assert_eq!(in_one_line("one   two"), "one   two");
    assert_eq!(in_one_line("a\tb"), "a b");
}
