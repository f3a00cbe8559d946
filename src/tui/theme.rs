//! Roles to styles, from `themes/*.toml`: a palette, then roles, with inheritance.
//!
//! Code never names a colour: it asks for a role. Where the terminal has fewer colours the nearest
//! one is taken; without colours only bold, underline and reverse are left.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

/// Shipped themes: name, roles, SQL colours.
const SHIPPED: &[(&str, &str, &str)] = &[
    (
        "querent-dark",
        include_str!("../../themes/querent-dark.toml"),
        include_str!("../../themes/querent-dark.tmTheme"),
    ),
    (
        "querent-light",
        include_str!("../../themes/querent-light.toml"),
        include_str!("../../themes/querent-light.tmTheme"),
    ),
    (
        "high-contrast",
        include_str!("../../themes/high-contrast.toml"),
        include_str!("../../themes/high-contrast.tmTheme"),
    ),
    (
        "monochrome",
        include_str!("../../themes/monochrome.toml"),
        include_str!("../../themes/monochrome.tmTheme"),
    ),
];

/// What a piece of the screen is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Plain text.
    Text,
    /// Units, times, types, what matters less.
    Dim,
    /// Lines around panes.
    Border,
    /// The line around the focused pane.
    BorderFocus,
    /// A pane's title.
    Title,
    /// The focused pane's title.
    TitleFocus,
    /// What the eye shall find first.
    Accent,
    /// Names of keys.
    Key,
    /// Passed.
    Good,
    /// Look here.
    Warn,
    /// Failed.
    Bad,
    /// Numbers in data.
    Number,
    /// NULL.
    Null,
    /// Names of columns in a result.
    Column,
    /// The row the cursor is in.
    Row,
    /// The cell or line under the cursor.
    Cursor,
    /// Cells that are selected.
    Selected,
    /// Where a text that was looked for stands.
    Found,
    /// The header line.
    Header,
    /// A tab.
    Tab,
    /// The tab in front.
    TabActive,
    /// Where SQL is wrong.
    Error,
    /// What was changed by a rewrite.
    Changed,
    /// The badge of a moment in the past.
    Past,
    /// Bars of tokens.
    Bar,
    /// What stands in front of panes.
    Overlay,
}

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

/// Colour and weight of a piece of SQL, before the terminal's depth is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Paint {
    /// Red, green, blue; none is the terminal's own.
    pub colour: Option<(u8, u8, u8)>,
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
}

/// A loaded theme.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    /// Its name.
    pub name: String,
    depth: Depth,
    styles: BTreeMap<Role, Style>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    inherits: Option<String>,
    #[serde(default)]
    palette: BTreeMap<String, String>,
    #[serde(default)]
    roles: BTreeMap<Role, Look>,
}

#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields, default)]
struct Look {
    fg: Option<String>,
    bg: Option<String>,
    add: Vec<String>,
    /// What is added where there are no colours.
    mono: Vec<String>,
}

impl Theme {
    /// Lists the shipped themes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _, _)| *name)
    }

    /// Loads a shipped theme; an unknown name gives the first one.
    pub fn named(name: &str, depth: Depth) -> Theme {
        let shipped = SHIPPED.iter().find(|(n, _, _)| *n == name).or(SHIPPED.first());
        let (name, text, _) = shipped.copied().unwrap_or(("plain", "", ""));
        let mut styles = BTreeMap::new();
        // a shipped file that can't be read fails its test; here it leaves plain text
        let _ = apply(text, depth, &mut styles);
        Theme { name: name.to_owned(), depth, styles }
    }

    /// Returns the `.tmTheme` of a shipped theme.
    pub fn sql(name: &str) -> &'static str {
        SHIPPED
            .iter()
            .find(|(n, _, _)| *n == name)
            .or(SHIPPED.first())
            .map_or("", |(_, _, sql)| sql)
    }

    /// Returns the style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(&role).copied().unwrap_or_default()
    }

    /// Returns the style of a piece of SQL.
    pub fn paint(&self, paint: Paint) -> Style {
        let mut style = self.style(Role::Text);
        if let Some((r, g, b)) = paint.colour
            && let Some(colour) = fewer(Color::Rgb(r, g, b), self.depth)
        {
            style = style.fg(colour);
        }
        if paint.bold {
            style = style.add_modifier(Modifier::BOLD);
        }
        if paint.italic && self.depth != Depth::Mono {
            style = style.add_modifier(Modifier::ITALIC);
        }
        style
    }
}

/// Reads a theme file over what its ancestors say.
fn apply(text: &str, depth: Depth, styles: &mut BTreeMap<Role, Style>) -> Result<(), String> {
    let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
    if let Some(parent) = &file.inherits {
        let (_, parent, _) = SHIPPED
            .iter()
            .find(|(name, _, _)| name == parent)
            .ok_or_else(|| format!("no theme is called '{parent}'"))?;
        apply(parent, depth, styles)?;
    }
    for (role, look) in &file.roles {
        styles.insert(*role, style(look, &file.palette, depth)?);
    }
    Ok(())
}

fn style(look: &Look, palette: &BTreeMap<String, String>, depth: Depth) -> Result<Style, String> {
    let mut style = Style::new();
    if let Some(fg) = &look.fg {
        style.fg = fewer(colour(fg, palette)?, depth);
    }
    if let Some(bg) = &look.bg {
        style.bg = fewer(colour(bg, palette)?, depth);
    }
    let mono = if depth == Depth::Mono { look.mono.as_slice() } else { &[] };
    for name in look.add.iter().chain(mono) {
        style = style.add_modifier(modifier(name)?);
    }
    Ok(style)
}

fn colour(name: &str, palette: &BTreeMap<String, String>) -> Result<Color, String> {
    let text = palette.get(name).map_or(name, String::as_str);
    text.parse().map_err(|_| format!("'{name}' is no colour"))
}

fn modifier(name: &str) -> Result<Modifier, String> {
    match name {
        "bold" => Ok(Modifier::BOLD),
        "dim" => Ok(Modifier::DIM),
        "italic" => Ok(Modifier::ITALIC),
        "underlined" => Ok(Modifier::UNDERLINED),
        "reversed" => Ok(Modifier::REVERSED),
        other => Err(format!("'{other}' is no modifier")),
    }
}

/// Takes the nearest colour that the terminal has; none where it has none.
fn fewer(colour: Color, depth: Depth) -> Option<Color> {
    let Color::Rgb(r, g, b) = colour else {
        return (depth != Depth::Mono).then_some(colour);
    };
    match depth {
        Depth::Mono => None,
        Depth::True => Some(colour),
        Depth::Indexed => Some(Color::Indexed(cube(r, g, b))),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_theme_reads_and_says_every_role_it_needs() {
        for (name, text, sql) in SHIPPED {
            let mut styles = BTreeMap::new();
            assert_eq!(apply(text, Depth::True, &mut styles), Ok(()), "{name}");
            assert!(styles.contains_key(&Role::Overlay), "{name}");
            assert!(styles.contains_key(&Role::Error), "{name}");
            assert!(sql.contains("<plist"), "{name}");
        }
    }

    #[test]
    fn without_colours_no_style_has_any() {
        for (name, _, _) in SHIPPED {
            let theme = Theme::named(name, Depth::Mono);
            for style in theme.styles.values() {
                assert_eq!((style.fg, style.bg), (None, None), "{name}");
            }
        }
    }

    #[test]
    fn depth_follows_the_environment() {
        assert_eq!(Depth::of(Some("1"), Some("truecolor"), Some("xterm")), Depth::Mono);
        assert_eq!(Depth::of(Some(""), Some("truecolor"), Some("xterm")), Depth::True);
        assert_eq!(Depth::of(None, None, Some("xterm-256color")), Depth::Indexed);
        assert_eq!(Depth::of(None, None, Some("linux")), Depth::Sixteen);
        assert_eq!(Depth::of(None, None, Some("dumb")), Depth::Mono);
        assert_eq!(cube(255, 0, 0), 196);
        assert_eq!(nearest_of_sixteen(250, 5, 5), Color::LightRed);
    }
}
