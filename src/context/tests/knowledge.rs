//! Everything that an entry of knowledge says reaches the package where it applies, and only there.

use super::*;
use crate::domain::knowledge::JoinHint;
use crate::render;

const FORMS: [Form; 2] = [Form::Text, Form::Toon];

/// The text of a component in both forms that tell everything.
fn texts(package: &ContextPackage, kind: ComponentKind) -> [String; 2] {
    FORMS.map(|form| render::component(kind, &of(package, kind).content, form))
}

#[track_caller]
fn tells(package: &ContextPackage, kind: ComponentKind, words: &[&str]) {
    for text in texts(package, kind) {
        for word in words {
            assert!(text.contains(word), "{word} is missing in:\n{text}");
        }
    }
}

fn meaning(column: &str, change: impl FnOnce(&mut Meaning)) -> Meaning {
    let mut meaning = Meaning::of(ColumnRef::new("bookings", column));
    change(&mut meaning);
    meaning
}

#[test]
fn meaning_unit_format_codes_and_promises_stand_beside_the_column() {
    let mut case = on_bookings("bookings");
    let known = case.knowledge();
    known.tables = vec![("bookings".to_owned(), "one stay in one room".to_owned())];
    known.columns = vec![
        meaning("price_cents", |m| {
            m.text = "what was agreed".to_owned();
            m.unit = Some("cents".to_owned());
            m.format = Some("whole number".to_owned());
            m.not_null = true;
        }),
        meaning("room_id", |m| m.unique = true),
        meaning("starts_on", |m| {
            m.values = vec![("A".to_owned(), "first".to_owned()), ("B".to_owned(), String::new())];
        }),
    ];
    let package = case.package();
    let line = "what was agreed; unit: cents; format: whole number; never NULL";
    tells(&package, ComponentKind::Schema, &["one stay in one room", line, "'A' (first),'B'"]);
    let [text, _] = texts(&package, ComponentKind::Schema);
    assert!(text.contains("- room_id (INTEGER) -- unique\n"), "{text}");
}

#[test]
fn peoples_own_word_on_a_format_stands_for_the_measured_one() {
    let mut case = on_bookings("bookings");
    case.knowledge().columns = vec![meaning("starts_on", |m| m.format = Some("a day".to_owned()))];
    let [text, _] = texts(&case.package(), ComponentKind::Schema);
    assert!(text.contains("- starts_on (DATE) -- format: a day\n"), "{text}");
}

#[test]
fn a_meaning_taken_over_from_a_comment_is_told_once() {
    let mut case = on_bookings("bookings");
    case.knowledge().columns = vec![meaning("status", |m| m.text = "where it stands".to_owned())];
    let catalog = Arc::make_mut(&mut case.facts.catalog);
    catalog.tables[0].columns[2].comment = Some("where\n it stands".to_owned());
    let [text, _] = texts(&case.package(), ComponentKind::Schema);
    assert_eq!(text.matches("it stands").count(), 1, "{text}");
}

#[test]
fn a_metric_stands_with_meaning_formula_filter_and_grain() {
    let mut case = on_bookings("income of bookings");
    let metric = &mut case.knowledge().metrics[0];
    metric.filter = Some("status = 'confirmed'".to_owned());
    metric.grain = Some("one row per stay".to_owned());
    let package = case.package();
    let words = [
        "income",
        "SUM(price_cents)",
        "status = 'confirmed'",
        "money of confirmed bookings",
        "one row per stay",
    ];
    tells(&package, ComponentKind::Business, &words);
}

#[test]
fn a_told_join_is_a_key_with_its_reason_and_part_of_the_pattern() {
    let mut case =
        on_bookings("bookings by members").link("members", LinkTarget::Table("members".into()));
    let columns = |table: &str, column: &str| vec![ColumnRef::new(table, column)];
    let hint = JoinHint {
        from: columns("bookings", "price_cents"),
        to: columns("members", "id"),
        reason: "we once agreed on it".to_owned(),
        one_to_one: false,
    };
    case.knowledge().joins = vec![hint.clone()];
    let catalog = Arc::make_mut(&mut case.facts.catalog);
    // as the session adds it
    catalog.keys.push(ForeignKey {
        origin: KeyOrigin::Told(hint.reason.clone()),
        to_table: "members".to_owned(),
        ..key("bookings", "price_cents", "members")
    });
    let package = case.package();
    tells(
        &package,
        ComponentKind::Relationships,
        &["told by people", "we once agreed on it", "price_cents = "],
    );
    assert_eq!(package.join_path, ["bookings.price_cents = members.id"]);
}

#[test]
fn words_of_the_question_are_explained_and_others_are_not() {
    let mut case = on_bookings("turnover of bookings");
    case.knowledge().synonyms = vec![
        ("turnover".to_owned(), "income".to_owned()),
        ("guest".to_owned(), "members".to_owned()),
        ("secret turnover".to_owned(), "members.password".to_owned()),
    ];
    case.knowledge().deny = vec![ColumnRef::new("members", "password")];
    let package = case.package();
    tells(&package, ComponentKind::Business, &["turnover", "income"]);
    let [text, _] = texts(&package, ComponentKind::Business);
    assert!(text.contains("- \"turnover\" stands for income\n"), "{text}");
    assert!(!text.contains("guest") && !text.contains("password"), "{text}");
}

#[test]
fn domain_rules_conventions_notes_and_examples_are_told() {
    let mut case = on_bookings("sum of confirmed bookings").kinds(&[QuestionKind::Aggregation]);
    let known = case.knowledge();
    known.conventions = vec!["alias every sum".to_owned()];
    known.notes = vec!["Money is in cents".to_owned()];
    known.examples =
        vec![pair("What is the sum of bookings?", "SELECT SUM(price_cents) FROM bookings")];
    let package = case.package();
    let words = ["Room bookings", "Only confirmed bookings are income", "alias every sum"];
    tells(&package, ComponentKind::Business, &words);
    tells(&package, ComponentKind::Schema, &["Money is in cents"]);
    tells(
        &package,
        ComponentKind::Examples,
        &["What is the sum of bookings?", "SELECT SUM(price_cents)"],
    );
}

/// Rules and metrics in the package of a case.
fn told(case: &Case) -> (Vec<String>, Vec<String>) {
    let package = case.package();
    let Content::Business(content) = &of(&package, ComponentKind::Business).content else {
        return (Vec::new(), Vec::new());
    };
    (content.rules.clone(), content.metrics.iter().map(|m| m.name.clone()).collect())
}

#[test]
fn rules_apply_by_their_tables_columns_and_metrics() {
    let both = ["Money is in cents", "Only confirmed bookings are income"];
    assert_eq!(told(&on_bookings("confirmed bookings")).0, both, "a word of the rule");
    assert_eq!(told(&on_bookings("income of bookings")).0, both, "a metric of the rule");
    assert_eq!(told(&on_bookings("How many bookings?")).0, ["Money is in cents"]);
    let about = |name: &str| Rule { text: "about it".to_owned(), about: vec![name.to_owned()] };
    let mut case = on_bookings("income of bookings");
    case.knowledge().rules = vec![about("income")];
    assert_eq!(told(&case).0, ["about it"]);
    let mut case = on_bookings("bookings");
    case.knowledge().rules = vec![about("income"), about("rooms.name")];
    assert_eq!(told(&case).0, [""; 0]);
}

#[test]
fn without_links_only_rules_about_what_is_told_apply() {
    let mut case = ask("anything");
    let about = vec!["nowhere.x".to_owned()];
    case.knowledge().rules.push(Rule { text: "of a table that isn't here".to_owned(), about });
    let (rules, _) = told(&case);
    assert_eq!(rules.len(), 3, "{rules:?}");
    case.question.switches.without_tables.insert("members".to_owned());
    assert_eq!(told(&case).0, ["Money is in cents", "Only confirmed bookings are income"]);
}

#[test]
fn metrics_nearly_named_are_told_when_figures_are_asked_the_likeliest_first() {
    let metric = |name: &str, meaning: &str, table: &str| Metric {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
        formula: "COUNT(*)".to_owned(),
        tables: vec![table.to_owned()],
        ..Metric::default()
    };
    let mut case = on_bookings("longest stays of bookings").kinds(&[QuestionKind::Ranking]);
    let mut metrics: Vec<Metric> =
        (0..8).map(|n| metric(&format!("m{n}"), "something", "bookings")).collect();
    metrics.push(metric("stay_share", "share of stays", "bookings"));
    metrics.push(metric("total_stays", "nights of all long stays", "bookings"));
    metrics.push(metric("average_longest_stay", "nights", "bookings"));
    metrics.push(metric("stays_of_members", "how many stays members have", "members"));
    case.knowledge().metrics = metrics;
    // "stay" is half of "stay share" only, and the whole of what "total stays" measures
    assert_eq!(told(&case).1, ["average_longest_stay", "total_stays"]);
    let case = Case { understanding: on_bookings("bookings").understanding, ..case };
    assert_eq!(told(&case).1, [""; 0], "no figure is asked");
}
