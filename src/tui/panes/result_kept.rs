//! How results were looked at before: who comes back to one finds it as it was left.
//!
//! The trace cursor walks between results; order, filter, columns, place and chart of each are kept
//! here while another one is looked at. Rows are not kept: they are read again.

use crate::chart::Pick;
use crate::domain::ResultId;

use super::super::app::App;
use super::super::widgets::grid::Grid;
use super::result_chart::Charting;
use super::result_look::Looking;

/// Results whose look is kept; the one left longest ago goes first.
const KEPT: usize = 16;

/// Looks of results, the one left last at the end.
#[derive(Debug, Default)]
pub struct Looks {
    kept: Vec<(ResultId, Look)>,
}

/// How a result was looked at.
#[derive(Debug)]
struct Look {
    looking: Looking,
    grid: Grid,
    /// Columns and kind of its chart, where it was shown as one.
    chart: Option<(Pick, Option<crate::chart::Kind>)>,
}

impl Looks {
    fn keep(&mut self, result: ResultId, look: Look) {
        self.kept.retain(|(kept, _)| *kept != result);
        self.kept.push((result, look));
        let more = self.kept.len().saturating_sub(KEPT);
        self.kept.drain(..more);
    }

    fn take(&mut self, result: &ResultId) -> Option<Look> {
        let at = self.kept.iter().position(|(kept, _)| kept == result)?;
        Some(self.kept.remove(at).1)
    }
}

/// Turns to a result: as it was left, or as it came when it is new here.
pub(super) fn turn(app: &mut App, wanted: Option<&ResultId>) {
    if app.looking.of() == wanted {
        return;
    }
    if let Some(left) = app.looking.of().cloned() {
        let mut grid = std::mem::take(&mut app.grid);
        grid.put_by();
        let chart = app.chart.as_ref().map(|chart| (chart.own.clone(), chart.kind));
        let looking = std::mem::take(&mut app.looking).put_by();
        app.looking.find.clone_from(&looking.find);
        app.looks.keep(left, Look { looking, grid, chart });
    }
    let Some(look) = wanted.and_then(|wanted| app.looks.take(wanted)) else {
        app.looking.turn_to(wanted);
        return;
    };
    // what was looked for is often looked for again
    let find = std::mem::take(&mut app.looking.find);
    app.looking = look.looking;
    app.looking.find = find;
    app.grid = look.grid;
    let of = app.looking.shown().cloned();
    if look.chart.is_some() && app.chart.as_ref().is_some_and(|chart| chart.of == of) {
        // no other chart was looked at meanwhile: its rows are still there
        return;
    }
    app.chart = look.chart.map(|(own, kind)| Charting::of(of, own, kind));
}
