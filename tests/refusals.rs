//! A repair that was refused: the run begins where it was made, and the model goes on from there.

use std::sync::Arc;

use querent::config::Config;
use querent::domain::{
    Event, Happened, Origin, Question, Refusal, Repair, RunId, Status, StopCode, Transcript,
};
use querent::pipeline::{Session, Setup, Told};
use querent::record::lines;

const CONFIRMED: &str = "How much did we bring in with confirmed bookings?";

async fn ran(model: &str, question: Question) -> Transcript {
    let setup = Setup {
        database: Some("demo:reservo".into()),
        model: Some(model.into()),
        config: Arc::new(Config::default()),
        ..Setup::default()
    };
    let session = Arc::new(Session::open(setup).await.expect("the demo opens"));
    let mut run = session.start(question);
    let mut events: Vec<Event> = Vec::new();
    while let Some(told) = run.told.recv().await {
        if let Told::Event(event) = told {
            // what is stored says the same
            let line = lines::write(&event).expect("it is written");
            assert_eq!(lines::read(&line).expect("it is read"), *event);
            events.push(*event);
        }
    }
    Transcript::of(&events)
}

fn asked() -> Question {
    Question { text: CONFIRMED.into(), ..Question::default() }
}

/// The question again, without the repair that a finished run made.
fn without_the_repair_of(run: &Transcript) -> Question {
    let attempt = &run.attempts[0];
    let repair = attempt.versions[1].repair.clone().expect("it was mended");
    let sql = attempt.versions[0].sql.clone();
    let refusal = Refusal { run: run.run.clone(), attempt: 1, version: 1, sql, repair };
    Question { parent: Some(run.run.clone()), refused: vec![refusal], ..asked() }
}

#[tokio::test]
async fn the_model_is_told_the_error_and_what_was_refused_and_the_repair_is_not_made_again() {
    let first = ran("script:case-a", asked()).await;
    assert_eq!((first.attempts.len(), first.calls().count()), (1, 1), "it was mended here");
    let run = ran("script:case-a", without_the_repair_of(&first)).await;
    let origins: Vec<(Origin, usize)> =
        run.attempts.iter().map(|a| (a.origin, a.versions.len())).collect();
    assert_eq!(origins, [(Origin::Model, 1), (Origin::Model, 1)], "nothing was mended here");
    assert_eq!(run.attempts[0].drafted_sql, first.attempts[0].drafted_sql);
    assert_eq!(run.advice, [(1, 0, "you refused price → price_cents".to_owned())]);
    assert_eq!(run.calls().count(), 1, "the draft it begins with is no call of its own");
    let call = run.calls().next().expect("one call");
    let (_, told) = call.messages.last().expect("a message");
    assert!(told.contains("column 'price' doesn't exist in bookings"), "{told}");
    assert!(told.contains("refused to have price replaced by price_cents"), "{told}");
    let answer = run.answer.as_ref().expect("it ended");
    assert_eq!((answer.status, answer.chosen), (Status::Answered, Some((2, 0))));
}

#[tokio::test]
async fn the_refusal_is_a_fact_of_the_stored_run() {
    let first = ran("script:case-a", asked()).await;
    let run = ran("script:case-a", without_the_repair_of(&first)).await;
    let refused = &run.question.refused[0];
    assert_eq!((&refused.run, refused.attempt, refused.version), (&first.run, 1, 1));
    assert_eq!(refused.repair.kind, "unknown_name");
    // a run without refusals is written as before
    let line = lines::write(&Event {
        run: RunId("r".into()),
        at_us: 0,
        happened: Happened::Asked {
            question: Box::new(asked()),
            database: String::new(),
            place: String::new(),
            engine: String::new(),
            model: String::new(),
            scripted: false,
            knowledge: String::new(),
        },
    });
    assert!(!line.expect("it is written").contains("refused"));
}

#[tokio::test]
async fn another_repair_of_the_same_run_may_still_be_made() {
    let other = Repair {
        kind: "unknown_name".into(),
        from: "state".into(),
        to: "status".into(),
        evidence: "a close name".into(),
    };
    let sql = "SELECT SUM(price) AS revenue FROM bookings WHERE status = 'confirmed'".to_owned();
    let refusal = Refusal { run: RunId("r".into()), attempt: 1, version: 1, sql, repair: other };
    let run = ran("script:case-a", Question { refused: vec![refusal], ..asked() }).await;
    assert_eq!((run.attempts.len(), run.calls().count()), (1, 0));
    assert_eq!(run.attempts[0].versions.len(), 2);
}

#[tokio::test]
async fn without_a_second_attempt_it_ends_with_the_error() {
    let first = ran("script:case-a", asked()).await;
    let mut question = without_the_repair_of(&first);
    question.options.max_attempts = 1;
    let run = ran("script:case-a", question).await;
    let answer = run.answer.expect("it ended");
    assert_eq!(answer.stop.expect("it stopped").code, StopCode::Budget);
}
