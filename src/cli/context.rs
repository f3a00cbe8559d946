//! `context`: the package a question would get, without asking a model.

use std::sync::Arc;

use crate::config::Config;
use crate::domain::ComponentKind;
use crate::domain::counts::count;
use crate::record::report::context_report;

use super::args::Context;
use super::output::{print_json, print_safe, say, say_hint};
use super::terms::question;
use super::{exit, open, report, text_of, without_model};

/// Shows the package of a question.
pub(super) async fn context(context: Context, config: Arc<Config>) -> u8 {
    let Some(words) = &context.question else {
        say("no question is given");
        say_hint("Show one with: querent context --db demo \"How many bookings are there?\"");
        return exit::USAGE;
    };
    let text = match text_of(words) {
        Ok(text) => text,
        Err(code) => return code,
    };
    let session = match open(without_model(context.edges), config.clone()).await {
        Ok(session) => session,
        Err(code) => return code,
    };
    let question = match question(&session, text, &context.terms, &config).await {
        Ok(question) => question,
        Err(code) => return code,
    };
    let package = match session.package(&question).await {
        Ok(package) => package,
        Err(e) => return report(&e),
    };
    if context.json {
        print_json(&context_report(&package));
        return exit::OK;
    }
    print_safe(&package.text());
    for component in &package.components {
        let sign = if component.included { "in: " } else { "out:" };
        say(&format!(
            "{sign} {} (~{}): {}",
            component.kind.name(),
            count(component.tokens, "token"),
            component.reason
        ));
        // what was cut of the schema may be hundreds of tables: `--json` lists them
        let listed = component.kind != ComponentKind::Schema;
        component.cut.iter().filter(|_| listed).for_each(|cut| say(&format!("     - {cut}")));
    }
    package.warnings.iter().for_each(|warning| say(&format!("!    {warning}")));
    say(&format!("~{} of {} tokens, version {}", package.tokens, package.budget, package.version));
    exit::OK
}
