//! Scripted replies: a model that says what a file lists, in order, whatever it is asked.
//!
//! A script plays the documented cases offline and makes tests exact. It is labelled as scripted
//! wherever its replies are shown.

use std::path::Path;
use std::sync::Arc;

use futures_util::stream::BoxStream;
use serde::Deserialize;

use super::cassette::{fingerprint, pieces};
use super::shipped::SHIPPED;
use super::told::told;
use super::{Chunk, Done, ModelClient, ModelError, Request};

/// A script as its TOML file states it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The name after `script:`.
    #[serde(default)]
    pub name: String,
    /// What it shows, in a few words.
    #[serde(default)]
    pub label: String,
    /// The database it was written for.
    #[serde(default)]
    pub database: Option<String>,
    /// The question it was written for.
    #[serde(default)]
    pub question: Option<String>,
    /// Whether the last reply is given again when the list is at its end.
    #[serde(default)]
    pub repeat_last: bool,
    /// Replies to any question, in order of calls.
    #[serde(default)]
    pub reply: Vec<ScriptedReply>,
    /// Replies by question id, for batches.
    #[serde(default)]
    pub answers: Vec<ScriptedAnswers>,
}

/// One reply.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedReply {
    /// What the model says.
    pub text: String,
}

/// The replies to one question of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ScriptedAnswers {
    /// The question's id; a number stands as its digits.
    #[serde(deserialize_with = "id_text")]
    pub id: String,
    /// Replies in order of calls.
    pub replies: Vec<String>,
}

fn id_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Id {
        Text(String),
        Number(i64),
    }
    Ok(match Id::deserialize(deserializer)? {
        Id::Text(text) => text,
        Id::Number(number) => number.to_string(),
    })
}

impl Script {
    /// Reads a script from TOML.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())
    }

    /// Reads a script from lines of `{"id": …, "replies": […]}`.
    pub fn from_json_lines(text: &str) -> Result<Self, String> {
        let mut script = Script::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let answers = serde_json::from_str(line)
                .map_err(|error| format!("line {}: {error}", at.saturating_add(1)))?;
            script.answers.push(answers);
        }
        Ok(script)
    }

    /// Returns the reply to a call, or why there is none.
    fn reply(&self, call: u32, id: Option<&str>) -> Result<&str, String> {
        let listed = id.and_then(|id| self.answers.iter().find(|answers| answers.id == id));
        let replies: Vec<&str> = match (listed, self.reply.as_slice()) {
            (Some(answers), _) => answers.replies.iter().map(String::as_str).collect(),
            (None, []) => return Err(self.no_answers(id)),
            (None, replies) => replies.iter().map(|reply| reply.text.as_str()).collect(),
        };
        let repeated = if self.repeat_last { replies.last() } else { None };
        let reply = usize::try_from(call).ok().and_then(|call| replies.get(call));
        reply.or(repeated).copied().ok_or_else(|| {
            let call = call.saturating_add(1);
            format!("it has no more replies: call {call} was made, {} are listed", replies.len())
        })
    }

    fn no_answers(&self, id: Option<&str>) -> String {
        match id {
            _ if self.answers.is_empty() => "it lists no replies".to_owned(),
            Some(id) => format!("it lists no replies for the question with id '{id}'"),
            None => "it lists replies by question id, and this question has none".to_owned(),
        }
    }
}

/// Lists the shipped scripts, in the order of their table.
pub fn shipped() -> Vec<Script> {
    SHIPPED.iter().filter_map(|text| Script::from_toml(text).ok()).collect()
}

/// Opens `script:NAME|FILE`; `named` is what follows the colon.
pub(super) fn open(named: &str) -> Result<Arc<dyn ModelClient>, ModelError> {
    let shipped = shipped();
    if let Some(script) = shipped.iter().find(|script| script.name == named) {
        return Ok(player(named, script.clone()));
    }
    let path = Path::new(named);
    if !path.exists() {
        let known: Vec<&str> = shipped.iter().map(|script| script.name.as_str()).collect();
        return Err(ModelError::Settings {
            what: format!("there is no script and no file named '{named}'"),
            hint: format!("Scripts that come with Querent: {}.", known.join(", ")),
        });
    }
    let text = std::fs::read_to_string(path).map_err(|error| ModelError::Settings {
        what: format!("the script {named} can't be read: {error}"),
        hint: "Name a readable TOML or JSON lines file.".to_owned(),
    })?;
    let lines = path.extension().is_some_and(|ending| ending != "toml");
    let script = if lines { Script::from_json_lines(&text) } else { Script::from_toml(&text) };
    let script = script.map_err(|what| ModelError::Settings {
        what: format!("the script {named} is malformed: {what}"),
        hint: "A script is TOML with [[reply]] text, or lines of {\"id\", \"replies\"}.".to_owned(),
    })?;
    Ok(player(named, script))
}

/// Makes a model of a script that is at hand; it is called `script:NAME`.
pub fn player(named: &str, script: Script) -> Arc<dyn ModelClient> {
    Arc::new(Scripted { named: named.to_owned(), script: Arc::new(script) })
}

struct Scripted {
    named: String,
    script: Arc<Script>,
}

impl ModelClient for Scripted {
    fn name(&self) -> String {
        format!("script:{}", self.named)
    }

    fn remote(&self) -> bool {
        false
    }

    fn scripted(&self) -> bool {
        true
    }

    fn stream(&self, request: Request) -> BoxStream<'static, Result<Chunk, ModelError>> {
        let script = Arc::clone(&self.script);
        let name = self.name();
        told(async move |teller| {
            let reply = script.reply(request.call, request.id.as_deref());
            let reply = reply.map_err(|what| ModelError::Missing {
                what: format!("{name} can't answer: {what}"),
                hint: "Add replies to the script, or mark the last with repeat_last = true."
                    .to_owned(),
            })?;
            for piece in pieces(reply) {
                teller.text(piece.to_owned()).await;
            }
            Ok(Done { request: fingerprint(&name, &request.prompt), ..Done::default() })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "name = 'two'\n[[reply]]\ntext = '''\none\n'''\n[[reply]]\ntext = 'two'";

    #[test]
    fn replies_come_in_order_and_the_list_has_an_end() {
        let script = Script::from_toml(TWO).unwrap();
        assert_eq!(script.reply(0, None), Ok("one\n"));
        assert_eq!(script.reply(1, Some("7")), Ok("two"));
        let end = script.reply(2, None).unwrap_err();
        assert_eq!(end, "it has no more replies: call 3 was made, 2 are listed");
    }

    #[test]
    fn the_last_reply_repeats_only_if_marked_so() {
        let script = Script::from_toml(&format!("repeat_last = true\n{TWO}")).unwrap();
        assert_eq!(script.reply(9, None), Ok("two"));
    }

    #[test]
    fn replies_are_found_by_question_id() {
        let lines = "{\"id\": \"a\", \"replies\": [\"A1\", \"A2\"], \"note\": 1}\n\n\
                     {\"id\": 7, \"replies\": [\"seven\"]}\n";
        let script = Script::from_json_lines(lines).unwrap();
        assert_eq!(script.reply(1, Some("a")), Ok("A2"));
        assert_eq!(script.reply(0, Some("7")), Ok("seven"));
        let unknown = script.reply(0, Some("b")).unwrap_err();
        assert_eq!(unknown, "it lists no replies for the question with id 'b'");
        assert!(script.reply(0, None).is_err());
    }

    #[test]
    fn a_malformed_line_is_named_by_its_number() {
        let error = Script::from_json_lines("{\"id\":\"a\",\"replies\":[]}\n{oops").unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }

    #[test]
    fn an_unknown_name_lists_the_shipped_ones() {
        let error = open("no-such-script").err().unwrap();
        assert_eq!(error.to_string(), "there is no script and no file named 'no-such-script'");
        for script in shipped() {
            assert!(error.hint().contains(&script.name));
        }
    }

    #[test]
    fn every_shipped_script_can_be_read_and_has_a_name_and_a_label() {
        for text in SHIPPED {
            let script = Script::from_toml(text).unwrap();
            assert!(!script.name.is_empty() && !script.label.is_empty());
            assert!(!script.reply.is_empty() || !script.answers.is_empty());
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo/scripts");
        let files = std::fs::read_dir(folder).unwrap().count();
        assert_eq!(SHIPPED.len(), files, "every file of {folder} has its row");
    }
}
