//! Tells a question that reads from one that would change data, is off the subject, or says nothing.

use crate::domain::links::Related;
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
pub(super) fn intent(
    text: &str,
    tokens: &[Token],
    links: &[Link],
    related: &Related,
) -> (Intent, String) {
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
    if let Some(words) = off_subject(tokens, &lower, links, related) {
        return (Intent::OffTopic, words);
    }
    (Intent::Read, String::new())
}

/// Beginnings of questions that want something explained or advised, not looked up.
const EXPLAINS: &[&str] = &[
    "how can",
    "how could",
    "how do",
    "how does",
    "how should",
    "how to",
    "why",
    "can you",
    "what are some",
    "what are the benefits",
    "what are the ethical",
    "what are the key",
    "what are the potential",
    "what are the steps",
    "what is the process",
    "what is the purpose",
    "what role",
    "is there a meaning",
    "explain",
    "should i",
    "should we",
];

/// Share of a question's words that the catalog must explain, least words that are judged so, and
/// the same where no word is tied to anything and they are the thing that is asked about.
const EXPLAINED: f32 = 0.2;
const FEWEST_WORDS: usize = 3;
const FEWEST_OF_THING: usize = 2;
/// The same of a question that wants an explanation.
const EXPLAINED_OF_EXPLAINING: f32 = 0.6;

/// Words that stand in English sentences and hardly in others.
const ENGLISH: &[&str] = &[
    "and", "any", "are", "be", "been", "can", "does", "each", "for", "from", "have", "how", "is",
    "of", "should", "that", "the", "there", "to", "what", "when", "where", "which", "who", "with",
];

/// Tells whether a question is in English: what it names is else not to be judged by its words.
fn is_english(tokens: &[Token]) -> bool {
    let is_one = |token: &&Token| ENGLISH.contains(&token.lower.as_str());
    let filler = tokens.iter().filter(|token| is_filler(&token.lower)).count();
    let words = tokens.iter().filter(|token| token.kind == TokenKind::Word).count();
    tokens.iter().any(|token| is_one(&token)) && filler >= 2 && filler * 5 >= words
}

/// Tells by which words a question is about something else than this database.
fn off_subject(tokens: &[Token], lower: &str, links: &[Link], related: &Related) -> Option<String> {
    if !is_english(tokens) {
        return None;
    }
    let explaining =
        EXPLAINS.iter().any(|start| format!("{lower} ").starts_with(&format!("{start} ")));
    let (needed, fewest) = match (explaining, links.is_empty() && of_unknown(tokens, related)) {
        (true, _) => (EXPLAINED_OF_EXPLAINING, 1),
        (false, true) => (EXPLAINED, FEWEST_OF_THING),
        (false, false) => (EXPLAINED, FEWEST_WORDS),
    };
    let off = related.explained < needed && related.unexplained.len() >= fewest;
    off.then(|| related.unexplained.join(", "))
}

/// Tells whether a question asks for a property of a thing of which nothing is known: "the price of
/// a swimming pool". Properties have the same names everywhere.
fn of_unknown(tokens: &[Token], related: &Related) -> bool {
    let Some(of) = tokens.iter().rposition(|token| token.lower == "of") else { return false };
    let thing = tokens.get(of + 1..).unwrap_or_default().iter();
    let mut words = thing.filter(|t| t.kind == TokenKind::Word && !is_filler(&t.lower)).peekable();
    words.peek().is_some() && words.all(|token| related.unexplained.contains(&token.text))
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
