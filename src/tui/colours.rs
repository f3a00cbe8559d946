//! Colours as far as the terminal has them: the nearest one, or none; and how far apart two are.

use ratatui::style::Color;

/// How many colours the terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// None: no colour code is ever sent.
    Mono,
    /// The 16 of old.
    Sixteen,
    /// 256.
    Indexed,
    /// All.
    #[default]
    True,
}

impl Depth {
    /// Concludes the depth from `NO_COLOR`, `COLORTERM` and `TERM`.
    pub fn of(no_color: Option<&str>, colorterm: Option<&str>, term: Option<&str>) -> Depth {
        let term = term.unwrap_or("");
        let colorterm = colorterm.unwrap_or("");
        if no_color.is_some_and(|v| !v.is_empty())
            || matches!(term, "" | "dumb" | "vt100" | "vt220")
        {
            Depth::Mono
        } else if colorterm.contains("truecolor") || colorterm.contains("24bit") {
            Depth::True
        } else if term.contains("256") || term.contains("kitty") || term.contains("direct") {
            Depth::Indexed
        } else {
            Depth::Sixteen
        }
    }
}

/// What a colour is for: letters keep their hue where colours are few, grounds their brightness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Letters and lines.
    Letters,
    /// What is behind them.
    Ground,
}

/// Takes the nearest colour that the terminal has; none where it has none.
pub(super) fn fewer(colour: Color, depth: Depth, used: Use) -> Option<Color> {
    let Color::Rgb(r, g, b) = colour else {
        return (depth != Depth::Mono).then_some(colour);
    };
    match depth {
        Depth::Mono => None,
        Depth::True => Some(colour),
        Depth::Indexed => Some(Color::Indexed(cube(r, g, b))),
        Depth::Sixteen if used == Use::Letters => {
            Some(by_hue(r, g, b).unwrap_or(nearest_of_sixteen(r, g, b)))
        }
        Depth::Sixteen => Some(nearest_of_sixteen(r, g, b)),
    }
}

/// Maps to xterm's 6×6×6 cube or its 24 greys, whichever is nearer.
fn cube(r: u8, g: u8, b: u8) -> u8 {
    /// Levels of the cube's axes.
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let step = |c: u8| {
        let near = LEVELS.iter().enumerate().min_by_key(|(_, l)| c.abs_diff(**l));
        near.map_or((0, 0), |(i, l)| (i, *l))
    };
    let ((ri, rl), (gi, gl), (bi, bl)) = (step(r), step(g), step(b));
    let in_cube = u8::try_from(16 + 36 * ri + 6 * gi + bi).unwrap_or(15);
    let mean = (u32::from(r) + u32::from(g) + u32::from(b)) / 3;
    let grey = (mean.saturating_sub(3) / 10).min(23);
    let level = u8::try_from(8 + 10 * grey).unwrap_or(255);
    let in_greys = u8::try_from(232 + grey).unwrap_or(255);
    let nearer = far((r, g, b), (level, level, level)) < far((r, g, b), (rl, gl, bl));
    if nearer { in_greys } else { in_cube }
}

fn far(a: (u8, u8, u8), b: (u8, u8, u8)) -> u32 {
    let square = |x: u8, y: u8| u32::from(x.abs_diff(y)).pow(2);
    square(a.0, b.0) + square(a.1, b.1) + square(a.2, b.2)
}

/// Finds the one of the 16 with the nearest hue; none for greys, which have no hue.
fn by_hue(r: u8, g: u8, b: u8) -> Option<Color> {
    /// Full hues with their dark and bright colour.
    const HUES: [((u8, u8, u8), Color, Color); 6] = [
        ((255, 0, 0), Color::Red, Color::LightRed),
        ((0, 255, 0), Color::Green, Color::LightGreen),
        ((255, 255, 0), Color::Yellow, Color::LightYellow),
        ((0, 0, 255), Color::Blue, Color::LightBlue),
        ((255, 0, 255), Color::Magenta, Color::LightMagenta),
        ((0, 255, 255), Color::Cyan, Color::LightCyan),
    ];
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    if most == 0 || u32::from(most - least) * 3 < u32::from(most) {
        return None;
    }
    // stretched so that only the hue is left
    let full = |c: u8| {
        let part = u32::from(c - least) * 255 / u32::from(most - least);
        u8::try_from(part).unwrap_or(255)
    };
    let hue = (full(r), full(g), full(b));
    let near = HUES.iter().min_by_key(|(at, _, _)| far(hue, *at))?;
    Some(if luminance(r, g, b) < 0.25 { near.1 } else { near.2 })
}

/// Finds the nearest of the 16 colours, by the values xterm gives them.
fn nearest_of_sixteen(r: u8, g: u8, b: u8) -> Color {
    /// xterm's defaults.
    const SIXTEEN: [(Color, (u8, u8, u8)); 16] = [
        (Color::Black, (0, 0, 0)),
        (Color::Red, (205, 0, 0)),
        (Color::Green, (0, 205, 0)),
        (Color::Yellow, (205, 205, 0)),
        (Color::Blue, (0, 0, 238)),
        (Color::Magenta, (205, 0, 205)),
        (Color::Cyan, (0, 205, 205)),
        (Color::Gray, (229, 229, 229)),
        (Color::DarkGray, (127, 127, 127)),
        (Color::LightRed, (255, 0, 0)),
        (Color::LightGreen, (0, 255, 0)),
        (Color::LightYellow, (255, 255, 0)),
        (Color::LightBlue, (92, 92, 255)),
        (Color::LightMagenta, (255, 0, 255)),
        (Color::LightCyan, (0, 255, 255)),
        (Color::White, (255, 255, 255)),
    ];
    let near = SIXTEEN.iter().min_by_key(|(_, at)| far((r, g, b), *at));
    near.map_or(Color::Reset, |(colour, _)| *colour)
}

/// Returns the relative luminance of WCAG 2: 0 for black, 1 for white.
fn luminance(r: u8, g: u8, b: u8) -> f64 {
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/// Returns the contrast of WCAG 2 between two full colours: 1 to 21; none for all others.
#[cfg(test)]
pub(super) fn contrast(a: Color, b: Color) -> Option<f64> {
    let light = |colour: Color| {
        let Color::Rgb(r, g, b) = colour else { return None };
        Some(luminance(r, g, b))
    };
    let (a, b) = (light(a)?, light(b)?);
    Some((a.max(b) + 0.05) / (a.min(b) + 0.05))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_follows_the_environment() {
        assert_eq!(Depth::of(Some("1"), Some("truecolor"), Some("xterm")), Depth::Mono);
        assert_eq!(Depth::of(Some(""), Some("truecolor"), Some("xterm")), Depth::True);
        assert_eq!(Depth::of(None, None, Some("xterm-256color")), Depth::Indexed);
        assert_eq!(Depth::of(None, None, Some("linux")), Depth::Sixteen);
        assert_eq!(Depth::of(None, None, Some("dumb")), Depth::Mono);
    }

    #[test]
    fn the_nearest_of_256_is_in_the_cube_or_a_grey() {
        assert_eq!(cube(255, 0, 0), 196);
        assert_eq!(cube(0, 0, 0), 16);
        assert_eq!(cube(95, 135, 175), 67);
        assert_eq!(cube(128, 128, 128), 244);
    }

    #[test]
    fn of_16_letters_keep_their_hue_and_grounds_their_brightness() {
        let letters = |r, g, b| fewer(Color::Rgb(r, g, b), Depth::Sixteen, Use::Letters);
        // a dark teal is nearer to grey than to cyan by its values, and still no grey
        assert_eq!(letters(10, 116, 128), Some(Color::Cyan));
        assert_eq!(letters(227, 179, 65), Some(Color::LightYellow));
        assert_eq!(letters(125, 133, 144), Some(Color::DarkGray));
        let ground = fewer(Color::Rgb(13, 17, 23), Depth::Sixteen, Use::Ground);
        assert_eq!(ground, Some(Color::Black));
        assert_eq!(fewer(Color::Red, Depth::Mono, Use::Letters), None);
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        let near = |a: Color, b: Color, expected: f64| {
            let got = contrast(a, b).expect("full colours");
            assert!((got - expected).abs() < 0.01, "{got} is not {expected}");
        };
        near(Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255), 21.0);
        near(Color::Rgb(255, 255, 255), Color::Rgb(255, 255, 255), 1.0);
        // the grey that WCAG's own examples call just enough on white
        near(Color::Rgb(118, 118, 118), Color::Rgb(255, 255, 255), 4.54);
    }
}
