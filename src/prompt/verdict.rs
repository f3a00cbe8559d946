//! What a judge is asked, and its verdict. A judge reports; whatever SQL it writes is passed over.

use serde_json::Value as Json;

use crate::domain::{Prompt, Role, Turn};

use super::template::{self, fill};
use super::{json, spoken};

/// What a judge looks at.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    /// The question's words, with a hint that was given beside them.
    pub question: &'a str,
    /// The SQL in words.
    pub english: &'a str,
    /// Metrics that people agreed on: name and formula.
    pub agreed: &'a [(String, String)],
}

/// A judge's verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The words answer the question.
    Agrees,
    /// They don't: what differs.
    Differs(String),
    /// Nothing that can be used: why, in words.
    Broken(String),
}

/// Makes the prompt for a judge.
pub fn judge(judged: &Judged<'_>) -> Prompt {
    let agreed: Vec<String> =
        judged.agreed.iter().map(|(name, formula)| format!("{name} = {formula}")).collect();
    let agreed = match agreed.as_slice() {
        [] => String::new(),
        lines => format!("\nAGREED METRICS:\n{}\n", lines.join("\n")),
    };
    let holes = [
        ("question", judged.question.trim()),
        ("agreed", agreed.as_str()),
        ("english", judged.english),
    ];
    let turn = Turn { role: Role::User, text: fill(template::JUDGED, &holes) };
    Prompt { system: fill(template::JUDGE, &[]), turns: vec![turn], ..Prompt::default() }
}

/// Makes the prompt that asks a judge again for a verdict of the right form.
pub fn judge_again(former: &Prompt, reply: &str, why: &str) -> Prompt {
    let mut prompt = former.clone();
    prompt.turns.push(Turn { role: Role::Assistant, text: spoken(reply) });
    prompt.turns.push(Turn { role: Role::User, text: fill(template::VERDICT, &[("why", why)]) });
    prompt
}

/// Reads a verdict: the first object that says whether it agrees, fenced or in prose.
pub fn verdict(reply: &str) -> Verdict {
    let text = reply.split_once("</think>").map_or(reply, |(_, rest)| rest);
    if text.trim().is_empty() {
        return Verdict::Broken("the reply is empty".to_owned());
    }
    let mut rest = text;
    while let Some((json, _, after)) = json::object(rest) {
        if let Some(agrees) = json.get("agrees").or_else(|| json.get("correct")).and_then(truth) {
            return said(agrees, &json);
        }
        rest = after;
    }
    if json::is_open(text) {
        return Verdict::Broken("the reply is cut off or its JSON can't be read".to_owned());
    }
    Verdict::Broken("the reply doesn't say whether the query agrees".to_owned())
}

fn truth(json: &Json) -> Option<bool> {
    match json {
        Json::Bool(truth) => Some(*truth),
        Json::String(word) => match word.trim().to_ascii_lowercase().as_str() {
            "yes" | "true" => Some(true),
            "no" | "false" => Some(false),
            _ => None,
        },
        Json::Null | Json::Number(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

fn said(agrees: bool, json: &Json) -> Verdict {
    let keys = ["difference", "reason", "explanation"];
    let difference = keys.iter().find_map(|key| json.get(key)?.as_str()).unwrap_or_default();
    let difference = difference.split_whitespace().collect::<Vec<_>>().join(" ");
    match (agrees, difference.is_empty()) {
        (true, _) => Verdict::Agrees,
        (false, false) => Verdict::Differs(difference),
        // a verdict without its reason helps nobody
        (false, true) => Verdict::Broken("it doesn't say what differs".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_read_bare_fenced_in_prose_and_with_small_faults() {
        for reply in [
            r#"{"agrees": true, "difference": ""}"#,
            "```json\n{\"agrees\": true, \"difference\": \"\"}\n```",
            "Let me see. {x} is fine.\n{\"agrees\": \"Yes\",}",
            "<think>{\"agrees\": false}</think>{\"agrees\": true}",
        ] {
            assert_eq!(verdict(reply), Verdict::Agrees, "{reply}");
        }
        let differs = Verdict::Differs("it counts cancelled bookings too".to_owned());
        let said = r#"{"agrees": false, "difference": "it counts cancelled\nbookings too"}"#;
        assert_eq!(verdict(said), differs);
        assert_eq!(verdict(&format!("{said} SELECT 1")), differs);
    }

    #[test]
    fn sql_of_a_judge_is_passed_over() {
        let reply =
            r#"{"correct": "No", "corrected_sql_query": "SELECT 2", "reason": "other year"}"#;
        assert_eq!(verdict(reply), Verdict::Differs("other year".to_owned()));
    }

    #[test]
    fn what_is_no_verdict_is_broken_and_says_why() {
        for (reply, why) in [
            ("", "the reply is empty"),
            ("Looks good to me!", "the reply doesn't say whether the query agrees"),
            (r#"{"agrees": false}"#, "it doesn't say what differs"),
            (
                r#"{"agrees": maybe, "difference": "x"}"#,
                "the reply doesn't say whether the query agrees",
            ),
            (r#"{"difference": "the ye"#, "the reply is cut off or its JSON can't be read"),
            ("__import__('os').system('true')", "the reply doesn't say whether the query agrees"),
        ] {
            assert_eq!(verdict(reply), Verdict::Broken(why.to_owned()), "{reply}");
        }
    }
}
