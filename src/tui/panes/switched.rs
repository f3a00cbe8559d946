//! What is switched by hand and not told yet: how a component, table or column will stand at the next
//! asking, where that isn't how the run looked at was told.

use crate::domain::{ColumnRef, ComponentKind, Switches};

use super::super::app::App;
use super::context;

/// How something will stand at the next asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// In, by hand.
    In,
    /// Out, by hand.
    Out,
    /// As the rules say; it was switched by hand before.
    ByRules,
}

impl Next {
    /// Says it: `by hand: in next time`.
    pub fn words(self) -> &'static str {
        match self {
            Next::In => "by hand: in next time",
            Next::Out => "by hand: out next time",
            Next::ByRules => "no longer by hand: as the rules say",
        }
    }

    /// Says it to go after a name: `in at the next asking`.
    pub fn state(self) -> &'static str {
        match self {
            Next::In => "in at the next asking",
            Next::Out => "out at the next asking",
            Next::ByRules => "by the rules at the next asking",
        }
    }
}

/// Compares how something was switched with how it is.
fn next(was: Option<bool>, is: Option<bool>) -> Option<Next> {
    (was != is).then_some(match is {
        Some(true) => Next::In,
        Some(false) => Next::Out,
        None => Next::ByRules,
    })
}

/// Returns the switches that what is shown was told with: those of the run looked at, or of the
/// package that a question being typed would get.
fn told_with(app: &App) -> Option<&Switches> {
    if context::preview(app).is_some() {
        return Some(&app.context.switches);
    }
    let run = app.run.as_ref().filter(|run| !run.live.packages.is_empty())?;
    Some(&run.live.question.switches)
}

fn of(app: &App, state: impl Fn(&Switches) -> Option<bool>) -> Option<Next> {
    next(told_with(app).and_then(&state), state(&app.context.switches))
}

/// Returns how a component will stand.
pub fn component(app: &App, kind: ComponentKind) -> Option<Next> {
    of(app, |s| by_hand(s.without.contains(&kind), s.with.contains(&kind)))
}

/// Returns how a table will stand.
pub fn table(app: &App, name: &str) -> Option<Next> {
    of(app, |s| by_hand(s.without_tables.contains(name), s.with_tables.contains(name)))
}

/// Returns how a column will stand.
pub fn column(app: &App, at: &ColumnRef) -> Option<Next> {
    of(app, |s| by_hand(s.without_columns.contains(at), s.with_columns.contains(at)))
}

fn by_hand(without: bool, with: bool) -> Option<bool> {
    if without { Some(false) } else { with.then_some(true) }
}

/// Counts what is switched and not told yet.
pub fn count(app: &App) -> usize {
    let none = Switches::default();
    app.context.switches.differences(told_with(app).unwrap_or(&none))
}
