//! The config file: TOML read with places, so that what is wrong is named with its line.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::settings::{Given, PROFILES, Pairs, SETTINGS, TABLES};
use super::{Config, ConfigError, Layer, profiles};

/// A name this alike is offered; lower ones are more often another word than a slip.
const ALIKE: f64 = 0.75;

/// Something wrong in the file: where, and what.
pub(super) struct Wrong {
    at: usize,
    what: String,
}

/// Lays the file's values over the defaults. A missing file is fine unless it was named.
pub(super) fn lay(
    config: &mut Config,
    path: &Path,
    named: bool,
    home: Option<&Path>,
) -> Result<(), ConfigError> {
    let shown = path.display().to_string();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        // Without a home folder, or behind a file, there is no file either.
        Err(error) if !named && is_missing(error.kind()) => return Ok(()),
        Err(error) => return Err(ConfigError::File { path: shown, what: error.to_string() }),
    };
    lay_text(config, &text).map_err(|wrong| ConfigError::Malformed {
        path: shown,
        what: format!("line {}: {}", line(&text, wrong.at), wrong.what),
    })?;
    config.file = Some(path.to_owned());
    expand(config, path.parent(), home);
    Ok(())
}

fn is_missing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count().saturating_add(1)
}

fn lay_text(config: &mut Config, text: &str) -> Result<(), Wrong> {
    let table = DeTable::parse(text).map_err(|error| Wrong {
        at: error.span().map_or(0, |span| span.start),
        what: error.message().to_owned(),
    })?;
    for (key, value) in table.get_ref() {
        let name = key.get_ref().as_ref();
        if name == PROFILES {
            profiles::lay(config, value)?;
        } else if let Some((_, field)) = TABLES.iter().find(|(table, _)| *table == name) {
            lay_pairs(config, name, *field, value)?;
        } else if let (true, Some(inner)) = (is_group(name), value.get_ref().as_table()) {
            for (key, value) in inner {
                lay_setting(config, &format!("{name}.{}", key.get_ref()), key, value)?;
            }
        } else {
            lay_setting(config, name, key, value)?;
        }
    }
    Ok(())
}

/// Tells whether settings are grouped under this name.
fn is_group(name: &str) -> bool {
    SETTINGS.iter().any(|setting| setting.name.split_once('.').is_some_and(|(g, _)| g == name))
}

fn lay_setting(
    config: &mut Config,
    name: &str,
    key: &Spanned<Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Wrong> {
    let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
        return Err(Wrong { at: key.span().start, what: unknown(name) });
    };
    let given = given(value).map_err(|what| wrong(&value.span(), name, &what))?;
    (setting.set)(config, &given).map_err(|what| wrong(&value.span(), name, &what))?;
    config.layers.insert(name.to_owned(), Layer::File);
    Ok(())
}

fn lay_pairs(
    config: &mut Config,
    table: &str,
    field: Pairs,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Wrong> {
    let Some(pairs) = value.get_ref().as_table() else {
        return Err(wrong(&value.span(), table, "it wants a table of names and texts"));
    };
    for (key, value) in pairs {
        let name = format!("{table}.{}", key.get_ref());
        let Some(text) = value.get_ref().as_str().filter(|text| !text.trim().is_empty()) else {
            return Err(wrong(&value.span(), &name, "it wants a text"));
        };
        field(config).push((key.get_ref().to_string(), text.trim().to_owned()));
        config.layers.insert(name, Layer::File);
    }
    field(config).sort();
    Ok(())
}

pub(super) fn wrong(span: &Range<usize>, name: &str, what: &str) -> Wrong {
    Wrong { at: span.start, what: format!("{name}: {what}") }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "all other kinds of TOML get the same sentence")]
fn given(value: &Spanned<DeValue<'_>>) -> Result<Given, String> {
    match value.get_ref() {
        DeValue::String(text) => Ok(Given::Text(text.to_string())),
        DeValue::Boolean(truth) => Ok(Given::Truth(*truth)),
        DeValue::Integer(number) if number.radix() == 10 => parse(number.as_str()),
        DeValue::Float(number) => parse(number.as_str()),
        other => Err(format!("it wants a text, a number or true/false, not {}", other.type_str())),
    }
}

fn parse(number: &str) -> Result<Given, String> {
    number.parse().map(Given::Number).map_err(|_| format!("'{number}' is no number"))
}

fn unknown(name: &str) -> String {
    let tables = TABLES.iter().map(|(table, _)| *table).chain([PROFILES]);
    match nearest(name, SETTINGS.iter().map(|setting| setting.name).chain(tables)) {
        Some(known) => format!("there is no setting '{name}'. Did you mean '{known}'?"),
        None => format!("there is no setting '{name}'. See `querent config` for all of them."),
    }
}

/// Finds the name that was probably meant.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let scored = names.map(|known| (likeness(name, known), known));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(alike, _)| *alike >= ALIKE).map(|(_, known)| known)
}

/// Compares names; a setting written without its group counts as well.
fn likeness(name: &str, known: &str) -> f64 {
    let last = known.rsplit('.').next().unwrap_or(known);
    let own = name.rsplit('.').next().unwrap_or(name);
    strsim::jaro_winkler(name, known).max(strsim::jaro_winkler(own, last))
}

/// Makes paths whole: `~/` is the home folder, a relative file lies beside the config.
fn expand(config: &mut Config, beside: Option<&Path>, home: Option<&Path>) {
    let from_home = |text: &str| -> Option<String> {
        let rest = text.strip_prefix("~/")?;
        Some(home?.join(rest).display().to_string())
    };
    if let Some(whole) = config.database.as_deref().and_then(from_home) {
        config.database = Some(whole);
    }
    for profile in &mut config.profiles {
        profiles::expand(profile, &from_home, beside);
    }
    if let Some(place) = config.memory.as_mut().filter(|place| !place.contains("://")) {
        let beside = || beside.map(|folder| folder.join(&*place).display().to_string());
        if let Some(whole) = from_home(place).or_else(beside) {
            *place = whole;
        }
    }
    if let Some(path) = &mut config.knowledge {
        *path = profiles::whole(path, &from_home, beside);
    }
}
