//! Cassettes: replies of a real model kept in a file, and given again for the same request.
//!
//! A cassette is JSON lines, one reply each, keyed by the hash of the request with the date left
//! out. It never holds a key. Where a request was recorded more than once, the newest line counts.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::told::told;
use super::{Chunk, Done, ModelClient, ModelError, Request};
use crate::domain::{Prompt, Usage};

/// Version of the line format. A reader refuses a newer one.
const VERSION: u32 = 1;
/// What stands for the prompt's date.
const DATE: &str = "<date>";
/// Characters of a scripted or unbroken reply that are told at a time.
const PIECE: usize = 24;

/// One recorded reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Line {
    v: u32,
    /// `provider:name` as asked.
    model: String,
    /// Whether the recorded model was on another machine.
    remote: bool,
    /// Whether the recorded replies came from a script.
    #[serde(default)]
    scripted: bool,
    /// Hash of the request.
    request: String,
    /// The request with the date left out; read only to explain a miss.
    prompt: Prompt,
    /// The reply in pieces as they came.
    pieces: Vec<String>,
    usage: Usage,
    cut_off: bool,
    cost: Option<f64>,
}

/// Returns the hash of a request in hexadecimal: SHA-256 over model and prompt, the date left out.
pub fn fingerprint(spec: &str, prompt: &Prompt) -> String {
    let undated = undated(prompt);
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update(text.len().to_le_bytes());
        hash.update(text.as_bytes());
    };
    part(spec);
    part(&undated.system);
    if undated.varied {
        part("varied");
    }
    for turn in &undated.turns {
        part(match turn.role {
            crate::domain::Role::User => "user",
            crate::domain::Role::Assistant => "assistant",
        });
        part(&turn.text);
    }
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the prompt with its date replaced wherever it is stated.
fn undated(prompt: &Prompt) -> Prompt {
    let mut undated = prompt.clone();
    if !prompt.date.is_empty() {
        undated.system = undated.system.replace(&prompt.date, DATE);
        for turn in &mut undated.turns {
            turn.text = turn.text.replace(&prompt.date, DATE);
        }
        DATE.clone_into(&mut undated.date);
    }
    undated
}

/// Cuts a text into the pieces in which it is told.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(PIECE).map_or(rest.len(), |(at, _)| at);
        let (piece, left) = rest.split_at(end);
        rest = left;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Opens `record:FILE=provider:name` around the model that was opened for the part after `=`.
pub(super) fn record(
    file: &str,
    inner: Arc<dyn ModelClient>,
) -> Result<Arc<dyn ModelClient>, ModelError> {
    let opened = OpenOptions::new().create(true).append(true).open(file);
    let file_handle = opened.map_err(|error| ModelError::Settings {
        what: format!("the cassette {file} can't be written: {error}"),
        hint: "Name a file in a folder that you may write to.".to_owned(),
    })?;
    let tape = Tape { path: file.to_owned(), file: Mutex::new(file_handle) };
    Ok(Arc::new(Recorder { tape: Arc::new(tape), inner }))
}

/// A cassette that is being written.
struct Tape {
    path: String,
    /// Held for the writing of one line, so that lines of parallel calls stay whole.
    file: Mutex<std::fs::File>,
}

impl Tape {
    fn append(&self, line: &Line) -> Result<(), ModelError> {
        let written = serde_json::to_string(line).map_err(std::io::Error::from).and_then(|text| {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.write_all(format!("{text}\n").as_bytes())
        });
        written.map_err(|error| ModelError::Settings {
            what: format!("the reply can't be recorded in {}: {error}", self.path),
            hint: "Make room, or ask without record:.".to_owned(),
        })
    }
}

struct Recorder {
    tape: Arc<Tape>,
    inner: Arc<dyn ModelClient>,
}

impl ModelClient for Recorder {
    fn name(&self) -> String {
        format!("record:{}={}", self.tape.path, self.inner.name())
    }

    fn remote(&self) -> bool {
        self.inner.remote()
    }

    fn scripted(&self) -> bool {
        self.inner.scripted()
    }

    fn stream(&self, request: Request) -> BoxStream<'static, Result<Chunk, ModelError>> {
        let tape = Arc::clone(&self.tape);
        let mut line = Line {
            v: VERSION,
            model: self.inner.name(),
            remote: self.inner.remote(),
            scripted: self.inner.scripted(),
            request: fingerprint(&self.inner.name(), &request.prompt),
            prompt: undated(&request.prompt),
            pieces: Vec::new(),
            usage: Usage::default(),
            cut_off: false,
            cost: None,
        };
        let mut inner = self.inner.stream(request);
        told(async move |teller| {
            while let Some(chunk) = inner.next().await {
                match chunk? {
                    Chunk::Text(text) => {
                        line.pieces.push(text.clone());
                        teller.text(text).await;
                    }
                    Chunk::Done(done) => {
                        line.usage = done.usage;
                        line.cut_off = done.cut_off;
                        line.cost = done.cost;
                        tape.append(&line)?;
                        return Ok(Done { request: line.request, ..done });
                    }
                    retrying @ Chunk::Retrying(_) => teller.tell(retrying).await,
                }
            }
            Err(ModelError::Server {
                what: format!("{} ended its reply without saying so", line.model),
                hint: "Ask again.".to_owned(),
            })
        })
    }
}

/// Opens `replay:FILE`.
pub(super) fn replay(file: &str) -> Result<Arc<dyn ModelClient>, ModelError> {
    let path = PathBuf::from(file);
    let lines = read(&path)?;
    Ok(Arc::new(Replayer { named: file.to_owned(), lines: Arc::new(lines) }))
}

fn read(path: &Path) -> Result<Vec<Line>, ModelError> {
    let malformed = |what: String| ModelError::Settings {
        what: format!("the cassette {} can't be read: {what}", path.display()),
        hint: "Name a file that record: wrote.".to_owned(),
    };
    let text = std::fs::read_to_string(path).map_err(|error| malformed(error.to_string()))?;
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = at.saturating_add(1);
        let line: Line =
            serde_json::from_str(line).map_err(|error| malformed(format!("line {at}: {error}")))?;
        if line.v > VERSION {
            return Err(malformed(format!("line {at} was written by a newer Querent")));
        }
        lines.push(line);
    }
    Ok(lines)
}

struct Replayer {
    named: String,
    lines: Arc<Vec<Line>>,
}

impl ModelClient for Replayer {
    fn name(&self) -> String {
        format!("replay:{}", self.named)
    }

    /// True when the recorded model was: what may leave shapes the prompt, and a replay must make
    /// the same prompt to find its reply. Nothing is sent.
    fn remote(&self) -> bool {
        self.lines.iter().any(|line| line.remote)
    }

    fn scripted(&self) -> bool {
        self.lines.iter().any(|line| line.scripted)
    }

    fn stream(&self, request: Request) -> BoxStream<'static, Result<Chunk, ModelError>> {
        let lines = Arc::clone(&self.lines);
        let named = self.named.clone();
        told(async move |teller| {
            let newest_first = lines.iter().rev();
            let found = newest_first
                .clone()
                .find(|line| line.request == fingerprint(&line.model, &request.prompt));
            let Some(line) = found else { return Err(missing(&named, &lines, &request.prompt)) };
            for piece in &line.pieces {
                teller.text(piece.clone()).await;
            }
            Ok(Done {
                usage: line.usage,
                cut_off: line.cut_off,
                request: line.request.clone(),
                cost: line.cost,
            })
        })
    }
}

/// Says that no line fits, and where the closest one parts from the request.
fn missing(named: &str, lines: &[Line], prompt: &Prompt) -> ModelError {
    let wanted = whole(&undated(prompt));
    let closest = lines
        .iter()
        .map(|line| (alike(&wanted, &whole(&line.prompt)), line))
        .max_by_key(|(alike, _)| *alike);
    let difference = match closest {
        None => "it is empty".to_owned(),
        Some((alike, line)) => {
            let recorded = whole(&line.prompt);
            format!(
                "the closest one parts at line {}: recorded is '{}', asked is '{}'",
                wanted.get(..alike).map_or(1, |same| same.matches('\n').count() + 1),
                line_at(&recorded, alike),
                line_at(&wanted, alike),
            )
        }
    };
    ModelError::Missing {
        what: format!("the cassette {named} holds no reply to this request; {difference}"),
        hint: "Record it again with record:FILE=provider:name.".to_owned(),
    }
}

/// Puts a prompt into one text, for comparing.
fn whole(prompt: &Prompt) -> String {
    let turns = prompt.turns.iter().map(|turn| turn.text.as_str());
    std::iter::once(prompt.system.as_str()).chain(turns).collect::<Vec<_>>().join("\n")
}

/// Counts the bytes that two texts share from their start, at a character's border.
fn alike(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    same.map(|(a, _)| a.len_utf8()).sum()
}

/// Returns the line of a text that holds a byte, shortened.
fn line_at(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |found| found + 1);
    let line = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
    line.chars().take(80).collect()
}
