//! An answer's bytes as frames: server-sent events, or one JSON body from a server that ignores
//! `stream`; anything else is told apart early and named.

use std::time::Duration;

use eventsource_stream::{EventStreamError, Eventsource};
use futures_util::stream::{self, BoxStream};
use futures_util::{Stream, StreamExt};
use serde_json::Value;

/// Bytes read at most from one answer. A reply to one question is a few thousand; this only keeps
/// a broken server from filling the memory.
const MOST: usize = 16 * 1024 * 1024;

/// Bytes as they arrive, or why they ended.
pub(super) type Bytes = BoxStream<'static, Result<Vec<u8>, Fault>>;

/// What is wrong with an answer's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// No byte for the idle time.
    Silent,
    /// The connection ended before the answer.
    BrokeOff,
    /// It is not the protocol; what it is instead, in words.
    Foreign(String),
    /// The provider tells an error: its kind and message.
    Told(String, String),
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    /// The event's name; `message` when it has none.
    pub(super) name: String,
    /// Its data.
    pub(super) data: String,
}

/// An answer's body.
pub(super) enum Body {
    /// Events, one after the other.
    Frames(BoxStream<'static, Result<Frame, Fault>>),
    /// One JSON value.
    Whole(Value),
}

/// Ends a stream of bytes with [`Fault::Silent`] when none comes for `idle`, and with an error
/// when far too many come.
pub(super) fn watched<S>(bytes: S, idle: Duration) -> Bytes
where
    S: Stream<Item = Result<Vec<u8>, Fault>> + Send + Unpin + 'static,
{
    let start = (bytes, 0_usize, false);
    Box::pin(stream::unfold(start, move |(mut bytes, read, over)| async move {
        if over {
            return None;
        }
        let next = match tokio::time::timeout(idle, bytes.next()).await {
            Ok(next) => next?,
            Err(_) => Err(Fault::Silent),
        };
        let read = read.saturating_add(next.as_ref().map_or(0, Vec::len));
        if read > MOST {
            let endless = "a reply without an end".to_owned();
            return Some((Err(Fault::Foreign(endless)), (bytes, read, true)));
        }
        let over = next.is_err();
        Some((next, (bytes, read, over)))
    }))
}

/// Reads an answer's body by its content type, or by its first byte where the type says nothing.
pub(super) async fn read(content_type: &str, mut bytes: Bytes) -> Result<Body, Fault> {
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind == "text/event-stream" {
        return Ok(Body::Frames(frames(bytes)));
    }
    if kind.ends_with("json") {
        return whole(bytes, Vec::new()).await;
    }
    if kind.contains("html") {
        return Err(Fault::Foreign(format!("a web page ({kind})")));
    }
    let mut head = Vec::new();
    while head.iter().all(u8::is_ascii_whitespace) {
        match bytes.next().await {
            Some(piece) => head.extend(piece?),
            None => return Ok(Body::Frames(frames(Box::pin(stream::empty())))),
        }
    }
    match head.trim_ascii_start().first() {
        Some(b'{' | b'[') => whole(bytes, head).await,
        Some(b'<') => Err(Fault::Foreign("a web page".to_owned())),
        Some(b'd' | b'e' | b':' | b'i' | b'r') => {
            let head = stream::iter([Ok(head)]);
            Ok(Body::Frames(frames(Box::pin(head.chain(bytes)))))
        }
        _ => Err(Fault::Foreign(format!("something else than a reply{}", named(&kind)))),
    }
}

fn named(kind: &str) -> String {
    if kind.is_empty() { String::new() } else { format!(" ({kind})") }
}

async fn whole(mut bytes: Bytes, mut body: Vec<u8>) -> Result<Body, Fault> {
    while let Some(piece) = bytes.next().await {
        body.extend(piece?);
    }
    if body.trim_ascii().is_empty() {
        return Ok(Body::Frames(Box::pin(stream::empty())));
    }
    serde_json::from_slice(&body).map(Body::Whole).map_err(|_| not_json(&body))
}

/// Names a body that should have been JSON.
fn not_json(body: &[u8]) -> Fault {
    let text = String::from_utf8_lossy(body);
    let start: String =
        text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    Fault::Foreign(format!("something that is not JSON: '{}'", start.trim()))
}

fn frames(bytes: Bytes) -> BoxStream<'static, Result<Frame, Fault>> {
    Box::pin(bytes.eventsource().map(|event| match event {
        Ok(event) => Ok(Frame { name: event.event, data: event.data }),
        Err(EventStreamError::Transport(fault)) => Err(fault),
        Err(EventStreamError::Utf8(_)) => Err(Fault::Foreign("bytes that are no text".to_owned())),
        Err(EventStreamError::Parser(_)) => {
            Err(Fault::Foreign("a stream that is no event stream".to_owned()))
        }
    }))
}

/// Reads a frame's data as JSON.
pub(super) fn json(data: &str) -> Result<Value, Fault> {
    serde_json::from_str(data).map_err(|_| not_json(data.as_bytes()))
}

/// Finds an error told in JSON: `{"error": …}`, the error an object or a text.
pub(super) fn error_in(value: &Value) -> Option<Fault> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let text = |place: &str| match error.get(place) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let message = error.as_str().map_or_else(|| text("message"), str::to_owned);
    let kind = ["type", "code", "status"].iter().map(|place| text(place)).find(|t| !t.is_empty());
    Some(Fault::Told(kind.unwrap_or_default(), message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(pieces: &[&[u8]]) -> Bytes {
        let pieces: Vec<_> = pieces.iter().map(|piece| Ok(piece.to_vec())).collect();
        Box::pin(stream::iter(pieces))
    }

    async fn data(body: Body) -> Vec<Result<String, Fault>> {
        match body {
            Body::Frames(frames) => frames.map(|f| f.map(|f| f.data)).collect().await,
            Body::Whole(value) => vec![Ok(value.to_string())],
        }
    }

    #[tokio::test]
    async fn events_cut_anywhere_come_out_whole() {
        let text = "data: {\"a\":\"größer 😀\"}\r\n\r\nevent: x\ndata: two\n\n".as_bytes();
        for at in 0..text.len() {
            let (one, two) = text.split_at(at);
            let body = read("text/event-stream; charset=utf-8", bytes(&[one, two])).await;
            let expected = [Ok("{\"a\":\"größer 😀\"}".to_owned()), Ok("two".to_owned())];
            assert_eq!(data(body.ok().unwrap()).await, expected, "cut at {at}");
        }
    }

    #[tokio::test]
    async fn a_body_without_a_type_is_told_by_its_first_byte() {
        let json = read("", bytes(&[b" \n", b"{\"a\"", b":1}"])).await.ok().unwrap();
        assert_eq!(data(json).await, [Ok("{\"a\":1}".to_owned())]);
        let events = read("text/plain", bytes(&[b"\n", b"data: 1\n\n"])).await.ok().unwrap();
        assert_eq!(data(events).await, [Ok("1".to_owned())]);
        let page = read("", bytes(&[b"<!doctype html>"])).await.err();
        assert_eq!(page, Some(Fault::Foreign("a web page".to_owned())));
    }

    #[tokio::test]
    async fn silence_ends_a_stream() {
        let mut dead = watched(stream::pending(), Duration::ZERO);
        assert_eq!(dead.next().await, Some(Err(Fault::Silent)));
        assert_eq!(dead.next().await, None);
    }

    #[tokio::test]
    async fn a_stream_without_end_is_ended() {
        let piece = vec![b'x'; 1024 * 1024];
        let endless = stream::repeat_with(move || Ok(piece.clone()));
        let read: Vec<_> = watched(endless, Duration::from_secs(9)).collect().await;
        assert_eq!(read.len(), 17);
        assert!(matches!(read.last(), Some(Err(Fault::Foreign(_)))));
    }

    #[test]
    fn errors_are_found_in_the_forms_that_servers_use() {
        let found = |text: &str| error_in(&serde_json::from_str(text).unwrap());
        let told = |kind: &str, message: &str| Some(Fault::Told(kind.into(), message.into()));
        assert_eq!(found(r#"{"error":{"type":"a","message":"b"}}"#), told("a", "b"));
        assert_eq!(found(r#"{"error":{"code":500,"message":"b"}}"#), told("500", "b"));
        assert_eq!(found(r#"{"error":"b"}"#), told("", "b"));
        assert_eq!(found(r#"{"error":null,"choices":[]}"#), None);
    }
}
