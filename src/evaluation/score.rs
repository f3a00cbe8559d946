//! What came of each question, and the figures of all of them. Pure.

use std::collections::BTreeMap;

use crate::domain::{ComponentKind, Status, StopCode, Trust, Usage};

use super::attribution::{Lane, Verdict, Walk};
use super::suite::Place;

/// What came of one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// Where it stands.
    pub place: Place,
    /// Its id.
    pub id: String,
    /// Its database.
    pub db: String,
    /// The question.
    pub question: String,
    /// The main gold SQL.
    pub gold: String,
    /// The first answer as the model gave it.
    pub first_sql: Option<String>,
    /// The SQL of the answer.
    pub sql: Option<String>,
    /// How the run ended.
    pub status: Status,
    /// Why, when it was declined or given up.
    pub stop: Option<StopCode>,
    /// How far the answer is trusted.
    pub trust: Option<Trust>,
    /// First verdict, last verdict, and the steps between.
    pub walk: Walk,
    /// Class of the last error of a run without an answer.
    pub error: Option<String>,
    /// Right before the model was asked a second time.
    pub right_at_once: bool,
    /// Rows in the gold's order, where it has one and the answer is right.
    pub row_order: Option<bool>,
    /// What engine errors alone would have led to; only of a recording.
    pub bare: Option<Bare>,
    /// What was said of the first draft.
    pub draft: Option<Draft>,
    /// What it took.
    pub cost: Cost,
}

/// The loop without us: the engine's error is fed back, nothing is mended or doubted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bare {
    /// Its first sample that runs; the last one when none does.
    pub last: Verdict,
    /// Samples it took.
    pub attempts: usize,
}

/// What was said of the first draft before any retry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The engine's own verdict on its text.
    pub verdict: Verdict,
    /// It was refused before running: every class that was named.
    pub refused: Option<Vec<String>>,
    /// Gates that warn or block.
    pub warnings: Vec<String>,
    /// Verdict after local repair, where there was one.
    pub mended: Option<Verdict>,
}

/// What an answer took.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cost {
    /// Attempts.
    pub attempts: usize,
    /// Model calls that were answered.
    pub calls: usize,
    /// Model calls that were not: the recording had no more, the server was away.
    pub unanswered_calls: usize,
    /// Tokens as the provider counts them.
    pub usage: Usage,
    /// Tokens of all messages sent, by our estimate.
    pub sent_tokens: u64,
    /// Tokens of the first package, by our estimate.
    pub package_tokens: u64,
    /// Components that were in any package.
    pub included: Vec<ComponentKind>,
    /// Microseconds from question to answer.
    pub elapsed_us: u64,
    /// Of these, waiting for the model.
    pub model_us: u64,
    /// Of these, running statements.
    pub engine_us: u64,
}

/// A count and how many of it were right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Counted.
    pub of: usize,
    /// Right among them.
    pub right: usize,
}

/// What a lane did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LaneTally {
    /// Steps it made.
    pub fired: usize,
    /// From not right to right.
    pub fixed: usize,
    /// From right to not right.
    pub broken: usize,
    /// From an error to rows.
    pub made_to_run: usize,
    /// Right before and after.
    pub still_right: usize,
    /// Not right before and after.
    pub still_wrong: usize,
    /// Questions in which it did nothing.
    pub untouched: usize,
}

/// Errors of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ErrorTally {
    /// First answers that failed so.
    pub first: usize,
    /// Runs that ended so, without an answer.
    pub last: usize,
}

/// What checks said of first drafts, held against the engine alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CheckTally {
    /// Drafts that the engine refuses or breaks off.
    pub failing: usize,
    /// Of these, flagged before running.
    pub flagged: usize,
    /// Of these, flagged with the engine's class.
    pub same_class: usize,
    /// Failing drafts that ran once mended here.
    pub mended: usize,
    /// Failing drafts that were right once mended here.
    pub mended_right: usize,
    /// Right drafts that were refused.
    pub right_refused: usize,
    /// Right drafts, and how many a gate warned of.
    pub right: (usize, usize),
    /// Drafts with other rows in any order of columns, and how many a gate warned of.
    pub wrong: (usize, usize),
}

/// The figures of one model over the questions of a set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Score {
    /// Questions scored.
    pub questions: usize,
    /// Answers that are right: execution accuracy.
    pub right: usize,
    /// Answers that are right in any order of columns.
    pub right_in_any_order: usize,
    /// Runs that gave rows.
    pub answered: usize,
    /// First answers that are right.
    pub first: FirstTally,
    /// Right before the model was asked a second time.
    pub right_at_once: usize,
    /// Right answers to questions whose gold orders, and how many hold that order.
    pub row_order: Tally,
    /// The loop without us, where there is a recording.
    pub bare: Option<BareTally>,
    /// Attempts over all questions, and over those answered right.
    pub attempts: (usize, usize),
    /// Model calls answered, and not answered.
    pub calls: (usize, usize),
    /// Tokens as the provider counts them.
    pub usage: Usage,
    /// Tokens of all messages sent, by our estimate.
    pub sent_tokens: u64,
    /// Tokens of first packages, by our estimate.
    pub package_tokens: u64,
    /// Questions in whose packages each component was.
    pub included: BTreeMap<ComponentKind, usize>,
    /// Milliseconds of all, of the model, of the engine, of ourselves.
    pub times: Times,
    /// How runs ended.
    pub endings: BTreeMap<String, Tally>,
    /// Errors.
    pub errors: BTreeMap<String, ErrorTally>,
    /// What each lane did.
    pub lanes: BTreeMap<Lane, LaneTally>,
    /// What each kind of a lane did: repairs, gates, classes of errors.
    pub details: BTreeMap<(Lane, String), LaneTally>,
    /// What was said of first drafts.
    pub checks: CheckTally,
    /// Warnings on first drafts by gate: on right ones, on wrong ones.
    pub gates: BTreeMap<String, (usize, usize)>,
    /// By database.
    pub databases: BTreeMap<String, Tally>,
    /// By set, in their order.
    pub sets: BTreeMap<usize, Tally>,
    /// Questions that only the loop without us got right, and only we.
    pub against_bare: (usize, usize),
}

/// First answers as the model gave them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FirstTally {
    /// Right.
    pub right: usize,
    /// Right in any order of columns.
    pub right_in_any_order: usize,
    /// Ran.
    pub ran: usize,
}

/// The loop without us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BareTally {
    /// Right at the end.
    pub right: usize,
    /// Right at the end in any order of columns.
    pub right_in_any_order: usize,
    /// Ran at the end.
    pub ran: usize,
    /// Right at the end and not at first.
    pub fixed: usize,
    /// Right at first and not at the end.
    pub broken: usize,
    /// Samples it took.
    pub attempts: usize,
}

/// Microseconds a question took, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Times {
    /// From question to answer.
    pub all: Vec<u64>,
    /// Less model and engine: our own share.
    pub own: Vec<u64>,
}

/// Reads a quantile, 0 to 100, of sorted numbers: the smallest that as many per cent don't exceed.
pub fn quantile(sorted: &[u64], per_cent: usize) -> u64 {
    let at = (sorted.len() * per_cent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(0)
}

impl Score {
    /// Adds up questions.
    pub fn of<'a>(all: impl IntoIterator<Item = &'a Scored>) -> Self {
        let all: Vec<&Scored> = all.into_iter().collect();
        let mut score = Score::default();
        score.lanes.extend(Lane::ALL.map(|lane| (lane, LaneTally::default())));
        for one in &all {
            score.add(one);
        }
        score.times.all.sort_unstable();
        score.times.own.sort_unstable();
        for (lane, tally) in &mut score.lanes {
            let touched =
                all.iter().filter(|one| one.walk.moves.iter().any(|m| m.lane == *lane)).count();
            tally.untouched = all.len() - touched;
        }
        score
    }

    fn add(&mut self, one: &Scored) {
        let (first, last) = (&one.walk.first, &one.walk.last);
        self.questions += 1;
        self.right += usize::from(last.right());
        self.right_in_any_order += usize::from(last.right_in_any_order());
        self.answered += usize::from(one.status == Status::Answered);
        self.first.right += usize::from(first.right());
        self.first.right_in_any_order += usize::from(first.right_in_any_order());
        self.first.ran += usize::from(first.runs());
        self.right_at_once += usize::from(one.right_at_once);
        if let Some(same) = one.row_order {
            add(&mut self.row_order, same);
        }
        add(self.databases.entry(one.db.clone()).or_default(), last.right());
        add(self.sets.entry(one.place.set).or_default(), last.right());
        add(self.endings.entry(ending(one)).or_default(), last.right());
        if let Verdict::Failed(class) = first {
            self.errors.entry(class.clone()).or_default().first += 1;
        }
        if let Some(class) = &one.error {
            self.errors.entry(class.clone()).or_default().last += 1;
        }
        self.add_bare(one);
        self.add_moves(&one.walk);
        self.add_draft(one.draft.as_ref());
        self.add_cost(&one.cost, last.right());
    }

    fn add_bare(&mut self, one: &Scored) {
        let Some(bare) = &one.bare else { return };
        let tally = self.bare.get_or_insert_default();
        let (first, last) = (one.walk.first.right(), bare.last.right());
        let ours = one.walk.last.right();
        self.against_bare.0 += usize::from(last && !ours);
        self.against_bare.1 += usize::from(ours && !last);
        tally.right += usize::from(last);
        tally.right_in_any_order += usize::from(bare.last.right_in_any_order());
        tally.ran += usize::from(bare.last.runs());
        tally.fixed += usize::from(last && !first);
        tally.broken += usize::from(first && !last);
        tally.attempts += bare.attempts;
    }

    fn add_moves(&mut self, walk: &Walk) {
        for step in &walk.moves {
            let of_lane = self.lanes.entry(step.lane).or_default();
            let of_detail = self.details.entry((step.lane, step.detail.clone())).or_default();
            for tally in [of_lane, of_detail] {
                tally.fired += 1;
                tally.fixed += usize::from(step.fixed());
                tally.broken += usize::from(step.broke());
                tally.made_to_run += usize::from(!step.before.runs() && step.after.runs());
                tally.still_right += usize::from(step.before.right() && step.after.right());
                tally.still_wrong += usize::from(!step.before.right() && !step.after.right());
            }
        }
    }

    fn add_draft(&mut self, draft: Option<&Draft>) {
        let Some(draft) = draft else { return };
        let checks = &mut self.checks;
        if let Verdict::Failed(class) = &draft.verdict {
            checks.failing += 1;
            if let Some(classes) = &draft.refused {
                checks.flagged += 1;
                checks.same_class += usize::from(classes.contains(class));
            }
            if let Some(mended) = &draft.mended {
                checks.mended += usize::from(mended.runs());
                checks.mended_right += usize::from(mended.right());
            }
            return;
        }
        let warned = usize::from(!draft.warnings.is_empty());
        if draft.verdict.right() {
            checks.right_refused += usize::from(draft.refused.is_some());
            checks.right = (checks.right.0 + 1, checks.right.1 + warned);
        } else if draft.verdict == Verdict::Wrong {
            checks.wrong = (checks.wrong.0 + 1, checks.wrong.1 + warned);
        }
        for gate in &draft.warnings {
            let tally = self.gates.entry(gate.clone()).or_default();
            tally.0 += usize::from(draft.verdict.right());
            tally.1 += usize::from(draft.verdict == Verdict::Wrong);
        }
    }

    fn add_cost(&mut self, cost: &Cost, right: bool) {
        self.attempts.0 += cost.attempts;
        self.attempts.1 += if right { cost.attempts } else { 0 };
        self.calls.0 += cost.calls;
        self.calls.1 += cost.unanswered_calls;
        self.usage += cost.usage;
        self.sent_tokens += cost.sent_tokens;
        self.package_tokens += cost.package_tokens;
        for kind in &cost.included {
            *self.included.entry(*kind).or_default() += 1;
        }
        self.times.all.push(cost.elapsed_us);
        let others = cost.model_us.saturating_add(cost.engine_us);
        self.times.own.push(cost.elapsed_us.saturating_sub(others));
    }
}

fn add(tally: &mut Tally, right: bool) {
    tally.of += 1;
    tally.right += usize::from(right);
}

/// Names an ending: `answered, grounded`, `declined, off_topic`, `gave_up, budget`, `clarify`.
fn ending(one: &Scored) -> String {
    let more = one.trust.map(Trust::name).or(one.stop.map(StopCode::name));
    match more {
        Some(more) => format!("{}, {more}", one.status.name()),
        None => one.status.name().to_owned(),
    }
}
