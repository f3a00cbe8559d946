//! Understanding a question by what is known, and the package it would get.

use std::sync::Arc;

use crate::context;
use crate::domain::event::Probed;
use crate::domain::{Catalog, ContextPackage, Facts, Question, Understanding, ValueList};
use crate::intake;
use crate::joins::Graph;

use super::knowing::drift_note;
use super::literals::{self, Literal};
use super::opening::{SessionError, now};
use super::questions;
use super::session::Session;

/// What a question means, and what was looked up in the data to find out.
pub(super) struct Thought {
    pub(super) understanding: Understanding,
    pub(super) probes: Vec<Probed>,
}

impl Session {
    /// Returns the stored values of text-like columns, as far as they are read.
    pub(super) async fn values(&self) -> Arc<Vec<ValueList>> {
        self.stored.read(&self.database).await.lists
    }

    /// Waits until stored values are read and indexed, for whoever measures.
    pub async fn settled_facts(&self) {
        self.current_catalog().await;
        self.stored.settled(&self.database).await;
        self.current_catalog().await;
    }

    /// Reads stored values to their end; counts the columns whose values are all known, and those
    /// known in part.
    pub async fn known_values(&self) -> (usize, usize) {
        self.settled_facts().await;
        let lists = self.values().await;
        let whole = lists.iter().filter(|list| list.complete).count();
        (whole, lists.len() - whole)
    }

    /// Returns the keys of a catalog as a graph.
    pub(super) fn graph(&self, catalog: &Arc<Catalog>) -> Arc<Graph> {
        self.keys.of(catalog)
    }

    /// Understands a question by the facts of its database alone.
    pub(super) async fn understand(&self, question: &Question, facts: &Facts) -> Understanding {
        let index = self.names.of(facts, &self.stored.index_of(&facts.values)).await;
        intake::understand_with(question, facts, &index)
    }

    /// Understands a question; literals that cut-off lists leave open are looked up in the data.
    ///
    /// The stored values and what was looked up are put into the facts.
    pub(super) async fn think(&self, question: &Question, facts: &mut Facts) -> Thought {
        let stored = self.stored.read(&self.database).await;
        facts.values = stored.lists;
        facts.places = stored.places;
        let mut understanding = self.understand(question, facts).await;
        let open = literals::open(&question.text, &understanding, facts, stored.fresh);
        let answers = self.answers.of(&*self.database, &open).await;
        let texts: Vec<_> = open
            .iter()
            .zip(&answers)
            .filter(|(literal, _)| Literal::is_text(literal))
            .flat_map(|(_, answer)| answer.looked_up.found.clone())
            .collect();
        if !texts.is_empty() {
            self.names.learn(&texts).await;
            understanding = self.understand(question, facts).await;
        }
        facts.looked_up = answers.iter().map(|answer| answer.looked_up.clone()).collect();
        understanding.warnings.extend(unread(stored.fresh, facts));
        understanding.warnings.extend(facts.looked_up.iter().filter_map(literals::warning));
        let probes = answers.into_iter().flat_map(|answer| answer.probes).collect();
        Thought { understanding, probes }
    }

    /// Puts together the package that a question would get; no model is asked.
    pub async fn package(&self, question: &Question) -> Result<ContextPackage, SessionError> {
        let mut facts = self.basics().await;
        let mut question = question.clone();
        if question.asked_at.is_empty() {
            question.asked_at = now();
        }
        let Thought { mut understanding, .. } = self.think(&question, &mut facts).await;
        understanding.warnings.extend(drift_note(&self.drift()));
        let graph = self.graph(&facts.catalog);
        let tables = questions::measured(Some(&understanding), &facts.catalog, &graph);
        (facts.statistics, facts.samples) = self.facts_of(&tables).await;
        Ok(context::assemble(&context::Request {
            question: &question,
            understanding: &understanding,
            facts: &facts,
            graph: &graph,
            errors: &[],
            form: question.form(),
            generated_at: &question.asked_at,
        }))
    }
}

/// Says that stored values are not those of this moment.
fn unread(fresh: bool, facts: &Facts) -> Option<String> {
    if fresh {
        return None;
    }
    let why = if facts.values.is_empty() {
        "Stored values are still being read"
    } else {
        "The database has changed, and stored values are being read again"
    };
    Some(format!("{why}: names in the question were looked up one by one."))
}
