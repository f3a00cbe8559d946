//! The command line: arguments to a session, a run's events to standard output.
//!
//! What belongs here: a file for each command or close family of them, forms of results, exit
//! codes. What must never come: deciding; anything but the result on standard output.
//! To add a command: a variant in `args`, a file, a row in `dispatch`.

use std::sync::Arc;

use clap::Parser;

use crate::config::{self, Config};
use crate::pipeline::{Session, SessionError, Setup};

mod approve;
mod args;
mod ask;
mod batch;
mod check;
mod choices;
mod context;
mod eval;
mod exit;
mod generate;
mod knowledge;
mod output;
mod runs;
mod schema;
mod settings;
mod source;
mod streaming;
mod table;
mod terms;

use args::{Arguments, Command, Edges};
use output::{say, say_hint};

/// What the arguments ask for.
pub enum Wish {
    /// Nothing more: the exit code.
    Exit(u8),
    /// A command.
    Command(Box<Headless>),
    /// The workbench.
    Workbench(Box<Workbench>),
}

/// A command with its settings.
pub struct Headless {
    command: Command,
    config: Arc<Config>,
}

/// What the workbench is opened with.
pub struct Workbench {
    /// Database, model, knowledge, settings.
    pub setup: Setup,
    /// SQL to run at once.
    pub sql: Option<String>,
}

/// Reads arguments and settings.
pub fn read() -> Wish {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(e) => return Wish::Exit(usage(&e)),
    };
    let config = match config::load() {
        Ok(config) => config,
        Err(e) => {
            say(&e.to_string());
            return Wish::Exit(exit::USAGE);
        }
    };
    match arguments.command {
        Some(command) => Wish::Command(Box::new(Headless { command, config: Arc::new(config) })),
        None => Wish::Workbench(Box::new(workbench(arguments, config))),
    }
}

/// Prints what clap has to say: help to standard output, trouble to standard error.
fn usage(error: &clap::Error) -> u8 {
    let _ = error.print();
    if error.use_stderr() { exit::USAGE } else { exit::OK }
}

fn workbench(arguments: Arguments, mut config: Config) -> Workbench {
    let Arguments { database, sql, linear, edges, terms: given, .. } = arguments;
    config.linear |= linear;
    config.options = terms::options(&given, &config);
    if given.policy.is_some() {
        config.layers.insert("policy".to_owned(), config::Layer::Argument);
    }
    // the first demo opens by itself here, and only here (P9)
    let first = config.database.is_none().then(|| "demo".to_owned());
    let mut setup = setup(edges, Arc::new(config));
    setup.database = database.or(setup.database).or(first);
    Workbench { setup, sql }
}

/// Runs a command to its exit code (P11).
pub fn run(headless: Headless) -> u8 {
    output::settled(block_on(dispatch(headless.command, headless.config)))
}

/// Runs work that waits, on two workers: one for the flow and one for what it waits for.
pub fn block_on(work: impl Future<Output = u8>) -> u8 {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match runtime {
        Ok(runtime) => {
            let code = runtime.block_on(work);
            // a statement that is being interrupted must not hold up the end
            runtime.shutdown_timeout(std::time::Duration::from_millis(200));
            code
        }
        Err(e) => {
            say(&format!("no threads can be started: {e}"));
            exit::USAGE
        }
    }
}

async fn dispatch(command: Command, config: Arc<Config>) -> u8 {
    match command {
        Command::Ask(ask) if ask.batch.jsonl.is_some() => batch::ask(ask, config).await,
        Command::Ask(ask) => ask::ask(ask, config).await,
        Command::Run(run) => ask::run(run, config).await,
        Command::Context(args) if args.batch.jsonl.is_some() => batch::context(args, config).await,
        Command::Context(args) => context::context(args, config).await,
        Command::Check(args) if args.batch.jsonl.is_some() => batch::check(args, config).await,
        Command::Check(args) => check::check(args, config).await,
        Command::Eval(eval) => Box::pin(eval::eval(eval, config)).await,
        Command::Schema(schema) => schema::schema(schema, config).await,
        Command::Runs(runs) => runs::runs(runs, &config).await,
        Command::Replay(replay) => runs::replay(replay, &config).await,
        Command::Memory(memory) => runs::memory(memory, &config).await,
        Command::Knowledge(knowledge) => knowledge::knowledge(knowledge, config).await,
        Command::Models(plain) => settings::models(&plain, &config),
        Command::Config(plain) => settings::config(&plain, &config),
        Command::Completions { shell } => generate::completions(shell),
        Command::Man => generate::man(),
    }
}

/// Says why the workbench can't be shown; a database name close to a command is probably one.
pub fn refuse(why: &str, database: Option<&str>) -> u8 {
    say(why);
    match database.and_then(near_command) {
        Some(command) => say_hint(&format!("Did you mean the command {command}?")),
        None => say_hint("Without a terminal, use `querent ask`, `run`, `check` or `context`."),
    }
    exit::USAGE
}

/// Finds the command that a database name was probably meant to be.
fn near_command(word: &str) -> Option<String> {
    use clap::CommandFactory;
    let command = Arguments::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let near = names.map(|name| (strsim::damerau_levenshtein(word, name), name)).min()?;
    (near.0 <= 2).then(|| near.1.to_owned())
}

/// What a command that needs no model opens: the choice of a model can then not stand in its way.
fn without_model(edges: Edges) -> Edges {
    Edges { model: Some("rules".to_owned()), ..edges }
}

fn setup(edges: Edges, config: Arc<Config>) -> Setup {
    Setup {
        database: edges.db,
        model: edges.model,
        knowledge: edges.knowledge,
        privacy: edges.privacy.map(Into::into),
        config,
        ..Setup::default()
    }
}

/// Opens a session for a command, or says why not and returns the exit code.
async fn open(edges: Edges, config: Arc<Config>) -> Result<Arc<Session>, u8> {
    match Session::open(setup(edges, config)).await {
        Ok(session) => Ok(Arc::new(session)),
        Err(e) => Err(report(&e)),
    }
}

/// Says an error on standard error and returns its exit code.
fn report(error: &SessionError) -> u8 {
    say(&error.to_string());
    if !error.hint().is_empty() {
        say_hint(error.hint());
    }
    exit::of_error(error)
}

/// Reads a text argument: itself, or standard input for `-`.
fn text_of(argument: &str) -> Result<String, u8> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut bytes = Vec::new();
    match std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes) {
        Ok(_) => String::from_utf8(bytes).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            say(&format!("standard input is no UTF-8 text: byte {at} begins no character"));
            say_hint("Turn it into UTF-8 first, for example with iconv.");
            exit::USAGE
        }),
        Err(e) => {
            say(&format!("standard input can't be read: {e}"));
            Err(exit::USAGE)
        }
    }
}
