//! Opening the edges: which database, model and knowledge a session gets, and why it can't.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{Config, PasswordError, Profile};
use crate::database::{self, Database, DatabaseError, OpenOptions};
use crate::domain::{Dialect, Knowledge, Privacy, RunPolicy};
use crate::knowledge::{self, KnowledgeError};
use crate::memory::MemoryError;
use crate::model::script::{self, Script};
use crate::model::{self, Listed, ModelClient, ModelError, ModelSettings};

/// What a session is opened with.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Database address; none means the config's.
    pub database: Option<String>,
    /// Model spec; none means the config's, then the environment's, then `rules`.
    pub model: Option<String>,
    /// Replies that stand in for a model, whatever model is named.
    pub script: Option<Script>,
    /// Knowledge file; none means the one beside the database, then the config's.
    pub knowledge: Option<PathBuf>,
    /// Privacy level set by hand.
    pub privacy: Option<Privacy>,
    /// Settings.
    pub config: Arc<Config>,
}

/// Why a session can't be opened or used.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The knowledge file.
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
    /// Memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The password of a profile.
    #[error("profile {profile}: {error}")]
    Password {
        /// The profile.
        profile: String,
        /// Why it can't be read.
        error: PasswordError,
        /// What to do.
        hint: String,
    },
    /// What was asked for makes no sense.
    #[error("{what}")]
    Usage {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
}

impl SessionError {
    /// Tells whether the database itself can't be opened or read, as opposed to wrong usage.
    pub fn is_database(&self) -> bool {
        match self {
            SessionError::Database(DatabaseError::Address { .. })
            | SessionError::Model(_)
            | SessionError::Knowledge(_)
            | SessionError::Memory(_)
            | SessionError::Password { .. }
            | SessionError::Usage { .. } => false,
            SessionError::Database(
                DatabaseError::Open { .. }
                | DatabaseError::Locked { .. }
                | DatabaseError::Lost { .. },
            ) => true,
        }
    }

    /// Returns what to do, as a sentence; empty when the message says it.
    pub fn hint(&self) -> &str {
        match self {
            SessionError::Database(e) => e.hint(),
            SessionError::Model(e) => e.hint(),
            SessionError::Usage { hint, .. } | SessionError::Password { hint, .. } => hint,
            SessionError::Knowledge(_) | SessionError::Memory(_) => "",
        }
    }
}

/// Who writes drafts in a session.
#[derive(Clone)]
pub(super) enum Drafter {
    /// A model or a script.
    Model(Arc<dyn ModelClient>),
    /// The rules.
    Rules,
}

/// Lists models that could be chosen, without opening anything.
pub fn models(config: &Config) -> Vec<Listed> {
    model::list(&settings(config))
}

/// Returns the present date and time, ISO 8601 with offset.
pub fn now() -> String {
    chrono::Local::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, false)
}

/// Returns what memory keeps the runs of a database under; a profile is resolved first.
pub fn place(database: &str, config: &Config) -> String {
    database::place(profile(database, config).map_or(database, |profile| &profile.address))
}

/// A database that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The profile's name; empty where an address is named.
    pub name: String,
    /// The address as it is shown.
    pub address: String,
    /// The engine's name; empty where the address names none.
    pub engine: &'static str,
}

impl Connection {
    /// Describes a database that is named by its address.
    pub fn to(address: &str) -> Self {
        let engine = database::engine_of(address);
        Connection { name: String::new(), address: database::canonical(address), engine }
    }
}

/// Lists databases that can be chosen: profiles, then demos; opens nothing.
pub fn connections(config: &Config) -> Vec<Connection> {
    let profiles = config.profiles.iter().map(|profile| {
        let name = profile.name.clone();
        Connection { name, ..Connection::to(&profile.address) }
    });
    let demos = database::demo::DEMOS.iter();
    profiles.chain(demos.map(|demo| Connection::to(&format!("demo:{}", demo.name)))).collect()
}

/// Returns the policy for statements: as set, else by engine. A server's time is others' time too.
pub(super) fn policy(config: &Config, dialect: Dialect) -> RunPolicy {
    let server = match dialect {
        Dialect::Sqlite | Dialect::Duckdb => false,
        Dialect::Postgres | Dialect::Mysql | Dialect::Generic => true,
    };
    let set = config.layers.contains_key("policy");
    if server && !set { RunPolicy::AskCostly } else { config.options.stops.policy }
}

/// Opens a database alone, by address or profile.
pub async fn connect(
    database: Option<&str>,
    config: &Config,
) -> Result<Arc<dyn Database>, SessionError> {
    resolve(database, config)?.open(config).await
}

fn settings(config: &Config) -> ModelSettings {
    ModelSettings {
        base_urls: config.base_urls.clone(),
        key_commands: config.key_commands.clone(),
        idle_timeout_s: config.idle_timeout_s,
        ..ModelSettings::default()
    }
}

/// A database as it was named, not opened yet.
pub(super) struct Named<'a> {
    /// What opens it; a password may be typed in it.
    typed: &'a str,
    /// Its address as it is shown and stored.
    pub(super) address: String,
    /// The profile that names it.
    profile: Option<&'a Profile>,
}

impl Named<'_> {
    /// Opens it. A profile's password is read now, and kept nowhere.
    pub(super) async fn open(&self, config: &Config) -> Result<Arc<dyn Database>, SessionError> {
        let password = match self.profile.and_then(|it| Some((it, it.password.as_ref()?))) {
            None => None,
            Some((profile, password)) => Some(password.read().await.map_err(|error| {
                let (profile, hint) = (profile.name.clone(), error.hint());
                SessionError::Password { profile, error, hint }
            })?),
        };
        let options = OpenOptions { cache: config.places.cache.clone(), password };
        Ok(database::open(self.typed, &options).await?)
    }
}

fn profile<'a>(name: &str, config: &'a Config) -> Option<&'a Profile> {
    config.profiles.iter().find(|profile| profile.name == name)
}

/// Resolves a profile name or address.
pub(super) fn resolve<'a>(
    database: Option<&'a str>,
    config: &'a Config,
) -> Result<Named<'a>, SessionError> {
    let Some(named) = database.or(config.database.as_deref()) else {
        return Err(SessionError::Usage {
            what: "no database is named".to_owned(),
            hint: "Name one with --db PATH, or try --db demo.".to_owned(),
        });
    };
    let profile = profile(named, config);
    let typed = profile.map_or(named, |profile| &profile.address);
    Ok(Named { typed, address: database::canonical(typed), profile })
}

pub(super) async fn drafter(setup: &Setup) -> Result<Drafter, SessionError> {
    if let Some(replies) = &setup.script {
        return Ok(Drafter::Model(script::player(&replies.name, replies.clone())));
    }
    let config = &setup.config;
    let settings = settings(config);
    let spec = match setup.model.as_deref().or(config.model.as_deref()) {
        Some(spec) => spec.to_owned(),
        None => match model::choose(&settings).as_str() {
            "rules" => model::local(&settings).await.unwrap_or_else(|| "rules".to_owned()),
            chosen => chosen.to_owned(),
        },
    };
    if spec == "rules" {
        return Ok(Drafter::Rules);
    }
    Ok(Drafter::Model(model::open(&spec, &settings)?))
}

/// Finds knowledge: given by hand, the profile's, beside the database, the demo's own, else the
/// config's (P9).
pub(super) fn read_knowledge(
    named: &Named<'_>,
    given: Option<&PathBuf>,
    config: &Config,
) -> Result<Knowledge, SessionError> {
    let of_profile = named.profile.and_then(|profile| profile.knowledge.as_ref());
    if let Some(path) = given.or(of_profile) {
        return Ok(knowledge::read(path)?);
    }
    if let Some((text, source)) = database::demo_knowledge(&named.address) {
        return Ok(knowledge::parse(text, &source)?);
    }
    let beside = database::file_of(&named.address).and_then(|file| knowledge::beside(&file));
    match beside.or_else(|| config.knowledge.clone()) {
        Some(path) => Ok(knowledge::read(&path)?),
        None => Ok(Knowledge::default()),
    }
}
