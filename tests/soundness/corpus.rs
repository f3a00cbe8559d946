//! Right queries of the demos, and what becomes of them when pieces are changed at random.

use proptest::prelude::*;
use proptest::sample::Index;

/// Scales a number of cases by what `PROPTEST_CASES` asks for: twice its default gives twice as many.
pub(crate) fn scaled(cases: u32) -> u32 {
    let usual = 256;
    cases * ProptestConfig::default().cases / usual
}

/// A right query with its question.
#[derive(Debug, Clone)]
pub(crate) struct Gold {
    /// The demo it belongs to.
    pub(crate) demo: &'static str,
    pub(crate) question: String,
    pub(crate) sql: String,
}

const KNOWLEDGE: [(&str, &str); 4] = [
    ("reservo", include_str!("../../assets/demo/reservo/knowledge.toml")),
    ("rentals", include_str!("../../assets/demo/rentals/knowledge.toml")),
    ("insurance", include_str!("../../assets/demo/insurance/knowledge.toml")),
    ("sales", include_str!("../../assets/demo/sales/knowledge.toml")),
];

/// Lists the verified pairs of all demos.
pub(crate) fn golds() -> Vec<Gold> {
    let mut golds = Vec::new();
    for (demo, text) in KNOWLEDGE {
        let file: toml::Table = text.parse().unwrap();
        for example in file["examples"].as_array().unwrap() {
            let text = |key: &str| example[key].as_str().unwrap().trim().to_owned();
            golds.push(Gold { demo, question: text("question"), sql: text("sql") });
        }
    }
    assert!(golds.len() > 10);
    golds
}

/// One change of a query, places given by chance.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Drop(Index),
    Double(Index),
    Swap(Index, Index),
    Put(Index, &'static str),
    Insert(Index, &'static str),
    /// A letter of a word is lost.
    Misspell(Index, Index),
    /// All from here on is lost.
    Cut(Index),
    /// A letter that nobody typed.
    Spoil(Index, char),
}

/// Pieces that stand in queries, in the wrong place for the most part.
const PIECES: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "HAVING",
    "ORDER BY",
    "LIMIT",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING",
    "UNION",
    "EXCEPT",
    "WITH",
    "AS",
    "IN",
    "NOT",
    "AND",
    "OR",
    "LIKE",
    "CASE",
    "END",
    "CAST",
    "COUNT",
    "SUM",
    "MAX",
    "*",
    "(",
    ")",
    ",",
    ".",
    ";",
    "=",
    "<>",
    "/",
    "::float",
    "'x'",
    "\"y\"",
    "`z`",
    "[w]",
    "1",
    "0.5",
    "NULL",
    "ANY",
    "ALL",
    "ILIKE",
    "DISTINCT",
    "OVER",
    "TOP 3",
    "DATE_TRUNC",
    "NOW()",
    "rooms",
    "id",
    "status",
    "price",
    "customer_name",
    "film",
    "é",
    "茶",
    "--",
    "/*",
    "*/",
    "```sql",
    "```",
    "$1",
    "?",
    "\\_",
    "\u{0}",
    "1e999",
    "x'zz'",
];

pub(crate) fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    let piece = || prop::sample::select(PIECES);
    prop_oneof![
        2 => at().prop_map(Change::Drop),
        1 => at().prop_map(Change::Double),
        1 => (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        3 => (at(), piece()).prop_map(|(at, piece)| Change::Put(at, piece)),
        2 => (at(), piece()).prop_map(|(at, piece)| Change::Insert(at, piece)),
        5 => (at(), at()).prop_map(|(word, letter)| Change::Misspell(word, letter)),
        1 => at().prop_map(Change::Cut),
        1 => (at(), any::<char>()).prop_map(|(at, letter)| Change::Spoil(at, letter)),
    ]
}

pub(crate) fn misspelling() -> impl Strategy<Value = Change> {
    (any::<Index>(), any::<Index>()).prop_map(|(word, letter)| Change::Misspell(word, letter))
}

/// Makes changes one after the other.
pub(crate) fn changed(sql: &str, changes: &[Change]) -> String {
    let mut pieces = pieces(sql);
    for change in changes.iter().filter(|_| !sql.is_empty()) {
        if pieces.is_empty() {
            break;
        }
        let all = pieces.len();
        match change {
            Change::Drop(at) => drop(pieces.remove(at.index(all))),
            Change::Double(at) => pieces.insert(at.index(all), pieces[at.index(all)].clone()),
            Change::Swap(a, b) => pieces.swap(a.index(all), b.index(all)),
            Change::Put(at, piece) => (*piece).clone_into(&mut pieces[at.index(all)]),
            Change::Insert(at, piece) => pieces.insert(at.index(all), format!(" {piece} ")),
            Change::Misspell(word, letter) => misspell(&mut pieces[word.index(all)], *letter),
            Change::Cut(at) => pieces.truncate(at.index(all)),
            Change::Spoil(at, letter) => pieces.insert(at.index(all), letter.to_string()),
        }
    }
    pieces.concat()
}

fn misspell(piece: &mut String, letter: Index) {
    let letters: Vec<char> = piece.chars().collect();
    if letters.len() > 2 {
        let lost = letter.index(letters.len());
        *piece = letters.iter().enumerate().filter(|(n, _)| *n != lost).map(|(_, c)| c).collect();
    }
}

/// Cuts a query into words, blanks, quoted texts and signs.
fn pieces(sql: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut quoted = false;
    let kind = |c: char| (c.is_alphanumeric() || c == '_', c.is_whitespace());
    let mut before = None;
    for c in sql.chars() {
        let joined = quoted || before == Some(kind(c)) && kind(c) != (false, false);
        match pieces.last_mut().filter(|_| joined) {
            Some(last) => last.push(c),
            None => pieces.push(c.to_string()),
        }
        quoted ^= c == '\'';
        before = Some(kind(c));
    }
    pieces
}
