//! Replies that come whole, whatever way they come.

use futures_util::StreamExt;
use querent::domain::Usage;
use querent::model::{self, Chunk};
use serde_json::json;

use super::server::{End, Played, Server};
use super::{Adapter, BOTH, KEY, ask, request, settings};

const TEXT: &str = "SELECT 'größer 😀' FROM t;\nend";

#[tokio::test]
async fn a_stream_cut_into_any_pieces_gives_the_same_text() {
    for adapter in BOTH {
        for bytes in [1, 2, 3, 7, 64] {
            let server = Server::start(vec![adapter.stream(TEXT).in_pieces_of(bytes)]).await;
            let outcome = ask(adapter, &server).await;
            assert_eq!(outcome.text, TEXT, "{adapter:?} in pieces of {bytes}");
            assert!(!outcome.end.unwrap().cut_off);
        }
    }
}

#[tokio::test]
async fn usage_and_cached_tokens_are_those_of_the_provider() {
    for adapter in BOTH {
        let server = Server::start(vec![adapter.stream("x")]).await;
        let done = ask(adapter, &server).await.end.unwrap();
        // Anthropic counts 20 plain, 300 written to and 1,000 read from its cache.
        let expected = Usage { input_tokens: 1320, output_tokens: 40, cached_tokens: 1000 };
        assert_eq!(done.usage, expected, "{adapter:?}");
        let cost = match adapter {
            // gpt-4o: 320 × 2.50 + 1,000 × 1.25 + 40 × 10.00, per million
            Adapter::Completions => 0.002_45,
            // claude-sonnet-5: 20 × 2 + 300 × 2.50 + 1,000 × 0.20 + 40 × 10, per million
            Adapter::Messages => 0.001_39,
        };
        assert!((done.cost.unwrap() - cost).abs() < 1e-12, "{:?}", done.cost);
    }
}

#[tokio::test]
async fn the_request_is_what_the_protocol_wants() {
    for adapter in BOTH {
        let server = Server::start(vec![adapter.stream("x")]).await;
        let done = ask(adapter, &server).await.end.unwrap();
        assert_eq!(done.request.len(), 64);
        let got = server.got().remove(0);
        let head = got.head.to_ascii_lowercase();
        assert_eq!(got.body["stream"], json!(true));
        assert_eq!(got.body["temperature"], json!(0));
        match adapter {
            Adapter::Completions => {
                assert!(head.starts_with("post /v1/chat/completions http/1.1"), "{head}");
                assert!(head.contains(&format!("authorization: bearer {KEY}")));
                assert_eq!(got.body["stream_options"], json!({"include_usage": true}));
                assert_eq!(got.body["messages"][0]["content"], "Reply in SQL.");
                assert_eq!(got.body["messages"][1]["content"], "How many?");
            }
            Adapter::Messages => {
                assert!(head.starts_with("post /v1/messages http/1.1"), "{head}");
                assert!(head.contains(&format!("x-api-key: {KEY}")));
                assert!(head.contains("anthropic-version: 2023-06-01"));
                assert!(!head.contains("authorization"));
                assert_eq!(got.body["system"][0]["text"], "Reply in SQL.");
                assert_eq!(got.body["system"][0]["cache_control"], json!({"type": "ephemeral"}));
                assert_eq!(got.body["messages"][0]["content"][0]["text"], "How many?");
                assert!(got.body["max_tokens"].as_u64() > Some(1023));
            }
        }
        assert!(!got.body.to_string().contains(KEY));
    }
}

#[tokio::test]
async fn a_reply_cut_at_the_length_limit_says_so() {
    for (adapter, reason) in [(Adapter::Completions, "length"), (Adapter::Messages, "max_tokens")] {
        let text = adapter.begun("SELECT") + &adapter.ended(reason);
        let server = Server::start(vec![Played::events(&text)]).await;
        let outcome = ask(adapter, &server).await;
        assert_eq!(outcome.text, "SELECT");
        assert!(outcome.end.unwrap().cut_off, "{adapter:?}");
    }
}

#[tokio::test]
async fn an_empty_reply_is_done_without_text() {
    for adapter in BOTH {
        let server = Server::start(vec![adapter.stream("")]).await;
        let outcome = ask(adapter, &server).await;
        assert_eq!(outcome.text, "");
        assert!(outcome.end.is_ok(), "{adapter:?}");
    }
}

fn whole(adapter: Adapter) -> String {
    match adapter {
        Adapter::Completions => json!({
            "choices": [{"message": {"role": "assistant", "content": TEXT},
                         "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 2},
        }),
        Adapter::Messages => json!({
            "type": "message",
            "content": [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": TEXT}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 5, "output_tokens": 2},
        }),
    }
    .to_string()
}

#[tokio::test]
async fn a_server_that_ignores_stream_is_understood() {
    for adapter in BOTH {
        for kind in ["application/json", "application/json; charset=utf-8", "text/plain", ""] {
            let body = whole(adapter).into_bytes();
            let played = Played::new("200 OK", kind, vec![body]).in_pieces_of(17);
            let server = Server::start(vec![played]).await;
            let outcome = ask(adapter, &server).await;
            assert_eq!(outcome.text, TEXT, "{adapter:?} {kind}");
            let expected = Usage { input_tokens: 5, output_tokens: 2, cached_tokens: 0 };
            assert_eq!(outcome.end.unwrap().usage, expected);
        }
    }
}

#[tokio::test]
async fn a_server_that_closes_roughly_after_the_end_is_forgiven() {
    let adapter = Adapter::Completions;
    let all = adapter.begun("x") + &adapter.ended("stop");
    let text = all.replace("data: [DONE]\n\n", "");
    let server = Server::start(vec![Played::events(&text).end(End::Cut)]).await;
    let outcome = ask(adapter, &server).await;
    assert_eq!((outcome.text.as_str(), outcome.end.is_ok()), ("x", true));
}

#[tokio::test]
async fn a_setting_that_the_server_refuses_is_left_out_from_then_on() {
    let refusal = |setting: &str| {
        let message = format!("Unsupported value: '{setting}' is not supported with this model.");
        Played::json("400 Bad Request", &json!({"error": {"message": message}}).to_string())
    };
    for (adapter, refused) in [
        (Adapter::Completions, vec!["temperature", "stream_options"]),
        (Adapter::Messages, vec!["temperature"]),
    ] {
        let refusals = refused.iter().map(|setting| refusal(setting));
        let server = Server::start(refusals.chain([adapter.stream("x")]).collect()).await;
        let model = model::open(adapter.spec(), &settings(adapter, &server.address)).unwrap();
        for _ in 0..2 {
            let outcome = super::read(model.stream(request())).await;
            assert_eq!(outcome.text, "x");
            assert!(outcome.retries.is_empty());
        }
        let got = server.got();
        assert_eq!(got.len(), refused.len() + 2, "the second question asks once");
        for (at, setting) in refused.iter().enumerate() {
            assert!(got[at].body.get(setting).is_some());
            assert!(got[at + 1].body.get(setting).is_none());
            assert!(got[got.len() - 1].body.get(setting).is_none());
        }
    }
}

#[tokio::test]
async fn an_endless_slow_stream_ends_when_it_is_dropped() {
    for adapter in BOTH {
        let piece = match adapter {
            Adapter::Completions => {
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n"
            }
            Adapter::Messages => {
                "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\
                 \"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n"
            }
        };
        let mut server = Server::start(vec![Played::events(piece).end(End::Endless)]).await;
        let model = model::open(adapter.spec(), &settings(adapter, &server.address)).unwrap();
        let mut stream = model.stream(request());
        for _ in 0..3 {
            assert_eq!(stream.next().await, Some(Ok(Chunk::Text("x".to_owned()))));
        }
        drop(stream);
        server.client_gone().await;
    }
}
