//! The correction ladder (S1): the order on an error, what a gate grants, where budgets end, what
//! the answer never tells, and when the route is changed.

use super::recorded::{Recorded, told};

const RESERVO: &str = "demo:reservo";
const RENTALS: &str = "demo:rentals";
const REVENUE: &str = "What is the total revenue of confirmed bookings?";

/// A ratio of whole numbers: it runs, and gives 0 for every fraction.
const CUT: &str = "SELECT COUNT(CASE WHEN status = 'cancelled' THEN 1 END) / COUNT(*) AS share \
                   FROM bookings";
const WHOLE: &str = "SELECT 1.0 * COUNT(CASE WHEN status = 'cancelled' THEN 1 END) / COUNT(*) AS \
                     share FROM bookings";
const SHARE: &str = "What share of the bookings was cancelled?";

fn findings(case: &Recorded, attempt: usize) -> Vec<String> {
    let found = &case.transcript.attempts[attempt].last().findings;
    found.iter().filter(|f| f.retryable).map(|f| f.gate.clone()).collect()
}

/// S1-004, S1-006: the plan that came with the SQL is what it is held against.
#[test]
fn sql_that_does_not_follow_its_plan_is_flagged_and_written_again() {
    let plan = serde_json::json!({
        "grain": "one row",
        "tables": ["payments"],
        "measures": ["SUM(payments.amount_cents) AS paid"],
    });
    let reply = |sql: &str| serde_json::json!({"plan": plan, "sql": sql}).to_string();
    let first = reply("SELECT SUM(price_cents) AS paid FROM bookings");
    let second = reply("SELECT SUM(amount_cents) AS paid FROM payments");
    let case = told(&[&first, &second], RESERVO, "How much was paid in all?", &[]);
    case.ended(0, "answered", 2, 2);
    let told = findings(&case, 0);
    assert!(told.contains(&"plan_not_followed".to_owned()), "{told:?}");
    let words = case.last_words(1);
    assert!(words.contains("the plan reads payments, the SQL doesn't"), "{words}");
    assert_eq!(findings(&case, 1), Vec::<String>::new());
    assert_eq!(case.run["plan"]["grain"], "one row");
    assert_eq!(case.run["sql"], "SELECT SUM(amount_cents) AS paid FROM payments");
}

/// S1-008, S1-016: first the cheap repair here, then the model with what is left, then the gates.
#[test]
fn an_error_is_mended_here_first_and_then_told_to_the_model() {
    let replies = [
        "SELECT SUM(b.pric_cents) AS revenue FROM bookings AS b JOIN discounts AS d \
         ON d.booking_id = b.id WHERE b.status = 'confirmed'",
        "SELECT SUM(price_cents) AS revenue FROM bookings WHERE status = 'confirmed'",
    ];
    let case = told(&replies, RESERVO, REVENUE, &[]);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: no_such_column, no_such_table at bind",
        "mended 1.1: unknown_name",
        "checked 1.1: no_such_table at bind",
        "abstained 1.1",
        "closed 1: failed at bind",
        "package",
        "drafted 2 by model",
        "checked 2.0: passed",
        "ran 2.0: 1 rows",
        "reviewed 2.0: passed",
        "closed 2: stands",
        "explained",
        "answered, grounded",
    ]);
    case.ended(0, "answered", 2, 2);
    let words = case.last_words(1);
    assert!(words.contains("table 'discounts' doesn't exist"), "{words}");
    assert!(!words.contains("pric_cents"), "what was mended here is told no more: {words}");
}

/// S1-024: one owner is enough, several are not guessed among.
#[test]
fn a_column_is_requalified_only_where_one_table_owns_it() {
    let one = ["SELECT m.full_name, COUNT(*) AS n FROM bookings AS b JOIN members AS m \
                ON m.id = b.member_id GROUP BY b.full_name"];
    let case = told(&one, RESERVO, "How many bookings does each member have?", &[]);
    case.ended(0, "answered", 1, 1);
    assert_eq!(case.run["attempts"][0]["repairs"][0]["kind"], "wrong_table");
    let many = ["SELECT id FROM bookings JOIN rooms ON rooms.id = bookings.room_id"];
    let case = told(&many, RESERVO, "Which bookings have a room?", &["--repair", "local"]);
    case.ended(1, "gave_up", 1, 1);
    let sql = &case.transcript.attempts[0].last().sql;
    assert!(!sql.contains("bookings.id,"), "{sql}");
}

/// S1-009: a flag grants one retry with the gate's own hint; the retry that passes replaces.
#[test]
fn a_gate_grants_one_retry_with_its_own_hint_and_the_better_answer_replaces() {
    let case = told(&[CUT, WHOLE, "SELECT 'never asked for'"], RESERVO, SHARE, &[]);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: integer_division",
        "ran 1.0: 1 rows",
        "reviewed 1.0: passed",
        "closed 1: stands",
        "package",
        "drafted 2 by model, for a gate",
        "checked 2.0: passed",
        "ran 2.0: 1 rows",
        "reviewed 2.0: passed",
        "closed 2: stands",
        "explained",
        "answered, grounded",
    ]);
    case.ended(0, "answered", 2, 2);
    let finding = &case.transcript.attempts[0].last().findings;
    let finding = finding.iter().find(|f| f.gate == "integer_division").unwrap();
    let told = case.last_words(1);
    assert!(told.contains(finding.hint.as_deref().unwrap()), "{told}");
    assert!(told.contains("runs, but"), "a doubt is no error: {told}");
    assert_eq!(case.run["sql"], WHOLE);
}

/// S1-009, S1-010: a flag that stays grants no second retry: the former stays, with reasons.
#[test]
fn a_retry_that_is_no_better_is_set_aside_and_there_is_no_second_one() {
    let again = "SELECT COUNT(CASE WHEN status = 'cancelled' THEN 1 END) / COUNT(id) AS share \
                 FROM bookings";
    let case = told(&[CUT, again, WHOLE], RESERVO, SHARE, &[]);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: integer_division",
        "ran 1.0: 1 rows",
        "reviewed 1.0: passed",
        "closed 1: stands",
        "package",
        "drafted 2 by model, for a gate",
        "checked 2.0: integer_division",
        "ran 2.0: 1 rows",
        "reviewed 2.0: passed",
        "closed 2: stands",
        "explained",
        "answered, needs_review",
    ]);
    case.ended(0, "answered", 2, 2);
    assert_eq!(case.run["sql"], CUT);
    let reasons = case.reasons();
    assert!(reasons.contains("integer division"), "{reasons}");
    assert!(reasons.contains("A retry (attempt 2) was set aside"), "{reasons}");
}

/// S1-009: a retry that doesn't even bind never replaces what runs.
#[test]
fn a_retry_that_fails_leaves_the_former_answer() {
    let case = told(&[CUT, "SELECT share FROM nowhere"], RESERVO, SHARE, &[]);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: integer_division",
        "ran 1.0: 1 rows",
        "reviewed 1.0: passed",
        "closed 1: stands",
        "package",
        "drafted 2 by model, for a gate",
        "checked 2.0: no_such_table at bind",
        "abstained 2.0",
        "closed 2: failed at bind",
        "explained",
        "answered, needs_review",
    ]);
    case.ended(0, "answered", 2, 2);
    assert_eq!(case.run["sql"], CUT);
    let reasons = case.reasons();
    assert!(reasons.contains("table 'nowhere' doesn't exist"), "{reasons}");
}

/// S1-009: a retry that trades one fault for two is no better.
#[test]
fn a_retry_with_more_findings_than_before_is_set_aside() {
    let worse = "SELECT COUNT(CASE WHEN status = 'canceled' THEN 1 END) / COUNT(*) AS share \
                 FROM bookings";
    let case = told(&[CUT, worse], RESERVO, SHARE, &[]);
    assert!(findings(&case, 1).len() > findings(&case, 0).len(), "{:?}", findings(&case, 1));
    assert_eq!(case.run["sql"], CUT);
    assert_eq!(case.run["trust"], "needs_review");
}

/// S1-010: no attempt, no call and no model left: the doubt is told, and nothing loops.
#[test]
fn where_budgets_end_the_answer_needs_review_and_says_why() {
    let ends: [(&[&str], usize, u64); 3] = [
        (&["--max-attempts", "1"], 1, 1),
        (&["--max-calls", "1"], 1, 1),
        (&["--repair", "none"], 1, 1),
    ];
    for (more, attempts, calls) in ends {
        let case = told(&[CUT, WHOLE], RESERVO, SHARE, more);
        case.ended(0, "answered", attempts, calls);
        assert_eq!(case.run["trust"], "needs_review", "{more:?}");
        assert!(case.reasons().contains("integer division"), "{}", case.reasons());
    }
}

/// S1-010: a model that has no reply for the retry leaves the answer standing, and that is told.
#[test]
fn a_retry_that_can_not_be_drafted_is_told_and_the_answer_stays() {
    let case = told(&[CUT], RESERVO, SHARE, &[]);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: integer_division",
        "ran 1.0: 1 rows",
        "reviewed 1.0: passed",
        "closed 1: stands",
        "package",
        "failed: model at model",
        "explained",
        "answered, needs_review",
    ]);
    assert!(case.reasons().contains("A retry could not be drafted"), "{}", case.reasons());
}

const TOP: &str = "Who are the top 3 customers by the amount they paid?";
const STORY: &str = "The column customer_name was not recognized. I updated the query to use the \
                     names that exist, sorry for the confusion.";

/// S1-011, S1-012, S1-013: the ranking is shown; how it came about is the trace's own.
#[test]
fn a_top_customers_question_never_shows_the_repair_story() {
    let right = "SELECT c.first_name, c.last_name, SUM(p.amount) AS paid FROM payment AS p \
                 JOIN customer AS c ON c.customer_id = p.customer_id \
                 GROUP BY c.customer_id ORDER BY paid DESC LIMIT 3";
    let replies = [
        "SELECT customer_name, SUM(amount) AS paid FROM payment GROUP BY customer_name \
         ORDER BY paid DESC LIMIT 3",
        &format!("{STORY}\n\n```sql\n{right}\n```\n\nThis fixes the error."),
    ];
    let case = told(&replies, RENTALS, TOP, &["--repair", "model"]);
    case.ended(0, "answered", 2, 2);
    assert_eq!(case.run["row_count"], 3);
    assert_eq!(case.run["sql"], right);
    let note = &case.transcript.attempts[1].repair_note;
    assert!(note.contains("was not recognized"), "the trace keeps it: {note}");
    let answer = case.answer_text();
    let rows = case.transcript.chosen().unwrap().1.rows.clone().unwrap();
    assert!(answer.contains(&rows.rows[0][1].plain()), "data first: {answer}");
    for told in ["not recognized", "customer_name", "confusion", "fixes", "I updated", "sorry"] {
        assert!(!answer.to_lowercase().contains(&told.to_lowercase()), "{told}: {answer}");
    }
}

/// S1-011 for structured replies: prose in any key but the SQL's stays out as well.
#[test]
fn prose_in_a_structured_reply_stays_in_the_trace() {
    let right = "SELECT COUNT(*) AS n FROM bookings";
    let reply = serde_json::json!({"explanation": STORY, "sql": right}).to_string();
    let replies = ["SELECT COUNT(*) AS n FROM reservations", reply.as_str()];
    let case = told(&replies, RESERVO, "How many bookings are there?", &["--repair", "model"]);
    case.ended(0, "answered", 2, 2);
    assert!(!case.answer_text().contains("not recognized"));
    assert_eq!(case.run["rows"], serde_json::json!([[23]]));
}

/// S1-016, S1-022: wrong but runnable SQL is flagged by its shape, and the hint says what to do.
#[test]
fn many_rows_for_one_value_are_flagged_and_aggregated_to_one() {
    let replies = [
        "SELECT SUM(price_cents) AS revenue FROM bookings WHERE status = 'confirmed' GROUP BY id",
        "SELECT SUM(price_cents) AS revenue FROM bookings WHERE status = 'confirmed'",
    ];
    let case = told(&replies, RESERVO, REVENUE, &[]);
    case.ended(0, "answered", 2, 2);
    assert!(findings(&case, 0).contains(&"answer_shape".to_owned()), "{:?}", findings(&case, 0));
    assert!(case.last_words(1).contains("Aggregate to one row"), "{}", case.last_words(1));
    assert_eq!(case.run["rows"], serde_json::json!([[211_900]]));
}

/// S1-016, S1-026: a join that counts a booking once for each of its payments is flagged with the
/// factor on the data, and the retry that doesn't replaces it.
#[test]
fn a_fan_out_is_flagged_with_its_factor_and_mended_by_one_retry() {
    let replies = [
        "SELECT SUM(b.price_cents) AS revenue FROM bookings AS b JOIN payments AS p \
         ON p.booking_id = b.id WHERE b.status = 'confirmed'",
        "SELECT SUM(price_cents) AS revenue FROM bookings WHERE status = 'confirmed'",
    ];
    let case = told(&replies, RESERVO, REVENUE, &[]);
    case.ended(0, "answered", 2, 2);
    let found = &case.transcript.attempts[0].last().findings;
    let fan_out = found.iter().find(|f| f.gate == "fan_out").unwrap();
    assert!(fan_out.evidence.contains("times"), "{}", fan_out.evidence);
    assert!(case.last_words(1).contains(fan_out.hint.as_deref().unwrap()));
    assert_eq!(case.run["rows"], serde_json::json!([[211_900]]));
}

/// S1-014, S1-015, S1-016: where nothing in the database fits what the model writes, no repair
/// helps: the route changes once, from drafting to asking back with choices.
#[test]
fn what_can_not_be_grounded_is_escalated_to_asking_back() {
    let replies = [
        "SELECT COUNT(*) AS n FROM vouchers",
        "SELECT COUNT(*) AS n FROM gift_cards",
        "SELECT COUNT(*) AS n FROM coupons",
    ];
    let case = told(&replies, RESERVO, "How many vouchers did members pay with?", &[]);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: no_such_table at bind",
        "abstained 1.0",
        "closed 1: failed at bind",
        "package",
        "drafted 2 by model",
        "checked 2.0: no_such_table at bind",
        "abstained 2.0",
        "closed 2: failed at bind",
        "package",
        "drafted 3 by model",
        "checked 3.0: no_such_table at bind",
        "abstained 3.0",
        "closed 3: failed at bind",
        "escalated: from drafting to asking back: nothing in the database is called 'vouchers'",
        "clarify",
    ]);
    case.ended(1, "clarify", 3, 3);
    let choices = case.run["clarify"]["choices"].as_array().unwrap();
    assert!((2..=4).contains(&choices.len()), "{choices:?}");
    for choice in choices {
        let choice = choice.as_str().unwrap();
        assert!(choice.starts_with("How many ") && !choice.contains("vouchers"), "{choice}");
    }
}

/// S1-015: a name that has a close one is no reason to change the route.
#[test]
fn what_could_be_grounded_is_given_up_and_not_escalated() {
    let replies = ["SELECT SUM(price) FROM bookings", "SELECT SUM(prices) FROM bookings"];
    let more = ["--repair", "model", "--max-attempts", "2"];
    let case = told(&replies, RESERVO, "How many vouchers did members pay with?", &more);
    case.ended(1, "gave_up", 2, 2);
    assert!(case.transcript.escalations.is_empty());
}

/// S1-023: nothing that merely ran is certified, however often it is asked.
#[test]
fn a_machine_never_certifies_its_own_work() {
    let sql = "SELECT SUM(price_cents) AS revenue FROM bookings WHERE status = 'confirmed'";
    let case = told(&[sql], RESERVO, REVENUE, &[]);
    assert_eq!(case.run["trust"], "grounded");
}
