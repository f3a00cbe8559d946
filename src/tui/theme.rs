//! Roles to styles, from theme files: a palette, then roles, with inheritance.
//!
//! Code never names a colour: it asks for a role. Where the terminal has fewer colours the nearest
//! one is taken; without colours only bold, underline and reverse are left.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use super::colours::{Use, fewer};
use super::theme_file::{Look, ThemeFile};

pub use super::colours::Depth;

/// Shipped themes.
const SHIPPED: &[(&str, &str)] = &[
    ("querent-dark", include_str!("../../themes/querent-dark.toml")),
    ("querent-light", include_str!("../../themes/querent-light.toml")),
    ("midnight", include_str!("../../themes/midnight.toml")),
    ("ember", include_str!("../../themes/ember.toml")),
    ("paper", include_str!("../../themes/paper.toml")),
    ("high-contrast", include_str!("../../themes/high-contrast.toml")),
    ("terminal", include_str!("../../themes/terminal.toml")),
    ("monochrome", include_str!("../../themes/monochrome.toml")),
];

/// Ancestors a theme may have; more are a circle.
const ANCESTORS: usize = 8;

/// Makes the enum and the list of all its variants from one table, so that none is forgotten.
macro_rules! roles {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// What a piece of the screen is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Role {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Role {
            /// Every role.
            pub const ALL: &[Role] = &[$(Role::$name,)+];
        }
    };
}

roles! {
    /// What is behind everything.
    Ground,
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
    /// Letters that a search found.
    Match,
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
    /// The first series of a chart.
    Series1,
    /// The second series.
    Series2,
    /// The third series.
    Series3,
    /// The fourth series.
    Series4,
    /// The fifth series.
    Series5,
    /// The sixth series.
    Series6,
    /// What stands in front of panes.
    Overlay,
    /// Keywords of SQL.
    SqlKeyword,
    /// Operators of SQL.
    SqlOperator,
    /// Texts in SQL.
    SqlString,
    /// Numbers in SQL.
    SqlNumber,
    /// NULL, TRUE and FALSE in SQL.
    SqlConstant,
    /// Comments in SQL.
    SqlComment,
    /// Functions of SQL.
    SqlFunction,
    /// Parameters of SQL.
    SqlParameter,
    /// Commas and brackets of SQL.
    SqlPunctuation,
}

/// What a piece of SQL is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    /// Its role.
    pub role: Role,
}

/// A theme that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// What it is, in words.
    pub words: String,
    file: ThemeFile,
}

/// All themes that can be chosen: shipped ones, then the person's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Themes {
    list: Vec<Listed>,
}

impl Default for Themes {
    fn default() -> Self {
        let mut themes = Themes { list: Vec::new() };
        for (name, text) in SHIPPED {
            // a shipped file that can't be read fails its test; here it would be missing
            let _ = themes.add(name, text);
        }
        themes
    }
}

impl Themes {
    /// Adds a theme; says what is wrong with its file. One of the same name is replaced.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), String> {
        let file = ThemeFile::read(text).map_err(|what| format!("theme {name}.toml, {what}"))?;
        let words = file.words.clone().unwrap_or_else(|| "a theme of your own".to_owned());
        let listed = Listed { name: name.to_owned(), words, file };
        match self.list.iter_mut().find(|l| l.name == name) {
            Some(former) => *former = listed,
            None => self.list.push(listed),
        }
        Ok(())
    }

    /// Lists them.
    pub fn list(&self) -> impl Iterator<Item = &Listed> {
        self.list.iter()
    }

    /// Makes a theme for a terminal; says what is wrong where it can't be made.
    pub fn make(&self, name: &str, depth: Depth) -> Result<Theme, String> {
        let mut line = Vec::new();
        let mut wanted = Some(name.to_owned());
        while let Some(name) = wanted.take() {
            let found = self.list.iter().find(|listed| listed.name == name);
            let listed = found.ok_or_else(|| format!("no theme is called '{name}'"))?;
            if line.len() == ANCESTORS {
                return Err(format!("theme {name} inherits from itself"));
            }
            line.push(listed);
            wanted.clone_from(&listed.file.inherits);
        }
        let depth = if line.iter().any(|l| l.file.colourless) { Depth::Mono } else { depth };
        let mut palette = BTreeMap::new();
        let mut looks = BTreeMap::new();
        // the oldest ancestor first: a later word replaces an earlier one
        for listed in line.iter().rev() {
            palette.extend(&listed.file.palette);
            looks.extend(&listed.file.roles);
        }
        let mut styles = BTreeMap::new();
        for (role, look) in looks {
            let made = style(look, &palette, depth);
            styles.insert(*role, made.map_err(|what| format!("theme {name}: {what}"))?);
        }
        Ok(Theme { name: name.to_owned(), styles })
    }
}

/// A theme ready to draw with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Theme {
    /// Its name.
    pub name: String,
    styles: BTreeMap<Role, Style>,
}

impl Theme {
    /// Returns the style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(&role).copied().unwrap_or_default()
    }

    /// Returns the style of a piece of SQL.
    pub fn paint(&self, paint: Paint) -> Style {
        self.style(paint.role)
    }
}

fn style(look: &Look, palette: &BTreeMap<&String, &String>, depth: Depth) -> Result<Style, String> {
    let mut style = Style::new();
    if let Some(fg) = &look.fg {
        style.fg = fewer(colour(fg, palette)?, depth, Use::Letters);
    }
    if let Some(bg) = &look.bg {
        style.bg = fewer(colour(bg, palette)?, depth, Use::Ground);
    }
    let mono = if depth == Depth::Mono { look.mono.as_slice() } else { &[] };
    for name in look.add.iter().chain(mono) {
        style = style.add_modifier(modifier(name)?);
    }
    Ok(style)
}

fn colour(name: &String, palette: &BTreeMap<&String, &String>) -> Result<Color, String> {
    let text = palette.get(name).map_or(name.as_str(), |text| text.as_str());
    text.parse().map_err(|_| format!("'{name}' is no colour, and no name of the palette"))
}

fn modifier(name: &str) -> Result<Modifier, String> {
    match name {
        "bold" => Ok(Modifier::BOLD),
        "dim" => Ok(Modifier::DIM),
        "italic" => Ok(Modifier::ITALIC),
        "underlined" => Ok(Modifier::UNDERLINED),
        "reversed" => Ok(Modifier::REVERSED),
        other => Err(format!("'{other}' is none of bold, dim, italic, underlined, reversed")),
    }
}

#[cfg(test)]
mod tests;
