//! Answers to what was asked of the result: an order, a find, figures, an export, a copy.

use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::msg::Msg;
use super::super::overlays::{export, figures};
use super::result_look;

/// Takes an answer.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else is no answer to the result pane")]
pub fn take(app: &mut App, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Arranged(of, view, made) => result_look::arranged(app, &of, &view, made),
        Msg::Found(of, look, at) => result_look::found(app, &of, &look, at),
        Msg::Summarized(of, col, summary) => figures::take(app, &of, col, summary),
        Msg::Exported(of, told) => export::told(app, &of, told),
        Msg::CopyText(text, words) => {
            app.say(words, Tone::Done);
            return vec![Effect::Copy(text)];
        }
        Msg::Copied(ways) => copied(app, &ways),
        _ => {}
    }
    Vec::new()
}

/// Says by which ways a text was copied, behind what was copied.
fn copied(app: &mut App, ways: &str) {
    let words = match &app.notice {
        Some((words, Tone::Done, _)) if words.starts_with("Copied") => {
            format!("{} ({ways})", words.trim_end_matches('.'))
        }
        Some(_) | None => format!("Copied ({ways})"),
    };
    app.say(format!("{words}."), Tone::Done);
}
