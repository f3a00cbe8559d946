//! The business component: domain, rules, metrics, words, conventions, evidence (S0-021 to S0-026).

use crate::domain::knowledge::Rule;
use crate::domain::package::BusinessContent;
use crate::domain::{ColumnRef, Content, LinkTarget, Match, Metric, QuestionKind};

use super::advice::asks_for_ratio;
use super::privacy::identifiers;
use super::scene::{Scene, same};
use super::selection::Verdict;
use super::{Proposal, words};

/// Most metrics told that the question doesn't name whole.
const MOST_NEARBY: usize = 5;

/// Stems of words in metrics' names that say how a figure is taken, not of what.
const HOW_TAKEN: &[&str] =
    &["total", "avg", "averag", "mean", "number", "count", "sum", "of", "per", "the"];

/// Words of more than three letters that tie no rule to a question, as stems.
const SMALL: &[&str] = &[
    "about", "also", "been", "does", "each", "ever", "everi", "from", "have", "into", "list",
    "mani", "more", "most", "much", "only", "other", "over", "show", "than", "that", "them",
    "then", "there", "they", "this", "what", "when", "where", "which", "while", "whose", "with",
];

/// Longest evidence, in characters.
const EVIDENCE_LENGTH: usize = 4_000;

/// Proposes what people know that applies to the question.
pub(super) fn propose(scene: &Scene<'_>) -> Proposal {
    let known = scene.knowledge;
    let mut cut = Vec::new();
    let metrics = metrics(scene);
    let asked = Asked::of(scene, &metrics);
    let rules = known.rules.iter().filter(|rule| asked.applies(rule));
    let rules: Vec<String> = rules.map(|rule| rule.text.clone()).collect();
    let words = words_of_the_question(scene, &metrics);
    let content = BusinessContent {
        domain: known.domain.clone(),
        rules_in_all: known.rules.len(),
        rules,
        metrics,
        words,
        conventions: known.conventions.iter().filter(|c| applies(scene, c)).cloned().collect(),
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

/// Tells whether a convention applies: one of joins needs two tables, one of ratios a ratio, one
/// that names an ending of columns or tables one in question that ends so. All others do.
fn applies(scene: &Scene<'_>, convention: &str) -> bool {
    let stems = words::stems(convention);
    let mut words = convention.split(|c: char| !c.is_alphanumeric() && c != '_');
    let of_joins = words.any(|word| ["join", "joins"].contains(&word.to_lowercase().as_str()));
    if of_joins && scene.told_about().len() == 1 {
        return false;
    }
    if stems.iter().any(|stem| stem == "ratio") && !asks_for_ratio(scene) {
        return false;
    }
    let endings: Vec<&str> = convention
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.len() > 1 && word.starts_with('_'))
        .collect();
    let asked = |ending: &&str| {
        let ends = |name: &String| name.to_lowercase().ends_with(&ending.to_lowercase());
        let mut columns = scene.columns.keys().chain(scene.related.keys());
        columns.any(|at| ends(&at.column)) || scene.told_about().iter().any(ends)
    };
    endings.is_empty() || endings.iter().any(asked)
}

/// What is in question, for the choice of rules.
struct Asked<'s, 'a> {
    scene: &'s Scene<'a>,
    /// Tables that facts are told about.
    about: Vec<String>,
    /// Metrics that are told, and the stems of their names.
    metrics: &'s [Metric],
    names: Vec<Vec<String>>,
    /// Stems of the question's telling words.
    stems: Vec<&'s String>,
}

impl<'s, 'a> Asked<'s, 'a> {
    fn of(scene: &'s Scene<'a>, metrics: &'s [Metric]) -> Self {
        let about = scene.told_about();
        let tables: Vec<String> = about.iter().flat_map(|table| words::stems(table)).collect();
        let telling = |stem: &&String| {
            stem.len() > 3 && !tables.contains(stem) && !SMALL.contains(&stem.as_str())
        };
        let stems = scene.stems.iter().filter(telling).collect();
        let names = metrics.iter().map(|metric| words::stems(&metric.name)).collect();
        Asked { scene, about, metrics, names, stems }
    }

    /// Tells whether a rule applies: always, or because what it is about is in question.
    fn applies(&self, rule: &Rule) -> bool {
        rule.about.is_empty() || rule.about.iter().any(|name| self.is_in_question(name, rule))
    }

    /// Tells whether a table, column or metric is in question: a table the question is about or has
    /// a link to, a column with a link, or one of such a table that words of the question, a metric
    /// that is told, or the rule itself speak of. A table that only holds some linked column is
    /// none, or a word that fits many columns would bring the rules of all. Where the question is
    /// tied to nothing, all that is told is in question.
    fn is_in_question(&self, name: &str, rule: &Rule) -> bool {
        if let Some(metric) = self.scene.knowledge.metrics.iter().find(|m| m.name == *name) {
            return is_meant(self.scene, metric);
        }
        let linked = |target: &LinkTarget| match target {
            LinkTarget::Table(table) => same(table, name),
            LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => {
                same(&at.to_string(), name)
            }
            LinkTarget::Metric(_) => false,
        };
        if self.scene.request.understanding.links.iter().any(|link| linked(&link.target)) {
            return true;
        }
        // a table's name may hold a point itself
        let (table, column) = name.rsplit_once('.').unwrap_or((name, ""));
        let is = |told: &String| same(told, table) || same(told, name);
        if self.about.is_empty() {
            return self.scene.kept.tables.iter().any(|table| is(&table.name));
        }
        let at = ColumnRef::new(table, column);
        let is_table = column.is_empty() || self.about.iter().any(|told| same(told, name));
        self.about.iter().any(is) && (is_table || self.is_asked_of(&at) || self.speaks_of(rule))
    }

    /// Tells whether words of the question are tied to a column, or a metric that is told takes it.
    fn is_asked_of(&self, at: &ColumnRef) -> bool {
        let taken = |metric: &Metric| {
            let texts = metric.filter.iter().chain([&metric.formula]);
            let mut words = texts.flat_map(|text| identifiers(text));
            metric.tables.iter().any(|table| same(table, &at.table))
                && words.any(|(_, word)| same(word, &at.column))
        };
        let known =
            |known: &ColumnRef| same(&known.table, &at.table) && same(&known.column, &at.column);
        self.scene.columns.keys().any(known) || self.metrics.iter().any(taken)
    }

    /// Tells whether a rule names a metric that is told, says a word of the question that is no
    /// table's name, or speaks of growth where the question asks for it in whatever words.
    fn speaks_of(&self, rule: &Rule) -> bool {
        let said = words::stems(&rule.text);
        let kinds = &self.scene.request.understanding.kinds;
        let grows = kinds.iter().any(|(kind, _)| *kind == QuestionKind::Growth);
        self.names.iter().any(|name| words::holds(&said, name))
            || self.stems.iter().any(|stem| said.contains(stem))
            || (grows && said.iter().any(|stem| stem == "growth"))
    }
}

/// Lists what people call things in other words, as far as the question uses those words; those that
/// are part of what a metric is called mean nothing by themselves.
fn words_of_the_question(scene: &Scene<'_>, metrics: &[Metric]) -> Vec<(String, String)> {
    let said = |name: &&String| words::holds(&scene.stems, &words::stems(name));
    let called = metrics.iter().flat_map(|metric| {
        let name = words::stems(&metric.name);
        let other = metric.synonyms.iter().filter(|word| word.contains(' ')).filter(said);
        let other = other.filter(|word| words::stems(word) != name).collect::<Vec<_>>();
        other.into_iter().map(|word| (word.clone(), format!("the metric {}", metric.name)))
    });
    let called: Vec<(String, String)> = called.collect();
    let part_of_metric = |word: &str| {
        let part = words::stems(word);
        let names = metrics.iter().map(|metric| &metric.name).filter(said);
        let names = names.chain(called.iter().map(|(word, _)| word));
        names.map(|name| words::stems(name)).any(|name| words::holds(&name, &part))
    };
    let used = |(word, name): &&(String, String)| {
        let at = name.rsplit_once('.').map(|(table, column)| ColumnRef::new(table, column));
        let told = at.is_none_or(|at| !scene.withheld.hides_name(&at.table, &at.column));
        told && words::holds(&scene.stems, &words::stems(word)) && !part_of_metric(word)
    };
    let used: Vec<(String, String)> =
        scene.knowledge.synonyms.iter().filter(used).cloned().collect();
    called.into_iter().chain(used).collect()
}

/// Lists metrics: linked or named ones, else those nearly named when the question asks for figures.
fn metrics(scene: &Scene<'_>) -> Vec<Metric> {
    let all = &scene.knowledge.metrics;
    let mut told: Vec<&Metric> = all.iter().filter(|metric| is_meant(scene, metric)).collect();
    let figures = scene.request.understanding.kinds.iter().any(|(kind, _)| {
        matches!(kind, QuestionKind::Aggregation | QuestionKind::Growth | QuestionKind::Ranking)
    });
    // a question that names its metric needs no others
    if figures && told.is_empty() {
        let about = scene.told_about();
        let mut nearby: Vec<&Metric> =
            all.iter().filter(|metric| is_nearly_named(scene, metric, &about)).collect();
        nearby.sort_by_cached_key(|metric| std::cmp::Reverse(likeness(scene, metric)));
        told.extend(nearby.into_iter().take(MOST_NEARBY));
    }
    told.into_iter().cloned().collect()
}

/// Tells whether a metric is of the question's tables, and more than half of what its name says
/// beside theirs is said in the question.
fn is_nearly_named(scene: &Scene<'_>, metric: &Metric, about: &[String]) -> bool {
    let of_tables = metric.tables.iter().all(|table| about.iter().any(|a| same(a, table)));
    if metric.tables.is_empty() || !of_tables {
        return false;
    }
    let tables: Vec<String> = about.iter().flat_map(|table| words::stems(table)).collect();
    let says = |name: &String| {
        let mut words = words::stems(name);
        words.retain(|word| !HOW_TAKEN.contains(&word.as_str()) && !tables.contains(word));
        let said = words.iter().filter(|word| scene.stems.contains(word)).count();
        said > 0 && said * 2 > words.len()
    };
    says(&metric.name) || metric.synonyms.iter().any(says)
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
        .filter(|link| link.how < Match::Part)
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
