//! A component looked into: its exact text, what the SQL used of it, and what was cut.

use std::ops::Range;

use crate::domain::counts::count;
use crate::domain::package::Form;
use crate::domain::{Component, ContextPackage};
use crate::render;
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::layout::Layout;
use super::super::panes::context;
use super::super::panes::context_used::{Marks, Used};
use super::super::theme::Role;
use super::super::widgets::lines::{Line, wrapped};
use super::super::widgets::scroll;
use super::{Overlay, component_view};

/// Bytes of a text that are made safe for the screen; all of it can be copied.
const SHOWN_AT_MOST: usize = 1 << 20;

/// A component looked into.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspector {
    /// Which component of the package, from 0.
    pub at: usize,
    /// The component as it was told, or would have been.
    pub component: Component,
    /// The form it is shown in, where that isn't the one it was told in.
    pub other_form: Option<Form>,
    /// How many components there are.
    pub count: usize,
    /// The package's budget in tokens.
    pub budget: u32,
    /// What each line of its text has to do with the SQL; empty without SQL that can be read.
    pub marks: Vec<Marks>,
    /// What is looked for.
    pub find: String,
    /// Letters go into what is looked for.
    pub typing: bool,
    /// First row shown.
    pub top: usize,
}

impl Inspector {
    /// Counts the lines that the SQL used.
    pub fn used(&self) -> usize {
        self.marks.iter().filter(|marks| marks.used).count()
    }

    /// Lists the lines of the text, each with whether the SQL used it.
    fn lines(&self) -> Vec<(Line, bool)> {
        let text = &self.component.text;
        if text.is_empty() {
            return vec![(vec![(Shown::new("Nothing to tell."), Role::Dim)], false)];
        }
        let most = text.len().min(SHOWN_AT_MOST);
        let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let none = Marks::default();
        let lines = text.get(..end).unwrap_or("").lines().enumerate();
        let mut shown: Vec<(Line, bool)> = lines
            .map(|(n, line)| {
                let marks = self.marks.get(n).unwrap_or(&none);
                (self.line(line, marks), marks.used)
            })
            .collect();
        if end < text.len() {
            let rest = format!("… {}; copying takes all", count(text.len() - end, "more byte"));
            shown.push((vec![(Shown::from(rest), Role::Dim)], false));
        }
        shown.extend(self.cut());
        shown
    }

    /// Lists what was left out, as the package's own record says it.
    fn cut(&self) -> Vec<(Line, bool)> {
        let cut = &self.component.cut;
        if cut.is_empty() {
            return Vec::new();
        }
        let head = format!("Left out for lack of room: {}", cut.len());
        let mut lines = vec![(Line::new(), false), (vec![(Shown::from(head), Role::Warn)], false)];
        lines.extend(cut.iter().map(|what| {
            (vec![(Shown::new("− "), Role::Warn), (Shown::new(what), Role::Dim)], false)
        }));
        lines
    }

    /// Cuts a line where what is used or looked for begins and ends.
    fn line(&self, line: &str, marks: &Marks) -> Line {
        let found = spans(line, &self.find);
        let mut ends: Vec<usize> = vec![0, line.len()];
        ends.extend(marks.spans.iter().chain(&found).flat_map(|span| [span.start, span.end]));
        ends.sort_unstable();
        ends.dedup();
        let inside = |spans: &[Range<usize>], at: usize| spans.iter().any(|s| s.contains(&at));
        let plain = if self.component.included { Role::Text } else { Role::Dim };
        let pieces = ends.windows(2).filter_map(|pair| {
            let [from, to] = pair else { return None };
            let role = if inside(&found, *from) {
                Role::Cursor
            } else if inside(&marks.spans, *from) {
                Role::Accent
            } else {
                plain
            };
            Some((Shown::code(line.get(*from..*to)?), role))
        });
        pieces.collect()
    }

    /// Lists the rows at a width: pieces, and whether the gutter marks them as used.
    pub fn rows(&self, width: usize) -> Vec<(Line, bool)> {
        let fold = |(line, used): (Line, bool)| {
            wrapped(&line, width).into_iter().enumerate().map(move |(n, row)| (row, used && n == 0))
        };
        self.lines().into_iter().flat_map(fold).collect()
    }

    /// Counts the places that hold what is looked for.
    pub fn hits(&self) -> usize {
        self.component.text.lines().map(|line| spans(line, &self.find).len()).sum()
    }

    /// Goes to the next row that holds what is looked for, or is used.
    fn seek(&mut self, width: usize, on: bool, wanted: impl Fn(&Line, bool) -> bool) -> bool {
        let rows = self.rows(width);
        let found = |n: &usize| rows.get(*n).is_some_and(|(line, used)| wanted(line, *used));
        let count = rows.len();
        let later = (self.top + 1..count).chain(0..=self.top.min(count.saturating_sub(1)));
        let next = if on {
            later.into_iter().find(found)
        } else {
            (0..self.top).rev().chain((self.top..count).rev()).find(found)
        };
        if let Some(next) = next {
            self.top = next;
        }
        next.is_some()
    }
}

/// Finds a text in a line, whatever the letter case.
fn spans(line: &str, find: &str) -> Vec<Range<usize>> {
    if find.is_empty() {
        return Vec::new();
    }
    let find = find.to_lowercase();
    let starts = line.char_indices().map(|(at, _)| at);
    let mut spans: Vec<Range<usize>> = Vec::new();
    for at in starts {
        let rest = line.get(at..).unwrap_or("");
        let mut lower = String::new();
        let end = rest.char_indices().find_map(|(n, c)| {
            lower.extend(c.to_lowercase());
            (lower.len() >= find.len()).then_some(n + c.len_utf8())
        });
        let free = spans.last().is_none_or(|last| last.end <= at);
        if let Some(end) = end.filter(|_| lower == find && free) {
            spans.push(at..at + end);
        }
    }
    spans
}

/// Looks into a component of the package of the moment.
pub fn open(app: &mut App, at: usize) {
    let Some(package) = context::package(app) else { return };
    let Some(inspector) = look(app, package, at) else { return };
    app.overlay = Some(Overlay::Component(Box::new(inspector)));
}

fn look(app: &App, package: &ContextPackage, at: usize) -> Option<Inspector> {
    let mut component = package.components.get(at)?.clone();
    let other_form = Some(context::form(app)).filter(|form| *form != package.form);
    if let Some(form) = other_form {
        component.text = render::component(component.kind, &component.content, form);
        component.tokens = render::tokens(&component.text);
    }
    let version = app.run.as_ref().filter(|_| context::preview(app).is_none());
    let sql = version.and_then(|run| run.version()).map(|(_, _, version)| version.sql.as_str());
    let used = sql.and_then(|sql| Used::of(sql, &app.catalog));
    Some(Inspector {
        at,
        count: package.components.len(),
        budget: package.budget,
        marks: used.map(|used| used.lines(component.kind, &component.text)).unwrap_or_default(),
        component,
        other_form,
        find: String::new(),
        typing: false,
        top: 0,
    })
}

/// Goes to the former or next component; what is looked for stays.
fn step(app: &mut App, on: bool) {
    let Some(Overlay::Component(inspector)) = &app.overlay else { return };
    let count = inspector.count.max(1);
    let at = (inspector.at + if on { 1 } else { count - 1 }) % count;
    let find = inspector.find.clone();
    app.context.cursor.at = at;
    open(app, at);
    if let Some(Overlay::Component(inspector)) = &mut app.overlay {
        inspector.find = find;
    }
}

/// Shows the same component in the next form, which the next asking will have.
fn change_form(app: &mut App) {
    let Some(Overlay::Component(inspector)) = &app.overlay else { return };
    let (at, find) = (inspector.at, inspector.find.clone());
    context::choose_form(app);
    open(app, at);
    if let Some(Overlay::Component(inspector)) = &mut app.overlay {
        inspector.find = find;
    }
}

/// Scrolls, looks for words, goes to other components, switches, copies, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let (width, height) = component_view::extent(Layout::of(app).body);
    let Some(Overlay::Component(inspector)) = &mut app.overlay else { return Vec::new() };
    if let Some(top) = scroll::by(action, inspector.top, height, inspector.rows(width).len()) {
        inspector.top = top;
        return Vec::new();
    }
    match action {
        Action::Left => step(app, false),
        Action::Right => step(app, true),
        Action::Find => {
            inspector.typing = true;
            inspector.find.clear();
        }
        Action::Open => inspector.typing = false,
        Action::FindNext => seek(app, width, true),
        Action::FindFormer => seek(app, width, false),
        Action::NextUsed => {
            let found = inspector.seek(width, true, |_, used| used);
            if !found {
                app.say("The SQL used no line of this component.", Tone::Trouble);
            }
        }
        Action::Switch => context::switch(app),
        Action::Form => change_form(app),
        Action::Copy => {
            let text = inspector.component.text.clone();
            app.say(format!("Copied {}.", count(text.len(), "byte")), Tone::Done);
            return vec![Effect::Copy(text)];
        }
        Action::Cancel if inspector.typing => {
            inspector.typing = false;
            inspector.find.clear();
        }
        Action::Cancel => app.overlay = None,
        _ => {}
    }
    if let Some(Overlay::Component(inspector)) = &mut app.overlay {
        let last = inspector.rows(width).len().saturating_sub(height);
        inspector.top = inspector.top.min(last);
    }
    Vec::new()
}

/// Follows what is typed to the first place that holds it.
pub fn typed(app: &mut App) {
    let (width, _) = component_view::extent(Layout::of(app).body);
    if let Some(Overlay::Component(inspector)) = &mut app.overlay {
        let here = inspector.rows(width).get(inspector.top).is_some_and(|(line, _)| hit(line));
        if !here && !inspector.find.is_empty() {
            inspector.seek(width, true, |line, _| hit(line));
        }
    }
    act(app, Action::Redraw);
}

fn hit(line: &Line) -> bool {
    line.iter().any(|(_, role)| *role == Role::Cursor)
}

fn seek(app: &mut App, width: usize, on: bool) {
    let Some(Overlay::Component(inspector)) = &mut app.overlay else { return };
    let find = inspector.find.clone();
    if find.is_empty() || inspector.seek(width, on, |line, _| hit(line)) {
        return;
    }
    app.say(format!("'{find}' isn't in this text."), Tone::Trouble);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_their_case_and_never_overlap() {
        assert_eq!(spans("aaa Aa", "aa"), [0..2, 4..6]);
        assert_eq!(spans("Größe GRÖSSE", "grö"), [0..4, 8..12]);
        assert!(spans("abc", "").is_empty());
    }
}
