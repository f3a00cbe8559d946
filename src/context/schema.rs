//! The schema component: tables, columns, constraints, notes (S0-012 to S0-016).

use crate::domain::Content;

use super::Proposal;
use super::scene::Scene;
use super::selection::Verdict;

/// Proposes what was kept of the schema.
pub(super) fn propose(scene: &Scene<'_>) -> Proposal {
    if scene.catalog.tables.is_empty() {
        return Proposal::nothing("the database has no tables");
    }
    if scene.kept.tables.is_empty() {
        return Proposal::nothing("every table is switched off");
    }
    Proposal {
        content: Content::Schema(scene.kept.content.clone()),
        verdict: Verdict::is_in(reason(scene)),
        cut: scene.kept.cut.clone(),
    }
}

fn reason(scene: &Scene<'_>) -> String {
    let (told, all) = (scene.kept.tables.len(), scene.catalog.tables.len());
    match (scene.kept.pruned, scene.focus.is_empty()) {
        (false, _) => "always told".to_owned(),
        (true, _) if told == all => "always told; the columns that find room".to_owned(),
        (true, false) => format!("always told; {told} of {all} tables, by what is linked"),
        (true, true) => format!("always told; {told} of {all} tables, as nothing is linked"),
    }
}
