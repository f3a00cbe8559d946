//! Ctrl-C ends a measurement with a report of what was scored by then.

use std::process::{Command, Stdio};

use super::program::Ended;
use super::server::{End, Played, Server};
use super::shop::{home, set, ten};

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_measurement_says_so_and_ends_with_130() {
    let (home, folder) = home();
    let set = set(&home, "ten.jsonl", &ten()[..4]);
    let word = r#"data: {"choices":[{"index":0,"delta":{"content":"SELECT "}}]}"#;
    // every reply goes on and on
    let endless = Played::events(&format!("{word}\n\n")).end(End::Endless);
    let mut server = Server::start(vec![endless]).await;
    let arguments = ["eval", &set, "--db-dir", &folder, "--model", "openai:endless", "--json"];
    let mut command = home.command(&arguments);
    command.env("OPENAI_API_KEY", "none");
    command.env("OPENAI_BASE_URL", format!("{}/v1", server.address));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while server.got().is_empty() {
        tokio::task::yield_now().await;
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let ended = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap());
    server.client_gone().await;
    let ended = Ended::of(ended.await.unwrap());
    assert_eq!(ended.code, 130, "{ended:?}");
    let report = ended.json();
    assert_eq!(report["cancelled"], true);
    assert_eq!(report["models"][0]["questions"], 0);
    assert!(ended.err.contains("stopping"), "{}", ended.err);
}
