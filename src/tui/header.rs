//! Draws the header: database, engine, model, what leaves, knowledge, how the run stands. Where there
//! is little room, parts get shorter and then go; that replies come from a script is always said.

use ratatui::layout::Rect;

use crate::domain::counts::count;
use crate::domain::secret::shown;
use crate::shown::Shown;

use super::app::{App, Door};
use super::overlays;
use super::panes::result_view;
use super::theme::Role;
use super::view::spin;
use super::widgets::pen::{Pen, Piece, cols};

/// Parts of this rank or below it come before others are shown at all.
const ESSENTIAL: u8 = 2;

/// Columns between two parts, and before what stands right.
const GAP: usize = 2;

/// Draws the header.
pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) {
    pen.fill(area, Role::Header);
    let parts = parts(app);
    let wide = |pieces: &[Piece]| pieces.iter().map(|(text, _)| cols(text.width())).sum::<u16>();
    let forms = run_state(app, pen);
    // what is essential has its place beside the run; at the least the label of a script has
    let fits = |rank: u8| {
        let most = area.width.saturating_sub(least(&parts, rank) + 3);
        forms.iter().find(|form| wide(form) <= most)
    };
    let right = fits(ESSENTIAL).or_else(|| fits(0)).cloned().unwrap_or_default();
    let most = area.width.saturating_sub(2);
    let end = area.right().saturating_sub(1);
    let from = pen.pieces_right(end, area.y, most, &right);
    let mut x = area.x + 1;
    // two cells stay free before the run, so that the two never run into each other
    for (text, role) in chosen(parts, usize::from(from.saturating_sub(3))) {
        x = pen.text(x, area.y, from.saturating_sub(x), &text, role) + cols(GAP);
    }
}

/// Measures the parts up to a rank in their shortest forms.
fn least(parts: &[Part], rank: u8) -> u16 {
    let short = parts.iter().filter(|part| part.rank <= rank).filter_map(|part| part.forms.last());
    cols(short.map(|form| Shown::new(form).width() + GAP).sum())
}

/// One part of the header.
struct Part {
    /// What it says, the longest form first.
    forms: Vec<String>,
    role: Role,
    /// Which goes in first where there is little room: 0 before 1.
    rank: u8,
}

/// Picks what fits: what is essential in its shortest form, then in the next longer one; then the
/// rest; then all in full, as far as there is room. Each time in the order of weight.
fn chosen(parts: Vec<Part>, room: usize) -> Vec<(String, Role)> {
    let wide = |part: &Part, form: usize| {
        part.forms.get(form).map_or(0, |text| Shown::new(text).width() + GAP)
    };
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|n| parts.get(*n).map(|part| part.rank));
    let mut others_first = order.clone();
    others_first.sort_by_key(|n| parts.get(*n).map(|part| (part.rank == 0, part.rank)));
    let mut taken: Vec<Option<usize>> = vec![None; parts.len()];
    let mut used = 0;
    let mut take = |order: &[usize],
                    only: &dyn Fn(&Part) -> bool,
                    form: &dyn Fn(&Part) -> usize,
                    grow: bool| {
        for n in order {
            let (Some(part), Some(slot)) = (parts.get(*n), taken.get_mut(*n)) else { continue };
            if !only(part) || slot.is_some() != grow {
                continue;
            }
            let form = form(part);
            let now = slot.map_or(0, |form| wide(part, form));
            if used - now + wide(part, form) <= room + GAP {
                used = used - now + wide(part, form);
                *slot = Some(form);
            }
        }
    };
    let last = |part: &Part| part.forms.len().saturating_sub(1);
    let essential = |part: &Part| part.rank <= ESSENTIAL;
    take(&order, &essential, &last, false);
    take(&order, &essential, &|part| part.forms.len().saturating_sub(2), true);
    take(&order, &|_| true, &last, false);
    take(&others_first, &|_| true, &|_| 0, true);
    let texts = parts.into_iter().zip(taken).filter_map(|(part, taken)| {
        let text = part.forms.into_iter().nth(taken?)?;
        Some((text, part.role))
    });
    texts.collect()
}

/// Lists the header's parts in the order they stand.
fn parts(app: &App) -> Vec<Part> {
    let h = &app.header;
    let part = |forms: &[&str], role, rank| Part {
        forms: forms.iter().map(|form| (*form).to_owned()).collect(),
        role,
        rank,
    };
    let name = if h.database.is_empty() {
        shown(app.terms.database.as_deref().unwrap_or_default())
    } else {
        h.database.clone()
    };
    let mut parts = vec![part(&["querent"], Role::Accent, 5)];
    if !name.is_empty() {
        parts.push(part(&[&name], Role::Text, 1));
    }
    match &app.door {
        Door::Opening if h.database.is_empty() => {
            parts.push(part(&["opening …"], Role::Dim, 2));
        }
        Door::Shut(..) => parts.push(part(&["✗ not open"], Role::Bad, 1)),
        Door::Opening | Door::Open => {}
    }
    if !h.engine.is_empty() {
        parts.push(part(&[&h.engine], Role::Dim, 4));
    }
    if !h.model.is_empty() {
        parts.push(if h.scripted {
            let named = format!("{} (scripted)", h.model);
            part(&[&format!("model {named}"), &named, "scripted"], Role::Text, 0)
        } else {
            part(&[&format!("model {}", h.model), &h.model], Role::Text, 3)
        });
        let level = app.privacy().name();
        let (words, role) = if h.remote {
            (format!("{level} may leave"), Role::Warn)
        } else {
            (format!("privacy {level}"), Role::Dim)
        };
        parts.push(part(&[&words], role, 2));
    }
    let waits = overlays::stops::words_of(app.stops);
    if !waits.is_empty() {
        parts.push(part(&[&format!("‖ waits: {waits}"), &format!("‖ {waits}")], Role::Warn, 2));
    }
    if !h.knowledge.is_empty() {
        let words = format!("knowledge {} {}", count(h.rules, "rule"), count(h.metrics, "metric"));
        parts.push(part(&[&words], Role::Dim, 6));
        if !app.drift.is_empty() {
            let words = format!("! {} disagree", app.drift.len());
            parts.push(part(&[&words], Role::Warn, 6));
        }
    }
    parts
}

/// Says how the run stands, the longest form first: `run 7  ✓ grounded`, `✓ grounded`, `✓`.
fn run_state(app: &App, pen: &Pen<'_>) -> Vec<Vec<Piece>> {
    let Some(run) = &app.run else { return Vec::new() };
    let name = if run.replayed { "replay  ".to_owned() } else { format!("run {}  ", app.runs) };
    let (words, role) = match (&run.live.answer, run.running) {
        (Some(answer), _) => result_view::verdict(answer),
        (None, true) if run.cancelling => ("cancelling".to_owned(), Role::Warn),
        (None, true) if run.paused().is_some() => ("‖ paused".to_owned(), Role::Warn),
        (None, true) => (format!("{} running", spin(app)), Role::Accent),
        (None, false) => ("· ended".to_owned(), Role::Dim),
    };
    let sign = words.split(' ').next().unwrap_or_default().to_owned();
    let verdict = pen.piece(words, role);
    let queued = format!("{} queued  ", app.queue.len());
    let queued = (!app.queue.is_empty()).then(|| pen.piece(queued, Role::Warn));
    let queued = |rest: Vec<Piece>| queued.clone().into_iter().chain(rest).collect::<Vec<_>>();
    vec![
        queued(vec![pen.piece(name, Role::Dim), verdict.clone()]),
        queued(vec![verdict.clone()]),
        vec![verdict],
        vec![pen.piece(sign, role)],
    ]
}
