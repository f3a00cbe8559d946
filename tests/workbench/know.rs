//! Knowledge that disagrees with the schema is told once, calmly, and stays in the header.

use querent::tui::app::Tone;
use querent::tui::msg::Msg;

use super::bench::{Bench, opened};

const PRICE: &str = "metric income: in its formula, column 'price' doesn't exist in bookings";
const ROOM: &str = "example 2: table 'room' doesn't exist";

fn drifted(bench: &mut Bench, now: &[&str]) {
    bench.send(Msg::Drifted(now.iter().map(|words| (*words).to_owned()).collect()));
}

fn said(bench: &Bench) -> Vec<&str> {
    let of_schema = |words: &&str| words.starts_with("Knowledge disagrees");
    bench.app.notices.iter().map(|(words, ..)| words.as_str()).filter(of_schema).collect()
}

#[test]
fn a_disagreement_is_told_once_until_it_is_gone() {
    let mut bench = Bench::open(160, 48);
    drifted(&mut bench, &[]);
    assert_eq!(said(&bench), [""; 0]);
    drifted(&mut bench, &[PRICE]);
    drifted(&mut bench, &[PRICE]);
    assert_eq!(said(&bench), [format!("Knowledge disagrees with the schema at {PRICE}")]);
    assert_eq!(bench.app.notices.last().map(|(_, tone, _)| *tone), Some(Tone::Note));
    drifted(&mut bench, &[PRICE, ROOM]);
    assert_eq!(said(&bench).len(), 2);
    assert!(said(&bench)[1].ends_with(ROOM), "only what is new: {:?}", said(&bench));
    drifted(&mut bench, &[]);
    drifted(&mut bench, &[PRICE, ROOM]);
    assert!(said(&bench)[2].ends_with("1 more: `querent knowledge check` lists them."));
}

#[test]
fn what_disagrees_at_opening_is_told_with_the_first_look_and_not_again() {
    let mut bench = Bench::closed(160, 48);
    let mut first = opened();
    first.header.drift = vec![PRICE.to_owned()];
    bench.send(Msg::Opened(Box::new(first.clone())));
    bench.sees("Knowledge disagrees with the schema at metric income");
    drifted(&mut bench, &[PRICE]);
    assert_eq!(said(&bench).len(), 1);
    // another database with the same words is another disagreement
    first.header.database = "demo:sales".to_owned();
    bench.send(Msg::Opened(Box::new(first)));
    assert_eq!(said(&bench).len(), 2);
}

#[test]
fn the_header_counts_what_disagrees_where_it_has_room() {
    for (width, height, shown) in [(160, 48, true), (100, 30, false), (60, 20, false)] {
        let mut bench = Bench::open(width, height);
        drifted(&mut bench, &[PRICE, ROOM]);
        let screen = bench.screen();
        let header = screen.lines().next().unwrap_or_default();
        assert_eq!(header.contains("! 2 disagree"), shown, "{width}: {header}");
        drifted(&mut bench, &[]);
        assert!(!bench.screen().contains("disagree with"), "{width}");
    }
}
