//! Names to models: specs, addresses, keys by command, cassettes.

use futures_util::StreamExt;

use super::endpoint::{self, find};
use super::*;
use crate::domain::{Role, Turn};

fn settings(variables: &[(&str, &str)]) -> ModelSettings {
    let environment = Environment::of(variables.iter().copied());
    ModelSettings { environment, ..ModelSettings::default() }
}

fn request(text: &str, date: &str) -> Request {
    let turn = Turn { role: Role::User, text: text.to_owned() };
    let prompt = Prompt {
        system: format!("Today is {date}."),
        turns: vec![turn],
        date: date.to_owned(),
        varied: false,
    };
    Request { prompt, call: 0, id: None }
}

async fn ask(
    model: &Arc<dyn ModelClient>,
    request: Request,
) -> (Vec<String>, Result<Done, ModelError>) {
    let chunks: Vec<_> = model.stream(request).collect().await;
    let mut texts = Vec::new();
    for chunk in chunks {
        match chunk {
            Ok(Chunk::Text(text)) => texts.push(text),
            Ok(Chunk::Retrying(_)) => {}
            Ok(Chunk::Done(done)) => return (texts, Ok(done)),
            Err(error) => return (texts, Err(error)),
        }
    }
    panic!("a stream says how it ended")
}

fn url(spec: &str, settings: &ModelSettings) -> String {
    let endpoint = find(spec, settings).unwrap();
    let path = match endpoint.protocol {
        providers::Protocol::Completions => "/chat/completions",
        providers::Protocol::Messages => "/v1/messages",
    };
    endpoint.url(path).to_string()
}

#[test]
fn a_provider_alone_means_its_default_model() {
    let keyed = settings(&[("ANTHROPIC_API_KEY", "k")]);
    assert_eq!(find("anthropic", &keyed).unwrap().spec, "anthropic:claude-sonnet-5");
    assert_eq!(find("ollama:llama3.2:3b", &keyed).unwrap().model, "llama3.2:3b");
    let error = find("ollama", &keyed).err().unwrap();
    assert_eq!(error.to_string(), "'ollama' needs a model's name");
}

#[test]
fn an_unknown_provider_lists_the_known_ones() {
    let error = open("opnai:gpt", &settings(&[])).err().unwrap();
    assert_eq!(error.to_string(), "there is no model provider named 'opnai'");
    assert!(error.hint().contains("anthropic, openai, groq, mistral, gemini, ollama"));
}

#[test]
fn addresses_come_from_the_environment_then_the_file_then_the_table() {
    let key = ("OPENAI_API_KEY", "k");
    assert_eq!(url("openai:m", &settings(&[key])), "https://api.openai.com/v1/chat/completions");
    let file = ModelSettings {
        base_urls: vec![("openai".into(), "https://p.example/api/".into())],
        ..settings(&[key])
    };
    assert_eq!(url("openai:m", &file), "https://p.example/api/chat/completions");
    let variables = [key, ("OPENAI_BASE_URL", "http://localhost:9/v1")];
    let both = ModelSettings { base_urls: file.base_urls, ..settings(&variables) };
    assert_eq!(url("openai:m", &both), "http://localhost:9/v1/chat/completions");
}

#[test]
fn a_version_in_the_address_is_not_doubled() {
    for base in ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/"] {
        let settings = settings(&[("ANTHROPIC_BASE_URL", base)]);
        assert_eq!(url("anthropic", &settings), "http://h:1/v1/messages", "{base}");
    }
}

#[test]
fn the_ollama_host_may_be_written_in_its_own_ways() {
    for (host, address) in [
        ("127.0.0.1", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0:1234", "http://127.0.0.1:1234/v1"),
        (":1234", "http://127.0.0.1:1234/v1"),
        ("box.lan", "http://box.lan:11434/v1"),
        ("http://box.lan:80/", "http://box.lan/v1"),
        ("https://box.lan/ollama/v1", "https://box.lan/ollama/v1"),
    ] {
        let endpoint = find("ollama:m", &settings(&[("OLLAMA_HOST", host)])).unwrap();
        assert_eq!(endpoint.shown(), address, "{host}");
    }
}

#[test]
fn only_this_machine_counts_as_not_remote() {
    for (base, remote) in [
        ("http://localhost:1", false),
        ("http://127.9.9.9:1", false),
        ("http://[::1]:1", false),
        ("http://192.168.1.5:1", true),
        ("https://localhost.example.com", true),
    ] {
        let settings = settings(&[("OPENAI_BASE_URL", base)]);
        assert_eq!(find("openai:m", &settings).unwrap().remote, remote, "{base}");
    }
}

#[test]
fn a_wrong_address_is_named_without_what_it_hides() {
    let settings = settings(&[("OPENAI_BASE_URL", "ftp://u:hush@h")]);
    let error = find("openai:m", &settings).err().unwrap();
    assert_eq!(error.to_string(), "the address of OpenAI is no web address: it starts with ftp:");
    assert!(!format!("{error:?}").contains("hush"));
    let url = reqwest::Url::parse("https://u:hush@h:1/v1/?k=hush").unwrap();
    assert_eq!(endpoint::shown(&url), "https://h:1/v1");
}

#[test]
fn a_server_of_ones_own_needs_only_an_address() {
    let settings = ModelSettings {
        base_urls: vec![("my-gpu".into(), "http://gpu:8000/v1".into())],
        ..settings(&[("MY_GPU_API_KEY", "k")])
    };
    let endpoint = find("my-gpu:qwen", &settings).unwrap();
    assert_eq!(endpoint.key_variable, "MY_GPU_API_KEY");
    assert_eq!(url("my-gpu:qwen", &settings), "http://gpu:8000/v1/chat/completions");
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_prints_the_key_and_its_failure_is_a_sentence() {
    let with = |command: &str| ModelSettings {
        key_commands: vec![("openai".into(), command.into())],
        ..settings(&[])
    };
    let endpoint = find("openai:m", &with("printf 'k-1\\nsecond line\\n'")).unwrap();
    assert_eq!(endpoint.key().await.unwrap().unwrap().0, "k-1");
    for command in ["exit 3", "true", "no-such-program-here"] {
        let error = find("openai:m", &with(command)).unwrap().key().await.err().unwrap();
        assert!(matches!(error, ModelError::Key { .. }), "{command}");
        assert!(error.to_string().starts_with("the command that prints the key of OpenAI failed"));
    }
}

#[tokio::test]
async fn a_script_streams_its_replies_in_pieces() {
    let model = open("script:case-a", &settings(&[])).unwrap();
    assert!(model.scripted() && !model.remote());
    assert_eq!(model.name(), "script:case-a");
    let (pieces, end) = ask(&model, request("whatever", "")).await;
    assert!(pieces.len() > 1);
    assert!(pieces.concat().contains("price"));
    assert_eq!(end.unwrap().usage, Usage::default());
    let beyond = Request { call: 99, ..request("whatever", "") };
    let (_, end) = ask(&model, beyond).await;
    assert!(matches!(end, Err(ModelError::Missing { .. })));
}

#[tokio::test]
async fn a_replay_gives_what_was_recorded_on_another_day() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tape.jsonl").display().to_string();
    let recorder = open(&format!("record:{file}=script:case-a"), &settings(&[])).unwrap();
    assert!(recorder.scripted());
    let first = ask(&recorder, request("How much?", "2026-01-01")).await;
    let replayer = open(&format!("replay:{file}"), &settings(&[])).unwrap();
    assert!(replayer.scripted(), "a recorded script stays a script");
    let again = ask(&replayer, request("How much?", "2026-12-31")).await;
    assert_eq!(first, again);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("2026-01-01"), "the date is left out");
    assert_eq!(text.lines().count(), 1);
}

#[tokio::test]
async fn a_miss_is_an_error_that_shows_where_the_request_differs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tape.jsonl").display().to_string();
    let recorder = open(&format!("record:{file}=script:case-a"), &settings(&[])).unwrap();
    let _ = ask(&recorder, request("one\ntwo\nthree", "")).await;
    let _ = ask(&recorder, request("other", "")).await;
    let replayer = open(&format!("replay:{file}"), &settings(&[])).unwrap();
    let (_, end) = ask(&replayer, request("one\ntwo\ndrei", "")).await;
    let error = end.unwrap_err();
    assert!(matches!(error, ModelError::Missing { .. }));
    let expected = format!(
        "the cassette {file} holds no reply to this request; the closest one parts at line 4: \
         recorded is 'three', asked is 'drei'"
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_cassette_that_is_none_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tape.jsonl");
    std::fs::write(&file, "{}\n").unwrap();
    let error = open(&format!("replay:{}", file.display()), &settings(&[])).err().unwrap();
    assert!(error.to_string().contains("line 1"), "{error}");
    let error = open("replay:/no/such/tape", &settings(&[])).err().unwrap();
    assert!(error.to_string().starts_with("the cassette /no/such/tape can't be read"), "{error}");
    assert!(open("record:=script:case-a", &settings(&[])).is_err());
    assert!(open("record:/no/such/folder/t=script:case-a", &settings(&[])).is_err());
}

#[test]
fn the_fingerprint_keeps_all_but_the_date() {
    let base = fingerprint("a:b", &request("x", "2026-01-01").prompt);
    assert_eq!(base, fingerprint("a:b", &request("x", "2026-01-02").prompt));
    assert_ne!(base, fingerprint("a:c", &request("x", "2026-01-01").prompt));
    assert_ne!(base, fingerprint("a:b", &request("y", "2026-01-01").prompt));
}
