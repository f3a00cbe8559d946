//! Key maps: sequences, modes, flavours, and no action without a way to it.

use querent::tui::action::Action;
use querent::tui::effect::Effect;
use querent::tui::keymap::Keymap;
use querent::tui::layout::Pane;
use querent::tui::overlays::Overlay;

use super::bench::Bench;
use super::runs::case_a;

fn vim(width: u16, height: u16) -> Bench {
    let mut bench = Bench::told(width, height, &case_a());
    bench.app.choose_keys("vim");
    bench
}

#[test]
fn a_key_of_two_waits_shows_it_and_esc_drops_it() {
    let mut bench = vim(160, 48);
    bench.keys("Alt-5 g").sees("g …");
    assert_eq!(bench.app.run.as_ref().and_then(|run| run.cursor), None);
    bench.keys("g").misses("g …");
    assert_eq!(bench.app.run.as_ref().and_then(|run| run.cursor), Some(0));
    bench.keys("g Esc").misses("g …");
    assert_eq!(bench.app.run.as_ref().and_then(|run| run.cursor), Some(0));
    bench.keys("g x").sees("g x means nothing here.");
}

#[test]
fn modes_tell_letters_from_commands() {
    let mut bench = vim(160, 48);
    bench.keys("Alt-1 Ctrl-U").text("how many rooms").sees("INSERT");
    bench.keys("Esc").sees("NORMAL");
    bench.keys("0 x w i").text("very ");
    assert_eq!(bench.app.question.editor.text(), "ow very many rooms");
    bench.keys("Esc u");
    assert_ne!(bench.app.question.editor.text(), "ow very many rooms");
    bench.keys("d d");
    assert_eq!(bench.app.question.editor.text(), "");
    // letters without a meaning are not typed
    bench.keys("Q q");
    assert_eq!(bench.app.question.editor.text(), "");
    bench.keys("o").text("a").keys("Esc :");
    assert!(matches!(bench.app.overlay, Some(Overlay::Palette(_))));
}

#[test]
fn esc_in_normal_mode_cancels_as_everywhere() {
    let mut bench = Bench::told(160, 48, &case_a()[..5]);
    bench.app.choose_keys("vim");
    bench.keys("Alt-1 Esc");
    assert!(!bench.wanted.contains(&Effect::Stop));
    bench.keys("Esc");
    assert!(bench.wanted.contains(&Effect::Stop));
}

#[test]
fn emacs_keys_move_switch_and_leave() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.app.choose_keys("emacs");
    bench.keys("Alt-5 Ctrl-P");
    assert!(bench.app.run.as_ref().is_some_and(|run| run.cursor.is_some()));
    bench.keys("Ctrl-X").sees("Ctrl-X …");
    bench.keys("o");
    assert_eq!(bench.app.focus, Pane::Question);
    bench.keys("Alt-x");
    assert!(matches!(bench.app.overlay, Some(Overlay::Palette(_))));
    bench.keys("Ctrl-G");
    assert!(bench.app.overlay.is_none());
    bench.keys("Ctrl-X Ctrl-C");
    assert_eq!(bench.app.leave, Some(0));
}

#[test]
fn the_key_map_is_chosen_live_and_help_shows_it() {
    let mut bench = Bench::open(100, 30);
    bench.keys("Alt-k Down Enter").sees("Keys are those of 'vim' now");
    assert_eq!(bench.app.keys.name, "vim");
    bench.keys("F1").sees("Keys of 'vim'");
    bench.text("g g").sees("g g");
}

#[test]
fn a_footer_never_shows_a_key_that_another_row_took() {
    for (name, _) in Keymap::flavours() {
        let (keys, _) = Keymap::named(name, None);
        for bound in keys.rows().iter().filter(|b| b.foot.is_some()) {
            for key in &bound.keys {
                let found = keys.look(&[bound.place], key.presses());
                assert_eq!(
                    found,
                    querent::tui::keymap::Found::Does(bound.action),
                    "{name} {key:?}"
                );
            }
        }
    }
}

#[test]
fn every_action_is_in_the_command_list_with_words() {
    let bench = Bench::told(160, 48, &case_a());
    let rows = querent::tui::overlays::palette_rows::rows(&bench.app, "", None);
    for action in Action::ALL.iter().filter(|action| **action != Action::Palette) {
        let found = rows.iter().any(|row| row.choice.id().as_deref() == Some(&action.name()));
        let moves = querent::tui::sense::moves(*action);
        assert!(found || moves, "{action:?} is not in the command list");
    }
    assert!(rows.iter().all(|row| !row.words.is_empty()));
}
