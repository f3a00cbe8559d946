//! A statement that a parse has proved to read only. There is no other way to make one.

use sqlparser::ast::{Query, Statement};
use sqlparser::dialect::Dialect as Rules;
use sqlparser::parser::{Parser, ParserError, ParserOptions};
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use crate::domain::{Diagnostic, Dialect, Failure, Span, Stage};

use super::places::{Lexed, Places};
use super::spelled::spelled_out;
use super::{dialect, foreign, writes};

/// Longest text that is parsed, in bytes. Longer ones are left to the engine.
const LONGEST: usize = 1 << 20;
/// Most operators in a text: a chain of them is a tree as deep, and trees are freed recursively.
const MOST_OPERATORS: usize = 3_000;
/// Deepest nesting of parentheses and subqueries that is parsed.
const DEEPEST: usize = 100;

/// One parsed statement that only reads; writes inside CTE bodies are seen.
#[derive(Debug, Clone)]
pub struct ReadQuery {
    text: String,
    query: Box<Query>,
    dialect: Dialect,
    explain: bool,
    places: Places,
}

impl ReadQuery {
    /// Parses one read-only statement. A `;` or comments after it are fine.
    ///
    /// Fails at stage parse with `syntax_error`, `multiple_statements` or `empty`, which a retry may
    /// mend; at stage policy with `write` for anything that would change data or the connection,
    /// and `not_a_query` for statements that read no table. A text that can't be parsed but starts
    /// a writing statement anywhere is `write`, never `syntax_error`.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, Failure> {
        let failure = match Self::read(text, dialect, &*dialect::parser(dialect)) {
            Ok(query) => return Ok(query),
            Err(failure) => failure,
        };
        let server = matches!(dialect, Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb);
        let elsewhere = server && failure.code() == "syntax_error" && text.len() <= LONGEST;
        let foreign = elsewhere.then(|| foreign::elsewhere::failure(text, dialect)).flatten();
        Err(foreign.unwrap_or(failure))
    }

    /// Parses a statement for an engine by rules that may be another's.
    pub(super) fn read(text: &str, dialect: Dialect, rules: &dyn Rules) -> Result<Self, Failure> {
        if text.len() > LONGEST {
            return Err(syntax(
                "the SQL is longer than 1 MiB, too long to be analysed".into(),
                None,
            ));
        }
        let mut tokens = Vec::new();
        let cut = Tokenizer::new(rules, text).tokenize_with_location_into_buf(&mut tokens).err();
        let places = Places::of(text, &tokens);
        if let Some(error) = cut {
            return Err(cut_off(text, &places, &tokens, rules, &error.to_string()));
        }
        if !places.lexemes.iter().any(|lexeme| lexeme.kind != Lexed::Semicolon) {
            return Err(failure(Stage::Parse, "empty", "there is no SQL here".into(), None));
        }
        if let Some(found) = writes::in_words(text, &places) {
            return Err(refused(&found));
        }
        if dialect == Dialect::Mysql
            && let Some(found) = writes::in_comments(text, &places, &tokens)
        {
            return Err(refused(&found));
        }
        tokens = spelled_out(tokens, dialect);
        if dialect == Dialect::Sqlite
            && let Some(failure) = glued_number(text, &places)
        {
            return Err(failure);
        }
        if dialect == Dialect::Duckdb
            && let Some(failure) = escaped_text(text, &places)
        {
            return Err(failure);
        }
        if operators(&places) > MOST_OPERATORS {
            let message = format!("the SQL holds more than {MOST_OPERATORS} operators");
            return Err(syntax(message, None));
        }
        let statement = read_first(text, &places, &tokens, dialect, rules)?;
        let (query, explain) = writes::reading(statement).map_err(|found| refused(&found))?;
        if let Some(found) = writes::in_tree(text, &places, &query, dialect) {
            return Err(refused(&found));
        }
        Ok(ReadQuery { text: text.to_owned(), query, dialect, explain, places })
    }

    /// Returns the text as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the syntax tree.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Returns the dialect it was read in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Tells whether the statement is an EXPLAIN of the query.
    pub fn is_explain(&self) -> bool {
        self.explain
    }

    /// Returns where the tokens stand.
    pub(super) fn places(&self) -> &Places {
        &self.places
    }
}

/// Finds a word that starts right after a number, which SQLite reads as one bad token.
fn glued_number(text: &str, places: &Places) -> Option<Failure> {
    let glued = places.lexemes.windows(2).find(|pair| {
        matches!(pair, [number, word] if number.kind == Lexed::Number
            && matches!(word.kind, Lexed::Word(_)) && number.span.end == word.span.start)
    })?;
    let [number, word] = glued else { return None };
    let span = Span { start: number.span.start, end: word.span.end };
    let line = text.get(..span.start)?.matches('\n').count() + 1;
    let apart = format!("{} {}", number.span.of(text), word.span.of(text));
    let near = span.of(text);
    let message = format!("syntax error near '{near}' at line {line}: did you mean {apart}?");
    let mut failure = syntax(message, Some(span));
    failure.diagnostics.iter_mut().for_each(|d| d.suggestions.push(apart.clone()));
    Some(failure)
}

/// Finds a text with an escaped quote, `e'\''`: DuckDB ends it elsewhere than our parser does.
fn escaped_text(text: &str, places: &Places) -> Option<Failure> {
    let escaped = places.lexemes.windows(2).find(|pair| {
        matches!(pair, [mark, quoted] if mark.span.of(text).eq_ignore_ascii_case("e")
            && quoted.kind == Lexed::Text && mark.span.end == quoted.span.start
            && quoted.span.of(text).contains("\\'"))
    })?;
    let [mark, quoted] = escaped else { return None };
    let span = Span { start: mark.span.start, end: quoted.span.end };
    let message = "a text with an escaped quote (e'\\'') is not read: write the quote twice";
    Some(syntax(message.to_owned(), Some(span)))
}

/// Says what is wrong with a text that can't be split into tokens; those before the place are given.
fn cut_off(
    text: &str,
    places: &Places,
    tokens: &[TokenWithSpan],
    rules: &dyn Rules,
    message: &str,
) -> Failure {
    if let Some(found) = writes::in_words(text, places) {
        return refused(&found);
    }
    // a whole statement, then `;`, then something that isn't SQL
    let ended = tokens.iter().position(|token| token.token == Token::SemiColon);
    if let Some(end) = ended
        && let Some(before) = tokens.get(..end)
        && one_statement(rules, before).is_ok()
        && let Some(stop) = tokens.get(end)
    {
        let at = places.lines.byte(text, stop.span.end).unwrap_or(text.len());
        return several(text, at);
    }
    unreadable(text, places, message)
}

/// Parses the first statement and makes sure that nothing but `;` follows.
fn read_first(
    text: &str,
    places: &Places,
    tokens: &[TokenWithSpan],
    dialect: Dialect,
    rules: &dyn Rules,
) -> Result<Statement, Failure> {
    let first = one_statement(rules, tokens);
    let read = match (first, dialect) {
        // SQLite takes more than the parser's SQLite rules do. The lenient rules see the same
        // tokens, so places stay right; the engine has the last word on what they let through.
        (Err(error), Dialect::Sqlite) => {
            let lenient = sqlparser::dialect::GenericDialect {};
            let dangles = dangling_comma(places).is_some();
            one_statement(&lenient, tokens).ok().filter(|_| !dangles).ok_or(error)
        }
        (read, _) => read,
    };
    let (statement, rest) = read.map_err(|error| match error {
        ParserError::RecursionLimitExceeded => {
            syntax("the SQL is nested too deeply to be analysed".into(), None)
        }
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => {
            let comma = dangling_comma(places).and_then(|at| needless(text, places, at));
            comma.unwrap_or_else(|| unreadable(text, places, &message))
        }
    })?;
    match rest {
        None => Ok(statement),
        Some(second) => {
            let at = places.lines.byte(text, second.span.start);
            Err(several(text, at.unwrap_or(text.len())))
        }
    }
}

/// Finds a comma that ends a list: the lenient rules let that pass, SQLite doesn't.
fn dangling_comma(places: &Places) -> Option<usize> {
    use sqlparser::keywords::Keyword as K;
    let ends = |kind: Option<Lexed>| match kind {
        None | Some(Lexed::Close | Lexed::Semicolon) => true,
        Some(Lexed::Word(word)) => matches!(
            word,
            K::FROM | K::WHERE | K::GROUP | K::HAVING | K::ORDER | K::LIMIT | K::UNION
        ),
        Some(_) => false,
    };
    (0..places.lexemes.len())
        .find(|at| places.kind(*at) == Some(Lexed::Comma) && ends(places.kind(at + 1)))
}

/// Says that a comma has nothing after it; leaving it out is the suggestion.
fn needless(text: &str, places: &Places, comma: usize) -> Option<Failure> {
    let span = places.lexemes.get(comma)?.span;
    let next = places.lexemes.get(comma + 1).map_or("", |lexeme| lexeme.span.of(text));
    let line = text.get(..span.start)?.matches('\n').count() + 1;
    let before = if next.is_empty() { "the end".to_owned() } else { format!("'{next}'") };
    let message =
        format!("syntax error near ',' at line {line}: nothing is listed before {before}");
    let mut failure = syntax(message, Some(span));
    failure.diagnostics.iter_mut().for_each(|d| d.suggestions.push(String::new()));
    Some(failure)
}

/// Parses one statement; also returns the place of what follows its `;`, if anything does.
fn one_statement(
    rules: &dyn Rules,
    tokens: &[TokenWithSpan],
) -> Result<(Statement, Option<TokenWithSpan>), ParserError> {
    let mut parser = Parser::new(rules)
        .with_recursion_limit(DEEPEST)
        .with_options(ParserOptions::new())
        .with_tokens_with_locations(tokens.to_vec());
    while parser.consume_token(&Token::SemiColon) {}
    let statement = parser.parse_statement()?;
    let mut next = parser.peek_token();
    if next.token == Token::EOF {
        return Ok((statement, None));
    }
    if next.token != Token::SemiColon {
        return parser.expected("end of statement", next);
    }
    while parser.consume_token(&Token::SemiColon) {}
    next = parser.peek_token();
    Ok((statement, (next.token != Token::EOF).then_some(next)))
}

/// Counts the tokens that can deepen the tree without a parenthesis.
fn operators(places: &Places) -> usize {
    use sqlparser::keywords::Keyword as K;
    let deepens = |kind: Lexed| match kind {
        Lexed::Sign | Lexed::DoubleColon => true,
        Lexed::Word(word) => matches!(
            word,
            K::AND
                | K::OR
                | K::NOT
                | K::IS
                | K::UNION
                | K::EXCEPT
                | K::INTERSECT
                | K::COLLATE
                | K::LIKE
                | K::NOTNULL
                | K::BETWEEN
                | K::IN
        ),
        Lexed::Quoted
        | Lexed::Number
        | Lexed::Text
        | Lexed::Open
        | Lexed::Close
        | Lexed::Comma
        | Lexed::Semicolon => false,
    };
    places.lexemes.iter().filter(|lexeme| deepens(lexeme.kind)).count()
}

/// Says that more than one statement came.
fn several(text: &str, start: usize) -> Failure {
    let span = Span { start, end: text.trim_end().len().max(start) };
    let words: String = span.of(text).chars().take(30).collect();
    let message = format!(
        "only one statement is run at a time; a second one starts at '{}'",
        words.lines().next().unwrap_or_default()
    );
    failure(Stage::Parse, "multiple_statements", message, Some(span))
}

/// Turns the parser's message into a sentence with its place in bytes.
fn unreadable(text: &str, places: &Places, message: &str) -> Failure {
    let (what, at) = split_location(message);
    let at = at.and_then(|at| places.lines.byte(text, at));
    let start = at.unwrap_or(text.trim_end().len());
    let span = match places.lexemes.get(places.from(start)) {
        Some(lexeme) if lexeme.span.start == start => lexeme.span,
        _ => Span { start, end: next_char(text, start) },
    };
    let expected = what
        .strip_prefix("Expected: ")
        .and_then(|rest| rest.split(", found: ").next())
        .map(|expected| format!(": expected {}", lower_first(expected)));
    let detail = expected.unwrap_or_else(|| format!(": {}", lower_first(what)));
    let line = text.get(..start).unwrap_or(text).matches('\n').count() + 1;
    let place = match span.of(text) {
        "" => "at the end of the SQL".to_owned(),
        near => format!("near '{near}' at line {line}"),
    };
    syntax(format!("syntax error {place}{detail}"), Some(span))
}

/// Splits ` at Line: 2, Column: 7` off the parser's message.
fn split_location(message: &str) -> (&str, Option<sqlparser::tokenizer::Location>) {
    let message = message.trim_start_matches("sql parser error: ");
    let Some((what, place)) = message.rsplit_once(" at Line: ") else { return (message, None) };
    let numbers = place.split_once(", Column: ");
    let at = numbers.and_then(|(line, column)| {
        Some(sqlparser::tokenizer::Location::new(line.parse().ok()?, column.parse().ok()?))
    });
    (what, at)
}

fn lower_first(words: &str) -> String {
    let is_shout = words.chars().nth(1).is_some_and(char::is_uppercase);
    let mut chars = words.chars();
    match chars.next() {
        Some(first) if !is_shout => first.to_lowercase().chain(chars).collect(),
        _ => words.to_owned(),
    }
}

fn next_char(text: &str, start: usize) -> usize {
    text.get(start..).and_then(|rest| rest.chars().next()).map_or(start, |c| start + c.len_utf8())
}

fn refused(found: &writes::Found) -> Failure {
    failure(Stage::Policy, found.code, found.message.clone(), found.span)
}

fn syntax(message: String, span: Option<Span>) -> Failure {
    failure(Stage::Parse, "syntax_error", message, span)
}

fn failure(stage: Stage, code: &str, message: String, span: Option<Span>) -> Failure {
    let diagnostic = Diagnostic { code: code.to_owned(), message, span, suggestions: Vec::new() };
    Failure { stage, diagnostics: vec![diagnostic], retryable: code != "write" }
}
