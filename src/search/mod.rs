//! Names and values found by words: splits, stems, typos, synonyms, ranking.
//!
//! What belongs here: comparing words with names and stored values. What must never come: what a
//! question wants, SQL. To add a general-English synonym or abbreviation: one entry in `synonyms` or `english`.

pub mod dates;
mod embedding;
pub mod english;
mod fit;
mod hits;
pub mod index;
pub mod names;
pub mod numerals;
pub mod relevance;
pub mod renew;
mod synonyms;
pub mod tokens;
pub mod typo;
pub mod values;
pub mod verbs;
pub mod written;

pub use hits::Hit;
pub use index::Index;
pub use tokens::{Token, TokenKind, tokenise};
