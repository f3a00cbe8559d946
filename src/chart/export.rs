//! A figure as an SVG text, drawn by plotters from the same points and ticks as on the screen.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{IntoFont, RGBColor, ShapeStyle};

use super::figure::{Across, Figure, Point, Series};
use super::{Kind, numbers};

/// Width of the picture.
const WIDTH: i32 = 1_200;

/// Height of the picture; lying bars take as much as they need.
const HEIGHT: i32 = 720;

/// Height of a lying bar with the room around it.
const BAR: i32 = 22;

/// Size of letters.
const LETTERS: i32 = 18;

/// Width of a letter, about.
const LETTER: i32 = 8;

/// A file has its own paper: these stand on white, and can be told apart by most eyes.
const SERIES: [RGBColor; 6] = [
    RGBColor(10, 116, 128),
    RGBColor(190, 110, 0),
    RGBColor(111, 63, 181),
    RGBColor(17, 120, 50),
    RGBColor(190, 40, 40),
    RGBColor(70, 78, 88),
];
const INK: RGBColor = RGBColor(30, 36, 42);
const QUIET: RGBColor = RGBColor(105, 114, 124);
const GRID: RGBColor = RGBColor(222, 227, 232);
const PAPER: RGBColor = RGBColor(255, 255, 255);

/// Why a picture can't be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("drawing failed: {0}")]
pub struct ExportError(String);

/// Draws a figure as SVG.
pub fn svg(figure: &Figure) -> Result<String, ExportError> {
    let height = match figure.kind {
        Kind::HorizontalBars => lines_of(figure) * BAR + 170,
        Kind::BigNumber
        | Kind::Line
        | Kind::Bars
        | Kind::Scatter
        | Kind::Histogram
        | Kind::Sparkline => HEIGHT,
    };
    let height = height.max(240);
    let mut text = String::new();
    {
        let size = (WIDTH.unsigned_abs(), height.unsigned_abs());
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let picture = Picture { area, figure, height };
        picture.area.fill(&PAPER).map_err(failed)?;
        picture.words()?;
        picture.plot()?;
        picture.area.present().map_err(failed)?;
    }
    Ok(text)
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn failed(error: impl std::fmt::Display) -> ExportError {
    ExportError(error.to_string())
}

/// Counts the lines of lying bars, with one between groups.
fn lines_of(figure: &Figure) -> i32 {
    let series = figure.series.len();
    let each = if series > 1 { series + 1 } else { 1 };
    whole(figure.labels().len() * each)
}

fn whole(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX / 64)
}

/// Replaces what XML can't hold.
fn clean(text: &str) -> String {
    let allowed = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}

/// Cuts a label to so many letters.
fn cut(text: &str, most: i32) -> String {
    let most = usize::try_from(most).unwrap_or(1).max(2);
    let text = clean(text);
    if text.chars().count() <= most {
        return text;
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

fn long(text: &str) -> i32 {
    whole(text.chars().count()) * LETTER
}

fn colour(n: usize) -> RGBColor {
    SERIES.get(n % SERIES.len()).copied().unwrap_or(INK)
}

/// The picture being drawn.
struct Picture<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    figure: &'a Figure,
    height: i32,
}

/// The place of points, in pixels.
#[derive(Clone, Copy)]
struct Place {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
    x: (f64, f64),
    y: (f64, f64),
}

impl Place {
    fn across(&self, x: f64) -> i32 {
        self.left + part(x, self.x, self.right - self.left)
    }

    fn up(&self, y: f64) -> i32 {
        self.bottom - part(y, self.y, self.bottom - self.top)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "pixels")]
fn part(value: f64, (low, high): (f64, f64), pixels: i32) -> i32 {
    let span = high / 2.0 - low / 2.0;
    if span <= 0.0 {
        return pixels / 2;
    }
    ((value / 2.0 - low / 2.0) / span * f64::from(pixels)).round() as i32
}

impl Picture<'_> {
    fn text(
        &self,
        (x, y): (i32, i32),
        text: &str,
        colour: RGBColor,
        at: (HPos, VPos),
        size: i32,
    ) -> Result<(), ExportError> {
        let style = ("sans-serif", size).into_font().color(&colour);
        let style = style.pos(Pos::new(at.0, at.1));
        self.area.draw(&Text::new(clean(text), (x, y), style)).map_err(failed)
    }

    fn line(
        &self,
        points: Vec<(i32, i32)>,
        colour: RGBColor,
        wide: u32,
    ) -> Result<(), ExportError> {
        let style = ShapeStyle { stroke_width: wide, ..ShapeStyle::from(&colour) };
        self.area.draw(&PathElement::new(points, style)).map_err(failed)
    }

    fn bar(&self, a: (i32, i32), b: (i32, i32), colour: RGBColor) -> Result<(), ExportError> {
        let corners = [(a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1))];
        let element = Rectangle::new(corners, ShapeStyle::from(&colour).filled());
        self.area.draw(&element).map_err(failed)
    }

    fn dot(&self, at: (i32, i32), size: i32, colour: RGBColor) -> Result<(), ExportError> {
        let element = Circle::new(at, size, ShapeStyle::from(&colour).filled());
        self.area.draw(&element).map_err(failed)
    }

    /// Writes the title, the legend, and what isn't shown.
    fn words(&self) -> Result<(), ExportError> {
        let start = (HPos::Left, VPos::Top);
        self.text((24, 18), &cut(&self.figure.title, 90), INK, start, 28)?;
        if self.figure.series.len() > 1 && self.figure.kind != Kind::BigNumber {
            let mut x = 24;
            for (n, series) in self.figure.series.iter().enumerate() {
                let name = cut(&series.name, 24);
                self.bar((x, 58), (x + 12, 70), colour(n))?;
                self.text((x + 18, 56), &name, INK, start, LETTERS)?;
                x += 18 + long(&name) + 24;
            }
        }
        let notes = self.figure.notes.join(" · ");
        if notes.is_empty() {
            return Ok(());
        }
        let at = (24, self.height - 12);
        self.text(at, &cut(&notes, 150), QUIET, (HPos::Left, VPos::Bottom), 16)
    }

    fn plot(&self) -> Result<(), ExportError> {
        match self.figure.kind {
            Kind::BigNumber => self.big(),
            Kind::Line => self.lines(),
            Kind::Scatter => self.cloud(),
            Kind::Bars | Kind::Histogram => self.standing(),
            Kind::HorizontalBars => self.lying(),
            Kind::Sparkline => self.sparklines(),
        }
    }

    fn big(&self) -> Result<(), ExportError> {
        let count = whole(self.figure.series.len()).max(1);
        let middle = (HPos::Center, VPos::Center);
        for (n, series) in self.figure.series.iter().enumerate() {
            let x = WIDTH * (whole(n) * 2 + 1) / (count * 2);
            let letters = long(&series.exact).max(1);
            let size = (WIDTH / count * LETTERS / letters / 2).clamp(24, 120);
            self.text((x, self.height / 2 - 20), &series.exact, colour(0), middle, size)?;
            self.text((x, self.height / 2 + 80), &cut(&series.name, 60), QUIET, middle, 24)?;
        }
        Ok(())
    }

    /// Draws ticks upwards; returns the place of the points.
    fn axes(&self) -> Result<Place, ExportError> {
        let ticks = self.figure.y_ticks(9);
        let wide = ticks.iter().map(|tick| long(&tick.text)).max().unwrap_or(0);
        let (first, last) = (ticks.first().map(|t| t.at), ticks.last().map(|t| t.at));
        let y =
            (first.unwrap_or(0.0).min(self.figure.y.0), last.unwrap_or(1.0).max(self.figure.y.1));
        let place = Place {
            left: 40 + wide,
            right: WIDTH - 40,
            top: 116,
            bottom: self.height - 104,
            x: self.figure.x,
            y,
        };
        for tick in &ticks {
            let y = place.up(tick.at);
            let look = if tick.at == 0.0 { QUIET } else { GRID };
            self.line(vec![(place.left, y), (place.right, y)], look, 1)?;
            let at = (place.left - 8, y);
            self.text(at, &tick.text, QUIET, (HPos::Right, VPos::Center), LETTERS)?;
        }
        let above = (place.left, 92);
        self.text(above, &cut(&self.figure.y_name, 100), QUIET, (HPos::Left, VPos::Top), 16)?;
        self.line(vec![(place.left, place.bottom), (place.right, place.bottom)], QUIET, 1)?;
        let below = (i32::midpoint(place.left, place.right), place.bottom + 36);
        self.text(below, &cut(&self.figure.x_name, 100), QUIET, (HPos::Center, VPos::Top), 16)?;
        Ok(place)
    }

    /// Draws ticks along, as many as don't touch.
    fn along(&self, place: &Place) -> Result<(), ExportError> {
        let ticks = (2..=12).rev().map(|most| self.figure.x_ticks(most)).find(|ticks| {
            let wide: i32 = ticks.iter().map(|tick| long(&tick.text) + 24).sum();
            wide <= place.right - place.left
        });
        for tick in ticks.unwrap_or_default() {
            self.mark(place, place.across(tick.at), &tick.text)?;
        }
        Ok(())
    }

    fn mark(&self, place: &Place, x: i32, text: &str) -> Result<(), ExportError> {
        self.line(vec![(x, place.bottom), (x, place.bottom + 6)], QUIET, 1)?;
        let at = (x, place.bottom + 10);
        self.text(at, text, QUIET, (HPos::Center, VPos::Top), LETTERS)
    }

    fn lines(&self) -> Result<(), ExportError> {
        let place = self.axes()?;
        self.along(&place)?;
        for (n, series) in self.figure.series.iter().enumerate() {
            self.series_line(&place, series, n)?;
        }
        Ok(())
    }

    /// Draws a line, interrupted at gaps.
    fn series_line(&self, place: &Place, series: &Series, n: usize) -> Result<(), ExportError> {
        let marks = series.points.len() <= 120;
        for stretch in series.points.split(|point| point.y.is_none()) {
            let at = |p: &Point| p.y.map(|y| (place.across(p.x), place.up(y)));
            let points: Vec<(i32, i32)> = stretch.iter().filter_map(at).collect();
            if marks || points.len() == 1 {
                for point in &points {
                    self.dot(*point, 4, colour(n))?;
                }
            }
            if points.len() > 1 {
                self.line(points, colour(n), 2)?;
            }
        }
        Ok(())
    }

    fn cloud(&self) -> Result<(), ExportError> {
        let place = self.axes()?;
        self.along(&place)?;
        for (n, series) in self.figure.series.iter().enumerate() {
            let size = if series.points.len() > 400 { 2 } else { 4 };
            for point in &series.points {
                if let Some(y) = point.y {
                    self.dot((place.across(point.x), place.up(y)), size, colour(n))?;
                }
            }
        }
        Ok(())
    }

    fn standing(&self) -> Result<(), ExportError> {
        let place = self.axes()?;
        let width = match &self.figure.across {
            Across::Bins(width) => *width,
            Across::Labels(_) | Across::Numbers | Across::Times(_) | Across::Rows => 1.0,
        };
        let series = whole(self.figure.series.len()).max(1);
        let zero = place.up(0.0);
        for (n, one) in self.figure.series.iter().enumerate() {
            for point in &one.points {
                let Some(y) = point.y else { continue };
                let (from, to) = (place.across(point.x), place.across(point.x + width));
                let slot = to - from;
                let gap = if width_is_bin(self.figure) { slot.min(2) } else { slot / 5 };
                let each = (slot - gap).max(1) / series;
                let left = from + gap / 2 + each * whole(n);
                self.bar((left, place.up(y)), (left + each.max(1), zero), colour(n))?;
            }
        }
        if width_is_bin(self.figure) {
            return self.along(&place);
        }
        self.names(&place)
    }

    /// Writes the names under standing bars: each, or every so many where there is no room.
    fn names(&self, place: &Place) -> Result<(), ExportError> {
        let labels = self.figure.labels();
        let slot = (place.right - place.left) / whole(labels.len()).max(1);
        let longest = labels.iter().map(|label| long(&cut(label, 24))).max().unwrap_or(0);
        let every = if slot >= 7 * LETTER { 1 } else { (longest + 12) / slot.max(1) + 1 };
        let most = if every == 1 { (slot - 6) / LETTER } else { 24 };
        for (n, label) in labels.iter().enumerate() {
            if whole(n) % every.max(1) == 0 {
                let x = i32::midpoint(place.across(at(n)), place.across(at(n + 1)));
                self.mark(place, x, &cut(label, most))?;
            }
        }
        Ok(())
    }

    /// Draws name, bar and number, a line each.
    fn lying(&self) -> Result<(), ExportError> {
        let labels = self.figure.labels();
        let longest = labels.iter().map(|label| long(&cut(label, 40))).max().unwrap_or(0);
        let (low, high) = (self.figure.y.0.min(0.0), self.figure.y.1.max(0.0));
        let place = Place {
            left: 40 + longest,
            right: WIDTH - 150,
            top: 116,
            bottom: self.height - 40,
            x: (low, high),
            y: (0.0, 1.0),
        };
        let caption = format!("{} by {}", self.figure.y_name, self.figure.x_name);
        self.text((place.left, 92), &cut(&caption, 100), QUIET, (HPos::Left, VPos::Top), 16)?;
        let series = whole(self.figure.series.len()).max(1);
        let each = if series > 1 { series + 1 } else { 1 };
        for (n, label) in labels.iter().enumerate() {
            let y = place.top + whole(n) * each * BAR;
            let at = (place.left - 8, y + BAR / 2);
            self.text(at, &cut(label, 40), INK, (HPos::Right, VPos::Center), LETTERS)?;
        }
        let zero = place.across(0.0);
        for (s, one) in self.figure.series.iter().enumerate() {
            for point in &one.points {
                let y = place.top + (row(point.x) * each + whole(s)) * BAR;
                let text = point.y.map_or("∅".to_owned(), |value| numbers::short(value, 14));
                let end = place.across(point.y.unwrap_or(0.0));
                self.bar((zero, y + 3), (end, y + BAR - 3), colour(s))?;
                let (x, side) =
                    if end < zero { (end - 6, HPos::Right) } else { (end + 6, HPos::Left) };
                self.text((x, y + BAR / 2), &text, QUIET, (side, VPos::Center), 16)?;
            }
        }
        let bottom = place.top + lines_of(self.figure) * BAR;
        self.line(vec![(zero, place.top), (zero, bottom)], QUIET, 1)
    }

    /// Draws each number as a line in a band of its own.
    fn sparklines(&self) -> Result<(), ExportError> {
        let count = whole(self.figure.series.len()).max(1);
        let band = (self.height - 170) / count;
        for (n, series) in self.figure.series.iter().enumerate() {
            let ys = || series.points.iter().filter_map(|point| point.y);
            let y = (ys().fold(f64::INFINITY, f64::min), ys().fold(f64::NEG_INFINITY, f64::max));
            let top = 116 + band * whole(n);
            let place = Place {
                left: 24,
                right: WIDTH - 40,
                top: top + 28,
                bottom: top + band - 12,
                x: self.figure.x,
                y,
            };
            let (low, high) = (numbers::short(y.0, 12), numbers::short(y.1, 12));
            let words = format!("{}   low {low} · high {high}", cut(&series.name, 40));
            self.text((24, top), &words, INK, (HPos::Left, VPos::Top), LETTERS)?;
            self.series_line(&place, series, n)?;
        }
        Ok(())
    }
}

fn width_is_bin(figure: &Figure) -> bool {
    matches!(figure.across, Across::Bins(_))
}

#[expect(clippy::cast_precision_loss, reason = "a label's place")]
fn at(n: usize) -> f64 {
    n as f64
}

#[expect(clippy::cast_possible_truncation, reason = "a label's place")]
fn row(x: f64) -> i32 {
    x as i32
}
