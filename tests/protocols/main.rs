//! Both protocols against a server that speaks them for real: whole, split, cut, slow and wrong.

#![expect(clippy::unwrap_used, reason = "a test that can't go on shall say where")]

mod replies;
mod server;
mod troubles;

use futures_util::StreamExt;
use querent::domain::{Prompt, Role, Turn};
use querent::model::{self, Chunk, Done, Environment, ModelError, ModelSettings, Request};

use server::{Played, Server};

/// The two adapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adapter {
    /// OpenAI chat completions.
    Completions,
    /// Anthropic Messages.
    Messages,
}

/// Both, for tests that hold for each.
pub(crate) const BOTH: [Adapter; 2] = [Adapter::Completions, Adapter::Messages];

/// A key that must show up in one header and nowhere else.
pub(crate) const KEY: &str = "key-4711-secret";

impl Adapter {
    fn spec(self) -> &'static str {
        match self {
            Adapter::Completions => "openai:gpt-4o-2024-08-06",
            Adapter::Messages => "anthropic:claude-sonnet-5",
        }
    }

    /// The variable that holds the key.
    pub(crate) fn key_variable(self) -> &'static str {
        match self {
            Adapter::Completions => "OPENAI_API_KEY",
            Adapter::Messages => "ANTHROPIC_API_KEY",
        }
    }

    fn base_url_variable(self) -> &'static str {
        match self {
            Adapter::Completions => "OPENAI_BASE_URL",
            Adapter::Messages => "ANTHROPIC_BASE_URL",
        }
    }

    fn base_path(self) -> &'static str {
        match self {
            Adapter::Completions => "/v1",
            Adapter::Messages => "",
        }
    }

    /// The start of a stream: everything up to and including this text.
    pub(crate) fn begun(self, text: &str) -> String {
        let text = serde_json::to_string(text).unwrap();
        match self {
            Adapter::Completions => format!(
                "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"role\":\"assistant\",\
                 \"content\":\"\"}},\"finish_reason\":null}}]}}\n\n\
                 data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":{text}}},\
                 \"finish_reason\":null}}]}}\n\n"
            ),
            Adapter::Messages => format!(
                "event: message_start\ndata: {{\"type\":\"message_start\",\"message\":{{\
                 \"content\":[],\"usage\":{{\"input_tokens\":20,\
                 \"cache_creation_input_tokens\":300,\"cache_read_input_tokens\":1000,\
                 \"output_tokens\":1}}}}}}\n\n\
                 event: content_block_start\ndata: {{\"type\":\"content_block_start\",\"index\":0,\
                 \"content_block\":{{\"type\":\"text\",\"text\":\"\"}}}}\n\n\
                 event: ping\ndata: {{\"type\":\"ping\"}}\n\n\
                 event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\
                 \"delta\":{{\"type\":\"text_delta\",\"text\":{text}}}}}\n\n"
            ),
        }
    }

    /// The end of a stream, for a reason in the protocol's words.
    pub(crate) fn ended(self, reason: &str) -> String {
        match self {
            Adapter::Completions => format!(
                "data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\
                 \"finish_reason\":\"{reason}\"}}]}}\n\n\
                 data: {{\"choices\":[],\"usage\":{{\"prompt_tokens\":1320,\
                 \"completion_tokens\":40,\"prompt_tokens_details\":{{\
                 \"cached_tokens\":1000}}}}}}\n\n\
                 data: [DONE]\n\n"
            ),
            Adapter::Messages => format!(
                "event: content_block_stop\ndata: {{\"type\":\"content_block_stop\",\
                 \"index\":0}}\n\n\
                 event: message_delta\ndata: {{\"type\":\"message_delta\",\"delta\":{{\
                 \"stop_reason\":\"{reason}\"}},\"usage\":{{\"output_tokens\":40}}}}\n\n\
                 event: message_stop\ndata: {{\"type\":\"message_stop\"}}\n\n"
            ),
        }
    }

    /// The reason of a reply that is complete.
    pub(crate) fn complete(self) -> &'static str {
        match self {
            Adapter::Completions => "stop",
            Adapter::Messages => "end_turn",
        }
    }

    /// A whole stream that says this.
    pub(crate) fn stream(self, text: &str) -> Played {
        Played::events(&(self.begun(text) + &self.ended(self.complete())))
    }
}

/// The settings of a test: this server, this key, no waits.
pub(crate) fn settings(adapter: Adapter, address: &str) -> ModelSettings {
    let base = format!("{address}{}", adapter.base_path());
    let environment =
        Environment::of([(adapter.key_variable(), KEY), (adapter.base_url_variable(), &base)]);
    ModelSettings { environment, instant_retries: true, ..ModelSettings::default() }
}

/// A question as the pipeline sends it.
pub(crate) fn request() -> Request {
    let turn = Turn { role: Role::User, text: "How many?".to_owned() };
    let prompt =
        Prompt { system: "Reply in SQL.".to_owned(), turns: vec![turn], ..Prompt::default() };
    Request { prompt, call: 0, id: None }
}

/// What came of a question.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The text.
    pub(crate) text: String,
    /// Retries as told.
    pub(crate) retries: Vec<String>,
    /// The end.
    pub(crate) end: Result<Done, ModelError>,
}

impl Outcome {
    /// What went wrong, and what to do.
    pub(crate) fn trouble(&self) -> (String, String) {
        let error = self.end.as_ref().unwrap_err();
        (error.to_string(), error.hint().to_owned())
    }
}

/// Asks a server and reads to the end.
pub(crate) async fn ask(adapter: Adapter, server: &Server) -> Outcome {
    ask_with(adapter, &settings(adapter, &server.address)).await
}

/// Asks with settings and reads to the end.
pub(crate) async fn ask_with(adapter: Adapter, settings: &ModelSettings) -> Outcome {
    let model = model::open(adapter.spec(), settings).unwrap();
    assert!(!model.scripted());
    read(model.stream(request())).await
}

async fn read(
    mut stream: futures_util::stream::BoxStream<'static, Result<Chunk, ModelError>>,
) -> Outcome {
    let (mut text, mut retries, mut end) = (String::new(), Vec::new(), None);
    while let Some(chunk) = stream.next().await {
        assert!(end.is_none(), "nothing comes after the end");
        match chunk {
            Ok(Chunk::Text(piece)) => text.push_str(&piece),
            Ok(Chunk::Retrying(why)) => retries.push(why),
            Ok(Chunk::Done(done)) => end = Some(Ok(done)),
            Err(error) => end = Some(Err(error)),
        }
    }
    let outcome = Outcome { text, retries, end: end.expect("a stream says how it ended") };
    assert!(!format!("{outcome:?}").contains(KEY), "the key shows in {outcome:?}");
    outcome
}
