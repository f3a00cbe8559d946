//! The commands on knowledge, as a script would use them, and drift while a database changes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on shall stop")]

mod program;

use std::sync::Arc;

use program::{Ended, Home};
use querent::config::Config;
use querent::domain::{Content, Happened, Question};
use querent::pipeline::{Session, Setup, Told};
use serde_json::{Value as Json, json};

const SHOP: &str = "
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, password TEXT);
    CREATE TABLE orders ( -- one order of one customer
        id INTEGER PRIMARY KEY, buyer INTEGER, state TEXT CHECK (state IN ('N','S')),
        placed_on TEXT, total_cents INTEGER, ship_qty INTEGER);
    CREATE VIEW sent AS SELECT c.name, SUM(o.total_cents) AS turnover,
        CASE WHEN o.state = 'S' THEN 'sent' END AS how
        FROM orders o JOIN customers c ON o.buyer = c.id WHERE o.state = 'S' GROUP BY c.name;
    CREATE TRIGGER stamp AFTER UPDATE ON orders BEGIN
        UPDATE orders SET placed_on = datetime('now') WHERE id = new.id; END;
    INSERT INTO customers VALUES (1, 'Ada', 'x'), (2, 'Bo', 'y');
    INSERT INTO orders VALUES (1, 1, 'N', '2026-01-05', 100, 1), (2, 1, 'S', '2026-01-06', 250, 2),
        (3, 2, 'S', '2026-02-01', 50, 2), (4, 2, 'S', '2026-02-02', 70, 3), (5, 1, 'N', '2026-02-03', 5, 1),
        (6, 1, 'N', '2026-02-04', 5, 1);";

fn check(home: &Home, db: &str, knowledge: &str, more: &[&str]) -> Ended {
    let file = home.file("shop.knowledge.toml");
    std::fs::write(&file, knowledge).unwrap();
    let mut arguments = vec!["knowledge", "check", "--db", db];
    arguments.extend(more);
    home.run(&arguments)
}

fn outcome<'a>(report: &'a Json, entry: &str) -> &'a Json {
    let proved = report["proved"].as_array().unwrap();
    proved.iter().find(|p| p["entry"] == entry).unwrap_or_else(|| panic!("{entry}: {report}"))
}

const METRIC: &str = "[[metrics]]\nname = \"turnover\"\nmeaning = \"\"\nformula = \"SUM(orders.total_cents)\"\n\
                      tables = [\"orders\"]\nfilter = \"orders.state = 'S'\"\n";

fn example(sql: &str) -> String {
    format!("[[examples]]\nquestion = \"q\"\nsql = \"{sql}\"\nverified_by = \"Ada\"\n")
}

#[test]
fn init_writes_a_first_file_that_passes_its_check_and_never_over_another() {
    let home = Home::new();
    let db = home.database("shop.db", SHOP);
    let written = home.run(&["knowledge", "init", "--db", &db]);
    assert_eq!(written.code, 0, "{written:?}");
    let file = home.file("shop.knowledge.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    for line in [
        "[tables.orders]",
        "meaning = \"one order of one customer\"",
        "values = { N = \"\", S = \"\" }",
        "format = \"YYYY-MM-DD\"",
        "unit = \"cents\"",
        "synonyms = [\"ship quantity\"]",
        "# deny = [\"customers.password\"]",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is missing in:\n{text}");
    }
    let checked = home.run(&["knowledge", "check", "--db", &db]);
    assert_eq!(checked.code, 0, "{checked:?}");
    std::fs::write(&file, "domain = \"mine\"\n").unwrap();
    for arguments in [vec![], vec!["shop.knowledge.toml"]] {
        let mut again = vec!["knowledge", "init", "--db", &db];
        again.extend(arguments);
        let refused = home.run(&again);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.err.contains("is there already"), "{refused:?}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "domain = \"mine\"\n");
    let shown = home.run(&["knowledge", "init", "--db", &db, "-"]);
    assert_eq!(shown.code, 0);
    assert_eq!(shown.out, text);
}

#[test]
fn a_demo_needs_a_place_for_its_first_file() {
    let home = Home::new();
    let refused = home.run(&["knowledge", "init", "--db", "demo:sales"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    let shown = home.run(&["knowledge", "init", "--db", "demo:sales", "-"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(shown.out.contains("[tables.sales]"));
    let lost = home.run(&["knowledge", "init", "--db", "nowhere.db", "-"]);
    assert_eq!(lost.code, 3, "{lost:?}");
}

#[test]
fn examples_and_formulas_are_run_and_each_is_told() {
    let home = Home::new();
    let db = home.database("shop.db", SHOP);
    let text = METRIC.to_owned()
        + &example("SELECT id FROM orders WHERE state = 'S'")
        + &example("SELECT id FROM orders WHERE state = 'X'")
        + &example("SELECT name FROM customers WHERE id = 1");
    let clean = check(&home, &db, &text, &[]);
    assert_eq!(clean.code, 0, "{clean:?}");
    assert_eq!(
        clean.out,
        "✓ metric turnover: 370 · SUM(orders.total_cents)\n\
         ✓ example 1: 3 rows · q\n\
         ! example 2: runs, and gives nothing · q\n\
         ✓ example 3: Ada · q\n"
    );
    let said = "0 rules, 1 metric, 0 joins, 3 examples; all agree; 1 worth a look";
    assert!(clean.err.contains(said), "{}", clean.err);
    let failing = example("SELECT abs(-9223372036854775807 - 1) FROM orders");
    let wrong = check(&home, &db, &failing, &["--json"]);
    assert_eq!(wrong.code, 1, "{wrong:?}");
    let report = wrong.json();
    assert_eq!(outcome(&report, "example 1")["outcome"], "failed");
    let message = outcome(&report, "example 1")["message"].as_str().unwrap();
    assert!(message.contains("integer overflow"), "{message}");
    // bound only, it stands
    assert_eq!(check(&home, &db, &failing, &["--no-run"]).code, 0);
}

#[test]
fn what_runs_too_long_is_stopped_and_told() {
    let home = Home::new();
    let db = home.database("shop.db", SHOP);
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let stopped = check(&home, &db, &example(endless), &["--timeout", "0.2"]);
    assert_eq!(stopped.code, 1, "{stopped:?}");
    assert!(stopped.out.starts_with("✗ example 1: failed: "), "{stopped:?}");
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let bounded = check(&home, &db, &example(many), &[]);
    assert_eq!((bounded.code, bounded.out.as_str()), (0, "✓ example 1: 1,000+ rows · q\n"));
}

#[test]
fn an_example_that_writes_is_refused_and_nothing_is_written() {
    let home = Home::new();
    let db = home.database("shop.db", SHOP);
    let refused = check(&home, &db, &example("DELETE FROM orders"), &[]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.out.starts_with("✗ example 1: "), "{refused:?}");
    let left =
        home.run(&["run", "--db", &db, "--format", "csv", "SELECT count(*) AS n FROM orders"]);
    assert_eq!(left.out, "n\n6\n");
}

#[test]
fn joins_codes_and_promises_are_held_against_what_is_stored() {
    let home = Home::new();
    let db = home.database("shop.db", SHOP);
    let text = "[[joins]]\nfrom = \"orders.buyer\"\nto = \"customers.id\"\n\
                [[joins]]\nfrom = \"orders.id\"\nto = \"customers.id\"\n\
                [[joins]]\nfrom = \"orders.buyer\"\nto = \"orders.ship_qty\"\n\
                [[joins]]\nfrom = \"orders.total_cents\"\nto = \"customers.id\"\n\
                [columns.\"orders.state\"]\nvalues = { N = \"new\", X = \"gone\" }\nnot_null = true\n\
                [columns.\"orders.buyer\"]\nunique = true\n";
    let report = check(&home, &db, text, &["--json"]);
    assert_eq!(report.code, 1, "{report:?}");
    let report = report.json();
    let told = |entry: &str| {
        let found = outcome(&report, entry);
        format!("{}: {}", found["outcome"].as_str().unwrap(), found["message"].as_str().unwrap())
    };
    assert_eq!(told("join 1"), "holds: 6 rows looked at, each with one partner");
    let some = "doubt: 2 of 6 rows of orders.id have a partner in customers.id";
    assert_eq!(told("join 2"), some);
    assert!(told("join 3").starts_with("failed: neither side is unique"), "{}", told("join 3"));
    let none = "failed: none of 6 rows of orders.total_cents has a partner in customers.id";
    assert_eq!(told("join 4"), none);
    let of = |what: &str| {
        let proved = report["proved"].as_array().unwrap();
        let found = proved.iter().find(|p| p["what"] == what).unwrap();
        format!("{}: {}", found["outcome"].as_str().unwrap(), found["message"].as_str().unwrap())
    };
    assert_eq!(of("codes"), "doubt: stored, but not told: 'S'; told, but not stored: 'X'");
    assert_eq!(of("never NULL"), "holds: holds for every row");
    assert_eq!(of("unique"), "failed: 2 values stand more than once");
}

#[test]
fn a_metric_over_two_tables_runs_by_the_join_that_people_told() {
    let home = Home::new();
    let db = home.database("shop.db", SHOP);
    let metric = "[[metrics]]\nname = \"of_ada\"\nmeaning = \"\"\nformula = \"SUM(orders.total_cents)\"\n\
                  tables = [\"orders\", \"customers\"]\nfilter = \"customers.name = 'Ada'\"\n";
    let alone = check(&home, &db, metric, &[]);
    assert_eq!(alone.code, 1, "{alone:?}");
    assert!(alone.out.contains("no keys connect its tables orders, customers"), "{alone:?}");
    let join = "[[joins]]\nfrom = \"orders.buyer\"\nto = \"customers.id\"\nreason = \"we know\"\n";
    let told = check(&home, &db, &format!("{metric}{join}"), &[]);
    assert_eq!(told.code, 0, "{told:?}");
    assert!(told.out.contains("✓ metric of_ada: 360 · "), "{told:?}");
    // and the package says so
    let question = "What is the total of orders by customers name?";
    let package = home.run(&["context", "--db", &db, "--json", question]).json();
    assert_eq!(package["join_path"], json!(["orders.buyer = customers.id"]));
    let components = package["components"].as_array().unwrap();
    let keys = components.iter().find(|c| c["kind"] == "relationships").unwrap();
    assert!(keys["text"].as_str().unwrap().contains("(n:1, told by people: we know)"), "{keys}");
    let schema = home.run(&["schema", "--db", &db, "orders"]);
    assert!(schema.out.contains("buyer -> customers.id (told by people: we know)"), "{schema:?}");
}

#[test]
fn extract_proposes_with_citations_and_adopts_nothing() {
    let home = Home::new();
    let db = home.database("shop.db", SHOP);
    let found = home.run(&["knowledge", "extract", "--db", &db]);
    assert_eq!(found.code, 0, "{found:?}");
    for line in [
        "# view sent: SUM(o.total_cents)",
        "formula = \"SUM(orders.total_cents)\"",
        "filter = \"orders.state = 'S'\"",
        "# view sent: o.buyer = c.id",
        "from = \"orders.buyer\"",
        "values = { S = \"sent\", N = \"\" }",
        "about = [\"orders.placed_on\"]",
    ] {
        assert!(found.out.lines().any(|l| l == line), "{line} is missing in:\n{}", found.out);
    }
    assert!(!home.file("shop.knowledge.toml").exists());
    // what it prints is a file that passes its check
    let text = found.out.clone();
    let checked = check(&home, &db, &text, &[]);
    assert_eq!(checked.code, 0, "{checked:?}");
    let report = home.run(&["knowledge", "extract", "--db", &db, "--json"]).json();
    let metric = report.as_array().unwrap().iter().find(|p| p["kind"] == "metric").unwrap();
    assert_eq!(metric["cites"], json!([{ "object": "view sent", "text": "SUM(o.total_cents)" }]));
}

#[test]
fn what_may_not_leave_is_neither_proposed_nor_written_down() {
    let home = Home::new();
    let sql = "CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT,
                 grade TEXT DEFAULT 'secret-grade' CHECK (grade IN ('G-one', 'G-two')),
                 shout TEXT GENERATED ALWAYS AS (upper(grade)) STORED,
                 api_key TEXT DEFAULT 'key-of-nobody');
               CREATE VIEW top AS SELECT name, grade FROM staff WHERE grade = 'G-one';
               INSERT INTO staff (name, grade, api_key)
               VALUES ('Ada', 'G-one', 'k1'), ('Bob', 'G-two', 'k2'), ('Cy', 'G-one', 'k3')";
    let db = home.database("firm.db", sql);
    let deny = home.file("deny.toml");
    std::fs::write(&deny, "deny = [\"staff.grade\"]\n").unwrap();
    for action in [&["extract"][..], &["extract", "--json"], &["init", "-"]] {
        let mut asked = vec!["knowledge"];
        asked.extend(action);
        asked.extend(["--db", &db, "--knowledge", deny.to_str().unwrap()]);
        let told = home.run(&asked);
        assert_eq!(told.code, 0, "{told:?}");
        for hidden in ["G-one", "G-two", "G-ONE", "secret-grade", "key-of-nobody", "k1"] {
            assert!(!told.out.contains(hidden), "{hidden} is told by {action:?}:\n{}", told.out);
        }
        let kept = told.out.lines().any(|line| line == "deny = [\"staff.grade\"]");
        assert_eq!(kept, action[0] == "init", "{}", told.out);
    }
}

const DBT: &str = "
models:
  - name: orders
    description: one order
    columns:
      - name: buyer
        tests:
          - relationships: {to: ref('customers'), field: id}
          - some_package.some_test
semantic_models:
  - name: orders
    model: ref('orders')
    measures:
      - {name: turnover, agg: sum, expr: total_cents, description: all money}
";

#[test]
fn files_of_other_tools_are_read_as_they_are_and_printed_as_ours() {
    let home = Home::new();
    let db = home.database("shop.db", SHOP);
    let file = home.file("schema.yml");
    std::fs::write(&file, DBT).unwrap();
    let printed = home.run(&["knowledge", "import", "schema.yml"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    let formula = "formula = \"SUM(orders.total_cents)\"";
    assert!(printed.out.lines().any(|l| l == formula), "{printed:?}");
    assert!(
        printed
            .err
            .contains("line 9: not carried over: test some_package.some_test of orders.buyer")
    );
    let direct =
        home.run(&["knowledge", "check", "--db", &db, "--knowledge", "schema.yml", "--json"]);
    assert_eq!(direct.code, 0, "{direct:?}");
    let report = direct.json();
    assert_eq!(outcome(&report, "metric turnover")["value"], "480");
    assert_eq!(outcome(&report, "join 1")["outcome"], "holds");
    assert_eq!(report["lost"].as_array().unwrap().len(), 1);
    // what was printed stands in for it
    let same = check(&home, &db, &printed.out, &["--json"]).json();
    assert_eq!(same["proved"], report["proved"]);
    let broken = home.run(&["knowledge", "import", "nowhere.yml"]);
    assert_eq!(broken.code, 2, "{broken:?}");
}

#[tokio::test]
async fn what_disagrees_after_the_schema_changed_shows_at_the_next_question() {
    let home = Home::new();
    let db = home.database("shop.db", SHOP);
    let examples = example("SELECT SUM(total_cents) FROM orders");
    std::fs::write(home.file("shop.knowledge.toml"), format!("{METRIC}{examples}")).unwrap();
    let setup = Setup {
        database: Some(db.clone()),
        model: Some("rules".into()),
        config: Arc::new(Config::default()),
        ..Setup::default()
    };
    let session = Arc::new(Session::open(setup).await.unwrap());
    assert_eq!(session.header().drift, [""; 0]);
    let alter = "ALTER TABLE orders RENAME COLUMN total_cents TO total";
    let change = rusqlite::Connection::open(&db).unwrap();
    change.execute_batch(&format!("DROP VIEW sent; DROP TRIGGER stamp; {alter}")).unwrap();
    drop(change);
    let question = Question { text: "How many orders are there?".into(), ..Question::default() };
    let mut run = session.start(question);
    let (mut notes, mut metrics) = (Vec::new(), Vec::new());
    while let Some(told) = run.told.recv().await {
        let Told::Event(event) = told else { continue };
        if let Happened::Gathered { notes: told, .. } = event.happened {
            notes = told;
        } else if let Happened::PackageReady(package) = event.happened {
            for component in &package.components {
                if let Content::Business(content) = &component.content {
                    metrics = content.metrics.clone();
                }
            }
        }
    }
    assert!(
        notes[0].starts_with("knowledge disagrees with the schema: metric turnover: "),
        "{notes:?}"
    );
    assert!(notes[0].ends_with("; 1 more"), "{notes:?}");
    assert_eq!(metrics, [], "a formula that can't run is not told");
    assert_eq!(session.disagreements().len(), 2);
}

/// What the business component of a demo's question tells: its text.
fn business(home: &Home, demo: &str, question: &str) -> String {
    let package = home.run(&["context", "--db", demo, "--json", question]).json();
    let components = package["components"].as_array().unwrap();
    let business = components.iter().find(|c| c["kind"] == "business").unwrap();
    business["text"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_told_of_a_demo_applies_to_the_question_and_nothing_else_is() {
    let home = Home::new();
    for (demo, question, told, not_told) in [
        (
            "demo:insurance",
            "How many agents are there in each channel?",
            vec!["Domain: Insurance"],
            vec!["statusid", "premium_amount", "approved_amount", "loss_ratio"],
        ),
        (
            "demo:insurance",
            "What is the loss ratio of each policy type?",
            vec!["- loss_ratio: ", "A policy can have several claims", "Open claims (OPN)"],
            vec!["- fraud_rate", "- average_premium"],
        ),
        (
            "demo:rentals",
            "List the films with rating PG",
            vec!["Domain: Film rental"],
            vec!["has no payment, one, or two", "Common Metrics"],
        ),
        (
            "demo:rentals",
            "How much rental revenue did each store bring in?",
            vec!["- rental_revenue: SUM(payment.amount)", "has no payment, one, or two"],
            vec!["- active_customers"],
        ),
        (
            "demo:reservo",
            "How much did we bring in with confirmed bookings?",
            vec!["- confirmed_revenue: SUM(bookings.price_cents)", "only rows where"],
            vec!["- money_received"],
        ),
    ] {
        let text = business(&home, demo, question);
        for words in told {
            assert!(text.contains(words), "{question}: {words} is missing in:\n{text}");
        }
        for words in not_told {
            assert!(!text.contains(words), "{question}: {words} is told in:\n{text}");
        }
    }
}
