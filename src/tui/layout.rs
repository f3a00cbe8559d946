//! Where each pane stands at a size: two columns, one column, one pane, or too small.

use ratatui::layout::Rect;

use super::app::App;
use super::splits::{Edge, Split};

/// The five panes, in the order Tab takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Pane {
    /// What is asked.
    #[default]
    Question,
    /// What the model is told.
    Context,
    /// What was written.
    Sql,
    /// What came back.
    Result,
    /// What happened.
    Trace,
}

impl Pane {
    /// All panes.
    pub const ALL: [Pane; 5] =
        [Pane::Question, Pane::Context, Pane::Sql, Pane::Result, Pane::Trace];

    /// Returns the pane's name.
    pub fn name(self) -> &'static str {
        match self {
            Pane::Question => "Question",
            Pane::Context => "Context",
            Pane::Sql => "SQL",
            Pane::Result => "Result",
            Pane::Trace => "Trace",
        }
    }

    /// Returns the pane that is `step` further.
    pub fn step(self, step: usize) -> Pane {
        let at = Pane::ALL.iter().position(|pane| *pane == self).unwrap_or(0);
        Pane::ALL.get((at + step) % Pane::ALL.len()).copied().unwrap_or_default()
    }
}

/// Columns and rows that the workbench needs to be worked with.
pub const NEEDED: (u16, u16) = (60, 20);

/// How much room there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// Two columns, all panes.
    Wide,
    /// One column; context and trace share a place.
    Normal,
    /// One pane at a time under a line of tabs.
    Narrow,
    /// Nothing useful fits.
    Tiny,
}

/// Places on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// How much room there is.
    pub room: Room,
    /// One pane is shown at a time.
    pub alone: bool,
    /// The header line.
    pub header: Rect,
    /// The line of tabs, where one pane is shown at a time.
    pub tabs: Rect,
    /// Everything between header and status line.
    pub body: Rect,
    /// The status line.
    pub status: Rect,
    /// Borders that can be moved.
    pub edges: [Option<Edge>; 4],
    panes: [Rect; 5],
}

impl Layout {
    /// Lays out the panes for the state of the workbench.
    pub fn of(app: &App) -> Layout {
        let (width, height) = app.size;
        let area = Rect::new(0, 0, width, height);
        let room = match (width, height) {
            (120.., 24..) => Room::Wide,
            (80.., 20..) => Room::Normal,
            (20.., 6..) => Room::Narrow,
            _ => Room::Tiny,
        };
        if room == Room::Tiny {
            let none = Rect::new(0, 0, 0, 0);
            return Layout {
                room,
                alone: true,
                header: none,
                tabs: none,
                body: area,
                status: none,
                edges: [None; 4],
                panes: [none; 5],
            };
        }
        let header = Rect::new(0, 0, width, 1);
        let status = Rect::new(0, height - 1, width, 1);
        let alone = room == Room::Narrow || app.zoom || app.linear;
        let tabs = Rect::new(0, 1, width, u16::from(alone));
        let top = 1 + tabs.height;
        let body = Rect::new(0, top, width, height - 1 - top);
        let mut panes = [Rect::new(0, 0, 0, 0); 5];
        let mut set = |pane: Pane, place: Rect| {
            if let Some(slot) = panes.get_mut(pane as usize) {
                *slot = place;
            }
        };
        let edges = if alone {
            set(app.focus, body);
            [None; 4]
        } else if room == Room::Wide {
            wide(app, body, &mut set)
        } else {
            normal(app, body, &mut set)
        };
        Layout { room, alone, header, tabs, body, status, edges, panes }
    }

    /// Returns the place of a pane; empty when it isn't shown.
    pub fn pane(&self, pane: Pane) -> Rect {
        self.panes.get(pane as usize).copied().unwrap_or_default()
    }

    /// Returns the place inside a pane's frame.
    pub fn inside(&self, pane: Pane) -> Rect {
        Layout::inside_of(self.pane(pane))
    }

    /// Returns the place inside a frame.
    pub fn inside_of(area: Rect) -> Rect {
        if area.width < 2 || area.height < 2 {
            return Rect::new(area.x, area.y, 0, 0);
        }
        Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2)
    }

    /// Finds the pane at a cell.
    pub fn at(&self, x: u16, y: u16) -> Option<Pane> {
        Pane::ALL.into_iter().find(|pane| {
            let area = self.pane(*pane);
            area.left() <= x && x < area.right() && area.top() <= y && y < area.bottom()
        })
    }
}

/// The least columns of the left and the right column.
const COLUMNS_LEAST: (u16, u16) = (30, 40);

/// The least rows of a pane with its frame.
const ROWS_LEAST: u16 = 4;

fn wide(app: &App, body: Rect, set: &mut impl FnMut(Pane, Rect)) -> [Option<Edge>; 4] {
    let chosen = |split, extent| app.splits.size(split, extent);
    let own = u16::try_from(u32::from(body.width) * 46 / 100).unwrap_or(body.width / 2);
    let left = chosen(Split::Columns, body.width).unwrap_or(own);
    let left = left.clamp(COLUMNS_LEAST.0, body.width - COLUMNS_LEAST.1);
    let right = body.width - left;
    let question = question_height(app, left, 5, body.height / 3 + 2);
    let question = chosen(Split::Question, body.height).unwrap_or(question);
    let question = question.clamp(3, body.height - 2 * ROWS_LEAST);
    let rest = body.height - question;
    // eight components, a blank line, values, tables, and the frame
    let own = if app.run.is_some() { 14.min(rest / 2) } else { (rest / 2).max(6) };
    let context = chosen(Split::Context, body.height).unwrap_or(own);
    let context = context.clamp(ROWS_LEAST, rest - ROWS_LEAST);
    let mut y = body.y;
    for (pane, height) in
        [(Pane::Question, question), (Pane::Context, context), (Pane::Trace, rest - context)]
    {
        set(pane, Rect::new(body.x, y, left, height));
        y += height;
    }
    let own = (body.height * 38 / 100).max(8);
    let sql = chosen(Split::Sql, body.height).unwrap_or(own);
    let sql = sql.clamp(ROWS_LEAST, body.height - ROWS_LEAST);
    set(Pane::Sql, Rect::new(body.x + left, body.y, right, sql));
    set(Pane::Result, Rect::new(body.x + left, body.y + sql, right, body.height - sql));
    let columns = Edge {
        split: Split::Columns,
        cells: Rect::new(body.x + left - 1, body.y, 2, body.height),
        upright: true,
        start: body.x,
        extent: body.width,
    };
    let lower = Rect { y: body.y + question, width: left, ..body };
    let rows = [
        edge(Split::Question, Rect { width: left, ..body }, question, body.height),
        edge(Split::Context, lower, context, body.height),
        edge(Split::Sql, Rect { x: body.x + left, width: right, ..body }, sql, body.height),
    ];
    // borders that lie come first: the upright one has the cells that they leave
    let [question, context, sql] = rows;
    [Some(question), Some(context), Some(sql), Some(columns)]
}

/// Makes the border below a pane of `size` rows that begins where `column` does.
fn edge(split: Split, column: Rect, size: u16, extent: u16) -> Edge {
    let cells = Rect::new(column.x, column.y + size.max(1) - 1, column.width, 2);
    Edge { split, cells, upright: false, start: column.y, extent }
}

fn normal(app: &App, body: Rect, set: &mut impl FnMut(Pane, Rect)) -> [Option<Edge>; 4] {
    let chosen = |split| app.splits.size(split, body.height);
    let question = question_height(app, body.width, 3, body.height / 3 + 1);
    let question = chosen(Split::Question).unwrap_or(question);
    let question = question.clamp(3, body.height - 3 * ROWS_LEAST);
    let rest = body.height - question;
    // before the first run all eight components are seen at once; then rows need the room more
    let own = match (app.run.is_some(), rest >= 24) {
        (false, true) => (rest * 36 / 100).max(10),
        (true, true) => (rest * 32 / 100).max(8),
        (_, false) => (rest * 32 / 100).max(4),
    };
    let lower = chosen(Split::Lower).unwrap_or(own).clamp(ROWS_LEAST, rest - 2 * ROWS_LEAST);
    // short SQL leaves its room to the rows
    let half = (rest - lower) / 2;
    let own = super::panes::sql_notes::wanted(app).map_or(half, |rows| half.min(rows + 2));
    let sql = chosen(Split::Middle).unwrap_or(own);
    let sql = sql.clamp(ROWS_LEAST, rest - lower - ROWS_LEAST);
    let result = rest - lower - sql;
    let mut y = body.y;
    for (pane, height) in
        [(Pane::Question, question), (app.lower, lower), (Pane::Sql, sql), (Pane::Result, result)]
    {
        set(pane, Rect::new(body.x, y, body.width, height));
        y += height;
    }
    let below = |rows: u16| Rect { y: body.y + rows, ..body };
    [
        Some(edge(Split::Question, body, question, body.height)),
        Some(edge(Split::Lower, below(question), lower, body.height)),
        Some(edge(Split::Middle, below(question + lower), sql, body.height)),
        None,
    ]
}

/// The question pane is as high as its text and what it suggests.
fn question_height(app: &App, width: u16, least: u16, most: u16) -> u16 {
    let rows = super::panes::question::rows(app, width.saturating_sub(4));
    let suggested = app.suggestions().len();
    let extra = if suggested > 0 { suggested + 1 } else { 0 };
    let wanted = u16::try_from(rows + extra + 2).unwrap_or(u16::MAX);
    wanted.clamp(least, most.max(least))
}
