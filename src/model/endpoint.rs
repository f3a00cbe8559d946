//! Where a model is reached: address, key, time limits, and the one HTTP client.

use std::sync::Once;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use reqwest::Url;
use reqwest::redirect::Policy;
use tokio::sync::OnceCell;

use super::providers::{Price, Protocol, Provider, providers};
use super::{ModelError, ModelSettings};

/// Time to open a connection. Far more than a good network needs; a firewall that drops packets
/// would otherwise hold the run until its deadline.
const CONNECT: Duration = Duration::from_secs(10);
/// Seconds without a byte before a request to another machine counts as dead.
const IDLE_S: u64 = 60;
/// The same on this machine: a small computer may read a long prompt for more than a minute.
const IDLE_LOCAL_S: u64 = 120;

/// A secret. It shows itself to nobody but the request's header.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key(pub(super) String);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// A model at an address, with everything a request needs.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// `provider:name`.
    pub(super) spec: String,
    /// The provider as people know it.
    pub(super) label: String,
    /// What it speaks.
    pub(super) protocol: Protocol,
    /// The model's name at the provider.
    pub(super) model: String,
    /// Base URL without a slash at its end.
    pub(super) base: Url,
    /// The variable that holds the key, or would.
    pub(super) key_variable: String,
    /// The variable that holds the address, or would.
    pub(super) base_url_variable: String,
    /// The key, if one was found in the environment.
    key: Option<Key>,
    /// The command that prints a key, and what it printed.
    key_command: Option<(String, OnceCell<Key>)>,
    /// True when prompts leave this machine.
    pub(super) remote: bool,
    /// Time without a byte before a request counts as dead.
    pub(super) idle: Duration,
    /// Whether waits before a retry are waited.
    pub(super) instant_retries: bool,
    /// Prices, where known.
    pub(super) price: Option<Price>,
    /// Set once the server refused `temperature`.
    pub(super) no_temperature: AtomicBool,
    /// Set once the server refused `stream_options`.
    pub(super) no_stream_options: AtomicBool,
    /// The client, built at the first request: reading the system's certificates takes a while, and
    /// opening a model must not.
    http: OnceCell<reqwest::Client>,
}

/// Finds the endpoint that `provider:name` or `provider` means.
pub(super) fn find(spec: &str, settings: &ModelSettings) -> Result<Endpoint, ModelError> {
    let (name, model) = match spec.split_once(':') {
        Some((name, model)) => (name, Some(model).filter(|model| !model.is_empty())),
        None => (spec, None),
    };
    let row = row(name, settings).ok_or_else(|| unknown(spec))?;
    let Some(model) = model.or(row.default_model.as_deref()) else {
        return Err(ModelError::Settings {
            what: format!("'{name}' needs a model's name"),
            hint: format!("Name the model as {name}:MODEL."),
        });
    };
    let text = base_text(&row, settings);
    let base = parse_base(&text).map_err(|what| ModelError::Settings {
        what: format!("the address of {} is no web address: {what}", row.label),
        hint: format!("Set {} or base_urls.{name} to http://… or https://….", {
            &row.base_url_variable
        }),
    })?;
    let remote = !is_loopback(&base);
    let key_variable = key_variable(&row);
    let key = settings.environment.get(&key_variable).map(Key);
    let command = lookup(&settings.key_commands, name).map(|text| (text, OnceCell::new()));
    let own_address = text == row.base_url;
    if key.is_none() && command.is_none() && own_address && row.key_variable.is_some() {
        return Err(ModelError::Settings {
            what: format!("{} needs a key, and {key_variable} is not set", row.label),
            hint: format!("Set {key_variable}, or key_commands.{name} in config.toml."),
        });
    }
    let idle_s = match settings.idle_timeout_s {
        0 if remote => IDLE_S,
        0 => IDLE_LOCAL_S,
        seconds => seconds,
    };
    Ok(Endpoint {
        spec: format!("{name}:{model}"),
        protocol: row.protocol,
        model: model.to_owned(),
        price: row.price(model),
        http: OnceCell::new(),
        base,
        key_variable,
        base_url_variable: row.base_url_variable,
        key,
        key_command: command,
        remote,
        idle: Duration::from_secs(idle_s),
        instant_retries: settings.instant_retries,
        no_temperature: AtomicBool::new(false),
        no_stream_options: AtomicBool::new(false),
        label: row.label,
    })
}

/// Returns the table's row, or one made for a server that only the settings know.
fn row(name: &str, settings: &ModelSettings) -> Option<Provider> {
    let known = providers().iter().find(|row| row.name == name).cloned();
    known.or_else(|| {
        let base_url = lookup(&settings.base_urls, name)?;
        Some(Provider {
            name: name.to_owned(),
            label: name.to_owned(),
            protocol: Protocol::Completions,
            base_url,
            base_url_variable: format!("{}_BASE_URL", variable_name(name)),
            key_variable: None,
            default_model: None,
            chosen_by_key: false,
            prices: std::collections::BTreeMap::new(),
        })
    })
}

fn unknown(spec: &str) -> ModelError {
    let names: Vec<&str> = providers().iter().map(|row| row.name.as_str()).collect();
    let wanted = spec.split(':').next().unwrap_or(spec);
    ModelError::Settings {
        what: format!("there is no model provider named '{wanted}'"),
        hint: format!(
            "Name a model as provider:name with one of {}, or use rules; another server needs \
             base_urls.{wanted} in config.toml.",
            names.join(", ")
        ),
    }
}

/// Returns the variable that holds a provider's key.
pub(super) fn key_variable(row: &Provider) -> String {
    let named = row.key_variable.clone();
    named.unwrap_or_else(|| format!("{}_API_KEY", variable_name(&row.name)))
}

/// Returns a provider's address: environment, then config file, then the table.
pub(super) fn base_text(row: &Provider, settings: &ModelSettings) -> String {
    let given = settings
        .environment
        .get(&row.base_url_variable)
        .map(|text| if row.name == "ollama" { ollama_address(&text) } else { text });
    given.or_else(|| lookup(&settings.base_urls, &row.name)).unwrap_or_else(|| row.base_url.clone())
}

/// Makes a base URL of `OLLAMA_HOST`, which may be a bare host, a port, or a bind address.
fn ollama_address(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if port.parse::<u16>().is_ok() => (name, Some(port)),
        _ => (host, None),
    };
    let name = if matches!(name, "" | "0.0.0.0") { "127.0.0.1" } else { name };
    let port = match (port, text.contains("://")) {
        (Some(port), _) => format!(":{port}"),
        (None, true) => String::new(),
        (None, false) => ":11434".to_owned(),
    };
    let path = path.trim_end_matches('/');
    let path = if path.is_empty() { "v1" } else { path };
    format!("{scheme}://{name}{port}/{path}")
}

fn variable_name(provider: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    provider.chars().map(word).collect()
}

pub(super) fn lookup(pairs: &[(String, String)], name: &str) -> Option<String> {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
}

fn parse_base(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim_end_matches('/')).map_err(|error| error.to_string())?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(url),
        other => Err(format!("it starts with {other}:")),
    }
}

/// Tells whether an address is this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let address = bare.parse::<std::net::IpAddr>();
    address.is_ok_and(|address| address.is_loopback() || address.is_unspecified())
        || bare == "localhost"
        || bare.ends_with(".localhost")
}

/// Builds a client for an address. The TLS provider is installed once, before the first.
///
/// A redirect to another host is not followed: it would carry the prompt there, and the key.
pub(super) fn client(base: &Url) -> Result<reqwest::Client, ModelError> {
    static TLS: Once = Once::new();
    let remote = !is_loopback(base);
    let plain = !remote && base.scheme() == "http";
    TLS.call_once(|| {
        // It fails only when another part of the process installed one first, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let same_host = Policy::custom(|attempt| {
        let origin = attempt.previous().last().map(Url::origin);
        let near = origin.is_some_and(|origin| origin == attempt.url().origin());
        if near && attempt.previous().len() <= 3 { attempt.follow() } else { attempt.stop() }
    });
    let builder = reqwest::Client::builder()
        .user_agent(concat!("querent/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .redirect(same_host);
    // A proxy can't reach what runs on this machine.
    let builder = if remote { builder } else { builder.no_proxy() };
    // Without encryption, the system's certificates need not be read.
    let builder = if plain { builder.tls_certs_only([]) } else { builder };
    builder.build().map_err(|error| ModelError::Settings {
        what: format!("no secure connection can be set up: {error}"),
        hint: "See that the system's root certificates are installed (ca-certificates).".to_owned(),
    })
}

impl Endpoint {
    /// Returns the address of a path under the base, which may already hold the path's start.
    pub(super) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let base = url.path().trim_end_matches('/').to_owned();
        let rest = match base.rsplit('/').next() {
            Some(last) if !last.is_empty() => path
                .strip_prefix('/')
                .and_then(|path| path.strip_prefix(last))
                .filter(|rest| rest.starts_with('/'))
                .unwrap_or(path),
            _ => path,
        };
        url.set_path(&format!("{base}{rest}"));
        url
    }

    /// Returns the client.
    pub(super) async fn http(&self) -> Result<&reqwest::Client, ModelError> {
        self.http.get_or_try_init(async || client(&self.base)).await
    }

    /// Returns the base URL as it may be shown: without user, password and query.
    pub(super) fn shown(&self) -> String {
        shown(&self.base)
    }

    /// Returns the key: from the environment, else printed by the command, which runs once.
    pub(super) async fn key(&self) -> Result<Option<Key>, ModelError> {
        if let Some(key) = &self.key {
            return Ok(Some(key.clone()));
        }
        let Some((command, cell)) = &self.key_command else { return Ok(None) };
        cell.get_or_try_init(|| self.ask_command(command)).await.cloned().map(Some)
    }

    async fn ask_command(&self, command: &str) -> Result<Key, ModelError> {
        let failed = |why: String| ModelError::Key {
            what: format!("the command that prints the key of {} failed: {why}", self.label),
            hint: format!("Run it by hand, or set {}.", self.key_variable),
        };
        let command = command.to_owned();
        let run = tokio::task::spawn_blocking(move || shell(&command).output());
        let output = tokio::time::timeout(self.idle, run)
            .await
            .map_err(|_| failed("it did not end".to_owned()))?
            .map_err(|error| failed(error.to_string()))?
            .map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            return Err(failed(output.status.to_string()));
        }
        let printed = String::from_utf8_lossy(&output.stdout);
        let key = printed.lines().next().unwrap_or_default().trim();
        if key.is_empty() {
            return Err(failed("it printed nothing".to_owned()));
        }
        Ok(Key(key.to_owned()))
    }
}

fn shell(command: &str) -> std::process::Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = std::process::Command::new(shell);
    shell.arg(flag).arg(command).stdin(std::process::Stdio::null());
    shell
}

/// Returns an address without user, password, query and fragment.
pub(super) fn shown(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    format!("{}://{}{port}{path}", url.scheme(), url.host_str().unwrap_or_default())
}
