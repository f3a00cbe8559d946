//! Rows as a chart: which kind suits them and why, their points, their axes, and the file.
//!
//! What belongs here: values in, a [`Figure`] out; screen and file draw the same figure. What must
//! never come: cells of a terminal, colours, reading of rows.
//! To add a kind: a variant of [`Kind`], a rule in `rules.rs` that says when it suits and in which
//! words, its points in `figure.rs`, its drawing in the face and in `export.rs`.
//!
//! **Invariant:** nothing is summed, rounded or left out silently. What isn't drawn is counted in
//! the figure's notes; what is written shorter than it is carries a `≈`.

mod bins;
pub mod dates;
pub mod export;
mod facts;
mod figure;
pub mod numbers;
mod points;
mod rules;
mod sheet;
#[cfg(test)]
mod tests;
pub mod ticks;

pub use facts::{Facts, Sort};
pub use figure::{Across, Figure, Point, Series, figure};
pub use rules::{Pick, Proposal, choose, choose_among};
pub use sheet::{Cell, MOST_ROWS, Sheet};

/// A kind of chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// One number, large.
    BigNumber,
    /// Points joined in the order of the axis.
    Line,
    /// Standing bars.
    Bars,
    /// Lying bars, with room for names.
    HorizontalBars,
    /// A mark for each pair of numbers.
    Scatter,
    /// How often each size occurs.
    Histogram,
    /// A small line for each number, in the order of the rows.
    Sparkline,
}

impl Kind {
    /// All kinds, in the order of their variants.
    pub const ALL: [Kind; 7] = [
        Kind::BigNumber,
        Kind::Line,
        Kind::Bars,
        Kind::HorizontalBars,
        Kind::Scatter,
        Kind::Histogram,
        Kind::Sparkline,
    ];

    /// Returns the kind's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::BigNumber => "big number",
            Kind::Line => "line",
            Kind::Bars => "bars",
            Kind::HorizontalBars => "lying bars",
            Kind::Scatter => "scatter",
            Kind::Histogram => "histogram",
            Kind::Sparkline => "sparkline",
        }
    }
}
