//! SQL that stands in a reply without fences: where it starts, where it ends, Markdown taken off.

/// Words that start a statement; writes too, so that they are refused as what they are.
const STARTS: &[&str] = &[
    "SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER",
    "PRAGMA", "ATTACH", "DETACH", "EXPLAIN", "TRUNCATE", "MERGE", "VACUUM", "GRANT", "REVOKE",
];

/// Words that a paragraph may start with and still belong to the statement before it.
const GOES_ON: &[&str] = &[
    "FROM",
    "WHERE",
    "GROUP",
    "ORDER",
    "HAVING",
    "LIMIT",
    "OFFSET",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "JOIN",
    "INNER",
    "LEFT",
    "RIGHT",
    "FULL",
    "CROSS",
    "NATURAL",
    "ON",
    "USING",
    "AND",
    "OR",
    "WINDOW",
    "FETCH",
    "SELECT",
    "WITH",
    "VALUES",
];

/// Splits a text at its first statement: what stands before, the statement, what stands after.
pub(super) fn statement(text: &str) -> Option<(&str, &str, &str)> {
    let start = start_of(text)?;
    let rest = text.get(start..)?;
    let end = end_of(rest);
    Some((text.get(..start)?, rest.get(..end)?.trim_end(), rest.get(end..)?))
}

/// Tells whether a text begins like a statement.
pub(super) fn begins(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    let text = skip_comments(text);
    let word = first_word(text);
    STARTS.iter().any(|start| word.eq_ignore_ascii_case(start))
        && (!word.eq_ignore_ascii_case("WITH") || is_with_clause(text))
}

/// Returns the comment that a statement starts with, its marks taken off.
pub(super) fn remark(sql: &str) -> Option<&str> {
    let sql = sql.trim_start();
    let text = match sql.strip_prefix("--") {
        Some(rest) => rest.lines().next(),
        None => sql.strip_prefix("/*").and_then(|rest| rest.split("*/").next()),
    };
    text.map(str::trim)
}

fn skip_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        if text.starts_with("--") {
            text = text.split_once('\n').map_or("", |(_, rest)| rest);
        } else if text.starts_with("/*") {
            text = text.split_once("*/").map_or("", |(_, rest)| rest);
        } else {
            return text;
        }
    }
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}

/// Tells `WITH name AS (`, perhaps with a list of columns, from the English word.
fn is_with_clause(text: &str) -> bool {
    let mut rest = text.get("WITH".len()..).unwrap_or("").trim_start();
    if first_word(rest).eq_ignore_ascii_case("RECURSIVE") {
        rest = rest.get("RECURSIVE".len()..).unwrap_or("").trim_start();
    }
    let quotes = ['"', '`', '[', ']'];
    let in_name = |c: char| c.is_alphanumeric() || c == '_' || quotes.contains(&c);
    let name = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
    rest = rest.get(name..).unwrap_or("").trim_start();
    if rest.starts_with('(') {
        rest = rest.split_once(')').map_or("", |(_, behind)| behind).trim_start();
    }
    name > 0 && first_word(rest).eq_ignore_ascii_case("AS")
}

/// Finds where a statement starts: at the start of a line or behind its label (`SQL: SELECT …`),
/// else at a shouted SELECT within one.
fn start_of(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if text.get(at + indent..).is_some_and(begins) {
            return Some(at + indent);
        }
        if let Some(label) = label_of(line)
            && text.get(at + label..).is_some_and(begins)
        {
            return Some(at + label + spaces(text.get(at + label..).unwrap_or("")));
        }
        at += line.len();
    }
    let shouted = ["SELECT ", "SELECT\n", "WITH "];
    let mut found: Vec<usize> = shouted
        .iter()
        .flat_map(|word| text.match_indices(word).map(|(at, _)| at))
        .filter(|at| text.get(*at..).is_some_and(begins))
        .collect();
    found.sort_unstable();
    found.first().copied()
}

/// Measures a short label that a line starts with, its colon included.
fn label_of(line: &str) -> Option<usize> {
    /// Longer than this before the colon, in bytes, is a sentence.
    const LONGEST: usize = 30;
    let colon = line.find(':')?;
    (colon <= LONGEST).then_some(colon + 1)
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Finds where a statement ends: behind a semicolon that prose follows, at a paragraph of prose,
/// or at a stray fence; else at the end of the text.
fn end_of(text: &str) -> usize {
    let mut quote: Option<char> = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ';') if is_prose(text.get(at + 1..).unwrap_or("")) => return at + 1,
            (None, '`') if text.get(at..).is_some_and(|t| t.starts_with("```")) => return at,
            (_, '\n') if starts_prose(text.get(at + 1..).unwrap_or("")) => return at,
            _ => {}
        }
    }
    text.len()
}

/// Tells whether what follows a semicolon is words, and no further statement.
fn is_prose(rest: &str) -> bool {
    let rest = skip_comments(rest.trim_start_matches([';', '`']));
    !rest.is_empty() && !begins(rest)
}

/// Tells whether an empty line comes here, and behind it a paragraph of prose.
fn starts_prose(rest: &str) -> bool {
    let Some((blank, paragraph)) = rest.split_once('\n') else { return false };
    if !blank.trim().is_empty() {
        return false;
    }
    let paragraph = skip_comments(paragraph);
    let word = first_word(paragraph);
    let goes_on = GOES_ON.iter().any(|w| word.eq_ignore_ascii_case(w)) || begins(paragraph);
    let line = paragraph.lines().next().unwrap_or("");
    let words = line.split_whitespace().filter(|w| w.chars().all(char::is_alphabetic)).count();
    !goes_on && words >= 3 && !line.trim_end().ends_with(',')
}

/// Takes off the backslashes that Markdown puts before `_`, `*`, `<` and `>`.
///
/// A backslash before `_` is SQL only inside a string with its own ESCAPE, so the text is left
/// alone unless one stands outside quotes.
pub(super) fn without_markdown(sql: &str) -> String {
    let mut quoted = false;
    let mut former = ' ';
    let mut outside = false;
    for c in sql.chars() {
        if c == '\'' && former != '\\' {
            quoted = !quoted;
        }
        outside |= !quoted && former == '\\' && matches!(c, '_' | '*' | '<' | '>');
        former = c;
    }
    if !outside {
        return sql.to_owned();
    }
    let mut plain = sql.to_owned();
    for (escaped, bare) in [("\\_", "_"), ("\\*", "*"), ("\\<", "<"), ("\\>", ">")] {
        plain = plain.replace(escaped, bare);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> (&str, &str, &str) {
        statement(text).unwrap()
    }

    #[test]
    fn prose_around_a_statement_is_cut_off() {
        let text = "Here you go:\nSELECT a FROM t;\n\nThis counts them.";
        assert_eq!(cut(text), ("Here you go:\n", "SELECT a FROM t;", "\n\nThis counts them."));
        assert_eq!(cut("The query is SELECT 1").1, "SELECT 1");
    }

    #[test]
    fn a_paragraph_of_words_ends_a_statement_without_a_semicolon() {
        assert_eq!(cut("SELECT a\nFROM t\n\nNote that t is small.").1, "SELECT a\nFROM t");
        assert_eq!(cut("SELECT a\n\nFROM t\n\nWHERE a = 1").1, "SELECT a\n\nFROM t\n\nWHERE a = 1");
    }

    #[test]
    fn a_second_statement_is_kept_for_the_check_to_see() {
        assert_eq!(cut("SELECT 1; SELECT 2;").1, "SELECT 1; SELECT 2;");
    }

    #[test]
    fn the_english_word_with_starts_no_statement() {
        assert_eq!(statement("With this in mind nothing follows."), None);
        assert_eq!(cut("With that: WITH x AS (SELECT 1) SELECT * FROM x").0, "With that: ");
    }

    #[test]
    fn markdown_backslashes_go_but_an_escaped_pattern_stays() {
        assert_eq!(without_markdown("SELECT COUNT(\\*) FROM a\\_b"), "SELECT COUNT(*) FROM a_b");
        let pattern = "SELECT 1 WHERE x LIKE 'a\\_b' ESCAPE '\\'";
        assert_eq!(without_markdown(pattern), pattern);
    }
}
