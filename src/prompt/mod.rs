//! Prompts and replies: a package and a question become turns, a reply becomes SQL and plan.
//!
//! What belongs here: filling the templates of `assets/prompts`, and reading replies robustly. What
//! must never come: sending, or facts that the package doesn't hold.
//! To change what a model is told: edit the template as prose, one sentence per line. To read one
//! more form of reply: a function in `reply.rs`.

mod bare;
mod fences;
mod json;
mod reply;
mod template;
mod verdict;

#[cfg(test)]
mod tests;

pub use reply::{Reply, read};
pub use verdict::{Judged, Verdict, judge, judge_again, verdict};

use crate::domain::{
    ContextPackage, Dialect, Failure, Finding, Prompt, Question, Repair, Role, Turn,
};

use template::fill;

/// What a prompt is made from.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The question.
    pub question: &'a Question,
    /// The package.
    pub package: &'a ContextPackage,
    /// The dialect to write.
    pub dialect: Dialect,
    /// Date of asking, `YYYY-MM-DD`.
    pub today: &'a str,
    /// Former drafts of this run, oldest first: the SQL, and the note that was sent back: the
    /// exact errors ([`failed`]), or a gate's hint ([`doubted`]).
    pub former: &'a [(String, String)],
}

/// Makes the prompt of the next draft: question / previous SQL / exact errors (S2-006).
///
/// The request to reply with the corrected SQL only is added to each note here.
pub fn draft(ask: &Ask<'_>) -> Prompt {
    let holes = [("dialect", ask.dialect.name()), ("today", ask.today)];
    let mut turns = vec![Turn { role: Role::User, text: first_turn(ask) }];
    for (sql, note) in ask.former {
        turns.push(Turn { role: Role::Assistant, text: spoken(sql) });
        turns.push(Turn { role: Role::User, text: fill(template::RETRY, &[("note", note)]) });
    }
    Prompt {
        system: fill(template::SYSTEM, &holes),
        turns,
        date: ask.today.to_owned(),
        varied: false,
    }
}

/// Makes the prompt of a candidate: the same asked once more, so that another reply can come.
pub fn candidate(draft: Prompt, candidate: u32, of: u32) -> Prompt {
    let mut prompt = Prompt { varied: true, ..draft };
    let holes = [("n", candidate.to_string()), ("of", of.to_string())];
    let holes = holes.each_ref().map(|(name, value)| (*name, value.as_str()));
    let words = fill(template::CANDIDATE, &holes);
    if let Some(last) = prompt.turns.last_mut() {
        last.text = format!("{}\n\n{words}", last.text);
    }
    prompt
}

/// Writes the note on a draft that failed: the stage, and all errors word for word.
pub fn failed(failure: &Failure) -> String {
    let errors = failure.message();
    fill(template::FAILED, &[("stage", failure.stage.name()), ("errors", &errors)])
}

/// Writes the note on a draft that runs but that a gate doubts: what it found, and its hint.
pub fn doubted(finding: &Finding) -> String {
    let hint = finding.hint.as_deref().unwrap_or("");
    fill(template::DOUBTED, &[("message", &finding.message), ("hint", hint)])
}

/// Writes the note on a repair that the person who asks refused.
pub fn refused(repair: &Repair) -> String {
    fill(template::REFUSED, &[("from", &repair.from), ("to", &repair.to)])
}

/// Makes the prompt that asks again for a reply of the right form.
pub fn again(former: &Prompt, reply: &str, why: &str) -> Prompt {
    let mut prompt = former.clone();
    prompt.turns.push(Turn { role: Role::Assistant, text: spoken(reply) });
    prompt.turns.push(Turn { role: Role::User, text: fill(template::AGAIN, &[("why", why)]) });
    prompt
}

/// Returns a text fit for the assistant's turn, which providers refuse when it is empty.
fn spoken(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() { "(nothing)".to_owned() } else { text.to_owned() }
}

fn first_turn(ask: &Ask<'_>) -> String {
    let package = ask.package.text();
    let mut parts = Vec::new();
    if let Some((question, sql)) = &ask.question.follows {
        parts.push(fill(template::FOLLOW, &[("question", question), ("sql", sql)]));
    }
    // The hint is part of the business component, if that is in.
    if let Some(evidence) = ask.question.evidence.as_deref().map(str::trim)
        && !evidence.is_empty()
        && !package.contains(evidence)
    {
        parts.push(fill(template::EVIDENCE, &[("evidence", evidence)]));
    }
    let holes = [("package", package.as_str()), ("question", ask.question.text.trim())];
    let asked = fill(template::QUESTION, &holes).trim_start().to_owned();
    parts.push(asked);
    parts.join("\n\n")
}
