//! What only the text of a table's statement tells: comments, CHECKs, expressions of indexes.

use std::collections::BTreeMap;

use super::tokens::{Kind, Token, tokens};

/// Characters of a comment at most; what is longer is cut.
const COMMENT: usize = 500;

/// What a CREATE TABLE statement tells beside the engine's own lists.
#[derive(Debug, Default, PartialEq)]
pub(super) struct TableText {
    /// Comment on the table.
    pub(super) comment: Option<String>,
    /// Comments on columns, by name in lower case.
    pub(super) columns: BTreeMap<String, String>,
    /// Text of CHECK constraints, without the word and the outer parentheses.
    pub(super) checks: Vec<String>,
    /// Expressions of generated columns, by name in lower case.
    pub(super) generated: BTreeMap<String, String>,
}

/// One column or constraint between two commas, and the comments on it.
#[derive(Debug, Default)]
struct Item<'a> {
    tokens: Vec<Token<'a>>,
    comments: Vec<Token<'a>>,
}

/// Reads a CREATE TABLE statement.
pub(super) fn table(ddl: &str) -> TableText {
    let found = tokens(ddl);
    let Some(open) = found.iter().position(|token| token.is("(")) else {
        return TableText { comment: first_comment(&found), ..TableText::default() };
    };
    let (head, body) = found.split_at(open);
    let mut comments: Vec<Token<'_>> =
        head.iter().filter(|token| token.kind == Kind::Comment).copied().collect();
    let items = items(ddl, body, &mut comments);
    let mut text = TableText { comment: words(&comments), ..TableText::default() };
    for item in items {
        text.checks.extend(behind(ddl, &item.tokens, "CHECK"));
        let Some(name) = item.tokens.first().filter(|first| !begins_constraint(first)) else {
            continue;
        };
        if let Some(expression) = behind(ddl, &item.tokens, "AS").next() {
            text.generated.insert(name.name().to_lowercase(), expression);
        }
        if let Some(comment) = words(&item.comments) {
            text.columns.insert(name.name().to_lowercase(), comment);
        }
    }
    text
}

fn begins_constraint(token: &Token<'_>) -> bool {
    ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].iter().any(|word| token.is(word))
}

/// Splits the body of a statement, from its `(`, and gives every comment to whom it belongs.
fn items<'a>(ddl: &str, body: &[Token<'a>], of_table: &mut Vec<Token<'a>>) -> Vec<Item<'a>> {
    let mut items: Vec<Item<'a>> = Vec::new();
    let mut item = Item::default();
    let mut before: Option<Token<'a>> = None;
    let mut trailing: Option<Token<'a>> = None;
    let mut depth = 0usize;
    for token in body {
        if token.kind == Kind::Comment {
            let follows = before.is_some_and(|b| last_line(&b) == token.line)
                || trailing.is_some_and(|t| continues(ddl, &t, token));
            let opened = before.is_some_and(|b| b.is("(")) && depth == 1;
            match items.last_mut() {
                _ if follows && opened && item.tokens.is_empty() => of_table.push(*token),
                Some(last) if follows && item.tokens.is_empty() => last.comments.push(*token),
                _ => item.comments.push(*token),
            }
            trailing = follows.then_some(*token);
            continue;
        }
        trailing = None;
        before = Some(*token);
        depth = if token.is("(") { depth + 1 } else { depth };
        if token.is(")") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                break;
            }
        }
        if token.is(",") && depth == 1 {
            items.push(std::mem::take(&mut item));
        } else if depth > 1 || !token.is("(") {
            item.tokens.push(*token);
        }
    }
    items.push(item);
    items
}

fn last_line(token: &Token<'_>) -> usize {
    token.line + token.text.matches('\n').count()
}

/// Tells whether a comment goes on with the one above: next line, same indent.
fn continues(ddl: &str, above: &Token<'_>, below: &Token<'_>) -> bool {
    let indent = |token: &Token<'_>| {
        let before = ddl.get(..token.start).unwrap_or("");
        before.chars().rev().take_while(|c| *c != '\n').count()
    };
    last_line(above) + 1 == below.line && indent(above) == indent(below)
}

/// Returns the first comment before a view's body.
pub(super) fn view_comment(ddl: &str) -> Option<String> {
    let found = tokens(ddl);
    let head: Vec<Token<'_>> = found.into_iter().take_while(|token| !token.is("SELECT")).collect();
    first_comment(&head)
}

fn first_comment(found: &[Token<'_>]) -> Option<String> {
    let comments: Vec<Token<'_>> =
        found.iter().filter(|token| token.kind == Kind::Comment).copied().collect();
    words(&comments)
}

/// Joins comments to one line without their signs; none when nothing is left.
fn words(comments: &[Token<'_>]) -> Option<String> {
    let mut text = String::new();
    for comment in comments {
        let inner = comment.text.trim_start_matches("/*").trim_end_matches("*/");
        for word in inner.split_whitespace() {
            // frames and rulers say nothing
            if word.chars().all(|c| matches!(c, '-' | '=' | '*' | '#' | '/')) {
                continue;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word.trim_start_matches("--"));
        }
    }
    if let Some((cut, _)) = text.char_indices().nth(COMMENT) {
        text.truncate(cut);
        text.push('…');
    }
    (!text.is_empty()).then_some(text)
}

/// Lists what stands in parentheses behind a keyword of a column or constraint.
fn behind<'t>(
    ddl: &'t str,
    item: &'t [Token<'t>],
    keyword: &'static str,
) -> impl Iterator<Item = String> + 't {
    item.iter().enumerate().filter_map(move |(at, token)| {
        let rest = item.get(at + 1..)?;
        let open = rest.first().filter(|next| token.is(keyword) && next.is("("))?;
        let end = closing(rest).map_or(open.end(), |close| close.start);
        Some(ddl.get(open.end()..end)?.trim().to_owned())
    })
}

/// Finds the parenthesis that closes the first one.
fn closing<'a>(found: &[Token<'a>]) -> Option<Token<'a>> {
    let mut depth = 0usize;
    for token in found {
        depth += usize::from(token.is("("));
        if token.is(")") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(*token);
            }
        }
    }
    None
}

/// Lists what an index is made of, each column or expression as its text.
pub(super) fn index_parts(ddl: &str) -> Vec<String> {
    let found = tokens(ddl);
    let Some(on) = found.iter().position(|token| token.is("ON")) else { return Vec::new() };
    let body = found.get(on..).unwrap_or(&[]);
    let Some(open) = body.iter().position(|token| token.is("(")) else { return Vec::new() };
    let items = items(ddl, body.get(open..).unwrap_or(&[]), &mut Vec::new());
    let text = |item: &Item<'_>| {
        let (first, last) = (item.tokens.first()?, item.tokens.last()?);
        Some(ddl.get(first.start..last.end())?.to_owned())
    };
    items.iter().filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ddl: &str, table_comment: Option<&str>, columns: &[(&str, &str)]) {
        let read = table(ddl);
        assert_eq!(read.comment.as_deref(), table_comment, "{ddl}");
        let expected =
            columns.iter().map(|(name, words)| ((*name).to_owned(), (*words).to_owned()));
        assert_eq!(read.columns, expected.collect(), "{ddl}");
    }

    #[test]
    fn a_comment_belongs_to_the_column_on_its_line_or_below_it() {
        check(
            "CREATE TABLE t ( -- one row per stay\n  id INTEGER, -- number of the stay\n  \
             /* in cents,\n   * VAT in */\n  price INT,\n  note TEXT -- free text\n)",
            Some("one row per stay"),
            &[("id", "number of the stay"), ("price", "in cents, VAT in"), ("note", "free text")],
        );
    }

    #[test]
    fn a_comment_before_the_comma_and_leading_commas_are_understood() {
        check(
            "CREATE TABLE t (\n  a INT -- first\n  , b INT -- second\n  , c INT)",
            None,
            &[("a", "first"), ("b", "second")],
        );
    }

    #[test]
    fn a_comment_that_goes_on_below_itself_stays_with_its_column() {
        check(
            "CREATE TABLE t (\n  a INT, -- one\n         -- two\n  b INT\n)",
            None,
            &[("a", "one two")],
        );
    }

    #[test]
    fn quotes_hide_comments_and_rulers_say_nothing() {
        check(
            "CREATE TABLE \"a -- b\" (\n  -- ------\n  \"x, y\" TEXT DEFAULT '-- no', -- yes\n  z)",
            None,
            &[("x, y", "yes")],
        );
    }

    #[test]
    fn constraints_take_their_comments_with_them() {
        check("CREATE TABLE t (\n  a INT,\n  -- the key\n  PRIMARY KEY (a) -- here\n)", None, &[]);
    }

    #[test]
    fn checks_are_read_wherever_they_stand() {
        let read =
            table("CREATE TABLE t (a INT CHECK (a > 0 AND (a < 9)), \"check\" INT, CHECK(a<>5))");
        assert_eq!(read.checks, ["a > 0 AND (a < 9)", "a<>5"]);
    }

    #[test]
    fn a_generated_column_keeps_its_expression_whatever_stands_around_it() {
        let read = table(
            "CREATE TABLE t (body TEXT DEFAULT '(', -- private, (yes\n  shout TEXT GENERATED ALWAYS \
             AS (upper(body)) STORED, /* a, b */ \"the size\" INT AS (length(\"body\") + 1))",
        );
        let right = [("shout", "upper(body)"), ("the size", "length(\"body\") + 1")];
        let right = right.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(read.generated, BTreeMap::from(right));
    }

    #[test]
    fn an_index_over_expressions_keeps_their_text() {
        let parts = index_parts("CREATE INDEX i ON t (lower(a), b DESC) WHERE c > 0");
        assert_eq!(parts, ["lower(a)", "b DESC"]);
    }
}
