//! A small reader that finds the facts of a query, and the same in its English. It shares nothing with
//! the code it judges: both sides are read as plain words.

use std::collections::BTreeMap;

use querent::domain::Catalog;

/// What stands at a place of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// A text in single quotes, without them.
    Text(String),
    Number(String),
    /// A bare word.
    Word(String),
    /// A name in quotes of names.
    Name(String),
    /// An operator or a bracket.
    Sign(String),
}

#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) kind: Piece,
    pub(crate) span: (usize, usize),
}

impl Placed {
    /// Tells whether it is this word or sign.
    pub(crate) fn is(&self, wanted: &str) -> bool {
        matches!(&self.kind, Piece::Word(word) if word.eq_ignore_ascii_case(wanted))
            || matches!(&self.kind, Piece::Sign(sign) if sign == wanted)
    }
}

/// Splits a text.
pub(crate) fn pieces(text: &str) -> Vec<Placed> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        let kind = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '\'' | '"' | '`' => {
                let inner = quoted(text, &mut at, first);
                if first == '\'' { Piece::Text(inner) } else { Piece::Name(inner) }
            }
            '[' => {
                at = text[at..].find(']').map_or(text.len(), |end| at + end + 1);
                Piece::Name(text[start + 1..at - 1].to_owned())
            }
            _ if first.is_ascii_digit() => {
                let rest = text[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
                at = rest.map_or(text.len(), |end| at + end);
                Piece::Number(text[start..at].trim_end_matches('.').to_owned())
            }
            _ if first.is_alphabetic() || first == '_' => {
                let rest = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
                at = rest.map_or(text.len(), |end| at + end);
                Piece::Word(text[start..at].to_owned())
            }
            _ => {
                let two = text.get(at..at + 2).unwrap_or_default();
                let long = ["<=", ">=", "<>", "!=", "==", "||"].contains(&two);
                at += if long { 2 } else { first.len_utf8() };
                Piece::Sign(text[start..at].to_owned())
            }
        };
        found.push(Placed { kind, span: (start, at) });
    }
    found
}

fn quoted(text: &str, at: &mut usize, quote: char) -> String {
    let mut inner = String::new();
    let mut chars = text[*at + 1..].char_indices().peekable();
    while let Some((_, c)) = chars.next() {
        if c == quote && chars.peek().is_none_or(|(_, next)| *next != quote) {
            break;
        }
        if c == quote {
            chars.next();
        }
        inner.push(c);
    }
    *at = chars.peek().map_or(text.len(), |(index, _)| *at + 1 + index);
    inner
}

/// Tells whether a piece of SQL changes nothing of the result: a number in `count(1)` or a position,
/// the outputs of an EXISTS.
pub(crate) fn says_nothing(pieces: &[Placed], at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).and_then(|at| pieces.get(at));
    let is = |n: usize, word: &str| before(n).is_some_and(|p| p.is(word));
    let number = matches!(pieces[at].kind, Piece::Number(_));
    (number && is(1, "(") && is(2, "count")) || in_exists_outputs(pieces, at)
}

fn in_exists_outputs(pieces: &[Placed], at: usize) -> bool {
    let select = pieces[..at].iter().rposition(|p| p.is("SELECT") || p.is("FROM") || p.is(")"));
    select.is_some_and(|select| {
        select > 1 && pieces[select].is("SELECT") && pieces[select - 2].is("EXISTS")
    })
}

/// Tells whether a number is the position of an output: it stands alone in GROUP BY or ORDER BY.
fn is_position(pieces: &[Placed], at: usize) -> bool {
    let starts = at > 0 && (pieces[at - 1].is("BY") || pieces[at - 1].is(","));
    let by = pieces[..at].iter().rposition(|p| {
        ["BY", "SELECT", "FROM", "WHERE", "HAVING", "LIMIT", "(", ")", "IN"].iter().any(|w| p.is(w))
    });
    starts && by.is_some_and(|by| pieces[by].is("BY"))
}

type Counts = BTreeMap<String, usize>;

/// Finds what one side has and the other hasn't; empty when all facts are the same.
pub(crate) fn differences(sql: &str, english: &str, catalog: &Catalog) -> Vec<String> {
    let asked = pieces(sql.trim_end_matches(|c: char| c == ';' || c.is_whitespace()));
    let told = pieces(english);
    let mut found = Vec::new();
    let (wanted, is) = (sql_facts(&asked), told_facts(english));
    for (fact, count) in &wanted {
        let there = is.get(fact).copied().unwrap_or_default();
        if there < *count {
            found.push(format!("{fact} is told {there} times instead of {count}"));
        }
    }
    for fact in is.keys().filter(|fact| !wanted.contains_key(*fact)) {
        let by_in =
            fact == "equal" && asked.iter().any(|p| p.is("IN") || p.is("WHEN") || p.is("=="));
        if !by_in && fact != "ascending" {
            found.push(format!("{fact} is invented"));
        }
    }
    found.extend(literals(&asked, &told));
    found.extend(names(&asked, &told, catalog));
    found
}

fn add(counts: &mut Counts, fact: &str, by: usize) {
    if by > 0 {
        *counts.entry(fact.to_owned()).or_default() += by;
    }
}

fn sql_facts(asked: &[Placed]) -> Counts {
    let mut counts = Counts::new();
    for (at, piece) in asked.iter().enumerate() {
        let next = |n: usize, word: &str| asked.get(at + n).is_some_and(|p| p.is(word));
        let last = |word: &str| at > 0 && asked[at - 1].is(word);
        let null = next(1, "NULL") || last("NULL");
        let called = next(1, "(");
        let (fact, holds) = match &piece.kind {
            Piece::Sign(sign) => match sign.as_str() {
                "<" => ("under", !null),
                "<=" => ("at most", !null),
                ">" => ("over", !null),
                ">=" => ("at least", !null),
                "=" => ("equal", !null),
                "!=" | "<>" => ("unequal", !null),
                _ => continue,
            },
            Piece::Word(word) => match word.to_ascii_uppercase().as_str() {
                "SUM" => ("sum", called),
                "AVG" => ("average", called),
                "COUNT" => ("number", called),
                "MIN" => ("lowest", called && single(asked, at + 1)),
                "MAX" => ("highest", called && single(asked, at + 1)),
                "DESC" => ("descending", true),
                "LIKE" => ("like", true),
                "BETWEEN" => ("between", true),
                "NULL" => ("null test", last("IS") || last("NOT")),
                "LEFT" => ("left join", !called),
                "JOIN" => ("join", true),
                "UNION" if next(1, "ALL") => ("followed", true),
                "UNION" => ("union", true),
                "INTERSECT" => ("intersect", true),
                "EXCEPT" => ("except", true),
                "CASE" => ("case", true),
                "HAVING" => ("having", true),
                "GROUP" => ("group", next(1, "BY")),
                "EXISTS" => ("exists", true),
                "OVER" => ("window", called),
                "OR" => ("or", true),
                _ => continue,
            },
            Piece::Text(_) | Piece::Number(_) | Piece::Name(_) => continue,
        };
        add(&mut counts, fact, usize::from(holds && !in_exists_outputs(asked, at)));
    }
    counts
}

/// Tells whether the parentheses that open here hold one argument.
fn single(asked: &[Placed], open: usize) -> bool {
    let mut depth = 0;
    for piece in asked.iter().skip(open) {
        depth += i32::from(piece.is("(")) - i32::from(piece.is(")"));
        if depth == 1 && piece.is(",") {
            return false;
        }
        if depth == 0 {
            break;
        }
    }
    true
}

/// Takes literals and quoted names out of a sentence.
fn without_literals(english: &str) -> String {
    let mut bare = String::new();
    let mut end = 0;
    for piece in pieces(english) {
        if matches!(piece.kind, Piece::Text(_) | Piece::Name(_)) {
            bare.push_str(&english[end..piece.span.0]);
            bare.push('§');
            end = piece.span.1;
        }
    }
    bare.push_str(&english[end..]);
    format!(" {bare} ")
}

/// Counts the phrases of facts, literals left out.
fn told_facts(english: &str) -> Counts {
    let bare = without_literals(english);
    let count = |phrase: &str| bare.matches(phrase).count();
    let mut counts = Counts::new();
    for (fact, phrases) in [
        ("under", &[" is under "][..]),
        ("at most", &[" is at most "]),
        ("over", &[" is over "]),
        ("at least", &[" is at least "]),
        ("sum", &[" sum of ", "(sum of "]),
        ("average", &["the average ", "highest average ", "lowest average "]),
        ("number", &[" number of "]),
        ("like", &[" is like ", " is not like "]),
        ("between", &[" is between ", " is not between "]),
        ("null test", &[" is NULL", " is not NULL"]),
        ("left join", &[", or with none"]),
        ("join", &[", each with "]),
        ("followed", &["followed by"]),
        ("union", &["together with"]),
        ("intersect", &["both in ("]),
        ("except", &["that are not in ("]),
        ("case", &[", else "]),
        ("having", &["only for groups where"]),
        ("group", &["for each "]),
        ("exists", &["there is "]),
        ("window", &[" over all rows", " over the rows of the same "]),
        ("descending", &["from highest to lowest", " with the highest "]),
        ("ascending", &["from lowest to highest", " with the lowest "]),
    ] {
        add(&mut counts, fact, phrases.iter().map(|phrase| count(phrase)).sum());
    }
    if let Some(least) = counts.get_mut("at least") {
        *least -= count("there is at least one of");
    }
    counts.retain(|_, count| *count > 0);
    add(&mut counts, "lowest", count("the lowest ").saturating_sub(count(" with the lowest ")));
    add(&mut counts, "highest", count("the highest ").saturating_sub(count(" with the highest ")));
    let not_words = ["NULL", "like ", "between ", "one of ", "among ", "surely "];
    let negative = count(" is not ")
        - not_words.iter().map(|words| count(&format!(" is not {words}"))).sum::<usize>();
    add(&mut counts, "unequal", negative);
    let others = [
        "under ",
        "at most ",
        "over ",
        "at least ",
        "like ",
        "between ",
        "one of ",
        "none of ",
        "among ",
        "not ",
        "NULL",
        "true",
        "surely ",
        "the same as ",
        "a row in ",
        "no row in ",
    ];
    let taken = others.iter().map(|words| count(&format!(" is {words}"))).sum::<usize>();
    add(&mut counts, "equal", count(" is ").saturating_sub(taken));
    add(&mut counts, "or", count(" or ") - count(", or with none"));
    counts
}

/// Formats of dates that have words of their own.
const PARTS: [&str; 7] = ["'%Y'", "'%m'", "'%d'", "'%Y-%m'", "'%Y-%m-%d'", "'%w'", "'%H'"];

/// Holds texts and numbers of both sides against each other.
fn literals(asked: &[Placed], told: &[Placed]) -> Vec<String> {
    let mut found = Vec::new();
    let value = |piece: &Placed| match &piece.kind {
        Piece::Text(text) => Some(format!("'{text}'")),
        Piece::Number(number) => Some(number.clone()),
        Piece::Word(_) | Piece::Name(_) | Piece::Sign(_) => None,
    };
    let mut wanted = Counts::new();
    let mut there = Counts::new();
    for literal in told.iter().filter_map(value) {
        add(&mut there, &literal, 1);
    }
    for (at, piece) in asked.iter().enumerate() {
        let Some(literal) = value(piece) else { continue };
        let before = |word: &str| at > 0 && asked[at - 1].is(word);
        let one = literal == "1"
            && (before("LIMIT") || (before(",") && at > 2 && asked[at - 3].is("LIMIT")));
        let minus = before("-") && at > 1 && asked[at - 2].is("LIMIT");
        let format = at > 1 && asked[at - 2].is("STRFTIME") && PARTS.contains(&literal.as_str());
        let position = matches!(piece.kind, Piece::Number(_)) && is_position(asked, at);
        if format {
            wanted.entry(literal).or_default();
            continue;
        }
        if one || minus || position || says_nothing(asked, at) {
            continue;
        }
        add(&mut wanted, &literal, 1);
    }
    for (literal, count) in &wanted {
        let is = there.get(literal).copied().unwrap_or_default();
        if is < *count {
            found.push(format!("{literal} is told {is} times instead of {count}"));
        }
    }
    let written = |literal: &String| {
        // a word in double quotes that is no column is a text
        let inner = literal.trim_matches('\'');
        asked.iter().any(|p| matches!(&p.kind, Piece::Name(name) if name == inner))
    };
    for literal in there.keys().filter(|l| !wanted.contains_key(*l) && !written(l)) {
        // the weekday's phrase explains its number
        if literal != "0" {
            found.push(format!("{literal} is invented"));
        }
    }
    found
}

/// Holds names of tables and columns of both sides against each other.
fn names(asked: &[Placed], told: &[Placed], catalog: &Catalog) -> Vec<String> {
    let word = |piece: &Placed| match &piece.kind {
        Piece::Word(word) | Piece::Name(word) => Some(word.to_lowercase()),
        Piece::Text(text) => Some(text.to_lowercase()),
        Piece::Number(_) | Piece::Sign(_) => None,
    };
    let is_name = |word: &str| {
        catalog.tables.iter().any(|table| {
            table.name.eq_ignore_ascii_case(word)
                || table.columns.iter().any(|column| column.name.eq_ignore_ascii_case(word))
        })
    };
    let said: Vec<String> = told.iter().filter_map(word).collect();
    let mut found = Vec::new();
    let mut written = Vec::new();
    for (at, piece) in asked.iter().enumerate() {
        if matches!(piece.kind, Piece::Text(_)) {
            continue;
        }
        let Some(name) = word(piece).filter(|name| is_name(name)) else { continue };
        written.push(name.clone());
        let last = |word: &str| at > 0 && asked[at - 1].is(word);
        let next = |word: &str| asked.get(at + 1).is_some_and(|p| p.is(word));
        // an alias, a qualifier that stands for another name, a function
        if last("AS") || next(".") || next("(") || in_exists_outputs(asked, at) {
            continue;
        }
        if !said.contains(&name) {
            found.push(format!("{name} isn't told"));
        }
    }
    for piece in told {
        let Piece::Name(name) = &piece.kind else { continue };
        let name = name.to_lowercase();
        let known = asked.iter().filter_map(word).any(|word| word == name);
        if !known && is_name(&name) {
            found.push(format!("{name} is invented"));
        }
    }
    // bare words of a sentence may be names by chance: those that aren't words of ours are names
    let ours = [
        "name", "names", "number", "rows", "row", "first", "last", "one", "year", "month", "date",
        "day", "language", "length", "time", "order", "rank", "values", "value", "column", "level",
        "highest", "lowest", "average", "over", "under", "among", "same", "size", "position",
        "text", "total", "share", "each", "group", "hour", "type",
    ];
    for piece in told {
        let Piece::Word(word) = &piece.kind else { continue };
        let word = word.to_lowercase();
        let common = word.len() < 4 || ours.contains(&word.as_str());
        if !common && is_name(&word) && !written.contains(&word) {
            found.push(format!("{word} is invented"));
        }
    }
    found
}
