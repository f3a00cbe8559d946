//! Asks the program with a model that is a server of ours, and keeps what was sent.

use serde_json::{Value as Json, json};

use super::program::{Ended, Home};
use super::server::{Played, Server};

/// What came of one asking.
pub(crate) struct Asked {
    /// The program's end.
    pub(crate) ended: Ended,
    /// Every request, headers and body.
    pub(crate) sent: Vec<String>,
    /// The texts of all messages of every request.
    pub(crate) told: Vec<String>,
}

impl Asked {
    /// Everything that was sent, request after request.
    pub(crate) fn bytes(&self) -> String {
        self.sent.join("\n")
    }

    /// Every text that the model read.
    pub(crate) fn texts(&self) -> String {
        self.told.join("\n")
    }
}

/// A reply as a stream of the chat completions protocol, counted as 1,320 tokens read.
fn stream(text: &str) -> Played {
    let words = json!({"choices": [{"index": 0, "finish_reason": null,
        "delta": {"role": "assistant", "content": text}}]});
    let stop = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 1320, "completion_tokens": 40}});
    Played::events(&format!("data: {words}\n\ndata: {stop}\n\ndata: {usage}\n\ndata: [DONE]\n\n"))
}

/// Runs the program against a server that gives these replies, the last one again and again.
pub(crate) async fn ask(home: &Home, arguments: &[&str], replies: &[&str]) -> Asked {
    let server = Server::start(replies.iter().map(|reply| stream(reply)).collect()).await;
    let mut command = home.command(&["ask", "--model", "openai:recorder", "--json"]);
    command.args(arguments);
    command.env("OPENAI_BASE_URL", format!("{}/v1", server.address));
    command.env("OPENAI_API_KEY", "none");
    let output = tokio::task::block_in_place(|| command.output().unwrap());
    let got = server.got();
    let texts = |body: &Json| {
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        messages.iter().filter_map(|m| m["content"].as_str()).collect::<Vec<_>>().join("\n")
    };
    Asked {
        ended: Ended::of(output),
        sent: got.iter().map(|got| format!("{}\n{}", got.head, got.body)).collect(),
        told: got.iter().map(|got| texts(&got.body)).collect(),
    }
}
