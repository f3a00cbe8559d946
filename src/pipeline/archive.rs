//! Remembered runs as faces see them: works without a database, and says when it can't.

use std::path::Path;
use std::sync::Arc;

use crate::config::Config;
use crate::domain::{Event, Example, Ledger, RunId};
use crate::memory::{self, Memory, MemoryError, Store, StoredRun};

/// The user's memory or the team's, opened once. Calls block for milliseconds on a thread of their
/// own; on a server that doesn't answer, for seconds.
#[derive(Debug, Clone, Default)]
pub struct Archive {
    /// None when memory can't be used at all; `trouble` says why.
    memory: Option<Arc<Memory>>,
    trouble: Option<String>,
    store: Store,
    user: String,
}

impl Archive {
    /// Opens the memory of this user. Never fails: a run goes on without memory.
    pub fn open(config: &Config) -> Self {
        let store = match config.store.as_str() {
            "counts" => Store::Counts,
            "nothing" => Store::Nothing,
            _ => Store::Rows,
        };
        let user = config.user.clone();
        match opened(config) {
            Ok(memory) => Archive { memory: Some(Arc::new(memory)), trouble: None, store, user },
            Err(trouble) => Archive { memory: None, trouble: Some(trouble), store, user },
        }
    }

    /// Connects to memory on a server, so that `trouble` can say at once when it can't be reached.
    pub(super) async fn reach(&mut self) {
        if self.memory.is_some()
            && let Err(e) = self.call(Memory::reach).await
        {
            self.trouble = Some(not_remembered(&e));
        }
    }

    /// Says why memory can't be used, if it can't.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Takes out of an event what must not be stored; what is told and what is stored are the same.
    pub(super) fn strip(&self, event: Event) -> Event {
        memory::strip(event, self.store)
    }

    /// Stores a finished run. Trouble is dropped: the answer stands without it.
    pub(super) async fn store(&self, events: Vec<Event>) {
        let _ = self.call(move |memory| memory.store(&events)).await;
    }

    /// Lists runs, newest first; `database` narrows.
    pub async fn list(
        &self,
        database: Option<String>,
        most: usize,
    ) -> Result<Vec<StoredRun>, MemoryError> {
        self.call(move |memory| memory.list(database.as_deref(), most)).await
    }

    /// Reads a run's events; `run` may be the start of an id, or `last`.
    pub async fn load(&self, run: &str) -> Result<Vec<Event>, MemoryError> {
        let run = run.to_owned();
        self.call(move |memory| memory.load(&run)).await
    }

    /// Rates a run: `Some(true)` is `+`, `Some(false)` is `-`, `None` takes it back.
    pub async fn rate(&self, run: &str, good: Option<bool>) -> Result<(), MemoryError> {
        let run = run.to_owned();
        self.call(move |memory| memory.rate(&run, good)).await
    }

    /// Marks a run's pair verified, by the configured person if no other is named.
    pub async fn verify(&self, run: &str, by: Option<String>) -> Result<(), MemoryError> {
        let (run, by) = (run.to_owned(), by.unwrap_or_else(|| self.user.clone()));
        let today = chrono::Local::now().format("%Y-%m-%d").to_string();
        self.call(move |memory| memory.verify(&run, &by, &today)).await
    }

    /// Takes a verification back.
    pub async fn withdraw(&self, run: &str) -> Result<(), MemoryError> {
        let run = run.to_owned();
        self.call(move |memory| memory.withdraw(&run)).await
    }

    /// Counts what repairs and gates did in the newest runs; `database` narrows.
    pub async fn ledger(
        &self,
        database: Option<String>,
        most: usize,
    ) -> Result<Ledger, MemoryError> {
        self.call(move |memory| memory.ledger(database.as_deref(), most)).await
    }

    /// Lists verified pairs of a database, newest first; none when memory can't be used.
    pub async fn verified(&self, database: &str) -> Vec<Example> {
        let database = database.to_owned();
        self.call(move |memory| memory.verified(&database)).await.unwrap_or_default()
    }

    /// The run that an id or prefix names.
    pub async fn find(&self, run: &str) -> Result<RunId, MemoryError> {
        let events = self.load(run).await?;
        let first = events.first().ok_or_else(|| MemoryError::NoSuchRun(run.to_owned()))?;
        Ok(first.run.clone())
    }

    async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Memory) -> Result<T, MemoryError> + Send + 'static,
    ) -> Result<T, MemoryError> {
        let Some(memory) = self.memory.clone() else {
            let what = self.trouble.clone().unwrap_or_default();
            return Err(MemoryError::Refused(what.trim_end_matches('.').to_owned()));
        };
        match tokio::task::spawn_blocking(move || work(&memory)).await {
            Ok(result) => result,
            Err(e) => Err(MemoryError::Refused(format!("memory broke off: {e}"))),
        }
    }
}

/// Opens what is configured: a server's memory, a file, or the file of this user.
fn opened(config: &Config) -> Result<Memory, String> {
    let memory = match (&config.memory, &config.places.data) {
        (Some(address), _) if memory::is_address(address) => Memory::shared(address, &config.user),
        (Some(path), _) => Memory::open(Path::new(path)),
        (None, Some(folder)) => Memory::open(&folder.join("memory.sqlite")),
        (None, None) => {
            return Err("There is no home folder, so runs are not remembered.".to_owned());
        }
    };
    memory.map_err(|e| not_remembered(&e))
}

fn not_remembered(error: &MemoryError) -> String {
    format!("Runs are not remembered: {error}.")
}
