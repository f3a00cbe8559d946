//! Asks the questions of a set, several abreast, and scores what comes, in the order of the set.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::domain::{ComponentKind, Options, Question, Switches};
use crate::model::script::{Script, ScriptedAnswers};
use crate::pipeline::{Abreast, SessionError, Setup, now};

use super::asking::{Closed, Door, Doors};
use super::score::{Score, Scored};
use super::scoring;
use super::settings::{self, Ablated, Setting};
use super::suite::{Item, Place, Suite, Unscored};

/// How a set is asked.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// Model, knowledge, settings, and the database of lines that name none.
    pub setup: Setup,
    /// Folder in which `db` of a line names `DB.sqlite`; without it `db` is an address.
    pub folder: Option<PathBuf>,
    /// Recordings of the set that stand in for a model, one after the other; empty asks the model.
    pub recordings: Vec<String>,
    /// Budgets of each run.
    pub options: Options,
    /// Components left out of every package.
    pub switches: Switches,
    /// A hint for lines that bring none.
    pub evidence: Option<String>,
    /// Approves every statement.
    pub yes: bool,
    /// Leaves out each component in turn.
    pub ablate: bool,
}

/// Who answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The model's name.
    pub name: String,
    /// Its answers were recorded before.
    pub recorded: bool,
}

/// What came of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The model.
    pub subject: Subject,
    /// Questions of the set that its recording doesn't answer.
    pub unrecorded: usize,
    /// Each question.
    pub scored: Vec<Scored>,
    /// All of them.
    pub score: Score,
    /// What it is worth to tell each component; empty unless asked for.
    pub ablated: Vec<Ablated>,
}

/// What came of a set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evaluation {
    /// Names of the sets.
    pub sets: Vec<String>,
    /// Models, in the order they were named.
    pub measured: Vec<Measured>,
    /// Different first answers of all models, where there are several: a copy counts once.
    pub together: Option<Score>,
    /// Lines that could not be scored, in order.
    pub unscored: Vec<Unscored>,
    /// What is odd about gold SQL and left the line scored all the same.
    pub notes: Vec<Unscored>,
    /// Stopped by the person: what is here is a part.
    pub cancelled: bool,
}

/// Why nothing can be measured.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Fatal(#[from] pub SessionError);

/// How far it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What is asked: the model, and what is left out.
    pub what: String,
    /// Questions done.
    pub done: usize,
    /// Of so many.
    pub of: usize,
}

/// Measures. `stop` set to true ends it early: what was scored by then is returned.
pub async fn evaluate(
    suite: &Suite,
    terms: &Terms,
    told: &mut dyn FnMut(&Progress),
    stop: watch::Receiver<bool>,
) -> Result<Evaluation, Fatal> {
    let script = (!terms.recordings.is_empty()).then(|| script(suite, &terms.recordings));
    let mut work = Work {
        suite,
        terms,
        doors: Doors::new(terms, script),
        told,
        stop,
        asked_at: now(),
        unscored: BTreeMap::new(),
        notes: BTreeMap::new(),
    };
    let mut measured = Vec::new();
    if terms.recordings.is_empty() {
        measured.push(work.measure(None).await?);
    }
    for n in 0..terms.recordings.len() {
        if !*work.stop.borrow() {
            measured.push(work.measure(Some(n)).await?);
        }
    }
    for line in &suite.unreadable {
        work.unscored.insert(line.place, line.clone());
    }
    let cancelled = *work.stop.borrow();
    Ok(Evaluation {
        sets: suite.sets.clone(),
        together: together(&measured),
        measured,
        unscored: work.unscored.into_values().collect(),
        notes: work.notes.into_values().collect(),
        cancelled,
    })
}

/// Scores the different first answers to each question, whichever models gave them.
fn together(measured: &[Measured]) -> Option<Score> {
    if measured.len() < 2 {
        return None;
    }
    let mut seen = BTreeSet::new();
    let mut distinct = Vec::new();
    for one in measured.iter().flat_map(|measured| &measured.scored) {
        if seen.insert((one.place, one.first_sql.as_deref().map(str::trim))) {
            distinct.push(one);
        }
    }
    Some(Score::of(distinct))
}

/// Puts recordings into one script: each question of each of them has an id of its own.
fn script(suite: &Suite, recordings: &[String]) -> Script {
    let mut answers = Vec::new();
    for (n, model) in recordings.iter().enumerate() {
        for item in &suite.items {
            if let Some(samples) = item.samples(model) {
                answers
                    .push(ScriptedAnswers { id: scripted_id(n, item), replies: samples.to_vec() });
            }
        }
    }
    Script { name: "recorded".to_owned(), answers, ..Script::default() }
}

fn scripted_id(recording: usize, item: &Item) -> String {
    format!("{recording}:{}:{}", item.place.set, item.place.line)
}

/// One question to be asked.
struct Asked {
    door: Arc<Door>,
    item: Arc<Item>,
    question: Question,
    /// The recorded answers that stand in for the model.
    samples: Option<Vec<String>>,
    yes: bool,
}

struct Work<'a> {
    suite: &'a Suite,
    terms: &'a Terms,
    doors: Doors<'a>,
    told: &'a mut dyn FnMut(&Progress),
    stop: watch::Receiver<bool>,
    asked_at: String,
    /// By place: several models meet the same trouble.
    unscored: BTreeMap<Place, Unscored>,
    notes: BTreeMap<Place, Unscored>,
}

impl Work<'_> {
    /// Measures a recording by its number, or the model.
    async fn measure(&mut self, recording: Option<usize>) -> Result<Measured, Fatal> {
        let named = recording.and_then(|n| self.terms.recordings.get(n)).cloned();
        let covered = |item: &&Arc<Item>| named.as_ref().is_none_or(|m| item.samples(m).is_some());
        let items: Vec<Arc<Item>> = self.suite.items.iter().filter(covered).cloned().collect();
        let unrecorded = self.suite.items.len() - items.len();
        let mut name = named.clone().unwrap_or_default();
        let scored = self.ask_all(&items, recording, &mut name, None).await?;
        let score = Score::of(&scored);
        let mut ablated = Vec::new();
        if self.terms.ablate && !*self.stop.borrow() {
            ablated = self.ablate(&items, recording, &mut name, &scored, &score).await?;
        }
        let subject = Subject { name, recorded: named.is_some() };
        Ok(Measured { subject, unrecorded, scored, score, ablated })
    }

    /// Asks all questions once more for each setting that changes a package.
    async fn ablate(
        &mut self,
        items: &[Arc<Item>],
        recording: Option<usize>,
        name: &mut String,
        all: &[Scored],
        score: &Score,
    ) -> Result<Vec<Ablated>, Fatal> {
        let whole = Setting { name: "all".to_owned(), without: [].into() };
        let mut list =
            vec![Ablated { setting: whole, score: Some(score.clone()), difference: None }];
        for setting in settings::settings(&self.terms.switches) {
            let told = |kind: &ComponentKind| score.included.contains_key(kind);
            if !setting.without.iter().any(told) {
                list.push(Ablated { setting, score: None, difference: None });
                continue;
            }
            let scored = self.ask_all(items, recording, name, Some(&setting)).await?;
            if *self.stop.borrow() {
                // a part of the questions is another set
                break;
            }
            let difference = Some(settings::compare(all, &scored));
            list.push(Ablated { setting, score: Some(Score::of(&scored)), difference });
        }
        Ok(list)
    }

    async fn ask_all(
        &mut self,
        items: &[Arc<Item>],
        recording: Option<usize>,
        name: &mut String,
        setting: Option<&Setting>,
    ) -> Result<Vec<Scored>, Fatal> {
        let mut abreast = Abreast::new();
        let mut scored = Vec::with_capacity(items.len());
        let mut progress = Progress { what: name.clone(), done: 0, of: items.len() };
        for item in items {
            if *self.stop.borrow() {
                break;
            }
            let asked = match self.asked(item, recording, setting).await {
                Ok(asked) => asked,
                Err(Closed::All(e)) => return Err(Fatal(e)),
                Err(Closed::This(why)) => {
                    self.set_aside(item, why);
                    progress.done += 1;
                    continue;
                }
            };
            if name.is_empty() {
                *name = asked.door.session.header().model;
            }
            progress.what = setting.map_or(name.clone(), |s| format!("{name}, {}", s.name));
            if let Some(done) = abreast.begin(score_one(asked, self.stop.clone())).await {
                self.take(done, &mut scored, &mut progress);
            }
        }
        while let Some(done) = abreast.next().await {
            self.take(done, &mut scored, &mut progress);
        }
        Ok(scored)
    }

    /// Opens the database of a line and makes its question.
    async fn asked(
        &mut self,
        item: &Arc<Item>,
        recording: Option<usize>,
        setting: Option<&Setting>,
    ) -> Result<Asked, Closed> {
        let door = self.doors.open(item.db.as_deref()).await?;
        let mut switches = self.terms.switches.clone();
        switches.without.extend(setting.map(|s| s.without.clone()).unwrap_or_default());
        let question = Question {
            text: item.question.clone(),
            evidence: item.evidence.clone().or_else(|| self.terms.evidence.clone()),
            asked_at: self.asked_at.clone(),
            id: Some(recording.map_or_else(|| item.id.clone(), |n| scripted_id(n, item))),
            switches,
            options: Options { privacy: door.session.privacy(), ..self.terms.options.clone() },
            ..Question::default()
        };
        let model = recording.and_then(|n| self.terms.recordings.get(n));
        let samples = model.and_then(|model| item.samples(model)).map(<[String]>::to_vec);
        Ok(Asked { door, item: item.clone(), question, samples, yes: self.terms.yes })
    }

    fn take(&mut self, done: Done, scored: &mut Vec<Scored>, progress: &mut Progress) {
        match done {
            Done::Scored(one, note) => {
                self.notes.extend(note.map(|note| (note.place, note)));
                scored.push(*one);
            }
            Done::Unscored(why) => {
                self.unscored.insert(why.place, why);
            }
            Done::Stopped => return,
        }
        progress.done += 1;
        (self.told)(progress);
    }

    fn set_aside(&mut self, item: &Item, why: String) {
        self.unscored.insert(item.place, unscored(item, why));
    }
}

fn unscored(item: &Item, why: String) -> Unscored {
    Unscored { place: item.place, id: Some(item.id.clone()), why }
}

/// What came of one question.
enum Done {
    Scored(Box<Scored>, Option<Unscored>),
    Unscored(Unscored),
    Stopped,
}

async fn score_one(asked: Asked, stop: watch::Receiver<bool>) -> Done {
    let Asked { door, item, question, samples, yes } = asked;
    let mut stopping = stop.clone();
    let golds = tokio::select! {
        golds = scoring::golds(&door.judge, &item) => golds,
        () = super::asking::stopped(&mut stopping) => return Done::Stopped,
    };
    let (golds, note) = match golds {
        Ok(golds) => golds,
        Err(why) => return Done::Unscored(unscored(&item, why)),
    };
    let options = &question.options;
    let timeout = Duration::from_millis(options.timeout_ms);
    let most = usize::try_from(options.max_attempts).unwrap_or(usize::MAX);
    let Some(transcript) = super::asking::carry(&door.session, question, yes, stop).await else {
        return Done::Stopped;
    };
    let samples: Option<Vec<String>> =
        samples.map(|samples| samples.into_iter().take(most).collect());
    let judged =
        scoring::Finished { item: &item, transcript: &transcript, samples, golds, timeout };
    tokio::select! {
        scored = judged.score(&door.judge) => {
            Done::Scored(Box::new(scored), note.map(|why| unscored(&item, why)))
        }
        () = super::asking::stopped(&mut stopping) => Done::Stopped,
    }
}
