//! The facts about each SELECT that gates and repairs read.

use querent::domain::plan::Comparison;
use querent::domain::{ColumnRef, Value};
use querent::sql::scope::{Clause, JoinKind, Place, Source};

use super::bound;

#[expect(clippy::unnecessary_wraps, reason = "columns of bindings are optional")]
fn at(table: &str, column: &str) -> Option<ColumnRef> {
    Some(ColumnRef::new(table, column))
}

#[test]
fn relations_know_their_table_alias_and_kind_of_join() {
    let binding = bound("SELECT 1 FROM bookings b LEFT JOIN Rooms ON b.room_id = Rooms.id");
    let scope = binding.outer().unwrap();
    assert_eq!(binding.tables, ["bookings", "rooms"]);
    assert_eq!(scope.relations[0].alias.as_deref(), Some("b"));
    assert_eq!(scope.relations[1].source, Source::Table("rooms".into()));
    assert_eq!(scope.relations[1].join, Some(JoinKind::Left));
    assert!(scope.relations[1].optional && !scope.relations[0].optional);
    let pair = &scope.joins[0];
    assert_eq!(pair.columns, (at("bookings", "room_id"), at("rooms", "id")));
    assert_eq!(pair.relations, (0, 1));
}

#[test]
fn an_output_in_many_parentheses_is_all_of_them() {
    let sql = "SELECT (((b.price_cents*2)/100)*3) AS x, ((b.id)) FROM bookings b";
    let binding = bound(sql);
    let outputs: Vec<&str> =
        binding.outer().unwrap().outputs.iter().map(|o| o.span.of(sql)).collect();
    assert_eq!(outputs, ["(((b.price_cents*2)/100)*3)", "((b.id))"]);
}

#[test]
fn joins_written_in_where_or_using_are_joins() {
    let binding =
        bound("SELECT 1 FROM bookings b, rooms r WHERE b.room_id = r.id AND b.status = 'x'");
    assert_eq!(binding.scopes[0].joins[0].clause, Clause::Where);
    let binding = bound("SELECT 1 FROM bookings JOIN payments USING (id)");
    assert_eq!(binding.scopes[0].joins[0].columns, (at("bookings", "id"), at("payments", "id")));
}

#[test]
fn literals_know_what_they_are_compared_with() {
    let sql = "SELECT 1 FROM bookings WHERE status = 'paid' AND 'x' < day AND room_id IN (1, 2) \
               AND member_id BETWEEN 3 AND 4 AND day LIKE '2024%' AND (status = \"new\" OR 1)";
    let binding = bound(sql);
    let told: Vec<_> = binding.scopes[0]
        .literals
        .iter()
        .filter(|literal| literal.column.is_some())
        .map(|literal| (literal.span.of(sql), literal.op, literal.conditional))
        .collect();
    let expected = [
        ("'paid'", Comparison::Equal, false),
        ("'x'", Comparison::Greater, false),
        ("1", Comparison::In, false),
        ("2", Comparison::In, false),
        ("3", Comparison::Between, false),
        ("4", Comparison::Between, false),
        ("'2024%'", Comparison::Like, false),
        ("\"new\"", Comparison::Equal, true),
    ];
    assert_eq!(told, expected);
    let quoted = binding.scopes[0].literals.iter().find(|literal| literal.double_quoted).unwrap();
    assert_eq!(quoted.value, Value::Text("new".into()));
    assert_eq!(quoted.column, at("bookings", "status"));
}

#[test]
fn aggregates_know_argument_and_clause() {
    let sql = "SELECT count(*), SUM(DISTINCT b.price_cents) FROM bookings b GROUP BY status \
               HAVING max(day) > 'x'";
    let binding = bound(sql);
    let scope = &binding.scopes[0];
    let told: Vec<_> =
        scope.aggregates.iter().map(|a| (a.span.of(sql), a.distinct, a.clause)).collect();
    assert_eq!(
        told,
        [
            ("count(*)", false, Clause::Output),
            ("SUM(DISTINCT b.price_cents)", true, Clause::Output),
            ("max(day)", false, Clause::Having),
        ]
    );
    assert_eq!(scope.aggregates[1].column, at("bookings", "price_cents"));
    assert_eq!(scope.group_by[0].at, at("bookings", "status"));
}

#[test]
fn divisions_tell_whole_numbers_from_fractions() {
    let divided = |expr: &str| {
        let sql = format!("SELECT {expr} FROM bookings");
        let binding = bound(&sql);
        let division = binding.scopes[0].divisions[0].clone();
        (division.integer, division.ratio, division.left.of(&sql).to_owned())
    };
    assert_eq!(divided("count(*) / sum(room_id)"), (true, true, "count(*)".to_owned()));
    assert_eq!(divided("price_cents / 100"), (true, false, "price_cents".to_owned()));
    assert_eq!(divided("price_cents / 100.0"), (false, false, "price_cents".to_owned()));
    for fraction in
        ["price_cents * 1.0 / room_id", "CAST(count(*) AS REAL) / 2", "avg(room_id) / 2"]
    {
        assert!(!divided(fraction).0, "{fraction}");
    }
    let ratio = "sum(CASE WHEN status = 'a' THEN 1 ELSE 0 END) / count(*)";
    assert!(divided(ratio).0);
}

#[test]
fn columns_are_followed_through_subqueries() {
    let sql = "WITH w AS (SELECT room_id AS r, count(*) AS n FROM bookings GROUP BY room_id) \
               SELECT r, n, n / 2 FROM w ORDER BY 2 DESC LIMIT 3";
    let binding = bound(sql);
    assert_eq!(binding.outputs[0], ("r".to_owned(), at("bookings", "room_id")));
    assert_eq!(binding.outputs[1], ("n".to_owned(), None));
    let outer = binding.outer().unwrap();
    assert!(outer.divisions[0].integer);
    assert_eq!(outer.place, Place::Outermost);
    assert_eq!((outer.tail.limit, outer.tail.order_by[0].output), (Some(3), Some(1)));
    assert!(outer.tail.order_by[0].descending);
    assert_eq!(binding.scopes[0].place, Place::Cte("w".into()));
}

#[test]
fn correlated_columns_belong_to_the_outer_select() {
    let sql = "SELECT id FROM rooms r WHERE EXISTS (SELECT 1 FROM bookings WHERE room_id = r.id)";
    let binding = bound(sql);
    let outer = binding.columns.iter().find(|used| used.span.of(sql) == "r.id").unwrap();
    assert_eq!((outer.scope, outer.relation), (1, Some((0, 0))));
    assert_eq!(binding.scopes[1].parent, Some(0));
}

#[test]
fn a_join_can_be_added_where_from_ends() {
    let sql = "SELECT b.id FROM (bookings b) WHERE b.id IN (SELECT id FROM payments -- p\n)";
    let binding = bound(sql);
    let edit = querent::sql::rewrite::add_join(&binding.scopes[0], "JOIN rooms ON 1").unwrap();
    let patched = querent::sql::rewrite::apply(sql, &[edit]).unwrap();
    assert!(
        patched.starts_with("SELECT b.id FROM (bookings b) JOIN rooms ON 1 WHERE"),
        "{patched}"
    );
    assert_eq!(binding.scopes[1].from_end.map(|end| &sql[..end][end - 8..]), Some("payments"));
}
