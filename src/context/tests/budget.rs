//! What gives way when the room is short.

use super::*;
use ComponentKind::{Examples, History, Samples, Statistics};

fn wide(tables: usize, columns: usize) -> Case {
    let mut case = ask("total price of t7 bookings");
    let names: Vec<String> = (0..columns).map(|n| format!("column_number_{n}")).collect();
    let tables: Vec<Table> = (0..tables)
        .map(|n| {
            let mut all = vec![("id", "INTEGER"), ("parent_id", "INTEGER")];
            all.extend(names.iter().map(|name| (name.as_str(), "TEXT")));
            // a column of its own: it is like no other table
            let own = format!("own_{n}");
            all.push((&own, "TEXT"));
            table(&format!("t{n}"), &all)
        })
        .collect();
    let keys = (1..tables.len()).map(|n| key(&format!("t{n}"), "parent_id", "t0")).collect();
    case.facts = Facts {
        catalog: Arc::new(Catalog { tables, keys, ..Catalog::default() }),
        ..Facts::default()
    };
    case
}

#[test]
fn a_wide_schema_is_pruned_to_its_limit_and_says_what_went() {
    let case = wide(100, 30).link("t7", LinkTarget::Table("t7".to_owned()));
    let package = case.package();
    let schema = of(&package, ComponentKind::Schema);
    assert!(schema.tokens <= 2_000, "{}", schema.tokens);
    assert!(package.tables.contains(&"t7".to_owned()));
    assert!(package.columns.contains(&"t7.column_number_29".to_owned()));
    assert!(package.tables.contains(&"t0".to_owned()), "its neighbour by key is told");
    let told = package.tables.len();
    let left_out = schema.cut.iter().filter(|cut| cut.starts_with("table ")).count();
    assert_eq!(left_out, 100 - told);
    let Content::Schema(content) = &schema.content else { panic!("the schema holds tables") };
    let brief = content.others.len();
    assert!(brief > 0 && content.tables.iter().any(|table| table.name == "t7"));
    assert!(schema.cut.contains(&format!("types of {brief} further tables")));
    assert!(schema.text.contains("Further tables, names only:"));
    assert!(package.warnings.contains(&format!("schema pruned: {told} of 100 tables are told")));
}

#[test]
fn a_table_wider_than_the_room_keeps_its_keys_and_linked_columns() {
    let at = ColumnRef::new("t7", "column_number_390");
    let case = wide(9, 400)
        .link("t7", LinkTarget::Table("t7".to_owned()))
        .link("price", LinkTarget::Column(at));
    let package = case.package();
    let schema = of(&package, ComponentKind::Schema);
    assert!(schema.tokens <= 2_000, "{}", schema.tokens);
    for column in ["t7.id", "t7.parent_id", "t7.column_number_390", "t7.column_number_0"] {
        assert!(package.columns.contains(&column.to_owned()), "{column}");
    }
    assert!(!package.columns.contains(&"t7.column_number_389".to_owned()));
    assert!(schema.cut.iter().any(|cut| cut.starts_with("columns of t7: ")));
}

#[test]
fn low_tiers_give_way_first_and_each_cut_is_listed() {
    let mut case = on_bookings("total of bookings").kinds(&[QuestionKind::Aggregation]);
    case.knowledge().examples = vec![pair("How many bookings?", "SELECT COUNT(*) FROM bookings")];
    case.facts.history =
        (0..20).map(|n| pair(&format!("How many in room {n}?"), "SELECT 1")).collect();
    let whole = case.package();
    let Content::History(told) = &of(&whole, ComponentKind::History).content else {
        panic!("history holds history");
    };
    assert_eq!(told.len(), 10);
    let mut last = whole.tokens;
    let mut out_before = 0;
    for budget in (50..whole.tokens).rev().step_by(25) {
        case.question.options.tokens = budget;
        let package = case.package();
        assert!(package.tokens <= last);
        last = package.tokens;
        let out: Vec<ComponentKind> =
            package.components.iter().filter(|c| !c.included).map(|c| c.kind).collect();
        let order = [History, Samples, Statistics, Examples];
        for (n, kind) in order.iter().enumerate().skip(1) {
            if out.contains(kind) {
                assert!(order[..n].iter().all(|lower| out.contains(lower)), "{budget}: {out:?}");
            }
        }
        assert!(out.len() >= out_before, "{budget}: {out:?}");
        out_before = out.len();
        assert!(of(&package, ComponentKind::Schema).included);
    }
    assert!(out_before >= 6, "errors and relationships are out from the start");
}

#[test]
fn a_package_that_can_not_fit_says_so() {
    let mut case = on_bookings("bookings");
    case.question.options.tokens = 20;
    let package = case.package();
    assert!(package.warnings.iter().any(|w| w.contains("more than the budget of 20")));
    assert_eq!(package.tables, ["bookings"]);
}

#[test]
fn without_links_the_whole_schema_is_told_as_far_as_it_fits() {
    let package = ask("what is going on").package();
    assert_eq!(package.tables, ["bookings", "rooms", "members"]);
    let warning = "no word of the question is tied to a table: the whole schema is told";
    assert_eq!(package.warnings, [warning]);
    assert!(of(&package, ComponentKind::Relationships).included);
}

/// A question whose package holds all eight, more of each than may be told.
fn too_much() -> Case {
    let mut case = on_bookings("total of bookings by rooms")
        .kinds(&[QuestionKind::Aggregation])
        .link("rooms", LinkTarget::Table("rooms".to_owned()));
    case.knowledge().examples = (0..9)
        .map(|n| pair(&format!("total of bookings by {n}"), "SELECT SUM(1) FROM b JOIN r"))
        .collect();
    case.facts.history =
        (0..30).map(|n| pair(&format!("How many in room {n}?"), "SELECT 2")).collect();
    case.errors = (0..7)
        .map(|n| ErrorNote {
            error: format!("error {n}"),
            cause: String::new(),
            fix: String::new(),
        })
        .collect();
    case
}

#[test]
fn every_component_has_its_own_limit() {
    let package = too_much().package();
    let count = |kind| {
        if let Content::Errors(notes) = &of(&package, kind).content {
            return notes.len();
        }
        let (Content::Examples(pairs) | Content::History(pairs)) = &of(&package, kind).content
        else {
            panic!("{kind:?} holds something else");
        };
        pairs.len()
    };
    assert_eq!((count(Examples), count(History), count(ComponentKind::Errors)), (3, 10, 3));
    let wide = wide(300, 30).link("t7", LinkTarget::Table("t7".to_owned()));
    for form in Form::ALL {
        let package = wide.package_as(form);
        let schema = of(&package, ComponentKind::Schema);
        assert!(schema.tokens <= 2_000, "{form:?}: {}", schema.tokens);
        assert!(package.tables.contains(&"t7".to_owned()), "{form:?}");
    }
}

#[test]
fn each_trim_is_told_with_what_it_saved() {
    let mut case = too_much();
    let whole = case.package();
    case.question.options.tokens = whole.tokens - 150;
    let short = case.package();
    let cuts = |package: &ContextPackage| -> Vec<String> {
        let cut = package.components.iter().flat_map(|component| component.cut.clone());
        cut.filter(|line| line.ends_with(" saved")).collect()
    };
    assert!(cuts(&whole).is_empty());
    let saved = |line: &String| -> u32 {
        let (_, tokens) = line.rsplit_once(": ~").expect("a saving");
        tokens.split(' ').next().and_then(|n| n.parse().ok()).expect("a number")
    };
    let lines = cuts(&short);
    assert!(lines.iter().any(|line| line.starts_with("past run 'How many in room ")), "{lines:?}");
    assert_eq!(lines.iter().map(saved).sum::<u32>(), whole.tokens - short.tokens);
    let warning = short.warnings.last().expect("the package says that it was trimmed");
    let start = format!("{} pieces left out to fit the budget: ~", lines.len());
    assert!(warning.starts_with(&start), "{warning}");
    assert!(warning.ends_with(
        "; a total needs types, ranges and NULLs of columns, and the shape of former totals"
    ));
}

/// Trims a package token by token, and lists the components that lost something, in order.
fn order_of_loss(kinds: &[QuestionKind], switched_on: &[ComponentKind]) -> Vec<ComponentKind> {
    let mut case = too_much().kinds(kinds);
    case.question.switches.with.extend(switched_on.iter().copied());
    let whole = case.package();
    let mut order: Vec<ComponentKind> = Vec::new();
    for budget in (100..whole.tokens).rev() {
        case.question.options.tokens = budget;
        let package = case.package();
        for component in &package.components {
            let trimmed = component.cut.iter().any(|cut| cut.ends_with(" saved"));
            if trimmed && !order.contains(&component.kind) {
                order.push(component.kind);
            }
        }
    }
    order
}

#[test]
fn kinds_of_questions_shift_what_gives_way_first() {
    use QuestionKind::{Aggregation, MultiTableJoin, Ranking, SimpleFilter};
    let on = [Statistics, Examples];
    let medium = |kinds: &[QuestionKind]| {
        let order = order_of_loss(kinds, &on);
        order.into_iter().filter(|kind| [Samples, Statistics].contains(kind)).collect::<Vec<_>>()
    };
    assert_eq!(medium(&[Aggregation]), [Samples, Statistics]);
    assert_eq!(medium(&[Ranking]), [Samples, Statistics]);
    assert_eq!(medium(&[SimpleFilter]), [Statistics, Samples]);
    assert_eq!(medium(&[MultiTableJoin]), [Statistics, Samples]);
    let join = order_of_loss(&[MultiTableJoin], &on);
    let place = |kind| join.iter().position(|k| *k == kind);
    assert!(place(Samples) < place(ComponentKind::Relationships), "{join:?}");
    assert!(place(Examples) < place(ComponentKind::Relationships), "{join:?}");
}

/// A table for each month of two years, and two others.
fn partitions() -> Case {
    let mut case = ask("rows of events_2024_03 and of events_2023_07");
    let columns = [("id", "INTEGER"), ("device", "TEXT"), ("seen_at", "TEXT")];
    let months = (0..24).map(|n| format!("events_{}_{:02}", 2023 + n / 12, n % 12 + 1));
    let mut tables: Vec<Table> = months.map(|name| table(&name, &columns)).collect();
    tables.push(table("events_2022_12", &[("id", "INTEGER"), ("old_device", "TEXT")]));
    tables.push(table("devices", &[("id", "INTEGER"), ("name", "TEXT")]));
    case.facts =
        Facts { catalog: Arc::new(Catalog { tables, ..Catalog::default() }), ..Facts::default() };
    let table = |name: &str| LinkTarget::Table(name.to_owned());
    case.link("events_2024_03", table("events_2024_03"))
        .link("events_2023_07", table("events_2023_07"))
}

#[test]
fn of_tables_that_differ_by_a_number_one_is_told_and_the_others_named() {
    let package = partitions().package();
    let schema = of(&package, ComponentKind::Schema);
    let line = "Table: events_2024_03\n  Same columns: events_2023_07, events_2023_01, \
                events_2023_02, … events_2024_12 (23 tables)\n- id (INTEGER) PRIMARY KEY\n";
    assert!(schema.text.contains(line), "{}", schema.text);
    assert_eq!(schema.text.matches("seen_at").count(), 1);
    assert!(
        schema.text.contains("Table: events_2022_12\n- id (INTEGER) PRIMARY KEY\n- old_device")
    );
    assert_eq!(package.tables.len(), 26, "every one is told of");
    assert!(package.columns.contains(&"events_2023_07.seen_at".to_owned()));
    assert!(schema.cut.is_empty(), "{:?}", schema.cut);
    for form in [Form::Toon, Form::Skeleton] {
        let package = partitions().package_as(form);
        let text = &of(&package, ComponentKind::Schema).text;
        assert!(text.contains("events_2023_07"), "{text}");
    }
}

#[test]
fn a_table_of_which_less_may_be_told_is_like_no_other() {
    let mut case = partitions();
    case.knowledge().deny = vec![ColumnRef::new("events_2023_07", "device")];
    let package = case.package();
    assert!(!package.columns.contains(&"events_2023_07.device".to_owned()));
    let schema = &of(&package, ComponentKind::Schema).text;
    assert!(schema.contains("Table: events_2023_07\n- id (INTEGER) PRIMARY KEY\n- seen_at"));
    assert!(schema.contains("(22 tables)"), "{schema}");
}
