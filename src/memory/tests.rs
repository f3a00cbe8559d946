//! Tests of the remembered runs: over files in temporary folders, and over a server where there is one.

use rusqlite::Connection;

use super::server::tests::Team;
use super::*;
use crate::domain::{
    Answer, Check, Happened, Origin, Question, ResultColumn, Rows, Stage, Trust, Value,
};

fn event(run: &str, at_us: u64, happened: Happened) -> Event {
    Event { run: RunId(run.to_owned()), at_us, happened }
}

fn asked(run: &str, question: &str, sql: Option<&str>) -> Event {
    let question = Question {
        text: question.to_owned(),
        sql: sql.map(str::to_owned),
        asked_at: "2026-11-30T10:00:00+01:00".to_owned(),
        ..Question::default()
    };
    let happened = Happened::Asked {
        question: Box::new(question),
        database: "demo:reservo".to_owned(),
        place: String::new(),
        engine: "sqlite".to_owned(),
        model: "rules".to_owned(),
        scripted: false,
        knowledge: String::new(),
    };
    event(run, 0, happened)
}

fn answered(status: Status, chosen: Option<(u32, usize)>) -> Happened {
    Happened::Answered(Box::new(Answer {
        status,
        stop: None,
        clarify: None,
        trust: chosen.map(|_| Trust::Grounded),
        reasons: Vec::new(),
        assumptions: Vec::new(),
        summary: "23 bookings".to_owned(),
        chosen,
    }))
}

pub(super) fn run_of(run: &str, question: &str, sql: Option<&str>, status: Status) -> Vec<Event> {
    let drafted = Happened::Drafted {
        attempt: 1,
        origin: Origin::Rules,
        sql: "SELECT COUNT(*) FROM bookings".to_owned(),
        note: String::new(),
        calls: Vec::new(),
        semantic_retry: false,
    };
    let checked = Happened::Checked {
        attempt: 1,
        version: 0,
        checks: vec![Check { stage: Stage::Parse, ok: true, elapsed_us: 7 }],
        analysed: true,
        findings: Vec::new(),
        failure: None,
    };
    let rows = Rows {
        columns: vec![ResultColumn {
            name: "n".to_owned(),
            data_type: "integer".to_owned(),
            origin: None,
            unit: None,
        }],
        rows: vec![vec![Value::Integer(23)], vec![Value::Blob(vec![0, 255])]],
        row_count: 2,
        ..Rows::default()
    };
    let ran = Happened::Ran { attempt: 1, version: 0, rows, elapsed_us: 90 };
    let chosen = (status == Status::Answered).then_some((1, 0));
    vec![
        asked(run, question, sql),
        event(run, 10, drafted),
        event(run, 20, checked),
        event(run, 30, ran),
        event(run, 40, answered(status, chosen)),
    ]
}

fn opened() -> (tempfile::TempDir, Memory) {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memory::open(&folder.path().join("deep/er/memory.sqlite")).unwrap();
    (folder, memory)
}

/// Holds both stores to the same.
fn over_both(test: impl Fn(&Memory)) {
    let (_folder, memory) = opened();
    test(&memory);
    if let Some(team) = Team::new() {
        test(&team.memory("ada"));
    }
}

fn sentence<T: std::fmt::Debug>(result: Result<T, MemoryError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_stored_run_comes_back_event_for_event() {
    over_both(|memory| {
        let events = run_of("0190-a", "How many bookings?", None, Status::Answered);
        memory.store(&events).unwrap();
        assert_eq!(memory.load("0190-a").unwrap(), events);
        assert_eq!(memory.load("01").unwrap(), events);
        assert_eq!(memory.load("last").unwrap(), events);
    });
}

#[test]
fn a_start_of_several_ids_is_refused_and_a_whole_id_wins() {
    over_both(|memory| {
        for run in ["aa", "aab", "aac"] {
            memory.store(&run_of(run, "q", None, Status::Answered)).unwrap();
        }
        assert!(sentence(memory.load("a")).contains("several runs"));
        assert!(memory.load("aa").is_ok());
        assert_eq!(sentence(memory.load("b")), "no run b is stored");
        assert_eq!(sentence(memory.load("")), "no run  is stored");
        assert_eq!(sentence(memory.load("%")), "no run % is stored");
    });
}

#[test]
fn the_list_is_newest_first_and_narrows_to_a_database() {
    over_both(|memory| {
        memory.store(&run_of("1", "first", None, Status::Answered)).unwrap();
        memory.store(&run_of("2", "", Some("SELECT 1"), Status::GaveUp)).unwrap();
        let runs = memory.list(None, 10).unwrap();
        let told: Vec<_> = runs.iter().map(|r| (r.question.as_str(), r.status.as_str())).collect();
        assert_eq!(told, [("SELECT 1", "gave_up"), ("first", "answered")]);
        assert_eq!(memory.list(Some("demo:reservo"), 1).unwrap().len(), 1);
        assert!(memory.list(Some("other"), 10).unwrap().is_empty());
    });
}

#[test]
fn a_verified_pair_is_listed_until_it_is_withdrawn() {
    over_both(|memory| {
        memory.store(&run_of("1", "How many bookings?", None, Status::Answered)).unwrap();
        assert!(memory.verified("demo:reservo").unwrap().is_empty());
        memory.verify("1", "Ada", "2026-11-30").unwrap();
        let pairs = memory.verified("demo:reservo").unwrap();
        assert_eq!(pairs.len(), 1);
        assert_eq!(pairs[0].question, "How many bookings?");
        assert_eq!(pairs[0].sql, "SELECT COUNT(*) FROM bookings");
        assert_eq!(pairs[0].verified_by, "Ada");
        assert!(memory.verified("other").unwrap().is_empty());
        memory.withdraw("1").unwrap();
        assert!(memory.verified("demo:reservo").unwrap().is_empty());
        assert!(sentence(memory.withdraw("1")).contains("not verified"));
    });
}

#[test]
fn only_an_answered_question_can_be_verified() {
    over_both(|memory| {
        memory.store(&run_of("gave", "q", None, Status::GaveUp)).unwrap();
        memory.store(&run_of("sql", "", Some("SELECT 1"), Status::Answered)).unwrap();
        assert!(sentence(memory.verify("gave", "Ada", "")).contains("ended as gave_up"));
        assert!(sentence(memory.verify("sql", "Ada", "")).contains("no question"));
        assert!(sentence(memory.verify("sql", " ", "")).contains("name of a person"));
    });
}

#[test]
fn a_rating_survives_storing_again_and_can_be_taken_back() {
    over_both(|memory| {
        let events = run_of("1", "q", None, Status::Answered);
        memory.store(&events).unwrap();
        memory.rate("last", Some(true)).unwrap();
        memory.store(&events).unwrap();
        assert_eq!(memory.list(None, 1).unwrap()[0].rating, "+");
        memory.rate("1", Some(false)).unwrap();
        assert_eq!(memory.list(None, 1).unwrap()[0].rating, "-");
        memory.rate("1", None).unwrap();
        assert_eq!(memory.list(None, 1).unwrap()[0].rating, "");
    });
}

#[test]
fn two_querents_write_the_same_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.sqlite");
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let path = &path;
            scope.spawn(move || {
                let memory = Memory::open(path).unwrap();
                for n in 0..20 {
                    let run = format!("{writer}-{n:02}");
                    memory.store(&run_of(&run, "q", None, Status::Answered)).unwrap();
                }
            });
        }
    });
    assert_eq!(Memory::open(&path).unwrap().list(None, 100).unwrap().len(), 40);
}

#[test]
fn a_file_that_is_no_memory_is_named_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.sqlite");
    std::fs::write(&path, "this is a letter to my aunt, and it is long enough ".repeat(40))
        .unwrap();
    let told = sentence(Memory::open(&path));
    assert!(told.contains("memory.sqlite can't be used: it is no Querent memory file"), "{told}");
    let told = sentence(Memory::open(folder.path()));
    assert!(told.contains("it is a folder"), "{told}");
    let told = sentence(Memory::open(&path.join("below/memory.sqlite")));
    assert!(told.contains("can't be made"), "{told}");
}

#[test]
fn a_file_of_a_newer_querent_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.sqlite");
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(sentence(Memory::open(&path)).contains("newer Querent"));
}

#[test]
fn a_damaged_event_is_named_with_its_run() {
    over_both(|memory| {
        memory.store(&run_of("1", "q", None, Status::Answered)).unwrap();
        memory.change("UPDATE events SET line = '{' WHERE run = $1 AND n = 2", &["1"]).unwrap();
        let told = sentence(memory.load("1"));
        assert!(told.starts_with("run 1 can't be read: line is no event"), "{told}");
    });
}

#[test]
fn a_long_run_and_odd_signs_come_back_as_they_were() {
    over_both(|memory| {
        let mut events = run_of("1", "naïve 'quoted' \\ 数\u{0}", None, Status::Answered);
        let many = events[2].clone();
        events.splice(2..2, std::iter::repeat_n(many, EVENTS_AT_ONCE + 7));
        memory.store(&events).unwrap();
        let lines = |events: &[Event]| -> Vec<String> {
            events.iter().map(|event| lines::write(event).unwrap()).collect()
        };
        assert_eq!(lines(&memory.load("1").unwrap()), lines(&events));
        memory.store(&events[..3]).unwrap();
        assert_eq!(memory.load("1").unwrap().len(), 3, "the former events are gone");
    });
}

#[test]
fn a_file_that_a_newer_querent_changed_meanwhile_takes_no_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.sqlite");
    let memory = Memory::open(&path).unwrap();
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let told = sentence(memory.store(&run_of("1", "q", None, Status::Answered)));
    assert!(told.contains("newer Querent (tables version 99"), "{told}");
}

#[cfg(unix)]
#[test]
fn the_file_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, _memory) = opened();
    let file = folder.path().join("deep/er/memory.sqlite");
    assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn rows_are_left_out_where_only_counts_or_nothing_is_stored() {
    let events = run_of("1", "q", None, Status::Answered);
    let stored = |store| {
        let stripped: Vec<Event> = events.iter().map(|e| strip(e.clone(), store)).collect();
        let run = Transcript::of(&stripped);
        run.attempts[0].versions[0].rows.clone().unwrap()
    };
    assert_eq!((stored(Store::Rows).rows.len(), stored(Store::Rows).row_count), (2, 2));
    let counts = stored(Store::Counts);
    assert_eq!((counts.rows.len(), counts.row_count, counts.truncated), (0, 2, true));
    let nothing = stored(Store::Nothing);
    assert_eq!((nothing.rows.len(), nothing.row_count, nothing.truncated), (0, 2, true));
    assert_eq!(nothing.columns.len(), 1);
}
