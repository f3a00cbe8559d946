//! The ledger as lines: names to the left, figures in columns to the right.

use std::fmt::Write;

use crate::domain::counts::{count, grouped};
use crate::domain::ledger::{Entry, Ledger};

/// Heads of the figures.
const HEADS: [&str; 5] = ["fired", "kept", "undone", "right", "wrong"];

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// The head of a part, with those of its figures.
    Head,
    /// A repair or gate.
    Entry,
    /// A sentence.
    Words,
}

/// Writes the ledger. Names are made of our own code's letters.
pub fn lines(ledger: &Ledger) -> Vec<(Line, String)> {
    let parts = [
        ("Local repairs", &ledger.repairs),
        ("Gates that warned", &ledger.gates),
        ("Gates that informed", &ledger.notes),
    ];
    let names = parts.iter().flat_map(|(_, entries)| entries.iter());
    let name = names.map(|entry| entry.name.len()).max().unwrap_or(0).max(19);
    let mut lines = vec![(Line::Words, over(ledger))];
    if ledger.unread > 0 {
        let words = format!("{} more can't be read.", grouped(ledger.unread));
        lines.push((Line::Words, words));
    }
    for (title, entries) in parts.into_iter().filter(|(_, entries)| !entries.is_empty()) {
        lines.push((Line::Words, String::new()));
        lines.push((Line::Head, row(title, name, &HEADS.map(str::to_owned))));
        lines.extend(entries.iter().map(|entry| (Line::Entry, row(&entry.name, name, &of(entry)))));
    }
    if ledger.repairs.is_empty() && ledger.gates.is_empty() && ledger.notes.is_empty() {
        lines.push((Line::Words, "No repair and no gate has fired in them.".to_owned()));
        return lines;
    }
    lines.push((Line::Words, String::new()));
    for words in [
        "kept: the SQL it mended or spoke of is the answer",
        "undone: a rewrite, retry or hand edit took its place",
        "right, wrong: its runs rated + or verified, rated -",
    ] {
        lines.push((Line::Words, words.to_owned()));
    }
    lines
}

fn over(ledger: &Ledger) -> String {
    let runs = count(ledger.runs, "run");
    format!("{runs} remembered, {} of them rated or verified.", grouped(ledger.judged))
}

fn of(entry: &Entry) -> [String; 5] {
    let figures = [entry.fired, entry.kept, entry.undone, entry.right, entry.wrong];
    figures.map(grouped)
}

fn row(name: &str, width: usize, figures: &[String; 5]) -> String {
    let mut line = format!("{name:<width$}");
    for figure in figures {
        let _ = write!(line, "{figure:>7}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_in_columns_under_their_heads() {
        let entry = Entry {
            name: "unknown_name".into(),
            fired: 1_200,
            runs: 11,
            kept: 10,
            undone: 1,
            right: 3,
            wrong: 0,
        };
        let ledger = Ledger { runs: 40, judged: 4, repairs: vec![entry], ..Ledger::default() };
        let lines: Vec<String> = lines(&ledger).into_iter().map(|(_, text)| text).collect();
        assert_eq!(lines[0], "40 runs remembered, 4 of them rated or verified.");
        assert_eq!(lines[2], "Local repairs        fired   kept undone  right  wrong");
        assert_eq!(lines[3], "unknown_name         1,200     10      1      3      0");
    }

    #[test]
    fn an_empty_ledger_says_so() {
        let told = lines(&Ledger { runs: 1, ..Ledger::default() });
        assert_eq!(told[0].1, "1 run remembered, 0 of them rated or verified.");
        assert_eq!(told[1].1, "No repair and no gate has fired in them.");
    }
}
