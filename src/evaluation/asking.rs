//! Opens the databases of a set, each once, and carries questions through the pipeline.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::watch;

use crate::domain::{Happened, Paused, Question, Resumed, Transcript};
use crate::model::script::Script;
use crate::pipeline::{Command, Session, SessionError, Setup, Told, connect};

use super::judge::Judge;
use super::measure::Terms;

/// One database: the pipeline's session, and the engine alone beside it.
pub(super) struct Door {
    pub(super) session: Arc<Session>,
    pub(super) judge: Judge,
}

/// The databases of a set.
pub(super) struct Doors<'a> {
    terms: &'a Terms,
    script: Option<Script>,
    opened: BTreeMap<String, Result<Arc<Door>, String>>,
}

/// Why a database can't be opened.
pub(super) enum Closed {
    /// No question of the set could be asked.
    All(SessionError),
    /// Those on this database can't.
    This(String),
}

impl<'a> Doors<'a> {
    pub(super) fn new(terms: &'a Terms, script: Option<Script>) -> Self {
        Doors { terms, script, opened: BTreeMap::new() }
    }

    /// Opens the database that a line names, or the one of the terms.
    pub(super) async fn open(&mut self, db: Option<&str>) -> Result<Arc<Door>, Closed> {
        let key = db.unwrap_or_default().to_owned();
        if let Some(opened) = self.opened.get(&key) {
            return opened.clone().map_err(Closed::This);
        }
        let opened = match self.address(db) {
            Ok(address) => match self.door(address).await {
                Ok(door) => Ok(Arc::new(door)),
                Err(e @ SessionError::Model(_)) => return Err(Closed::All(e)),
                Err(e @ SessionError::Knowledge(_)) if self.terms.setup.knowledge.is_some() => {
                    return Err(Closed::All(e));
                }
                Err(e) => Err(format!("{e}. {}", e.hint()).trim_end().to_owned()),
            },
            Err(why) => Err(why),
        };
        self.opened.insert(key, opened.clone());
        opened.map_err(Closed::This)
    }

    fn address(&self, db: Option<&str>) -> Result<Option<String>, String> {
        let Some(db) = db else { return Ok(self.terms.setup.database.clone()) };
        let Some(folder) = &self.terms.folder else { return Ok(Some(db.to_owned())) };
        // a name, not a way out of the folder
        if db.contains(['/', '\\']) || db.contains("..") {
            return Err(format!("'{db}' is no name of a database in the folder"));
        }
        Ok(Some(folder.join(format!("{db}.sqlite")).display().to_string()))
    }

    async fn door(&self, address: Option<String>) -> Result<Door, SessionError> {
        let mut config = (*self.terms.setup.config).clone();
        // nothing of a measurement is remembered, and nothing remembered helps it; rows are compared
        config.places.data = None;
        "rows".clone_into(&mut config.store);
        let config = Arc::new(config);
        let setup = Setup {
            database: address.clone(),
            script: self.script.clone(),
            config: config.clone(),
            ..self.terms.setup.clone()
        };
        let session = Arc::new(Session::open(setup).await?);
        let database = connect(address.as_deref(), &config).await?;
        Ok(Door { session, judge: Judge::new(database) })
    }
}

/// Carries a question to its end; none when it was stopped on the way.
pub(super) async fn carry(
    session: &Arc<Session>,
    question: Question,
    yes: bool,
    mut stop: watch::Receiver<bool>,
) -> Option<Transcript> {
    let mut run = session.start(question);
    let mut transcript = Transcript::default();
    let mut stopping = false;
    loop {
        tokio::select! {
            told = run.told.recv() => match told {
                Some(Told::Event(event)) => {
                    transcript.apply(&event);
                    if let Happened::Paused(paused) = &event.happened {
                        // a run that went away needs no answer
                        let _ = run.commands.send(Command::Resume(decide(paused, yes))).await;
                    }
                }
                Some(Told::Pulse(_)) => {}
                None => return (!stopping).then_some(transcript),
            },
            () = stopped(&mut stop), if !stopping => {
                stopping = true;
                // the run may be ending just now
                let _ = run.commands.try_send(Command::Cancel);
            }
        }
    }
}

/// Waits until the whole measurement shall stop; for ever when nobody is left to say so.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Nobody is asked in the middle of a set: what wants approval is refused unless all is approved.
fn decide(paused: &Paused, yes: bool) -> Resumed {
    match paused {
        _ if yes => Resumed::Go,
        Paused::Approval { .. } => Resumed::Refuse,
        Paused::Breakpoint { .. } => Resumed::Go,
    }
}
