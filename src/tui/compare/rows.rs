//! A comparison as rows to be drawn: four bands, each with a heading that sums it up.

use crate::domain::Value;
use crate::domain::counts::{count, grouped};
use crate::shown::Shown;

use super::super::panes::steps::duration;
use super::super::theme::Role;
use super::super::widgets::grid::cell;
use super::super::widgets::lines::Line;
use super::package::{ComponentChange, PackageChange};
use super::price::{Figure, Unit};
use super::result::{Row as DataRow, RowChange};
use super::text::{Pair, Word};
use super::{Alike, Comparison, SqlChange};

/// Rows of one kind that are listed.
const MOST_ROWS: usize = 200;
/// Columns of the screen that a column of the result takes at most.
const WIDEST: usize = 24;

/// The four bands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Band {
    /// What was told.
    #[default]
    Package,
    /// What was written.
    Sql,
    /// What came back.
    Result,
    /// What it cost.
    Price,
}

impl Band {
    /// All bands in order.
    pub const ALL: [Band; 4] = [Band::Package, Band::Sql, Band::Result, Band::Price];

    /// Returns the band's name.
    pub fn name(self) -> &'static str {
        match self {
            Band::Package => "Package",
            Band::Sql => "SQL",
            Band::Result => "Result",
            Band::Price => "Price",
        }
    }
}

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// A band begins: its heading.
    Head(Band, Line),
    /// A line across both sides.
    Wide(Line),
    /// What the two runs have at one place.
    Both {
        /// The former's; none where it has nothing.
        was: Option<Line>,
        /// The later's.
        now: Option<Line>,
        /// They are the same.
        same: bool,
        /// A line longer than its column goes on below; else it is cut.
        wraps: bool,
    },
    /// Nothing.
    Blank,
}

/// Lists all rows of a comparison.
pub fn rows(comparison: &Comparison) -> Vec<Row> {
    let mut rows = package(&comparison.package);
    rows.push(Row::Blank);
    rows.extend(sql(comparison.sql.as_ref()));
    rows.push(Row::Blank);
    rows.extend(result(&comparison.result));
    rows.push(Row::Blank);
    rows.extend(price(comparison));
    rows
}

fn piece(text: impl Into<Shown>, role: Role) -> (Shown, Role) {
    (text.into(), role)
}

fn wide(text: impl Into<Shown>, role: Role) -> Row {
    Row::Wide(vec![piece(text, role)])
}

/// Writes how a number changed: `1,246 → 1,058 (−188)`.
fn change(was: Option<u64>, now: Option<u64>, write: impl Fn(u64) -> String) -> String {
    match (was, now) {
        (Some(was), Some(now)) if was == now => write(now),
        (Some(was), Some(now)) => {
            let sign = if now > was { "+" } else { "−" };
            let by = write(now.abs_diff(was));
            // the sign of an estimate stands at the figures, and goes for what is between them
            let by = by.trim_start_matches('~');
            format!("{} → {} ({sign}{by})", write(was), write(now))
        }
        (was, now) => {
            let one = |n: Option<u64>| n.map_or("–".to_owned(), &write);
            format!("{} → {}", one(was), one(now))
        }
    }
}

fn package(package: &PackageChange) -> Vec<Row> {
    let differ = package.components.iter().filter(|c| !c.same()).count();
    let told = if package.was.or(package.now).is_none() {
        "neither run has one".to_owned()
    } else {
        let about = |tokens| format!("~{}", grouped(tokens));
        let tokens = change(package.was.map(u64::from), package.now.map(u64::from), about);
        let what = match differ {
            0 => "the same components and lines".to_owned(),
            1 => "1 of 8 components differs".to_owned(),
            n => format!("{n} of 8 components differ"),
        };
        format!("{tokens} tokens · {what}")
    };
    let mut rows = vec![Row::Head(Band::Package, vec![piece(told, Role::Dim)])];
    if !package.switched.is_empty() {
        let words = format!("by hand: {}", package.switched.join(" · "));
        rows.push(wide(words, Role::Warn));
    }
    for component in package.components.iter().filter(|c| !c.same()) {
        rows.push(component_row(component));
        rows.extend(component.lines.iter().map(|pair| text_row(pair, "    ")));
    }
    let same: Vec<&str> =
        package.components.iter().filter(|c| c.same()).map(|c| c.kind.name()).collect();
    if !same.is_empty() && differ > 0 {
        rows.push(wide(format!("same: {}", same.join(", ")), Role::Dim));
    }
    rows
}

fn component_row(component: &ComponentChange) -> Row {
    let side = |tokens: Option<u32>, differs: bool| {
        let (sign, told) = match tokens {
            Some(tokens) => ("■", format!("~{}", grouped(u64::from(tokens)))),
            None => ("□", "out".to_owned()),
        };
        let role = if tokens.is_some() { Role::Accent } else { Role::Dim };
        let name = format!(" {:<14}", component.kind.name());
        let mut line = vec![piece(sign, role), piece(name, Role::Text)];
        line.push(piece(format!("{told:>6}"), Role::Text));
        if differs {
            line.push(piece(format!("  {}", component.reason), Role::Dim));
        }
        line
    };
    Row::Both {
        was: Some(side(component.was, false)),
        now: Some(side(component.now, true)),
        same: false,
        wraps: false,
    }
}

fn text_row(pair: &Pair, indent: &str) -> Row {
    let line = |words: &Vec<Word>, role: Role| {
        let mut line = vec![piece(indent, Role::Text)];
        line.extend(words.iter().map(|word| {
            let role = if word.differs && !pair.same { role } else { Role::Text };
            (Shown::code(&word.text), role)
        }));
        line
    };
    Row::Both {
        was: pair.was.as_ref().map(|words| line(words, Role::Warn)),
        now: pair.now.as_ref().map(|words| line(words, Role::Good)),
        same: pair.same,
        wraps: true,
    }
}

fn sql(change: Option<&SqlChange>) -> Vec<Row> {
    let Some(change) = change else {
        let words = vec![piece("one of the runs wrote none", Role::Dim)];
        return vec![Row::Head(Band::Sql, words)];
    };
    let words = match change.alike {
        Alike::Same => "the same, byte for byte",
        Alike::ButForLayout => "the same query but for layout, letter case and aliases",
        Alike::Different => "two queries",
    };
    let mut rows = vec![Row::Head(Band::Sql, vec![piece(words, Role::Dim)])];
    rows.extend(change.lines.iter().map(|pair| text_row(pair, "")));
    rows
}

fn result(result: &Result<RowChange, String>) -> Vec<Row> {
    let change = match result {
        Ok(change) => change,
        Err(why) => return vec![Row::Head(Band::Result, vec![piece(why, Role::Dim)])],
    };
    let mut rows = vec![Row::Head(Band::Result, vec![piece(sum(change), Role::Dim)])];
    if change.cut() {
        let [was, now] = change.compared.map(|(some, all)| {
            if some < all {
                format!("the first {} of {} rows", grouped(some), grouped(all))
            } else {
                format!("all {}", count(all, "row"))
            }
        });
        rows.push(wide(format!("! compared: {was} of the former, {now} of the later"), Role::Warn));
    }
    for (words, columns) in
        [("only in the former", &change.columns_gone), ("only in the later", &change.columns_new)]
    {
        if !columns.is_empty() {
            rows.push(wide(format!("columns {words}: {}", columns.join(", ")), Role::Warn));
        }
    }
    rows.extend(table(change));
    rows
}

/// Says in one line what became of the rows.
fn sum(change: &RowChange) -> String {
    let mut parts = Vec::new();
    for (n, what) in [
        (change.changed.len(), "changed"),
        (change.removed.len(), "removed"),
        (change.added.len(), "added"),
    ] {
        if n > 0 {
            parts.push(format!("{} {what}", grouped(n as u64)));
        }
    }
    if parts.is_empty() {
        parts.push("no row differs".to_owned());
    }
    if change.same > 0 {
        parts.push(format!("{} the same", grouped(change.same as u64)));
    }
    if change.reordered {
        parts.push("in another order".to_owned());
    }
    let by = match change.key.as_slice() {
        [] => String::new(),
        key => format!(" · matched by {}", key.join(", ")),
    };
    format!("{}{by}", parts.join(", "))
}

/// Lists the rows that differ, in columns: changed ones on both sides, then removed, then added.
fn table(change: &RowChange) -> Vec<Row> {
    let shown = |rows: usize| rows.min(MOST_ROWS);
    let changed = change.changed.iter().take(MOST_ROWS);
    let removed = change.removed.iter().take(MOST_ROWS);
    let added = change.added.iter().take(MOST_ROWS);
    let seen: Vec<&DataRow> = changed
        .clone()
        .flat_map(|row| [&row.was, &row.now])
        .chain(removed.clone())
        .chain(added.clone())
        .collect();
    if seen.is_empty() || change.columns.is_empty() {
        return Vec::new();
    }
    let widths: Vec<usize> = (0..change.columns.len()).map(|n| width(change, &seen, n)).collect();
    let head = Some(cells(&widths, |n, width| {
        let name = change.columns.get(n).map_or("", String::as_str);
        (Shown::cut(name, width), number(&seen, n), Role::Column)
    }));
    let mut rows = vec![Row::Both { was: head.clone(), now: head, same: true, wraps: false }];
    let line = |row: &DataRow, differs: &[usize], role: Role| {
        Some(cells(&widths, |n, width| {
            let value = row.get(n).unwrap_or(&Value::Null);
            let role = if differs.contains(&n) { role } else { Role::Text };
            (cell(value, width), value.number().is_some(), role)
        }))
    };
    let all: Vec<usize> = (0..change.columns.len()).collect();
    let both = |was, now| Row::Both { was, now, same: false, wraps: false };
    rows.extend(changed.map(|row| {
        both(line(&row.was, &row.cells, Role::Warn), line(&row.now, &row.cells, Role::Good))
    }));
    rows.extend(removed.map(|row| both(line(row, &all, Role::Warn), None)));
    rows.extend(added.map(|row| both(None, line(row, &all, Role::Good))));
    let sizes = [change.changed.len(), change.removed.len(), change.added.len()];
    let more: usize = sizes.iter().map(|size| size - shown(*size)).sum();
    if more > 0 {
        rows.push(wide(format!("… and {}", count(more as u64, "more row")), Role::Dim));
    }
    rows
}

fn width(change: &RowChange, seen: &[&DataRow], n: usize) -> usize {
    let name = change.columns.get(n).map_or(0, |name| Shown::cut(name, WIDEST).width());
    let widest = seen.iter().filter_map(|row| row.get(n)).map(|v| cell(v, WIDEST).width()).max();
    name.max(widest.unwrap_or(0)).max(1)
}

fn number(seen: &[&DataRow], n: usize) -> bool {
    let first = seen.iter().filter_map(|row| row.get(n)).find(|value| !value.is_null());
    first.is_some_and(|value| value.number().is_some())
}

fn cells(widths: &[usize], of: impl Fn(usize, usize) -> (Shown, bool, Role)) -> Line {
    let mut line = Vec::new();
    for (n, width) in widths.iter().enumerate() {
        let (text, right, role) = of(n, *width);
        let text = text.fit(*width);
        let pad = " ".repeat(width - text.width());
        // what is marked is the text: the room around it stays plain
        let (before, after) = if right { (pad, String::new()) } else { (String::new(), pad) };
        line.push(piece(before, Role::Text));
        line.push((text, role));
        line.push(piece(after + "  ", Role::Text));
    }
    line
}

fn price(comparison: &Comparison) -> Vec<Row> {
    let total = comparison.price.iter().find(|f| f.name == "time in all");
    let words = total.map(|f| change(f.was, f.now, duration)).unwrap_or_default();
    let mut rows = vec![Row::Head(Band::Price, vec![piece(words, Role::Dim)])];
    rows.extend(
        comparison.price.iter().filter(|f| f.was != Some(0) || f.now != Some(0)).map(figure),
    );
    let reasons = |reasons: &[String]| {
        (!reasons.is_empty())
            .then(|| vec![piece(format!("trust: {}", reasons.join("; ")), Role::Dim)])
    };
    let (was, now) = (reasons(&comparison.former.reasons), reasons(&comparison.later.reasons));
    if was.is_some() || now.is_some() {
        let same = was == now;
        rows.push(Row::Both { was, now, same, wraps: true });
    }
    rows
}

fn figure(figure: &Figure) -> Row {
    let write = |n: u64| match figure.unit {
        Unit::Count => grouped(n),
        Unit::Time => duration(n),
        Unit::Money => money(n),
    };
    let side = |n: Option<u64>, more: Option<String>| {
        let told = n.map_or("not known".to_owned(), write);
        let mut line = vec![
            piece(format!("{:<20}", figure.name), Role::Dim),
            piece(format!("{told:>12}"), Role::Text),
        ];
        if let Some(words) = more {
            line.extend([piece("   ", Role::Text), piece(words, Role::Changed)]);
        }
        line
    };
    let more = figure.was.zip(figure.now).filter(|(was, now)| was != now).map(|(was, now)| {
        let sign = if now > was { "+" } else { "−" };
        format!("{sign}{}", write(now.abs_diff(was)))
    });
    Row::Both {
        was: Some(side(figure.was, None)),
        now: Some(side(figure.now, more)),
        same: figure.was == figure.now,
        wraps: false,
    }
}

/// Writes millionths of a dollar: `$0.0042`.
fn money(millionths: u64) -> String {
    let tenths = millionths.div_ceil(100);
    format!("${}.{:04}", tenths / 10_000, tenths % 10_000)
}
