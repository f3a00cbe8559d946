//! What each of two runs cost: calls, tokens, money, time.

use crate::domain::Transcript;

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Things.
    Count,
    /// Microseconds.
    Time,
    /// Millionths of a US dollar.
    Money,
}

/// One figure of both runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// What it is.
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// The former's; none when it isn't known.
    pub was: Option<u64>,
    /// The later's.
    pub now: Option<u64>,
}

/// Lists the figures of two runs.
pub fn figures(was: &Transcript, now: &Transcript) -> Vec<Figure> {
    let figure = |name, unit, of: fn(&Transcript) -> Option<u64>| Figure {
        name,
        unit,
        was: of(was),
        now: of(now),
    };
    vec![
        figure("model calls", Unit::Count, |run| Some(run.calls().count() as u64)),
        figure("tokens read", Unit::Count, |run| Some(run.usage().input_tokens)),
        figure("of them cached", Unit::Count, |run| Some(run.usage().cached_tokens)),
        figure("tokens written", Unit::Count, |run| Some(run.usage().output_tokens)),
        figure("cost", Unit::Money, cost),
        figure("attempts", Unit::Count, |run| Some(run.attempts.len() as u64)),
        figure("local repairs", Unit::Count, |run| {
            Some(run.attempts.iter().map(|a| a.versions.len().saturating_sub(1) as u64).sum())
        }),
        figure("time in the model", Unit::Time, |run| {
            Some(run.calls().map(|call| call.elapsed_us).sum())
        }),
        figure("time in the engine", Unit::Time, |run| {
            Some(run.attempts.iter().flat_map(|a| &a.versions).map(|v| v.run_us).sum())
        }),
        figure("time in all", Unit::Time, |run| Some(run.elapsed_us)),
    ]
}

/// Adds up the price of all calls; none when one of them isn't in the price table.
fn cost(run: &Transcript) -> Option<u64> {
    let mut sum = 0.0;
    for call in run.calls() {
        sum += call.cost?;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "prices are small")]
    let millionths = (sum.max(0.0) * 1e6).round() as u64;
    Some(millionths)
}
