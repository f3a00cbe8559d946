//! Named connections of the config file: an address, or a table with an address and where its
//! password is kept.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::{Wrong, nearest, wrong};
use super::{Config, Layer, Password};

/// A named connection.
#[derive(Clone, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// The address it stands for.
    pub address: String,
    /// Where its password is kept; none where the engine's own files have it, or none is needed.
    pub password: Option<Password>,
    /// What people know of the database.
    pub knowledge: Option<PathBuf>,
}

impl Profile {
    /// Makes a profile that is an address and no more.
    pub fn of(name: &str, address: &str) -> Self {
        Profile {
            name: name.to_owned(),
            address: address.to_owned(),
            password: None,
            knowledge: None,
        }
    }
}

/// Shows the name alone: a password may be typed in the address.
impl std::fmt::Debug for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Profile({})", self.name)
    }
}

/// The keys of a profile's table.
const KEYS: [&str; 5] =
    ["address", "password_env", "password_command", "password_file", "knowledge"];

/// Lays the file's profiles over those there are.
pub(super) fn lay(config: &mut Config, value: &Spanned<DeValue<'_>>) -> Result<(), Wrong> {
    let Some(table) = value.get_ref().as_table() else {
        return Err(wrong(&value.span(), "profiles", "it wants a table of names and addresses"));
    };
    for (key, value) in table {
        let profile = profile(key.get_ref(), value)?;
        config.layers.insert(format!("profiles.{}", profile.name), Layer::File);
        config.profiles.push(profile);
    }
    config.profiles.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(())
}

fn profile(name: &str, value: &Spanned<DeValue<'_>>) -> Result<Profile, Wrong> {
    let path = format!("profiles.{name}");
    let Some(table) = value.get_ref().as_table() else {
        return Ok(Profile::of(name, &text(&path, value)?));
    };
    known_keys(&path, table)?;
    let Some(address) = table.get("address") else {
        let example = "it wants an address, as in address = \"postgres://me@host/sales\"";
        return Err(wrong(&value.span(), &path, example));
    };
    let knowledge = table.get("knowledge");
    Ok(Profile {
        name: name.to_owned(),
        address: text(&format!("{path}.address"), address)?,
        password: password(&path, table)?,
        knowledge: knowledge
            .map(|value| text(&format!("{path}.knowledge"), value).map(PathBuf::from))
            .transpose()?,
    })
}

fn known_keys(path: &str, table: &DeTable<'_>) -> Result<(), Wrong> {
    for key in table.keys() {
        let name = key.get_ref().as_ref();
        if KEYS.contains(&name) {
            continue;
        }
        if name == "password" {
            let advice = "a password does not belong into this file. Name where it is kept, with \
                          password_env, password_command or password_file";
            return Err(wrong(&key.span(), &format!("{path}.password"), advice));
        }
        let hint = match nearest(name, KEYS.into_iter()) {
            Some(known) => format!("Did you mean '{known}'?"),
            None => format!("There are {}.", KEYS.join(", ")),
        };
        let what = format!("a profile has no '{name}'. {hint}");
        return Err(wrong(&key.span(), path, &what));
    }
    Ok(())
}

/// Reads where the password is kept, which only one key may say.
fn password(path: &str, table: &DeTable<'_>) -> Result<Option<Password>, Wrong> {
    /// Makes the kind of password that a key stands for.
    type Kind = fn(String) -> Password;
    let kinds: [(&str, Kind); 3] = [
        ("password_env", Password::Variable),
        ("password_command", Password::Command),
        ("password_file", |text| Password::File(PathBuf::from(text))),
    ];
    let mut found: Option<(&str, Password)> = None;
    for (key, kind) in kinds {
        let Some(value) = table.get(key) else { continue };
        if let Some((other, _)) = &found {
            let what =
                format!("{other} and {key} both say where the password is. Keep one of them");
            return Err(wrong(&value.span(), path, &what));
        }
        found = Some((key, kind(text(&format!("{path}.{key}"), value)?)));
    }
    Ok(found.map(|(_, password)| password))
}

fn text(name: &str, value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    match value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => Ok(text.to_owned()),
        None => Err(wrong(&value.span(), name, "it wants a text")),
    }
}

/// Makes paths whole: `~/` is the home folder, others lie beside the config file.
pub(super) fn expand(
    profile: &mut Profile,
    from_home: &dyn Fn(&str) -> Option<String>,
    beside: Option<&Path>,
) {
    if let Some(whole) = from_home(&profile.address) {
        profile.address = whole;
    }
    let file = match &mut profile.password {
        Some(Password::File(path)) => Some(path),
        Some(Password::Variable(_) | Password::Command(_)) | None => None,
    };
    for path in file.into_iter().chain(&mut profile.knowledge) {
        *path = whole(path, from_home, beside);
    }
}

/// Makes a path of the config file whole.
pub(super) fn whole(
    path: &Path,
    from_home: &dyn Fn(&str) -> Option<String>,
    beside: Option<&Path>,
) -> PathBuf {
    match (from_home(&path.display().to_string()), beside) {
        (Some(whole), _) => PathBuf::from(whole),
        (None, Some(folder)) => folder.join(path),
        (None, None) => path.to_owned(),
    }
}

/// Lists what is set of a profile: name and value, nothing of a password but where it is.
pub(super) fn show(profile: &Profile) -> Vec<(String, String)> {
    let name = format!("profiles.{}", profile.name);
    let address = crate::domain::secret::shown(&profile.address);
    let password = profile.password.iter().map(|it| (format!("{name}.password"), it.to_string()));
    let knowledge = profile
        .knowledge
        .iter()
        .map(|path| (format!("{name}.knowledge"), path.display().to_string()));
    let rest: Vec<_> = password.chain(knowledge).collect();
    std::iter::once((name, address)).chain(rest).collect()
}
