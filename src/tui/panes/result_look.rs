//! How the result is looked at: its order, its filter, what was looked for, and doing these.
//!
//! Sorting, filtering and finding are asked of the session, and their answers are taken here. Until an
//! order is there the old rows stay; whatever takes longer than a blink says so in the title.

use std::collections::BTreeMap;

use crate::domain::{Condition, Find, ResultId, SortKey, View};

use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::result_filter::{self, Kind, Scope};

/// Milliseconds after which work is told of.
const TOLD_AFTER: u64 = 200;

/// Order, filter and find of the result looked at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Looking {
    /// The result as it came, which all of this is about.
    of: Option<ResultId>,
    /// Rows of the result as it came, as far as is known.
    pub all: u64,
    /// The order and filter of the rows shown.
    pub view: View,
    /// The result that holds these rows; none while they stand as they came.
    arranged: Option<ResultId>,
    /// What is being made.
    pub pending: Option<Pending>,
    /// Filters as typed, by the column they were typed for.
    filters: BTreeMap<usize, String>,
    /// What was looked for.
    pub find: Finding,
}

/// An order or filter that is being made.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// What was asked for.
    pub view: View,
    /// The filters as they are then.
    filters: BTreeMap<usize, String>,
    /// When it was asked for.
    since: u64,
}

/// What was looked for, and since when it is being looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Finding {
    /// The text as typed; empty while nothing was.
    pub text: String,
    /// The same in lower case, as it is marked.
    pub low: String,
    /// When the search that goes on began.
    since: Option<u64>,
}

impl Looking {
    /// Turns to a result; another one is looked at as it came.
    pub fn turn_to(&mut self, result: Option<&ResultId>) {
        if self.of.as_ref() != result {
            // what was looked for is often looked for again
            let find = Finding { since: None, ..std::mem::take(&mut self.find) };
            *self = Looking { of: result.cloned(), find, ..Looking::default() };
        }
    }

    /// Returns the result as it came, which all of this is about.
    pub fn of(&self) -> Option<&ResultId> {
        self.of.as_ref()
    }

    /// Returns what is kept while another result is looked at: what is being made is let go.
    pub fn put_by(self) -> Looking {
        let find = Finding { since: None, ..self.find };
        Looking { pending: None, find, ..self }
    }

    /// Returns the result whose rows are shown.
    pub fn shown(&self) -> Option<&ResultId> {
        self.arranged.as_ref().or(self.of.as_ref())
    }

    /// Tells whether something is being made or looked for.
    pub fn waiting(&self) -> bool {
        self.pending.is_some() || self.find.since.is_some()
    }

    /// Says what goes on, once it takes long enough to be told of.
    pub fn work(&self, clock: u64) -> Option<String> {
        let (what, since) = match (&self.pending, self.find.since) {
            (Some(pending), _) if pending.view.filter != self.view.filter => {
                ("filtering", pending.since)
            }
            (Some(pending), _) => ("sorting", pending.since),
            (None, Some(since)) => ("looking for it", since),
            (None, None) => return None,
        };
        let took = clock.saturating_sub(since);
        let told = || format!("{what} … {}.{} s", took / 1000, took / 100 % 10);
        (took >= TOLD_AFTER).then(told)
    }

    /// Returns the order and filter that will hold once all is made.
    fn coming(&self) -> &View {
        self.pending.as_ref().map_or(&self.view, |pending| &pending.view)
    }

    fn coming_filters(&self) -> &BTreeMap<usize, String> {
        self.pending.as_ref().map_or(&self.filters, |pending| &pending.filters)
    }

    /// Returns the filter as it was typed for a column.
    pub fn filter_of(&self, col: usize) -> Option<&str> {
        self.coming_filters().get(&col).map(String::as_str)
    }

    /// Lists the columns whose filter leaves rows out.
    pub fn filtered(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = self.view.filter.iter().filter_map(|c| c.column).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}

/// Sorts by the cursor's column: upwards, downwards, not at all. `more` keeps the other keys.
pub fn sort(app: &mut App, more: bool) -> Vec<Effect> {
    let column = app.grid.col;
    let mut view = app.looking.coming().clone();
    let at = view.sort.iter().position(|key| key.column == column);
    match at.and_then(|at| view.sort.get_mut(at)) {
        Some(key) if !key.descending => key.descending = true,
        Some(_) => view.sort.retain(|key| key.column != column),
        None => view.sort.push(SortKey { column, descending: false }),
    }
    if !more {
        view.sort.retain(|key| key.column == column);
    }
    let filters = app.looking.coming_filters().clone();
    arrange(app, view, filters)
}

/// Makes an order and a filter; rows as they came need no making.
fn arrange(app: &mut App, view: View, filters: BTreeMap<usize, String>) -> Vec<Effect> {
    let Some(of) = app.looking.of.clone() else { return Vec::new() };
    let was = app.looking.pending.take().is_some();
    if view == app.looking.view {
        app.looking.filters = filters;
        return if was { vec![Effect::StopArranging] } else { Vec::new() };
    }
    if view.is_plain() {
        app.looking.view = view;
        app.looking.filters = filters;
        app.looking.arranged = None;
        return if was { vec![Effect::StopArranging] } else { Vec::new() };
    }
    app.looking.pending = Some(Pending { view: view.clone(), filters, since: app.clock });
    vec![Effect::Arrange(of, view)]
}

/// Makes the order and filter shown once more: their rows are no longer kept.
pub fn remake(app: &mut App) -> Vec<Effect> {
    let (Some(of), None) = (app.looking.of.clone(), &app.looking.pending) else {
        return Vec::new();
    };
    let view = app.looking.view.clone();
    let filters = app.looking.filters.clone();
    app.looking.pending = Some(Pending { view: view.clone(), filters, since: app.clock });
    vec![Effect::Arrange(of, view)]
}

/// Takes the result that was arranged, or the sentence that says why it wasn't.
pub fn arranged(app: &mut App, of: &ResultId, view: &View, made: Result<ResultId, String>) {
    let looking = &mut app.looking;
    if looking.of.as_ref() != Some(of) || looking.pending.as_ref().is_none_or(|p| p.view != *view) {
        return;
    }
    let Some(pending) = looking.pending.take() else { return };
    match made {
        Ok(id) => {
            looking.view = pending.view;
            looking.filters = pending.filters;
            looking.arranged = (id.view != 0).then_some(id);
            for (n, key) in looking.view.sort.iter().enumerate() {
                // ` ▲`, or ` ▲2`
                app.grid.make_room(key.column, if n > 0 { 3 } else { 2 });
            }
        }
        Err(words) => app.say(words, Tone::Trouble),
    }
}

/// Tells whether there is something to stop or to let go: an order being made, a text looked for,
/// cells selected or marked.
pub fn busy(app: &App) -> bool {
    let looking = &app.looking;
    looking.pending.is_some()
        || looking.find.since.is_some()
        || app.grid.selection.is_some()
        || !looking.find.low.is_empty()
}

/// Stops what is being made, else what is looked for; else lets go what is selected or marked.
pub fn cancel(app: &mut App) -> Vec<Effect> {
    if app.looking.pending.take().is_some() {
        app.say("Stopped; the rows stay as they were.", Tone::Note);
        return vec![Effect::StopArranging];
    }
    if app.looking.find.since.take().is_some() {
        app.say("Stopped looking.", Tone::Note);
        return vec![Effect::StopFinding];
    }
    if app.grid.selection.take().is_none() {
        // the marks go; `n` finds it again
        app.looking.find.low.clear();
    }
    Vec::new()
}

/// Reads a filter for a column: an error is a sentence.
pub fn read_filter(app: &App, col: usize, text: &str) -> Result<Vec<Condition>, String> {
    let kind = |col| match app.grid.is_number(col) {
        Some(true) => Kind::Number,
        Some(false) => Kind::Text,
        None => Kind::Unknown,
    };
    let kinds: Vec<Kind> = (0..app.grid.columns().len()).map(kind).collect();
    let scope = Scope { columns: app.grid.columns(), kinds: &kinds, here: col };
    result_filter::parse(text, scope)
}

/// Filters by what was typed for a column; an empty text drops that column's filter.
pub fn filter(app: &mut App, col: usize, text: &str) -> Result<Vec<Effect>, String> {
    read_filter(app, col, text)?;
    let mut filters = app.looking.coming_filters().clone();
    if text.trim().is_empty() {
        filters.remove(&col);
    } else {
        filters.insert(col, text.trim().to_owned());
    }
    let mut view = app.looking.coming().clone();
    view.filter.clear();
    for (col, text) in &filters {
        view.filter.extend(read_filter(app, *col, text)?);
    }
    Ok(arrange(app, view, filters))
}

/// Drops all filters.
pub fn unfilter(app: &mut App) -> Vec<Effect> {
    if app.looking.coming().filter.is_empty() {
        return Vec::new();
    }
    let view = View { filter: Vec::new(), ..app.looking.coming().clone() };
    arrange(app, view, BTreeMap::new())
}

/// Looks for a text from the cursor on.
pub fn find(app: &mut App, text: &str) -> Vec<Effect> {
    text.clone_into(&mut app.looking.find.text);
    let (row, col) = (app.grid.row, app.grid.col);
    look(app, row, col, false)
}

/// Looks for the same text beyond the cursor.
pub fn find_again(app: &mut App, backwards: bool) -> Vec<Effect> {
    let last_col = app.grid.columns().len().saturating_sub(1);
    let last_row = app.grid.total().0.saturating_sub(1);
    let (row, col) = (app.grid.row, app.grid.col);
    let (row, col) = match (backwards, col) {
        (false, col) if col < last_col => (row, col + 1),
        (false, _) => (if row < last_row { row + 1 } else { 0 }, 0),
        (true, 0) => (row.checked_sub(1).unwrap_or(last_row), last_col),
        (true, col) => (row, col - 1),
    };
    look(app, row, col, backwards)
}

fn look(app: &mut App, from_row: u64, from_col: usize, backwards: bool) -> Vec<Effect> {
    let Some(id) = app.looking.shown().cloned() else { return Vec::new() };
    let text = app.looking.find.text.clone();
    if text.is_empty() {
        app.say("Nothing was looked for yet.", Tone::Trouble);
        return Vec::new();
    }
    app.looking.find.low = text.to_lowercase();
    app.looking.find.since = Some(app.clock);
    vec![Effect::Find(id, Find { text, from_row, from_col, backwards, column: None })]
}

/// Goes to the cell that was found, or says that there is none.
pub fn found(app: &mut App, id: &ResultId, look: &Find, at: Option<(u64, usize)>) {
    if app.looking.shown() != Some(id) || app.looking.find.text != look.text {
        return;
    }
    if app.looking.find.since.take().is_none() {
        return;
    }
    let Some((row, col)) = at else {
        app.say(format!("No cell holds '{}'.", look.text), Tone::Trouble);
        return;
    };
    let from = (look.from_row, look.from_col);
    let past = if look.backwards { (row, col) > from } else { (row, col) < from };
    app.grid.go_row(row);
    app.grid.go_col(col);
    if past {
        let words = if look.backwards {
            "the start; on from the end"
        } else {
            "the end; on from the start"
        };
        app.say(format!("Reached {words}."), Tone::Note);
    }
}
