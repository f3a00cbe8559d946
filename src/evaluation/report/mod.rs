//! The report of an evaluation: the same figures as Markdown, as JSON, and as a chart.
//!
//! What belongs here: figures in, text out. What must never come: files, terminals, adding up.
//! To add a figure: a row in `markdown`, a field in `json`; fields are never renamed or dropped
//! without a new [`json::VERSION`].

pub mod chart;
pub mod json;
pub mod markdown;
mod table;

use super::paired::{Difference, Share};

/// Writes a share of a whole: `75.5 %`; `–` when there is no whole.
fn percent(hits: usize, of: usize) -> String {
    if of == 0 { "–".to_owned() } else { in_hundred(float(hits) / float(of)) }
}

fn in_hundred(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Writes an interval: `71.2 to 79.4 %`.
fn interval(share: &Share) -> String {
    format!("{:.1} to {:.1} %", share.low * 100.0, share.high * 100.0)
}

/// Writes a difference in points with its sign and interval: `−3.1 (−5.0 to −1.2)`.
fn points(difference: &Difference) -> String {
    let signed = |n: f64| {
        let text = format!("{:.1}", (n * 100.0).abs());
        // what rounds to nothing has no sign
        let sign = if text == "0.0" {
            ""
        } else if n < 0.0 {
            "−"
        } else {
            "+"
        };
        format!("{sign}{text}")
    };
    let (low, high) = (signed(difference.low), signed(difference.high));
    format!("{} ({low} to {high})", signed(difference.difference))
}

fn mean(sum: u64, of: usize) -> f64 {
    if of == 0 { 0.0 } else { float(sum) / float(of) }
}

#[expect(clippy::cast_precision_loss, reason = "counts and sums of a report")]
fn float(n: impl TryInto<u64>) -> f64 {
    n.try_into().unwrap_or(u64::MAX) as f64
}

/// Rounds a share for a report: seven digits hold every count below ten million.
fn rounded(n: f64) -> f64 {
    (n * 1e7).round() / 1e7
}
