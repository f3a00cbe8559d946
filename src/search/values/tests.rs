//! What is found among stored values, and that a list taken anew is found as if built anew.

use super::*;
use crate::domain::{LinkTarget, Match, Reach};

fn list(table: &str, column: &str, values: &[&str], complete: bool) -> ValueList {
    ValueList {
        at: ColumnRef::new(table, column),
        values: values.iter().map(|v| (*v).to_owned()).collect(),
        complete,
        reach: Reach::default(),
    }
}

fn lists() -> Vec<ValueList> {
    vec![
        list("bookings", "status", &["Cancelled", "confirmed"], true),
        list("rooms", "name", &["Aurora", "Room 7", "Room Twelve", "The Blue Hall"], true),
        list("rooms", "opened", &["01/05/2014", "25/12/2015"], true),
        list("members", "gender", &["f", "m"], true),
    ]
}

/// Writes what a phrase is found as: `table.column=stored how`.
fn told(hits: &[crate::search::Hit]) -> Vec<String> {
    let one = |hit: &crate::search::Hit| {
        let LinkTarget::Value { column, stored } = &hit.target else { return None };
        Some(format!("{column}={stored} {:?}", hit.how))
    };
    hits.iter().filter_map(one).collect()
}

fn whole(values: &Values, phrase: &str) -> Vec<String> {
    told(&values.whole(&tokenise(phrase)))
}

fn near(values: &Values, phrase: &str) -> Vec<String> {
    told(&values.near(&tokenise(phrase)))
}

#[test]
fn a_value_is_found_by_its_text_its_words_and_its_stems() {
    let values = Values::new(&lists());
    assert_eq!(whole(&values, "confirmed"), ["bookings.status=confirmed Exact"]);
    assert_eq!(whole(&values, "cancelled"), ["bookings.status=Cancelled Case"]);
    assert_eq!(whole(&values, "confirm"), ["bookings.status=confirmed Stem"]);
    assert_eq!(whole(&values, "\"the blue hall\""), ["rooms.name=The Blue Hall Case"]);
    assert_eq!(whole(&values, "unheard"), Vec::<String>::new());
}

#[test]
fn a_value_is_found_by_a_part_a_slip_and_number_words() {
    let values = Values::new(&lists());
    assert_eq!(near(&values, "Blue"), ["rooms.name=The Blue Hall Part"]);
    assert_eq!(near(&values, "Auroar"), ["rooms.name=Aurora Typo"]);
    assert_eq!(whole(&values, "room seven"), ["rooms.name=Room 7 Stem"]);
    assert_eq!(whole(&values, "room 12"), ["rooms.name=Room Twelve Stem"]);
}

#[test]
fn a_day_is_found_in_the_form_of_its_column() {
    let values = Values::new(&lists());
    let first_of_may = ["rooms.opened=01/05/2014 Synonym"];
    assert_eq!(whole(&values, "1 May 2014"), first_of_may);
    assert_eq!(whole(&values, "2014-05-01"), first_of_may);
    assert_eq!(whole(&values, "May 1st 2014"), first_of_may);
    assert_eq!(whole(&values, "01/05/2014"), ["rooms.opened=01/05/2014 Exact"]);
    assert_eq!(whole(&values, "05/01/2014"), Vec::<String>::new(), "the column has the day first");
}

#[test]
fn a_code_is_found_by_the_word_for_it() {
    let values = Values::new(&lists());
    assert_eq!(whole(&values, "women"), ["members.gender=f Synonym"]);
}

#[test]
fn a_list_taken_anew_is_found_as_if_all_were_built_anew() {
    let mut values = Values::new(&lists());
    let mut newer = lists();
    newer[1] = list("rooms", "name", &["Borealis", "Room 7"], true);
    newer.remove(3);
    newer.insert(0, list("areas", "name", &["Aurora"], true));
    values.renew(&newer);
    let built = Values::new(&newer);
    for phrase in ["confirmed", "Aurora", "Borealis", "room 7", "women", "1 May 2014", "Boreali"] {
        assert_eq!(whole(&values, phrase), whole(&built, phrase), "{phrase}");
        assert_eq!(near(&values, phrase), near(&built, phrase), "near {phrase}");
    }
    values.renew(&[]);
    assert!(values.by_stems.is_empty() && values.by_part.is_empty() && values.by_day.is_empty());
    assert!(values.words.values().all(Vec::is_empty) && values.coded.is_empty());
}

#[test]
fn a_common_word_is_a_weak_sign_among_many_titles_or_in_a_cut_list() {
    let titles: Vec<String> =
        (0..100).map(|n| format!("Title {n}")).chain(["Open".into()]).collect();
    let of = |complete| {
        let mut all = list("films", "title", &[], complete);
        all.values = titles.clone().into();
        Values::new(&[all]).whole(&tokenise("open"))[0].score
    };
    assert!(of(true) < 0.5 && of(false) < 0.5);
    let few = Values::new(&[list("t", "status", &["Open"], false)]).whole(&tokenise("open"));
    assert_eq!((few[0].how, few[0].score), (Match::Case, 0.93));
}
