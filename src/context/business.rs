//! The business component: domain, rules, metrics, conventions, evidence (S0-021 to S0-026).

use crate::domain::knowledge::Rule;
use crate::domain::package::BusinessContent;
use crate::domain::{Content, LinkTarget, Metric, QuestionKind};

use super::scene::{Scene, same};
use super::selection::Verdict;
use super::{Proposal, words};

/// Most metrics told that the question doesn't name but that belong to its tables.
const MOST_NEARBY: usize = 5;

/// Longest evidence, in characters.
const EVIDENCE_LENGTH: usize = 4_000;

/// Proposes what people know that applies to the question.
pub(super) fn propose(scene: &Scene<'_>) -> Proposal {
    let known = scene.knowledge;
    let mut cut = Vec::new();
    let rules: Vec<String> =
        known.rules.iter().filter(|rule| applies(scene, rule)).map(|r| r.text.clone()).collect();
    let content = BusinessContent {
        domain: known.domain.clone(),
        rules_in_all: known.rules.len(),
        rules,
        metrics: metrics(scene),
        conventions: known.conventions.clone(),
        evidence: evidence(scene, &mut cut),
    };
    let rules_in_all =
        BusinessContent { rules_in_all: content.rules_in_all, ..BusinessContent::default() };
    if content == rules_in_all {
        return Proposal::nothing(if known.source.is_empty() {
            "none known"
        } else {
            "none applies"
        });
    }
    Proposal { content: Content::Business(content), verdict: Verdict::is_in("always told"), cut }
}

/// Tells whether a rule is about a table or column of the question, or about everything.
fn applies(scene: &Scene<'_>, rule: &Rule) -> bool {
    let about = scene.told_about();
    if rule.about.is_empty() || about.is_empty() {
        return true;
    }
    rule.about.iter().any(|name| {
        let table = name.split_once('.').map_or(name.as_str(), |(table, _)| table);
        about.iter().chain(&scene.linked).any(|t| same(t, table))
    })
}

/// Lists metrics: linked or named ones first, then some of the question's tables when it asks for
/// figures.
fn metrics(scene: &Scene<'_>) -> Vec<Metric> {
    let all = &scene.knowledge.metrics;
    let mut told: Vec<&Metric> = all.iter().filter(|metric| is_meant(scene, metric)).collect();
    let figures = scene.request.understanding.kinds.iter().any(|(kind, _)| {
        matches!(kind, QuestionKind::Aggregation | QuestionKind::Growth | QuestionKind::Ranking)
    });
    if figures {
        let about = scene.told_about();
        let near = |metric: &&Metric| {
            !metric.tables.is_empty()
                && metric.tables.iter().all(|t| about.iter().any(|a| same(a, t)))
        };
        let nearby: Vec<&Metric> =
            all.iter().filter(near).filter(|m| !told.contains(m)).take(MOST_NEARBY).collect();
        told.extend(nearby);
    }
    told.into_iter().cloned().collect()
}

fn is_meant(scene: &Scene<'_>, metric: &Metric) -> bool {
    let linked = scene
        .request
        .understanding
        .links
        .iter()
        .any(|link| matches!(&link.target, LinkTarget::Metric(name) if *name == metric.name));
    let named = |name: &String| words::holds(&scene.stems, &words::stems(name));
    linked || named(&metric.name) || metric.synonyms.iter().any(named)
}

fn evidence(scene: &Scene<'_>, cut: &mut Vec<String>) -> Option<String> {
    let evidence = scene.request.question.evidence.as_deref()?.trim();
    if evidence.chars().count() > EVIDENCE_LENGTH {
        cut.push(format!("evidence after {EVIDENCE_LENGTH} characters"));
    }
    let short: String = evidence.chars().take(EVIDENCE_LENGTH).collect();
    Some(short).filter(|text| !text.is_empty())
}
