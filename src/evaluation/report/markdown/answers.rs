//! The table that matters: the first answer, the loop without us, and what the person got.

use std::fmt::Write;

use crate::domain::counts::grouped;

use super::super::super::measure::Measured;
use super::super::super::paired;
use super::super::super::score::{BareTally, Score, Tally};
use super::super::json::{against_bare, changed};
use super::super::table::Table;
use super::super::{interval, mean, percent, points};

/// Writes the table and how to read it.
pub(super) fn write(out: &mut String, measured: &Measured) {
    let mut table = Table::new(&["", "first answer", "bare loop", "querent"]);
    for (name, first, bare, ours) in rows(measured) {
        table.row([name.to_owned(), first, bare, ours]);
    }
    table.write(out);
    out.push_str(
        "\nRight: the rows of a gold result, in any order, numbers to 9 digits. First answer: as it \
         came.\n",
    );
    explain(out, &measured.score);
}

/// A row: its name, then first answer, bare loop, querent.
type Row = (&'static str, String, String, String);

fn rows(measured: &Measured) -> Vec<Row> {
    let (score, n) = (&measured.score, measured.score.questions);
    let first = &score.first;
    let (broken, fixed) = changed(&measured.scored);
    let share = |hits: usize| format!("{} · {}", grouped(hits), percent(hits, n));
    let bounds = |hits: usize| interval(&paired::share(hits, n));
    let per_question = |sum: usize| format!("{:.2}", mean(sum as u64, n));
    let none = || "–".to_owned();
    // the loop without us can only be told of a recording
    let bare = |figure: fn(&BareTally) -> usize, write: &dyn Fn(usize) -> String| {
        score.bare.as_ref().map_or_else(none, |bare| write(figure(bare)))
    };
    vec![
        (
            "right (execution accuracy)",
            share(first.right),
            bare(|b| b.right, &share),
            share(score.right),
        ),
        ("95 % interval", bounds(first.right), bare(|b| b.right, &bounds), bounds(score.right)),
        (
            "right in any order of columns",
            share(first.right_in_any_order),
            bare(|b| b.right_in_any_order, &share),
            share(score.right_in_any_order),
        ),
        ("gives rows", share(first.ran), bare(|b| b.ran, &share), share(score.answered)),
        ("fixed (wrong → right)", none(), bare(|b| b.fixed, &grouped), grouped(fixed)),
        ("broken (right → wrong)", none(), bare(|b| b.broken, &grouped), grouped(broken)),
        ("right at the first attempt", share(first.right), none(), share(score.right_at_once)),
        (
            "attempts, mean",
            "1.00".to_owned(),
            bare(|b| b.attempts, &per_question),
            per_question(score.attempts.0),
        ),
    ]
}

fn explain(out: &mut String, score: &Score) {
    if score.bare.is_some() {
        let against = against_bare(score);
        out.push_str(
            "Bare loop: the engine's error alone is fed back until an answer runs; nothing is \
             mended or doubted.\n",
        );
        let _ = writeln!(
            out,
            "Querent less bare loop: {} points, p {:.3}; right only there {}, only here {}.",
            points(&against),
            against.p,
            against.lost,
            against.won
        );
    }
    if score.row_order.of > 0 {
        let Tally { of, right } = score.row_order;
        let _ =
            writeln!(out, "Right answers where the gold orders rows: {of}; in its order: {right}.");
    }
}
