//! The result pane as a chart: which figure is shown, its keys, and its drawing.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::chart::{Figure, Kind, Pick, Proposal, Sheet, choose_among, figure as figure_of};
use crate::domain::ResultId;
use crate::domain::counts::count;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::layout::Pane;
use super::super::overlays::Overlay;
use super::super::overlays::chart_list::{List, What};
use super::super::overlays::chart_path::Path;
use super::super::theme::Role;
use super::super::widgets::chart::{self, View};
use super::super::widgets::pen::{Pen, Piece};
use super::result;

/// The result as a chart.
#[derive(Debug, Default)]
pub struct Charting {
    /// The result, as it is sorted and filtered in the grid.
    pub of: Option<ResultId>,
    /// Its rows, once read.
    pub sheet: Option<Arc<Sheet>>,
    /// Columns chosen by hand.
    pub own: Pick,
    /// The kind chosen by hand.
    pub kind: Option<Kind>,
    /// All kinds, the best first.
    pub proposals: Vec<Proposal>,
    /// What is drawn.
    pub figure: Option<Arc<Figure>>,
    /// The first bar shown.
    pub top: usize,
    /// What rows were asked for last, and whether all had arrived by then.
    asked: Option<(ResultId, bool)>,
}

impl Charting {
    /// Makes the chart of a result with what was chosen by hand for it; its rows are still to be
    /// read.
    pub fn of(of: Option<ResultId>, own: Pick, kind: Option<Kind>) -> Self {
        Charting { of, own, kind, ..Charting::default() }
    }

    /// Returns what is drawn: the kind chosen by hand while it suits, else the best one that has
    /// the axis chosen by hand, else the best.
    pub fn proposal(&self) -> Option<&Proposal> {
        let mut suiting = self.proposals.iter().filter(|p| p.fit > 0);
        let own = suiting.clone().find(|p| Some(p.kind) == self.kind);
        let along = || suiting.clone().find(|p| self.own.x.is_some() && p.pick.x == self.own.x);
        own.or_else(along).or_else(|| suiting.next())
    }

    /// Ranks the kinds anew and makes the figure.
    pub fn decide(&mut self) {
        let Some(sheet) = &self.sheet else { return };
        self.proposals = choose_among(sheet, &self.own);
        self.top = 0;
        let figure = self.proposal().map(|proposal| figure_of(sheet, proposal));
        self.figure = figure.map(Arc::new);
    }

    /// Goes to another kind that suits.
    fn step(&mut self, by: isize) {
        let mut kinds = self.proposals.iter().filter(|p| p.fit > 0).map(|p| p.kind);
        let suiting: Vec<Kind> = kinds.by_ref().collect();
        let now = self.proposal().map(|p| p.kind);
        let at = suiting.iter().position(|kind| Some(*kind) == now).unwrap_or(0);
        let count = isize::try_from(suiting.len()).unwrap_or(1).max(1);
        let next = isize::try_from(at).unwrap_or(0).saturating_add(by).rem_euclid(count);
        self.kind = usize::try_from(next).ok().and_then(|n| suiting.get(n)).copied();
        self.decide();
    }
}

/// Tells whether the pane shows a chart: one is wanted, and there is a result at the moment.
pub fn showing(app: &App) -> bool {
    app.chart.is_some() && result::wanted(app).is_some()
}

/// Shows the result as a chart.
pub fn open(app: &mut App) {
    if result::wanted(app).is_some() {
        app.chart = Some(Charting::default());
    }
}

/// Does an action while the chart is shown.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let screen = room(app).unwrap_or(1).max(2) - 1;
    let Some(chart) = &mut app.chart else { return Vec::new() };
    match action {
        Action::Chart => app.chart = None,
        Action::FormerKind => chart.step(-1),
        Action::NextKind => chart.step(1),
        Action::Up => chart.top = chart.top.saturating_sub(1),
        Action::Down => chart.top = chart.top.saturating_add(1),
        Action::PageUp => chart.top = chart.top.saturating_sub(screen),
        Action::PageDown => chart.top = chart.top.saturating_add(screen),
        Action::Top => chart.top = 0,
        Action::Bottom => chart.top = usize::MAX,
        Action::Kinds => list(app, What::Kind),
        Action::ChooseAlong => list(app, What::Along),
        Action::ChooseNumbers => list(app, What::Numbers),
        Action::ChooseSplit => list(app, What::Split),
        Action::Dots => {
            app.dots = app.dots.next();
            app.say(format!("Charts are drawn with {}.", app.dots.name()), Tone::Done);
        }
        Action::SaveChart => {
            if let Some(figure) = &chart.figure {
                app.overlay = Some(Overlay::ChartPath(Path::of(figure)));
            }
        }
        _ => {}
    }
    Vec::new()
}

fn list(app: &mut App, what: What) {
    if let Some(chart) = app.chart.as_ref().filter(|chart| chart.sheet.is_some()) {
        app.overlay = Some(Overlay::ChartList(List::of(chart, what)));
    }
}

/// Counts the bars that have room.
fn room(app: &App) -> Option<usize> {
    let figure = app.chart.as_ref()?.figure.as_ref()?;
    chart::room(figure, app.inside(Pane::Result))
}

/// Takes rows that were read; where they are no longer kept, those stored with the run.
pub fn take_rows(app: &mut App, id: &ResultId, sheet: Option<Arc<Sheet>>) {
    let kept = || {
        let rows = app.run.as_ref()?.kept(id)?;
        let mut sheet = Sheet::of(&rows.columns, &rows.rows);
        sheet.total = rows.row_count.max(rows.rows.len() as u64);
        Some(Arc::new(sheet))
    };
    let sheet = sheet.or_else(kept).unwrap_or_default();
    let Some(chart) = app.chart.as_mut().filter(|chart| chart.of.as_ref() == Some(id)) else {
        return;
    };
    chart.sheet = Some(sheet);
    chart.decide();
}

/// Follows the result that the pane shows, asks for its rows, and keeps the bars in view.
pub fn settle(app: &mut App) -> Vec<Effect> {
    if !showing(app) {
        return Vec::new();
    }
    let room = room(app);
    let result = app.grid.result.clone();
    let arriving = app.run.as_ref().is_some_and(|run| run.arriving.is_some());
    let Some(chart) = &mut app.chart else { return Vec::new() };
    if chart.of != result {
        let former = std::mem::take(chart);
        // columns chosen by hand belong to the run's result, however it is sorted and filtered
        if same_run(former.of.as_ref(), result.as_ref()) {
            (chart.own, chart.kind) = (former.own, former.kind);
        }
        chart.of.clone_from(&result);
    }
    if let Some(figure) = &chart.figure {
        let all = figure.labels().len();
        chart.top = chart.top.min(all.saturating_sub(room.unwrap_or(all)));
    }
    let Some(id) = result else { return Vec::new() };
    let asked = (id.clone(), !arriving);
    if chart.asked.as_ref() == Some(&asked) {
        return Vec::new();
    }
    chart.asked = Some(asked);
    vec![Effect::ChartRows(id)]
}

fn same_run(one: Option<&ResultId>, other: Option<&ResultId>) -> bool {
    let of = |id: &ResultId| (id.run.clone(), id.attempt, id.version);
    one.map(of) == other.map(of)
}

/// Draws the pane as a chart.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let Some(charting) = &app.chart else { return };
    let frame = super::frame(app, pen, Pane::Result, title(charting, pen), rows(charting, pen));
    let inside = pen.frame(area, &frame);
    if inside.height == 0 {
        return;
    }
    let (x, width) = (inside.x + 1, inside.width.saturating_sub(2));
    if let (Some(figure), Some(proposal)) = (&charting.figure, charting.proposal()) {
        let (reason, dots, top) = (proposal.reason.as_str(), app.dots, charting.top);
        chart::draw(pen, inside, &View { figure, reason, dots, top });
    } else if charting.sheet.is_none() {
        pen.text(x, inside.y, width, "Reading rows …", Role::Dim);
    } else {
        pen.text(x, inside.y, width, "No chart suits this result:", Role::Text);
        for (proposal, y) in charting.proposals.iter().zip(inside.y + 1..inside.bottom()) {
            let words = format!("{}: {}", proposal.kind.name(), proposal.reason);
            pen.text(x, y, width, &words, Role::Dim);
        }
    }
}

/// Lists the kinds that suit; the one drawn stands out.
fn title(charting: &Charting, pen: &Pen<'_>) -> Vec<Piece> {
    let now = charting.proposal().map(|p| p.kind);
    let mut pieces = vec![pen.piece("chart", Role::Dim)];
    for (n, proposal) in charting.proposals.iter().filter(|p| p.fit > 0).enumerate() {
        pieces.push(pen.piece(if n == 0 { ": " } else { " · " }, Role::Dim));
        let (mark, role) =
            if Some(proposal.kind) == now { ("▸", Role::TabActive) } else { ("", Role::Tab) };
        pieces.push(pen.piece(format!("{mark}{}", proposal.kind.name()), role));
    }
    pieces
}

fn rows(charting: &Charting, pen: &Pen<'_>) -> Vec<Piece> {
    let rows = charting.sheet.as_ref().map(|sheet| sheet.rows() as u64);
    rows.map(|rows| pen.piece(count(rows, "row"), Role::Dim)).into_iter().collect()
}
