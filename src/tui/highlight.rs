//! Colours SQL by its own small grammar, off the key path: loaded when first asked, line by line.

use std::collections::BTreeMap;

use syntect::highlighting::{
    Color, HighlightIterator, HighlightState, Highlighter, StyleModifier, Theme as Kinds, ThemeItem,
};
use syntect::parsing::{ParseState, ScopeStack, SyntaxDefinition, SyntaxSet, SyntaxSetBuilder};

use super::msg::Colours;
use super::theme::{Paint, Role};

/// The grammar.
const SQL: &str = include_str!("../../assets/syntaxes/sql.sublime-syntax");

/// Lines longer than this stay plain: nobody reads them, and they would keep a core busy.
const LONGEST_LINE: usize = 2_000;

/// What the grammar calls a piece, and its role.
const ROLES: [(&str, Role); 9] = [
    ("keyword.other", Role::SqlKeyword),
    ("keyword.operator", Role::SqlOperator),
    ("string", Role::SqlString),
    ("constant.numeric", Role::SqlNumber),
    ("constant.language", Role::SqlConstant),
    ("comment", Role::SqlComment),
    ("support.function", Role::SqlFunction),
    ("variable.parameter", Role::SqlParameter),
    ("punctuation", Role::SqlPunctuation),
];

/// Grammar, roles, and the state before each line of the text coloured last.
pub(super) struct Painter {
    grammar: Option<SyntaxSet>,
    /// Each role as a colour that stands for its number, from 1: the theme comes when drawing.
    kinds: Kinds,
    /// Each line of the last text with the states before it.
    lines: Vec<(String, ParseState, HighlightState)>,
    done: BTreeMap<String, Vec<(usize, Paint)>>,
}

impl Painter {
    /// Loads the grammar; takes milliseconds, so it is never called before the first frame.
    pub(super) fn new() -> Self {
        let mut builder = SyntaxSetBuilder::new();
        let grammar = SyntaxDefinition::load_from_str(SQL, true, None).ok().map(|definition| {
            builder.add(definition);
            builder.build()
        });
        Painter { grammar, kinds: kinds(), lines: Vec::new(), done: BTreeMap::new() }
    }

    /// Colours a text; lines before the first changed one are taken from the last time.
    pub(super) fn colour(&mut self, sql: &str, theme: &str) -> Colours {
        self.paint(sql);
        Colours { of: (sql.to_owned(), theme.to_owned()), lines: self.done.clone() }
    }

    fn paint(&mut self, sql: &str) {
        let Some(grammar) = &self.grammar else { return };
        let Some(syntax) = grammar.find_syntax_by_extension("sql") else { return };
        let highlighter = Highlighter::new(&self.kinds);
        let wanted: Vec<&str> = sql.split('\n').collect();
        let same =
            self.lines.iter().zip(&wanted).take_while(|((line, _, _), w)| line == *w).count();
        let (mut parse, mut state) = match self.lines.get(same) {
            Some((_, parse, state)) => (parse.clone(), state.clone()),
            None => (ParseState::new(syntax), HighlightState::new(&highlighter, ScopeStack::new())),
        };
        // without a line to go on from, all is coloured anew
        let from = if same < self.lines.len() { same } else { 0 };
        self.lines.truncate(from);
        let kept: Vec<String> = self.lines.iter().map(|(line, _, _)| line.clone()).collect();
        self.done.retain(|line, _| kept.contains(line));
        for line in wanted.iter().skip(from) {
            self.lines.push(((*line).to_owned(), parse.clone(), state.clone()));
            if line.len() > LONGEST_LINE {
                continue;
            }
            let Ok(ops) = parse.parse_line(&format!("{line}\n"), grammar) else { continue };
            let pieces = HighlightIterator::new(&mut state, &ops, line, &highlighter);
            let mut end = 0;
            let painted = pieces.map(|(style, text)| {
                end += text.len();
                (end, paint(style))
            });
            self.done.insert((*line).to_owned(), painted.collect());
        }
    }
}

/// Makes a theme whose colours are the numbers of roles.
fn kinds() -> Kinds {
    let number = |n: u8| Color { r: n, g: 0, b: 0, a: 255 };
    let scopes = (1u8..).zip(ROLES).filter_map(|(n, (scope, _))| {
        let style = StyleModifier { foreground: Some(number(n)), ..StyleModifier::default() };
        Some(ThemeItem { scope: scope.parse().ok()?, style })
    });
    let mut kinds = Kinds { scopes: scopes.collect(), ..Kinds::default() };
    kinds.settings.foreground = Some(number(0));
    kinds
}

fn paint(style: syntect::highlighting::Style) -> Paint {
    let role = usize::from(style.foreground.r).checked_sub(1).and_then(|n| ROLES.get(n));
    Paint { role: role.map_or(Role::Text, |(_, role)| *role) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keywords(colours: &Colours, line: &str) -> Vec<String> {
        let mut from = 0;
        let mut words = Vec::new();
        for (end, paint) in &colours.lines[line] {
            if paint.role == Role::SqlKeyword {
                words.push(line[from..*end].to_owned());
            }
            from = *end;
        }
        words
    }

    #[test]
    fn keywords_are_told_from_names() {
        let mut painter = Painter::new();
        let colours = painter.colour("SELECT price\nFROM rooms", "querent-dark");
        assert_eq!(keywords(&colours, "SELECT price"), ["SELECT"]);
        assert_eq!(keywords(&colours, "FROM rooms"), ["FROM"]);
    }

    #[test]
    fn a_comment_over_two_lines_ends_where_it_ends_after_an_edit_too() {
        let mut painter = Painter::new();
        painter.colour("/* a\nSELECT */ FROM t", "monochrome");
        let first = painter.colour("/* b\nSELECT */ FROM t", "monochrome");
        assert_eq!(keywords(&first, "SELECT */ FROM t"), ["FROM"]);
        let second = painter.colour("1\nSELECT */ FROM t", "monochrome");
        assert_eq!(keywords(&second, "SELECT */ FROM t"), ["SELECT", "FROM"]);
    }
}
