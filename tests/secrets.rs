//! Passwords: wherever one is typed or kept, no output and no file of ours holds it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on shall stop")]
#![expect(clippy::print_stderr, reason = "says what it skips")]

mod program;

use std::path::Path;

use program::{Ended, Home};

const PLANTED: &str = "hush-7f3a91";

/// Looks for the password in everything a command printed and left behind.
#[track_caller]
fn holds_nothing(home: &Home, ended: &Ended) {
    assert!(!format!("{}{}", ended.out, ended.err).contains(PLANTED), "{ended:?}");
    let mut folders = vec![home.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                scan(&path);
            }
        }
    }
}

#[track_caller]
fn scan(path: &Path) {
    let ours = !path.ends_with("config.toml");
    let bytes = std::fs::read(path).unwrap();
    let found = bytes.windows(PLANTED.len()).any(|window| window == PLANTED.as_bytes());
    assert!(!ours || !found, "{} holds the password", path.display());
    assert!(!path.display().to_string().contains(PLANTED), "{}", path.display());
}

fn configured(text: &str) -> Home {
    let home = Home::new();
    let folder = home.file("config/querent");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), text).unwrap();
    home
}

#[test]
fn a_password_typed_in_an_address_is_in_no_output_and_no_file() {
    let home = configured(&format!("database = 'mysql://me:{PLANTED}@127.0.0.1:1/d'"));
    for address in [
        format!("postgres://me:{PLANTED}@127.0.0.1:1/d"),
        format!("mysql://127.0.0.1:1/d?user=me&password={PLANTED}"),
        format!("postgers://me:{PLANTED}@127.0.0.1:1/d"),
        format!("adbc:nowhere?uri=x://me:{PLANTED}@h&auth_token={PLANTED}"),
    ] {
        for command in [
            &["ask", "How many?", "--json", "--trace", "--db"][..],
            &["run", "SELECT 1", "--json", "--trace", "--db"],
            &["check", "SELECT 1", "--json", "--db"],
            &["context", "How many?", "--json", "--db"],
            &["schema", "--db"],
            &["runs", "--db"],
            &["memory", "--db"],
        ] {
            let mut arguments = command.to_vec();
            arguments.push(&address);
            holds_nothing(&home, &home.run(&arguments));
        }
    }
    for command in [&["config"][..], &["config", "--json"], &["schema"]] {
        holds_nothing(&home, &home.run(command));
    }
}

#[test]
fn the_config_command_says_where_a_password_is_and_no_more() {
    let home = configured(&format!(
        "[profiles.sales]\naddress = 'postgres://me@h/sales'\npassword_command = 'echo {PLANTED}'"
    ));
    let ended = home.run(&["config"]);
    assert!(ended.out.contains("postgres://me@h/sales"), "{ended:?}");
    assert!(ended.out.contains("from a command"), "{ended:?}");
    holds_nothing(&home, &ended);
}

#[test]
fn a_password_that_can_not_be_read_is_wrong_configuration_and_nothing_is_opened() {
    let profile = "[profiles.sales]\naddress = 'postgres://me@127.0.0.1:1/sales'\n";
    let command = format!("password_command = 'echo {PLANTED}; echo locked >&2; exit 1'");
    let home = configured(&format!("{profile}{command}"));
    let ended = home.run(&["run", "--db", "sales", "SELECT 1"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    let said = "profile sales: the command that prints the password failed: exit status: 1: locked";
    assert!(ended.err.contains(said), "{ended:?}");
    holds_nothing(&home, &ended);
    let home = configured(&format!("{profile}password_env = 'SALES_PASSWORD'"));
    let ended = home.run(&["run", "--db", "sales", "SELECT 1"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.err.contains("Set SALES_PASSWORD"), "{ended:?}");
}

/// A role of the test's own on the server, with the planted password; and its address without it.
async fn role(server: &str) -> Option<(tokio_postgres::Client, String, String)> {
    let (client, connection) = tokio_postgres::connect(server, tokio_postgres::NoTls).await.ok()?;
    tokio::spawn(connection);
    let name = format!("querent_secret_{}", std::process::id());
    let make = format!("CREATE ROLE {name} LOGIN PASSWORD '{PLANTED}'");
    client.batch_execute(&make).await.ok()?;
    let (_, host) = server.rsplit_once('@')?;
    Some((client, name.clone(), format!("postgres://{name}@{host}")))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_on_a_server_stores_its_password_nowhere() {
    let server = std::env::var("QUERENT_POSTGRES").unwrap_or_default();
    let Some((client, name, address)) = role(&server).await else {
        eprintln!("skipped: QUERENT_POSTGRES names no server that roles can be made on");
        return;
    };
    let typed = address.replacen('@', &format!(":{PLANTED}@"), 1);
    let home = configured(&format!("[profiles.sales]\naddress = '{address}'\npassword_env = 'PW'"));
    let run = |arguments: &[&str]| {
        Ended::of(home.command(arguments).env("PW", PLANTED).output().unwrap())
    };
    let mut opened = Vec::new();
    for db in ["sales", typed.as_str()] {
        for command in [
            &["run", "--json", "--trace", "SELECT 42 AS n", "--db", db][..],
            &["ask", "--json", "--trace", "How many tables?", "--db", db],
            &["schema", "--json", "--db", db],
            &["runs", "--json", "--db", db],
            &["replay", "last", "--json"],
        ] {
            let ended = run(command);
            holds_nothing(&home, &ended);
            opened.push(ended);
        }
    }
    client.batch_execute(&format!("DROP ROLE {name}")).await.unwrap();
    if opened[0].code == 2 {
        eprintln!("skipped: no driver opens {address}");
        return;
    }
    assert_eq!(opened[0].code, 0, "{:?}", opened[0]);
    assert_eq!(opened[0].json()["rows"][0][0], 42);
    assert_eq!(opened[0].json()["database"], opened[5].json()["database"]);
}
