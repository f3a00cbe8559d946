//! Reading a reply, whatever its form: JSON, fenced parts, bare SQL, or a refusal.

use serde_json::Value as Json;

use super::{bare, fences, json};

/// What a reply says.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// SQL, with the plan as JSON where one came, and the prose around it.
    Sql {
        /// The SQL as written: only what fences, JSON or Markdown wrapped is taken off.
        sql: String,
        /// The plan as written.
        plan: Option<Json>,
        /// Everything else the reply says.
        note: String,
    },
    /// "cannot be answered, because …": the reason.
    Cannot(String),
    /// Nothing that can be used: why, in words.
    Broken(String),
}

/// Keys under which models put their SQL.
const SQL_KEYS: &[&str] =
    &["sql", "query", "sql_query", "corrected_sql", "corrected_sql_query", "final_sql"];
/// Keys under which models put a refusal.
const CANNOT_KEYS: &[&str] = &["cannot", "cannot_be_answered", "reason", "because", "error"];
/// Keys that show that an object is a plan.
const PLAN_KEYS: &[&str] =
    &["grain", "tables", "measures", "dimensions", "filters", "joins", "assumptions"];
/// Words before a block that say it replaces those before it.
const REPLACES: &[&str] = &["correct", "fixed", "final", "instead", "revised", "mended"];

/// Reads a reply: JSON, a fenced block, bare JSON, bare SQL.
pub fn read(reply: &str) -> Reply {
    let (thoughts, text) = split_thoughts(reply);
    if text.trim().is_empty() {
        return Reply::Broken("the reply is empty".to_owned());
    }
    let remark = bare::remark(text).and_then(refusal);
    if let Some(reason) = remark.or_else(|| refusal(text)) {
        return Reply::Cannot(reason);
    }
    let found = from_json(text)
        .or_else(|| from_cut_json(text))
        .or_else(|| from_fences(text))
        .or_else(|| from_tags(text))
        .or_else(|| from_bare(text));
    match found {
        Some(Reply::Sql { sql, .. }) if bare::remark(&sql).and_then(refusal).is_some() => {
            Reply::Cannot(bare::remark(&sql).and_then(refusal).unwrap_or_default())
        }
        Some(Reply::Sql { sql, plan, note }) => {
            Reply::Sql { sql, plan, note: joined(&[thoughts, &note]) }
        }
        Some(other) => other,
        None => anywhere_refused(text).map_or_else(|| broken(text), Reply::Cannot),
    }
}

/// Splits off what a reasoning model thought aloud in front of its reply.
fn split_thoughts(reply: &str) -> (&str, &str) {
    reply
        .split_once("</think>")
        .map_or(("", reply), |(thoughts, rest)| (thoughts.trim_start_matches("<think>"), rest))
}

fn broken(text: &str) -> Reply {
    let why = if json::object(text).is_some() {
        "the reply holds an object, but no SQL in it"
    } else if text.trim_start().starts_with(['{', '`']) {
        "the reply is cut off or its JSON can't be read"
    } else {
        "the reply holds no SQL"
    };
    Reply::Broken(why.to_owned())
}

/// Reads the sentence "cannot be answered, because …" at the start of a text.
fn refusal(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let head: String = text.chars().take(60).collect::<String>().to_lowercase();
    let starts = ["cannot be answered", "can't be answered", "can not be answered"];
    let before = starts.iter().find_map(|s| head.find(s))?;
    // "The question cannot be answered, because …" is one too; SQL or JSON before it is not.
    let is_first = head.get(..before)?.chars().all(|c| c.is_alphabetic() || c == ' ');
    let spoken_for =
        json::object(text).is_some_and(|(json, ..)| text_under(&json, SQL_KEYS).is_some());
    (is_first && !spoken_for).then(|| reason_of(text))
}

/// Finds the refusal in a reply that holds no SQL at all.
fn anywhere_refused(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let at = ["cannot be answered", "can't be answered"].iter().find_map(|s| lower.find(s))?;
    text.get(at..).map(reason_of)
}

/// Takes the reason out of a refusal: what stands behind "because", else all of it.
fn reason_of(text: &str) -> String {
    let lower = text.to_lowercase();
    let behind = lower.find("because").and_then(|at| text.get(at + "because".len()..));
    let reason = behind.unwrap_or(text).trim().trim_end_matches(['"', '`', '*', '}']).trim();
    reason.trim_start_matches([':', ',']).trim().to_owned()
}

/// Reads the structured form, bare or in a fence.
fn from_json(text: &str) -> Option<Reply> {
    let (json, before, after) = json::object(text)?;
    let plan = plan_of(&json);
    if let Some(sql) = text_under(&json, SQL_KEYS) {
        // The SQL inside the JSON may be fenced once more.
        let sql = match from_fences(&sql) {
            Some(Reply::Sql { sql, .. }) => sql,
            Some(Reply::Cannot(_) | Reply::Broken(_)) | None => sql.trim().to_owned(),
        };
        if let Some(reason) = refusal(&sql) {
            return Some(Reply::Cannot(reason));
        }
        let note = joined(&[unfenced(before), &remarks(&json), unfenced(after)]);
        return Some(Reply::Sql { sql: bare::without_markdown(&sql), plan, note });
    }
    let refused = text_under(&json, CANNOT_KEYS).filter(|_| plan.is_none());
    if let Some(reason) = refused.filter(|_| !bare::begins(unfenced(after))) {
        return Some(Reply::Cannot(refusal(&reason).unwrap_or(reason)));
    }
    None
}

/// Reads the whole members of an object that was cut off, if the SQL is one of them.
fn from_cut_json(text: &str) -> Option<Reply> {
    let (json, before) = json::cut(text)?;
    let sql = text_under(&json, SQL_KEYS)?;
    let note = joined(&[unfenced(before), &remarks(&json)]);
    Some(Reply::Sql { sql: bare::without_markdown(&sql), plan: plan_of(&json), note })
}

/// Reads SQL between tags: `<sql>SELECT …</sql>`.
fn from_tags(text: &str) -> Option<Reply> {
    let lower = text.to_ascii_lowercase();
    let tags = [("<sql>", "</sql>"), ("<query>", "</query>"), ("<sql_query>", "</sql_query>")];
    tags.iter().find_map(|(open, close)| {
        let start = lower.find(open)?;
        let inside = start + open.len();
        let end = lower.get(inside..)?.find(close).map_or(text.len(), |at| inside + at);
        let body = text.get(inside..end)?.trim();
        let sql = bare::begins(body).then(|| bare::without_markdown(body))?;
        let behind = text.get(end..)?;
        let behind = behind.get(close.len()..).unwrap_or("");
        let note = joined(&[text.get(..start)?, behind]);
        Some(Reply::Sql { sql, plan: None, note })
    })
}

/// Reads fenced parts: SQL in one block, the plan perhaps in another.
fn from_fences(text: &str) -> Option<Reply> {
    let blocks = fences::blocks(text);
    let mut chosen: Option<&fences::Block<'_>> = None;
    let mut plan = None;
    let mut end_of_former = 0;
    for block in &blocks {
        let before = text.get(end_of_former..block.start).unwrap_or("").to_lowercase();
        end_of_former = block.end;
        if let Some((json, ..)) = json::object(block.body).filter(|_| !bare::begins(block.body)) {
            plan = plan.or_else(|| plan_of(&json));
        } else if bare::begins(block.body)
            && (chosen.is_none() || REPLACES.iter().any(|word| before.contains(word)))
        {
            chosen = Some(block);
        }
    }
    let block = chosen.or_else(|| blocks.iter().find(|b| outside(b.body).is_some()))?;
    let (sql, inner) = match outside(block.body) {
        Some((before, sql, after)) if bare::begins(sql) => (sql, joined(&[before, after])),
        _ => (block.body, String::new()),
    };
    let around = [text.get(..block.start)?, &inner, text.get(block.end..)?];
    // A plan that stands outside fences, before the SQL.
    let plan = plan.or_else(|| json::object(around[0]).and_then(|(json, ..)| plan_of(&json)));
    Some(Reply::Sql { sql: bare::without_markdown(sql), plan, note: joined(&around) })
}

/// Splits a text at its first statement, unless that stands inside an object that can't be read:
/// a part of a reply's form is no SQL.
fn outside(text: &str) -> Option<(&str, &str, &str)> {
    bare::statement(text).filter(|(before, ..)| !json::is_open(before))
}

/// Reads SQL that stands in the text as it is.
fn from_bare(text: &str) -> Option<Reply> {
    let (before, sql, after) = outside(text)?;
    let plan = json::object(before).and_then(|(json, ..)| plan_of(&json));
    let note = joined(&[unfenced(before), unfenced(after)]);
    Some(Reply::Sql { sql: bare::without_markdown(sql), plan, note })
}

/// Finds the plan: the object under `plan`, or the object itself where it looks like one.
fn plan_of(json: &Json) -> Option<Json> {
    let object = json.as_object()?;
    if let Some(plan) = object.iter().find(|(key, _)| key.eq_ignore_ascii_case("plan")) {
        return Some(plan.1.clone()).filter(|plan| !plan.is_null());
    }
    object.keys().any(|key| PLAN_KEYS.contains(&key.to_lowercase().as_str())).then(|| json.clone())
}

/// Returns the first text under one of these keys that says something.
fn text_under(json: &Json, keys: &[&str]) -> Option<String> {
    let object = json.as_object()?;
    let text = keys.iter().find_map(|key| {
        let (_, value) = object.iter().find(|(name, _)| name.eq_ignore_ascii_case(key))?;
        value.as_str().map(str::trim).filter(|text| !text.is_empty())
    });
    text.map(str::to_owned)
}

/// Collects the other texts of a reply object: explanations, remarks.
fn remarks(json: &Json) -> String {
    let Some(object) = json.as_object() else { return String::new() };
    let other = object.iter().filter(|(key, _)| {
        let key = key.to_lowercase();
        !SQL_KEYS.contains(&key.as_str()) && !PLAN_KEYS.contains(&key.as_str())
    });
    let texts: Vec<&str> = other.filter_map(|(_, value)| value.as_str()).collect();
    joined(&texts)
}

/// Takes an opening or closing fence off the text beside a block.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_suffix("```json").or_else(|| text.strip_suffix("```")).unwrap_or(text);
    text.trim().trim_start_matches('`').trim()
}

fn joined(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().map(|p| p.trim()).filter(|p| !p.is_empty()).collect();
    parts.join("\n")
}
