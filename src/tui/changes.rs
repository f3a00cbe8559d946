//! What changed from one package to the next: what came in, what went out, what reads differently.

use crate::domain::ContextPackage;
use crate::domain::counts::{count, grouped};

/// How something changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// It is in now.
    In,
    /// It is out now.
    Out,
    /// It is still in, with another text.
    Changed,
}

impl Sign {
    /// Returns the mark: `+`, `−`, `~`.
    pub fn mark(self) -> &'static str {
        match self {
            Sign::In => "+",
            Sign::Out => "−",
            Sign::Changed => "~",
        }
    }
}

/// What a change is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A component, by its kind's name.
    Component(&'static str),
    /// A table.
    Table(String),
    /// A grounded value, as the package lists it.
    Value(String),
}

impl Subject {
    /// Names it: `samples`, `table rooms`, `value …`.
    pub fn words(&self) -> String {
        match self {
            Subject::Component(name) => (*name).to_owned(),
            Subject::Table(name) => format!("table {name}"),
            Subject::Value(value) => format!("value {value}"),
        }
    }
}

/// One change from a package to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// How.
    pub sign: Sign,
    /// What.
    pub subject: Subject,
    /// Why, or how much of it: `2 lines in, 1 out`.
    pub why: String,
    /// Tokens more, or fewer where below zero.
    pub tokens: i64,
}

/// Lists what changed: components in the package's order, then tables, then values.
pub fn package_changes(before: &ContextPackage, after: &ContextPackage) -> Vec<Change> {
    let mut changes: Vec<Change> = components(before, after);
    let (old, new) = (&before.tables, &after.tables);
    changes.extend(sets(old, new, |name| Subject::Table(name.to_owned())));
    let (old, new) = (&before.values, &after.values);
    changes.extend(sets(old, new, |value| Subject::Value(value.to_owned())));
    changes
}

fn components(before: &ContextPackage, after: &ContextPackage) -> Vec<Change> {
    let mut changes = Vec::new();
    for new in &after.components {
        let old = before.component(new.kind);
        let was = old.is_some_and(|old| old.included);
        let text = old.map_or("", |old| old.text.as_str());
        let (sign, why) = match (was, new.included) {
            (false, true) => (Sign::In, new.reason.clone()),
            (true, false) => (Sign::Out, new.reason.clone()),
            (true, true) if text != new.text => (Sign::Changed, lines(text, &new.text)),
            (true, true) | (false, false) => continue,
        };
        let tokens = |included: bool, n: u32| if included { i64::from(n) } else { 0 };
        changes.push(Change {
            sign,
            subject: Subject::Component(new.kind.name()),
            why,
            tokens: tokens(new.included, new.tokens) - tokens(was, old.map_or(0, |o| o.tokens)),
        });
    }
    changes
}

/// Counts the lines that only one of two texts has.
fn lines(old: &str, new: &str) -> String {
    let mut rest: Vec<&str> = old.lines().collect();
    let mut come = 0;
    for line in new.lines() {
        match rest.iter().position(|other| *other == line) {
            Some(at) => {
                rest.swap_remove(at);
            }
            None => come += 1,
        }
    }
    let gone = rest.len();
    match (come, gone) {
        (0, 0) => "in another order".to_owned(),
        (0, gone) => format!("{} out", count(gone, "line")),
        (come, 0) => format!("{} in", count(come, "line")),
        (come, gone) => format!("{} in, {} out", count(come, "line"), grouped(gone)),
    }
}

fn sets(old: &[String], new: &[String], subject: impl Fn(&str) -> Subject) -> Vec<Change> {
    let change =
        |sign, name: &str| Change { sign, subject: subject(name), why: String::new(), tokens: 0 };
    let come = new.iter().filter(|name| !old.contains(name)).map(|name| change(Sign::In, name));
    let gone = old.iter().filter(|name| !new.contains(name)).map(|name| change(Sign::Out, name));
    come.chain(gone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::package::{Content, Form, Source};
    use crate::domain::{Component, ComponentKind, Tier};

    fn package(parts: &[(ComponentKind, &str)], tables: &[&str]) -> ContextPackage {
        let component = |(kind, text): &(ComponentKind, &str)| Component {
            kind: *kind,
            tier: Tier::High,
            origin: Source::Schema,
            included: !text.is_empty(),
            reason: "asks for it".into(),
            content: Content::Empty,
            text: (*text).into(),
            tokens: u32::try_from(text.len()).unwrap(),
            cut: Vec::new(),
        };
        ContextPackage {
            version: String::new(),
            generated_at: String::new(),
            components: parts.iter().map(component).collect(),
            tokens: 0,
            budget: 0,
            form: Form::Text,
            tables: tables.iter().map(|t| (*t).to_owned()).collect(),
            columns: Vec::new(),
            values: Vec::new(),
            join_path: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn told(before: &ContextPackage, after: &ContextPackage) -> Vec<String> {
        let line =
            |c: Change| format!("{} {} {} ({})", c.sign.mark(), c.subject.words(), c.why, c.tokens);
        package_changes(before, after).into_iter().map(line).collect()
    }

    #[test]
    fn what_came_in_went_out_and_changed_is_told_with_its_tokens() {
        use ComponentKind::{Business, Errors, Samples, Schema};
        let before =
            package(&[(Schema, "a\nb"), (Business, "rule"), (Samples, "s"), (Errors, "")], &["t"]);
        let after = package(
            &[(Schema, "a\nc\nd"), (Business, "rule"), (Samples, ""), (Errors, "err")],
            &["t", "u"],
        );
        assert_eq!(
            told(&before, &after),
            [
                "~ schema 2 lines in, 1 out (2)",
                "− samples asks for it (-1)",
                "+ errors asks for it (3)",
                "+ table u  (0)",
            ]
        );
        assert!(told(&before, &before).is_empty());
    }
}
