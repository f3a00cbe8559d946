//! Prompts and replies: a package and a question become turns, a reply becomes SQL and plan.
//!
//! What belongs here: filling the templates of `assets/prompts`, and reading replies robustly. What
//! must never come: sending, or facts that the package doesn't hold.

use serde_json::Value as Json;

use crate::domain::{ContextPackage, Dialect, Prompt, Question};

/// What a prompt is made from.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The question.
    pub question: &'a Question,
    /// The package.
    pub package: &'a ContextPackage,
    /// The dialect to write.
    pub dialect: Dialect,
    /// Date of asking, `YYYY-MM-DD`.
    pub today: &'a str,
    /// Former drafts of this run, oldest first: the SQL, and the note that was sent back: the
    /// exact errors, or a gate's hint.
    pub former: &'a [(String, String)],
}

/// Makes the prompt of the next draft: question / previous SQL / exact errors (S2-006).
pub fn draft(ask: &Ask<'_>) -> Prompt {
    Prompt { date: ask.today.to_owned(), ..Prompt::default() }
}

/// Makes the prompt that asks again for a reply of the right form.
pub fn again(former: &Prompt, _reply: &str, _why: &str) -> Prompt {
    former.clone()
}

/// What a reply says.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// SQL, with the plan as JSON where one came, and the prose around it.
    Sql {
        /// The SQL as written: only what fences or JSON wrapped is taken off.
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

/// Reads a reply: JSON, a fenced block, bare JSON, bare SQL.
pub fn read(_reply: &str) -> Reply {
    Reply::Broken("the reply is empty".to_owned())
}
