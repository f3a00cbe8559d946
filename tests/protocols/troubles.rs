//! What goes wrong, and the sentence it ends in.

use querent::model::{self, ModelError};
use serde_json::json;

use super::server::{End, Played, Server};
use super::{Adapter, BOTH, KEY, ask, ask_with, settings};

fn name(adapter: Adapter) -> &'static str {
    match adapter {
        Adapter::Completions => "OpenAI",
        Adapter::Messages => "Anthropic",
    }
}

/// An error's body in the protocol's form.
fn error(adapter: Adapter, kind: &str, message: &str) -> String {
    match adapter {
        Adapter::Completions => json!({"error": {"type": kind, "message": message}}),
        Adapter::Messages => json!({"type": "error", "error": {"type": kind, "message": message}}),
    }
    .to_string()
}

/// An error in the middle of a stream.
fn error_event(adapter: Adapter, kind: &str, message: &str) -> String {
    let body = error(adapter, kind, message);
    match adapter {
        Adapter::Completions => format!("data: {body}\n\n"),
        Adapter::Messages => format!("event: error\ndata: {body}\n\n"),
    }
}

#[tokio::test]
async fn a_stream_cut_in_the_middle_of_an_event_broke_off_and_is_not_asked_again() {
    for adapter in BOTH {
        for end in [End::Cut, End::Whole] {
            let whole = adapter.begun("SELECT 1") + &adapter.ended(adapter.complete());
            let cut = &whole[..adapter.begun("SELECT 1").len() + 30];
            let server = Server::start(vec![Played::events(cut).end(end)]).await;
            let outcome = ask(adapter, &server).await;
            assert_eq!(outcome.text, "SELECT 1");
            let expected = format!("{} broke off in the middle of its reply", name(adapter));
            assert_eq!(outcome.trouble().0, expected, "{end:?}");
            assert_eq!(server.got().len(), 1);
        }
    }
}

#[tokio::test]
async fn a_stream_cut_before_the_first_word_is_asked_again() {
    for adapter in BOTH {
        let cut = Played::events(": hello\n\n").end(End::Cut);
        let server = Server::start(vec![cut, adapter.stream("x")]).await;
        let outcome = ask(adapter, &server).await;
        assert_eq!(outcome.text, "x");
        assert_eq!(outcome.retries, ["the reply broke off, waiting 1 s"]);
    }
}

#[tokio::test]
async fn a_stream_without_a_single_event_ends_in_an_error() {
    for adapter in BOTH {
        let server = Server::start(vec![Played::events("")]).await;
        let outcome = ask(adapter, &server).await;
        let expected = format!(
            "{} broke off before the first word of its reply (asked 4 times)",
            name(adapter)
        );
        assert_eq!(outcome.trouble().0, expected);
    }
}

#[tokio::test]
async fn too_many_requests_wait_as_the_server_asks() {
    for adapter in BOTH {
        let busy =
            Played::json("429 Too Many Requests", &error(adapter, "rate_limit_error", "slow"))
                .header("retry-after: 2");
        let server = Server::start(vec![busy, adapter.stream("x")]).await;
        let outcome = ask(adapter, &server).await;
        assert_eq!(outcome.text, "x");
        assert_eq!(outcome.retries, ["429 too many requests, waiting 2 s"]);
        assert_eq!(server.got().len(), 2);
    }
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_not_waited() {
    for adapter in BOTH {
        let busy =
            Played::json("429 Too Many Requests", &error(adapter, "rate_limit_error", "slow"))
                .header("retry-after: 3600");
        let server = Server::start(vec![busy]).await;
        let outcome = ask(adapter, &server).await;
        let (what, hint) = outcome.trouble();
        assert_eq!(what, format!("{} answered 429 too many requests: slow", name(adapter)));
        assert!(hint.contains("3600 s"), "{hint}");
        assert_eq!(server.got().len(), 1);
    }
}

#[tokio::test]
async fn a_server_that_keeps_failing_is_given_up_after_four_requests() {
    for adapter in BOTH {
        for (status, said) in [
            ("500 Internal Server Error", "500 internal server error"),
            ("502 Bad Gateway", "502 bad gateway"),
            ("503 Service Unavailable", "503 service unavailable"),
            ("529 Overloaded", "529 overloaded"),
        ] {
            let failing = Played::json(status, &error(adapter, "api_error", "boom"));
            let server = Server::start(vec![failing]).await;
            let outcome = ask(adapter, &server).await;
            let waits = [1, 2, 4].map(|wait| format!("{said}, waiting {wait} s"));
            assert_eq!(outcome.retries, waits);
            let expected = format!("{} answered {said}: boom (asked 4 times)", name(adapter));
            assert_eq!(outcome.trouble().0, expected);
            assert!(matches!(outcome.end, Err(ModelError::Server { .. })));
            assert_eq!(server.got().len(), 4);
        }
    }
}

#[tokio::test]
async fn a_bad_key_names_its_variable_and_never_itself() {
    for adapter in BOTH {
        for status in ["401 Unauthorized", "403 Forbidden"] {
            let message = format!("invalid key {KEY}, or sk-ab**yz");
            let body = error(adapter, "authentication_error", &message);
            let server = Server::start(vec![Played::json(status, &body)]).await;
            let outcome = ask(adapter, &server).await;
            let (what, hint) = outcome.trouble();
            let start = format!("{} refused the key (40", name(adapter));
            assert!(what.starts_with(&start) && what.ends_with("invalid key …, or …)"), "{what}");
            assert!(hint.contains(adapter.key_variable()), "{hint}");
            assert!(matches!(outcome.end, Err(ModelError::Key { .. })));
            assert_eq!(server.got().len(), 1);
        }
    }
}

#[tokio::test]
async fn a_bad_key_told_as_a_bad_request_is_a_bad_key() {
    for adapter in BOTH {
        let body = error(adapter, "INVALID_ARGUMENT", "API key not valid.");
        let server = Server::start(vec![Played::json("400 Bad Request", &body)]).await;
        let outcome = ask(adapter, &server).await;
        assert!(matches!(outcome.end, Err(ModelError::Key { .. })), "{outcome:?}");
    }
}

#[tokio::test]
async fn an_unknown_model_and_a_prompt_too_long_are_refused_at_once() {
    for adapter in BOTH {
        for (status, message, start) in [
            ("404 Not Found", "model: no", "doesn't know the model '"),
            ("404 Not Found", "File not found", "answered 404 not found: File not found (at http"),
            ("400 Bad Request", "no", "answered 400 bad request: no"),
            ("413 Payload Too Large", "no", "answered 413 payload too large: no"),
        ] {
            let body = error(adapter, "invalid_request_error", message);
            let server = Server::start(vec![Played::json(status, &body)]).await;
            let outcome = ask(adapter, &server).await;
            let what = outcome.trouble().0;
            assert!(what.starts_with(&format!("{} {start}", name(adapter))), "{what}");
            assert!(matches!(outcome.end, Err(ModelError::Refused { .. })));
            assert_eq!(server.got().len(), 1);
        }
    }
}

#[tokio::test]
async fn garbage_is_named_as_what_it_is() {
    for adapter in BOTH {
        for (kind, body, said) in [
            (
                "application/json",
                "{\"choices\": [",
                "something that is not JSON: '{\"choices\": ['",
            ),
            ("application/json", "[1]", "JSON that is no"),
            ("application/json", "{}", "JSON that is no"),
            ("text/event-stream", "data: hello\n\n", "something that is not JSON: 'hello'"),
            ("", "\u{0}\u{1}", "something else than a reply"),
        ] {
            let played = Played::new("200 OK", kind, vec![body.as_bytes().to_vec()]);
            let server = Server::start(vec![played]).await;
            let outcome = ask(adapter, &server).await;
            let what = outcome.trouble().0;
            assert!(what.contains(&format!("answered with {said}")), "{adapter:?} {what}");
            assert!(!what.contains(|c: char| c.is_control()));
        }
    }
}

#[tokio::test]
async fn bytes_that_are_no_text_are_named() {
    for adapter in BOTH {
        let played =
            Played::new("200 OK", "text/event-stream", vec![b"data: \xff\xfe\n\n".to_vec()]);
        let server = Server::start(vec![played]).await;
        let what = ask(adapter, &server).await.trouble().0;
        assert!(what.contains("answered with"), "{what}");
    }
}

#[tokio::test]
async fn a_login_page_is_named_and_the_address_doubted() {
    for adapter in BOTH {
        let page = b"<!doctype html><title>Sign in</title>".to_vec();
        let played = Played::new("200 OK", "text/html; charset=utf-8", vec![page]);
        let server = Server::start(vec![played]).await;
        let (what, hint) = ask(adapter, &server).await.trouble();
        assert!(what.ends_with("answered with a web page (text/html)"), "{what}");
        assert!(what.contains(&server.address), "{what}");
        assert!(hint.contains("_BASE_URL"), "{hint}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_host_is_not_followed() {
    for adapter in BOTH {
        let other = Server::start(vec![adapter.stream("stolen")]).await;
        let moved = Played::new("307 Temporary Redirect", "", Vec::new())
            .header(&format!("location: {}/v1/x", other.address));
        let server = Server::start(vec![moved]).await;
        let outcome = ask(adapter, &server).await;
        assert!(outcome.trouble().0.contains("a redirect to "), "{:?}", outcome.trouble());
        assert!(other.got().is_empty(), "neither prompt nor key went there");
    }
}

#[tokio::test]
async fn an_error_inside_a_stream_is_told_and_not_asked_again_once_text_came() {
    for adapter in BOTH {
        let text = adapter.begun("SELECT") + &error_event(adapter, "overloaded_error", "busy");
        let server = Server::start(vec![Played::events(&text)]).await;
        let outcome = ask(adapter, &server).await;
        assert_eq!(outcome.text, "SELECT");
        let expected = format!("{} broke off its reply with overloaded_error: busy", name(adapter));
        assert_eq!(outcome.trouble().0, expected);
        assert_eq!(server.got().len(), 1);
    }
}

#[tokio::test]
async fn an_error_before_the_first_word_is_asked_again_if_it_may_pass() {
    for adapter in BOTH {
        let busy = Played::events(&error_event(adapter, "overloaded_error", "busy"));
        let server = Server::start(vec![busy, adapter.stream("x")]).await;
        let outcome = ask(adapter, &server).await;
        assert_eq!(outcome.text, "x");
        assert_eq!(outcome.retries, ["overloaded error, waiting 1 s"]);

        let lasting = Played::events(&error_event(adapter, "invalid_request_error", "no"));
        let server = Server::start(vec![lasting]).await;
        let outcome = ask(adapter, &server).await;
        assert!(matches!(outcome.end, Err(ModelError::Refused { .. })));
        assert_eq!(server.got().len(), 1);
    }
}

#[tokio::test]
async fn a_used_up_quota_is_not_asked_again() {
    let adapter = Adapter::Completions;
    let body = error(adapter, "insufficient_quota", "You exceeded your current quota");
    let server = Server::start(vec![Played::json("429 Too Many Requests", &body)]).await;
    let outcome = ask(adapter, &server).await;
    assert!(matches!(outcome.end, Err(ModelError::Refused { .. })));
    assert_eq!(server.got().len(), 1);
}

#[tokio::test]
async fn a_refused_connection_names_the_address_and_what_to_do() {
    for adapter in BOTH {
        // A port that was free a moment ago: bound, and given back.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("http://127.0.0.1:{port}");
        let outcome = ask_with(adapter, &settings(adapter, &address)).await;
        let (what, hint) = outcome.trouble();
        assert!(what.contains(&address) && what.ends_with("connection refused"), "{what}");
        assert!(hint.contains("choose another model"), "{hint}");
        assert!(matches!(outcome.end, Err(ModelError::Server { .. })));
    }
}

#[test]
fn a_missing_key_names_its_variable_before_anything_is_sent() {
    for adapter in BOTH {
        let none = model::ModelSettings {
            environment: model::Environment::of([]),
            ..model::ModelSettings::default()
        };
        let error = model::open(adapter.spec(), &none).err().unwrap();
        assert!(error.to_string().contains(adapter.key_variable()), "{error}");
    }
}

#[test]
fn settings_never_show_a_key() {
    let shown = format!("{:?}", settings(Adapter::Completions, "http://u:hush@h"));
    assert!(!shown.contains(KEY) && !shown.contains("hush"), "{shown}");
}

#[tokio::test]
async fn a_filtered_or_refused_reply_is_said_to_be_so_and_asked_once() {
    for adapter in BOTH {
        let (reason, said) = match adapter {
            Adapter::Completions => ("content_filter", "OpenAI filtered the reply"),
            Adapter::Messages => ("refusal", "Anthropic refused to answer the request"),
        };
        for text in ["", "SELECT"] {
            let stream = adapter.begun(text) + &adapter.ended(reason);
            let server = Server::start(vec![Played::events(&stream)]).await;
            let outcome = ask(adapter, &server).await;
            let (what, hint) = outcome.trouble();
            assert!(what.starts_with(said), "{what}");
            assert!(hint.contains("choose another model"), "{hint}");
            assert_eq!(server.got().len(), 1);
        }
    }
}

#[tokio::test]
async fn a_refusal_in_words_is_no_sql() {
    let refusal = json!({"choices": [{"index": 0, "delta": {"refusal": "I can't help with that."},
                          "finish_reason": "stop"}]});
    let stream = format!("data: {refusal}\n\ndata: [DONE]\n\n");
    let server = Server::start(vec![Played::events(&stream)]).await;
    let outcome = ask(Adapter::Completions, &server).await;
    let expected = "OpenAI refused to answer the request: I can't help with that.";
    assert_eq!(outcome.trouble().0, expected);
}
