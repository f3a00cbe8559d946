//! The table of settings: name, environment variable, how each is set and shown.

use std::path::PathBuf;

use crate::domain::package::Form;
use crate::domain::secret::shown as shown_address;
use crate::domain::{Privacy, RepairMode, Route, RunPolicy};

use super::{Config, ConfigError, Layer, profiles};

/// A value as it was given, before a setting makes sense of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Given {
    /// Text; a variable's value always is.
    Text(String),
    /// A number of the file.
    Number(f64),
    /// A truth value of the file.
    Truth(bool),
}

/// A row of the table.
pub(super) struct Setting {
    /// Name in the file; a dot stands for a table.
    pub(super) name: &'static str,
    /// Environment variable.
    pub(super) variable: &'static str,
    /// Sets it, or says what it wants.
    pub(super) set: fn(&mut Config, &Given) -> Result<(), String>,
    /// Shows it; empty when it is not set.
    get: fn(&Config) -> String,
}

/// The field that a table of names of one's own fills.
pub(super) type Pairs = fn(&mut Config) -> &mut Vec<(String, String)>;

/// The table of named connections.
pub(super) const PROFILES: &str = "profiles";

/// Tables that hold names of one's own, each with a text.
pub(super) const TABLES: &[(&str, Pairs)] = &[
    ("base_urls", |config| &mut config.base_urls),
    ("key_commands", |config| &mut config.key_commands),
];

/// The longest time that may be set, in seconds: a day.
const DAY: f64 = 86_400.0;

/// All settings, in the order they are shown.
pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        name: "database",
        variable: "QUERENT_DATABASE",
        set: |config, given| text(given).map(|text| config.database = Some(text)),
        get: |config| shown_address(config.database.as_deref().unwrap_or_default()),
    },
    Setting {
        name: "model",
        variable: "QUERENT_MODEL",
        set: |config, given| text(given).map(|text| config.model = Some(text)),
        get: |config| config.model.clone().unwrap_or_default(),
    },
    Setting {
        name: "knowledge",
        variable: "QUERENT_KNOWLEDGE",
        set: |config, given| text(given).map(|text| config.knowledge = Some(PathBuf::from(text))),
        get: |config| {
            config.knowledge.as_ref().map_or_else(String::new, |p| p.display().to_string())
        },
    },
    Setting {
        name: "theme",
        variable: "QUERENT_THEME",
        set: |config, given| text(given).map(|text| config.theme = text),
        get: |config| config.theme.clone(),
    },
    Setting {
        name: "mouse",
        variable: "QUERENT_MOUSE",
        set: |config, given| truth(given).map(|on| config.mouse = on),
        get: |config| config.mouse.to_string(),
    },
    Setting {
        name: "privacy",
        variable: "QUERENT_PRIVACY",
        set: |config, given| choice(given, PRIVACY).map(|level| config.privacy = Some(level)),
        get: |config| config.privacy.map_or("", Privacy::name).to_owned(),
    },
    Setting {
        name: "memory",
        variable: "QUERENT_MEMORY",
        set: |config, given| text(given).map(|text| config.memory = Some(text)),
        get: |config| shown_address(config.memory.as_deref().unwrap_or_default()),
    },
    Setting {
        name: "store",
        variable: "QUERENT_STORE",
        set: |config, given| choice(given, STORE).map(|kept| kept.clone_into(&mut config.store)),
        get: |config| if config.store.is_empty() { "rows" } else { &config.store }.to_owned(),
    },
    Setting {
        name: "user",
        variable: "QUERENT_USER",
        set: |config, given| text(given).map(|text| config.user = text),
        get: |config| config.user.clone(),
    },
    Setting {
        name: "repair",
        variable: "QUERENT_REPAIR",
        set: |config, given| choice(given, REPAIR).map(|mode| config.options.repair = mode),
        get: |config| shown(REPAIR, config.options.repair),
    },
    Setting {
        name: "form",
        variable: "QUERENT_FORM",
        set: |config, given| choice(given, FORM).map(|form| config.options.form = form),
        get: |config| config.options.form.name().to_owned(),
    },
    Setting {
        name: "route",
        variable: "QUERENT_ROUTE",
        set: |config, given| choice(given, ROUTE).map(|route| config.options.route = route),
        get: |config| shown(ROUTE, config.options.route),
    },
    Setting {
        name: "policy",
        variable: "QUERENT_POLICY",
        set: |config, given| choice(given, POLICY).map(|p| config.options.stops.policy = p),
        get: |config| config.options.stops.policy.name().to_owned(),
    },
    Setting {
        name: "thorough",
        variable: "QUERENT_THOROUGH",
        set: |config, given| truth(given).map(|on| config.options.thorough = on),
        get: |config| config.options.thorough.to_string(),
    },
    Setting {
        name: "idle_timeout",
        variable: "QUERENT_IDLE_TIMEOUT",
        set: |config, given| whole(given, 1, 86_400).map(|s| config.idle_timeout_s = s),
        get: |config| match config.idle_timeout_s {
            0 => String::new(),
            seconds => seconds.to_string(),
        },
    },
    Setting {
        name: "tui.keymap",
        variable: "QUERENT_KEYMAP",
        set: |config, given| text(given).map(|name| config.keymap = name),
        get: |config| config.keymap.clone(),
    },
    Setting {
        name: "tui.linear",
        variable: "QUERENT_LINEAR",
        set: |config, given| truth(given).map(|on| config.linear = on),
        get: |config| config.linear.to_string(),
    },
    Setting {
        name: "budgets.max_attempts",
        variable: "QUERENT_MAX_ATTEMPTS",
        set: |config, given| count(given, 1, 10).map(|n| config.options.max_attempts = n),
        get: |config| config.options.max_attempts.to_string(),
    },
    Setting {
        name: "budgets.max_calls",
        variable: "QUERENT_MAX_CALLS",
        set: |config, given| count(given, 1, 1_000).map(|n| config.options.max_calls = n),
        get: |config| config.options.max_calls.to_string(),
    },
    Setting {
        name: "budgets.candidates",
        variable: "QUERENT_CANDIDATES",
        set: |config, given| count(given, 1, 7).map(|n| config.options.candidates = n),
        get: |config| config.options.candidates.to_string(),
    },
    Setting {
        name: "budgets.max_rewrites",
        variable: "QUERENT_MAX_REWRITES",
        set: |config, given| count(given, 0, 10).map(|n| config.options.max_rewrites = n),
        get: |config| config.options.max_rewrites.to_string(),
    },
    Setting {
        name: "budgets.timeout",
        variable: "QUERENT_TIMEOUT",
        set: |config, given| milliseconds(given).map(|ms| config.options.timeout_ms = ms),
        get: |config| seconds(config.options.timeout_ms),
    },
    Setting {
        name: "budgets.deadline",
        variable: "QUERENT_DEADLINE",
        set: |config, given| milliseconds(given).map(|ms| config.options.deadline_ms = ms),
        get: |config| seconds(config.options.deadline_ms),
    },
    Setting {
        name: "budgets.tokens",
        variable: "QUERENT_TOKENS",
        set: |config, given| count(given, 1, 10_000_000).map(|n| config.options.tokens = n),
        get: |config| config.options.tokens.to_string(),
    },
    Setting {
        name: "budgets.max_rows",
        variable: "QUERENT_MAX_ROWS",
        set: |config, given| {
            whole(given, 1, u64::MAX).map(|rows| config.options.max_rows = Some(rows))
        },
        get: |config| config.options.max_rows.map_or_else(String::new, |rows| rows.to_string()),
    },
    Setting {
        name: "budgets.costly_rows",
        variable: "QUERENT_COSTLY_ROWS",
        set: |config, given| {
            whole(given, 1, u64::MAX).map(|rows| config.options.costly_rows = rows)
        },
        get: |config| config.options.costly_rows.to_string(),
    },
];

const PRIVACY: &[(&str, Privacy)] =
    &[("names", Privacy::Names), ("stats", Privacy::Stats), ("rows", Privacy::Rows)];
const FORM: &[(&str, Form)] =
    &[("text", Form::Text), ("toon", Form::Toon), ("skeleton", Form::Skeleton)];
const STORE: &[(&str, &str)] = &[("rows", "rows"), ("counts", "counts"), ("nothing", "nothing")];
const REPAIR: &[(&str, RepairMode)] = &[
    ("none", RepairMode::None),
    ("local", RepairMode::Local),
    ("model", RepairMode::Model),
    ("both", RepairMode::Both),
];
const POLICY: &[(&str, RunPolicy)] =
    &[("auto", RunPolicy::Auto), ("ask-costly", RunPolicy::AskCostly), ("ask", RunPolicy::Ask)];
const ROUTE: &[(&str, Route)] =
    &[("auto", Route::Auto), ("single", Route::Single), ("divided", Route::Divided)];

fn text(given: &Given) -> Result<String, String> {
    match given {
        Given::Text(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        Given::Text(_) => Err("it is empty".to_owned()),
        Given::Number(number) => Err(format!("{number} is a number, and it wants a text")),
        Given::Truth(truth) => Err(format!("{truth} is a truth value, and it wants a text")),
    }
}

fn truth(given: &Given) -> Result<bool, String> {
    let said = match given {
        Given::Truth(truth) => return Ok(*truth),
        Given::Text(text) => text.trim().to_ascii_lowercase(),
        Given::Number(number) => number.to_string(),
    };
    match said.as_str() {
        "true" | "yes" | "on" | "1" => Ok(true),
        "false" | "no" | "off" | "0" => Ok(false),
        _ => Err(format!("'{said}' is neither true nor false")),
    }
}

fn choice<T: Copy>(given: &Given, choices: &[(&str, T)]) -> Result<T, String> {
    let said = text(given)?;
    let found = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(&said));
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| format!("'{said}' is none of {}", names.join(", ")))
}

fn shown<T: Copy + PartialEq>(choices: &[(&str, T)], value: T) -> String {
    choices.iter().find(|(_, v)| *v == value).map_or_else(String::new, |(name, _)| (*name).into())
}

fn number(given: &Given) -> Result<f64, String> {
    match given {
        Given::Number(number) => Ok(*number),
        Given::Text(text) => {
            text.trim().parse().map_err(|_| format!("'{}' is no number", text.trim()))
        }
        Given::Truth(truth) => Err(format!("{truth} is no number")),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the number is held to be whole and between the limits; u64::MAX saturates"
)]
fn whole(given: &Given, least: u64, most: u64) -> Result<u64, String> {
    let number = number(given)?;
    if number.fract() == 0.0 && number >= least as f64 && number <= most as f64 {
        return Ok(number as u64);
    }
    let upto = if most == u64::MAX { String::new() } else { format!(" to {most}") };
    Err(format!("{number} is not a whole number from {least}{upto}"))
}

fn count(given: &Given, least: u32, most: u32) -> Result<u32, String> {
    let number = whole(given, u64::from(least), u64::from(most))?;
    u32::try_from(number).map_err(|error| error.to_string())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is above 0 and at most a day"
)]
fn milliseconds(given: &Given) -> Result<u64, String> {
    let seconds = number(given)?;
    if seconds > 0.0 && seconds <= DAY {
        return Ok((seconds * 1_000.0).ceil() as u64);
    }
    Err(format!("{seconds} is not a number of seconds above 0 and up to a day"))
}

fn seconds(ms: u64) -> String {
    std::time::Duration::from_millis(ms).as_secs_f64().to_string()
}

/// Lays the environment's values over the others.
pub(super) fn lay_environment(
    config: &mut Config,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(), ConfigError> {
    for setting in SETTINGS {
        let Some(value) = variable(setting.variable) else { continue };
        (setting.set)(config, &Given::Text(value)).map_err(|what| ConfigError::Environment {
            variable: setting.variable.to_owned(),
            what,
        })?;
        let layer = Layer::Environment(setting.variable.to_owned());
        config.layers.insert(setting.name.to_owned(), layer);
    }
    Ok(())
}

/// Lists settings: name, value, and the layer each comes from. Passwords, keys and the commands
/// that print them are never among the values.
pub fn show(config: &Config) -> Vec<(String, String, String)> {
    let layer = |name: &str| config.layers.get(name).cloned().unwrap_or_default().to_string();
    let settings = SETTINGS
        .iter()
        .map(|setting| (setting.name.to_owned(), (setting.get)(config), layer(setting.name)));
    let named = |table: &'static str, pairs: &[(String, String)], hidden: bool| {
        let rows = pairs.iter().map(|(name, value)| {
            let value = if hidden { "set, not shown".to_owned() } else { shown_address(value) };
            let name = format!("{table}.{name}");
            let layer = layer(&name);
            (name, value, layer)
        });
        rows.collect::<Vec<_>>()
    };
    let profiles = config.profiles.iter().flat_map(|profile| {
        let layer = layer(&format!("profiles.{}", profile.name));
        profiles::show(profile).into_iter().map(move |(name, value)| (name, value, layer.clone()))
    });
    settings
        .chain(profiles)
        .chain(named("base_urls", &config.base_urls, false))
        .chain(named("key_commands", &config.key_commands, true))
        .chain(places(config))
        .collect()
}

fn places(config: &Config) -> impl Iterator<Item = (String, String, String)> {
    let folders = [
        ("file", config.file.clone()),
        ("places.config", config.places.config.clone()),
        ("places.data", config.places.data.clone()),
        ("places.cache", config.places.cache.clone()),
        ("places.state", config.places.state.clone()),
    ];
    folders.into_iter().map(|(name, path)| {
        let shown = path.map_or_else(|| "none".to_owned(), |path| path.display().to_string());
        (name.to_owned(), shown, "found".to_owned())
    })
}
