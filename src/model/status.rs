//! Answers whose status says no, each as a sentence, and when asking again may help.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, LOCATION, RETRY_AFTER};

use super::ModelError;
use super::endpoint::{Endpoint, Key};
use super::trouble::{Again, Term, Trouble, foreign, scrub};

const LATER: &str = "Ask again in a while, or choose another model.";
const TOP_UP: &str = "The account has nothing left: top it up, or choose another model.";

/// An answer whose status says no.
pub(super) fn answer(
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
    match status.as_u16() {
        401 | 403 => bad_key(endpoint, &name, &tail, key.is_some()),
        400 if names_bad_key(&message) => bad_key(endpoint, &name, &tail, key.is_some()),
        402 => refused(said, TOP_UP.to_owned()),
        404 => nothing_there(endpoint, &said, &message),
        429 if body.contains("insufficient_quota") => refused(said, TOP_UP.to_owned()),
        408 | 429 | 500 | 502..=504 | 529 => Trouble {
            again: Again::Later(name, retry_after(headers)),
            ..Trouble::server(said, LATER)
        },
        300..=399 => {
            let place = headers.get(LOCATION).and_then(|place| place.to_str().ok());
            let place = place.and_then(|place| place.split(['?', '#']).next()).unwrap_or_default();
            foreign(endpoint, &format!("a redirect to {}", scrub(place, key)))
        }
        400 | 413 | 422 => {
            Trouble { again: refused_term(body), ..refused(said, hint_for(&message).to_owned()) }
        }
        500..=599 => Trouble::server(said, LATER),
        _ => refused(said, format!("Check the model's name and {}.", endpoint.base_url_variable)),
    }
}

fn refused(what: String, hint: String) -> Trouble {
    Trouble { error: ModelError::Refused { what, hint }, again: Again::No }
}

/// A model that the server doesn't know, or a place where no server's API is.
fn nothing_there(endpoint: &Endpoint, said: &str, message: &str) -> Trouble {
    let Endpoint { label, model, .. } = endpoint;
    if message.to_lowercase().contains("model") || message.contains(model.as_str()) {
        let what = format!("{label} doesn't know the model '{model}': {message}");
        return refused(what, format!("Name a model that {label} has as PROVIDER:NAME."));
    }
    let address = endpoint.shown();
    let what = format!("{said} (at {address}, for the model '{model}')");
    let hint = if endpoint.base.path().len() <= 1 {
        format!("Check the model's name, and whether the address ends in /v1: {address}/v1.")
    } else {
        format!("Check the model's name and {}.", endpoint.base_url_variable)
    };
    refused(what, hint)
}

/// Some providers answer 400 to a bad key.
fn names_bad_key(message: &str) -> bool {
    let message = message.to_lowercase();
    message.contains("api key") && (message.contains("valid") || message.contains("expired"))
}

/// Tells what to do about a refusal, by what its message speaks of.
fn hint_for(message: &str) -> &'static str {
    let message = message.to_lowercase();
    let speaks_of = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if speaks_of(&["credit", "billing", "balance", "quota"]) {
        TOP_UP
    } else if speaks_of(&["context", "too long", "too large", "token", "maximum"]) {
        "Lower --tokens, ask something shorter, or choose a model that reads more."
    } else {
        "See what the provider says, or choose another model."
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
    let found = places.iter().find_map(|place| json.pointer(place)?.as_str());
    found.unwrap_or(body).to_owned()
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
    fn a_hint_fits_what_the_message_speaks_of() {
        assert_eq!(hint_for("Your credit balance is too low"), TOP_UP);
        assert!(hint_for("maximum context length is 8192 tokens").contains("--tokens"));
        assert!(hint_for("prompt is too long: 210000 > 200000").contains("--tokens"));
        assert!(hint_for("unknown field").starts_with("See what the provider says"));
        assert!(names_bad_key("API key not valid. Please pass a valid API key."));
    }
}
