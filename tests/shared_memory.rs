//! A memory that a team shares, as its members see it. Needs the server that `QUERENT_POSTGRES` names.
#![allow(clippy::unwrap_used, reason = "a test that can't go on shall stop")]
#![expect(clippy::print_stdout, reason = "what is skipped is said")]

mod program;

use std::process::Command;

use program::{Ended, Home};
use tokio::runtime::Runtime;
use tokio_postgres::NoTls;

/// A database of a test's own, dropped with it.
struct Team {
    server: String,
    database: String,
}

impl Team {
    /// Makes a database; none where there is no server.
    fn new() -> Option<Self> {
        let Ok(address) = std::env::var("QUERENT_POSTGRES") else {
            println!("skipped: QUERENT_POSTGRES is not set");
            return None;
        };
        let server = address.rsplit_once('/').unwrap().0.to_owned();
        let database = format!("team_{}", uuid::Uuid::now_v7().simple());
        let team = Team { server, database };
        team.administer(&format!("CREATE DATABASE {}", team.database));
        Some(team)
    }

    fn administer(&self, sql: &str) {
        let address = format!("{}/postgres", self.server);
        Runtime::new().unwrap().block_on(async {
            let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
            let connection = tokio::spawn(connection);
            client.batch_execute(sql).await.unwrap();
            drop(client);
            connection.await.unwrap().unwrap();
        });
    }

    /// The program as one of the team starts it.
    fn command(&self, home: &Home, user: &str, arguments: &[&str]) -> Command {
        let mut command = home.command(arguments);
        command.env("QUERENT_MEMORY", format!("{}/{}", self.server, self.database));
        command.env("QUERENT_USER", user);
        command
    }

    fn run(&self, home: &Home, user: &str, arguments: &[&str]) -> Ended {
        Ended::of(self.command(home, user, arguments).output().unwrap())
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.administer(&format!("DROP DATABASE {} WITH (FORCE)", self.database));
        }
    }
}

const ASK: &[&str] = &["ask", "--db", "demo:reservo", "--json", "How many bookings are there?"];

#[test]
fn what_one_asked_another_replays_byte_for_byte_rates_and_verifies() {
    let Some(team) = Team::new() else { return };
    let (ada, bob) = (Home::new(), Home::new());
    let asked = team.run(&ada, "ada", ASK);
    assert_eq!(asked.code, 0, "{asked:?}");
    let id = asked.json()["run"].as_str().unwrap().to_owned();
    let replayed = team.run(&bob, "bob", &["replay", &id, "--json"]);
    assert_eq!(replayed.bytes, asked.bytes);
    let none = team.run(&bob, "bob", &["replay", "last"]);
    assert_eq!((none.code, none.err.contains("no run last is stored")), (2, true), "{none:?}");
    for deed in [&["rate", &id, "+"][..], &["verify", &id, "--by", "Bob"]] {
        let done = team.run(&bob, "bob", &[&["runs"], deed].concat());
        assert_eq!(done.code, 0, "{done:?}");
    }
    let listed = team.run(&ada, "ada", &["runs", "--json"]).json();
    let told = ["asked_by", "rating", "verified_by"].map(|key| listed[0][key].clone());
    assert_eq!(told, ["ada", "+", "Bob"]);
    // the pair that Bob verified makes Ada's next answer certified
    assert_eq!(team.run(&ada, "ada", ASK).json()["trust"], "certified");
    assert!(!ada.file("data/querent/memory.sqlite").exists(), "nothing is kept twice");
}

#[test]
fn members_who_start_at_once_all_find_their_run() {
    let Some(team) = Team::new() else { return };
    let homes: Vec<Home> = (0..4).map(|_| Home::new()).collect();
    let asking = homes.iter().map(|home| {
        let mut command = team.command(home, "ada", ASK);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().unwrap()
    });
    let asking: Vec<_> = asking.collect();
    for child in asking {
        let ended = Ended::of(child.wait_with_output().unwrap());
        assert_eq!((ended.code, ended.err.contains("not remembered")), (0, false), "{ended:?}");
    }
    let listed = team.run(&homes[0], "ada", &["runs", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 4);
}

#[test]
fn a_memory_that_cannot_be_reached_costs_the_memory_only_and_shows_no_password() {
    let home = Home::new();
    // a port where nobody listens: it was free a moment ago
    let port = {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        free.local_addr().unwrap().port()
    };
    let run = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        let address = format!("postgres://ada:hush@127.0.0.1:{port}/team");
        Ended::of(command.env("QUERENT_MEMORY", address).output().unwrap())
    };
    let asked = run(ASK);
    assert_eq!(asked.code, 0, "{asked:?}");
    let notice = format!("Runs are not remembered: memory at postgres://ada@127.0.0.1:{port}/team");
    assert!(asked.err.contains(&notice), "{asked:?}");
    let replayed = run(&["replay", "last"]);
    assert_eq!(replayed.code, 2, "{replayed:?}");
    let config = run(&["config"]);
    for ended in [asked, replayed, config] {
        assert!(!format!("{}{}", ended.out, ended.err).contains("hush"), "{ended:?}");
    }
}
