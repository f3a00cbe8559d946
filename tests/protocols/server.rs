//! A server of our own that plays listed answers byte by byte on loopback, and keeps what it was
//! asked. It shares no code with the adapters, so a mistake there can't hide here.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What the server does with one request.
#[derive(Debug, Clone)]
pub(crate) struct Played {
    /// Status line and headers, without the empty line that ends them.
    pub(crate) head: String,
    /// Pieces of the body, each sent as a chunk of its own.
    pub(crate) pieces: Vec<Vec<u8>>,
    /// How it ends.
    pub(crate) end: End,
}

/// How an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// As the protocol wants.
    Whole,
    /// The connection closes without the last chunk.
    Cut,
    /// The last piece again and again, each after the client took the former, until it goes.
    Endless,
}

impl Played {
    /// An answer with a status and a content type.
    pub(crate) fn new(status: &str, content_type: &str, pieces: Vec<Vec<u8>>) -> Self {
        let kind = if content_type.is_empty() {
            String::new()
        } else {
            format!("content-type: {content_type}\r\n")
        };
        let head = format!("HTTP/1.1 {status}\r\n{kind}");
        Played { head, pieces, end: End::Whole }
    }

    /// A stream of events in one piece.
    pub(crate) fn events(text: &str) -> Self {
        Played::new("200 OK", "text/event-stream", vec![text.as_bytes().to_vec()])
    }

    /// A JSON body.
    pub(crate) fn json(status: &str, text: &str) -> Self {
        Played::new(status, "application/json", vec![text.as_bytes().to_vec()])
    }

    /// Adds a header.
    pub(crate) fn header(mut self, line: &str) -> Self {
        self.head.push_str(line);
        self.head.push_str("\r\n");
        self
    }

    /// Ends otherwise.
    pub(crate) fn end(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    /// Sends the body in pieces of this many bytes.
    pub(crate) fn in_pieces_of(mut self, bytes: usize) -> Self {
        let body: Vec<u8> = self.pieces.concat();
        self.pieces = body.chunks(bytes).map(<[u8]>::to_vec).collect();
        self
    }
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Got {
    /// Request line and headers.
    pub(crate) head: String,
    /// Body.
    pub(crate) body: serde_json::Value,
}

/// A running server. It ends with the test's runtime.
pub(crate) struct Server {
    /// `http://127.0.0.1:port`.
    pub(crate) address: String,
    got: Arc<Mutex<Vec<Got>>>,
    gone: mpsc::UnboundedReceiver<()>,
}

impl Server {
    /// Starts a server that plays these answers in order; the last one is played again.
    pub(crate) async fn start(answers: Vec<Played>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let got = Arc::new(Mutex::new(Vec::new()));
        let (tell_gone, gone) = mpsc::unbounded_channel();
        let kept = Arc::clone(&got);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let at = kept.lock().unwrap().len();
                let played = answers.get(at).or(answers.last()).unwrap().clone();
                serve(stream, played, &kept, &tell_gone).await;
            }
        });
        Server { address, got, gone }
    }

    /// What was asked so far.
    pub(crate) fn got(&self) -> Vec<Got> {
        self.got.lock().unwrap().clone()
    }

    /// Waits until a client that was served endlessly has gone.
    pub(crate) async fn client_gone(&mut self) {
        self.gone.recv().await.unwrap();
    }
}

async fn serve(
    mut stream: TcpStream,
    played: Played,
    got: &Mutex<Vec<Got>>,
    gone: &mpsc::UnboundedSender<()>,
) {
    stream.set_nodelay(true).unwrap();
    let request = read_request(&mut stream).await;
    got.lock().unwrap().push(request);
    let head = format!("{}connection: close\r\ntransfer-encoding: chunked\r\n\r\n", played.head);
    if stream.write_all(head.as_bytes()).await.is_err() {
        return;
    }
    for piece in &played.pieces {
        if send(&mut stream, piece).await.is_err() {
            return;
        }
        // Lets the client read this piece by itself.
        tokio::task::yield_now().await;
    }
    match played.end {
        End::Whole => {
            let _ = stream.write_all(b"0\r\n\r\n").await;
        }
        End::Cut => {}
        End::Endless => {
            let last = played.pieces.last().unwrap();
            while send(&mut stream, last).await.is_ok() {
                tokio::task::yield_now().await;
            }
            gone.send(()).unwrap();
        }
    }
}

async fn send(stream: &mut TcpStream, piece: &[u8]) -> std::io::Result<()> {
    let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
    chunk.extend(piece);
    chunk.extend(b"\r\n");
    stream.write_all(&chunk).await
}

async fn read_request(stream: &mut TcpStream) -> Got {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.unwrap();
        bytes.extend(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>())
        });
        let length = length.map_or(0, Result::unwrap);
        if body.len() >= length {
            let body = if length == 0 { "null" } else { body };
            return Got { head: head.to_owned(), body: serde_json::from_str(body).unwrap() };
        }
    }
}
