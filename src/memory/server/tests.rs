//! Tests of what only a shared memory can do. They need a server, which `QUERENT_POSTGRES` names.

#![expect(clippy::print_stdout, reason = "what is skipped is said")]

use std::collections::BTreeSet;

use tokio::runtime::Runtime;
use tokio_postgres::SimpleQueryMessage;
use uuid::Uuid;

use super::*;
use crate::domain::Status;
use crate::memory::Memory;
use crate::memory::tests::run_of;
use crate::record::lines;

/// A database of a test's own, dropped with it.
pub(in crate::memory) struct Team {
    runtime: Runtime,
    /// The server's address, with `DATABASE` for the database.
    server: String,
    database: String,
}

impl Team {
    /// Makes a database; none where there is no server.
    pub(in crate::memory) fn new() -> Option<Self> {
        let Ok(address) = std::env::var("QUERENT_POSTGRES") else {
            println!("skipped over PostgreSQL: QUERENT_POSTGRES is not set");
            return None;
        };
        let server = address.rsplit_once('/').unwrap().0.to_owned();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let database = format!("memory_{}", Uuid::now_v7().simple());
        let team = Team { runtime, server, database };
        team.administer(&format!("CREATE DATABASE {}", team.database));
        Some(team)
    }

    fn address(&self) -> String {
        format!("{}/{}", self.server, self.database)
    }

    /// The memory as one of the team sees it. The calling thread can use it from now on.
    pub(in crate::memory) fn memory(&self, user: &str) -> Memory {
        // the guard is kept for as long as the thread lives, as in a thread of the runtime's own
        std::mem::forget(self.runtime.enter());
        Memory::shared(&self.address(), user).unwrap()
    }

    fn sql(&self, address: &str, sql: &str) -> Vec<String> {
        let config = connecting::parse(address).unwrap();
        let rows = self.runtime.block_on(async {
            let mut line = Line::open(&config).await.unwrap();
            let ask =
                async |client: &mut Client| client.simple_query(sql).await.map_err(Trouble::from);
            line.carry(&ask).await.unwrap()
        });
        let texts = rows.iter().filter_map(|row| {
            let SimpleQueryMessage::Row(row) = row else { return None };
            row.get(0).map(str::to_owned)
        });
        texts.collect()
    }

    /// Asks the team's database something of its own.
    fn ask(&self, sql: &str) -> Vec<String> {
        self.sql(&self.address(), sql)
    }

    fn administer(&self, sql: &str) -> Vec<String> {
        self.sql(&format!("{}/postgres", self.server), sql)
    }

    /// Ends all connections to the team's database, as a server that restarts does.
    fn hang_up(&self) {
        let ended = self.administer(&format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'",
            self.database
        ));
        assert!(!ended.is_empty(), "somebody was connected");
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.administer(&format!("DROP DATABASE {} WITH (FORCE)", self.database));
        }
    }
}

fn answered(run: &str) -> Vec<crate::domain::Event> {
    run_of(run, "How many bookings?", None, Status::Answered)
}

#[test]
fn eight_querents_store_rate_and_verify_at_once_and_nothing_is_lost() {
    let Some(team) = Team::new() else { return };
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let team = &team;
            scope.spawn(move || {
                let memory = team.memory(&format!("user {writer}"));
                for n in 0..50 {
                    let run = format!("{writer}-{n:02}");
                    memory.store(&answered(&run)).unwrap();
                    // a run that all store, rate and verify
                    memory.store(&answered("shared")).unwrap();
                    memory.rate(&run, Some(n % 2 == 0)).unwrap();
                    memory.rate("shared", Some(true)).unwrap();
                    memory.verify(&run, "Ada", "2026-11-30").unwrap();
                }
            });
        }
    });
    let memory = team.memory("ada");
    let runs = memory.list(None, 1_000).unwrap();
    let ids: BTreeSet<_> = runs.iter().map(|run| run.run.0.as_str()).collect();
    assert_eq!((runs.len(), ids.len()), (401, 401));
    assert_eq!(runs.iter().filter(|run| run.rating == "+").count(), 8 * 25 + 1);
    assert_eq!(runs.iter().filter(|run| run.rating == "-").count(), 8 * 25);
    assert_eq!(memory.verified("demo:reservo").unwrap().len(), 400);
    for run in ids {
        let written = |events: &[_]| -> Vec<String> {
            events.iter().map(|event| lines::write(event).unwrap()).collect()
        };
        assert_eq!(written(&memory.load(run).unwrap()), written(&answered(run)), "{run}");
    }
}

#[test]
fn eight_querents_that_come_first_migrate_once() {
    let Some(team) = Team::new() else { return };
    let together = std::sync::Barrier::new(8);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let memory = team.memory("ada");
                together.wait();
                memory.reach().unwrap();
            });
        }
    });
    let versions = team.ask("SELECT version FROM querent.versions ORDER BY version");
    let known: Vec<String> = (1..=migrations::MIGRATIONS.len()).map(|n| n.to_string()).collect();
    assert_eq!(versions, known);
}

#[test]
fn a_memory_of_a_newer_querent_is_left_alone() {
    let Some(team) = Team::new() else { return };
    let old = team.memory("ada");
    old.store(&answered("1")).unwrap();
    team.ask("INSERT INTO querent.versions (version) VALUES (99)");
    // one that is at work already reads on, and writes no more
    let told = old.store(&answered("2")).unwrap_err().to_string();
    assert!(told.contains("newer Querent (tables version 99, this program knows"), "{told}");
    assert_eq!(old.list(None, 9).unwrap().len(), 1);
    let told = team.memory("ada").list(None, 9).unwrap_err().to_string();
    assert!(told.contains("newer Querent"), "{told}");
}

#[test]
fn a_lost_connection_is_made_again_at_next_use() {
    let Some(team) = Team::new() else { return };
    let memory = team.memory("ada");
    memory.store(&answered("1")).unwrap();
    team.hang_up();
    memory.store(&answered("2")).unwrap();
    team.hang_up();
    assert_eq!(memory.list(None, 9).unwrap().len(), 2);
}

#[test]
fn the_last_run_is_that_of_who_asks() {
    let Some(team) = Team::new() else { return };
    let (ada, bob) = (team.memory("ada"), team.memory("bob"));
    ada.store(&answered("1")).unwrap();
    bob.store(&answered("2")).unwrap();
    assert_eq!(ada.load("last").unwrap()[0].run.0, "1");
    assert_eq!(bob.load("last").unwrap()[0].run.0, "2");
    let by: Vec<String> = ada.list(None, 9).unwrap().into_iter().map(|r| r.asked_by).collect();
    assert_eq!(by, ["bob", "ada"]);
    // storing it again is no new asking
    ada.store(&answered("2")).unwrap();
    assert_eq!(bob.load("last").unwrap()[0].run.0, "2");
}

#[test]
fn who_may_not_make_tables_uses_those_that_are_there() {
    let Some(team) = Team::new() else { return };
    let role = format!("m{}", Uuid::now_v7().simple());
    team.administer(&format!("CREATE ROLE {role} LOGIN"));
    let (_, host) = team.server.split_once('@').unwrap();
    let of_role = || Memory::shared(&format!("postgres://{role}@{host}/{}", team.database), "bob");
    let told = of_role().unwrap();
    let _ada = team.memory("ada");
    let told = told.reach().unwrap_err().to_string();
    assert!(told.contains("permission denied") && told.contains("the schema querent"), "{told}");
    team.memory("ada").store(&answered("1")).unwrap();
    team.ask(&format!(
        "GRANT USAGE ON SCHEMA querent TO {role};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA querent TO {role}"
    ));
    let bob = of_role().unwrap();
    bob.store(&answered("2")).unwrap();
    bob.rate("1", Some(true)).unwrap();
    assert_eq!(bob.list(None, 9).unwrap()[1].rating, "+");
    drop(bob);
    team.ask(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
}

#[test]
fn a_server_that_is_not_there_is_named_without_its_password_and_asked_once() {
    let runtime = Runtime::new().unwrap();
    let _guard = runtime.enter();
    // a port that was just free, and whose listener never answers
    let deaf = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = deaf.local_addr().unwrap().port();
    let memory = Memory::shared(&format!("postgres://ada:hush@127.0.0.1:{port}/team"), "ada");
    let memory = memory.unwrap();
    let told = memory.reach().unwrap_err().to_string();
    let place = format!("memory at postgres://ada@127.0.0.1:{port}/team can't be used: ");
    assert_eq!(told, format!("{place}it did not answer within 5 s"));
    let again = Instant::now();
    assert_eq!(memory.reach().unwrap_err().to_string(), told);
    assert!(again.elapsed() < Duration::from_secs(1), "a run doesn't wait twice");
    drop(deaf);
    let gone = Memory::shared(&format!("postgres://ada:hush@127.0.0.1:{port}/team"), "ada");
    let told = gone.unwrap().reach().unwrap_err().to_string();
    assert!(told.starts_with(&format!("{place}error connecting to server")), "{told}");
}
