//! What can go wrong between us and a provider, said in sentences, and whether asking again helps.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

use super::ModelError;
use super::endpoint::{Endpoint, Key};

/// Trouble with one request.
#[derive(Debug)]
pub(super) struct Trouble {
    /// What the person is told if nothing else helps.
    pub(super) error: ModelError,
    /// What may help.
    pub(super) again: Again,
}

/// Whether the same question may be sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Again {
    /// No.
    No,
    /// After a wait: why, and how long if the server says.
    Later(String, Option<Duration>),
    /// At once, without the setting that the server refused.
    Without(Term),
}

/// A setting that some servers refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// `temperature`.
    Temperature,
    /// `stream_options`.
    StreamOptions,
}

impl Trouble {
    pub(super) fn server(what: String, hint: impl Into<String>) -> Self {
        Trouble { error: ModelError::Server { what, hint: hint.into() }, again: Again::No }
    }

    fn later(self, why: impl Into<String>) -> Self {
        Trouble { again: Again::Later(why.into(), None), ..self }
    }
}

/// No connection, or it broke before an answer.
pub(super) fn unreachable(endpoint: &Endpoint, error: &reqwest::Error) -> Trouble {
    let causes = causes(error);
    let address = endpoint.shown();
    let label = &endpoint.label;
    let refused = causes.contains("refused");
    if refused && !endpoint.remote {
        let what = format!("no server answers at {address} ({label}): connection refused");
        return Trouble::server(what, format!("Start {label} there, or choose another model."));
    }
    let why = if refused {
        "connection refused"
    } else if error.is_timeout() {
        "no connection in time"
    } else if causes.contains("certificate") {
        "its certificate is not trusted"
    } else if error.is_dns() {
        "its name is not known"
    } else if error.is_connect() {
        "no connection"
    } else {
        "the connection broke off before an answer"
    };
    let trouble = Trouble::server(
        format!("{label} can't be reached at {address}: {why}"),
        format!(
            "Check the network and the address ({}), or use rules.",
            endpoint.base_url_variable
        ),
    );
    if causes.contains("certificate") { trouble } else { trouble.later(why) }
}

fn causes(error: &reqwest::Error) -> String {
    let mut text = String::new();
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        text.push_str(&error.to_string().to_lowercase());
        text.push('\n');
        cause = error.source();
    }
    text
}

/// No byte for the idle time.
pub(super) fn silent(endpoint: &Endpoint, begun: bool) -> Trouble {
    let seconds = endpoint.idle.as_secs();
    let where_ = if begun { "in the middle of its reply" } else { "before its reply" };
    Trouble::server(
        format!("{} fell silent {where_}: no byte for {seconds} s", endpoint.label),
        "Ask again, or choose another model; the limit is idle_timeout in config.toml.",
    )
}

/// The connection ended before the reply did.
pub(super) fn broke_off(endpoint: &Endpoint, begun: bool) -> Trouble {
    let label = &endpoint.label;
    if begun {
        let what = format!("{label} broke off in the middle of its reply");
        return Trouble::server(what, "Ask again; the text so far is in the trace.");
    }
    let what = format!("{label} broke off before the first word of its reply");
    Trouble::server(what, "Ask again, or choose another model.").later("the reply broke off")
}

/// Something came that is not the protocol.
pub(super) fn foreign(endpoint: &Endpoint, what: &str) -> Trouble {
    Trouble::server(
        format!("{} at {} answered with {what}", endpoint.label, endpoint.shown()),
        format!(
            "Check that {} names an API, and that no login page or proxy stands before it.",
            endpoint.base_url_variable
        ),
    )
}

/// An error told inside an answer that began well.
pub(super) fn told_inside(
    endpoint: &Endpoint,
    kind: &str,
    message: &str,
    key: Option<&Key>,
    begun: bool,
) -> Trouble {
    let message = scrub(message, key);
    let name = if kind.is_empty() { "an error" } else { kind };
    let said = if begun { "broke off its reply with" } else { "reported" };
    let what = format!("{} {said} {name}: {message}", endpoint.label);
    let passing = ["overloaded", "rate_limit", "api_error", "server_error", "internal", "timeout"]
        .iter()
        .any(|word| kind.contains(word));
    if passing {
        return Trouble::server(what, "Ask again in a while.").later(kind.replace('_', " "));
    }
    let hint = "Read the provider's message, or choose another model.".to_owned();
    Trouble { error: ModelError::Refused { what, hint }, again: Again::No }
}

/// An answer whose status says no.
pub(super) fn status(
    endpoint: &Endpoint,
    status: StatusCode,
    headers: &HeaderMap,
    body: &str,
    key: Option<&Key>,
) -> Trouble {
    let name = name(status);
    let message = scrub(&message(body), key);
    let label = &endpoint.label;
    let tail = if message.is_empty() { String::new() } else { format!(": {message}") };
    let said = format!("{label} answered {name}{tail}");
    let refused = |what: String, hint: String| Trouble {
        error: ModelError::Refused { what, hint },
        again: Again::No,
    };
    match status.as_u16() {
        401 | 403 => bad_key(endpoint, &name, &tail, key.is_some()),
        402 => refused(said, "Top up the account, or choose another model.".to_owned()),
        404 => refused(
            format!("{label} doesn't know the model '{}' ({name}{tail})", endpoint.model),
            format!("Check the model's name and the address {}.", endpoint.shown()),
        ),
        429 if body.contains("insufficient_quota") => {
            refused(said, "The account's quota is used up: top it up, or wait.".to_owned())
        }
        408 | 429 | 500 | 502..=504 | 529 => Trouble {
            again: Again::Later(name, retry_after(headers)),
            error: ModelError::Server {
                what: said,
                hint: "Ask again in a while, or choose another model.".to_owned(),
            },
        },
        300..=399 => {
            let place = headers.get("location").and_then(|place| place.to_str().ok());
            let place = place.map(|place| place.chars().take(100).collect::<String>());
            foreign(endpoint, &format!("a redirect to {}", place.unwrap_or_default()))
        }
        400 | 422 => {
            let hint = "Ask something shorter, lower --tokens, or choose another model.";
            let trouble = refused(said, hint.to_owned());
            Trouble { again: refused_term(body), ..trouble }
        }
        413 => refused(said, "Lower --tokens: the prompt is too long for the server.".to_owned()),
        500..=599 => Trouble::server(said, "Ask again in a while, or choose another model."),
        _ => refused(said, "Check the model's name and address.".to_owned()),
    }
}

fn bad_key(endpoint: &Endpoint, name: &str, tail: &str, given: bool) -> Trouble {
    let label = &endpoint.label;
    let variable = &endpoint.key_variable;
    let what = if given {
        format!("{label} refused the key ({name}{tail})")
    } else {
        format!("{label} wants a key ({name}{tail})")
    };
    let hint = format!("Set {variable} to a key that is valid for {}.", endpoint.shown());
    Trouble { error: ModelError::Key { what, hint }, again: Again::No }
}

/// Names a status as people know it: `429 too many requests`.
fn name(status: StatusCode) -> String {
    let reason = match status.as_u16() {
        529 => "overloaded",
        _ => status.canonical_reason().unwrap_or("with an unknown status"),
    };
    format!("{} {}", status.as_u16(), reason.to_lowercase())
}

/// Tells which setting a refusal names.
fn refused_term(body: &str) -> Again {
    if body.contains("stream_options") {
        Again::Without(Term::StreamOptions)
    } else if body.contains("temperature") {
        Again::Without(Term::Temperature)
    } else {
        Again::No
    }
}

/// Finds the message in an error's body, whatever its form.
fn message(body: &str) -> String {
    let Ok(json) = serde_json::from_str::<serde_json::Value>(body) else {
        let page = body.trim_start().starts_with('<');
        return if page { String::new() } else { body.to_owned() };
    };
    // Some servers put the one error into a list.
    let json = json.get(0).cloned().unwrap_or(json);
    let places = ["/error/message", "/message", "/error", "/detail", "/detail/0/msg"];
    let found = places.iter().filter_map(|place| json.pointer(place)?.as_str()).next();
    found.unwrap_or(body).to_owned()
}

/// Makes a foreign message fit for a sentence: one line, not long, no key in it.
pub(super) fn scrub(message: &str, key: Option<&Key>) -> String {
    let without_key = match key {
        Some(key) if !key.0.is_empty() => message.replace(&key.0, "…"),
        _ => message.to_owned(),
    };
    let words = without_key.split(|c: char| c.is_whitespace() || c.is_control());
    let hidden = words.filter(|word| !word.is_empty()).map(|word| {
        // Providers repeat the key they refuse, partly starred out.
        match word.find("sk-") {
            Some(at) => format!("{}…", word.get(..at).unwrap_or_default()),
            None => word.to_owned(),
        }
    });
    let line = hidden.collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 300 {
        return line;
    }
    line.chars().take(299).chain(['…']).collect()
}

/// Reads `retry-after`: seconds, or a date, which is held against the answer's own date where it
/// has one, since clocks differ.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    let date = |text: &str| chrono::DateTime::parse_from_rfc2822(text).ok();
    let until = date(text)?;
    let now = headers.get(DATE).and_then(|now| date(now.to_str().ok()?));
    let now = now.unwrap_or_else(|| chrono::Utc::now().fixed_offset());
    Some((until - now).to_std().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let seconds = headers(&[("retry-after", "7")]);
        assert_eq!(retry_after(&seconds), Some(Duration::from_secs(7)));
        let fraction = headers(&[("retry-after", "0.5")]);
        assert_eq!(retry_after(&fraction), Some(Duration::from_millis(500)));
        let date = headers(&[
            ("date", "Wed, 21 Oct 2015 07:28:00 GMT"),
            ("retry-after", "Wed, 21 Oct 2015 07:28:12 GMT"),
        ]);
        assert_eq!(retry_after(&date), Some(Duration::from_secs(12)));
        let past = headers(&[("retry-after", "Wed, 21 Oct 2015 07:28:12 GMT")]);
        assert_eq!(retry_after(&past), Some(Duration::ZERO));
        assert_eq!(retry_after(&headers(&[("retry-after", "soon")])), None);
        assert_eq!(retry_after(&headers(&[("retry-after", "1e300")])), None);
    }

    #[test]
    fn messages_are_found_in_the_forms_that_servers_use() {
        assert_eq!(message(r#"{"error":{"message":"no","type":"x"}}"#), "no");
        assert_eq!(message(r#"{"type":"error","error":{"type":"x","message":"no"}}"#), "no");
        assert_eq!(message(r#"[{"error":{"code":400,"message":"no"}}]"#), "no");
        assert_eq!(message(r#"{"object":"error","message":"no"}"#), "no");
        assert_eq!(message(r#"{"detail":[{"msg":"no"}]}"#), "no");
        assert_eq!(message(r#"{"error":"no"}"#), "no");
        assert_eq!(message("no"), "no");
        assert_eq!(message("<html>…"), "");
    }

    #[test]
    fn a_key_never_shows_in_a_message() {
        let key = Key("gsk_verysecret".to_owned());
        let said = scrub("bad key:\n gsk_verysecret or\u{7} sk-abcd****wxyz.", Some(&key));
        assert_eq!(said, "bad key: … or …");
        assert_eq!(format!("{key:?}"), "Key(…)");
    }
}
