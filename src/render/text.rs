//! The text form: headed sections as S0 lays them out.

use std::fmt::Write;

use crate::domain::package::{BusinessContent, ErrorNote, RelationshipsContent};
use crate::domain::schema::KeyOrigin;
use crate::domain::{ComponentKind, Content, Example, ForeignKey, Metric};

use super::{figures, marked, tables};

/// Length of the rule under a header (S0-013).
const RULE: usize = 60;

/// Renders one component as text; empty content gives an empty text.
pub fn component(_kind: ComponentKind, content: &Content) -> String {
    match content {
        Content::Empty => String::new(),
        Content::Schema(schema) => headed("DATABASE SCHEMA CONTEXT:", &tables::schema(schema)),
        Content::Relationships(keys) => headed("TABLE RELATIONSHIPS:", &relationships(keys)),
        Content::Business(known) => headed("BUSINESS CONTEXT:", &business(known)),
        Content::Examples(pairs) => headed("QUERY EXAMPLES:", &examples(pairs)),
        Content::Samples(samples) => figures::samples(samples),
        Content::Statistics(columns) => figures::statistics(columns),
        Content::History(pairs) => headed("RECENT SUCCESSFUL QUERIES:", &history(pairs)),
        Content::Errors(notes) => headed("PREVIOUS ERRORS - AVOID THESE:", &errors(notes)),
    }
}

/// Puts a body under its header and rule; an empty body gives an empty text.
pub(super) fn headed(header: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!("{header}\n{}\n{body}", "=".repeat(RULE))
}

fn relationships(content: &RelationshipsContent) -> String {
    let mut text: String = content.keys.iter().map(|key| arrow(key) + "\n").collect();
    if let Some(pattern) = &content.pattern {
        let _ = writeln!(text, "Recommended join pattern:\n{pattern}");
    }
    for other in &content.alternatives {
        let _ = writeln!(text, "Another join pattern of the same length:\n{other}");
    }
    text
}

/// Writes a key as an arrow with its cardinality: `a.x -> b.y (n:1)`.
pub(super) fn arrow(key: &ForeignKey) -> String {
    let side = |table: &str, columns: &[String]| match columns {
        [column] => marked::line(&format!("{table}.{column}"), 200),
        _ => marked::line(&format!("{table}.({})", columns.join(", ")), 200),
    };
    let cardinality = if key.one_to_one { "1:1" } else { "n:1" };
    let inferred = match &key.origin {
        KeyOrigin::Declared => String::new(),
        KeyOrigin::Told(why) if why.is_empty() => ", told by people".to_owned(),
        KeyOrigin::Told(why) => format!(", told by people: {}", marked::line(why, 120)),
        KeyOrigin::Inferred(why) if why.is_empty() => ", inferred".to_owned(),
        KeyOrigin::Inferred(why) => format!(", inferred: {}", marked::line(why, 120)),
    };
    let from = side(&key.from_table, &key.from_columns);
    let to = side(&key.to_table, &key.to_columns);
    format!("{from} -> {to} ({cardinality}{inferred})")
}

fn business(content: &BusinessContent) -> String {
    let mut text = String::new();
    if !content.domain.is_empty() {
        let _ = writeln!(text, "Domain: {}", content.domain);
    }
    if !content.rules.is_empty() {
        text.push_str("Business Rules:\n");
        for (n, rule) in content.rules.iter().enumerate() {
            let _ = writeln!(text, "{}. {rule}", n + 1);
        }
    }
    if !content.metrics.is_empty() {
        text.push_str("Common Metrics:\n");
        for metric in &content.metrics {
            let _ = writeln!(text, "- {}", metric_line(metric));
        }
    }
    if !content.words.is_empty() {
        text.push_str("Words of the question:\n");
        for (word, name) in &content.words {
            let _ = writeln!(text, "- \"{word}\" stands for {name}");
        }
    }
    if !content.conventions.is_empty() {
        text.push_str("Naming Conventions:\n");
        for convention in &content.conventions {
            let _ = writeln!(text, "- {convention}");
        }
    }
    if let Some(evidence) = &content.evidence {
        let _ = writeln!(text, "Evidence given with the question:\n{evidence}");
    }
    text
}

fn metric_line(metric: &Metric) -> String {
    let mut line = format!("{}: {}", metric.name, metric.formula);
    if let Some(filter) = &metric.filter {
        let _ = write!(line, " (only rows where {filter})");
    }
    if !metric.meaning.is_empty() {
        let _ = write!(line, " -- {}", metric.meaning);
    }
    if let Some(grain) = &metric.grain {
        let _ = write!(line, " [grain: {grain}]");
    }
    if !metric.approved {
        line.push_str(" [a draft: nobody approved it yet]");
    }
    line
}

fn examples(pairs: &[Example]) -> String {
    let mut text = String::new();
    for (n, pair) in pairs.iter().enumerate() {
        let (question, sql) = (one_line(&pair.question), pair.sql.trim());
        let _ = writeln!(text, "Example {}:\nQuestion: {question}\nSQL: {sql}", n + 1);
    }
    text
}

fn history(pairs: &[Example]) -> String {
    let mut text = String::new();
    for (n, pair) in pairs.iter().enumerate() {
        let question = one_line(&pair.question).replace('"', "'");
        let sql = pair.sql.trim().replace('\n', "\n   ");
        let _ = writeln!(text, "{}. \"{question}\" ->\n   {sql}", n + 1);
    }
    text
}

fn errors(notes: &[ErrorNote]) -> String {
    let mut text = String::new();
    for (n, note) in notes.iter().enumerate() {
        let _ = writeln!(text, "{}. Error: {}", n + 1, one_line(&note.error));
        for (label, words) in [("Cause", &note.cause), ("Fix", &note.fix)] {
            if !words.is_empty() {
                let _ = writeln!(text, "   {label}: {}", one_line(words));
            }
        }
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> String {
        "=".repeat(60)
    }

    fn pair(question: &str, sql: &str) -> Example {
        Example {
            question: question.to_owned(),
            sql: sql.to_owned(),
            verified_by: "Ada".to_owned(),
            verified_at: String::new(),
            run: None,
        }
    }

    fn key(from: &str, column: &str, to: &str, one_to_one: bool) -> ForeignKey {
        ForeignKey {
            from_table: from.to_owned(),
            from_columns: vec![column.to_owned()],
            to_table: to.to_owned(),
            to_columns: vec![column.to_owned()],
            origin: KeyOrigin::Declared,
            one_to_one,
        }
    }

    #[test]
    fn relationships_read_as_the_source_lays_them_out() {
        let mut inferred = key("orders", "product_id", "products", true);
        inferred.origin = KeyOrigin::Inferred("same name".to_owned());
        let content = RelationshipsContent {
            keys: vec![key("orders", "customer_id", "customers", false), inferred],
            pattern: Some("SELECT * FROM orders o".to_owned()),
            alternatives: Vec::new(),
        };
        let right = format!(
            "TABLE RELATIONSHIPS:\n{}\norders.customer_id -> customers.customer_id (n:1)\n\
             orders.product_id -> products.product_id (1:1, inferred: same name)\n\
             Recommended join pattern:\nSELECT * FROM orders o\n",
            rule()
        );
        let content = Content::Relationships(content);
        assert_eq!(component(ComponentKind::Relationships, &content), right);
    }

    #[test]
    fn business_reads_as_the_source_lays_it_out() {
        let content = BusinessContent {
            domain: "Sales Analytics".to_owned(),
            rules: vec!["Fiscal year = calendar year".to_owned()],
            rules_in_all: 1,
            metrics: vec![Metric {
                name: "revenue_per_unit".to_owned(),
                formula: "revenue / NULLIF(units_sold, 0)".to_owned(),
                approved: true,
                ..Metric::default()
            }],
            words: vec![("turnover".to_owned(), "revenue_per_unit".to_owned())],
            conventions: vec!["Always alias aggregates".to_owned()],
            evidence: None,
        };
        let right = format!(
            "BUSINESS CONTEXT:\n{}\nDomain: Sales Analytics\nBusiness Rules:\n\
             1. Fiscal year = calendar year\nCommon Metrics:\n\
             - revenue_per_unit: revenue / NULLIF(units_sold, 0)\n\
             Words of the question:\n- \"turnover\" stands for revenue_per_unit\n\
             Naming Conventions:\n- Always alias aggregates\n",
            rule()
        );
        assert_eq!(component(ComponentKind::Business, &Content::Business(content)), right);
    }

    #[test]
    fn pairs_and_errors_read_as_the_source_lays_them_out() {
        let pairs = vec![pair("What is total revenue?", "SELECT SUM(revenue)\nFROM sales;")];
        let told = component(ComponentKind::Examples, &Content::Examples(pairs.clone()));
        let right = "\nExample 1:\nQuestion: What is total revenue?\nSQL: SELECT SUM(revenue)\nFROM sales;\n";
        assert_eq!(told, format!("QUERY EXAMPLES:\n{}{right}", rule()));
        let told = component(ComponentKind::History, &Content::History(pairs));
        let right = "\n1. \"What is total revenue?\" ->\n   SELECT SUM(revenue)\n   FROM sales;\n";
        assert_eq!(told, format!("RECENT SUCCESSFUL QUERIES:\n{}{right}", rule()));
        let note = ErrorNote {
            error: "no such column: x".to_owned(),
            cause: "it does not exist".to_owned(),
            fix: "use price_cents".to_owned(),
        };
        let told = component(ComponentKind::Errors, &Content::Errors(vec![note]));
        let right =
            "\n1. Error: no such column: x\n   Cause: it does not exist\n   Fix: use price_cents\n";
        assert_eq!(told, format!("PREVIOUS ERRORS - AVOID THESE:\n{}{right}", rule()));
    }

    #[test]
    fn nothing_to_say_gives_no_header() {
        assert_eq!(component(ComponentKind::Examples, &Content::Examples(Vec::new())), "");
        assert_eq!(component(ComponentKind::Samples, &Content::Empty), "");
    }
}
