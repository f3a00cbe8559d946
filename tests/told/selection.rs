//! Words choose kinds and components whole, never by a part of them (S0-047).

use std::sync::Arc;

use querent::context::{Request, assemble};
use querent::domain::package::Form;
use querent::domain::{
    Catalog, Column, ColumnRef, ColumnStats, ComponentKind, ContextPackage, Example, Facts,
    Knowledge, Question, QuestionKind, Table, Value,
};
use querent::intake;
use querent::joins::Graph;

/// A table of films and one of halls, with everything that the eight components could tell.
fn facts() -> Facts {
    let table = |name: &str, columns: &[&str]| Table {
        name: name.to_owned(),
        columns: columns
            .iter()
            .map(|name| Column { name: (*name).to_owned(), ..Column::default() })
            .collect(),
        ..Table::default()
    };
    let tables = vec![table("films", &["code", "title"]), table("halls", &["seats"])];
    let example = Example {
        question: "Which films have the longest title?".to_owned(),
        sql: "SELECT title FROM films ORDER BY LENGTH(title) DESC LIMIT 1".to_owned(),
        verified_by: "Ada".to_owned(),
        verified_at: String::new(),
        run: None,
    };
    let figures = ColumnStats {
        at: ColumnRef::new("films", "code"),
        rows_read: 9,
        complete: true,
        nulls: 0,
        distinct: 3,
        min: Some(Value::Integer(1)),
        max: Some(Value::Integer(3)),
        top: (1..=3).map(|code| (Value::Integer(code), 3)).collect(),
        known: true,
    };
    Facts {
        catalog: Arc::new(Catalog { tables, ..Catalog::default() }),
        knowledge: Arc::new(Knowledge { examples: vec![example], ..Knowledge::default() }),
        statistics: vec![figures],
        ..Facts::default()
    }
}

fn told(text: &str) -> (Vec<QuestionKind>, ContextPackage) {
    let facts = facts();
    let question = Question { text: text.to_owned(), ..Question::default() };
    let understanding = intake::understand(&question, &facts);
    let package = assemble(&Request {
        question: &question,
        understanding: &understanding,
        facts: &facts,
        graph: &Graph::new(facts.catalog.clone()),
        errors: &[],
        form: Form::Text,
        generated_at: "",
    });
    (understanding.kinds.iter().map(|(kind, _)| *kind).collect(), package)
}

fn is_in(package: &ContextPackage, kind: ComponentKind) -> bool {
    package.component(kind).is_some_and(|component| component.included)
}

#[test]
fn a_word_that_only_holds_a_trigger_is_none() {
    for word in [
        "country",
        "county",
        "counter",
        "administrator",
        "minute",
        "minister",
        "generate",
        "rating",
        "separate",
        "summary",
        "summer",
        "discount",
        "account",
        "maximilian",
        "climax",
        "without",
        "within",
        "herewith",
        "joint",
        "adjoining",
        "exchange",
        "trendy",
        "topic",
        "stop",
        "almost",
        "mostar",
        "totem",
        "perfume",
        "person",
    ] {
        let (kinds, package) = told(&format!("Which films have a {word} in their title?"));
        assert_eq!(kinds, [QuestionKind::SimpleFilter], "{word}");
        for out in [ComponentKind::Examples, ComponentKind::Statistics] {
            assert!(!is_in(&package, out), "{word}: {}", out.name());
        }
    }
}

#[test]
fn the_same_sentence_with_a_whole_trigger_brings_what_it_wants() {
    for (words, kind) in [
        ("count", QuestionKind::Aggregation),
        ("sum", QuestionKind::Aggregation),
        ("average", QuestionKind::Aggregation),
        ("maximum", QuestionKind::Aggregation),
        ("min", QuestionKind::Aggregation),
        ("trend", QuestionKind::Growth),
        ("growth", QuestionKind::Growth),
        ("change", QuestionKind::Growth),
        ("top", QuestionKind::Ranking),
        ("ranked", QuestionKind::Ranking),
    ] {
        let (kinds, package) = told(&format!("Which films have a {words} in their title?"));
        assert!(kinds.contains(&kind), "{words}: {kinds:?}");
        for wanted in [ComponentKind::Examples, ComponentKind::Statistics] {
            assert!(is_in(&package, wanted), "{words}: {}", wanted.name());
        }
    }
}
