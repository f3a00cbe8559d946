//! Who gives way first when the room is short: by tier, and within a tier by what the question's
//! kinds can best do without (S0-065, S0-075).

use crate::domain::{ComponentKind, QuestionKind};

use ComponentKind::{Business, Errors, Examples, History, Relationships, Samples, Statistics};

/// The tiers that lose pieces: low, then medium, then high, then always. Within a tier the order
/// is that of a question whose kinds say nothing else. The schema comes after all of them.
const TIERS: [&[ComponentKind]; 4] =
    [&[History], &[Samples, Statistics], &[Examples, Relationships, Errors], &[Business]];

/// What a kind of question gives up first within its tier, and why.
struct Share {
    kind: QuestionKind,
    medium: [ComponentKind; 2],
    high: [ComponentKind; 3],
    why: &'static str,
}

/// One row for each kind of question.
const SHARES: [Share; 5] = [
    Share {
        kind: QuestionKind::SimpleFilter,
        medium: [Statistics, Samples],
        high: [Examples, Relationships, Errors],
        why: "a condition is written like a stored row; ranges and counts filter nothing",
    },
    Share {
        kind: QuestionKind::Aggregation,
        medium: [Samples, Statistics],
        high: [Relationships, Examples, Errors],
        why: "a total needs types, ranges and NULLs of columns, and the shape of former totals",
    },
    Share {
        kind: QuestionKind::MultiTableJoin,
        medium: [Statistics, Samples],
        high: [Examples, Relationships, Errors],
        why: "keys and join patterns decide; rows show how keys look, figures of columns do not",
    },
    Share {
        kind: QuestionKind::Growth,
        medium: [Samples, Statistics],
        high: [Relationships, Examples, Errors],
        why: "the range of dates bounds the periods, and examples show windows and steps",
    },
    Share {
        kind: QuestionKind::Ranking,
        medium: [Samples, Statistics],
        high: [Relationships, Examples, Errors],
        why: "an order needs the range of what is ordered by; a few rows show none",
    },
];

/// Lists the components in the order in which they lose pieces.
///
/// Where a question is of several kinds, a component goes as late as the kind that needs it most
/// lets it; kinds that disagree evenly leave the usual order.
pub(super) fn order(kinds: &[(QuestionKind, String)]) -> Vec<ComponentKind> {
    let shares: Vec<&Share> =
        SHARES.iter().filter(|share| kinds.iter().any(|(kind, _)| *kind == share.kind)).collect();
    let mut order = Vec::new();
    for tier in TIERS {
        let mut tier = tier.to_vec();
        tier.sort_by_key(|component| shares.iter().map(|share| share.rank(*component)).max());
        order.extend(tier);
    }
    order
}

/// Says why the order is as it is: by a kind whose own order it is. None where kinds disagree and
/// leave the usual order.
pub(super) fn reason(kinds: &[(QuestionKind, String)]) -> Option<&'static str> {
    let order = order(kinds);
    let follows = |list: &[ComponentKind]| {
        let places = list.iter().map(|component| order.iter().position(|c| c == component));
        places.is_sorted()
    };
    let asked = |share: &&Share| kinds.iter().any(|(kind, _)| *kind == share.kind);
    let own = |share: &&Share| follows(&share.medium) && follows(&share.high);
    SHARES.iter().filter(asked).find(own).map(|share| share.why)
}

impl Share {
    /// Returns how late a component goes within its tier.
    fn rank(&self, component: ComponentKind) -> usize {
        let place = |list: &[ComponentKind]| list.iter().position(|c| *c == component);
        place(&self.medium).or(place(&self.high)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use QuestionKind::{Aggregation, Growth, MultiTableJoin, Ranking, SimpleFilter};

    fn order_of(kinds: &[QuestionKind]) -> Vec<ComponentKind> {
        order(&kinds.iter().map(|kind| (*kind, String::new())).collect::<Vec<_>>())
    }

    /// Tells which of two loses its pieces first.
    fn first(kinds: &[QuestionKind], a: ComponentKind, b: ComponentKind) -> ComponentKind {
        let order = order_of(kinds);
        *order.iter().find(|c| **c == a || **c == b).expect("both are in the order")
    }

    #[test]
    fn tiers_give_way_in_their_order_whatever_is_asked() {
        let kinds = [SimpleFilter, Aggregation, MultiTableJoin, Growth, Ranking];
        let every = (0..32usize).map(|set| {
            let bit = |n: &usize| set & (1 << n) != 0;
            (0..5).filter(bit).filter_map(|n| kinds.get(n).copied()).collect::<Vec<_>>()
        });
        for set in every {
            let order = order_of(&set);
            let tier = |c: &ComponentKind| TIERS.iter().position(|tier| tier.contains(c));
            assert!(order.is_sorted_by_key(tier), "{set:?}: {order:?}");
            assert_eq!(order.len(), 7, "{set:?}");
        }
    }

    #[test]
    fn each_kind_keeps_longer_what_it_needs() {
        for kind in [Aggregation, Growth, Ranking] {
            assert_eq!(first(&[kind], Samples, Statistics), Samples, "{kind:?}");
            assert_eq!(first(&[kind], Relationships, Examples), Relationships, "{kind:?}");
        }
        assert_eq!(first(&[SimpleFilter], Samples, Statistics), Statistics);
        assert_eq!(first(&[MultiTableJoin], Samples, Statistics), Statistics);
        assert_eq!(first(&[MultiTableJoin], Samples, Relationships), Samples);
        assert_eq!(first(&[MultiTableJoin], Examples, Relationships), Examples);
    }

    #[test]
    fn kinds_that_disagree_leave_the_usual_order() {
        assert_eq!(order_of(&[SimpleFilter, Aggregation]), order_of(&[]));
        assert_eq!(order_of(&[SimpleFilter, MultiTableJoin]), order_of(&[MultiTableJoin]));
        let why = |kinds: &[QuestionKind]| {
            reason(&kinds.iter().map(|kind| (*kind, String::new())).collect::<Vec<_>>())
        };
        assert_eq!(why(&[SimpleFilter, Aggregation]), None);
        assert!(why(&[Growth, Ranking]).is_some_and(|why| why.contains("range of dates")));
    }

    #[test]
    fn every_kind_has_one_row_and_a_reason() {
        for kind in [SimpleFilter, Aggregation, MultiTableJoin, Growth, Ranking] {
            let rows: Vec<&Share> = SHARES.iter().filter(|share| share.kind == kind).collect();
            assert!(matches!(rows.as_slice(), [one] if one.why.len() > 20), "{kind:?}");
        }
    }
}
