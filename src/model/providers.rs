//! The table of known providers, read from `assets/models.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::domain::Usage;

/// The protocol that a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// OpenAI chat completions.
    Completions,
    /// Anthropic Messages.
    Messages,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// What stands before the colon in `provider:name`.
    pub name: String,
    /// The name that people know.
    pub label: String,
    /// What it speaks.
    pub protocol: Protocol,
    /// The address; the protocol's path is put after it.
    pub base_url: String,
    /// Environment variable that overrides the address.
    pub base_url_variable: String,
    /// Environment variable that holds the key; none where no key is needed.
    pub key_variable: Option<String>,
    /// Used when only the provider is named.
    pub default_model: Option<String>,
    /// Chosen without being named when its key is there.
    #[serde(default)]
    pub chosen_by_key: bool,
    /// Prices by model id.
    #[serde(default)]
    pub prices: BTreeMap<String, Price>,
}

/// Prices of a model in US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens read.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
    /// Tokens read from the provider's cache; as `input` where not stated.
    pub cached: Option<f64>,
    /// Tokens written to the provider's cache; as `input` where not stated.
    pub cache_write: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    provider: Vec<Provider>,
}

static PROVIDERS: LazyLock<Vec<Provider>> = LazyLock::new(|| {
    // A test holds that the shipped table can be read.
    read(include_str!("../../assets/models.toml")).unwrap_or_default()
});

fn read(text: &str) -> Result<Vec<Provider>, toml::de::Error> {
    toml::from_str::<Table>(text).map(|table| table.provider)
}

/// Lists the known providers; the order is that of the choice without a name.
pub fn providers() -> &'static [Provider] {
    &PROVIDERS
}

impl Provider {
    /// Finds the price of a model; an id with a date behind counts as the id.
    pub fn price(&self, model: &str) -> Option<Price> {
        let dated = |id: &str| {
            let date = model.strip_prefix(id).and_then(|rest| rest.strip_prefix('-'));
            let digits = date.map(|date| date.replace('-', ""));
            digits.is_some_and(|d| d.len() == 8 && d.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let exact = self.prices.get(model);
        exact.or_else(|| self.prices.iter().find(|(id, _)| dated(id)).map(|(_, p)| p)).copied()
    }
}

impl Price {
    /// Returns the cost of a call in US dollars. `written` of the input tokens went to the cache.
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    pub fn cost(&self, usage: Usage, written: u64) -> f64 {
        let plain = usage.input_tokens.saturating_sub(usage.cached_tokens).saturating_sub(written);
        let cached = self.cached.unwrap_or(self.input);
        let cache_write = self.cache_write.unwrap_or(self.input);
        let dollars = plain as f64 * self.input
            + usage.cached_tokens as f64 * cached
            + written as f64 * cache_write
            + usage.output_tokens as f64 * self.output;
        dollars / 1_000_000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_is_complete() {
        let table = read(include_str!("../../assets/models.toml")).unwrap();
        let by_key: Vec<&str> =
            table.iter().filter(|row| row.chosen_by_key).map(|row| row.name.as_str()).collect();
        assert_eq!(by_key, ["anthropic", "openai", "groq", "mistral", "gemini"]);
        for row in &table {
            assert!(reqwest::Url::parse(&row.base_url).is_ok(), "{}", row.name);
            assert!(!row.base_url.ends_with('/'), "{}", row.name);
            let complete = row.key_variable.is_some() && row.default_model.is_some();
            assert!(complete || !row.chosen_by_key, "{}", row.name);
        }
        assert_eq!(table[0].default_model.as_deref(), Some("claude-sonnet-5"));
    }

    #[test]
    fn a_dated_id_has_the_price_of_its_model() {
        let anthropic = &providers()[0];
        let haiku = anthropic.price("claude-haiku-4-5");
        assert!(haiku.is_some());
        assert_eq!(anthropic.price("claude-haiku-4-5-20251001"), haiku);
        assert_eq!(anthropic.price("claude-haiku-4-5-turbo"), None);
        let openai = &providers()[1];
        assert_eq!(openai.price("gpt-4o-2024-08-06"), openai.price("gpt-4o"));
        assert_ne!(openai.price("gpt-4o-mini"), openai.price("gpt-4o"));
    }

    #[test]
    fn cost_counts_each_token_in_one_place() {
        let price = Price { input: 2.0, output: 10.0, cached: Some(0.2), cache_write: Some(2.5) };
        let usage = Usage { input_tokens: 1_000, output_tokens: 100, cached_tokens: 500 };
        // 300 plain × 2 + 500 cached × 0.2 + 200 written × 2.5 + 100 out × 10 = 2,200 millionths
        assert!((price.cost(usage, 200) - 0.0022).abs() < 1e-12);
    }
}
