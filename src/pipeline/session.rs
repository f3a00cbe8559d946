//! The opened edges, and everything a face may ask of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use crate::config::Config;
use crate::database::{self, Database, Page, ResultStore};
use crate::domain::{
    Catalog, ColumnStats, Dialect, Event, Facts, Happened, Knowledge, Ledger, Privacy, Question,
    ResultId, RunId, RunPolicy, Sample,
};
use crate::knowledge;
use crate::memory::StoredRun;
use crate::model::Listed;

use super::archive::Archive;
use super::checking::{CheckReport, CheckRequest};
use super::keys::Keys;
use super::knowing::Drifts;
use super::literals::Answers;
use super::names::Names;
use super::opening::{self, Drafter, SessionError, Setup, now};
use super::questions;
use super::results::Kept;
use super::run::Run;
use super::stored::Reader;

/// What the header line shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// Database as named.
    pub database: String,
    /// Engine and version.
    pub engine: String,
    /// Model as `provider:name`, or `rules`.
    pub model: String,
    /// Replies come from a script.
    pub scripted: bool,
    /// Prompts leave this machine.
    pub remote: bool,
    /// What may leave.
    pub privacy: Option<Privacy>,
    /// Which statements want approval, where nobody says otherwise.
    pub policy: RunPolicy,
    /// Where knowledge came from; empty when there is none.
    pub knowledge: String,
    /// Number of rules.
    pub rules: usize,
    /// Number of metrics.
    pub metrics: usize,
    /// What the person should know: memory can't be written, …
    pub notices: Vec<String>,
    /// Where knowledge disagrees with the schema, as sentences.
    pub drift: Vec<String>,
}

/// Something that can stand at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// What it is: `table`, `column of bookings`, `metric`.
    pub what: String,
}

/// What was measured of one table, and its first rows.
type Measured = (Vec<ColumnStats>, Option<Sample>);

/// A catalog as it was read, and with the keys that people told of.
#[derive(Debug)]
struct Known {
    read: Arc<Catalog>,
    hinted: Arc<Catalog>,
}

impl Known {
    fn of(read: Arc<Catalog>, knowledge: &Knowledge) -> Self {
        let hinted = knowledge::with_hints(read.clone(), knowledge);
        Known { read, hinted }
    }
}

/// The opened edges. Shared by reference; every method may be called at any time.
pub struct Session {
    /// The address as it is shown and stored: no password is in it.
    pub(super) address: String,
    pub(super) database: Arc<dyn Database>,
    pub(super) drafter: Drafter,
    pub(super) archive: Archive,
    knowledge: Arc<Knowledge>,
    pub(super) drifts: Drifts,
    privacy: Privacy,
    config: Arc<Config>,
    /// Replaced whole on refresh; locked only to clone or replace the pointer.
    catalog: RwLock<Known>,
    /// What was measured of one moment of the database, by table; locked only to look up or add.
    facts: Mutex<(u64, BTreeMap<String, Measured>)>,
    /// Results of this session; locked only to look up or add.
    pub(super) results: Mutex<Kept>,
    pub(super) names: Names,
    pub(super) keys: Keys,
    /// Stored values, read behind the questions.
    pub(super) stored: Reader,
    /// What was looked up of literals.
    pub(super) answers: Answers,
}

impl Session {
    /// Opens database, model, knowledge and memory.
    pub async fn open(setup: Setup) -> Result<Self, SessionError> {
        let config = setup.config.clone();
        let named = opening::resolve(setup.database.as_deref(), &config)?;
        let drafter = opening::drafter(&setup).await?;
        let database = named.open(&config).await?;
        let mut archive = Archive::open(&config);
        let (catalog, ()) = tokio::join!(database.catalog(false), archive.reach());
        let catalog = catalog?;
        let knowledge = opening::read_knowledge(&named, setup.knowledge.as_ref(), &config)?;
        let address = named.address;
        let knowledge = Arc::new(knowledge);
        let catalog = Known::of(catalog, &knowledge);
        let remote = matches!(&drafter, Drafter::Model(model) if model.remote());
        let by_default = if remote && database::demo_knowledge(&address).is_none() {
            Privacy::Stats
        } else {
            Privacy::Rows
        };
        Ok(Session {
            address,
            database,
            drafter,
            archive,
            knowledge,
            drifts: Drifts::default(),
            privacy: setup.privacy.or(config.privacy).unwrap_or(by_default),
            config,
            catalog: RwLock::new(catalog),
            facts: Mutex::default(),
            results: Mutex::default(),
            names: Names::default(),
            keys: Keys::default(),
            stored: Reader::default(),
            answers: Answers::default(),
        })
    }

    /// Returns what the header shows.
    pub fn header(&self) -> Header {
        let (model, scripted, remote) = self.model();
        let mut notices: Vec<String> =
            self.archive.trouble().map(str::to_owned).into_iter().collect();
        notices.extend(self.database.notices());
        notices.extend(self.catalog().unreadable.iter().cloned());
        notices.extend(self.lost_of_knowledge());
        Header {
            database: self.address.clone(),
            engine: self.database.engine(),
            model,
            scripted,
            remote,
            privacy: Some(self.privacy),
            policy: self.policy(),
            knowledge: self.knowledge.source.clone(),
            rules: self.knowledge.rules.len(),
            metrics: self.knowledge.metrics.len(),
            notices,
            drift: self.disagreements(),
        }
    }

    /// Returns name, scripted, remote of whoever drafts.
    fn model(&self) -> (String, bool, bool) {
        match &self.drafter {
            Drafter::Model(model) => (model.name(), model.scripted(), model.remote()),
            Drafter::Rules => ("rules".to_owned(), false, false),
        }
    }

    /// The privacy level in force.
    pub fn privacy(&self) -> Privacy {
        self.privacy
    }

    /// Returns which statements want approval, where nobody says otherwise.
    pub fn policy(&self) -> RunPolicy {
        opening::policy(&self.config, self.dialect())
    }

    /// Lists the files that this session reads: none of them may ever be written over.
    pub(super) fn own_files(&self) -> Vec<PathBuf> {
        let Some(file) = database::file_of(&self.address) else { return Vec::new() };
        let beside = |ending: &str| {
            let mut name = file.clone().into_os_string();
            name.push(ending);
            PathBuf::from(name)
        };
        ["", "-wal", "-shm", "-journal"].map(beside).to_vec()
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.database.dialect()
    }

    /// The first event of a run.
    pub(super) fn asked(&self, question: Question) -> Happened {
        let (model, scripted, _) = self.model();
        Happened::Asked {
            model: if question.sql.is_some() { "person".to_owned() } else { model },
            question: Box::new(question),
            database: self.address.clone(),
            place: database::place(&self.address),
            engine: self.database.engine(),
            scripted,
            knowledge: self.knowledge.source.clone(),
        }
    }

    /// Returns the catalog as last read.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.catalog.read().unwrap_or_else(PoisonError::into_inner).hinted.clone()
    }

    /// Reads the catalog again if the database has changed; what was measured of it is then
    /// forgotten.
    pub(super) async fn current_catalog(&self) -> Arc<Catalog> {
        match self.database.catalog(false).await {
            Ok(catalog) => self.replace(catalog).await,
            // what was read before still serves; running will say what is wrong
            Err(_) => self.catalog(),
        }
    }

    /// Reads the catalog and statistics anew.
    pub async fn refresh(&self) -> Result<Arc<Catalog>, SessionError> {
        let catalog = self.database.catalog(true).await?;
        Ok(self.replace(catalog).await)
    }

    async fn replace(&self, catalog: Arc<Catalog>) -> Arc<Catalog> {
        if self.forget_before(self.database.generation()) {
            self.names.unlearn().await;
        }
        let mut current = self.catalog.write().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&current.read, &catalog) {
            *current = Known::of(catalog, &self.knowledge);
        }
        current.hinted.clone()
    }

    /// Forgets what was measured of former moments; tells whether there was such a moment.
    fn forget_before(&self, generation: u64) -> bool {
        let mut facts = self.facts();
        let former = facts.0 != generation;
        if former {
            *facts = (generation, BTreeMap::new());
        }
        former
    }

    fn facts(&self) -> MutexGuard<'_, (u64, BTreeMap<String, Measured>)> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what people know of the database.
    pub fn knowledge(&self) -> Arc<Knowledge> {
        self.knowledge.clone()
    }

    /// Lists five example questions of this database: from knowledge, else made from the catalog.
    pub fn example_questions(&self) -> Vec<String> {
        questions::examples(&self.knowledge, &self.catalog())
    }

    /// Completes the word before the cursor with names of tables, columns and metrics.
    pub fn complete(&self, word: &str) -> Vec<Completion> {
        questions::complete(word, &self.knowledge, &self.catalog())
    }

    /// Measures tables and reads their first rows; each table once while the database stays.
    pub async fn facts_of(&self, tables: &[String]) -> (Vec<ColumnStats>, Vec<Sample>) {
        /// Rows of a sample (S0-032).
        const SAMPLED: usize = 3;
        let (generation, missing) = {
            let facts = self.facts();
            let missing = tables.iter().filter(|table| !facts.1.contains_key(*table));
            (facts.0, missing.cloned().collect::<Vec<_>>())
        };
        if !missing.is_empty() {
            let read = (
                self.database.statistics(&missing).await,
                self.database.samples(&missing, SAMPLED).await,
            );
            // what could not be read now is read again next time
            let (Ok(statistics), Ok(samples)) = read else { return (Vec::new(), Vec::new()) };
            let mut facts = self.facts();
            // what was read of a newer moment is given, and read again when that one is seen
            let here = facts.0 == generation;
            for table in missing.iter().filter(|_| here) {
                let of_table =
                    statistics.iter().filter(|s| s.at.table == *table).cloned().collect();
                let sample = samples.iter().find(|s| s.table == *table).cloned();
                facts.1.insert(table.clone(), (of_table, sample));
            }
            if !here {
                return (statistics, samples);
            }
        }
        let facts = self.facts();
        let of: Vec<_> = tables.iter().filter_map(|table| facts.1.get(table)).cloned().collect();
        let (statistics, samples): (Vec<_>, Vec<_>) = of.into_iter().unzip();
        (statistics.concat(), samples.into_iter().flatten().collect())
    }

    /// Reads all facts that thinking about a question needs.
    pub(super) async fn basics(&self) -> Facts {
        Facts {
            history: self.archive.verified(&database::place(&self.address)).await,
            ..self.schema_facts().await
        }
    }

    /// Reads what checking needs: structure and knowledge.
    pub(super) async fn schema_facts(&self) -> Facts {
        let catalog = self.current_catalog().await;
        let knowledge = self.drifts.of(&self.knowledge, &catalog).sound;
        Facts { catalog, knowledge, ..Facts::default() }
    }

    /// Checks SQL without running it.
    pub async fn check(&self, request: &CheckRequest) -> Result<CheckReport, SessionError> {
        let started = Instant::now();
        let mut report = super::checking::check(self, request).await?;
        report.elapsed_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok(report)
    }

    /// Starts a run: a question, or SQL of one's own (`Question::sql`).
    ///
    /// A question without a date gets the present one.
    pub fn start(self: &Arc<Self>, mut question: Question) -> Run {
        if question.asked_at.is_empty() {
            question.asked_at = now();
        }
        Run::start(self.clone(), question)
    }

    /// Keeps a result so that it can be paged; the oldest one goes when there are too many.
    pub(super) fn keep(&self, id: ResultId, store: Arc<ResultStore>) {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).keep(id, store);
    }

    /// Reads rows of a result of this session; none when it is no longer kept.
    pub fn page(&self, result: &ResultId, range: Range<u64>) -> Option<Page> {
        Some(self.result(result)?.page(range))
    }

    /// Returns a result of this session, for streaming all of its rows.
    pub fn result(&self, result: &ResultId) -> Option<Arc<ResultStore>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).find(result)
    }

    /// Lists stored runs, newest first; `here` narrows to this database.
    pub async fn history(&self, here: bool, most: usize) -> Result<Vec<StoredRun>, SessionError> {
        Ok(self.archive.list(here.then(|| database::place(&self.address)), most).await?)
    }

    /// Counts what repairs and gates did in the newest runs of this user, on whichever database.
    pub async fn ledger(&self, most: usize) -> Result<Ledger, SessionError> {
        Ok(self.archive.ledger(None, most).await?)
    }

    /// Reads a stored run's events; `run` may be the start of an id, or `last`.
    pub async fn replay(&self, run: &str) -> Result<Vec<Event>, SessionError> {
        Ok(self.archive.load(run).await?)
    }

    /// Rates a run: `Some(true)` is `+`, `Some(false)` is `-`, `None` takes it back.
    pub async fn rate(&self, run: &RunId, good: Option<bool>) -> Result<(), SessionError> {
        Ok(self.archive.rate(&run.0, good).await?)
    }

    /// Marks a run's pair verified by the configured person; `false` withdraws it.
    pub async fn verify(&self, run: &RunId, verified: bool) -> Result<(), SessionError> {
        if verified {
            self.archive.verify(&run.0, None).await?;
        } else {
            self.archive.withdraw(&run.0).await?;
        }
        Ok(())
    }

    /// Lists models that could be chosen.
    pub fn models(&self) -> Vec<Listed> {
        opening::models(&self.config)
    }
}
