//! Reads tables of keys: TOML with places, so that what can't be used is named with file and line.

use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};
use toml::de::{DeTable, DeValue};

use super::action::Action;
use super::keymap::{Bound, Place};
use super::press::Chord;

/// A name this alike is offered; lower ones are more often another word than a slip.
const ALIKE: f64 = 0.75;

/// What a row may say.
const FIELDS: [&str; 7] = ["in", "keys", "do", "words", "foot", "show", "rank"];

/// The rank of a row that says none: others leave a footer before it or after it.
const RANK: u8 = 5;

/// One file of keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Table {
    /// Rows that can be used.
    pub(super) rows: Vec<Bound>,
    /// Letters are commands in editors until writing begins.
    pub(super) modal: bool,
    /// What can't be used: a sentence each, with file and line.
    pub(super) troubles: Vec<String>,
}

/// Reads a table of keys; what can't be used is left out and told.
pub(super) fn read(file: &str, text: &str) -> Table {
    let mut table = Table::default();
    // where each line ends: counting them anew for every row would read the file once a row
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    let line = |at: usize| ends.partition_point(|end| *end < at) + 1;
    let say = |at: usize, what: &str| format!("{file}, line {}: {what}.", line(at));
    let parsed = match DeTable::parse(text) {
        Ok(parsed) => parsed.into_inner(),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            table.troubles.push(say(at, &format!("this is no TOML: {}", error.message())));
            return table;
        }
    };
    for (name, value) in &parsed {
        match (name.get_ref().as_ref(), value.get_ref()) {
            ("modal", DeValue::Boolean(modal)) => table.modal = *modal,
            ("key", DeValue::Array(rows)) => {
                for row in rows {
                    let fields =
                        row.get_ref().as_table().ok_or_else(|| "a key is a table".to_owned());
                    match fields.and_then(|fields| bounds(fields, line(row.span().start))) {
                        Ok(rows) => table.rows.extend(rows),
                        Err(what) => table.troubles.push(say(row.span().start, &what)),
                    }
                }
            }
            (other, _) => {
                let what = format!("'{other}' means nothing here: keys stand under [[key]]");
                table.troubles.push(say(name.span().start, &what));
            }
        }
    }
    table.troubles.extend(clashes(file, &table.rows));
    table
}

/// Makes the rows of one entry: one for each place it names.
fn bounds(fields: &DeTable<'_>, line: usize) -> Result<Vec<Bound>, String> {
    for name in fields.keys() {
        let name = name.get_ref().as_ref();
        if !FIELDS.contains(&name) {
            return Err(format!("a key has no '{name}': it has {}", FIELDS.join(", ")));
        }
    }
    let action = action(fields)?;
    let mut keys = Vec::new();
    for name in texts(fields, "keys")? {
        keys.push(Chord::named(&name)?);
    }
    let text = |name: &str| Ok::<_, String>(texts(fields, name)?.into_iter().next());
    let (words, foot, show) = (text("words")?.unwrap_or_default(), text("foot")?, text("show")?);
    let rank = rank(fields)?;
    let mut rows = Vec::new();
    for name in texts(fields, "in")? {
        let place = Place::deserialize(StrDeserializer::<Error>::new(&name))
            .map_err(|_| format!("no place is called '{name}'"))?;
        rows.push(Bound {
            place,
            keys: keys.clone(),
            action,
            words: words.clone(),
            foot: foot.clone(),
            show: show.clone(),
            rank,
            line,
        });
    }
    if rows.is_empty() { Err("a key needs a place: in = \"…\"".to_owned()) } else { Ok(rows) }
}

fn action(fields: &DeTable<'_>) -> Result<Action, String> {
    let names = texts(fields, "do")?;
    let Some(name) = names.first() else {
        return Err("a key needs an action: do = \"…\"".to_owned());
    };
    Action::named(name).ok_or_else(|| {
        let near = Action::ALL.iter().map(|action| action.name());
        let near = near.map(|known| (strsim::jaro_winkler(name, &known), known));
        let near =
            near.max_by(|(a, _), (b, _)| a.total_cmp(b)).filter(|(alike, _)| *alike >= ALIKE);
        match near {
            Some((_, known)) => format!("no action is called '{name}'; did you mean '{known}'"),
            None => format!("no action is called '{name}'"),
        }
    })
}

/// Returns which rows leave a footer before this one.
fn rank(fields: &DeTable<'_>) -> Result<u8, String> {
    let found = fields.iter().find(|(key, _)| key.get_ref().as_ref() == "rank");
    let Some((_, value)) = found else { return Ok(RANK) };
    let number = value.get_ref().as_integer().map(|n| n.as_str().parse::<u8>());
    match number {
        Some(Ok(rank @ 1..=9)) => Ok(rank),
        Some(_) | None => Err("'rank' wants a number from 1 to 9".to_owned()),
    }
}

/// Returns a field's text, or its list of texts.
fn texts(fields: &DeTable<'_>, name: &str) -> Result<Vec<String>, String> {
    let found = fields.iter().find(|(key, _)| key.get_ref().as_ref() == name);
    let Some((_, value)) = found else { return Ok(Vec::new()) };
    let wrong = || format!("'{name}' wants a text, or a list of texts");
    if let Some(text) = value.get_ref().as_str() {
        return Ok(vec![text.to_owned()]);
    }
    let list = value.get_ref().as_array().ok_or_else(wrong)?;
    list.iter().map(|v| v.get_ref().as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

/// Finds keys with two meanings in one place.
fn clashes(file: &str, rows: &[Bound]) -> Vec<String> {
    let mut found = Vec::new();
    for (n, row) in rows.iter().enumerate() {
        for key in &row.keys {
            let before = rows.iter().take(n).filter(|b| b.place == row.place);
            let other = before
                .filter(|b| b.action != row.action)
                .find_map(|b| b.keys.iter().find(|other| other.clashes(key)).map(|k| (b, k)));
            if let Some((bound, other)) = other {
                let name = |action: Action| action.name();
                found.push(format!(
                    "{file}, line {}: {} can't mean '{}' in {}, as {} means '{}' since line {}.",
                    row.line,
                    key.words(),
                    name(row.action),
                    row.place.heading(),
                    other.words(),
                    name(bound.action),
                    bound.line,
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, troubles: &[&str]) {
        assert_eq!(read("keymap.toml", text).troubles, troubles);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_the_rest_serves() {
        let good = "[[key]]\nin = \"trace\"\nkeys = [\"x\"]\ndo = \"follow\"\n";
        let text = format!("{good}[[key]]\nin = \"moon\"\nkeys = [\"y\"]\ndo = \"copy\"\n");
        check(&text, &["keymap.toml, line 5: no place is called 'moon'."]);
        assert_eq!(read("keymap.toml", &text).rows.len(), 1);
        let row = |field: &str| format!("[[key]]\nin = \"trace\"\n{field}\n");
        check(
            &row("keys = [\"Ctrl-Moon\"]\ndo = \"copy\""),
            &["keymap.toml, line 1: no key is called 'Ctrl-Moon'."],
        );
        check(
            &row("keys = [\"x\"]\ndo = \"folow\""),
            &["keymap.toml, line 1: no action is called 'folow'; did you mean 'follow'."],
        );
        check(
            "key = 1",
            &["keymap.toml, line 1: 'key' means nothing here: keys stand under [[key]]."],
        );
    }

    #[test]
    fn one_key_with_two_meanings_in_one_place_is_told() {
        let row = |keys: &str, action: &str| {
            format!("[[key]]\nin = \"trace\"\nkeys = [\"{keys}\"]\ndo = \"{action}\"\n")
        };
        let text = format!("{}{}", row("x", "follow"), row("x", "copy"));
        check(
            &text,
            &[
                "keymap.toml, line 5: x can't mean 'copy' in Trace, as x means 'follow' since line 1.",
            ],
        );
        let text = format!("{}{}", row("g", "top"), row("g g", "copy"));
        check(
            &text,
            &[
                "keymap.toml, line 5: g g can't mean 'copy' in Trace, as g means 'top' since line 1.",
            ],
        );
    }
}
