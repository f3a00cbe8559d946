//! Reads theme files: TOML with places, so that what is wrong is named with its line.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::theme::Role;

/// A name this alike is offered; lower ones are more often another word than a slip.
const ALIKE: f64 = 0.75;

/// How a role looks, as written.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Look {
    /// Colour of the letters, by a name of the palette or its own.
    pub(super) fg: Option<String>,
    /// Colour behind them.
    pub(super) bg: Option<String>,
    /// Modifiers that are added.
    pub(super) add: Vec<String>,
    /// Modifiers that are added where there are no colours.
    pub(super) mono: Vec<String>,
}

/// A theme file, as written.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ThemeFile {
    /// The theme whose palette and roles serve where this one says nothing.
    pub(super) inherits: Option<String>,
    /// What it is, in words.
    pub(super) words: Option<String>,
    /// It never has colours.
    pub(super) colourless: bool,
    /// Colours by names of its own.
    pub(super) palette: BTreeMap<String, String>,
    /// Looks by role.
    pub(super) roles: BTreeMap<Role, Look>,
}

impl ThemeFile {
    /// Reads a file; says the line and what is wrong there.
    pub(super) fn read(text: &str) -> Result<ThemeFile, String> {
        let wrong = |at: usize, what: &str| format!("line {}: {what}", line(text, at));
        let parsed = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            wrong(at, &format!("this is no TOML: {}", error.message()))
        })?;
        let mut file = ThemeFile::default();
        for (name, value) in parsed.get_ref() {
            let at = name.span().start;
            file.take(name.get_ref(), value)
                .map_err(|(inner, what)| wrong(inner.unwrap_or(at), &what))?;
        }
        Ok(file)
    }

    fn take(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Result<(), Wrong> {
        match name {
            "inherits" => self.inherits = Some(text(value)?),
            "words" => self.words = Some(text(value)?),
            "colourless" => self.colourless = value.get_ref().as_bool().unwrap_or(false),
            "palette" => {
                for (name, colour) in table(value)? {
                    self.palette.insert(name.get_ref().to_string(), text(colour)?);
                }
            }
            "roles" => {
                for (name, look) in table(value)? {
                    let at = name.span().start;
                    let role = role(name.get_ref()).map_err(|what| (Some(at), what))?;
                    self.roles.insert(role, look_of(look)?);
                }
            }
            other => return Err((None, format!("a theme has no '{other}'"))),
        }
        Ok(())
    }
}

/// Where in the text something is wrong, and what.
type Wrong = (Option<usize>, String);

fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

fn text(value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    let text = value.get_ref().as_str().map(str::to_owned);
    text.ok_or_else(|| (Some(value.span().start), "this wants a text".to_owned()))
}

fn table<'a, 'v>(value: &'a Spanned<DeValue<'v>>) -> Result<&'a DeTable<'v>, Wrong> {
    let table = value.get_ref().as_table();
    table.ok_or_else(|| (Some(value.span().start), "this wants a table".to_owned()))
}

fn role(name: &str) -> Result<Role, String> {
    let read = |name: &str| Role::deserialize(StrDeserializer::<Error>::new(name)).ok();
    read(name).ok_or_else(|| {
        let known = Role::ALL.iter().map(|role| kebab(&format!("{role:?}")));
        let near = known.map(|known| (strsim::jaro_winkler(name, &known), known));
        let near =
            near.max_by(|(a, _), (b, _)| a.total_cmp(b)).filter(|(alike, _)| *alike >= ALIKE);
        match near {
            Some((_, known)) => format!("no role is called '{name}'; did you mean '{known}'?"),
            None => format!("no role is called '{name}'"),
        }
    })
}

fn kebab(name: &str) -> String {
    let mut written = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !written.is_empty() {
            written.push('-');
        }
        written.push(letter.to_ascii_lowercase());
    }
    written
}

fn look_of(value: &Spanned<DeValue<'_>>) -> Result<Look, Wrong> {
    let mut look = Look::default();
    for (name, value) in table(value)? {
        match name.get_ref().as_ref() {
            "fg" => look.fg = Some(text(value)?),
            "bg" => look.bg = Some(text(value)?),
            "add" => look.add = list(value)?,
            "mono" => look.mono = list(value)?,
            other => {
                let what = format!("a role has no '{other}': it has fg, bg, add, mono");
                return Err((Some(name.span().start), what));
            }
        }
    }
    Ok(look)
}

fn list(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Wrong> {
    let wrong = || (Some(value.span().start), "this wants a list of texts".to_owned());
    value.get_ref().as_array().ok_or_else(wrong)?.iter().map(text).collect()
}
