//! The environment variables that models are chosen and reached by: the process's, or given ones.

use std::collections::BTreeMap;

/// Where variables are looked up. Tests give their own and never touch the process's.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Environment {
    /// The variables of this process.
    #[default]
    Process,
    /// These and no others.
    Given(BTreeMap<String, String>),
}

impl Environment {
    /// Returns an environment that holds these variables and no others.
    pub fn of<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let owned = variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        Environment::Given(owned.collect())
    }

    /// Looks up a variable; one that is empty or no text counts as not set.
    pub fn get(&self, name: &str) -> Option<String> {
        let value = match self {
            Environment::Process => std::env::var(name).ok(),
            Environment::Given(variables) => variables.get(name).cloned(),
        };
        value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }
}

/// Shows names only: values may be keys.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Environment::Process => f.write_str("Process"),
            Environment::Given(variables) => f.debug_set().entries(variables.keys()).finish(),
        }
    }
}
