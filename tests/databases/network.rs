//! A network between a driver and its server that can stop carrying anything, without a word to
//! either: what a cable that is pulled looks like from both ends.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The way to one server.
pub(crate) struct Network {
    port: u16,
    cut: watch::Sender<bool>,
}

impl Network {
    /// Lays a way to the server of an address, and returns it with the address that leads through it.
    pub(crate) async fn before(address: &str) -> (Self, String) {
        let host = "127.0.0.1:";
        let (_, behind) = address.split_once(host).expect("a server on this machine");
        let port: String = behind.chars().take_while(char::is_ascii_digit).collect();
        let server = format!("{host}{port}");
        let listener = TcpListener::bind((host.trim_end_matches(':'), 0)).await.expect("a port");
        let cut = watch::Sender::new(false);
        let network = Network { port: listener.local_addr().expect("bound").port(), cut };
        let through = address.replace(&server, &format!("{host}{}", network.port));
        let state = network.cut.subscribe();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(&server).await else { continue };
                let ((from_near, to_near), (from_far, to_far)) =
                    (near.into_split(), far.into_split());
                tokio::spawn(carry(from_near, to_far, state.clone()));
                tokio::spawn(carry(from_far, to_near, state.clone()));
            }
        });
        (network, through)
    }

    /// Carries nothing from now on; no connection is closed.
    pub(crate) fn cut(&self) {
        self.cut.send_replace(true);
    }

    /// Carries again, what was on its way first.
    pub(crate) fn mend(&self) {
        self.cut.send_replace(false);
    }
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut cut: watch::Receiver<bool>) {
    let mut bytes = vec![0; 16 << 10];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        let whole = cut.wait_for(|cut| !cut).await.is_ok();
        let Some(piece) = bytes.get(..read).filter(|_| whole) else { return };
        if to.write_all(piece).await.is_err() {
            return;
        }
    }
}
