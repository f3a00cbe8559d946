//! The plan that a model wrote with its SQL, as JSON.
//!
//! Models name things in many ways; what can't be read is left out, never refused.

use serde_json::Value as Json;

use crate::domain::plan::{Aggregate, Condition, Join, Measure, Order, Term};
use crate::domain::{ColumnRef, Plan};

/// Reads a plan from a model's JSON: strings become SQL terms and conditions; unknown fields are
/// ignored. None when it is no plan at all.
pub fn read(json: &Json) -> Option<Plan> {
    let json = field(json, &["plan"]).filter(|inner| inner.is_object()).unwrap_or(json);
    json.as_object()?;
    let named = texts(field(json, &["tables", "table", "from"]));
    let aliases = named.iter().filter_map(|text| alias(text)).collect::<Vec<_>>();
    let read = Names { aliases };
    let mut plan = Plan {
        grain: field(json, &["grain"]).and_then(text).unwrap_or_default(),
        tables: named.iter().map(|text| first_word(text).to_owned()).collect(),
        joins: list(field(json, &["joins", "join", "join_path"]))
            .filter_map(|j| read.join(j))
            .collect(),
        dimensions: terms(&read, field(json, &["dimensions", "dimension", "columns", "outputs"])),
        measures: list(field(json, &["measures", "measure", "metrics", "aggregations"]))
            .filter_map(|m| read.measure(m))
            .collect(),
        group_by: terms(&read, field(json, &["group_by", "groupby", "groups"])),
        filters: conditions(field(json, &["filters", "filter", "where", "conditions"])),
        having: conditions(field(json, &["having"])),
        order: list(field(json, &["order", "order_by", "orderby", "sort"]))
            .filter_map(|o| read.order(o))
            .collect(),
        limit: field(json, &["limit", "top"]).and_then(number),
        distinct: field(json, &["distinct"]).and_then(Json::as_bool).unwrap_or(false),
        assumptions: texts(field(json, &["assumptions", "assumption"])),
        ..Plan::default()
    };
    // A group that is put out is a dimension already.
    plan.group_by.retain(|term| !plan.dimensions.contains(term));
    for at in plan.joins.iter().flat_map(|join| &join.on).flat_map(|(a, b)| [a, b]) {
        if !plan.tables.iter().any(|table| table.eq_ignore_ascii_case(&at.table)) {
            plan.tables.push(at.table.clone());
        }
    }
    (plan != Plan::default()).then_some(plan)
}

/// What the plan calls its tables.
struct Names {
    /// Alias and table.
    aliases: Vec<(String, String)>,
}

impl Names {
    fn table(&self, written: &str) -> String {
        let found = self.aliases.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(written));
        found.map_or(written, |(_, table)| table).to_owned()
    }

    /// Reads `t.column`; none for anything else.
    fn column(&self, text: &str) -> Option<ColumnRef> {
        let (table, column) = text.trim().split_once('.')?;
        let (table, column) = (bare(table)?, bare(column)?);
        Some(ColumnRef::new(self.table(table), column))
    }

    fn term(&self, text: &str) -> Term {
        let text = text.trim();
        self.aggregate(text)
            .or_else(|| self.column(text).map(Term::Column))
            .unwrap_or_else(|| Term::Sql(text.to_owned()))
    }

    /// Reads `SUM(t.column)`, `COUNT(DISTINCT t.column)` and `COUNT(*)`.
    fn aggregate(&self, text: &str) -> Option<Term> {
        let (name, rest) = text.split_once('(')?;
        let inside = rest.strip_suffix(')')?.trim();
        let all =
            [Aggregate::Count, Aggregate::Sum, Aggregate::Avg, Aggregate::Min, Aggregate::Max];
        let function = all.into_iter().find(|a| a.sql().eq_ignore_ascii_case(name.trim()))?;
        let (distinct, inside) = match inside.get(..9) {
            Some(head) if head.eq_ignore_ascii_case("distinct ") => (true, inside.get(9..)?),
            _ => (false, inside),
        };
        let of = if inside == "*" { Term::Star } else { Term::Column(self.column(inside)?) };
        Some(Term::Aggregate { function, of: Box::new(of), distinct })
    }

    /// Reads `a.x = b.y`, perhaps several joined by AND, or an object that holds such a text.
    fn join(&self, json: &Json) -> Option<Join> {
        let words = said(json, &["on", "condition", "sql"]).or_else(|| {
            let side = |keys: &[&str]| field(json, keys).and_then(text);
            Some(format!("{} = {}", side(&["left", "from"])?, side(&["right", "to"])?))
        })?;
        let lower = words.to_ascii_lowercase();
        let kind = field(json, &["type", "join_type", "kind"]).and_then(text).unwrap_or_default();
        let outer = kind.to_ascii_lowercase().contains("left") || lower.starts_with("left ");
        // "… JOIN b ON a.x = b.y" says the condition behind ON.
        let condition = lower.find(" on ").and_then(|at| words.get(at + 4..)).unwrap_or(&words);
        let mut on = Vec::new();
        for part in split_words(condition, "and") {
            let (left, right) = part.split_once('=')?;
            on.push((self.column(left)?, self.column(right)?));
        }
        Some(Join { on, outer })
    }

    fn measure(&self, json: &Json) -> Option<Measure> {
        let words = said(json, &["sql", "expression", "expr", "term", "formula", "measure"])?;
        let (term, alias) = match split_alias(&words) {
            Some((term, alias)) => (term, alias),
            None => (words.clone(), String::new()),
        };
        let given = field(json, &["alias", "as", "name"]).and_then(text);
        let metric = field(json, &["metric"]).and_then(text);
        Some(Measure { term: self.term(&term), alias: given.unwrap_or(alias), metric })
    }

    fn order(&self, json: &Json) -> Option<Order> {
        let words = said(json, &["sql", "by", "term", "expression", "column"])?;
        let lower = words.to_ascii_lowercase();
        let direction =
            field(json, &["direction", "dir", "order"]).and_then(text).unwrap_or_default();
        let descending =
            lower.ends_with(" desc") || direction.to_ascii_lowercase().starts_with("desc");
        let term = [" desc", " asc"]
            .iter()
            .find_map(|end| lower.ends_with(end).then(|| words.get(..words.len() - end.len())))
            .flatten()
            .unwrap_or(&words);
        Some(Order { term: self.term(term), descending })
    }
}

fn terms(names: &Names, json: Option<&Json>) -> Vec<Term> {
    let words =
        list(json).filter_map(|j| said(j, &["sql", "column", "expression", "term", "name"]));
    words.map(|w| names.term(&split_alias(&w).map_or(w, |(term, _)| term))).collect()
}

fn conditions(json: Option<&Json>) -> Vec<Condition> {
    let words = list(json).filter_map(|j| said(j, &["sql", "condition", "expression", "filter"]));
    words.filter(|w| !w.is_empty()).map(Condition::Sql).collect()
}

/// Finds the value of the first of these keys, in any letter case.
fn field<'a>(json: &'a Json, keys: &[&str]) -> Option<&'a Json> {
    let object = json.as_object()?;
    let value = keys.iter().find_map(|key| {
        object.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value)
    });
    value.filter(|value| !value.is_null())
}

/// Reads one value or a list as a list.
fn list(json: Option<&Json>) -> impl Iterator<Item = &Json> {
    let (many, one) = match json {
        Some(Json::Array(items)) => (items.as_slice(), None),
        other => (&[][..], other),
    };
    many.iter().chain(one)
}

/// Reads the words of a text, or of an object that holds them under one of these keys.
fn said(json: &Json, keys: &[&str]) -> Option<String> {
    text(json).or_else(|| field(json, keys).and_then(text)).filter(|words| !words.is_empty())
}

fn text(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text.trim().to_owned()),
        Json::Number(number) => Some(number.to_string()),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

fn texts(json: Option<&Json>) -> Vec<String> {
    let words = list(json).filter_map(|j| said(j, &["name", "table", "text"]));
    words.filter(|w| !w.is_empty()).collect()
}

fn number(json: &Json) -> Option<u64> {
    json.as_u64().or_else(|| text(json)?.parse().ok())
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("").trim_matches(['"', '`', '[', ']'])
}

/// Reads `table AS t` or `table t`.
fn alias(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [table, alias] => Some(((*alias).to_owned(), (*table).to_owned())),
        [table, word, alias] if word.eq_ignore_ascii_case("as") => {
            Some(((*alias).to_owned(), (*table).to_owned()))
        }
        _ => None,
    }
}

/// Returns a plain name without quotes; none for an expression.
fn bare(text: &str) -> Option<&str> {
    let name = text.trim().trim_matches(['"', '`', '[', ']']);
    let quoted = name.len() < text.trim().len();
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || (quoted && c == ' '));
    (!name.is_empty() && plain).then_some(name)
}

/// Splits `term AS alias` at its last AS outside brackets.
fn split_alias(words: &str) -> Option<(String, String)> {
    let at = words.to_ascii_lowercase().rfind(" as ")?;
    let (term, alias) = (words.get(..at)?, words.get(at + 4..)?.trim());
    let whole = term.matches('(').count() == term.matches(')').count();
    let alias = bare(alias).filter(|_| whole)?;
    Some((term.trim().to_owned(), alias.to_owned()))
}

/// Splits a text at a word, in any letter case.
fn split_words<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let lower = text.to_ascii_lowercase();
    let separator = format!(" {word} ");
    let mut parts = Vec::new();
    let mut start = 0;
    while let Some(at) = lower.get(start..).and_then(|rest| rest.find(&separator)) {
        parts.extend(text.get(start..start + at));
        start += at + separator.len();
    }
    parts.extend(text.get(start..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_form_that_is_asked_for_is_read() {
        let plan = read(&json!({
            "grain": "one row per city", "tables": ["shops s", "cities AS c"],
            "joins": ["s.city_id = c.id"], "measures": ["SUM(s.sales) AS total"],
            "dimensions": ["c.name"], "filters": ["c.country = 'X'"], "order": ["total DESC"],
            "limit": 3, "assumptions": ["sales are net"]
        }))
        .unwrap();
        assert_eq!(plan.tables, ["shops", "cities"]);
        let on = (ColumnRef::new("shops", "city_id"), ColumnRef::new("cities", "id"));
        assert_eq!(plan.joins, [Join { on: vec![on], outer: false }]);
        assert_eq!(plan.measures[0].alias, "total");
        let of = Box::new(Term::Column(ColumnRef::new("shops", "sales")));
        let sum = Term::Aggregate { function: Aggregate::Sum, of, distinct: false };
        assert_eq!(plan.measures[0].term, sum);
        assert_eq!(plan.dimensions, [Term::Column(ColumnRef::new("cities", "name"))]);
        assert_eq!(plan.filters, [Condition::Sql("c.country = 'X'".to_owned())]);
        assert!(plan.order[0].descending);
        assert_eq!((plan.limit, plan.assumptions.len()), (Some(3), 1));
    }

    #[test]
    fn objects_single_values_and_nulls_are_read_too() {
        let plan = read(&json!({
            "tables": "a", "measures": [{"expression": "COUNT(*)", "alias": "n"}],
            "order_by": [{"column": "n", "direction": "descending"}], "limit": "5", "filters": null
        }))
        .unwrap();
        assert_eq!((plan.tables, plan.limit), (vec!["a".to_owned()], Some(5)));
        let count = Term::Aggregate {
            function: Aggregate::Count,
            of: Box::new(Term::Star),
            distinct: false,
        };
        assert_eq!(plan.measures[0].term, count);
        assert!(plan.order[0].descending);
    }

    #[test]
    fn what_is_no_plan_is_none() {
        assert_eq!(read(&json!({"sql": "SELECT 1"})), None);
        assert_eq!(read(&json!("a plan")), None);
    }
}
