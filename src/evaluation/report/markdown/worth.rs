//! What each component is worth: a row for each setting.

use crate::domain::counts::grouped;

use super::super::super::measure::Measured;
use super::super::super::paired;
use super::super::super::score::Score;
use super::super::super::settings::Ablated;
use super::super::table::Table;
use super::super::{in_hundred, mean, percent, points};
use super::head;

/// Writes the table, if components were left out in turn.
pub(super) fn write(out: &mut String, measured: &Measured) {
    if measured.ablated.is_empty() {
        return;
    }
    head(out, 3, "What each component is worth");
    let heads = [
        "told",
        "in packages",
        "package tokens",
        "right",
        "at first attempt",
        "attempts to right",
        "difference, points",
        "p",
    ];
    let mut table = Table::new(&heads);
    for ablated in &measured.ablated {
        table.row(setting(ablated, &measured.score));
    }
    table.write(out);
    out.push_str(
        "\nDifference: right answers without it less right answers with all, over the same questions; \
         95 % interval by the adjusted Wald method for paired shares (Bonett and Price 2012); p by \
         McNemar's exact test, not corrected for the number of rows.\n",
    );
    if measured.subject.recorded {
        out.push_str(
            "A recording answers the same whatever it is told: only tokens can differ here. Name a \
             model to learn what a component is worth.\n",
        );
    } else if measured.subject.name == "rules" {
        out.push_str("The rules read the question and the database, not the package.\n");
    }
}

fn setting(ablated: &Ablated, all: &Score) -> Vec<String> {
    let without = &ablated.setting.without;
    let name = ablated.setting.name.clone();
    let packages = match without.iter().next() {
        Some(kind) if without.len() == 1 => {
            grouped(all.included.get(kind).copied().unwrap_or_default())
        }
        _ => String::new(),
    };
    let none = || "–".to_owned();
    let Some(score) = &ablated.score else {
        let same = "never in a package".to_owned();
        return vec![name, packages, none(), none(), none(), none(), same, none()];
    };
    let n = score.questions;
    let difference = ablated.difference.as_ref();
    vec![
        name,
        packages,
        format!("{:.0}", mean(score.package_tokens, n)),
        percent(score.right, n),
        in_hundred(paired::share(score.right_at_once, n).share),
        format!("{:.2}", mean(score.attempts.1 as u64, score.right)),
        difference.map_or_else(none, points),
        difference.map_or_else(none, |d| format!("{:.3}", d.p)),
    ]
}
