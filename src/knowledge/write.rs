//! Knowledge as text of a knowledge file: one function for each kind of entry, and the whole.
//!
//! What is written reads back as the same knowledge.

use std::fmt::Write;

use crate::domain::knowledge::{JoinHint, Meaning, Metric, Rule};
use crate::domain::{ColumnRef, Example, Knowledge};

/// Words of a column: further synonyms, which stand beside it.
type Words = Vec<String>;

/// Writes a whole file.
pub fn toml(known: &Knowledge) -> String {
    let (alone, beside) = synonyms_apart(&known.synonyms);
    let words = |name: &str| -> Words {
        let own = beside.iter().filter(|(_, of)| of.eq_ignore_ascii_case(name));
        own.map(|(word, _)| word.clone()).collect()
    };
    let mut blocks: Vec<String> = vec![head(known)];
    blocks.extend(known.rules.iter().map(rule));
    blocks.extend(known.metrics.iter().map(|one| {
        let synonyms = one.synonyms.iter().cloned().chain(words(&one.name)).collect();
        metric(&Metric { synonyms, ..one.clone() })
    }));
    blocks.extend(known.joins.iter().map(join));
    let mut tables: Vec<(String, String)> = known.tables.clone();
    let mut columns: Vec<Meaning> = known.columns.clone();
    for (_, name) in &beside {
        let is_metric = known.metrics.iter().any(|metric| metric.name == *name);
        match super::file::column_ref(name).filter(|_| !is_metric) {
            Some(at) if !columns.iter().any(|meaning| meaning.at == at) => {
                columns.push(Meaning::of(at));
            }
            None if !is_metric && !tables.iter().any(|(table, _)| table == name) => {
                tables.push((name.clone(), String::new()));
            }
            Some(_) | None => {}
        }
    }
    blocks.extend(tables.iter().map(|(name, meaning)| {
        let words = words(name);
        let words =
            if words.is_empty() { String::new() } else { format!("synonyms = {}\n", list(&words)) };
        table(name, meaning) + &words
    }));
    blocks.extend(columns.iter().map(|meaning| column(meaning, &words(&meaning.at.to_string()))));
    blocks.push(synonyms(&alone));
    blocks.extend(known.examples.iter().map(example));
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

/// Words with what they stand for.
type Synonyms = Vec<(String, String)>;

/// Parts synonyms: a table of words holds each word once, all others stand beside what they mean.
fn synonyms_apart(synonyms: &[(String, String)]) -> (Synonyms, Synonyms) {
    let (mut alone, mut beside) = (Synonyms::new(), Synonyms::new());
    for pair in synonyms {
        let taken = alone.iter().any(|(word, _)| *word == pair.0);
        if taken { &mut beside } else { &mut alone }.push(pair.clone());
    }
    (alone, beside)
}

/// Writes what stands before the first section.
fn head(known: &Knowledge) -> String {
    let mut text = String::new();
    if !known.domain.is_empty() {
        let _ = writeln!(text, "domain = {}", quoted(&known.domain));
    }
    let deny: Vec<String> = known.deny.iter().map(ColumnRef::to_string).collect();
    for (name, texts) in [
        ("notes", &known.notes),
        ("conventions", &known.conventions),
        ("questions", &known.questions),
        ("deny", &deny),
    ] {
        if !texts.is_empty() {
            let _ = writeln!(text, "{name} = {}", list(texts));
        }
    }
    text
}

/// Writes a rule.
pub(super) fn rule(rule: &Rule) -> String {
    let mut text = format!("[[rules]]\ntext = {}\n", quoted(&rule.text));
    if !rule.about.is_empty() {
        let _ = writeln!(text, "about = {}", list(&rule.about));
    }
    text
}

/// Writes a metric.
pub(super) fn metric(metric: &Metric) -> String {
    let mut text = format!(
        "[[metrics]]\nname = {}\nmeaning = {}\nformula = {}\ntables = {}\n",
        quoted(&metric.name),
        quoted(&metric.meaning),
        long(&metric.formula),
        list(&metric.tables),
    );
    for (name, words) in [("filter", &metric.filter), ("grain", &metric.grain)] {
        if let Some(words) = words {
            let _ = writeln!(text, "{name} = {}", long(words));
        }
    }
    if !metric.synonyms.is_empty() {
        let _ = writeln!(text, "synonyms = {}", list(&metric.synonyms));
    }
    if metric.approved {
        text.push_str("approved = true\n");
    }
    text
}

/// Writes a join hint.
pub(super) fn join(hint: &JoinHint) -> String {
    let side = |columns: &[ColumnRef]| match columns {
        [one] => quoted(&one.to_string()),
        many => list(&many.iter().map(ColumnRef::to_string).collect::<Vec<_>>()),
    };
    let mut text = format!("[[joins]]\nfrom = {}\nto = {}\n", side(&hint.from), side(&hint.to));
    if !hint.reason.is_empty() {
        let _ = writeln!(text, "reason = {}", quoted(&hint.reason));
    }
    if hint.one_to_one {
        text.push_str("one_to_one = true\n");
    }
    text
}

/// Writes a table with its meaning, which may wait to be filled in.
pub(super) fn table(name: &str, meaning: &str) -> String {
    format!("[tables.{}]\nmeaning = {}\n", key(name), quoted(meaning))
}

/// Writes a column. Its meaning stands first, empty where it waits to be filled in.
pub(super) fn column(meaning: &Meaning, words: &Words) -> String {
    let mut text = format!("[columns.{}]\n", quoted(&meaning.at.to_string()));
    let _ = writeln!(text, "meaning = {}", quoted(&meaning.text));
    for (name, said) in [("unit", &meaning.unit), ("format", &meaning.format)] {
        if let Some(said) = said {
            let _ = writeln!(text, "{name} = {}", quoted(said));
        }
    }
    if !meaning.values.is_empty() {
        let _ = writeln!(text, "values = {}", codes(&meaning.values));
    }
    for (name, is) in [("unique", meaning.unique), ("not_null", meaning.not_null)] {
        if is {
            let _ = writeln!(text, "{name} = true");
        }
    }
    if !words.is_empty() {
        let _ = writeln!(text, "synonyms = {}", list(words));
    }
    text
}

/// Writes codes: with their meanings, or as a list where none has any.
fn codes(codes: &[(String, String)]) -> String {
    if codes.iter().all(|(_, words)| words.is_empty()) {
        return list(&codes.iter().map(|(code, _)| code.clone()).collect::<Vec<_>>());
    }
    let pair = |(code, words): &(String, String)| format!("{} = {}", key(code), quoted(words));
    format!("{{ {} }}", codes.iter().map(pair).collect::<Vec<_>>().join(", "))
}

/// Writes codes whose meanings are to be filled in.
pub(super) fn codes_to_fill(codes: &[String]) -> String {
    let pairs: Vec<String> = codes.iter().map(|code| format!("{} = \"\"", key(code))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// Writes synonyms, each word once.
fn synonyms(synonyms: &[(String, String)]) -> String {
    if synonyms.is_empty() {
        return String::new();
    }
    let lines = synonyms.iter().map(|(word, name)| format!("{} = {}\n", key(word), quoted(name)));
    lines.fold("[synonyms]\n".to_owned(), |text, line| text + &line)
}

/// Writes a verified pair.
fn example(pair: &Example) -> String {
    let mut text = format!(
        "[[examples]]\nquestion = {}\nsql = {}\nverified_by = {}\n",
        quoted(&pair.question),
        long(&pair.sql),
        quoted(&pair.verified_by),
    );
    if !pair.verified_at.is_empty() {
        let _ = writeln!(text, "verified_at = {}", quoted(&pair.verified_at));
    }
    text
}

/// Writes a text on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 2);
    written.push('"');
    for c in text.chars() {
        escape(c, &mut written);
    }
    written.push('"');
    written
}

/// Writes a text that may have several lines as such.
fn long(text: &str) -> String {
    if !text.contains('\n') {
        return quoted(text);
    }
    let mut written = "\"\"\"\n".to_owned();
    for c in text.chars() {
        if c == '\n' { written.push('\n') } else { escape(c, &mut written) }
    }
    written + "\"\"\""
}

fn escape(c: char, into: &mut String) {
    match c {
        '"' => into.push_str("\\\""),
        '\\' => into.push_str("\\\\"),
        '\n' => into.push_str("\\n"),
        '\r' => into.push_str("\\r"),
        '\t' => into.push_str("\\t"),
        c if c.is_control() => drop(write!(into, "\\u{:04X}", u32::from(c))),
        c => into.push(c),
    }
}

/// Writes texts as a list.
pub(super) fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    let line = format!("[{}]", texts.join(", "));
    if line.chars().count() <= 96 { line } else { format!("[\n  {},\n]", texts.join(",\n  ")) }
}

/// Writes a key: bare where that is allowed.
pub(super) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn what_is_written_reads_back_as_the_same() {
        let example = parse(include_str!("../../assets/knowledge.example.toml"), "here").unwrap();
        let text = toml(&example);
        assert_eq!(parse(&text, "here").unwrap(), example, "{text}");
        for demo in ["insurance", "rentals", "reservo", "sales"] {
            let file = format!("{}/assets/demo/{demo}/knowledge.toml", env!("CARGO_MANIFEST_DIR"));
            let known = parse(&std::fs::read_to_string(file).unwrap(), "here").unwrap();
            assert_eq!(parse(&toml(&known), "here").unwrap(), known, "{demo}");
        }
    }

    #[test]
    fn odd_texts_read_back() {
        let odd = "a \"quote\", a \\ and\ta tab\u{1b} — ü";
        let mut known = Knowledge { source: "here".to_owned(), ..Knowledge::default() };
        known.notes = vec![odd.to_owned()];
        known.tables = vec![("Order \"Details\".x".to_owned(), odd.to_owned())];
        let column = ColumnRef::new("Order Details", "Unit [Price]");
        let values = vec![(odd.to_owned(), odd.to_owned())];
        known.columns = vec![Meaning { values, unique: true, ..Meaning::of(column) }];
        let word = |name: &str| ("a word".to_owned(), name.to_owned());
        known.synonyms = vec![word("other"), word("t"), word("t.c")];
        known.metrics = vec![Metric {
            name: "m".to_owned(),
            formula: "SUM(\n  \"a\" \\ 2\n)".to_owned(),
            ..Metric::default()
        }];
        assert_eq!(parse(&toml(&known), "here").unwrap(), known);
    }
}
