//! Anthropic Messages, with prompt caching.
//!
//! Protocol: <https://docs.anthropic.com/en/api/messages-streaming>.

use reqwest::header::HeaderName;
use serde_json::{Value, json};

use super::exchange::{Reply, Stopped, Terms, VARIED, Wire};
use super::frames::{Fault, error_in, json};
use crate::domain::{Prompt, Role, Turn};

/// The protocol's row.
pub(super) const WIRE: Wire = Wire { path: "/v1/messages", headers, body, frame, whole };

/// Tokens of a reply at most; the protocol wants a number. A plan and its SQL take a few hundred,
/// and every model allows this many.
const MAX_TOKENS: u32 = 4096;
/// The version of the protocol that this file speaks.
const VERSION: &str = "2023-06-01";

fn headers(key: Option<&str>) -> Vec<(HeaderName, String)> {
    let version = (HeaderName::from_static("anthropic-version"), VERSION.to_owned());
    let key = key.map(|key| (HeaderName::from_static("x-api-key"), key.to_owned()));
    std::iter::once(version).chain(key).collect()
}

fn body(model: &str, prompt: &Prompt, terms: Terms) -> Value {
    let messages: Vec<Value> =
        prompt.turns.iter().enumerate().map(|(at, turn)| message(turn, at == 0)).collect();
    let mut body = json!({
        "model": model,
        "max_tokens": MAX_TOKENS,
        "messages": messages,
        "stream": true,
    });
    if !prompt.system.is_empty() {
        body["system"] = json!([cached(text(&prompt.system))]);
    }
    if terms.temperature {
        body["temperature"] = if prompt.varied { json!(VARIED) } else { json!(0) };
    }
    body
}

/// Writes a turn. The first holds the package, which stays the same through a conversation.
fn message(turn: &Turn, first: bool) -> Value {
    let role = match turn.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    // The protocol refuses empty texts; a model's empty reply may stand in the conversation.
    let said = if turn.text.trim().is_empty() { "(nothing)" } else { &turn.text };
    let block = if first { cached(text(said)) } else { text(said) };
    json!({"role": role, "content": [block]})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// Marks the end of a part that the provider may keep for the next call.
fn cached(mut block: Value) -> Value {
    block["cache_control"] = json!({"type": "ephemeral"});
    block
}

fn frame(reply: &mut Reply, name: &str, data: &str) -> Result<(), Fault> {
    let value = json(data)?;
    let kind = value.get("type").and_then(Value::as_str).unwrap_or(name);
    match kind {
        "error" => return Err(error_in(&value).unwrap_or_else(|| untold(data))),
        "message_start" => count(reply, value.pointer("/message/usage")),
        "content_block_start" => push(reply, value.get("content_block")),
        "content_block_delta" => push(reply, value.get("delta")),
        "message_delta" => {
            count(reply, value.get("usage"));
            stop(reply, value.get("delta"));
        }
        "message_stop" => {
            reply.close();
        }
        // ping, content_block_stop, and events that the protocol may add.
        _ => {
            if let Some(fault) = error_in(&value) {
                return Err(fault);
            }
        }
    }
    Ok(())
}

fn untold(data: &str) -> Fault {
    Fault::Told(String::new(), data.to_owned())
}

fn whole(reply: &mut Reply, value: &Value) -> Result<(), Fault> {
    if let Some(fault) = error_in(value) {
        return Err(fault);
    }
    let Some(blocks) = value.get("content").and_then(Value::as_array) else {
        return Err(Fault::Foreign("JSON that is no message".to_owned()));
    };
    for block in blocks {
        push(reply, Some(block));
    }
    count(reply, value.get("usage"));
    stop(reply, Some(value));
    reply.complete();
    Ok(())
}

/// Takes the text of a block or delta; thinking and tools have none.
fn push(reply: &mut Reply, block: Option<&Value>) {
    let text = block.and_then(|block| block.get("text")).and_then(Value::as_str);
    reply.fresh.push_str(text.unwrap_or_default());
}

fn stop(reply: &mut Reply, holder: Option<&Value>) {
    let reason = holder.and_then(|holder| holder.get("stop_reason")).and_then(Value::as_str);
    if let Some(reason) = reason {
        reply.complete();
        if reason == "refusal" {
            reply.stopped = Some(Stopped::Refusal(String::new()));
        }
        reply.cut_off = matches!(reason, "max_tokens" | "model_context_window_exceeded");
    }
}

/// Takes token counts. The provider counts what came from its cache and what was written to it
/// apart from `input_tokens`; we count all of it as input.
fn count(reply: &mut Reply, usage: Option<&Value>) {
    let number = |name: &str| usage.and_then(|usage| usage.get(name)).and_then(Value::as_u64);
    // A later count of zero only means that this event doesn't count input.
    let plain = number("input_tokens").filter(|n| *n > 0 || reply.usage.input_tokens == 0);
    if let Some(plain) = plain {
        let cached = number("cache_read_input_tokens").unwrap_or(reply.usage.cached_tokens);
        let written = number("cache_creation_input_tokens").unwrap_or(reply.cache_written);
        reply.usage.cached_tokens = cached;
        reply.cache_written = written;
        reply.usage.input_tokens = plain.saturating_add(cached).saturating_add(written);
    }
    if let Some(output) = number("output_tokens") {
        reply.usage.output_tokens = output;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_and_package_are_marked_for_the_cache_and_no_text_is_empty() {
        let turn = |role, text: &str| Turn { role, text: text.to_owned() };
        let prompt = Prompt {
            system: "be brief".to_owned(),
            turns: vec![turn(Role::User, "p"), turn(Role::Assistant, ""), turn(Role::User, "c")],
            date: String::new(),
            varied: false,
        };
        let mark = json!({"type": "ephemeral"});
        let expected = json!({
            "model": "m",
            "max_tokens": 4096,
            "messages": [
                {"role": "user",
                 "content": [{"type": "text", "text": "p", "cache_control": mark}]},
                {"role": "assistant", "content": [{"type": "text", "text": "(nothing)"}]},
                {"role": "user", "content": [{"type": "text", "text": "c"}]},
            ],
            "stream": true,
            "system": [{"type": "text", "text": "be brief", "cache_control": mark}],
            "temperature": 0,
        });
        let terms = Terms { temperature: true, stream_options: true };
        assert_eq!(body("m", &prompt, terms), expected);
    }

    #[test]
    fn unknown_events_and_pings_are_passed_over() {
        let mut reply = Reply::default();
        frame(&mut reply, "ping", r#"{"type":"ping"}"#).unwrap();
        frame(&mut reply, "novelty", r#"{"type":"novelty","x":1}"#).unwrap();
        assert_eq!(reply, Reply::default());
    }
}
