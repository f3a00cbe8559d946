//! What two packages tell differently: components in or out, their tokens, their lines.

use std::collections::BTreeSet;

use crate::domain::{Component, ComponentKind, Transcript};

use super::text::{Pair, pairs};

/// One component of both packages.
#[derive(Debug, Clone, PartialEq)]
pub struct ComponentChange {
    /// Which of the eight.
    pub kind: ComponentKind,
    /// Tokens told by the former; none when it was out.
    pub was: Option<u32>,
    /// Tokens told by the later; none when it is out.
    pub now: Option<u32>,
    /// Why it is in or out now.
    pub reason: String,
    /// Lines that only one of them tells, or tells otherwise; equal ones are left out.
    pub lines: Vec<Pair>,
}

impl ComponentChange {
    /// Tells whether both tell the same.
    pub fn same(&self) -> bool {
        self.was.is_some() == self.now.is_some() && self.lines.is_empty()
    }
}

/// What differs between two packages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PackageChange {
    /// Tokens of the former; none when it has no package.
    pub was: Option<u32>,
    /// Tokens of the later.
    pub now: Option<u32>,
    /// The eight components in order; empty when neither has a package.
    pub components: Vec<ComponentChange>,
    /// What is switched by hand in one of them only, in words: `− business`, `+ table rooms`.
    pub switched: Vec<String>,
}

/// Compares the newest packages of two runs.
pub fn compare(was: &Transcript, now: &Transcript) -> PackageChange {
    let (a, b) = (was.package(), now.package());
    let kinds = if a.or(b).is_some() { &ComponentKind::ALL[..] } else { &[] };
    let change = |kind: &ComponentKind| {
        component(*kind, a.and_then(|p| p.component(*kind)), b.and_then(|p| p.component(*kind)))
    };
    PackageChange {
        was: a.map(|package| package.tokens),
        now: b.map(|package| package.tokens),
        components: kinds.iter().map(change).collect(),
        switched: switched(was, now),
    }
}

fn component(
    kind: ComponentKind,
    was: Option<&Component>,
    now: Option<&Component>,
) -> ComponentChange {
    let told = |one: Option<&Component>| one.filter(|c| c.included).map(|c| c.text.clone());
    let tokens = |one: Option<&Component>| one.filter(|c| c.included).map(|c| c.tokens);
    let (a, b) = (told(was).unwrap_or_default(), told(now).unwrap_or_default());
    let lines = pairs(&a, &b).into_iter().filter(|pair| !pair.same && !is_rule(pair)).collect();
    ComponentChange {
        kind,
        was: tokens(was),
        now: tokens(now),
        reason: now.or(was).map(|c| c.reason.clone()).unwrap_or_default(),
        lines,
    }
}

/// The line under a heading says nothing by itself.
fn is_rule(pair: &Pair) -> bool {
    let mut words = pair.was.iter().chain(&pair.now).flatten();
    words.all(|word| word.text.chars().all(|c| c == '='))
}

/// Lists switches that the later run has and the former hasn't, then those it hasn't any more.
fn switched(was: &Transcript, now: &Transcript) -> Vec<String> {
    let (a, b) = (names(was), names(now));
    let more = b.difference(&a).cloned();
    let less = a.difference(&b).map(|name| format!("no longer {name}"));
    more.chain(less).collect()
}

fn names(run: &Transcript) -> BTreeSet<String> {
    let switches = &run.question.switches;
    let mut names = BTreeSet::new();
    for (sign, kinds) in [("+", &switches.with), ("−", &switches.without)] {
        names.extend(kinds.iter().map(|kind| format!("{sign} {}", kind.name())));
    }
    for (sign, tables) in [("+", &switches.with_tables), ("−", &switches.without_tables)] {
        names.extend(tables.iter().map(|table| format!("{sign} table {table}")));
    }
    for (sign, columns) in [("+", &switches.with_columns), ("−", &switches.without_columns)] {
        names.extend(columns.iter().map(|column| format!("{sign} column {column}")));
    }
    names.extend(switches.form.map(|form| format!("form {}", form.name())));
    names
}
