//! Draft: the model writes, the rules write, or the person has written.

use std::time::Instant;

use futures_util::StreamExt;
use serde_json::Value as Json;

use crate::domain::{Call, Failure, Happened, Origin, Prompt, Pulse, Stage, Usage};
use crate::model::{Chunk, Done, ModelClient, ModelError, Request};
use crate::plan;
use crate::plan::rules::Ruled;
use crate::prompt::{self, Reply};

use super::super::ask::Flow;
use super::super::opening::Drafter;
use super::sent;

/// How often a reply of broken form is asked again (P5).
const ASKED_AGAIN: u32 = 2;

/// Has the next attempt's SQL written.
pub(super) async fn draft(flow: &mut Flow, semantic_retry: bool) {
    if let Some(sql) = flow.transcript.question.sql.clone() {
        open_attempt(flow, Origin::Person, sql, String::new(), Vec::new(), false).await;
        return;
    }
    match flow.session.drafter.clone() {
        Drafter::Rules => by_rules(flow).await,
        Drafter::Model(model) => by_model(flow, model.as_ref(), semantic_retry).await,
    }
}

/// Opens an attempt with SQL that is there already.
pub(super) async fn adopt(flow: &mut Flow, sql: String, origin: Origin) {
    let note = match origin {
        Origin::Model => "as it stood before the repair that was refused",
        Origin::Person | Origin::Rules | Origin::Plan | Origin::Assembly => "",
    };
    open_attempt(flow, origin, sql, note.to_owned(), Vec::new(), false).await;
}

async fn open_attempt(
    flow: &mut Flow,
    origin: Origin,
    sql: String,
    note: String,
    calls: Vec<Call>,
    semantic_retry: bool,
) {
    let attempt = u32::try_from(flow.transcript.attempts.len() + 1).unwrap_or(u32::MAX);
    flow.tell(Happened::Drafted { attempt, origin, sql, note, calls, semantic_retry }).await;
}

async fn fail(flow: &mut Flow, calls: Vec<Call>, code: &str, message: String, hint: &str) {
    let mut failure = Failure::new(Stage::Model, code, message);
    for diagnostic in &mut failure.diagnostics {
        diagnostic.suggestions = vec![hint.to_owned()];
    }
    flow.tell(Happened::Failed { attempt: None, calls, failure }).await;
}

async fn by_rules(flow: &mut Flow) {
    let Some(understanding) = flow.transcript.understanding.clone() else { return };
    match plan::rules::draw(&flow.transcript.question, &understanding, &flow.facts) {
        Ruled::Declined { reason, hint } => {
            fail(flow, Vec::new(), "ungrounded", reason, &hint).await;
        }
        Ruled::Plan(plan, understood) => match plan::compile::compile(&plan, &flow.facts.catalog) {
            Ok(sql) => {
                flow.tell(Happened::Planned { origin: Origin::Rules, plan }).await;
                open_attempt(flow, Origin::Rules, sql, understood, Vec::new(), false).await;
            }
            Err(failure) => {
                let hint = "Reword the question, or set a model.";
                fail(flow, Vec::new(), "ungrounded", failure.message(), hint).await;
            }
        },
    }
}

async fn by_model(flow: &mut Flow, model: &dyn ModelClient, semantic_retry: bool) {
    let Some(mut package) = flow.transcript.package().cloned() else { return };
    let sampling = flow.transcript.sampling;
    // a candidate is written as if there were no other draft, from the same told in another order
    let former = match sampling {
        Some((candidate, _)) => {
            let parts = package.components.len();
            package.components.rotate_left(turns(candidate, parts));
            Vec::new()
        }
        None => sent::former(&flow.transcript, &flow.facts, semantic_retry),
    };
    let today = flow.transcript.question.asked_at.get(..10).unwrap_or_default().to_owned();
    let question = sent::question(&flow.transcript.question, &flow.facts);
    let first = prompt::draft(&prompt::Ask {
        question: &question,
        package: &package,
        dialect: flow.session.dialect(),
        today: &today,
        former: &former,
    });
    let first = match sampling {
        Some((candidate, of)) => prompt::candidate(first, candidate, of),
        None => first,
    };
    let mut prompt = first.clone();
    for again in 0..=ASKED_AGAIN {
        let reply = match call(flow, model, prompt.clone()).await {
            Ok(reply) => reply,
            Err(e) => {
                let (what, hint) = (e.to_string(), e.hint().to_owned());
                let calls = std::mem::take(&mut flow.at_hand);
                return fail(flow, calls, "model", what, &hint).await;
            }
        };
        match reply {
            Reply::Sql { sql, plan, note } => {
                tell_plan(flow, plan.as_ref()).await;
                let calls = std::mem::take(&mut flow.at_hand);
                return open_attempt(flow, Origin::Model, sql, note, calls, semantic_retry).await;
            }
            Reply::Cannot(reason) => {
                let hint = "Reword the question, or look at the context for what is missing.";
                let message = format!("the model says it cannot be answered: {reason}");
                let calls = std::mem::take(&mut flow.at_hand);
                return fail(flow, calls, "cannot", message, hint).await;
            }
            Reply::Broken(why) => {
                let spent = flow.calls >= flow.transcript.question.options.max_calls;
                if again == ASKED_AGAIN || spent {
                    let hint = "Try again, or choose another model.";
                    let message = format!("the model's reply can't be used: {why}");
                    let calls = std::mem::take(&mut flow.at_hand);
                    return fail(flow, calls, "reply", message, hint).await;
                }
                let said = flow.at_hand.last().map(|c| c.reply.clone()).unwrap_or_default();
                prompt = prompt::again(&first, &said, &why);
            }
        }
    }
}

async fn tell_plan(flow: &mut Flow, plan: Option<&Json>) {
    if let Some(plan) = plan.and_then(plan::read::read) {
        flow.tell(Happened::Planned { origin: Origin::Model, plan: Box::new(plan) }).await;
    }
}

/// Sends a prompt and reads the reply.
async fn call(
    flow: &mut Flow,
    model: &dyn ModelClient,
    prompt: Prompt,
) -> Result<Reply, ModelError> {
    let said = said(flow, model, prompt).await?;
    Ok(if said.cut_off {
        Reply::Broken("it was cut off at the provider's length limit".to_owned())
    } else {
        prompt::read(&said.reply)
    })
}

/// What a model said.
pub(super) struct Said {
    pub(super) reply: String,
    /// The provider cut it at its length limit.
    pub(super) cut_off: bool,
}

/// Sends a prompt and shows the reply as it comes; the call is at hand afterwards, also when it
/// failed.
pub(super) async fn said(
    flow: &mut Flow,
    model: &dyn ModelClient,
    prompt: Prompt,
) -> Result<Said, ModelError> {
    let started = Instant::now();
    let messages = messages(&prompt);
    let id = flow.transcript.question.id.clone();
    // the draft that such a run begins with was a call of the run before: a script goes on behind it
    let before = u32::from(!flow.transcript.question.refused.is_empty());
    let request = Request { prompt, call: flow.calls + before, id };
    flow.calls += 1;
    flow.pulse(Pulse::Waiting(format!("{} is writing", model.name())));
    flow.at_hand.push(Call {
        model: model.name(),
        request: String::new(),
        messages: messages.clone(),
        reply: String::new(),
        usage: Usage::default(),
        elapsed_us: 0,
        cost: None,
    });
    let mut stream = model.stream(request);
    let mut reply = String::new();
    let mut done = Done::default();
    let mut trouble = None;
    while let Some(chunk) = stream.next().await {
        match chunk {
            Ok(Chunk::Text(text)) => {
                reply.push_str(&text);
                flow.pulse(Pulse::Text(text));
            }
            Ok(Chunk::Retrying(why)) => flow.pulse(Pulse::Waiting(why)),
            Ok(Chunk::Done(end)) => done = end,
            Err(e) => trouble = Some(e),
        }
    }
    let said = Said { reply: reply.clone(), cut_off: done.cut_off };
    // the call in flight is over
    flow.at_hand.pop();
    flow.at_hand.push(Call {
        model: model.name(),
        request: done.request,
        messages,
        reply,
        usage: done.usage,
        elapsed_us: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
        cost: done.cost,
    });
    trouble.map_or(Ok(said), Err)
}

/// How far the parts of a package are turned for a candidate, so that each is told another order.
fn turns(candidate: u32, parts: usize) -> usize {
    usize::try_from(candidate.saturating_sub(1)).unwrap_or(0).checked_rem(parts).unwrap_or(0)
}

fn messages(prompt: &Prompt) -> Vec<(String, String)> {
    let role = |role: crate::domain::Role| match role {
        crate::domain::Role::User => "user".to_owned(),
        crate::domain::Role::Assistant => "assistant".to_owned(),
    };
    let mut messages = vec![("system".to_owned(), prompt.system.clone())];
    messages.extend(prompt.turns.iter().map(|turn| (role(turn.role), turn.text.clone())));
    messages
}
