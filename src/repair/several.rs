//! Several faults of a text that doesn't read, where no repair alone makes it read.
//!
//! Each repair is tried on what another left; only a text that reads in the end is handed out.

use crate::domain::Repair;

use super::case::Case;
use super::{Advice, Broken, REPAIRS};

/// Repairs in a row at most.
const DEEPEST: usize = 3;

/// Finds the first row of repairs that ends with a text that reads.
pub(super) fn mend(broken: &Broken<'_>, case: &Case<'_>) -> Option<Advice> {
    if case.binding.is_some() {
        return None; // what reads is bound, and has all its diagnostics at once
    }
    let (sql, kinds, evidence) = further(broken, broken.sql, DEEPEST)?;
    let repair = Repair {
        kind: kinds.join("+"),
        from: broken.sql.trim().to_owned(),
        to: sql.clone(),
        evidence: evidence.join("; "),
    };
    Some(Advice::Rewrite { sql, repair })
}

/// A text that reads, the kinds of the repairs that led there, and their proofs.
type Mended = (String, Vec<&'static str>, Vec<String>);

fn further(broken: &Broken<'_>, sql: &str, left: usize) -> Option<Mended> {
    let here = Case::of(&Broken { sql, ..*broken });
    let diagnostic = broken.failure.diagnostics.first().filter(|_| left > 0)?;
    REPAIRS.iter().find_map(|(kind, mend)| {
        let change = mend(&here, diagnostic)?;
        let text = change.apply(sql);
        if text == sql {
            return None;
        }
        let (last, mut kinds, mut evidence) = if here.improves(&text) {
            (text, Vec::new(), Vec::new())
        } else {
            further(broken, &text, left - 1)?
        };
        kinds.insert(0, kind);
        evidence.splice(0..0, change.evidence);
        Some((last, kinds, evidence))
    })
}
