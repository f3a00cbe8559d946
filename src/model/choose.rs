//! The choice of a model without a name, and the list to choose from.

use std::time::Duration;

use super::endpoint::{base_text, client, is_loopback, key_variable, lookup};
use super::providers::{Provider, providers};
use super::{Listed, ModelSettings, script};

/// The drafter that needs no model; the caller handles it.
const RULES: &str = "rules";
/// The provider that is looked for on this machine.
const OLLAMA: &str = "ollama";
/// How long a local server may take to say that it is there.
const PROBE: Duration = Duration::from_millis(200);

/// Chooses a model from the environment (P8); `rules` when there is none.
///
/// Looks at keys only; a local Ollama is looked for by [`local`], off the first frame.
pub fn choose(settings: &ModelSettings) -> String {
    let with_key = providers().iter().find(|row| row.chosen_by_key && has_key(row, settings));
    with_key.and_then(default_spec).unwrap_or_else(|| RULES.to_owned())
}

/// Lists known models and what stands in their way; never sends anything.
pub fn list(settings: &ModelSettings) -> Vec<Listed> {
    let rules = Listed {
        spec: RULES.to_owned(),
        state: "ready: rules of our own, no language model".to_owned(),
        ready: true,
    };
    let known = providers().iter().map(|row| listed(row, settings));
    let own = settings
        .base_urls
        .iter()
        .filter(|(name, _)| providers().iter().all(|row| row.name != *name));
    let own = own.map(|(name, _)| Listed {
        spec: format!("{name}:MODEL"),
        state: "server of your own: name its model".to_owned(),
        ready: false,
    });
    let scripts = script::shipped().into_iter().map(|script| Listed {
        spec: format!("script:{}", script.name),
        state: format!("ready: {}", script.label),
        ready: true,
    });
    std::iter::once(rules).chain(known).chain(own).chain(scripts).collect()
}

fn listed(row: &Provider, settings: &ModelSettings) -> Listed {
    let spec = default_spec(row).unwrap_or_else(|| format!("{}:MODEL", row.name));
    let (ready, state) = if row.key_variable.is_none() {
        (false, format!("needs {} on this machine, and its model's name", row.label))
    } else if has_key(row, settings) {
        (true, "ready".to_owned())
    } else if base_text(row, settings) != row.base_url {
        (true, "ready: at an address of your own, without a key".to_owned())
    } else {
        (false, format!("needs a key: set {}", key_variable(row)))
    };
    Listed { spec, state, ready }
}

fn has_key(row: &Provider, settings: &ModelSettings) -> bool {
    settings.environment.get(&key_variable(row)).is_some()
        || lookup(&settings.key_commands, &row.name).is_some()
}

fn default_spec(row: &Provider) -> Option<String> {
    row.default_model.as_ref().map(|model| format!("{}:{model}", row.name))
}

/// Looks for an Ollama on this machine that has a model; `ollama:name` if there is one.
///
/// Waits 200 ms at most, and asks only a loopback address: looking must not tell anyone anything.
pub async fn local(settings: &ModelSettings) -> Option<String> {
    let row = providers().iter().find(|row| row.name == OLLAMA)?;
    let mut url = reqwest::Url::parse(&base_text(row, settings)).ok()?;
    if !is_loopback(&url) {
        return None;
    }
    url.set_path("/api/tags");
    let ask = async {
        // Mostly nothing listens, and that is known before a client is worth building.
        let address = url.socket_addrs(|| None).ok()?;
        tokio::net::TcpStream::connect(address.as_slice()).await.ok()?;
        let response = client(&url).ok()?.get(url.clone()).send().await.ok()?;
        response.json::<serde_json::Value>().await.ok()
    };
    let tags = tokio::time::timeout(PROBE, ask).await.ok().flatten()?;
    let models = tags.get("models")?.as_array()?;
    let mut names = models.iter().filter_map(|model| model.get("name")?.as_str());
    let name = names.find(|name| !name.contains("embed"))?;
    Some(format!("{OLLAMA}:{name}"))
}

#[cfg(test)]
mod tests {
    use super::super::Environment;
    use super::*;

    fn with(variables: &[(&str, &str)]) -> ModelSettings {
        let environment = Environment::of(variables.iter().copied());
        ModelSettings { environment, ..ModelSettings::default() }
    }

    #[test]
    fn keys_are_looked_for_in_the_stated_order() {
        let all = [
            ("GEMINI_API_KEY", "gemini:gemini-2.5-flash"),
            ("MISTRAL_API_KEY", "mistral:mistral-large-latest"),
            ("GROQ_API_KEY", "groq:llama-3.3-70b-versatile"),
            ("OPENAI_API_KEY", "openai:gpt-5.4"),
            ("ANTHROPIC_API_KEY", "anthropic:claude-sonnet-5"),
        ];
        assert_eq!(choose(&with(&[])), "rules");
        for most in 1..=all.len() {
            let keys: Vec<_> = all[..most].iter().map(|(name, _)| (*name, "k")).collect();
            assert_eq!(choose(&with(&keys)), all[most - 1].1);
        }
        assert_eq!(choose(&with(&[("OPENAI_API_KEY", "  ")])), "rules");
    }

    #[test]
    fn a_key_command_counts_as_a_key() {
        let settings = ModelSettings {
            key_commands: vec![("groq".to_owned(), "pass groq".to_owned())],
            ..with(&[])
        };
        assert_eq!(choose(&settings), "groq:llama-3.3-70b-versatile");
    }

    #[test]
    fn the_list_says_what_stands_in_the_way() {
        let list = list(&with(&[("OPENAI_API_KEY", "k")]));
        let state = |start: &str| {
            let row = list.iter().find(|row| row.spec.starts_with(start)).unwrap();
            (row.ready, row.state.clone())
        };
        assert!(state("rules").0);
        assert_eq!(state("openai:"), (true, "ready".to_owned()));
        let missing = "needs a key: set ANTHROPIC_API_KEY".to_owned();
        assert_eq!(state("anthropic:"), (false, missing));
        assert!(!state("ollama:").0);
    }
}
