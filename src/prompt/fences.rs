//! Markdown fences in a reply.

/// A fenced block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block<'a> {
    /// The word behind the opening fence, such as `sql`; may be empty.
    pub language: &'a str,
    /// What the fences hold, without line ends around it.
    pub body: &'a str,
    /// Where the opening fence starts.
    pub start: usize,
    /// One past the closing fence.
    pub end: usize,
}

/// Lists the fenced blocks of a text in order.
///
/// A block whose closing fence was cut off runs to the end of the text. A lone fence behind bare
/// SQL opens a block without a body, which is left out.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|t| t.find("```")).map(|at| from + at) {
        let inside = text.get(start..).unwrap_or("").trim_start_matches('`');
        let open = text.len() - inside.len();
        let close = inside.find("```").map(|at| open + at);
        let content = text.get(open..close.unwrap_or(text.len())).unwrap_or("");
        let end = close.map_or(text.len(), |c| c + 3);
        let (language, body) = split_language(content);
        if !body.is_empty() {
            blocks.push(Block { language, body, start, end });
        }
        from = end;
    }
    blocks
}

/// Splits the language word from a block's content: a first line of one word, or a known word
/// before the content of a block that stands on one line.
fn split_language(content: &str) -> (&str, &str) {
    let (first, rest) = content.split_once('\n').unwrap_or((content, ""));
    let word = first.trim();
    let is_word = word.chars().all(|c| c.is_alphanumeric() || "+-_.#".contains(c));
    if is_word && (!rest.is_empty() || word.is_empty()) {
        return (word, rest.trim());
    }
    for known in ["sqlite3", "sqlite", "postgresql", "postgres", "mysql", "sql", "json"] {
        if let Some(head) = content.get(..known.len())
            && head.eq_ignore_ascii_case(known)
            && content.get(known.len()..).is_some_and(|r| r.starts_with([' ', '\n', '{']))
        {
            return (head, content.get(known.len()..).unwrap_or("").trim());
        }
    }
    ("", content.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_split_off_and_a_cut_fence_runs_to_the_end() {
        let found = blocks("```json\n{}\n```\nand\n```SQLite\nSELECT 1");
        let pairs: Vec<_> = found.iter().map(|b| (b.language, b.body)).collect();
        assert_eq!(pairs, [("json", "{}"), ("SQLite", "SELECT 1")]);
    }

    #[test]
    fn a_block_on_one_line_is_read() {
        assert_eq!(blocks("```sql SELECT 1```")[0].body, "SELECT 1");
        assert_eq!(blocks("```SELECT 1```")[0].body, "SELECT 1");
    }

    #[test]
    fn a_lone_closing_fence_is_no_block() {
        assert_eq!(blocks("SELECT 1\n```"), []);
    }
}
