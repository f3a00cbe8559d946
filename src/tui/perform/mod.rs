//! Does what the workbench wants done outside: the only place of it that waits for others.
//!
//! What belongs here: effects carried out, their answers sent as messages; one file for each kind of
//! work that is more than a call. What must never come: deciding what shall be done, drawing.
//! To add an effect: a variant in `effect.rs`, its arm below, its answer in `msg.rs`.
//!
//! What can be answered at once comes back as messages before the next frame; all else runs in one
//! `JoinSet`, which is aborted and awaited on leaving.

mod chart;
mod clipboard;
mod drafts;
mod remember;
mod results;
mod telling;
mod typing;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use crate::domain::{Happened, Question};
use crate::pipeline::{CheckRequest, Command, Run, Session, SessionError, Setup, Told};

use super::effect::{Effect, Terms};
use super::highlight::Painter;
use super::msg::{Judged, Msg, Opened, Verdict};
use super::terminal::Screen;

use results::{Outlet, Results};

/// Messages that may wait for the loop: a few frames of a fast run. Senders then wait for the loop.
const INBOX: usize = 256;

/// How long typing must pause before SQL is checked.
const TYPING_PAUSE: Duration = Duration::from_millis(150);

/// Past runs that are listed.
const RUNS_LISTED: usize = 500;

/// Runs that the ledger counts over at most: it reads all of their events.
const RUNS_COUNTED: usize = 2_000;

/// The opened doors, newest first; the one before is kept for its results.
type Doors = Arc<Mutex<Vec<Arc<Session>>>>;

/// Whoever does what is wanted.
pub(super) struct Performer {
    setup: Setup,
    doors: Doors,
    sender: mpsc::Sender<Msg>,
    tasks: JoinSet<()>,
    run: Option<mpsc::Sender<Command>>,
    opening: Option<AbortHandle>,
    drafts: drafts::Drafts,
    check: Option<AbortHandle>,
    complete: Option<AbortHandle>,
    explain: Option<AbortHandle>,
    /// What is remembered and not yet written down.
    keeper: remember::Keeper,
    results: Results,
    preview: Option<AbortHandle>,
    measure: Option<AbortHandle>,
    /// Made when first asked for; locked by one colouring at a time.
    painter: Arc<Mutex<Option<Painter>>>,
}

impl Performer {
    /// Makes a performer and the inbox it answers into.
    pub(super) fn new(setup: Setup) -> (Self, mpsc::Receiver<Msg>) {
        let (sender, inbox) = mpsc::channel(INBOX);
        let drafts = drafts::Drafts::new(setup.config.places.state.as_deref());
        let keeper = remember::Keeper::new(setup.config.places.state.clone());
        let performer = Performer {
            setup,
            drafts,
            keeper,
            doors: Doors::default(),
            sender,
            tasks: JoinSet::new(),
            run: None,
            opening: None,
            check: None,
            complete: None,
            explain: None,
            results: Results::default(),
            preview: None,
            measure: None,
            painter: Arc::default(),
        };
        (performer, inbox)
    }

    /// Listens to keys, mouse and size; what comes waits in order.
    ///
    /// One task owns the stream: a stream that is polled here and there forgets whom to wake.
    pub(super) fn listen(&mut self) -> mpsc::Receiver<std::io::Result<Event>> {
        let (sender, keys) = mpsc::channel(INBOX);
        self.tasks.spawn(async move {
            let mut events = EventStream::new();
            while let Some(event) = events.next().await {
                let last = event.is_err();
                if sender.send(event).await.is_err() || last {
                    break;
                }
            }
        });
        keys
    }

    /// Does one thing; returns what can be answered at once.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all else needs the opened database")]
    pub(super) fn perform(&mut self, effect: Effect, screen: &mut Screen) -> Vec<Msg> {
        // what has ended needs no place any more
        while self.tasks.try_join_next().is_some() {}
        match effect {
            Effect::Open(terms) => self.open(terms),
            Effect::Colour { sql, theme } => self.colour(sql, theme),
            Effect::Copy(text) => {
                if let Err(e) = screen.copy(&text) {
                    return vec![Msg::Trouble(format!("The terminal took no copy: {e}."))];
                }
                let sender = self.sender.clone();
                self.tasks.spawn(async move {
                    let ways = clipboard::offer(text).await;
                    let _ = sender.send(Msg::Copied(ways)).await;
                });
            }
            Effect::SaveChart { path, figure, replace } => self.save_chart(path, figure, replace),
            Effect::Redraw => screen.forget(),
            Effect::StopExplaining => self.stop_explaining(),
            Effect::KeepDrafts(drafts) => self.drafts.keep(drafts, &mut self.tasks, &self.sender),
            Effect::ReadDrafts(database) => {
                let place = crate::pipeline::place(&database, &self.setup.config);
                self.drafts.open(&place, &mut self.tasks, &self.sender);
            }
            Effect::Suspend => {
                if let Err(e) = screen.suspend() {
                    return vec![Msg::Trouble(format!(
                        "The terminal couldn't be given back: {e}."
                    ))];
                }
            }
            Effect::Remember(kept) => {
                self.keeper.remember(*kept, &mut self.tasks, &self.sender);
            }
            Effect::Stop => self.command(Command::Cancel),
            Effect::Resume(decision) => self.command(Command::Resume(decision)),
            Effect::Stops(stops) => self.command(Command::Stops(stops)),
            other => {
                let Some(session) = self.session() else {
                    return vec![Msg::Trouble("The database isn't open.".to_owned())];
                };
                let outlet = Outlet { tasks: &mut self.tasks, sender: &self.sender };
                let Some(other) = self.results.perform(&session, other, outlet) else {
                    return Vec::new();
                };
                return self.ask_session(&session, other);
            }
        }
        Vec::new()
    }

    fn ask_session(&mut self, session: &Arc<Session>, effect: Effect) -> Vec<Msg> {
        match effect {
            Effect::Ask(question) => return self.start(session, *question),
            Effect::Page(id, range) => {
                let doors = self.doors.lock().unwrap_or_else(PoisonError::into_inner);
                let page = doors.iter().find_map(|door| door.page(&id, range.clone()));
                return vec![Msg::Page(id, page)];
            }
            Effect::ChartRows(id) => self.chart_rows(id),
            Effect::Complete(word) => return vec![Msg::Completions(session.complete(&word))],
            Effect::CompleteSql { sql, cursor, asked, revision } => {
                self.complete(session.clone(), sql, (cursor, asked, revision));
            }
            Effect::Explain(sql) => self.explain(session.clone(), sql),
            Effect::Preview(question) => self.preview(session, *question),
            Effect::Measure(table) => self.measure(session, table),
            Effect::Check { sql, question } => self.check(session.clone(), sql, question),
            Effect::Runs => self.answer(session, |session| async move {
                Ok(Msg::Runs(session.history(true, RUNS_LISTED).await?))
            }),
            Effect::Ledger => self.answer(session, |session| async move {
                Ok(Msg::Ledger(session.ledger(RUNS_COUNTED).await.map_err(|e| sentence(&e))))
            }),
            Effect::Replay(run) => self.answer(session, |session| async move {
                Ok(Msg::Replayed(session.replay(&run.0).await?))
            }),
            Effect::Fetch(run) => self.answer(session, |session| async move {
                Ok(match session.replay(&run.0).await {
                    Ok(events) => Msg::Fetched(events),
                    Err(e) => Msg::NotFetched(sentence(&e)),
                })
            }),
            Effect::Rate(run, good) => self.answer(session, move |session| async move {
                session.rate(&run, Some(good)).await?;
                Ok(Msg::Judged(Judged { run, how: Verdict::Rated(good) }))
            }),
            Effect::Verify(run, verified) => self.answer(session, move |session| async move {
                session.verify(&run, verified).await?;
                Ok(Msg::Judged(Judged { run, how: Verdict::Verified(verified) }))
            }),
            Effect::Refresh => self.refresh(session.clone()),
            Effect::Open(_)
            | Effect::Arrange(..)
            | Effect::StopArranging
            | Effect::Find(..)
            | Effect::StopFinding
            | Effect::Summarize(..)
            | Effect::StopSummarizing
            | Effect::Export(..)
            | Effect::StopExport
            | Effect::CopyTable(_)
            | Effect::Colour { .. }
            | Effect::Copy(_)
            | Effect::SaveChart { .. }
            | Effect::Redraw
            | Effect::Remember(_)
            | Effect::StopExplaining
            | Effect::KeepDrafts(_)
            | Effect::ReadDrafts(_)
            | Effect::Suspend
            | Effect::Resume(_)
            | Effect::Stops(_)
            | Effect::Stop => {}
        }
        Vec::new()
    }

    /// Commands the running question. It takes commands whenever it waits for anything, so there is
    /// always room for one; a run that has ended needs none.
    fn command(&self, command: Command) {
        if let Some(commands) = &self.run {
            let _ = commands.try_send(command);
        }
    }

    fn session(&self) -> Option<Arc<Session>> {
        self.doors.lock().unwrap_or_else(PoisonError::into_inner).first().cloned()
    }

    /// Runs something that waits, and sends its answer or its trouble.
    fn answer<F, A>(&mut self, session: &Arc<Session>, work: F)
    where
        F: FnOnce(Arc<Session>) -> A + Send + 'static,
        A: Future<Output = Result<Msg, SessionError>> + Send + 'static,
    {
        let (session, sender) = (session.clone(), self.sender.clone());
        self.tasks.spawn(async move {
            let msg = work(session).await.unwrap_or_else(|e| Msg::Trouble(sentence(&e)));
            // without a receiver nobody is left to tell
            let _ = sender.send(msg).await;
        });
    }

    fn open(&mut self, terms: Terms) {
        if let Some(former) = self.opening.take() {
            former.abort();
        }
        let setup = Setup {
            database: terms.database.clone(),
            model: terms.model.clone(),
            privacy: terms.privacy,
            ..self.setup.clone()
        };
        let (doors, sender) = (self.doors.clone(), self.sender.clone());
        self.opening = Some(self.tasks.spawn(async move {
            let msg = match Session::open(setup).await {
                Ok(session) => {
                    let opened = opened(&session, terms);
                    let mut doors = doors.lock().unwrap_or_else(PoisonError::into_inner);
                    doors.insert(0, Arc::new(session));
                    doors.truncate(2);
                    Msg::Opened(Box::new(opened))
                }
                Err(e) => Msg::NotOpened(sentence(&e), e.hint().to_owned()),
            };
            let _ = sender.send(msg).await;
        }));
    }

    /// Starts a run. The former one has given its answer; it may still be storing itself.
    fn start(&mut self, session: &Arc<Session>, question: Question) -> Vec<Msg> {
        if let Some(commands) = self.run.take() {
            // one that still ran would go on unseen; a full channel already holds a cancel
            let _ = commands.try_send(Command::Cancel);
        }
        let before = session.catalog().version.clone();
        let run = session.start(question);
        let id = run.id.clone();
        let commands = run.commands.clone();
        self.tasks.spawn(pump(run, session.clone(), before, self.sender.clone()));
        self.run = Some(commands);
        vec![Msg::Started(id)]
    }

    /// Reads the schema again; knowledge may then disagree with it.
    fn refresh(&mut self, session: Arc<Session>) {
        let sender = self.sender.clone();
        self.tasks.spawn(async move {
            let (msg, drift) = match session.refresh().await {
                Ok(catalog) => (Msg::Refreshed(catalog), Some(session.disagreements())),
                Err(e) => (Msg::Trouble(sentence(&e)), None),
            };
            for msg in std::iter::once(msg).chain(drift.map(Msg::Drifted)) {
                let _ = sender.send(msg).await;
            }
        });
    }

    fn check(&mut self, session: Arc<Session>, sql: String, question: Option<String>) {
        if let Some(former) = self.check.take() {
            former.abort();
        }
        let sender = self.sender.clone();
        self.check = Some(self.tasks.spawn(async move {
            tokio::time::sleep(TYPING_PAUSE).await;
            let request = CheckRequest { sql, question, probe: false, repair: false };
            let msg = match session.check(&request).await {
                Ok(report) => Msg::Checked(Box::new(report)),
                Err(e) => Msg::Trouble(sentence(&e)),
            };
            let _ = sender.send(msg).await;
        }));
    }

    fn colour(&mut self, sql: String, theme: String) {
        let (painter, sender) = (self.painter.clone(), self.sender.clone());
        self.tasks.spawn_blocking(move || {
            let mut painter = painter.lock().unwrap_or_else(PoisonError::into_inner);
            let colours = painter.get_or_insert_with(Painter::new).colour(&sql, &theme);
            let _ = sender.blocking_send(Msg::Coloured(colours));
        });
    }

    /// Stops everything and waits until it has stopped.
    pub(super) async fn close(mut self) {
        self.run = None;
        self.drafts.flush();
        self.keeper.flush();
        self.tasks.abort_all();
        while self.tasks.join_next().await.is_some() {}
    }
}

/// Passes on what a run tells; dropping it drops the run. A run reads the schema: where it is
/// another than `before`, knowledge may disagree with it now.
async fn pump(mut run: Run, session: Arc<Session>, before: String, sender: mpsc::Sender<Msg>) {
    while let Some(told) = run.told.recv().await {
        let gathered = matches!(&told, Told::Event(event)
            if matches!(event.happened, Happened::Gathered { .. }));
        if sender.send(Msg::Told(told)).await.is_err() {
            return;
        }
        if gathered && session.catalog().version != before {
            let _ = sender.send(Msg::Drifted(session.disagreements())).await;
        }
    }
    let _ = sender.send(Msg::Ended(run.id.clone())).await;
}

fn opened(session: &Session, terms: Terms) -> Opened {
    Opened {
        terms,
        header: session.header(),
        catalog: session.catalog(),
        examples: session.example_questions(),
        models: session.models(),
    }
}

/// Makes a sentence of an error.
fn sentence(error: &SessionError) -> String {
    super::sentence(&error.to_string())
}
