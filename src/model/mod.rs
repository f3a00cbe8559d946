//! Language models: one way to send a prompt and to receive the reply as a stream.
//!
//! What belongs here: one file for each protocol, cassettes, scripts, the choice by name. What must
//! never come: what is asked, or what a reply means.
//! To add a provider of a known protocol: a row in `assets/models.toml`. To add a protocol: a file
//! with its `Wire` (path, headers, body, how its events are read), a `Protocol` variant.

mod cassette;
mod choose;
mod completions;
mod endpoint;
mod environment;
mod exchange;
mod frames;
mod messages;
pub mod providers;
pub mod script;
mod shipped;
mod status;
#[cfg(test)]
mod tests;
mod told;
mod trouble;

use std::sync::Arc;

use futures_util::stream::BoxStream;

use crate::domain::{Prompt, Usage};

pub use cassette::fingerprint;
pub use choose::{choose, list, local};
pub use environment::Environment;

/// A model that answers prompts. Dropping the stream cancels the request.
pub trait ModelClient: Send + Sync {
    /// Returns `provider:name` as the person would type it.
    fn name(&self) -> String;

    /// True when prompts leave this machine.
    fn remote(&self) -> bool;

    /// True when replies come from a script; shown wherever they are.
    fn scripted(&self) -> bool;

    /// Sends a prompt.
    fn stream(&self, request: Request) -> BoxStream<'static, Result<Chunk, ModelError>>;
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What is sent.
    pub prompt: Prompt,
    /// Which call of this run it is, from 0; scripts give their replies by it.
    pub call: u32,
    /// The id of a batch line, if any; scripts may list replies by it.
    pub id: Option<String>,
}

/// A piece of what comes back. A good stream ends with exactly one `Done`.
#[derive(Debug, Clone, PartialEq)]
pub enum Chunk {
    /// The request is sent again after a wait: why, in words.
    Retrying(String),
    /// Text.
    Text(String),
    /// The end.
    Done(Done),
}

/// How a reply ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Done {
    /// Tokens as the provider counts them; zero where it doesn't say.
    pub usage: Usage,
    /// True when the provider cut the reply at its length limit.
    pub cut_off: bool,
    /// Hash of the request, in hexadecimal.
    pub request: String,
    /// Price in US dollars, where the price table knows the model.
    pub cost: Option<f64>,
}

/// Why no usable reply came.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The model's name or settings are wrong: unknown provider, missing key.
    #[error("{what}")]
    Settings {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The key was refused.
    #[error("{what}")]
    Key {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The server can't be reached, broke off, or kept answering with errors.
    #[error("{what}")]
    Server {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The request was refused as it is: too long, unknown model.
    #[error("{what}")]
    Refused {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The cassette or script holds no reply for this request.
    #[error("{what}")]
    Missing {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
}

impl ModelError {
    /// Returns what to do, as a sentence.
    pub fn hint(&self) -> &str {
        match self {
            ModelError::Settings { hint, .. }
            | ModelError::Key { hint, .. }
            | ModelError::Server { hint, .. }
            | ModelError::Refused { hint, .. }
            | ModelError::Missing { hint, .. } => hint,
        }
    }
}

/// A row of the model list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// `provider:name`.
    pub spec: String,
    /// What stands in its way, or `ready`.
    pub state: String,
    /// True when it can be used now.
    pub ready: bool,
}

/// What the choice of a model looks at.
#[derive(Clone, Default)]
pub struct ModelSettings {
    /// Base URLs by provider, from the config file.
    pub base_urls: Vec<(String, String)>,
    /// Commands that print a key, by provider.
    pub key_commands: Vec<(String, String)>,
    /// Seconds without a byte before a request counts as dead; 0 means the default: 60 for another
    /// machine, 120 for this one.
    pub idle_timeout_s: u64,
    /// Where keys and addresses are looked up.
    pub environment: Environment,
    /// Waits before a retry are told but not waited; for tests.
    pub instant_retries: bool,
}

/// Shows names only: addresses and commands may hold secrets.
impl std::fmt::Debug for ModelSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        fn names(pairs: &[(String, String)]) -> Vec<&str> {
            pairs.iter().map(|(name, _)| name.as_str()).collect()
        }
        f.debug_struct("ModelSettings")
            .field("base_urls", &names(&self.base_urls))
            .field("key_commands", &names(&self.key_commands))
            .field("idle_timeout_s", &self.idle_timeout_s)
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}

/// Opens a model by `provider:name`, `provider`, `record:FILE=provider:name`, `replay:FILE` or
/// `script:NAME|FILE`. Nothing is sent.
///
/// `rules` is no model: the caller handles it before.
pub fn open(spec: &str, settings: &ModelSettings) -> Result<Arc<dyn ModelClient>, ModelError> {
    let spec = spec.trim();
    if let Some(named) = spec.strip_prefix("script:") {
        return script::open(named);
    }
    if let Some(file) = spec.strip_prefix("replay:") {
        return cassette::replay(file);
    }
    if let Some(rest) = spec.strip_prefix("record:") {
        let Some((file, inner)) = rest.split_once('=').filter(|(file, _)| !file.is_empty()) else {
            return Err(ModelError::Settings {
                what: format!("'{spec}' names no file or no model to record"),
                hint: "Write record:FILE=provider:name.".to_owned(),
            });
        };
        return cassette::record(file, open(inner, settings)?);
    }
    Ok(exchange::client(endpoint::find(spec, settings)?))
}
