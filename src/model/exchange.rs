//! One question to a provider: asked, retried where that is safe, and read to its end.
//!
//! **Invariant:** nothing is asked again once a word of the reply was told, so no reply is ever
//! told twice or mixed from two.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::cassette::fingerprint;
use super::endpoint::{Endpoint, Key};
use super::frames::{self, Body, Fault};
use super::providers::Protocol;
use super::told::{Teller, told};
use super::trouble::{self, Again, Term, Trouble};
use super::{Chunk, Done, ModelClient, ModelError, Request, completions, messages, status};
use crate::domain::{Prompt, Usage};

/// How often a request is sent again at most.
const RETRIES: u32 = 3;
/// The longest wait that a server may ask for; a person would rather choose another model.
const LONGEST_WAIT: Duration = Duration::from_mins(1);
/// Bytes read at most of an error's body.
const ERROR_BODY: usize = 64 * 1024;

/// What a protocol says of itself: a row of functions.
pub(super) struct Wire {
    /// Path under the base URL.
    pub(super) path: &'static str,
    /// Headers besides the content type, from the key.
    pub(super) headers: fn(Option<&str>) -> Vec<(HeaderName, String)>,
    /// The request's body.
    pub(super) body: fn(&str, &Prompt, Terms) -> Value,
    /// Takes one event: its name and data.
    pub(super) frame: fn(&mut Reply, &str, &str) -> Result<(), Fault>,
    /// Takes a whole reply in one JSON value.
    pub(super) whole: fn(&mut Reply, &Value) -> Result<(), Fault>,
}

/// The temperature of a reply that shall differ from others to the same question.
pub(super) const VARIED: f64 = 0.7;

/// Which settings are sent; a server may have refused some.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// A temperature: 0, or [`VARIED`].
    pub(super) temperature: bool,
    /// Usage at the end of a stream.
    pub(super) stream_options: bool,
}

/// A reply as far as it has come.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Reply {
    /// Text that was not told yet.
    pub(super) fresh: String,
    /// True once text was told.
    pub(super) begun: bool,
    /// Tokens.
    pub(super) usage: Usage,
    /// Input tokens that were written to the provider's cache.
    pub(super) cache_written: u64,
    /// How near its end it is.
    pub(super) ending: Ending,
    /// The provider cut the reply at its length limit.
    pub(super) cut_off: bool,
    /// The provider's filter stopped the reply, or the model refused it.
    pub(super) stopped: Option<Stopped>,
}

/// Why a provider gave no reply to a request that it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stopped {
    /// Its content filter stepped in.
    Filter,
    /// The model refused, perhaps in words.
    Refusal(String),
}

/// How near its end a reply is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ending {
    /// More text may come.
    #[default]
    Open,
    /// The provider said that the text is complete; usage may still come.
    Complete,
    /// The provider said that nothing more comes.
    Closed,
}

impl Reply {
    /// Notes that the text is complete.
    pub(super) fn complete(&mut self) {
        self.ending = self.ending.max(Ending::Complete);
    }

    /// Notes that nothing more comes.
    pub(super) fn close(&mut self) {
        self.ending = Ending::Closed;
    }
}

/// Makes a client of an endpoint.
pub(super) fn client(endpoint: Endpoint) -> Arc<dyn ModelClient> {
    Arc::new(Remote(Arc::new(endpoint)))
}

struct Remote(Arc<Endpoint>);

impl ModelClient for Remote {
    fn name(&self) -> String {
        self.0.spec.clone()
    }

    fn remote(&self) -> bool {
        self.0.remote
    }

    fn scripted(&self) -> bool {
        false
    }

    fn stream(&self, request: Request) -> BoxStream<'static, Result<Chunk, ModelError>> {
        let endpoint = Arc::clone(&self.0);
        told(async move |teller| {
            let key = endpoint.key().await?;
            let asked = Asked { endpoint: &endpoint, key: key.as_ref(), prompt: &request.prompt };
            let reply = asked.until_done(&teller).await?;
            if let Some(why) = &reply.stopped {
                return Err(trouble::stopped(&endpoint, why, key.as_ref()));
            }
            Ok(Done {
                usage: reply.usage,
                cut_off: reply.cut_off,
                request: fingerprint(&endpoint.spec, &request.prompt),
                cost: endpoint
                    .price
                    .filter(|_| reply.usage != Usage::default())
                    .map(|price| price.cost(reply.usage, reply.cache_written)),
            })
        })
    }
}

struct Asked<'a> {
    endpoint: &'a Endpoint,
    key: Option<&'a Key>,
    prompt: &'a Prompt,
}

impl Asked<'_> {
    /// Asks until a reply is complete, or nothing is left to try.
    async fn until_done(&self, teller: &Teller) -> Result<Reply, ModelError> {
        let mut retries = 0;
        loop {
            let mut reply = Reply::default();
            let Err(trouble) = self.once(&mut reply, teller).await else { return Ok(reply) };
            if reply.begun {
                return Err(trouble.error);
            }
            match trouble.again {
                Again::Later(why, asked_for) if retries < RETRIES => {
                    let wait = asked_for.unwrap_or(Duration::from_secs(1 << retries));
                    if wait > LONGEST_WAIT {
                        return Err(too_long(trouble.error, wait));
                    }
                    let words = format!("{why}, waiting {} s", wait.as_secs_f64());
                    teller.tell(Chunk::Retrying(words)).await;
                    if !self.endpoint.instant_retries {
                        tokio::time::sleep(wait).await;
                    }
                    retries += 1;
                }
                Again::Without(term) if self.leave_out(term) => {}
                Again::Later(..) | Again::Without(_) | Again::No => {
                    return Err(times(trouble.error, retries));
                }
            }
        }
    }

    /// Leaves a setting out from now on; false when it was left out before.
    fn leave_out(&self, term: Term) -> bool {
        let switch = match term {
            Term::Temperature => &self.endpoint.no_temperature,
            Term::StreamOptions => &self.endpoint.no_stream_options,
        };
        !switch.swap(true, Ordering::Relaxed)
    }

    async fn once(&self, reply: &mut Reply, teller: &Teller) -> Result<(), Trouble> {
        let wire = wire(self.endpoint.protocol);
        let response = self.send(wire).await?;
        let code = response.status();
        let headers = response.headers().clone();
        let bytes = response.bytes_stream().map(|piece| match piece {
            Ok(piece) => Ok(piece.to_vec()),
            Err(_) => Err(Fault::BrokeOff),
        });
        let bytes = frames::watched(bytes, self.endpoint.idle);
        if !code.is_success() {
            let body = error_body(bytes).await;
            return Err(status::answer(self.endpoint, code, &headers, &body, self.key));
        }
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let read = self.read(wire, kind.unwrap_or_default(), bytes, reply, teller).await;
        read.map_err(|fault| self.trouble(fault, reply.begun))
    }

    async fn send(&self, wire: &Wire) -> Result<reqwest::Response, Trouble> {
        let endpoint = self.endpoint;
        let terms = Terms {
            temperature: !endpoint.no_temperature.load(Ordering::Relaxed),
            stream_options: !endpoint.no_stream_options.load(Ordering::Relaxed),
        };
        let http = endpoint.http().await.map_err(|error| Trouble { error, again: Again::No })?;
        let request = http.post(endpoint.url(wire.path)).headers(self.headers(wire)?).json(&(wire
            .body)(
            &endpoint.model,
            self.prompt,
            terms,
        ));
        match tokio::time::timeout(endpoint.idle, request.send()).await {
            Err(_) => Err(trouble::silent(endpoint, false)),
            Ok(Err(error)) => Err(trouble::unreachable(endpoint, &error)),
            Ok(Ok(response)) => Ok(response),
        }
    }

    fn headers(&self, wire: &Wire) -> Result<HeaderMap, Trouble> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
        for (name, text) in (wire.headers)(self.key.map(|key| key.0.as_str())) {
            let mut value = HeaderValue::from_str(&text).map_err(|_| self.odd_key())?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }

    fn odd_key(&self) -> Trouble {
        let Endpoint { label, key_variable, .. } = self.endpoint;
        let error = ModelError::Key {
            what: format!("the key of {label} holds characters that no key has"),
            hint: format!("Set {key_variable} anew, without quotes and line breaks."),
        };
        Trouble { error, again: Again::No }
    }

    async fn read(
        &self,
        wire: &Wire,
        kind: &str,
        bytes: frames::Bytes,
        reply: &mut Reply,
        teller: &Teller,
    ) -> Result<(), Fault> {
        match frames::read(kind, bytes).await? {
            Body::Whole(value) => {
                (wire.whole)(reply, &value)?;
                tell_fresh(reply, teller).await;
            }
            Body::Frames(mut frames) => {
                while let Some(frame) = frames.next().await {
                    let frame = match frame {
                        Ok(frame) => frame,
                        // Some servers close roughly after they said that the reply is complete.
                        Err(_) if reply.ending >= Ending::Complete => break,
                        Err(fault) => return Err(fault),
                    };
                    let taken = (wire.frame)(reply, &frame.name, &frame.data);
                    tell_fresh(reply, teller).await;
                    taken?;
                    if reply.ending == Ending::Closed {
                        break;
                    }
                }
            }
        }
        if reply.ending >= Ending::Complete { Ok(()) } else { Err(Fault::BrokeOff) }
    }

    fn trouble(&self, fault: Fault, begun: bool) -> Trouble {
        match fault {
            Fault::Silent => trouble::silent(self.endpoint, begun),
            Fault::BrokeOff => trouble::broke_off(self.endpoint, begun),
            Fault::Foreign(what) => {
                trouble::foreign(self.endpoint, &trouble::scrub(&what, self.key))
            }
            Fault::Told(kind, message) => {
                trouble::told_inside(self.endpoint, &kind, &message, self.key, begun)
            }
        }
    }
}

fn wire(protocol: Protocol) -> &'static Wire {
    match protocol {
        Protocol::Completions => &completions::WIRE,
        Protocol::Messages => &messages::WIRE,
    }
}

async fn tell_fresh(reply: &mut Reply, teller: &Teller) {
    let fresh = std::mem::take(&mut reply.fresh);
    reply.begun |= !fresh.is_empty();
    teller.text(fresh).await;
}

async fn error_body(mut bytes: frames::Bytes) -> String {
    let mut body = Vec::new();
    while let Some(Ok(piece)) = bytes.next().await {
        body.extend(piece);
        if body.len() > ERROR_BODY {
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

/// Adds to an error how often was asked.
fn times(mut error: ModelError, retries: u32) -> ModelError {
    if let ModelError::Server { what, .. } = &mut error
        && retries > 0
    {
        let asked = format!(" (asked {} times)", retries + 1);
        what.push_str(&asked);
    }
    error
}

/// Says in the hint for how long the server wants to be left alone.
fn too_long(mut error: ModelError, wait: Duration) -> ModelError {
    if let ModelError::Server { hint, .. } = &mut error {
        *hint = format!("It asks to wait {} s; or choose another model.", wait.as_secs());
    }
    error
}
