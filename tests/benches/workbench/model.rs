//! A model on loopback that writes fifty words a second, each with the time it was sent.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Between two words.
const PAUSE: Duration = Duration::from_millis(20);

/// A running server; its threads end with the bench.
pub struct Model {
    /// `http://127.0.0.1:port/v1`.
    pub address: String,
    /// When each word left, in order: `w1`, `w2`, …
    pub sent: Arc<Mutex<Vec<Instant>>>,
}

impl Model {
    /// Starts a server that answers each call with `words` words.
    pub fn start(words: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let sent = Arc::new(Mutex::new(Vec::new()));
        let kept = sent.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = kept.clone();
                std::thread::spawn(move || answer(stream, words, &kept));
            }
        });
        Model { address, sent }
    }
}

fn answer(mut stream: TcpStream, words: usize, sent: &Mutex<Vec<Instant>>) {
    let mut request = vec![0; 1 << 20];
    // one read holds a request's head; what follows of its body is of no interest
    let _ = stream.read(&mut request);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let _ = stream.set_nodelay(true);
    if stream.write_all(head.as_bytes()).is_err() {
        return;
    }
    for n in 1..=words {
        // a thread of its own that nobody waits for: parked, as there is nothing to cancel it with
        std::thread::park_timeout(PAUSE);
        let event = format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"-- w{n}\\n\"}}}}]}}\n\n"
        );
        if let Ok(mut sent) = sent.lock() {
            sent.push(Instant::now());
        }
        if stream.write_all(event.as_bytes()).is_err() {
            return;
        }
    }
    let _ = stream.write_all(b"data: [DONE]\n\n");
}
