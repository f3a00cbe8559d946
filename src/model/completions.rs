//! OpenAI chat completions, as many servers speak it: Groq, Mistral, Gemini's compatible endpoint,
//! vLLM, llama.cpp, LM Studio, Ollama.
//!
//! Protocol: <https://platform.openai.com/docs/api-reference/chat>.

use reqwest::header::{AUTHORIZATION, HeaderName};
use serde_json::{Value, json};

use super::exchange::{Reply, Stopped, Terms, VARIED, Wire};
use super::frames::{Fault, error_in, json};
use crate::domain::{Prompt, Role, Usage};

/// The protocol's row.
pub(super) const WIRE: Wire = Wire { path: "/chat/completions", headers, body, frame, whole };

/// How servers say that a filter stopped the reply.
const FILTERED: &[&str] = &["content_filter", "safety", "SAFETY", "PROHIBITED_CONTENT"];

fn headers(key: Option<&str>) -> Vec<(HeaderName, String)> {
    key.map(|key| (AUTHORIZATION, format!("Bearer {key}"))).into_iter().collect()
}

fn body(model: &str, prompt: &Prompt, terms: Terms) -> Value {
    let system =
        (!prompt.system.is_empty()).then(|| json!({"role": "system", "content": prompt.system}));
    let turns = prompt.turns.iter().map(|turn| {
        let role = match turn.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        json!({"role": role, "content": turn.text})
    });
    let messages: Vec<Value> = system.into_iter().chain(turns).collect();
    let mut body = json!({"model": model, "messages": messages, "stream": true});
    if terms.temperature {
        body["temperature"] = if prompt.varied { json!(VARIED) } else { json!(0) };
    }
    if terms.stream_options {
        body["stream_options"] = json!({"include_usage": true});
    }
    body
}

fn frame(reply: &mut Reply, _name: &str, data: &str) -> Result<(), Fault> {
    if data.trim() == "[DONE]" {
        reply.close();
        return Ok(());
    }
    take(reply, &json(data)?, "delta")
}

fn whole(reply: &mut Reply, value: &Value) -> Result<(), Fault> {
    if value.get("error").is_none() && value.get("choices").is_none() {
        return Err(Fault::Foreign("JSON that is no chat completion".to_owned()));
    }
    take(reply, value, "message")?;
    reply.complete();
    Ok(())
}

/// Takes text, end and usage from a chunk (`delta`) or a whole completion (`message`).
fn take(reply: &mut Reply, value: &Value, place: &str) -> Result<(), Fault> {
    if let Some(fault) = error_in(value) {
        return Err(fault);
    }
    if let Some(choice) = value.pointer("/choices/0") {
        let said = choice.get(place);
        reply.fresh.push_str(&text_of(said.and_then(|said| said.get("content"))));
        let refusal = text_of(said.and_then(|said| said.get("refusal")));
        if !refusal.is_empty() {
            match &mut reply.stopped {
                Some(Stopped::Refusal(words)) => words.push_str(&refusal),
                Some(Stopped::Filter) | None => reply.stopped = Some(Stopped::Refusal(refusal)),
            }
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            reply.complete();
            reply.cut_off = reason == "length";
            if FILTERED.contains(&reason) && reply.stopped.is_none() {
                reply.stopped = Some(Stopped::Filter);
            }
        }
    }
    // Groq puts the usage of a stream under its own name.
    let usage = value.get("usage").or_else(|| value.pointer("/x_groq/usage"));
    if let Some(usage) = usage.filter(|usage| usage.is_object()) {
        reply.usage = usage_of(usage);
    }
    Ok(())
}

/// Reads content that is a text, or a list of parts of which some are text.
fn text_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|part| part.get("text")?.as_str()).collect()
        }
        _ => String::new(),
    }
}

fn usage_of(usage: &Value) -> Usage {
    let count = |place: &str| usage.pointer(place).and_then(Value::as_u64).unwrap_or(0);
    Usage {
        input_tokens: count("/prompt_tokens"),
        output_tokens: count("/completion_tokens"),
        cached_tokens: count("/prompt_tokens_details/cached_tokens"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::exchange::Ending;
    use super::*;
    use crate::domain::Turn;

    #[test]
    fn a_request_holds_system_turns_and_terms() {
        let turn = |role, text: &str| Turn { role, text: text.to_owned() };
        let prompt = Prompt {
            system: "be brief".to_owned(),
            turns: vec![turn(Role::User, "a"), turn(Role::Assistant, "b"), turn(Role::User, "c")],
            date: String::new(),
            varied: false,
        };
        let full = body("m", &prompt, Terms { temperature: true, stream_options: true });
        let expected = json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "a"},
                {"role": "assistant", "content": "b"},
                {"role": "user", "content": "c"},
            ],
            "stream": true,
            "temperature": 0,
            "stream_options": {"include_usage": true},
        });
        assert_eq!(full, expected);
        let bare = body("m", &prompt, Terms { temperature: false, stream_options: false });
        assert!(bare.get("temperature").is_none() && bare.get("stream_options").is_none());
    }

    #[test]
    fn content_may_come_in_parts_and_usage_under_other_names() {
        let mut reply = Reply::default();
        let chunk = r#"{"choices":[{"delta":{"content":[{"type":"thinking"},{"type":"text",
            "text":"hi"}]},"finish_reason":"length"}],"x_groq":{"usage":{"prompt_tokens":3}}}"#;
        frame(&mut reply, "message", chunk).unwrap();
        assert_eq!(reply.fresh, "hi");
        assert!(reply.cut_off);
        assert_eq!(reply.ending, Ending::Complete);
        assert_eq!(reply.usage.input_tokens, 3);
    }
}
