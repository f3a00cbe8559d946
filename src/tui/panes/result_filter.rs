//! Reads a filter as it is typed, and writes one back: `> 100`, `= Berlin`, `~ text and not null`.
//!
//! A condition is about the cursor's column, unless it begins with a column's name, or with `*` for
//! any column. A text without a sign is looked for inside the cells.

use crate::domain::{Condition, ResultColumn, Test, Value};

/// What the values of a column are, as far as is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Number,
    /// Texts.
    Text,
    /// Nothing was seen.
    Unknown,
}

/// The columns that a filter may speak of.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// Columns of the result.
    pub columns: &'a [ResultColumn],
    /// What each of them holds.
    pub kinds: &'a [Kind],
    /// The column of the cursor.
    pub here: usize,
}

impl Scope<'_> {
    fn name(&self, col: usize) -> &str {
        self.columns.get(col).map_or("", |column| &column.name)
    }

    fn kind(&self, col: Option<usize>) -> Kind {
        col.and_then(|col| self.kinds.get(col)).copied().unwrap_or(Kind::Unknown)
    }
}

/// Signs of a comparison, longer ones first.
const SIGNS: &[(&str, Sign)] = &[
    ("<>", Sign::NotEqual),
    ("!=", Sign::NotEqual),
    ("≠", Sign::NotEqual),
    ("!~", Sign::Lacks),
    (">=", Sign::AtLeast),
    ("≥", Sign::AtLeast),
    ("<=", Sign::AtMost),
    ("≤", Sign::AtMost),
    ("==", Sign::Equal),
    ("=", Sign::Equal),
    (">", Sign::More),
    ("<", Sign::Less),
    ("~", Sign::Contains),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Equal,
    NotEqual,
    More,
    AtLeast,
    Less,
    AtMost,
    Contains,
    Lacks,
}

/// Reads a filter. An error is a sentence for the person who types.
pub fn parse(text: &str, scope: Scope<'_>) -> Result<Vec<Condition>, String> {
    let mut conditions = Vec::new();
    if text.trim().is_empty() {
        return Ok(conditions);
    }
    for part in parts(text)? {
        conditions.push(condition(part, scope)?);
    }
    Ok(conditions)
}

/// Splits at `and` and `&&` outside of quotes.
fn parts(text: &str) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let mut quote = None;
    let mut begun = 0;
    let mut space = true;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') && opens(text.get(begun..at).unwrap_or("")) => {
                quote = Some(c);
            }
            Some(_) | None => {}
        }
        let rest = text.get(at..).unwrap_or("");
        let word = ["and ", "AND ", "&& "].iter().find(|word| rest.starts_with(**word));
        if let (None, true, Some(word)) = (quote, space, word) {
            parts.push(text.get(begun..at).unwrap_or("").trim());
            begun = at + word.len();
        }
        space = c == ' ' && at >= begun;
    }
    if let Some(open) = quote {
        return Err(format!("The quote {open} isn't closed."));
    }
    parts.push(text.get(begun..).unwrap_or("").trim());
    if parts.iter().any(|part| part.is_empty()) {
        return Err("A condition is missing beside 'and'.".to_owned());
    }
    Ok(parts)
}

/// Tells whether a quote opens here: at the start of a condition, or of its value.
fn opens(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || SIGNS.iter().any(|(sign, _)| before.ends_with(sign))
}

fn condition(part: &str, scope: Scope<'_>) -> Result<Condition, String> {
    let (column, rest) = subject(part, scope);
    let column = column.unwrap_or(Some(scope.here));
    if let Some(test) = word(rest) {
        return Ok(Condition { column, test });
    }
    let Some((sign, value)) = sign(rest) else {
        return Ok(Condition { column, test: Test::Contains(unquoted(rest).0) });
    };
    if value.is_empty() {
        return Err(format!("Say what comes after {}.", rest.trim()));
    }
    Ok(Condition { column, test: test(sign, value, column, scope)? })
}

/// Splits a leading column name off; the inner none is any column.
#[expect(clippy::option_option, reason = "no name was said, or any column was meant")]
fn subject<'t>(part: &'t str, scope: Scope<'_>) -> (Option<Option<usize>>, &'t str) {
    if let Some(rest) = part.strip_prefix('*') {
        return (Some(None), rest.trim_start());
    }
    let names = (0..scope.columns.len()).filter_map(|col| {
        let name = scope.name(col);
        let head = part.get(..name.len()).filter(|head| head.eq_ignore_ascii_case(name))?;
        let rest = part.get(head.len()..)?.trim_start();
        let said = sign(rest).is_some() || word(rest).is_some();
        (said && !name.is_empty()).then_some((name.len(), col, rest))
    });
    match names.max_by_key(|(length, _, _)| *length) {
        Some((_, col, rest)) => (Some(Some(col)), rest),
        None => (None, part),
    }
}

/// Reads a test that needs no value.
fn word(text: &str) -> Option<Test> {
    match text.trim().to_ascii_lowercase().as_str() {
        "null" | "is null" | "∅" => Some(Test::Null),
        "not null" | "is not null" | "!null" => Some(Test::NotNull),
        _ => None,
    }
}

fn sign(text: &str) -> Option<(Sign, &str)> {
    let (spelled, sign) = SIGNS.iter().find(|(spelled, _)| text.starts_with(spelled))?;
    Some((*sign, text.get(spelled.len()..)?.trim()))
}

fn test(sign: Sign, text: &str, column: Option<usize>, scope: Scope<'_>) -> Result<Test, String> {
    let (plain, quoted) = unquoted(text);
    if matches!(sign, Sign::Contains) {
        return Ok(Test::Contains(plain));
    }
    if matches!(sign, Sign::Lacks) {
        return Ok(Test::Lacks(plain));
    }
    let kind = scope.kind(column);
    // in a column of numbers `inf` is one; elsewhere it is a text like any other
    let unbounded = || unbounded(&plain).filter(|_| kind == Kind::Number);
    let number = if quoted { None } else { number(&plain).or_else(unbounded) };
    let value = match (kind, number) {
        (Kind::Number | Kind::Unknown, Some(number)) => number,
        (Kind::Number, None) if !quoted => {
            let name = column.map_or("", |col| scope.name(col));
            return Err(format!("{name} holds numbers, and '{plain}' is none."));
        }
        (Kind::Number | Kind::Text | Kind::Unknown, _) => Value::Text(plain),
    };
    Ok(match sign {
        Sign::Equal => Test::Equal(value),
        Sign::NotEqual => Test::NotEqual(value),
        Sign::More => Test::More(value),
        Sign::AtLeast => Test::AtLeast(value),
        Sign::Less => Test::Less(value),
        Sign::AtMost | Sign::Contains | Sign::Lacks => Test::AtMost(value),
    })
}

/// Takes quotes off; tells whether there were some.
fn unquoted(text: &str) -> (String, bool) {
    for quote in ['\'', '"'] {
        let inside = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        if let Some(inside) = inside.filter(|_| text.len() >= 2) {
            return (inside.to_owned(), true);
        }
    }
    (text.to_owned(), false)
}

/// Reads a number; commas between thousands are let go.
fn number(text: &str) -> Option<Value> {
    let plain = text.replace(',', "");
    if let Ok(n) = plain.parse::<i64>() {
        return Some(Value::Integer(n));
    }
    let digits =
        plain.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
    plain.parse::<f64>().ok().filter(|n| digits && n.is_finite()).map(Value::Real)
}

/// Reads a number that is none on paper: `inf`, `-inf`, `nan`, as the grid shows them, or in full.
fn unbounded(text: &str) -> Option<Value> {
    let (sign, word) = text.strip_prefix('-').map_or((1.0, text), |word| (-1.0, word));
    let word = word.strip_prefix('+').unwrap_or(word);
    let number = match word.to_ascii_lowercase().as_str() {
        "inf" | "infinity" | "∞" => sign * f64::INFINITY,
        "nan" => f64::NAN,
        _ => return None,
    };
    Some(Value::Real(number))
}

/// Writes the filter that leaves the rows with this value: what the prompt proposes.
pub fn of_value(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Integer(_) | Value::Real(_) => format!("= {}", value.plain()),
        Value::Text(text) => format!("= {}", spelled(text)),
        Value::Blob(_) | Value::Malformed(_) => "not null".to_owned(),
    }
}

/// Writes a text so that it reads back as itself.
fn spelled(text: &str) -> String {
    let plain = !text.is_empty()
        && text.trim() == text
        && !text.contains(['\'', '"', '\n'])
        && !text.to_ascii_lowercase().contains("and ")
        && !text.contains("&&")
        && number(text).is_none();
    match (plain, text.contains('\'')) {
        (true, _) => text.to_owned(),
        (false, false) => format!("'{text}'"),
        (false, true) => format!("\"{text}\""),
    }
}

/// Says a filter in words: `region = Berlin, amount > 100`.
pub fn words(filter: &[Condition], columns: &[ResultColumn]) -> String {
    let one = |condition: &Condition| {
        let name = |col: usize| columns.get(col).map_or("?", |column| column.name.as_str());
        let subject = condition.column.map_or("any", name);
        let (sign, value) = match &condition.test {
            Test::Contains(text) => ("~", spelled(text)),
            Test::Lacks(text) => ("!~", spelled(text)),
            Test::Equal(value) => ("=", plain(value)),
            Test::NotEqual(value) => ("≠", plain(value)),
            Test::Less(value) => ("<", plain(value)),
            Test::AtMost(value) => ("≤", plain(value)),
            Test::More(value) => (">", plain(value)),
            Test::AtLeast(value) => ("≥", plain(value)),
            Test::Null => ("is", "NULL".to_owned()),
            Test::NotNull => ("is", "not NULL".to_owned()),
        };
        format!("{subject} {sign} {value}")
    };
    filter.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn plain(value: &Value) -> String {
    match value {
        Value::Text(text) => spelled(text),
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) | Value::Malformed(_) => {
            value.plain()
        }
    }
}

#[cfg(test)]
mod tests;
