//! Terms of a question: arguments laid over the settings, switches, and the run it follows.

use crate::config::Config;
use crate::domain::{Options, Question, Route, Stops, Switches, Transcript};
use crate::pipeline::{Session, now};

use super::args::Terms;
use super::choices::{FormArg, PolicyArg, RepairArg, RouteArg};
use super::output::say;
use super::report as report_error;

/// Puts a question together from its words and the terms.
pub(super) async fn question(
    session: &Session,
    text: String,
    terms: &Terms,
    config: &Config,
) -> Result<Question, u8> {
    let mut question = Question {
        text,
        evidence: terms.evidence.clone(),
        asked_at: now(),
        switches: Switches {
            without: terms.without.iter().copied().collect(),
            ..Switches::default()
        },
        options: options_on(session, terms, config),
        ..Question::default()
    };
    say_unbuilt(&question.options);
    if let Some(run) = &terms.follow {
        follow(session, &mut question, run).await?;
    }
    Ok(question)
}

/// Says which of the terms, whatever layer they come from, do nothing yet.
pub(super) fn say_unbuilt(options: &Options) {
    if options.route == Route::Divided {
        say("the divided route is not built yet: going on with a single draft");
    }
}

/// Ties a question to the run that it follows up.
async fn follow(session: &Session, question: &mut Question, run: &str) -> Result<(), u8> {
    let events = session.replay(run).await.map_err(|e| report_error(&e))?;
    let former = Transcript::of(&events);
    question.parent = Some(former.run.clone());
    if let Some((_, version)) = former.chosen() {
        question.follows = Some((former.question.text.clone(), version.sql.clone()));
    }
    Ok(())
}

/// Returns the terms on an opened database, which has a privacy level and a policy of its own.
pub(super) fn options_on(session: &Session, terms: &Terms, config: &Config) -> Options {
    let mut options = Options { privacy: session.privacy(), ..options(terms, config) };
    if terms.policy.is_none() {
        options.stops.policy = session.policy();
    }
    options
}

/// Lays the arguments over the configured budgets.
pub(super) fn options(terms: &Terms, config: &Config) -> Options {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "arguments are above 0 and up to a day"
    )]
    let ms = |seconds: f64| (seconds * 1_000.0).ceil() as u64;
    let given = &config.options;
    Options {
        max_attempts: terms.max_attempts.unwrap_or(given.max_attempts),
        max_calls: terms.max_calls.unwrap_or(given.max_calls),
        timeout_ms: terms.timeout.map_or(given.timeout_ms, ms),
        deadline_ms: terms.deadline.map_or(given.deadline_ms, ms),
        tokens: terms.tokens.unwrap_or(given.tokens),
        form: terms.form.map_or(given.form, FormArg::into),
        max_rows: terms.max_rows.or(given.max_rows),
        repair: terms.repair.map_or(given.repair, RepairArg::into),
        route: terms.route.map_or(given.route, RouteArg::into),
        thorough: terms.thorough || given.thorough,
        stops: Stops {
            policy: terms.policy.map_or(given.stops.policy, PolicyArg::into),
            ..given.stops
        },
        ..given.clone()
    }
}
