//! Names and values found by words: splits, stems, typos, ranking.
//!
//! What belongs here: comparing words with names and stored values. What must never come: what a
//! question wants, SQL.
