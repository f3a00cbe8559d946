//! Tells a question that reads from one that would change data, is off the subject, or says nothing.

use crate::domain::{Intent, Link};
use crate::search::english::is_filler;
use crate::search::{Token, TokenKind};

/// Verbs that order a change when a sentence begins with them.
const WRITE_VERBS: &[&str] = &[
    "add",
    "alter",
    "append",
    "cancel",
    "change",
    "clear",
    "create",
    "delete",
    "drop",
    "erase",
    "grant",
    "insert",
    "modify",
    "overwrite",
    "purge",
    "put",
    "remove",
    "rename",
    "replace",
    "reset",
    "revoke",
    "set",
    "truncate",
    "update",
    "upsert",
    "wipe",
];

/// Words before an order that don't change it.
const LEADS: &[&str] = &[
    "please", "now", "then", "just", "can", "could", "would", "will", "you", "i", "want", "need",
    "like", "to", "us", "me", "kindly", "go", "and", "also", "let", "lets", "we", "should", "must",
    "help", "ahead", "d",
];

/// Orders that begin like a change but only ask to be shown something.
const READ_AFTER: &[(&str, &[&str])] = &[
    ("add", &["up", "together"]),
    ("create", &["list", "report", "table", "chart", "summary", "overview", "ranking"]),
    ("put", &["together", "in"]),
    ("set", &["out"]),
    ("change", &["in", "of", "between", "over"]),
    ("cancel", &["rate", "rates"]),
];

/// Phrases that no database of facts answers.
const OFF_TOPIC: &[&str] = &[
    "who are you",
    "what are you",
    "your name",
    "how are you",
    "tell me a joke",
    "tell a joke",
    "a joke",
    "a poem",
    "a story",
    "a song about",
    "the weather",
    "weather like",
    "recipe for",
    "a recipe",
    "good morning",
    "good evening",
    "hello",
    "thank you",
    "thanks",
    "meaning of life",
    "can you help me",
    "recommend",
    "translate",
    "write code",
    "in the news",
    "what can you do",
    "tips for",
    "love me",
    "sing a",
];

/// Sentences that say nothing by themselves.
const VAGUE: &[&str] = &[
    "show me something",
    "show something",
    "tell me something",
    "anything",
    "something",
    "data",
    "help",
    "show me the data",
    "show data",
    "show me data",
    "what",
    "why",
    "how",
    "test",
    "hi",
    "give me something",
    "what else",
    "more",
    "again",
    "go on",
    "and",
    "show me everything",
    "tell me more",
    "show me more",
];

/// Reads the intent, with the words that show it.
pub(super) fn intent(text: &str, tokens: &[Token], links: &[Link]) -> (Intent, String) {
    if let Some(words) = write_order(text, tokens) {
        return (Intent::Write, words);
    }
    let lower = plain(tokens);
    if lower.is_empty() || VAGUE.contains(&lower.as_str()) {
        return (Intent::Vague, lower);
    }
    let sure = links.iter().any(|link| link.score >= 0.8);
    if !sure && let Some(words) = OFF_TOPIC.iter().find(|words| has_phrase(&lower, words)) {
        return (Intent::OffTopic, (*words).to_owned());
    }
    let content = tokens.iter().any(|t| t.kind != TokenKind::Mark && !is_filler(&t.lower));
    if !content && links.is_empty() {
        return (Intent::Vague, lower);
    }
    (Intent::Read, String::new())
}

/// The words in lower case, marks left out.
fn plain(tokens: &[Token]) -> String {
    let words = tokens.iter().filter(|t| t.kind != TokenKind::Mark).map(|t| t.lower.as_str());
    words.collect::<Vec<_>>().join(" ")
}

fn has_phrase(text: &str, phrase: &str) -> bool {
    format!(" {text} ").contains(&format!(" {phrase} "))
}

/// Finds an order to change data at the start of a sentence, or SQL that does.
fn write_order(text: &str, tokens: &[Token]) -> Option<String> {
    let mut at_start = true;
    for (n, token) in tokens.iter().enumerate() {
        let ends =
            token.kind == TokenKind::Mark && [".", "!", "?", ";"].contains(&token.text.as_str());
        if ends {
            at_start = true;
        } else if at_start && WRITE_VERBS.contains(&token.lower.as_str()) {
            let rest = tokens.get(n + 1..).unwrap_or_default();
            if is_change(&token.lower, rest) {
                let end = tokens.get(n + 1).map_or(token.span.end, |t| t.span.end);
                return Some(text.get(token.span.start..end).unwrap_or("").to_owned());
            }
            at_start = false;
        } else if at_start
            && token.kind != TokenKind::Mark
            && !LEADS.contains(&token.lower.as_str())
        {
            at_start = false;
        }
    }
    None
}

fn is_change(verb: &str, rest: &[Token]) -> bool {
    let next = rest.iter().find(|t| !["a", "an", "the", "new", "me"].contains(&t.lower.as_str()));
    let Some(next) = next else { return false };
    let harmless = READ_AFTER
        .iter()
        .any(|(order, words)| *order == verb && words.contains(&next.lower.as_str()));
    // "Create a table of the top sellers" asks to be shown one; "create table x (" does not.
    let ddl = verb == "create"
        && rest.first().is_some_and(|t| t.lower == "table")
        && !rest
            .get(1)
            .is_some_and(|t| ["of", "with", "showing", "that"].contains(&t.lower.as_str()));
    ddl || !harmless
}
