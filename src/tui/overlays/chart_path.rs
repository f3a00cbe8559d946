//! The path that a chart is saved to; a file that is there is replaced only when asked twice.

use ratatui::layout::Rect;

use crate::chart::Figure;

use super::super::action::Action;
use super::super::app::App;
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::pen::Pen;
use super::Overlay;

/// State of the prompt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Path {
    /// The path.
    pub text: String,
    /// There is a file of this name.
    pub exists: bool,
}

impl Path {
    /// Proposes a name after what the chart shows.
    pub fn of(figure: &Figure) -> Self {
        let mut name = String::new();
        for c in figure.title.chars().flat_map(char::to_lowercase) {
            if c.is_alphanumeric() {
                name.push(c);
            } else if !name.is_empty() && !name.ends_with('-') {
                name.push('-');
            }
        }
        let name: String = name.chars().take(60).collect();
        let name = name.trim_matches('-');
        let name = if name.is_empty() { "chart" } else { name };
        Path { text: format!("{name}.svg"), exists: false }
    }
}

/// Saves, or closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::ChartPath(path)) = &mut app.overlay else { return Vec::new() };
    match action {
        Action::Clear => {
            path.text.clear();
            path.exists = false;
        }
        Action::Open if !path.text.trim().is_empty() => {
            let (text, replace) = (path.text.trim().to_owned(), path.exists);
            let figure = app.chart.as_ref().and_then(|chart| chart.figure.clone());
            app.overlay = None;
            return figure
                .map(|figure| Effect::SaveChart { path: text, figure, replace })
                .into_iter()
                .collect();
        }
        Action::Cancel => app.overlay = None,
        _ => {}
    }
    Vec::new()
}

/// Asks whether a file that is there shall be replaced.
pub fn exists(app: &mut App, path: &str) {
    if app.overlay.is_none() {
        app.overlay = Some(Overlay::ChartPath(Path { text: path.to_owned(), exists: true }));
    }
}

/// Draws the prompt.
pub fn draw(app: &App, path: &Path, pen: &mut Pen<'_>, body: Rect) {
    let area = super::place(body, 84, 5);
    let inside = super::front(app, pen, area, "Save the chart as SVG", Place::ChartPath);
    if inside.height < 2 {
        return;
    }
    super::filter_line(pen, inside, &path.text, "a path");
    let (words, role) = if path.exists {
        ("! This file is there already. Enter replaces it.", Role::Warn)
    } else {
        ("What isn't an absolute path is put where querent was started.", Role::Dim)
    };
    pen.text(inside.x + 1, inside.y + 1, inside.width.saturating_sub(2), words, role);
}
