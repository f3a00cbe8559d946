//! What is sent to a model: a system text and the turns of a conversation.

use serde::{Deserialize, Serialize};

/// A whole request to a model, before a provider's form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Prompt {
    /// Who the model is and how it shall reply.
    pub system: String,
    /// The conversation; the first and last turn are the user's.
    pub turns: Vec<Turn>,
    /// The date that the texts state; left out of a cassette's key.
    pub date: String,
    /// Asks for another wording of the same: a temperature above 0, where the model takes one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub varied: bool,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

/// Who speaks in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// We, for the person.
    User,
    /// The model.
    Assistant,
}
