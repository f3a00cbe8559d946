//! Which components a question needs: the table of S0-050 over its kinds, and hand switches.

use crate::domain::{ComponentKind, QuestionKind, Switches};

use super::Proposal;
use super::scene::Scene;

/// In or out, each with the reason in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// In, because …
    In(String),
    /// Out, because …
    Out(String),
}

impl Verdict {
    /// Puts a component in with a reason.
    pub(super) fn is_in(reason: impl Into<String>) -> Self {
        Verdict::In(reason.into())
    }
}

/// Tells whether a kind of question wants a component (S0-050, appendix table).
///
/// Schema and rules are wanted always, errors whenever there are some; both are decided elsewhere.
fn wants(kind: QuestionKind, component: ComponentKind) -> bool {
    use ComponentKind::{Examples, History, Relationships, Samples, Statistics};
    match kind {
        QuestionKind::SimpleFilter => matches!(component, Samples | History),
        QuestionKind::MultiTableJoin => {
            matches!(component, Samples | History | Relationships | Examples)
        }
        QuestionKind::Aggregation | QuestionKind::Growth | QuestionKind::Ranking => {
            matches!(component, Samples | History | Examples | Statistics)
        }
    }
}

/// Gives the reason why the question's kinds want a component; none when they don't.
pub(super) fn wanted(scene: &Scene<'_>, component: ComponentKind) -> Option<String> {
    let kinds = &scene.request.understanding.kinds;
    let (kind, words) = kinds.iter().find(|(kind, _)| wants(*kind, component))?;
    let asks = match kind {
        QuestionKind::SimpleFilter => "asks for rows by a condition",
        QuestionKind::Aggregation => "asks for a total",
        QuestionKind::MultiTableJoin => "asks across tables",
        QuestionKind::Growth => "asks for change over time",
        QuestionKind::Ranking => "asks for an order",
    };
    Some(if words.trim().is_empty() { asks.to_owned() } else { format!("{asks} ({words})") })
}

/// Lets hand switches win over a proposal's verdict; what gives no text stays out.
pub(super) fn switched(
    kind: ComponentKind,
    proposal: &Proposal,
    text: &str,
    switches: &Switches,
) -> Verdict {
    if switches.without.contains(&kind) {
        return Verdict::Out("switched off by hand".to_owned());
    }
    if !switches.with.contains(&kind) {
        return proposal.verdict.clone();
    }
    match &proposal.verdict {
        Verdict::Out(reason) if text.is_empty() => {
            Verdict::Out(format!("switched on by hand, but {reason}"))
        }
        Verdict::In(_) | Verdict::Out(_) => Verdict::is_in("switched on by hand"),
    }
}
