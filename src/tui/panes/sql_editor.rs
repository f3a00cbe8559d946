//! SQL of one's own: typed, completed, checked as it is typed, mended at a key, run as a child.

use std::ops::Range;

use crate::domain::{Diagnostic, Finding, RunId};
use crate::sql::complete::Offers;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::{Place, Press};
use super::super::widgets::list::{Cursor, Move};
use super::sql_page;

/// Does an action in the editor; none when the action means nothing special there.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else means what it means in the pane")]
pub fn act(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let offered = app.sql.offers.offers.len();
    match action {
        Action::Up if offered > 0 => app.sql.offer.go(Move::By(-1), offered),
        Action::Down if offered > 0 => app.sql.offer.go(Move::By(1), offered),
        Action::Complete => return Some(take(app)),
        Action::Offer => return Some(complete(app, true)),
        Action::NewLine => {
            app.sql.editor.new_line(true);
            return Some(changed(app));
        }
        Action::SelectAll => app.sql.editor.select_all(),
        Action::Format => {
            let editor = &app.sql.editor;
            let laid = crate::sql::layout::layout(editor.as_str(), app.catalog.dialect);
            if laid == editor.as_str() {
                app.say("It is laid out, or can't be read yet.", Tone::Note);
            } else {
                app.sql.editor.replace(0..app.sql.editor.as_str().len(), &laid);
            }
            return Some(changed(app));
        }
        Action::Clear => {
            let all = 0..app.sql.editor.as_str().len();
            app.sql.editor.replace(all, "");
            app.sql.parent = None;
            close(app);
            return Some(changed(app));
        }
        Action::Fix => return Some(fix(app)),
        _ => return None,
    }
    Some(Vec::new())
}

/// Takes the version looked at into the editor, unless an edit of it is there already.
pub fn edit(app: &mut App) -> Vec<Effect> {
    let Some((id, question, sql)) = looked_at(app) else { return Vec::new() };
    let same = app.sql.parent.as_ref().is_some_and(|(parent, _)| *parent == id);
    let edited = app.sql.editor.as_str() != app.sql.saved;
    if !(same && edited) {
        load(app, &sql, Some((id, question)));
    }
    app.sql.editing = true;
    changed(app)
}

/// Puts SQL into the editor; says how what was typed and not run comes back.
pub fn load(app: &mut App, sql: &str, parent: Option<(RunId, String)>) {
    if app.sql.load(sql, parent) {
        let key = app.keys.key_in(&[Place::SqlEditor], Action::Undo).unwrap_or_default();
        app.say(format!("Your unsent SQL is kept: {key} brings it back."), Tone::Note);
    }
}

/// Tells whether something in the editor can be mended at a key.
pub fn mends(app: &App) -> bool {
    let report = app.sql.report.as_ref().filter(|_| app.showing_editor());
    report.is_some_and(|report| {
        let named =
            report.diagnostics.iter().any(|d| d.span.is_some() && !d.suggestions.is_empty());
        let same = report.sql == app.sql.editor.as_str();
        named || same && report.findings.iter().any(|finding| finding.rewrite.is_some())
    })
}

fn looked_at(app: &App) -> Option<(RunId, String, String)> {
    let run = app.run.as_ref()?;
    let page = sql_page::page(app)?;
    Some((run.id().clone(), run.live.question.text.clone(), page.sql.into_owned()))
}

/// Begins SQL of one's own, or goes on with what was begun.
pub fn begin(app: &mut App) -> Vec<Effect> {
    if !app.sql.unsent() {
        app.sql.load("", None);
    }
    app.sql.editing = true;
    changed(app)
}

/// Runs the SQL in the editor: as a child run where it was edited from a run.
pub fn run(app: &mut App) -> Vec<Effect> {
    let sql = app.sql.editor.text();
    if sql.trim().is_empty() {
        app.say("Type SQL first.", Tone::Trouble);
        return Vec::new();
    }
    let (parent, text) = match app.sql.parent.clone() {
        Some((id, text)) => (Some(id), text),
        None => (None, String::new()),
    };
    close(app);
    let question = app.made(&text, Some(sql), parent);
    app.ask(question)
}

/// Types into the editor; what could stand there is offered.
pub fn typed(app: &mut App, press: Press) -> Vec<Effect> {
    if !app.sql.editor.press(press) {
        close(app);
        return Vec::new();
    }
    let mut effects = changed(app);
    effects.extend(complete(app, false));
    effects
}

/// Pastes into the editor.
pub fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    let left = app.sql.editor.paste(text);
    super::question::say_left(app, left);
    close(app);
    changed(app)
}

/// Has the new text checked, once the typing has paused.
pub fn changed(app: &mut App) -> Vec<Effect> {
    let sql = app.sql.editor.text();
    if sql.trim().is_empty() {
        app.sql.report = None;
        app.sql.checked = sql;
        return Vec::new();
    }
    if sql == app.sql.checked {
        return Vec::new();
    }
    app.sql.checked.clone_from(&sql);
    let question = app.sql.parent.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty());
    vec![Effect::Check { sql, question }]
}

fn complete(app: &mut App, asked: bool) -> Vec<Effect> {
    let editor = &app.sql.editor;
    vec![Effect::CompleteSql {
        sql: editor.text(),
        cursor: editor.cursor_byte(),
        asked,
        revision: editor.revision(),
    }]
}

/// Takes what was found for the cursor, unless the text has changed since.
pub fn offered(app: &mut App, revision: u64, offers: Offers) {
    if revision == app.sql.editor.revision() && app.typing_sql() {
        app.sql.offers = offers;
        app.sql.offer = Cursor::default();
        app.sql.offers_of = revision;
    }
}

/// Takes the offer under the cursor; one of a text that has changed since is not taken.
fn take(app: &mut App) -> Vec<Effect> {
    let fresh = app.sql.offers_of == app.sql.editor.revision();
    let offers = std::mem::take(&mut app.sql.offers);
    let Some(offer) = offers.offers.get(app.sql.offer.at).filter(|_| fresh) else {
        return Vec::new();
    };
    app.sql.editor.replace(offers.from..offers.to, &offer.text);
    changed(app)
}

/// Takes the offers away.
pub fn close(app: &mut App) {
    app.sql.offers = Offers::default();
}

/// Mends what is at the cursor, or the next thing that can be mended.
pub fn fix(app: &mut App) -> Vec<Effect> {
    let mut effects = Vec::new();
    let fixes = if app.showing_editor() {
        let Some(report) = &app.sql.report else {
            app.say("Nothing is wrong that is known.", Tone::Note);
            return Vec::new();
        };
        let moved = Moved::between(&report.sql, app.sql.editor.as_str());
        fixes(&report.diagnostics, &report.findings, &moved)
    } else {
        let Some(page) = sql_page::page(app) else { return Vec::new() };
        let wrong = page.version.failure.as_ref().map_or(&[][..], |failure| &failure.diagnostics);
        let found = fixes(wrong, &page.version.findings, &Moved::default());
        if !found.is_empty() {
            app.sql.formatted = false;
            effects = edit(app);
        }
        found
    };
    let at = app.sql.editor.cursor_byte();
    let next = fixes.iter().find(|fix| fix.range.end >= at).or(fixes.first());
    let Some(fix) = next else {
        app.say("Nothing here can be mended at a key.", Tone::Note);
        return effects;
    };
    let end = app.sql.editor.as_str().len();
    let range = if fix.whole { 0..end } else { fix.range.clone() };
    app.sql.editor.replace(range, &fix.with);
    app.say(fix.words.clone(), Tone::Done);
    close(app);
    effects.extend(changed(app));
    effects
}

/// One thing that can be mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Bytes that are wrong.
    pub range: Range<usize>,
    /// What shall stand there, or in place of the whole text.
    pub with: String,
    /// The whole text is replaced.
    pub whole: bool,
    /// What was done, in words.
    pub words: String,
}

/// Lists what can be mended, in order of the text.
pub fn fixes(wrong: &[Diagnostic], found: &[Finding], moved: &Moved) -> Vec<Fix> {
    let of_names = wrong.iter().filter_map(|diagnostic| {
        let with = diagnostic.suggestions.first()?;
        let span = diagnostic.span?;
        let range = moved.range(span.start..span.end)?;
        let words = format!("{with} stands there now.");
        Some(Fix { range, with: with.clone(), whole: false, words })
    });
    // a rewrite is of the whole text, so it must be the one that was checked
    let of_gates = found.iter().filter(|_| moved.same()).filter_map(|finding| {
        let with = finding.rewrite.clone()?;
        let span = finding.span.unwrap_or_default();
        let words = format!("Rewritten: {}.", finding.gate.replace('_', " "));
        Some(Fix { range: span.start..span.end, with, whole: true, words })
    });
    let mut all: Vec<Fix> = of_names.chain(of_gates).collect();
    all.sort_by_key(|fix| fix.range.start);
    all
}

/// How places of a checked text lie in the text as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Bytes at the beginning that are the same.
    head: usize,
    /// The first byte of the checked text behind which all is the same.
    tail: usize,
    /// By how much what is behind has moved.
    by: isize,
    changed: bool,
}

impl Moved {
    /// Compares two texts.
    pub fn between(old: &str, new: &str) -> Moved {
        if old == new {
            return Moved::default();
        }
        let head = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - head;
        let same = old.bytes().rev().zip(new.bytes().rev()).take(rest);
        let tail = old.len() - same.take_while(|(a, b)| a == b).count();
        let by = new.len().cast_signed() - old.len().cast_signed();
        Moved { head, tail, by, changed: true }
    }

    /// Tells whether the two are the same.
    pub fn same(self) -> bool {
        !self.changed
    }

    /// Returns where bytes of the checked text are now; none when something in them changed.
    pub fn range(self, range: Range<usize>) -> Option<Range<usize>> {
        if !self.changed || range.end <= self.head {
            return Some(range);
        }
        let moved = |at: usize| at.saturating_add_signed(self.by);
        (range.start >= self.tail).then(|| moved(range.start)..moved(range.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_before_and_behind_a_change_are_found_again() {
        let (old, new) = ("SELECT a, b FROM t", "SELECT a, bcd FROM t");
        let moved = Moved::between(old, new);
        assert_eq!(moved.range(7..8), Some(7..8));
        assert_eq!(moved.range(17..18), Some(19..20));
        assert_eq!(Moved::between(old, "SELECT a FROM t").range(10..11), None);
        assert_eq!(Moved::between(old, old).range(10..11), Some(10..11));
    }
}
