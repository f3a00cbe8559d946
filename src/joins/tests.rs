//! Join trees held against brute force, and what a join multiplies.

use super::*;
use crate::domain::Table;
use crate::domain::schema::KeyOrigin;

/// Makes a key from `orders.customer_id -> customers.id`; `~>` is inferred, `?>` told by people,
/// `=>` one to one.
fn key(text: &str) -> ForeignKey {
    let arrow = ["->", "~>", "=>", "?>"].into_iter().find(|a| text.contains(a)).expect("an arrow");
    let (from, to) = text.split_once(arrow).expect("two sides");
    let (from_table, from_column) = from.trim().split_once('.').expect("table.column");
    let (to_table, to_column) = to.trim().split_once('.').expect("table.column");
    ForeignKey {
        from_table: from_table.to_owned(),
        from_columns: vec![from_column.to_owned()],
        to_table: to_table.to_owned(),
        to_columns: vec![to_column.to_owned()],
        origin: match arrow {
            "?>" => KeyOrigin::Told("we know".to_owned()),
            "~>" => KeyOrigin::Inferred("named alike".to_owned()),
            _ => KeyOrigin::Declared,
        },
        one_to_one: arrow == "=>",
    }
}

fn catalog(keys: &[&str]) -> Catalog {
    let keys: Vec<ForeignKey> = keys.iter().map(|text| key(text)).collect();
    let mut names: Vec<String> =
        keys.iter().flat_map(|k| [k.from_table.clone(), k.to_table.clone()]).collect();
    names.sort();
    names.dedup();
    let tables = names.into_iter().map(|name| Table { name, ..Table::default() }).collect();
    Catalog { tables, keys, ..Catalog::default() }
}

fn found(catalog: &Catalog, anchors: &[&str]) -> Vec<(Vec<String>, f64)> {
    let anchors: Vec<String> = anchors.iter().map(|a| (*a).to_owned()).collect();
    let described = |tree: &JoinTree| {
        assert_eq!(tree.tables.len(), tree.keys.len() + 1);
        let columns = tree.keys.iter().map(|k| format!("{}.{}", k.from_table, k.from_columns[0]));
        (tree.tables.iter().take(1).cloned().chain(columns).collect(), tree.cost)
    };
    cheapest(catalog, &anchors).iter().map(described).collect()
}

fn one(words: &[&str], cost: f64) -> (Vec<String>, f64) {
    (words.iter().map(|w| (*w).to_owned()).collect(), cost)
}

const SCHOOL: &[&str] = &[
    "enrolments.student_id -> students.id",
    "enrolments.course_id -> courses.id",
    "courses.teacher_id -> teachers.id",
    "students.home_id -> towns.id",
];

#[test]
fn a_bridge_connects_two_tables_that_have_no_key() {
    let trees = found(&catalog(SCHOOL), &["students", "courses"]);
    assert_eq!(trees, [one(&["students", "enrolments.student_id", "enrolments.course_id"], 2.0)]);
}

#[test]
fn a_told_key_is_nearly_as_good_as_a_declared_one_and_better_than_an_inferred_one() {
    let with = |told: &'static str| {
        let keys: Vec<&str> = SCHOOL.iter().copied().chain([told]).collect();
        found(&catalog(&keys), &["students", "courses"])
    };
    // one told key is shorter than two declared ones
    let direct = "students.course_id ?> courses.id";
    assert_eq!(with(direct), [one(&["students", "students.course_id"], 1.1)]);
    let beside = found(&catalog(&["a.b_id -> b.id", "a.other_id ?> b.id"]), &["a", "b"]);
    assert_eq!(beside, [one(&["a", "a.b_id"], 1.0)]);
    let beside = found(&catalog(&["a.b_id ~> b.id", "a.other_id ?> b.id"]), &["a", "b"]);
    assert_eq!(beside, [one(&["a", "a.other_id"], 1.1)]);
}

#[test]
fn one_table_is_a_tree_without_keys_whatever_the_letter_case() {
    let trees = found(&catalog(SCHOOL), &["STUDENTS", "students"]);
    assert_eq!(trees, [one(&["students"], 0.0)]);
}

#[test]
fn tables_that_are_not_connected_or_unknown_have_no_tree() {
    let catalog = catalog(&["a.b_id -> b.id", "c.d_id -> d.id"]);
    assert!(found(&catalog, &["a", "c"]).is_empty());
    assert!(found(&catalog, &["a", "nobody"]).is_empty());
    assert!(found(&catalog, &[]).is_empty());
}

#[test]
fn several_keys_between_two_tables_are_ties_natural_names_first() {
    let catalog = catalog(&[
        "games.guest_id -> teams.team_id",
        "games.home_id -> teams.team_id",
        "games.team_id -> teams.team_id",
    ]);
    let keys: Vec<String> = found(&catalog, &["games", "teams"])
        .into_iter()
        .map(|(words, _)| words[1].clone())
        .collect();
    assert_eq!(keys, ["games.team_id", "games.guest_id", "games.home_id"]);
}

#[test]
fn two_ways_of_equal_cost_are_both_shown() {
    let catalog =
        catalog(&["x.a_id -> a.id", "x.b_id -> b.id", "y.a_id -> a.id", "y.b_id -> b.id"]);
    assert_eq!(
        found(&catalog, &["a", "b"]),
        [one(&["a", "x.a_id", "x.b_id"], 2.0), one(&["a", "y.a_id", "y.b_id"], 2.0)]
    );
}

#[test]
fn a_direct_inferred_key_beats_a_declared_detour_but_not_a_declared_key() {
    let detour = catalog(&["a.c_id ~> c.id", "a.b_id -> b.id", "b.c_id -> c.id"]);
    assert_eq!(found(&detour, &["a", "c"]), [one(&["a", "a.c_id"], 1.6)]);
    let both = catalog(&["a.c_id ~> c.id", "a.other -> c.id"]);
    assert_eq!(found(&both, &["a", "c"]), [one(&["a", "a.other"], 1.0)]);
}

#[test]
fn a_tree_that_saves_a_bridge_by_sharing_it_is_found() {
    // a star around `hub` costs 3; any pairwise path goes through it as well
    let catalog = catalog(&[
        "hub.a_id -> a.id",
        "hub.b_id -> b.id",
        "hub.c_id -> c.id",
        "a.m_id -> m.id",
        "m.b_id -> b.id",
    ]);
    assert_eq!(found(&catalog, &["a", "b", "c"]).len(), 1);
    assert!((found(&catalog, &["a", "b", "c"])[0].1 - 3.0).abs() < 1e-9);
}

#[test]
fn a_key_to_its_own_table_is_no_way_but_can_be_asked_for() {
    let catalog = catalog(&["staff.boss_id -> staff.id", "staff.shop_id -> shops.id"]);
    assert_eq!(found(&catalog, &["staff", "shops"]), [one(&["staff", "staff.shop_id"], 1.0)]);
    let graph = Graph::new(&catalog);
    assert_eq!(graph.to_itself("Staff")[0].from_columns, ["boss_id"]);
    assert_eq!(graph.between("shops", "STAFF").len(), 1);
}

#[test]
fn the_exact_search_agrees_with_trying_every_set_of_edges() {
    // random connected graphs of 6 nodes and 9 edges, from a fixed Lehmer sequence
    let mut seed = 7u64;
    let mut draw = |below: u64| {
        seed = seed * 48271 % 2_147_483_647;
        seed % below
    };
    for _ in 0..60 {
        let mut texts = Vec::new();
        for n in 1..6 {
            texts.push(format!("t{n}.k{n} -> t{}.id", draw(n)));
        }
        while texts.len() < 9 {
            let (a, b) = (draw(6), draw(6));
            let arrow = if draw(2) == 0 { "->" } else { "~>" };
            if a != b {
                texts.push(format!("t{a}.x{} {arrow} t{b}.id", texts.len()));
            }
        }
        let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
        let catalog = catalog(&refs);
        let anchors = ["t0".to_owned(), "t3".to_owned(), "t5".to_owned()];
        let mut best: Vec<(u32, usize)> = (0u32..1 << 9)
            .filter(|set| connects(&catalog, *set, &anchors))
            .map(|set| (cost(&catalog, set), 1))
            .collect();
        best.sort_unstable();
        let least = best[0].0;
        let ties = best.iter().filter(|(c, _)| *c == least).count();
        let trees = cheapest(&catalog, &anchors);
        assert!((trees[0].cost * 10.0 - f64::from(least)).abs() < 1e-6, "{texts:?}");
        assert_eq!(trees.len(), ties.min(16), "{texts:?}");
    }
}

fn cost(catalog: &Catalog, set: u32) -> u32 {
    let chosen = catalog.keys.iter().enumerate().filter(|(n, _)| set & (1 << n) != 0);
    chosen.map(|(_, key)| if key.declared() { 10 } else { 16 }).sum()
}

fn connects(catalog: &Catalog, set: u32, anchors: &[String]) -> bool {
    let mut reached = vec![anchors[0].as_str()];
    let mut grew = true;
    while grew {
        grew = false;
        for (n, key) in catalog.keys.iter().enumerate().filter(|(n, _)| set & (1 << n) != 0) {
            let _ = n;
            let (from, to) = (key.from_table.as_str(), key.to_table.as_str());
            for (a, b) in [(from, to), (to, from)] {
                if reached.contains(&a) && !reached.contains(&b) {
                    reached.push(b);
                    grew = true;
                }
            }
        }
    }
    anchors.iter().all(|anchor| reached.contains(&anchor.as_str()))
}

#[test]
fn many_anchors_get_one_tree_that_holds_them_all() {
    let texts: Vec<String> = (1..12).map(|n| format!("t{n}.up -> t{}.id", (n - 1) / 2)).collect();
    let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
    let catalog = catalog(&refs);
    let anchors: Vec<String> = (0..12).map(|n| format!("t{n}")).collect();
    let trees = cheapest(&catalog, &anchors);
    assert_eq!((trees.len(), trees[0].tables.len()), (1, 12));
}

#[test]
fn joining_from_the_many_to_the_one_multiplies_nothing() {
    let keys: Vec<ForeignKey> = SCHOOL.iter().map(|text| key(text)).collect();
    assert!(fan_out(&keys, "enrolments").is_empty());
}

#[test]
fn joining_from_the_one_to_the_many_multiplies_and_names_the_key() {
    let keys: Vec<ForeignKey> = SCHOOL.iter().map(|text| key(text)).collect();
    let of_courses: Vec<&str> =
        fan_out(&keys, "Courses").iter().map(|k| k.from_columns[0].as_str()).collect();
    assert_eq!(of_courses, ["course_id"]);
    let of_towns: Vec<&str> =
        fan_out(&keys, "towns").iter().map(|k| k.from_columns[0].as_str()).collect();
    assert_eq!(of_towns, ["home_id", "student_id"]);
}

#[test]
fn a_one_to_one_key_multiplies_in_neither_direction() {
    let keys = [key("details.id => persons.id")];
    assert!(fan_out(&keys, "persons").is_empty() && fan_out(&keys, "details").is_empty());
}

/// A shop in which a payment may be joined by its rental, or by the customer it shares with it.
const RENTALS: &[&str] = &[
    "payments.rental_id -> rentals.id",
    "payments.customer_id -> customers.id",
    "rentals.customer_id -> customers.id",
];

#[test]
fn of_equally_short_ways_the_one_that_pairs_no_strangers_comes_first() {
    let catalog = catalog(RENTALS);
    let anchors = ["payments", "rentals", "customers"].map(str::to_owned);
    let trees = cheapest(&catalog, &anchors);
    let chasms: Vec<usize> = trees.iter().map(JoinTree::chasms).collect();
    // by the common customer each payment would meet each rental
    assert_eq!(chasms, [0, 0, 1]);
}

#[test]
fn a_profile_of_its_own_pairs_nothing() {
    let catalog = catalog(&["profiles.user_id => users.id", "orders.user_id -> users.id"]);
    let anchors = ["profiles", "orders"].map(str::to_owned);
    let chasms: Vec<usize> = cheapest(&catalog, &anchors).iter().map(JoinTree::chasms).collect();
    assert_eq!(chasms, [0]);
}

#[test]
fn tables_of_one_row_each_are_one_parent() {
    let keys = [
        "payments.staff_id -> staff.id",
        "stores.manager_id => staff.id",
        "copies.store_id -> stores.id",
    ];
    let catalog = catalog(&keys);
    let anchors = ["payments", "copies"].map(str::to_owned);
    let chasms: Vec<usize> = cheapest(&catalog, &anchors).iter().map(JoinTree::chasms).collect();
    // each payment of the manager would meet each copy of the store
    assert_eq!(chasms, [1]);
}
