//! Layers, places and errors, with variables and folders of the tests' own.

use std::path::{Path, PathBuf};

use super::*;

const EXAMPLE: &str = include_str!("../../assets/config.example.toml");

/// Reads a file's text with these variables.
fn read(text: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, text).unwrap();
    let places = Places { config: Some(folder.path().to_owned()), ..Places::default() };
    load_from(&lookup(variables), places)
        .map_err(|error| error.to_string().replace(&file.display().to_string(), "FILE"))
}

fn lookup(variables: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
    let owned: Vec<(String, String)> =
        variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    move |name| owned.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone())
}

fn shown(config: &Config, name: &str) -> (String, String) {
    let row = show(config).into_iter().find(|(n, _, _)| n == name).unwrap();
    (row.1, row.2)
}

/// Strips the comment sign from lines that hold a setting.
fn uncommented(text: &str) -> String {
    let lines = text.lines().map(|line| match line.strip_prefix("# ") {
        Some(rest) if rest.split(' ').nth(1) == Some("=") || rest.starts_with("[profiles.") => rest,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_states_the_defaults() {
    let config = read(EXAMPLE, &[]).unwrap();
    let plain = Config { places: config.places.clone(), ..Config::default() };
    let but_layers = Config { file: None, layers: BTreeMap::new(), ..config };
    assert_eq!(Config { store: String::new(), ..but_layers }, plain);
}

#[test]
fn the_example_names_every_setting_and_its_variable() {
    let config = read(&uncommented(EXAMPLE), &[]).unwrap();
    for setting in settings::SETTINGS {
        assert_eq!(shown(&config, setting.name).1, "file", "{}", setting.name);
        let named = setting.name.starts_with("budgets.") || EXAMPLE.contains(setting.variable);
        assert!(named, "{}", setting.variable);
    }
    let kept = config.profiles.iter().filter(|profile| profile.password.is_some());
    assert!(kept.count() == 1 && !config.base_urls.is_empty());
    assert!(!config.key_commands.is_empty());
}

#[test]
fn the_environment_comes_before_the_file_and_the_file_before_the_default() {
    let text = "model = 'openai:a'\ntheme = 'paper'\n[budgets]\ndeadline = 2.5";
    let config = read(text, &[("QUERENT_MODEL", "rules"), ("QUERENT_MOUSE", "off")]).unwrap();
    assert_eq!(config.model.as_deref(), Some("rules"));
    assert_eq!(shown(&config, "model"), ("rules".into(), "environment QUERENT_MODEL".into()));
    assert_eq!(shown(&config, "theme"), ("paper".into(), "file".into()));
    assert_eq!(config.options.deadline_ms, 2_500);
    assert_eq!(shown(&config, "budgets.deadline"), ("2.5".into(), "file".into()));
    assert_eq!(shown(&config, "budgets.max_attempts"), ("3".into(), "default".into()));
    assert!(!config.mouse);
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let config = read("model = 'rules'", &[("QUERENT_MODEL", " ")]).unwrap();
    assert_eq!(config.model.as_deref(), Some("rules"));
}

#[test]
fn an_unknown_setting_is_named_with_its_line_and_the_nearest_one() {
    let wrong = |text: &str| read(text, &[]).unwrap_err();
    assert_eq!(
        wrong("mouse = true\n\nmodle = 'x'"),
        "config file FILE: line 3: there is no setting 'modle'. Did you mean 'model'?"
    );
    assert_eq!(
        wrong("[budgets]\nmax_attempt = 2"),
        "config file FILE: line 2: there is no setting 'budgets.max_attempt'. \
         Did you mean 'budgets.max_attempts'?"
    );
    assert_eq!(
        wrong("max_attempts = 2"),
        "config file FILE: line 1: there is no setting 'max_attempts'. \
         Did you mean 'budgets.max_attempts'?"
    );
    assert!(
        wrong("zzz = 1")
            .ends_with("there is no setting 'zzz'. See `querent config` for all of them.")
    );
}

#[test]
fn a_wrong_value_says_what_is_wanted() {
    let wrong = |text: &str| read(text, &[]).unwrap_err().replace("config file FILE: ", "");
    assert_eq!(wrong("privacy = 'all'"), "line 1: privacy: 'all' is none of names, stats, rows");
    assert_eq!(
        wrong("[budgets]\nmax_attempts = 11"),
        "line 2: budgets.max_attempts: 11 is not a whole number from 1 to 10"
    );
    assert_eq!(wrong("mouse = 'perhaps'"), "line 1: mouse: 'perhaps' is neither true nor false");
    assert_eq!(wrong("model = 3"), "line 1: model: 3 is a number, and it wants a text");
    assert_eq!(wrong("profiles = 3"), "line 1: profiles: it wants a table of names and addresses");
    assert!(wrong("mouse = true\nmodel = [").starts_with("line 2: "));
    let variable = read("", &[("QUERENT_TIMEOUT", "-1")]).unwrap_err();
    assert_eq!(
        variable,
        "environment variable QUERENT_TIMEOUT: -1 is not a number of seconds above 0 and up to a day"
    );
}

#[test]
fn a_named_file_must_be_there_and_the_usual_one_need_not() {
    let folder = tempfile::tempdir().unwrap();
    let places = Places { config: Some(folder.path().join("none")), ..Places::default() };
    assert!(load_from(&lookup(&[]), places.clone()).unwrap().file.is_none());
    let missing = folder.path().join("missing.toml").display().to_string();
    let error = load_from(&lookup(&[("QUERENT_CONFIG", &missing)]), places.clone()).unwrap_err();
    assert!(matches!(error, ConfigError::File { .. }));
    let directory = folder.path().display().to_string();
    let error = load_from(&lookup(&[("QUERENT_CONFIG", &directory)]), places).unwrap_err();
    assert!(matches!(error, ConfigError::File { .. }));
}

#[test]
fn without_a_home_folder_there_are_no_places_and_no_trouble() {
    let config = load_from(&lookup(&[]), Places::default()).unwrap();
    assert_eq!(config.places, Places::default());
    assert_eq!(config.user, "someone");
    assert!(config.mouse);
    let variables = [("QUERENT_DATA_HOME", "/tmp/q"), ("USER", "ada")];
    let config = load_from(&lookup(&variables), Places::default()).unwrap();
    assert_eq!(config.places.data, Some(PathBuf::from("/tmp/q")));
    assert_eq!(config.user, "ada");
}

#[test]
fn paths_of_the_file_are_whole() {
    let text = "database = '~/a.db'\nknowledge = 'k.toml'\n[profiles]\nb = '~/b.db'\na = 'x.db'";
    let config = read(text, &[("HOME", "/home/ada")]).unwrap();
    assert_eq!(config.database.as_deref(), Some("/home/ada/a.db"));
    let profile = Profile::of;
    assert_eq!(config.profiles, [profile("a", "x.db"), profile("b", "/home/ada/b.db")]);
    assert!(config.knowledge.as_deref().is_some_and(Path::is_absolute));
    let memory = |text: &str| read(text, &[("HOME", "/home/ada")]).unwrap().memory.unwrap();
    assert_eq!(memory("memory = '~/m.sqlite'"), "/home/ada/m.sqlite");
    assert!(Path::new(&memory("memory = 'm.sqlite'")).is_absolute());
    assert_eq!(memory("memory = 'postgres://h/team'"), "postgres://h/team");
}

#[test]
fn passwords_and_key_commands_are_never_shown() {
    let text = "database = 'postgres://ada:hush@h:1/d?sslmode=on&password=hush'\n\
                memory = 'postgres://ada:hush@h/team'\n\
                [profiles]\np = 'mysql://bob:hush@h/d'\nq = 'postgres://bob@h/d'\n\
                [base_urls]\nx = 'https://u:hush@proxy/v1'\n[key_commands]\nx = 'echo hush'";
    let config = read(text, &[]).unwrap();
    let all = format!("{:?} {config:?}", show(&config));
    assert!(!all.contains("hush"), "{all}");
    assert_eq!(shown(&config, "database").0, "postgres://ada@h:1/d?sslmode=on");
    assert_eq!(shown(&config, "profiles.q").0, "postgres://bob@h/d");
}

#[test]
fn a_profile_may_say_where_its_password_is() {
    let text = "[profiles]\nshop = '~/shop.db'\n[profiles.sales]\n\
                address = 'postgres://me@host/sales'\npassword_file = 'sales.pw'\n\
                knowledge = '~/k.toml'\n[profiles.web]\naddress = 'mysql://me@host/web'\n\
                password_command = 'echo hush'";
    let config = read(text, &[("HOME", "/home/ada")]).unwrap();
    let [sales, shop, web] = &config.profiles[..] else { panic!("three profiles") };
    assert_eq!(*shop, Profile::of("shop", "/home/ada/shop.db"));
    assert_eq!(sales.knowledge.as_deref(), Some(Path::new("/home/ada/k.toml")));
    let Some(Password::File(file)) = &sales.password else { panic!("a file") };
    assert!(file.is_absolute() && file.ends_with("sales.pw"));
    assert_eq!(web.password, Some(Password::Command("echo hush".into())));
    assert_eq!(shown(&config, "profiles.web").0, "mysql://me@host/web");
    assert_eq!(shown(&config, "profiles.web.password"), ("from a command".into(), "file".into()));
    assert!(!format!("{config:?} {:?}", config.profiles).contains("hush"));
}

#[test]
fn a_profile_that_makes_no_sense_is_told_with_its_line_and_what_to_do() {
    let wrong = |text: &str| {
        let text = format!("[profiles.sales]\n{text}");
        read(&text, &[]).unwrap_err().replace("config file FILE: ", "")
    };
    let address = "address = 'postgres://me@host/sales'\n";
    assert_eq!(
        wrong("password_env = 'PW'"),
        "line 1: profiles.sales: it wants an address, as in address = \"postgres://me@host/sales\""
    );
    assert_eq!(
        wrong(&format!("{address}password = 'hush'")),
        "line 3: profiles.sales.password: a password does not belong into this file. Name where it \
         is kept, with password_env, password_command or password_file"
    );
    assert_eq!(
        wrong(&format!("{address}password_env = 'PW'\npassword_command = 'pass show sales'")),
        "line 4: profiles.sales: password_env and password_command both say where the password is. \
         Keep one of them"
    );
    assert_eq!(
        wrong(&format!("{address}pasword_file = 'pw'")),
        "line 3: profiles.sales: a profile has no 'pasword_file'. Did you mean 'password_file'?"
    );
    assert_eq!(
        wrong(&format!("{address}zzz = 1")),
        "line 3: profiles.sales: a profile has no 'zzz'. There are address, password_env, \
         password_command, password_file, knowledge."
    );
    assert_eq!(
        wrong(&format!("{address}password_env = 3")),
        "line 3: profiles.sales.password_env: it wants a text"
    );
}
