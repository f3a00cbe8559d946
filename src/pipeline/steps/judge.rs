//! Candidates and the judge of the thorough lanes: compare results, and hold the SQL in words against
//! the question. Neither writes SQL.

use std::sync::Arc;

use crate::domain::event::Judgement;
use crate::domain::{Attempt, Happened, Origin, Rows, Transcript};
use crate::model::ModelClient;
use crate::prompt::{self, Verdict};

use super::super::agreement;
use super::super::ask::Flow;
use super::super::next;
use super::super::opening::Drafter;
use super::draft;
use super::sent;

/// How often a verdict of broken form is asked again, as for drafts (P5).
const ASKED_AGAIN: u32 = 2;

/// Rows of one result that are compared at most; of a longer one the first are.
const MOST_ROWS: u64 = 50_000;

/// Says that a further candidate is wanted.
pub(super) async fn sample(flow: &mut Flow, candidate: u32, of: u32) {
    flow.tell(Happened::Sampled { candidate, of }).await;
}

/// Compares what the answer and its candidates gave.
pub(super) async fn compare(flow: &mut Flow) {
    let t = &flow.transcript;
    let standing = next::standing(t).map(|(attempt, _)| attempt.n);
    let compared = |attempt: &&Attempt| {
        attempt.closed
            && attempt.stands()
            && (attempt.candidate.is_some() || Some(attempt.n) == standing)
    };
    let results: Vec<(u32, Rows)> = t
        .attempts
        .iter()
        .filter(compared)
        .filter_map(|attempt| Some((attempt.n, whole(flow, attempt)?)))
        .collect();
    flow.results.clear();
    let groups = agreement::groups(&results);
    flow.tell(Happened::Compared { groups }).await;
}

/// Reads the rows of an attempt: those kept for comparing, or as many of a longer result as can be.
fn whole(flow: &Flow, attempt: &Attempt) -> Option<Rows> {
    let kept = flow.results.iter().find(|(n, _)| *n == attempt.n).map(|(_, rows)| rows.clone())?;
    let stored = attempt.last().result.as_ref().filter(|_| kept.truncated);
    let Some(store) = stored.and_then(|result| flow.session.result(result)) else {
        return Some(kept);
    };
    Some(Rows { rows: store.page(0..MOST_ROWS).rows, ..kept })
}

/// Has the chosen SQL, in words, held against the question.
pub(super) async fn judge(flow: &mut Flow) {
    let Drafter::Model(model) = flow.session.drafter.clone() else { return };
    let (agrees, words) = match asked(flow) {
        Some(prompt) => verdict(flow, &model, prompt).await,
        None => (None, "there is nothing to judge".to_owned()),
    };
    let calls = std::mem::take(&mut flow.at_hand);
    flow.tell(Happened::Judged(Box::new(Judgement { agrees, words, calls }))).await;
}

fn asked(flow: &Flow) -> Option<crate::domain::Prompt> {
    let t = &flow.transcript;
    let (attempt, _) = next::standing(t)?;
    let english = t.english.as_ref()?;
    // the words hold the literals of the SQL: what may not leave in SQL may not in words
    let english = sent::about(attempt, english, &t.question, &flow.facts);
    let mut question = t.question.text.trim().to_owned();
    if let Some(hint) = t.question.evidence.as_deref().map(str::trim).filter(|h| !h.is_empty()) {
        question = format!("{question}\n(hint: {hint})");
    }
    let agreed = agreed(flow, t);
    let judged = prompt::Judged { question: &question, english: &english, agreed: &agreed };
    Some(prompt::judge(&judged))
}

/// Lists the approved metrics that the question speaks of, with their formulas.
fn agreed(flow: &Flow, t: &Transcript) -> Vec<(String, String)> {
    let knowledge = flow.session.knowledge();
    let named = |name: &str| {
        let links = t.understanding.iter().flat_map(|known| &known.links);
        links.into_iter().any(|link| {
            matches!(&link.target, crate::domain::LinkTarget::Metric(metric) if metric == name)
        })
    };
    let metrics = knowledge.metrics.iter().filter(|metric| metric.approved && named(&metric.name));
    metrics.map(|metric| (metric.name.clone(), metric.formula.clone())).collect()
}

async fn verdict(
    flow: &mut Flow,
    model: &Arc<dyn ModelClient>,
    first: crate::domain::Prompt,
) -> (Option<bool>, String) {
    let mut prompt = first.clone();
    for again in 0..=ASKED_AGAIN {
        let reply = match draft::said(flow, model.as_ref(), prompt).await {
            Ok(said) if said.cut_off => {
                Verdict::Broken("it was cut off at the provider's length limit".to_owned())
            }
            Ok(said) => prompt::verdict(&said.reply),
            Err(error) => return (None, error.to_string()),
        };
        match reply {
            Verdict::Agrees => return (Some(true), String::new()),
            Verdict::Differs(difference) => return (Some(false), difference),
            Verdict::Broken(why) => {
                let spent = flow.calls >= flow.transcript.question.options.max_calls;
                if again == ASKED_AGAIN || spent {
                    return (None, format!("its verdict can't be used: {why}"));
                }
                let said = flow.at_hand.last().map(|c| c.reply.clone()).unwrap_or_default();
                prompt = prompt::judge_again(&first, &said, &why);
            }
        }
    }
    (None, String::new())
}

/// Tells whether a judge has something to look at: words, and rows that they brought.
pub(in crate::pipeline) fn has_case(t: &Transcript) -> bool {
    let english = t.english.as_ref().is_some_and(|words| !words.is_empty());
    let rows = next::standing(t).filter(|(attempt, _)| attempt.origin == Origin::Model);
    let rows = rows.and_then(|(_, version)| version.rows.as_ref());
    english && rows.is_some_and(|rows| rows.row_count > 0)
}
