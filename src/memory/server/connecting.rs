//! Addresses of shared memory, and the connections they lead to.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls_platform_verifier::BuilderVerifierExt;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Error, NoTls, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{Trouble, password};
use crate::memory::MemoryError;

/// Tells whether a text names a server rather than a file.
pub fn is_address(text: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}

/// Reads an address as PostgreSQL's own programs do. What is wrong with it is never quoted: a sign
/// that should have been encoded may make a part of the password look like something else.
pub(super) fn parse(address: &str) -> Result<Config, MemoryError> {
    // both mean what we do wherever there is encryption: the certificate is checked
    let plain = address
        .replace("sslmode=verify-full", "sslmode=require")
        .replace("sslmode=verify-ca", "sslmode=require");
    let mut config: Config = plain.parse().map_err(|_| MemoryError::Unusable {
        place: "its address".to_owned(),
        what: "it is not of the form postgres://USER@HOST:PORT/DATABASE?sslmode=require; write \
               signs like @, / and ? in names as %40, %2F and %3F"
            .to_owned(),
    })?;
    if config.get_user().is_none()
        && let Some(user) = password::user()
    {
        config.user(user);
    }
    if config.get_application_name().is_none() {
        config.application_name("querent");
    }
    Ok(config)
}

/// Returns an address as it may be shown.
pub(super) fn shown(config: &Config) -> String {
    let user = config.get_user().map_or_else(String::new, |user| format!("{user}@"));
    let port = config.get_ports().first().map_or_else(String::new, |port| format!(":{port}"));
    let database = config.get_dbname().unwrap_or_default();
    format!("postgres://{user}{}{port}/{database}", host(config))
}

/// Returns the host that is tried first; that of a socket is this machine.
pub(super) fn host(config: &Config) -> String {
    match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(_)) => "localhost".to_owned(),
        None => config.get_hostaddrs().first().map_or_else(String::new, ToString::to_string),
    }
}

/// A connection and what moves its bytes. Both go together: nothing runs while nobody asks.
pub(super) struct Line {
    client: Client,
    connection: BoxFuture<'static, Result<(), Error>>,
}

impl Line {
    /// Connects; a password that the address lacks is looked up.
    pub(super) async fn open(config: &Config) -> Result<Self, Trouble> {
        let mut config = config.clone();
        if config.get_password().is_none()
            && let Some(password) = password::find(&config)
        {
            config.password(password);
        }
        if config.get_ssl_mode() == SslMode::Disable {
            return Ok(Line::over(NoTls, &config).await?);
        }
        match encryption() {
            Ok(tls) => Ok(Line::over(tls, &config).await?),
            // a machine that trusts no certificate can still speak plainly, where that is allowed
            Err(_) if config.get_ssl_mode() == SslMode::Prefer => {
                Ok(Line::over(NoTls, &config).await?)
            }
            Err(e) => Err(Trouble::Refused(format!("no certificate can be checked: {e}"))),
        }
    }

    async fn over<T>(tls: T, config: &Config) -> Result<Self, Error>
    where
        T: MakeTlsConnect<Socket>,
        T::Stream: Send + 'static,
    {
        let (client, connection) = config.connect(tls).await?;
        Ok(Line { client, connection: Box::pin(connection) })
    }

    /// Does something over the connection, moving its bytes meanwhile.
    pub(super) async fn carry<T>(
        &mut self,
        work: &impl AsyncFn(&mut Client) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        tokio::select! {
            biased;
            done = work(&mut self.client) => done,
            ended = &mut self.connection => Err(Trouble::Lost(match ended {
                Ok(()) => "the server closed the connection".to_owned(),
                Err(e) => Trouble::from(e).words().to_owned(),
            })),
        }
    }
}

/// Checks certificates against those that this machine trusts.
fn encryption() -> Result<MakeRustlsConnect, rustls::Error> {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let shown = |address: &str| shown(&parse(address).unwrap());
        assert_eq!(shown("postgres://ada:hush@db:6000/team"), "postgres://ada@db:6000/team");
        assert_eq!(shown("postgresql://ada@db/team?password=hush"), "postgres://ada@db:5432/team");
        assert_eq!(
            shown("postgres://ada@db/team?sslmode=verify-full"),
            "postgres://ada@db:5432/team"
        );
    }

    #[test]
    fn an_address_that_cannot_be_read_quotes_nothing_of_itself() {
        for address in ["postgres://ada@db/team?hush=1", "postgres://ada:hush@db:port/team"] {
            let told = parse(address).unwrap_err().to_string();
            assert!(!told.contains("hush"), "{told}");
            assert!(told.contains("postgres://USER@HOST:PORT/DATABASE"), "{told}");
        }
    }

    #[test]
    fn only_servers_have_addresses() {
        assert!(is_address("postgres://db/team") && is_address("postgresql://db/team"));
        assert!(!is_address("team.sqlite") && !is_address("/srv/postgres/memory.sqlite"));
    }
}
