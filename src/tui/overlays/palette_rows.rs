//! The rows of the command list: every action with its place and key, and what can be chosen.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::domain::Privacy;
use crate::domain::secret::shown;
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::App;
use super::super::keymap::{Bound, Keymap, Place};
use super::super::layout::Pane;
use super::super::sense;
use super::super::switching;
use super::palette;

/// Commands done last that stand first.
const RECENT: usize = 5;

/// What can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// An action, as its key would do it in a place.
    Do(Action, Place),
    /// A model.
    Model(String),
    /// A database.
    Database(String),
    /// What may leave this machine.
    Privacy(Privacy),
    /// The looks.
    Theme(String),
    /// The keys.
    Keymap(String),
}

impl Choice {
    /// Returns the name under which a command is remembered as done.
    pub fn id(&self) -> Option<String> {
        let Choice::Do(action, _) = self else { return None };
        Some(action.name())
    }
}

/// A part of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Commands done last.
    Recent,
    /// Commands of a pane, or of everywhere.
    Of(Place),
    /// Models.
    Models,
    /// Databases.
    Databases,
    /// Privacy levels.
    Privacies,
    /// Themes.
    Themes,
    /// Key maps.
    Keymaps,
}

impl Section {
    /// Returns the heading.
    pub fn heading(self) -> &'static str {
        match self {
            Section::Recent => "Done last",
            Section::Of(place) => place.heading(),
            Section::Models => "Model",
            Section::Databases => "Database",
            Section::Privacies => "Privacy: what may leave this machine",
            Section::Themes => "Theme",
            Section::Keymaps => "Keys",
        }
    }

    /// Returns the word that stands before a row where there are no headings.
    pub fn word(self) -> &'static str {
        match self {
            Section::Privacies => "Privacy",
            Section::Recent
            | Section::Of(_)
            | Section::Models
            | Section::Databases
            | Section::Themes
            | Section::Keymaps => self.heading(),
        }
    }
}

/// A row: the choice, its words, what stands at the right, and why it can't be done now.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What choosing it does.
    pub choice: Choice,
    /// The part it stands in.
    pub section: Section,
    /// Its words, made safe.
    pub words: Shown,
    /// Its key, or how it stands.
    pub note: String,
    /// Why it can't be done now.
    pub why: Option<String>,
    /// Places of letters that were matched, in letters.
    pub hits: Vec<u32>,
}

impl Row {
    fn new(choice: Choice, section: Section, words: &str, note: &str) -> Row {
        let words = Shown::new(words);
        Row { choice, section, words, note: note.to_owned(), why: None, hits: Vec::new() }
    }

    /// Marks a row as the one in force.
    fn in_use(mut self, yes: bool) -> Row {
        if yes {
            "in use".clone_into(&mut self.note);
        }
        self
    }
}

/// Lists what a filter leaves: all in sections without one, else the best fit first.
pub fn rows(app: &App, filter: &str, only: Option<Section>) -> Vec<Row> {
    let mut all = all(app);
    if let Some(section) = only {
        all.retain(|row| row.section == section);
    }
    if filter.trim().is_empty() {
        return if only.is_some() { all } else { with_recent(app, all) };
    }
    let mut found = fitting(all, filter);
    found.extend(typed(filter).into_iter().filter(|row| only.is_none_or(|s| s == row.section)));
    found
}

/// Keeps rows whose words hold the letters in their order; exact words come before scattered ones.
fn fitting(all: Vec<Row>, filter: &str) -> Vec<Row> {
    let pattern = Pattern::parse(filter, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut scored: Vec<(u32, Row)> = Vec::new();
    for mut row in all {
        let text = format!("{} {}", row.words.as_str(), row.section.word());
        let mut hits = Vec::new();
        let haystack = Utf32Str::new(&text, &mut letters);
        if let Some(score) = pattern.indices(haystack, &mut matcher, &mut hits) {
            hits.sort_unstable();
            hits.dedup();
            row.hits = hits;
            scored.push((score, row));
        }
    }
    // letters scattered over a sentence are seldom meant
    let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
    scored.retain(|(score, _)| score * 5 >= best * 2);
    scored.sort_by_key(|(score, row)| (std::cmp::Reverse(*score), row.why.is_some()));
    scored.into_iter().map(|(_, row)| row).collect()
}

/// Puts commands done last in front.
fn with_recent(app: &App, all: Vec<Row>) -> Vec<Row> {
    let find = |id: &String| all.iter().find(|row| row.choice.id().as_ref() == Some(id));
    let recent = app.kept.recent.iter().filter_map(find).take(RECENT);
    let mut rows: Vec<Row> =
        recent.map(|row| Row { section: Section::Recent, ..row.clone() }).collect();
    rows.extend(all);
    rows
}

/// Reads the filter itself as an address or a model's name.
fn typed(filter: &str) -> Vec<Row> {
    let text = filter.trim();
    let path = text.contains('/') || text.contains("://") || text.starts_with("demo:");
    let file = [".db", ".sqlite", ".sqlite3"].iter().any(|end| text.ends_with(end));
    let mut rows = Vec::new();
    if path || file {
        let choice = Choice::Database(text.to_owned());
        rows.push(Row::new(choice, Section::Databases, &format!("Open {}", shown(text)), ""));
    }
    if text.contains(':') && !text.contains("://") && !text.starts_with("demo:") {
        let choice = Choice::Model(text.to_owned());
        rows.push(Row::new(choice, Section::Models, &format!("Use {text}"), ""));
    }
    rows
}

fn all(app: &App) -> Vec<Row> {
    let mut rows = commands(app);
    rows.extend(app.models.iter().map(|model| {
        let choice = Choice::Model(model.spec.clone());
        let mut row = Row::new(choice, Section::Models, &model.spec, &model.state);
        row.why = (!model.ready).then(|| format!("{}: {}.", model.spec, model.state));
        row.in_use(model.spec == app.header.model)
    }));
    rows.extend(app.databases.iter().map(|(opens, to)| {
        let words = format!("{}  {}", to.name, to.address);
        let choice = Choice::Database(opens.clone());
        Row::new(choice, Section::Databases, words.trim_start(), to.engine)
            .in_use(switching::is_open(app, opens, to))
    }));
    rows.extend([Privacy::Names, Privacy::Stats, Privacy::Rows].map(|level| {
        let words = format!("{}: {}", level.name(), leaves(level));
        Row::new(Choice::Privacy(level), Section::Privacies, &words, "")
            .in_use(app.privacy() == level)
    }));
    rows.extend(app.themes.list().map(|theme| {
        let words = format!("{}: {}", theme.name, theme.words);
        let choice = Choice::Theme(theme.name.clone());
        Row::new(choice, Section::Themes, &words, "")
            .in_use(palette::theme_in_use(app) == theme.name)
    }));
    rows.extend(Keymap::flavours().map(|(name, words)| {
        let choice = Choice::Keymap(name.to_owned());
        Row::new(choice, Section::Keymaps, &format!("{name}: {words}"), "")
            .in_use(app.keys.name == name)
    }));
    rows
}

/// Says what may leave at a level.
pub fn leaves(level: Privacy) -> &'static str {
    match level {
        Privacy::Names => "only names, types, comments and your words may leave",
        Privacy::Stats => "also counts, ranges and short value lists may leave",
        Privacy::Rows => "also sample rows and stored spellings may leave",
    }
}

/// Lists every action once for each pane it works in: those of the focused pane first.
fn commands(app: &App) -> Vec<Row> {
    let mut rows: Vec<(usize, Row)> = Vec::new();
    let everywhere = |bound: &Bound| matches!(bound.place, Place::Anywhere | Place::List);
    let all = app.keys.rows();
    let mut seen: Vec<(Action, Option<Pane>)> = Vec::new();
    for bound in all.iter().filter(|b| b.action != Action::Palette) {
        let pane = sense::pane(bound.place);
        let in_front = pane.is_none() && !everywhere(bound);
        let elsewhere = || all.iter().any(|b| b.action == bound.action && !is_in_front(b.place));
        let anywhere = || all.iter().any(|b| b.action == bound.action && everywhere(b));
        let skipped = (in_front && elsewhere())
            || (pane.is_some() && anywhere())
            || (sense::moves(bound.action)
                && (pane != Some(app.focus)
                    || sense::refusal(app, bound.place, bound.action).is_some()))
            || seen.contains(&(bound.action, pane));
        if skipped {
            continue;
        }
        seen.push((bound.action, pane));
        rows.push((rank(app, bound.place), command(app, bound)));
    }
    rows.sort_by_key(|(rank, _)| *rank);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn is_in_front(place: Place) -> bool {
    sense::pane(place).is_none() && !matches!(place, Place::Anywhere | Place::List)
}

/// Orders places: the focused pane, everywhere, the other panes, what stands in front.
fn rank(app: &App, place: Place) -> usize {
    match sense::pane(place) {
        Some(pane) if pane == app.focus => 0,
        Some(pane) => 2 + pane as usize,
        None if is_in_front(place) => 8,
        None => 1,
    }
}

fn command(app: &App, bound: &Bound) -> Row {
    let place = bound.place;
    let key = app.keys.key_in(&[place], bound.action).unwrap_or_default();
    let section = match sense::pane(place) {
        Some(Pane::Question) => Section::Of(Place::Question),
        Some(Pane::Sql) => Section::Of(Place::Sql),
        Some(_) => Section::Of(place),
        None if is_in_front(place) => Section::Of(Place::Overlay),
        None => Section::Of(Place::Anywhere),
    };
    let mut row = Row::new(Choice::Do(bound.action, place), section, &bound.words, &key);
    row.why = sense::refusal(app, place, bound.action);
    row
}
