//! What is left out in turn: each component by itself, and the steps of the classic table: none,
//! schema, schema and examples, all. Pure.

use std::collections::BTreeSet;

use crate::domain::{ComponentKind, Switches};

use super::paired::{self, Difference};
use super::score::{Score, Scored};

/// A way to put the package together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name: `all`, `without schema`, `schema + examples`.
    pub name: String,
    /// Components left out.
    pub without: BTreeSet<ComponentKind>,
}

/// The figures of a setting beside those of all components.
#[derive(Debug, Clone, PartialEq)]
pub struct Ablated {
    /// The setting.
    pub setting: Setting,
    /// Its figures; none when none of what it leaves out was in any package: nothing changes.
    pub score: Option<Score>,
    /// How it compares, over the questions that both answered; none for `all`, and where nothing
    /// changes.
    pub difference: Option<Difference>,
}

/// Lists the settings; components that are left out already are not left out again.
pub(super) fn settings(already: &Switches) -> Vec<Setting> {
    let all = ComponentKind::ALL;
    let open = |kind: &ComponentKind| !already.without.contains(kind);
    let but = |kept: &[ComponentKind]| {
        all.into_iter().filter(open).filter(|kind| !kept.contains(kind)).collect::<BTreeSet<_>>()
    };
    let one = |kind: ComponentKind| Setting {
        name: format!("without {}", kind.name()),
        without: BTreeSet::from([kind]),
    };
    let mut list: Vec<Setting> = all.into_iter().filter(open).map(one).collect();
    let (schema, examples) = (ComponentKind::Schema, ComponentKind::Examples);
    let steps: [(&str, &[ComponentKind]); 3] = [
        ("schema and examples only", &[schema, examples]),
        ("schema only", &[schema]),
        ("none", &[]),
    ];
    for (name, kept) in steps {
        list.push(Setting { name: name.to_owned(), without: but(kept) });
    }
    list
}

/// Lays a setting beside all components, over the questions that both answered.
pub(super) fn compare(all: &[Scored], other: &[Scored]) -> Difference {
    let (mut lost, mut won, mut of) = (0, 0, 0);
    for one in other {
        let Some(former) = all.iter().find(|former| former.place == one.place) else { continue };
        let (before, after) = (former.walk.last.right(), one.walk.last.right());
        of += 1;
        lost += usize::from(before && !after);
        won += usize::from(!before && after);
    }
    paired::difference(lost, won, of)
}
