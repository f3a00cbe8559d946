//! The report as a chart: shares of right answers, a bar each, on a scale to 100.

use crate::chart::{Figure, Kind, Pick, Proposal, Sheet, figure};
use crate::domain::{ResultColumn, Value};

use super::super::measure::{Evaluation, Measured};
use super::float;

/// What a chart shows: its title, the names of its numbers, and its rows.
struct Drawn {
    title: String,
    numbers: Vec<&'static str>,
    rows: Vec<(String, Vec<Option<f64>>)>,
}

/// Makes the figure: what each component is worth where that was measured, else the models.
pub fn chart(evaluation: &Evaluation) -> Figure {
    let ablated = evaluation.measured.iter().find(|measured| measured.ablated.len() > 1);
    let drawn = ablated.map_or_else(|| models(evaluation), settings);
    let column = |name: &str, data_type: &str| ResultColumn {
        name: name.to_owned(),
        data_type: data_type.to_owned(),
        origin: None,
        unit: None,
    };
    let mut columns = vec![column("setting", "text")];
    columns.extend(drawn.numbers.iter().map(|name| column(name, "real")));
    let rows: Vec<Vec<Value>> = drawn
        .rows
        .into_iter()
        .map(|(label, numbers)| {
            let cells = numbers.into_iter().map(|n| n.map_or(Value::Null, Value::Real));
            std::iter::once(Value::Text(label)).chain(cells).collect()
        })
        .collect();
    let ys = (1..=drawn.numbers.len()).collect();
    let pick = Pick { x: Some(0), ys, split: None };
    let proposal = Proposal { kind: Kind::HorizontalBars, fit: 100, reason: String::new(), pick };
    let figure = figure(&Sheet::of(&columns, &rows), &proposal);
    let notes = notes(evaluation);
    Figure {
        title: drawn.title,
        x_name: "setting".to_owned(),
        y_name: "right answers, %".to_owned(),
        // all charts of all runs have one scale: they can be laid side by side
        y: (0.0, 100.0),
        notes,
        ..figure
    }
}

fn notes(evaluation: &Evaluation) -> Vec<String> {
    let mut notes = Vec::new();
    if evaluation.cancelled {
        notes.push("stopped early: a part of the questions".to_owned());
    }
    if !evaluation.unscored.is_empty() {
        notes.push(format!("{} not scored", evaluation.unscored.len()));
    }
    notes
}

/// A share in hundred, to a tenth.
fn share(hits: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| (float(hits) / float(of) * 1_000.0).round() / 10.0)
}

fn models(evaluation: &Evaluation) -> Drawn {
    // only a recording has a loop without us
    let looped = evaluation.measured.iter().any(|measured| measured.score.bare.is_some());
    let row = |measured: &Measured| {
        let score = &measured.score;
        let n = score.questions;
        let mut numbers = vec![share(score.first.right, n)];
        if looped {
            numbers.push(score.bare.as_ref().and_then(|bare| share(bare.right, n)));
        }
        numbers.push(share(score.right, n));
        (measured.subject.name.clone(), numbers)
    };
    let names: &[&'static str] = if looped {
        &["first answer", "bare loop", "querent"]
    } else {
        &["first answer", "querent"]
    };
    Drawn {
        title: format!("Right answers to {}", evaluation.sets.join(", ")),
        numbers: names.to_vec(),
        rows: evaluation.measured.iter().map(row).collect(),
    }
}

fn settings(measured: &Measured) -> Drawn {
    let rows = measured.ablated.iter().filter_map(|ablated| {
        let score = ablated.score.as_ref()?;
        let n = score.questions;
        let numbers = vec![share(score.right, n), share(score.right_at_once, n)];
        Some((ablated.setting.name.clone(), numbers))
    });
    Drawn {
        title: format!("What components are worth to {}", measured.subject.name),
        numbers: vec!["right", "right at first attempt"],
        rows: rows.collect(),
    }
}
