//! The offline drafter: links → plan, by rules, no language model. It declines rather than guess.
//!
//! What belongs here: general English and the shape of schemas. What must never come: a name, value
//! or wording of a particular database. To add a rule: a steering word in `phrases`, a method in the
//! file of its kind (`outputs`, `tables`, `conditions`, `values`, `sizes`, `ranking`, `ellipsis`).
//!
//! Words become items (`items`), items are read from left to right into a sketch (`reader`), the
//! sketch is joined into a plan (`build`, `path`). Any word that stays unexplained declines.

mod build;
mod conditions;
mod cues;
mod ellipsis;
mod explained;
mod fillers;
mod filters;
mod finish;
mod items;
mod literals;
mod metrics;
mod outputs;
mod owners;
mod path;
mod periods;
mod phrases;
mod ranking;
mod reader;
mod schema;
mod sets;
mod sizes;
mod sketch;
mod steer;
mod sums;
pub mod sure;
mod tables;
mod values;
mod verbs;
mod words;

use crate::domain::{Facts, Plan, Question, Understanding};

/// What the rules made of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Ruled {
    /// A plan, and what was understood, in words.
    Plan(Box<Plan>, String),
    /// No plan: why, and what to do, as sentences.
    Declined {
        /// Why.
        reason: String,
        /// What to do.
        hint: String,
    },
}

/// Draws a plan for a question.
pub fn draw(question: &Question, understanding: &Understanding, facts: &Facts) -> Ruled {
    if understanding.links.is_empty() {
        return declined("No word of the question names a table, a column or a stored value.");
    }
    let mut schema = schema::Schema::new(facts);
    let items = items::items(&question.text, understanding);
    for item in &items {
        let best = item.column_score();
        let named = item.columns.iter().filter(|(_, s)| *s >= 0.6 && *s >= best - 0.02);
        schema.named.extend(named.map(|(column, _)| column.clone()));
    }
    let mut sketch = reader::Reader::new(&schema, &items).read();
    sums::count_people(&schema, &items, &mut sketch);
    sums::add_total(&schema, &items, &mut sketch);
    sums::settle(&schema, &items, &mut sketch);
    if !sketch.open.is_empty() {
        let mut open = sketch.open.clone();
        open.dedup();
        open.truncate(4);
        return declined(&format!("The rules can't explain: {}.", open.join("; ")));
    }
    match sets::build(&schema, &sketch) {
        Ok(plan) => {
            if let Some(left) = explained::left_out(&schema, &items, &sketch, &plan) {
                return declined(&format!("The rules can't explain: {left}."));
            }
            let words = words::words(&plan);
            Ruled::Plan(Box::new(plan), words)
        }
        Err(reason) => declined(&format!("The rules found no plan: {reason}.")),
    }
}

fn declined(reason: &str) -> Ruled {
    Ruled::Declined {
        reason: reason.to_owned(),
        hint: "Say it with the names of tables and columns, or set a model.".to_owned(),
    }
}
