//! What can go wrong between us and a provider, said in sentences, and whether asking again helps.

use std::time::Duration;

use super::ModelError;
use super::endpoint::{Endpoint, Key};
use super::exchange::Stopped;

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
    let variable = &endpoint.base_url_variable;
    let refused = causes.contains("refused");
    if refused && !endpoint.remote {
        let what = format!("no server answers at {address} ({label}): connection refused");
        let hint = format!("Start a server there, set {variable}, or choose another model.");
        return Trouble::server(what, hint);
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

/// The provider took the request and would not answer it: asking again changes nothing.
pub(super) fn stopped(endpoint: &Endpoint, why: &Stopped, key: Option<&Key>) -> ModelError {
    let label = &endpoint.label;
    let what = match why {
        Stopped::Filter => format!("{label} filtered the reply: its content filter stepped in"),
        Stopped::Refusal(words) if words.trim().is_empty() => {
            format!("{label} refused to answer the request")
        }
        Stopped::Refusal(words) => {
            format!("{label} refused to answer the request: {}", scrub(words, key))
        }
    };
    let hint = "Reword the question, send less of the data (--privacy names), or choose another \
                model.";
    ModelError::Refused { what, hint: hint.to_owned() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_never_shows_in_a_message() {
        let key = Key("gsk_verysecret".to_owned());
        let said = scrub("bad key:\n gsk_verysecret or\u{7} sk-abcd****wxyz.", Some(&key));
        assert_eq!(said, "bad key: … or …");
        assert_eq!(format!("{key:?}"), "Key(…)");
    }
}
