//! The trace as a tree: a run's events, its attempts with their steps, what each step found.

use crate::domain::{Attempt, Event, Happened, Origin};
use crate::shown::Shown;

use super::super::moment::{RunView, about};
use super::super::theme::Role;
use super::{children, steps};

/// What stands right of a line, each where it is known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    /// Microseconds it took.
    pub elapsed_us: Option<u64>,
    /// Tokens of its model calls, or of a package.
    pub tokens: Option<u64>,
    /// The tokens are our estimate, not a provider's count.
    pub estimated: bool,
    /// Price of its model calls in US dollars.
    pub cost: Option<f64>,
    /// What was left after it of the budget that it spent, in words.
    pub left: Option<String>,
}

/// One line of the trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The event it stands for; none for the head of an unfolded attempt.
    pub event: Option<usize>,
    /// Which of the event's children it is, from 1; 0 is the event itself.
    pub child: usize,
    /// The attempt whose head it is.
    pub head: Option<u32>,
    /// How deep it stands: 0 the run, 1 an attempt, 2 what a step found, 3 its evidence.
    pub depth: u16,
    /// Whether its children are hidden; none where it has none.
    pub folded: Option<bool>,
    /// No sibling comes after it.
    pub last: bool,
    /// Columns of the label of a child: those of the longest among its siblings.
    pub wide: usize,
    /// When, in microseconds since the question.
    pub at_us: u64,
    /// What happened, with its sign.
    pub label: String,
    /// How it went.
    pub role: Role,
    /// Details.
    pub detail: String,
    /// What stands right.
    pub figures: Figures,
}

/// Which events are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// All.
    #[default]
    All,
    /// Heads of attempts, and the end.
    Attempts,
    /// What failed and what wants a look, with what was found.
    Problems,
    /// What asked a model, each call.
    Calls,
    /// What was marked.
    Marked,
}

impl Filter {
    /// Returns the next filter.
    pub fn next(self) -> Self {
        match self {
            Filter::All => Filter::Attempts,
            Filter::Attempts => Filter::Problems,
            Filter::Problems => Filter::Calls,
            Filter::Calls => Filter::Marked,
            Filter::Marked => Filter::All,
        }
    }

    /// Says what is listed; empty for all.
    pub fn words(self) -> &'static str {
        match self {
            Filter::All => "",
            Filter::Attempts => "only attempts",
            Filter::Problems => "only problems",
            Filter::Calls => "only model calls",
            Filter::Marked => "only marked",
        }
    }

    fn keeps(self, run: &RunView, n: usize, event: &Event, role: Role) -> bool {
        match self {
            Filter::All => true,
            Filter::Attempts => matches!(event.happened, Happened::Answered(_)),
            Filter::Problems => matches!(role, Role::Bad | Role::Warn),
            Filter::Calls => !steps::calls(&event.happened).is_empty(),
            Filter::Marked => run.marks.contains(&n),
        }
    }

    /// Tells whether what a step found is shown without unfolding.
    fn opens(self) -> bool {
        matches!(self, Filter::Problems | Filter::Calls)
    }
}

/// Lists the lines of a run: events, with a head before each attempt, and children where unfolded.
pub fn lines(run: &RunView, filter: Filter) -> Vec<Line> {
    listed(run, filter, false)
}

/// Lists the lines of a run with nothing folded.
pub fn unfolded(run: &RunView, filter: Filter) -> Vec<Line> {
    listed(run, filter, true)
}

/// Counts the events that lines stand for.
pub fn events(lines: &[Line]) -> usize {
    let events: std::collections::BTreeSet<usize> = lines.iter().filter_map(|l| l.event).collect();
    events.len()
}

fn listed(run: &RunView, filter: Filter, unfolded: bool) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut spent = Spent::default();
    for (n, event) in run.events.iter().enumerate() {
        spent.count(event);
        let attempt = about(event).map(|(attempt, _)| attempt);
        if let Happened::Drafted { attempt, .. } = &event.happened
            && let Some(found) = run.live.attempts.iter().find(|a| a.n == *attempt)
        {
            lines.push(head(run, found, filter == Filter::Attempts, &spent));
        }
        let folded = attempt.is_some_and(|n| run.folds.contains(&n)) && filter == Filter::All;
        let line = line(run, n, event, &spent);
        if folded && !unfolded || !filter.keeps(run, n, event, line.role) {
            continue;
        }
        let opened = unfolded || run.opened.contains(&n) || filter.opens();
        push(&mut lines, run, n, line, opened);
    }
    // a head without a line of its attempt says nothing
    let inner = |line: Option<&Line>| line.is_some_and(|line| line.depth > 0);
    let idle = |n: usize, line: &Line| {
        line.head.is_some() && line.event.is_none() && !inner(lines.get(n + 1))
    };
    let keep: Vec<bool> = lines.iter().enumerate().map(|(n, line)| !idle(n, line)).collect();
    let mut keep = keep.into_iter();
    lines.retain(|_| keep.next().unwrap_or(true));
    lines
}

/// Adds the line of an event, and its children where they are shown.
fn push(lines: &mut Vec<Line>, run: &RunView, n: usize, mut line: Line, opened: bool) {
    line.folded = children::any(run, n).then_some(!opened);
    let at_us = line.at_us;
    lines.push(line);
    if !opened {
        return;
    }
    let children = children::of(run, n);
    // evidence belongs to the finding above it
    let last = children.iter().rposition(|child| child.depth == 2).unwrap_or(0);
    let wide = children.iter().map(|c| Shown::new(&c.label).width()).max().unwrap_or(0);
    for (k, child) in children.into_iter().enumerate() {
        lines.push(Line { event: Some(n), child: k + 1, last: k >= last, wide, at_us, ..child });
    }
}

/// What a run has spent of its budgets.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    attempts: u32,
    retries: u32,
    calls: u32,
    rewrites: u32,
    /// The next draft is a candidate, which spends no attempt.
    sampling: bool,
}

impl Spent {
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other events spend nothing")]
    fn count(&mut self, event: &Event) {
        let calls = u32::try_from(steps::calls(&event.happened).len()).unwrap_or(u32::MAX);
        self.calls = self.calls.saturating_add(calls);
        match &event.happened {
            Happened::Sampled { .. } => self.sampling = true,
            Happened::Drafted { semantic_retry: true, .. } => self.retries += 1,
            Happened::Drafted { origin, .. } => {
                self.rewrites = 0;
                let sampled = std::mem::take(&mut self.sampling);
                self.attempts += u32::from(*origin != Origin::Person && !sampled);
            }
            Happened::Rewritten { .. } => self.rewrites += 1,
            _ => {}
        }
    }
}

/// Says what is left of a budget.
fn left(of: u32, spent: u32, [one, many]: [&str; 2]) -> String {
    let rest = of.saturating_sub(spent);
    format!("{rest} {} left", if rest == 1 { one } else { many })
}

fn line(run: &RunView, n: usize, event: &Event, spent: &Spent) -> Line {
    let steps::Told { label, role, detail, mut figures } = steps::told(&event.happened);
    let options = &run.live.question.options;
    if !steps::calls(&event.happened).is_empty() {
        figures.left = Some(left(options.max_calls, spent.calls, ["call", "calls"]));
    }
    if matches!(event.happened, Happened::Rewritten { .. }) {
        figures.left = Some(left(options.max_rewrites, spent.rewrites, ["repair", "repairs"]));
    }
    if matches!(event.happened, Happened::Resumed(_)) {
        let before = n.checked_sub(1).and_then(|n| run.events.get(n)).map_or(0, |e| e.at_us);
        figures.elapsed_us = Some(event.at_us.saturating_sub(before));
    }
    Line {
        event: Some(n),
        child: 0,
        head: None,
        depth: u16::from(about(event).is_some()),
        folded: None,
        last: false,
        wide: 0,
        at_us: event.at_us,
        label: label.to_owned(),
        role,
        detail,
        figures,
    }
}

/// Makes the head of an attempt; folded, it stands for the attempt's last event.
fn head(run: &RunView, attempt: &Attempt, alone: bool, spent: &Spent) -> Line {
    let folded = run.folds.contains(&attempt.n) || alone;
    let last = run.events.iter().rposition(|e| about(e).is_some_and(|(n, _)| n == attempt.n));
    let (sign, role) = super::sql_words::sign(attempt.last());
    let author = match attempt.origin {
        Origin::Model => run.live.model.clone(),
        Origin::Person => "you".to_owned(),
        Origin::Rules | Origin::Plan | Origin::Assembly => attempt.origin.name().to_owned(),
    };
    let again = match attempt.candidate {
        Some(candidate) => {
            format!(" · candidate {candidate} of {}", run.live.question.options.candidates)
        }
        None if attempt.semantic_retry => " · retry for a finding".to_owned(),
        None => String::new(),
    };
    let options = &run.live.question.options;
    let rest = match (attempt.origin, attempt.semantic_retry) {
        // SQL of a person spends no attempt
        (Origin::Person, _) => None,
        // nor does a candidate
        _ if attempt.candidate.is_some() => None,
        (_, true) => Some(left(1, spent.retries, ["retry", "retries"])),
        (_, false) => Some(left(options.max_attempts, spent.attempts, ["attempt", "attempts"])),
    };
    let calls: u64 = attempt.calls.iter().map(|call| call.elapsed_us).sum();
    let figures = Figures {
        // the event that opens an attempt comes after its calls
        elapsed_us: Some(attempt.ended_us.saturating_sub(attempt.started_us) + calls),
        left: rest,
        ..steps::of_calls(&attempt.calls)
    };
    Line {
        event: if folded { last } else { None },
        child: 0,
        head: Some(attempt.n),
        depth: 0,
        folded: Some(folded),
        last: false,
        wide: 0,
        at_us: attempt.started_us,
        label: format!("{} {sign}", attempt.n),
        role,
        detail: format!("attempt {} · {author}{again}", attempt.n),
        figures,
    }
}
