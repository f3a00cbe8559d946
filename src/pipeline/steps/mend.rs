//! Mend and Close: local repair of the newest version, and the end of an attempt.

use crate::domain::{Happened, Question, Repair};
use crate::repair::{self, Advice};

use super::super::ask::Flow;

/// Tries to mend the newest version here, without a model.
pub(super) async fn mend(flow: &mut Flow) {
    let Some(attempt) = flow.transcript.attempt().cloned() else { return };
    let version = attempt.versions.len() - 1;
    let last = attempt.last();
    let Some(failure) = &last.failure else { return };
    let advice = repair::advise(&repair::Broken {
        sql: &last.sql,
        failure,
        catalog: &flow.facts.catalog,
        values: &flow.facts.values,
        dialect: flow.session.dialect(),
    });
    match advice {
        Advice::Rewrite { repair, .. } if is_refused(&flow.transcript.question, &repair) => {
            let words = format!("you refused {} → {}", repair.from, repair.to);
            flow.tell(Happened::Advised { attempt: attempt.n, version, words }).await;
        }
        // a rewrite that gives a text we had before would go round in circles
        Advice::Rewrite { sql, repair } if attempt.versions.iter().all(|v| v.sql != sql) => {
            let n = attempt.n;
            flow.tell(Happened::Rewritten { attempt: n, version: version + 1, sql, repair }).await;
        }
        Advice::Rewrite { .. } => {
            let words = "the rewrite gives a text that failed before".to_owned();
            flow.tell(Happened::Advised { attempt: attempt.n, version, words }).await;
        }
        Advice::Abstain(words) => {
            flow.tell(Happened::Advised { attempt: attempt.n, version, words }).await;
        }
    }
}

/// Tells whether a person refused to have the same replaced by the same.
fn is_refused(question: &Question, repair: &Repair) -> bool {
    let same = |other: &Repair| (&other.from, &other.to) == (&repair.from, &repair.to);
    question.refused.iter().any(|refusal| same(&refusal.repair))
}

/// Closes the newest attempt.
pub(super) async fn close(flow: &mut Flow, outcome: String) {
    let Some(attempt) = flow.transcript.attempt().map(|attempt| attempt.n) else { return };
    flow.tell(Happened::AttemptClosed { attempt, outcome }).await;
}
