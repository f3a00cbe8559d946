//! PostgreSQL's SQL as tokens, read exactly as the server's own scanner reads it: what stands in
//! texts and comments must never be taken for SQL, and no SQL for a text.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A bare word.
    Word,
    /// A name in `"…"`.
    Quoted,
    /// A name in `U&"…"`, which may be spelled by code points.
    Spelled,
    /// A text: `'…'`, `E'…'`, `$tag$…$tag$` and the like.
    Text,
    /// A number.
    Number,
    /// `-- …` or `/* … */`.
    Comment,
    /// A run of operator signs.
    Operator,
    /// Anything else, one character.
    Sign,
}

/// A token with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// What it is.
    pub(super) kind: Kind,
    /// Its text, with quotes.
    pub(super) text: &'a str,
    /// First byte.
    pub(super) start: usize,
}

impl Token<'_> {
    /// Returns one past the last byte.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Tells whether it is this word or sign, in any letter case.
    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Sign) && self.text.eq_ignore_ascii_case(word)
    }

    /// Tells whether it can be a name.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted)
    }

    /// Returns the name as the server reads it: bare ones in lower case, long ones cut.
    pub(super) fn name(&self) -> String {
        let mut name = if self.kind == Kind::Quoted {
            let inner = self.text.strip_prefix('"').unwrap_or(self.text);
            inner.strip_suffix('"').unwrap_or(inner).replace("\"\"", "\"")
        } else {
            self.text.to_ascii_lowercase()
        };
        name.truncate(name.floor_char_boundary(LONGEST_NAME));
        name
    }
}

/// Bytes of a name that count.
const LONGEST_NAME: usize = 63;

/// Splits a text into tokens without its comments.
pub(super) fn code(text: &str) -> Vec<Token<'_>> {
    tokens(text).into_iter().filter(|token| token.kind != Kind::Comment).collect()
}

/// Splits a text into tokens; anything that isn't closed reaches to the end.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        if is_space(first) {
            at += 1;
            continue;
        }
        let (kind, length) = measure(rest, first);
        let token = rest.get(..length).unwrap_or(rest);
        found.push(Token { kind, text: token, start: at });
        at += token.len();
    }
    found
}

/// Spaces of the server's scanner; others, such as a no-break space, belong to names.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

fn measure(rest: &str, first: char) -> (Kind, usize) {
    if rest.starts_with("--") {
        return (Kind::Comment, line_comment(rest));
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, block_comment(rest));
    }
    if let Some((prefix, kind)) = quote_begins(rest) {
        let end = match kind {
            Quote::Name | Quote::SpelledName => quoted(rest, prefix, '"', false),
            Quote::Text => text_end(rest, prefix, false),
            Quote::Escaped => text_end(rest, prefix, true),
        };
        let kind = match kind {
            Quote::Name => Kind::Quoted,
            Quote::SpelledName => Kind::Spelled,
            Quote::Text | Quote::Escaped => Kind::Text,
        };
        return (kind, end);
    }
    match first {
        '$' => dollar(rest),
        '0'..='9' => (Kind::Number, number(rest)),
        '.' if rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => {
            (Kind::Number, number(rest))
        }
        _ if begins_word(first) => (Kind::Word, word(rest)),
        _ if is_operator(first) => (Kind::Operator, operator(rest)),
        _ => (Kind::Sign, first.len_utf8()),
    }
}

#[derive(Clone, Copy)]
enum Quote {
    Name,
    SpelledName,
    Text,
    /// With backslashes that escape.
    Escaped,
}

/// Tells which quote begins here, and how long what stands before its content is.
fn quote_begins(rest: &str) -> Option<(usize, Quote)> {
    let byte = |at: usize| rest.as_bytes().get(at).copied().unwrap_or(0);
    match (byte(0), byte(1), byte(2)) {
        (b'\'', ..) => Some((1, Quote::Text)),
        (b'"', ..) => Some((1, Quote::Name)),
        (b'e' | b'E', b'\'', _) => Some((2, Quote::Escaped)),
        (b'b' | b'B' | b'x' | b'X' | b'n' | b'N', b'\'', _) => Some((2, Quote::Text)),
        (b'u' | b'U', b'&', b'\'') => Some((3, Quote::Text)),
        (b'u' | b'U', b'&', b'"') => Some((3, Quote::SpelledName)),
        _ => None,
    }
}

/// Measures a text with those that continue it: a quote on a later line goes on with the same text.
fn text_end(rest: &str, prefix: usize, escapes: bool) -> usize {
    let mut end = quoted(rest, prefix, '\'', escapes);
    while let Some(next) = continued(rest, end) {
        end = quoted(rest, next, '\'', escapes);
    }
    end
}

/// Finds where a text continues: after spaces and comments with a line break among them.
fn continued(rest: &str, end: usize) -> Option<usize> {
    let mut at = end;
    let mut broken = false;
    loop {
        let behind = rest.get(at..)?;
        match behind.chars().next()? {
            '\'' if broken => return Some(at + 1),
            c if is_space(c) => {
                broken |= matches!(c, '\n' | '\r');
                at += 1;
            }
            '-' if behind.starts_with("--") => at += line_comment(behind),
            _ => return None,
        }
    }
}

/// Measures up to the closing quote; a doubled quote stands for itself.
fn quoted(rest: &str, prefix: usize, quote: char, escapes: bool) -> usize {
    let inner = rest.get(prefix..).unwrap_or("");
    let mut chars = inner.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && escapes {
            chars.next();
        } else if c == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
            return prefix + at + 1;
        }
    }
    rest.len()
}

fn line_comment(rest: &str) -> usize {
    rest.find(['\n', '\r']).unwrap_or(rest.len())
}

/// Measures a comment; comments inside it nest.
fn block_comment(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut at, mut depth) = (0, 0u32);
    while let Some(pair) = bytes.get(at..at + 2) {
        match pair {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// Measures `$tag$…$tag$`, or a parameter such as `$1`.
fn dollar(rest: &str) -> (Kind, usize) {
    let inner = rest.get(1..).unwrap_or("");
    let digits = inner.find(|c: char| !c.is_ascii_digit()).unwrap_or(inner.len());
    if digits > 0 {
        return (Kind::Number, 1 + digits);
    }
    let tag = inner.find(|c| !begins_word(c) && !char::is_ascii_digit(&c)).unwrap_or(inner.len());
    if inner.get(tag..).is_none_or(|rest| !rest.starts_with('$')) {
        return (Kind::Sign, 1);
    }
    let mark = rest.get(..tag + 2).unwrap_or(rest);
    let content = rest.get(mark.len()..).unwrap_or("");
    (Kind::Text, content.find(mark).map_or(rest.len(), |end| mark.len() * 2 + end))
}

fn number(rest: &str) -> usize {
    rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len())
}

fn begins_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}

fn word(rest: &str) -> usize {
    let inside = |c: char| begins_word(c) || c.is_ascii_digit() || c == '$';
    rest.find(|c| !inside(c)).unwrap_or(rest.len())
}

fn is_operator(c: char) -> bool {
    "~!@#^&|`?+-*/%<>=".contains(c)
}

/// Measures a run of operator signs; a comment ends it.
fn operator(rest: &str) -> usize {
    let run = rest.find(|c| !is_operator(c)).unwrap_or(rest.len());
    let signs = rest.get(..run).unwrap_or(rest);
    let comment = ["--", "/*"].iter().filter_map(|begin| signs.find(begin)).min();
    comment.unwrap_or(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        code(text).iter().filter(|token| token.is_name()).map(Token::name).collect()
    }

    #[test]
    fn texts_of_every_kind_hide_what_they_hold() {
        for text in [
            "a 'x''x' b",
            r"a E'x\'x' b",
            "a $$x$$ b",
            "a $t$ x $$ x $t$ b",
            "a E'x' -- x\n  'x\\'x' b",
            "a U&'x' b",
            "a /* x /* x */ x */ b",
            "a -- x\n b",
        ] {
            assert_eq!(words(text), ["a", "b"], "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_text_hides_nothing() {
        assert_eq!(words(r"'x\' a 'x'"), ["a"], "no escape without E");
        assert_eq!(words("a$x$ b $x$ c"), ["a$x$", "b"], "a dollar belongs to the word before it");
        assert_eq!(words("1+a--x"), ["a"]);
        assert_eq!(words("1-/*x*/a"), ["a"]);
        assert_eq!(words("e'x' 'x' a"), ["a"], "no line break, no continuation");
    }

    #[test]
    fn names_are_those_that_the_server_reads() {
        assert_eq!(words(r#"Ab "Ab" "a""b" é"#), ["ab", "Ab", "a\"b", "é"]);
        assert_eq!(words(&"n".repeat(70)), ["n".repeat(63)]);
        assert_eq!(code(r#"U&"\0061""#).first().map(|token| token.kind), Some(Kind::Spelled));
    }

    #[test]
    fn what_is_not_closed_reaches_to_the_end() {
        for text in ["'abc", "\"abc", "/* /* abc */", "-- abc", "$a$ b", "E'a\\'"] {
            assert_eq!(tokens(text).len(), 1, "{text}");
        }
    }
}
