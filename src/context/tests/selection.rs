//! What is in, what is out, and what the reasons say.

use super::*;
use crate::domain::links::RelatedTable;
use ComponentKind::{Errors, Examples, Relationships, Samples, Statistics};
use QuestionKind::{Aggregation, Growth, MultiTableJoin, Ranking, SimpleFilter};

/// The eight in the order of the package, for a question of one kind about one table.
fn selected(kind: QuestionKind, retry: bool) -> [bool; 8] {
    let mut case = on_bookings("bookings").kinds(&[kind]);
    case.knowledge().examples = vec![pair("Which bookings are there?", "SELECT * FROM bookings")];
    case.facts.history = vec![pair("How many rooms?", "SELECT COUNT(*) FROM rooms")];
    if retry {
        case.errors = vec![ErrorNote {
            error: "no such column: x".to_owned(),
            cause: String::new(),
            fix: String::new(),
        }];
    }
    let package = case.package();
    ComponentKind::ALL.map(|kind| of(&package, kind).included)
}

/// The table of S0-050, row by row: schema, relations, rules, examples, samples, statistics,
/// history, errors.
#[test]
fn selection_follows_the_appendix_table() {
    const NO: bool = false;
    const IN: bool = true;
    for (kind, first) in [
        (SimpleFilter, [IN, NO, IN, NO, IN, NO, IN, NO]),
        (Aggregation, [IN, NO, IN, IN, IN, IN, IN, NO]),
        (MultiTableJoin, [IN, IN, IN, IN, IN, NO, IN, NO]),
        (Growth, [IN, NO, IN, IN, IN, IN, IN, NO]),
        (Ranking, [IN, NO, IN, IN, IN, IN, IN, NO]),
    ] {
        assert_eq!(selected(kind, false), first, "{kind:?}");
        // a retry: everything; relations and statistics as the context has it; errors always
        let statistics = first[5];
        let retry = [IN, IN, IN, IN, IN, statistics, IN, IN];
        assert_eq!(selected(kind, true), retry, "{kind:?} again");
    }
}

#[test]
fn a_question_of_several_kinds_gets_what_any_of_them_wants() {
    let case = on_bookings("bookings").kinds(&[SimpleFilter, Aggregation, MultiTableJoin]);
    let package = case.package();
    for kind in [Relationships, Samples, Statistics] {
        assert!(of(&package, kind).included, "{kind:?}");
    }
}

#[test]
fn reasons_are_words() {
    let mut case = on_bookings("sum of bookings");
    case.understanding.kinds = vec![(Aggregation, "sum".to_owned())];
    let package = case.package();
    assert_eq!(verdict(&package, Statistics), (true, "asks for a total (sum)"));
    assert_eq!(verdict(&package, Relationships), (false, "one table only"));
    assert_eq!(verdict(&package, Examples), (false, "none verified yet"));
    assert_eq!(verdict(&package, Errors), (false, "no error in this run"));
}

#[test]
fn two_linked_tables_bring_relationships_whatever_the_words() {
    let case = on_bookings("bookings by rooms").link("rooms", LinkTarget::Table("rooms".into()));
    let package = case.package();
    let relationships = of(&package, ComponentKind::Relationships);
    assert_eq!(relationships.reason, "joins bookings and rooms");
    let right = "bookings.room_id -> rooms.id (n:1)\nRecommended join pattern:\nSELECT * FROM ";
    assert!(relationships.text.contains(right), "{}", relationships.text);
    let on = ["ON b.room_id = r.id\n", "JOIN "];
    assert!(on.iter().all(|part| relationships.text.contains(part)), "{}", relationships.text);
    assert_eq!(package.join_path, ["bookings.room_id = rooms.id"]);
}

#[test]
fn a_retry_brings_errors_and_examples() {
    let mut case = on_bookings("bookings");
    case.knowledge().examples = vec![pair("Which members never paid?", "SELECT 1")];
    case.errors = (1..=4)
        .map(|n| ErrorNote {
            error: format!("error {n}"),
            cause: "cause".to_owned(),
            fix: "fix".to_owned(),
        })
        .collect();
    let package = case.package();
    let errors = of(&package, ComponentKind::Errors);
    assert!(errors.included);
    assert!(!errors.text.contains("error 1") && errors.text.contains("3. Error: error 4"));
    assert_eq!(errors.cut, ["1 older error"]);
    assert!(of(&package, ComponentKind::Examples).included);
}

#[test]
fn hand_switches_win() {
    let mut case = on_bookings("bookings");
    case.question.switches.without.insert(ComponentKind::Schema);
    case.question.switches.with.insert(ComponentKind::Statistics);
    case.question.switches.with.insert(ComponentKind::Examples);
    let package = case.package();
    assert_eq!(verdict(&package, ComponentKind::Schema), (false, "switched off by hand"));
    assert_eq!(verdict(&package, ComponentKind::Statistics), (true, "switched on by hand"));
    let (included, reason) = verdict(&package, ComponentKind::Examples);
    assert_eq!((included, reason), (false, "switched on by hand, but none verified yet"));
    assert!(package.tables.is_empty() && !package.text().contains("DATABASE SCHEMA"));
}

#[test]
fn a_table_switched_off_is_not_told() {
    let mut case = on_bookings("bookings");
    case.question.switches.without_tables.insert("Members".to_owned());
    let package = case.package();
    assert_eq!(package.tables, ["bookings", "rooms"]);
    assert!(!package.text().contains("email"));
}

#[test]
fn rules_and_metrics_that_apply_are_told() {
    let package = on_bookings("How much was brought in by bookings?").package();
    let business = &of(&package, ComponentKind::Business).text;
    assert!(business.contains("1. Money is in cents\n2. Only confirmed bookings are income\n"));
    assert!(!business.contains("Members log in"));
    let metric = "- income: SUM(price_cents) -- money of confirmed bookings [a draft: nobody approved it yet]\n";
    assert!(business.contains(metric), "{business}");
    let without = on_bookings("How many bookings?").package();
    assert!(!of(&without, ComponentKind::Business).text.contains("income:"));
}

#[test]
fn evidence_joins_the_business_component() {
    let mut case = on_bookings("bookings");
    case.question.evidence = Some("paid means confirmed".to_owned());
    let package = case.package();
    let business = &of(&package, ComponentKind::Business).text;
    assert!(business.ends_with("Evidence given with the question:\npaid means confirmed\n"));
}

#[test]
fn the_most_similar_examples_come_first() {
    let mut case =
        on_bookings("What is the total price of bookings by room?").kinds(&[Aggregation]);
    case.knowledge().examples = vec![
        pair("Which members never paid?", "SELECT id FROM members"),
        pair("List all rooms", "SELECT * FROM rooms"),
        pair("Who is the oldest?", "SELECT 1"),
        pair("What is the total price of bookings by member?", "SELECT SUM(price_cents) FROM b"),
    ];
    let package = case.package();
    let Content::Examples(told) = &of(&package, ComponentKind::Examples).content else {
        panic!("examples hold examples");
    };
    let near = "What is the total price of bookings by member?";
    assert_eq!(told.len(), 1, "what is not like the question only takes room");
    assert_eq!(told[0].question, near);
}

#[test]
fn notes_hold_the_date_of_asking_the_newest_date_and_grounded_values() {
    let at = ColumnRef::new("bookings", "status");
    let value = LinkTarget::Value { column: at, stored: "confirmed".to_owned() };
    let case = on_bookings("Confirmed bookings of this year").link("Confirmed", value.clone());
    let package = case.package();
    let schema = &of(&package, ComponentKind::Schema).text;
    assert!(schema.contains("- The question was asked on 2026-11-30.\n"), "{schema}");
    assert!(schema.contains("- The newest bookings.starts_on is 2026-06-30.\n"), "{schema}");
    assert!(schema.contains("\"Confirmed\" is stored as 'confirmed' in bookings.status."));
    assert_eq!(package.values, ["'confirmed' → bookings.status (exact, list complete)"]);
    let timeless = on_bookings("Confirmed bookings").link("Confirmed", value).package();
    assert!(!of(&timeless, ComponentKind::Schema).text.contains("The newest"));
}

#[test]
fn a_question_for_what_is_missing_is_told_how_to_keep_it() {
    let told = |text: &str| {
        let case = on_bookings(text).link("rooms", LinkTarget::Table("rooms".to_owned()));
        of(&case.package(), ComponentKind::Schema).text.contains("NOT EXISTS")
    };
    assert!(told("Which rooms never had bookings?") && told("rooms that don't have bookings"));
    assert!(!told("rooms with bookings") && !told("rooms and another note on bookings"));
}

#[test]
fn the_schema_lists_values_with_their_meaning() {
    let package = on_bookings("bookings").package();
    let line = "- status (TEXT) -- state of the booking; \
                values: 'cancelled','confirmed' (paid for)\n";
    let schema = &of(&package, ComponentKind::Schema).text;
    assert!(schema.contains(line), "{schema}");
    assert!(schema.contains("- starts_on (DATE) -- format: YYYY-MM-DD\n"), "{schema}");
}

#[test]
fn the_format_of_dates_is_that_of_the_values_seen() {
    let told = |min: &str, max: &str| {
        let mut case = on_bookings("bookings");
        let mut stats = case.facts.statistics.iter_mut();
        let stats = stats.find(|s| s.at.column == "starts_on").expect("measured");
        stats.min = Some(Value::Text(min.to_owned()));
        stats.max = Some(Value::Text(max.to_owned()));
        stats.top.clear();
        case.facts.samples.clear();
        let package = case.package();
        let schema = &of(&package, ComponentKind::Schema).text;
        let line = schema.lines().find(|line| line.contains("starts_on (DATE)"));
        let note = line.and_then(|line| line.split_once(" -- ")).map(|(_, note)| note.to_owned());
        note.unwrap_or_default()
    };
    let minutes = ("2026-01-31 09:00", "2026-06-30 18:30");
    assert_eq!(told(minutes.0, minutes.1), "format: YYYY-MM-DD HH:MM");
    let mixed = told("2026-01-31", "2026-06-30 18:30:00");
    assert_eq!(mixed, "format: mixed (YYYY-MM-DD, YYYY-MM-DD HH:MM:SS)");
    assert_eq!(told("2026-01-31", "soon"), "format: mixed (YYYY-MM-DD, other texts)");
}

#[test]
fn the_same_request_gives_the_same_package_and_time_is_no_part_of_its_version() {
    let mut case = on_bookings("bookings");
    let first = case.package();
    assert_eq!(first, case.package());
    assert_eq!(first.version.len(), 12);
    case.question.asked_at = "2027-01-01T00:00:00Z".to_owned();
    assert_eq!(first.version, case.package().version);
    case.knowledge().rules.clear();
    assert_ne!(first.version, case.package().version);
}

#[test]
fn a_database_without_tables_gives_a_package_without_a_schema() {
    let mut case = ask("anything");
    case.facts = Facts::default();
    let package = case.package();
    assert_eq!(verdict(&package, ComponentKind::Schema), (false, "the database has no tables"));
    assert_eq!(package.text(), "");
    assert_eq!(package.components.len(), 8);
}

#[test]
fn a_column_switched_off_is_told_nowhere_and_one_switched_on_brings_its_table() {
    let mut case =
        on_bookings("bookings by rooms").link("rooms", LinkTarget::Table("rooms".into()));
    case.question.switches.without_columns.insert(ColumnRef::new("bookings", "status"));
    let package = case.package();
    assert!(!package.columns.iter().any(|column| column == "bookings.status"));
    assert!(package.columns.iter().any(|column| column == "bookings.id"));
    assert!(!package.text().contains("status"), "{}", package.text());
    assert!(!package.warnings.iter().any(|warning| warning.contains("switched off")));

    case.question.options.tokens = 60;
    case.question.switches.with_columns.insert(ColumnRef::new("members", "email"));
    case.understanding.links.clear();
    let package = case.package();
    assert_eq!(package.tables.first().map(String::as_str), Some("members"));
    assert!(package.columns.iter().any(|column| column == "members.email"));
}

#[test]
fn a_key_column_switched_off_takes_its_joins_along_and_is_warned_of() {
    let mut case =
        on_bookings("bookings by rooms").link("rooms", LinkTarget::Table("rooms".into()));
    case.question.switches.without_columns.insert(ColumnRef::new("bookings", "room_id"));
    let package = case.package();
    assert!(!package.text().contains("room_id"), "{}", package.text());
    assert!(package.join_path.is_empty());
    let warning = "key column switched off by hand, so no join by it is told: bookings.room_id";
    assert!(package.warnings.iter().any(|w| w == warning), "{:?}", package.warnings);
}

#[test]
fn of_equally_short_join_trees_the_one_that_explains_more_comes_first() {
    let bridge =
        |name: &str| table(name, &[("id", "INTEGER"), ("a_id", "INTEGER"), ("b_id", "INTEGER")]);
    let end = |name: &str| table(name, &[("id", "INTEGER")]);
    let mut case = ask("a by b");
    let tables = vec![end("a"), end("b"), bridge("store"), bridge("rental")];
    let keys = ["store", "rental"].iter().flat_map(|t| [key(t, "a_id", "a"), key(t, "b_id", "b")]);
    let catalog = Catalog { tables, keys: keys.collect(), ..Catalog::default() };
    case.facts = Facts { catalog: Arc::new(catalog), ..Facts::default() };
    let end_of = |name: &str| LinkTarget::Table(name.to_owned());
    let mut case = case.link("a", end_of("a")).link("b", end_of("b"));
    let path = |case: &Case| case.package().join_path.concat();
    assert!(path(&case).contains("store.a_id = a.id"), "as declared: {}", path(&case));
    let rental = RelatedTable { table: "rental".to_owned(), score: 0.4, why: Vec::new() };
    case.understanding.related.tables.push(rental);
    assert!(path(&case).contains("rental.a_id = a.id"), "{}", path(&case));
}
