//! What single sentences become: one for each kind of wording that the rules promise.

use querent::domain::Question;
use querent::intake::understand;
use querent::plan::compile::compile;
use querent::plan::rules::{Ruled, draw};

use crate::library;

fn draft(text: &str) -> Result<String, String> {
    let facts = library::facts();
    let question = Question { text: text.to_owned(), ..Question::default() };
    let understanding = understand(&question, &facts);
    match draw(&question, &understanding, &facts) {
        Ruled::Plan(plan, _) => Ok(compile(&plan, &facts.catalog).unwrap()),
        Ruled::Declined { reason, .. } => Err(reason),
    }
}

#[track_caller]
fn check(text: &str, sql: &str) {
    assert_eq!(draft(text).as_deref(), Ok(sql), "{text}");
}

#[test]
fn columns_come_in_the_order_asked() {
    check("Show the price and title of all books.", "SELECT price, title FROM books");
    check("List all information about members", "SELECT * FROM members");
    check("What are the different genres of books?", "SELECT DISTINCT genre FROM books");
    check(
        "What are the first and last names of members?",
        "SELECT first_name, last_name FROM members",
    );
}

#[test]
fn counts_and_aggregates() {
    check("How many books are there?", "SELECT COUNT(*) FROM books");
    check("How many different genres do books have?", "SELECT COUNT(DISTINCT genre) FROM books");
    check(
        "What is the average, minimum and maximum price of poetry books?",
        "SELECT AVG(price), MIN(price), MAX(price) FROM books WHERE genre = 'poetry'",
    );
}

#[test]
fn a_total_of_rows_that_have_one_is_added_not_counted() {
    check("What is the total of all invoices?", "SELECT SUM(total) FROM invoices");
    check(
        "What is the invoice total for Brazil?",
        "SELECT SUM(total) FROM invoices WHERE billing_country = 'Brazil'",
    );
    check("What is the total number of invoices?", "SELECT COUNT(*) FROM invoices");
}

#[test]
fn a_month_is_not_read_as_a_first_name() {
    for text in ["How many loans were made in July?", "How many loans were made in July 2005?"] {
        let sql = draft(text).unwrap_or_default();
        assert!(!sql.contains("JULIE"), "{text}: {sql}");
    }
}

#[test]
fn conditions() {
    check("Titles of books with more than 300 pages", "SELECT title FROM books WHERE pages > 300");
    check(
        "What are the titles of books published between 1990 and 2000?",
        "SELECT title FROM books WHERE year BETWEEN 1990 AND 2000",
    );
    check(
        "List the titles of books from 1999 or later.",
        "SELECT title FROM books WHERE year >= 1999",
    );
    check(
        "Names of authors who are not from Japan",
        "SELECT name FROM authors WHERE country <> 'Japan'",
    );
    check(
        "Find the names of authors from Kenya or France.",
        "SELECT name FROM authors WHERE country IN ('Kenya', 'France')",
    );
    check(
        "What are the titles of books whose price is above the average?",
        "SELECT title FROM books WHERE price > (SELECT AVG(price) FROM books)",
    );
    check(
        "What is the age of 'Ann Lee'?",
        "SELECT age FROM members WHERE first_name = 'Ann' AND last_name = 'Lee'",
    );
    check(
        "How many French authors are there?",
        "SELECT COUNT(*) FROM authors WHERE country = 'France'",
    );
}

#[test]
fn order_and_extremes() {
    check(
        "List the titles of books sorted by price in descending order.",
        "SELECT title FROM books ORDER BY price DESC",
    );
    check(
        "What is the title of the most expensive book?",
        "SELECT title FROM books ORDER BY price DESC LIMIT 1",
    );
    check(
        "Return the last names of the 3 youngest members.",
        "SELECT last_name FROM members ORDER BY age LIMIT 3",
    );
    check(
        "What is the most common genre?",
        "SELECT genre FROM books GROUP BY genre ORDER BY COUNT(*) DESC LIMIT 1",
    );
}

#[test]
fn groups_have_the_grain_of_the_question() {
    check(
        "How many books are there for each genre?",
        "SELECT genre, COUNT(*) FROM books GROUP BY genre",
    );
    check(
        "For each author, how many books are there?",
        "SELECT T2.name, COUNT(*) FROM books AS T1 JOIN authors AS T2 \
         ON T1.author_id = T2.author_id GROUP BY T2.author_id",
    );
    check(
        "Which authors wrote more than 2 books?",
        "SELECT T1.name FROM authors AS T1 JOIN books AS T2 ON T1.author_id = T2.author_id \
         GROUP BY T1.author_id HAVING COUNT(*) > 2",
    );
    check(
        "Which author has the most books?",
        "SELECT T1.name FROM authors AS T1 JOIN books AS T2 ON T1.author_id = T2.author_id \
         GROUP BY T1.author_id ORDER BY COUNT(*) DESC LIMIT 1",
    );
}

#[test]
fn rows_without_partners_and_sets() {
    check(
        "Titles of books without loans",
        "SELECT title FROM books WHERE book_id NOT IN (SELECT book_id FROM loans)",
    );
    check(
        "Names of authors who have not written any poetry",
        "SELECT name FROM authors WHERE author_id NOT IN \
         (SELECT author_id FROM books WHERE genre = 'poetry')",
    );
    check(
        "Names of authors who wrote both poetry and crime books",
        "SELECT T1.name FROM authors AS T1 JOIN books AS T2 ON T1.author_id = T2.author_id \
         WHERE T2.genre = 'poetry' INTERSECT SELECT S1.name FROM authors AS S1 JOIN books AS S2 \
         ON S1.author_id = S2.author_id WHERE S2.genre = 'crime'",
    );
}

#[test]
fn joins_follow_the_keys_and_repeat_no_row() {
    check(
        "What are the titles of books borrowed by members from Oslo?",
        "SELECT DISTINCT T1.title FROM books AS T1 JOIN loans AS T2 ON T1.book_id = T2.book_id \
         JOIN members AS T3 ON T2.member_id = T3.member_id WHERE T3.city = 'Oslo'",
    );
    check(
        "How many members have loans?",
        "SELECT COUNT(DISTINCT T1.member_id) FROM members AS T1 JOIN loans AS T2 \
         ON T1.member_id = T2.member_id",
    );
}

#[test]
fn an_approved_metric_is_compiled_from_its_formula() {
    check("What are the unpaid fines?", "SELECT SUM(loans.fine) AS unpaid_fines FROM loans");
    check(
        "What is the money owed for each city?",
        "SELECT T2.city, SUM(T1.fine) AS unpaid_fines FROM loans AS T1 JOIN members AS T2 \
         ON T1.member_id = T2.member_id GROUP BY T2.city",
    );
}

#[test]
fn what_no_rule_explains_is_declined_with_the_words() {
    let reason = draft("Which books smell of lavender?").unwrap_err();
    assert!(reason.contains("lavender"), "{reason}");
    assert!(draft("What is the weather like?").is_err());
    assert!(draft("").is_err());
    assert!(draft("'\u{0}' ((( \u{1b}[2J 99999999999999999999 of of of").is_err());
}

#[test]
fn the_same_question_gives_the_same_plan() {
    let text = "How many books are there for each genre?";
    assert_eq!(draft(text), draft(text));
}

#[test]
fn what_a_question_says_is_in_the_plan_or_it_is_declined() {
    check(
        "Which books have never been loaned?",
        "SELECT title FROM books WHERE book_id NOT IN (SELECT book_id FROM loans)",
    );
    check(
        "Which genre has the most pages?",
        "SELECT genre FROM books GROUP BY genre ORDER BY SUM(pages) DESC LIMIT 1",
    );
    check("Which book has the most pages?", "SELECT title FROM books ORDER BY pages DESC LIMIT 1");
    check(
        "Average price by genre and year",
        "SELECT genre, year, AVG(price) FROM books GROUP BY genre, year",
    );
    for dropped in [
        "How many books were stolen?",
        "How many books were damaged?",
        "How many members have not danced?",
        "How much did members from each city pay?",
    ] {
        assert!(draft(dropped).is_err(), "{dropped}: {:?}", draft(dropped));
    }
}

#[test]
fn what_a_stored_code_means_finds_it() {
    check("How many books are in stock?", "SELECT COUNT(*) FROM books WHERE state = 'S'");
    check("How many lost books are there?", "SELECT COUNT(*) FROM books WHERE state = 'L'");
}

#[test]
fn people_who_live_somewhere_are_added_up() {
    let mut facts = library::facts();
    let mut catalog = (*facts.catalog).clone();
    let mut towns = catalog.tables[0].clone();
    towns.name = "towns".to_owned();
    let last = towns.columns.len() - 1;
    towns.columns[last].name = "population".to_owned();
    towns.columns[last].kind = querent::domain::ColumnKind::Integer;
    catalog.tables.push(towns);
    facts.catalog = std::sync::Arc::new(catalog);
    let drafted = |text: &str| {
        let question = Question { text: text.to_owned(), ..Question::default() };
        let understanding = understand(&question, &facts);
        match draw(&question, &understanding, &facts) {
            Ruled::Plan(plan, _) => compile(&plan, &facts.catalog).unwrap(),
            Ruled::Declined { reason, .. } => reason,
        }
    };
    let added = "SELECT SUM(population) FROM towns";
    assert_eq!(drafted("How many people live in towns?"), added);
    assert_eq!(drafted("How many towns are there?"), "SELECT COUNT(*) FROM towns");
}

#[test]
fn who_must_have_no_partner_needs_none_elsewhere() {
    check(
        "What are the first names of members who do not have any loans?",
        "SELECT first_name FROM members WHERE member_id NOT IN (SELECT member_id FROM loans)",
    );
    check(
        "What are the last names of members who do not have poetry books?",
        "SELECT last_name FROM members WHERE member_id NOT IN (SELECT S1.member_id FROM loans AS S1 JOIN books AS S2 ON S1.book_id = S2.book_id WHERE S2.genre = 'poetry')",
    );
}

#[test]
fn a_number_in_front_of_a_table_describes_its_rows_and_is_no_answer() {
    for text in ["How many active members are there?", "List active members"] {
        let reason = draft(text).expect_err("which number makes a member active isn't said");
        assert!(reason.contains("active"), "{text}: {reason}");
    }
    check("What is the age of each member?", "SELECT age FROM members");
}
