//! Lays a query out over lines, for reading.

use sqlparser::keywords::Keyword;

use crate::domain::Dialect;

use super::ReadQuery;
use super::places::{Lexed, Places};

/// Longest parenthesis that stays on one line, in bytes.
const INLINE: usize = 60;
/// Longest output list that stays on one line, in bytes.
const LIST: usize = 72;
/// Spaces for each level.
const STEP: usize = 2;

/// Returns the query with a clause on each line, or the text as it is when it can't be read or
/// holds comments. The words themselves stay as written.
pub fn layout(sql: &str, dialect: Dialect) -> String {
    let Ok(query) = ReadQuery::parse(sql, dialect) else { return sql.to_owned() };
    if query.places().comments {
        return sql.to_owned();
    }
    let mut page = Page { text: sql, places: query.places(), out: String::new() };
    page.block(0, query.places().lexemes.len(), 0);
    page.out.trim().to_owned()
}

struct Page<'a> {
    text: &'a str,
    places: &'a Places,
    out: String,
}

impl Page<'_> {
    /// Writes the tokens `from..to`, which are at one level of parentheses.
    fn block(&mut self, from: usize, to: usize, indent: usize) {
        let mut at = from;
        let mut clause = Keyword::NoKeyword;
        let mut long_list = false;
        let mut between = false;
        let mut cases = 0usize;
        while at < to {
            let word = self.word(at);
            if at > from && cases == 0 && self.starts_clause(at) {
                self.line(indent);
            } else if breaks_condition(word, clause) && cases == 0 && !between {
                self.line(indent + STEP);
            } else if at > from {
                self.space(at);
            }
            match word {
                Keyword::BETWEEN => between = true,
                Keyword::AND => between = false,
                Keyword::CASE => cases += 1,
                Keyword::END => cases = cases.saturating_sub(1),
                _ => {}
            }
            if is_clause(word) && cases == 0 {
                clause = word;
                long_list = word == Keyword::SELECT && self.list_length(at, to) > LIST;
            }
            at = if self.places.kind(at) == Some(Lexed::Open) {
                self.parenthesis(at, to, indent)
            } else {
                self.token(at);
                at + 1
            };
            let comma = self.places.kind(at.wrapping_sub(1)) == Some(Lexed::Comma);
            if comma && long_list && clause == Keyword::SELECT && at < to {
                self.line(indent + STEP);
            }
        }
    }

    /// Writes a parenthesis; a long one that holds a query gets lines of its own.
    fn parenthesis(&mut self, open: usize, to: usize, indent: usize) -> usize {
        let Some(close) = self.places.closing(open).filter(|close| *close < to) else {
            self.token(open);
            return open + 1;
        };
        self.token(open);
        let is_query = matches!(self.word(open + 1), Keyword::SELECT | Keyword::WITH);
        if is_query && self.length(open, close) > INLINE {
            self.line(indent + STEP);
            self.block(open + 1, close, indent + STEP);
            self.line(indent);
        } else {
            for at in open + 1..close {
                self.space(at);
                self.token(at);
            }
            self.space(close);
        }
        self.token(close);
        close + 1
    }

    fn starts_clause(&self, at: usize) -> bool {
        use Keyword as K;
        let before = self.word(at - 1);
        match self.word(at) {
            K::JOIN => !is_join_word(before),
            K::LEFT | K::RIGHT | K::FULL => {
                matches!(self.word(at + 1), K::JOIN | K::OUTER) && before != K::NATURAL
            }
            K::INNER | K::CROSS => before != K::NATURAL,
            K::GROUP | K::ORDER => self.word(at + 1) == K::BY,
            word => is_clause(word) && word != K::WITH || matches!(word, K::NATURAL),
        }
    }

    fn word(&self, at: usize) -> Keyword {
        match self.places.kind(at) {
            Some(Lexed::Word(word)) => word,
            _ => Keyword::NoKeyword,
        }
    }

    /// Length of the output list that starts after SELECT.
    fn list_length(&self, select: usize, to: usize) -> usize {
        let mut depth = 0usize;
        for at in select + 1..to {
            match self.places.kind(at) {
                Some(Lexed::Open) => depth += 1,
                Some(Lexed::Close) => depth = depth.saturating_sub(1),
                Some(Lexed::Word(Keyword::FROM)) if depth == 0 => return self.length(select, at),
                _ => {}
            }
        }
        self.length(select, to.saturating_sub(1))
    }

    fn length(&self, from: usize, to: usize) -> usize {
        let lexeme = |at: usize| self.places.lexemes.get(at).map(|lexeme| lexeme.span);
        lexeme(to).zip(lexeme(from)).map_or(0, |(to, from)| to.end.saturating_sub(from.start))
    }

    fn token(&mut self, at: usize) {
        if let Some(lexeme) = self.places.lexemes.get(at) {
            self.out.push_str(lexeme.span.of(self.text));
        }
    }

    /// Writes one space where the text had some.
    fn space(&mut self, at: usize) {
        let before = at.checked_sub(1).and_then(|before| self.places.lexemes.get(before));
        let (Some(before), Some(this)) = (before, self.places.lexemes.get(at)) else { return };
        let ends_line = self.out.ends_with([' ', '\n']);
        if before.span.end < this.span.start && !ends_line {
            self.out.push(' ');
        }
    }

    fn line(&mut self, indent: usize) {
        let kept = self.out.trim_end_matches(' ').len();
        self.out.truncate(kept);
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
    }
}

fn is_clause(word: Keyword) -> bool {
    use Keyword as K;
    matches!(
        word,
        K::SELECT
            | K::FROM
            | K::WHERE
            | K::GROUP
            | K::HAVING
            | K::ORDER
            | K::LIMIT
            | K::JOIN
            | K::UNION
            | K::EXCEPT
            | K::INTERSECT
            | K::WITH
    )
}

fn is_join_word(word: Keyword) -> bool {
    use Keyword as K;
    matches!(word, K::LEFT | K::RIGHT | K::FULL | K::OUTER | K::INNER | K::CROSS | K::NATURAL)
}

fn breaks_condition(word: Keyword, clause: Keyword) -> bool {
    matches!(word, Keyword::AND | Keyword::OR) && matches!(clause, Keyword::WHERE | Keyword::HAVING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_clause_gets_a_line() {
        let sql = "SELECT a,  b FROM t JOIN u ON t.i = u.i WHERE a BETWEEN 1 AND 2 AND b = 'x  y' ORDER BY a LIMIT 3;";
        let expected = "SELECT a, b\nFROM t\nJOIN u ON t.i = u.i\nWHERE a BETWEEN 1 AND 2\n  AND b = 'x  y'\nORDER BY a\nLIMIT 3;";
        assert_eq!(layout(sql, Dialect::Sqlite), expected);
    }

    #[test]
    fn a_text_with_comments_stays_as_it_is() {
        let sql = "SELECT a -- why\nFROM t WHERE b";
        assert_eq!(layout(sql, Dialect::Sqlite), sql);
    }

    #[test]
    fn what_cannot_be_read_stays_as_it_is() {
        assert_eq!(layout("SELEC  a", Dialect::Sqlite), "SELEC  a");
    }

    #[test]
    fn laying_out_again_changes_nothing() {
        let sql = "SELECT count(*) FROM t WHERE id IN (SELECT id FROM other_table WHERE something = 'long enough to break')";
        let once = layout(sql, Dialect::Sqlite);
        assert!(once.contains("\n  SELECT id\n"), "{once}");
        assert_eq!(layout(&once, Dialect::Sqlite), once);
    }
}
