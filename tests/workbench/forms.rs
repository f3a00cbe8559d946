//! The form of the package in the workbench, and tokens told as what they are: an estimate.

use insta::assert_snapshot;
use querent::domain::package::Form;
use querent::domain::{ComponentKind, Event, Happened, Switches};
use querent::pipeline::Told;
use querent::tui::effect::Effect;
use querent::tui::msg::Msg;
use querent::tui::overlays::Overlay;

use super::bench::Bench;
use super::context_runs::{LATER, QUESTION, bench, package, question, rows, run, told};

const SIZES: [(u16, u16); 3] = [(160, 48), (100, 30), (60, 20)];

fn asked(bench: &Bench) -> Option<&querent::domain::Question> {
    bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Ask(question) => Some(&**question),
        _ => None,
    })
}

fn first() -> Vec<Event> {
    run("0195-a", &question(Switches::default(), None), LATER, rows(&[("Blue", 900)]))
}

#[test]
fn the_context_pane_chooses_the_form_of_the_next_asking() {
    let mut bench = told(160, 48, &[first()]);
    bench.keys("Alt-2 f").sees("The next asking tells TOON: the same as rows of fields.");
    bench.sees("text, next time TOON: the same as rows of fields").sees("1 switched, r asks again");
    bench.keys("f").sees("next time a skeleton: tables and keys only");
    bench.keys("f").misses("next time").misses("switched, r asks");
    assert_eq!(bench.app.context.switches, Switches::default());
    bench.keys("f r");
    assert_eq!(asked(&bench).map(querent::domain::Question::form), Some(Form::Toon));
}

#[test]
fn a_typed_question_is_told_in_the_form_that_was_chosen() {
    let mut bench = bench(160, 48);
    bench.text(QUESTION).keys("Alt-2 f");
    let Some(Effect::Preview(wanted)) = bench.wanted.last() else { panic!("no package is wanted") };
    let wanted = (**wanted).clone();
    assert_eq!(wanted.form(), Form::Toon);
    let told = package(&wanted);
    bench.send(Msg::Previewed((wanted.text, wanted.switches), Box::new(told)));
    bench.sees("would be told: ~").sees("form     TOON: the same as rows of fields");
    assert_snapshot!("toon_would_be_told_160x48", bench.screen());
}

#[test]
fn a_component_is_shown_in_another_form_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = told(width, height, &[first()]);
        bench.keys("Alt-2 Home Enter f");
        bench.sees("as toon");
        assert_snapshot!(format!("component_as_toon_{width}x{height}"), bench.screen());
    }
    let mut bench = told(100, 30, &[first()]);
    bench.keys("Alt-2 Home Enter f");
    bench.keys("f").sees("as skeleton").sees("bookings(id)");
    bench.keys("f").misses("as text").sees("DATABASE SCHEMA CONTEXT:");
    let Some(Overlay::Component(inspector)) = &bench.app.overlay else { panic!("it stays open") };
    assert_eq!((inspector.other_form, inspector.component.kind), (None, ComponentKind::Schema));
}

#[test]
fn trims_and_switches_stand_in_the_trace_and_in_the_component() {
    let mut tight = question(Switches::default(), None);
    tight.switches.without.insert(ComponentKind::Business);
    tight.options.tokens = package(&tight).tokens - 20;
    let events = run("0195-a", &tight, LATER, rows(&[("Blue", 900)]));
    let at = events.iter().position(|e| matches!(e.happened, Happened::PackageReady(_)));
    let mut bench = told(160, 48, &[events]);
    bench.app.run.as_mut().expect("a run").cursor = at;
    bench.keys("Alt-5 F10 o");
    bench.sees("out: switched off by hand");
    bench.sees(" saved").sees("pieces left out to fit the budget: ~");
    assert_snapshot!("trimmed_160x48", bench.screen());
}

#[test]
fn the_models_own_count_stands_beside_our_estimate() {
    let mut events = first();
    for event in &mut events {
        if let Happened::Drafted { calls, .. } = &mut event.happened {
            calls[0].messages = vec![("user".to_owned(), "x".repeat(3_600))];
            calls[0].usage.input_tokens = 1_100;
        }
    }
    let package = package(&question(Switches::default(), None));
    let bench = told(160, 48, &[events.clone()]);
    bench.sees(&format!("~{} of 6,000 tokens", package.tokens));
    // 1,100 counted for 1,000 estimated: a tenth more
    let counted = (package.tokens * 11 + 5) / 10;
    bench.sees(&format!("{counted} by this model's count (1,100 for ~1,000 in 1 call)"));
    let mut bench = told(160, 48, &[events]);
    bench.app.header.model = "another:model".into();
    bench.send(Msg::Told(Told::Pulse(querent::domain::Pulse::Waiting(String::new()))));
    bench.misses("by this model's count");
}
