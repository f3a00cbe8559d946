//! How the engine would run the SQL: its plan as a tree, whole tables marked, indexes in words.

use ratatui::layout::Rect;

use crate::domain::engine_plan::{EnginePlan, EngineStep};
use crate::shown::Shown;
use crate::sql::engine_words;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::panes::sql;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, cols};
use super::super::widgets::scroll;
use super::Overlay;

/// Columns of the overlay at most.
const WIDE: u16 = 96;

/// The plan of one text, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Explained {
    /// The SQL.
    pub sql: String,
    /// The plan, or why there is none; nothing while the engine is asked.
    pub plan: Option<Result<EnginePlan, String>>,
    /// First row shown.
    pub top: usize,
}

/// One row of the tree.
struct Line {
    /// Tree lines before it.
    branch: String,
    /// It reads a large table whole.
    many: bool,
    words: String,
}

/// Asks for the plan of the SQL in view.
pub fn open(app: &mut App) -> Vec<Effect> {
    let sql = sql::shown(app);
    if sql.trim().is_empty() {
        app.say("There is no SQL to explain.", Tone::Trouble);
        return Vec::new();
    }
    app.overlay = Some(Overlay::Explain(Explained { sql: sql.clone(), ..Explained::default() }));
    vec![Effect::Explain(sql)]
}

/// Takes the engine's answer, if it is still waited for.
pub fn take(app: &mut App, sql: &str, plan: Result<EnginePlan, String>) {
    if let Some(Overlay::Explain(explained)) = &mut app.overlay
        && explained.sql == sql
    {
        explained.plan = Some(plan);
    }
}

/// Scrolls, copies, closes; closing while the engine is asked stops asking.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = super::super::layout::Layout::of(app).body;
    let Some(Overlay::Explain(explained)) = &mut app.overlay else { return Vec::new() };
    let inside = area(body, explained);
    let height = usize::from(inside.height.saturating_sub(2)).max(1);
    let rows = rows(explained, inside.width.saturating_sub(4)).len();
    if let Some(top) = scroll::by(action, explained.top, height, rows) {
        explained.top = top;
        return Vec::new();
    }
    match action {
        Action::Copy => {
            let text = text(explained);
            app.say("Copied the plan.", Tone::Done);
            return vec![Effect::Copy(text)];
        }
        Action::Cancel | Action::Explain => {
            let asking = explained.plan.is_none();
            app.overlay = None;
            return if asking { vec![Effect::StopExplaining] } else { Vec::new() };
        }
        _ => {}
    }
    Vec::new()
}

fn lines(plan: &EnginePlan) -> Vec<Line> {
    let mut lines = Vec::new();
    branch(&plan.steps, "", &mut lines);
    lines
}

fn branch(steps: &[EngineStep], before: &str, lines: &mut Vec<Line>) {
    for (n, step) in steps.iter().enumerate() {
        let last = n + 1 == steps.len();
        let (many, words) = engine_words::step(step);
        let knot = if last { "└ " } else { "├ " };
        lines.push(Line { branch: format!("{before}{knot}"), many, words });
        let inner = if last { "  " } else { "│ " };
        branch(&step.inside, &format!("{before}{inner}"), lines);
    }
}

/// The plan as it is copied: the tree, then the engine's own words.
fn text(explained: &Explained) -> String {
    let Some(Ok(plan)) = &explained.plan else { return explained.sql.clone() };
    let sign = |line: &Line| if line.many { "! " } else { "" };
    let tree: Vec<String> =
        lines(plan).iter().map(|l| format!("{}{}{}", l.branch, sign(l), l.words)).collect();
    format!("{}\n\n{}\n", explained.sql.trim_end(), tree.join("\n"))
}

/// One row as it is drawn.
type Row = Vec<(Shown, Role)>;

fn rows(explained: &Explained, width: u16) -> Vec<Row> {
    let width = usize::from(width.max(8));
    let told = |words: &str, role| {
        Shown::new(words)
            .wrap(width)
            .into_iter()
            .map(|line| vec![(line, role)])
            .collect::<Vec<Row>>()
    };
    let plan = match &explained.plan {
        None => return told("The engine is asked how it would run this.", Role::Dim),
        Some(Err(words)) => {
            let mut rows =
                told("✗ There is no plan, because the engine refuses the SQL:", Role::Bad);
            rows.extend(words.lines().flat_map(|line| told(line, Role::Overlay)));
            return rows;
        }
        Some(Ok(plan)) => plan,
    };
    let all = lines(plan);
    if all.is_empty() {
        return told("The engine reads no table for this.", Role::Overlay);
    }
    let many = all.iter().filter(|line| line.many).count();
    let mut rows: Vec<Row> = all.iter().flat_map(|line| tree_rows(line, width)).collect();
    rows.push(Vec::new());
    let words = match many {
        0 => "✓ no large table is read whole".to_owned(),
        1 => "! one large table is read whole: an index on what it is filtered or joined by \
              would spare that"
            .to_owned(),
        n => format!(
            "! {n} times a large table is read whole: indexes on what is filtered or joined by \
             would spare that"
        ),
    };
    rows.extend(told(&words, if many == 0 { Role::Good } else { Role::Warn }));
    rows
}

fn tree_rows(line: &Line, width: usize) -> Vec<Row> {
    let branch = Shown::new(&line.branch);
    let (sign, role) = if line.many { ("! ", Role::Warn) } else { ("", Role::Overlay) };
    let wide = branch.width() + sign.len();
    let words = Shown::new(&line.words).wrap(width.saturating_sub(wide).max(12));
    let rows = words.into_iter().enumerate().map(|(n, part)| {
        if n == 0 {
            return vec![(branch.clone(), Role::Dim), (Shown::new(sign), Role::Warn), (part, role)];
        }
        let hung = line.branch.replace("├ ", "│ ").replace("└ ", "  ");
        vec![
            (Shown::from(hung), Role::Dim),
            (Shown::from(" ".repeat(sign.len())), Role::Text),
            (part, role),
        ]
    });
    rows.collect()
}

/// As high as the plan, as far as the screen goes.
fn area(body: Rect, explained: &Explained) -> Rect {
    let width = WIDE.min(body.width);
    let rows = cols(rows(explained, width.saturating_sub(4)).len()) + 2;
    super::place(body, width, rows.clamp(3, body.height.saturating_sub(2).max(3)))
}

/// Draws the plan.
pub fn draw(app: &App, explained: &Explained, pen: &mut Pen<'_>, body: Rect) {
    let title = "How the engine would run it";
    let inside = super::front(app, pen, area(body, explained), title, Place::Explain);
    let width = inside.width.saturating_sub(2);
    let rows = rows(explained, width);
    for (row, y) in rows.iter().skip(explained.top).zip(inside.y..inside.bottom()) {
        let pieces: Vec<_> =
            row.iter().map(|(text, role)| (text.clone(), pen.style(*role))).collect();
        pen.pieces(inside.x + 1, y, width, &pieces);
    }
    let below = rows.len().saturating_sub(explained.top + usize::from(inside.height));
    if below > 0 {
        let more = format!(" ↓ {below} ");
        pen.text_right(inside.right(), inside.bottom(), width, &more, Role::Dim);
    }
}
