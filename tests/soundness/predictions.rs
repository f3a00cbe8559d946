//! Recorded answers of models that fail to run: whatever is mended of them stands.
//!
//! They lie in the folder that `QUERENT_DATA` names; without it there is nothing to look at.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value as Json;

use super::holding::Desk;

/// Of so many failed answers one is taken.
const EVERY: usize = 4;

#[test]
fn answers_that_failed_to_run_are_mended_for_good_or_handed_back() {
    let Some(folder) = std::env::var_os("QUERENT_DATA").map(PathBuf::from) else { return };
    let mut desk = Desk::new();
    let (mut known, mut mended) = (BTreeSet::new(), 0);
    for set in ["spider_dev", "spider_syn", "spider_realistic", "spider_dk"] {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{set}.jsonl"))) else { return };
        for line in text.lines() {
            let item: Json = serde_json::from_str(line).unwrap();
            let db = folder.join("db").join(format!("{}.sqlite", item["db"].as_str().unwrap()));
            for prediction in item["predictions"].as_array().into_iter().flatten() {
                let sql = prediction["sql"].as_str().unwrap();
                let ran = prediction["class"].as_str().unwrap().starts_with("ok_");
                if ran || !known.insert((db.clone(), sql.to_owned())) || known.len() % EVERY > 0 {
                    continue;
                }
                let question = item["question"].as_str();
                let status = desk.check(&db.display().to_string(), sql, question, false);
                mended += usize::from(status == "repaired");
            }
        }
    }
    assert!(mended * 3 > known.len() / EVERY, "{mended} of {}", known.len() / EVERY);
}
