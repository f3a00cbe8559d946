//! `models` and `config`: what could be used, and what is set.

use serde_json::{Value as Json, json};

use crate::config::Config;
use crate::pipeline;

use super::args::Plain;
use super::exit;
use super::output::{print_json, print_safe};

/// Lists models and what stands in their way.
pub(super) fn models(plain: &Plain, config: &Config) -> u8 {
    let models = pipeline::models(config);
    if plain.json {
        let rows: Vec<Json> = models
            .iter()
            .map(|m| json!({ "model": m.spec, "ready": m.ready, "state": m.state }))
            .collect();
        print_json(&Json::Array(rows));
        return exit::OK;
    }
    let width = models.iter().map(|m| m.spec.len()).max().unwrap_or(0);
    for model in models {
        let sign = if model.ready { "✓" } else { "·" };
        print_safe(&format!("{sign} {:<width$}  {}", model.spec, model.state));
    }
    exit::OK
}

/// Shows every setting and the layer it comes from.
pub(super) fn config(plain: &Plain, config: &Config) -> u8 {
    let settings = crate::config::show(config);
    if plain.json {
        let rows: Vec<Json> = settings
            .iter()
            .map(|(name, value, layer)| json!({ "name": name, "value": value, "from": layer }))
            .collect();
        print_json(&Json::Array(rows));
        return exit::OK;
    }
    let width = settings.iter().map(|(name, _, _)| name.len()).max().unwrap_or(0);
    for (name, value, layer) in settings {
        print_safe(&format!("{name:<width$}  {value}  ({layer})"));
    }
    exit::OK
}
