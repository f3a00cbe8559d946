//! The business component: domain, rules, metrics, words, conventions, evidence (S0-021 to S0-026).

use crate::domain::knowledge::Rule;
use crate::domain::package::BusinessContent;
use crate::domain::{ColumnRef, Content, LinkTarget, Metric, QuestionKind};

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
        words: words_of_the_question(scene),
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

/// Tells whether a rule applies: always, or because what it is about is in question.
fn applies(scene: &Scene<'_>, rule: &Rule) -> bool {
    let about = scene.told_about();
    rule.about.is_empty() || rule.about.iter().any(|name| is_in_question(scene, &about, name))
}

/// Tells whether a table, column or metric is in question: a table the question is about or has a
/// link to, a column of the former or with a link of its own. A table that only holds some linked
/// column is none, or a word that fits many columns would bring the rules of all. Where the question
/// is tied to nothing, all that is told is in question.
fn is_in_question(scene: &Scene<'_>, about: &[String], name: &str) -> bool {
    if let Some(metric) = scene.knowledge.metrics.iter().find(|m| m.name == *name) {
        return is_meant(scene, metric);
    }
    let linked = |target: &LinkTarget| match target {
        LinkTarget::Table(table) => same(table, name),
        LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => {
            same(&at.to_string(), name)
        }
        LinkTarget::Metric(_) => false,
    };
    if scene.request.understanding.links.iter().any(|link| linked(&link.target)) {
        return true;
    }
    // a table's name may hold a point itself
    let table = name.rsplit_once('.').map_or(name, |(table, _)| table);
    let is = |told: &String| same(told, table) || same(told, name);
    if about.is_empty() {
        scene.kept.tables.iter().any(|table| is(&table.name))
    } else {
        about.iter().any(is)
    }
}

/// Lists what people call things in other words, as far as the question uses those words.
fn words_of_the_question(scene: &Scene<'_>) -> Vec<(String, String)> {
    let used = |(word, name): &&(String, String)| {
        let at = name.rsplit_once('.').map(|(table, column)| ColumnRef::new(table, column));
        let told = at.is_none_or(|at| !scene.withheld.hides_name(&at.table, &at.column));
        told && words::holds(&scene.stems, &words::stems(word))
    };
    scene.knowledge.synonyms.iter().filter(used).cloned().collect()
}

/// Lists metrics: linked or named ones, else some of the question's tables when it asks for
/// figures.
fn metrics(scene: &Scene<'_>) -> Vec<Metric> {
    let all = &scene.knowledge.metrics;
    let mut told: Vec<&Metric> = all.iter().filter(|metric| is_meant(scene, metric)).collect();
    let figures = scene.request.understanding.kinds.iter().any(|(kind, _)| {
        matches!(kind, QuestionKind::Aggregation | QuestionKind::Growth | QuestionKind::Ranking)
    });
    // a question that names its metric needs no others
    if figures && told.is_empty() {
        let about = scene.told_about();
        let near = |metric: &&Metric| {
            !metric.tables.is_empty()
                && metric.tables.iter().all(|t| about.iter().any(|a| same(a, t)))
        };
        let mut nearby: Vec<&Metric> =
            all.iter().filter(near).filter(|m| !told.contains(m)).collect();
        nearby.sort_by_cached_key(|metric| std::cmp::Reverse(likeness(scene, metric)));
        told.extend(nearby.into_iter().take(MOST_NEARBY));
    }
    told.into_iter().cloned().collect()
}

/// Counts the question's words that a metric's name, meaning and other words hold.
fn likeness(scene: &Scene<'_>, metric: &Metric) -> usize {
    let texts = metric.synonyms.iter().chain([&metric.name, &metric.meaning]);
    let known: Vec<String> = texts.flat_map(|text| words::stems(text)).collect();
    scene.stems.iter().filter(|stem| stem.len() > 2 && known.contains(stem)).count()
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
