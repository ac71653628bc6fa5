//! Errors and warnings of the command line name the flag that helps.

use std::net::TcpListener;

use askback_wire::inquiry::NewInquiryParams;
use serde_json::json;

use super::support::pty::Pty;
use super::support::run_binary::{Run, askback, command};
use super::support::server_process::{Directory, Server, TOKEN};

const TOKEN_FLAG: [&str; 2] = ["--token", TOKEN];

fn server(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "Hello"}]}))
}

fn at<'a>(server: &'a Server, args: &[&'a str]) -> Run {
    let args = [args, &["--url", &server.address], &TOKEN_FLAG].concat();
    askback(&args, "")
}

async fn ask(server: &Server) -> String {
    let params = NewInquiryParams {
        input: json!({"question": "Deploy now?", "options": ["Yes", "No"]}),
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&params).await.expect("it is asked");
    asked.id.to_string()
}

#[test]
fn serve_with_a_busy_port_names_listen() {
    let directory = Directory::new();
    let other = TcpListener::bind("127.0.0.1:0").expect("it binds");
    let address = other.local_addr().expect("an address").to_string();
    let data = directory.path().join("data").display().to_string();
    let run = askback(&["serve", "--data", &data, "--listen", &address], "");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("--listen 127.0.0.1:0"), "{run:?}");
}

#[test]
fn port_alone_is_refused_with_an_address_that_has_it() {
    for listen in ["8099", ":8099"] {
        let run = askback(&["serve", "--listen", listen], "");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains("127.0.0.1:8099"), "{run:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answer_without_an_answer_names_the_flags() {
    let directory = Directory::new();
    let server = server(&directory);
    let id = ask(&server).await;
    let run = at(&server, &["answer", &id]);
    assert_eq!(run.code, Some(2), "{run:?}");
    for flag in ["--choose", "--text", "--json", "--decline", "--cancel"] {
        assert!(run.err.contains(flag), "{flag}: {run:?}");
    }
}

#[test]
fn unknown_id_is_named_by_answer_and_link() {
    let directory = Directory::new();
    let server = server(&directory);
    let id = "inq_01aaaaaaaaaaaaaaaaaaaaaaaa";
    for args in [
        &["answer", id, "--choose", "Yes"][..],
        &["answer", id, "--decline"],
        &["link", id],
    ] {
        let run = at(&server, args);
        assert_eq!(run.code, Some(2), "{run:?}");
        let expected = format!("No question has the id {id}. `askback list`");
        assert!(run.err.contains(&expected), "{run:?}");
    }
}

#[test]
fn refused_token_names_token_file() {
    let directory = Directory::new();
    let server = server(&directory);
    for args in [
        &["list"][..],
        &["answer", "inq_01aaaaaaaaaaaaaaaaaaaaaaaa", "--decline"],
        &["sessions"],
        &["watch"],
    ] {
        let args = [args, &["--url", &server.address]].concat();
        let run = askback(&args, "");
        assert_ne!(run.code, Some(0), "{run:?}");
        assert!(run.err.contains("--token-file FILE"), "{run:?}");
    }
}

#[test]
fn unreachable_server_names_url() {
    let run = askback(
        &["list", "--url", "http://127.0.0.1:1", "--token", TOKEN],
        "",
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("--url"), "{run:?}");
}

#[test]
fn flags_for_a_new_server_warn_if_one_runs() {
    let directory = Directory::new();
    let _server = server(&directory);
    let data = directory.path().join("data").display().to_string();
    let run = askback(
        &[
            "list",
            "--data",
            &data,
            "--provider",
            "openai",
            "--model",
            "x",
        ],
        "",
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.err.contains("--provider, --model have no effect"),
        "{run:?}"
    );
    // A variable may be meant for another command.
    let run = command(&["list", "--data", &data])
        .env("ASKBACK_PROVIDER", "openai")
        .output()
        .expect("it runs");
    let err = String::from_utf8(run.stderr).expect("text");
    assert!(!err.contains("no effect"), "{err}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn link_that_only_this_machine_can_open_warns() {
    let directory = Directory::new();
    let server = server(&directory);
    let id = ask(&server).await;
    let run = at(&server, &["link", &id]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.err.contains("--public-url"), "{run:?}");
    let directory = Directory::new();
    let server = Server::start_with(&directory, &["--public-url", "https://ask.example"]);
    let id = ask(&server).await;
    let run = at(&server, &["link", &id]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
}

/// The exit code is that of the failure, and the next command works as it is printed.
#[test]
fn piped_chat_that_fails_exits_with_1() {
    let directory = Directory::new();
    let data = directory.path().join("data").display().to_string();
    let nowhere = ["--base-url", "http://127.0.0.1:1", "--model", "x"];
    let args = [
        &["chat", "--data", &data, "--provider", "openai"][..],
        &nowhere,
    ]
    .concat();
    let run = askback(&args, "hello\n");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("--base-url"), "{run:?}");
    let resume = format!(" --data {data}");
    assert!(run.err.contains(&resume), "{run:?}");
}

/// The demo has its own data: other commands need --data to see its questions.
#[test]
fn demo_says_how_to_reach_its_questions() {
    let directory = Directory::new();
    let run = command(&["demo"])
        .env("XDG_DATA_HOME", directory.path())
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it runs");
    let err = String::from_utf8(run.stderr).expect("text");
    assert_eq!(run.status.code(), Some(3), "{err}");
    let data = directory.path().join("askback/demo");
    let flags = format!(" --data {}", data.display());
    let line = err
        .lines()
        .find(|line| line.contains("askback answer inq_"));
    let line = line.unwrap_or_else(|| panic!("{err}"));
    assert!(line.ends_with(&flags), "{line}");
    let list = askback(&["list", "--data", &data.display().to_string()], "");
    assert!(list.out.contains("pending"), "{list:?}");
    let help = askback(&["demo", "--help"], "");
    assert!(help.out.contains("askback list --data"), "{help:?}");
}

/// Without the flags of the model, another script would take the conversation over.
#[test]
fn command_that_continues_a_chat_repeats_the_model() {
    let directory = Directory::new();
    let script = directory.path().join("script.json");
    std::fs::write(&script, r#"{"steps": [{"say": "Hello"}]}"#).expect("it is written");
    let data = directory.path().join("data").display().to_string();
    let provider = format!("scripted:{}", script.display());
    let run = askback(&["chat", "--data", &data, "--provider", &provider], "Hi\n");
    assert_eq!(run.code, Some(0), "{run:?}");
    let said = format!("{}{}", run.out, run.err);
    assert!(said.contains(&format!("--provider {provider}")), "{run:?}");
}

#[test]
fn script_that_cannot_be_read_is_reported_once() {
    let directory = Directory::new();
    let data = directory.path().join("data").display().to_string();
    let run = askback(
        &["chat", "--data", &data, "--provider", "scripted:none.json"],
        "Hi\n",
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(run.err.matches("No such file").count(), 1, "{run:?}");
}

/// A retry says why, in the chat and in lines.
#[test]
fn retry_says_why() {
    let directory = Directory::new();
    let data = directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    let args = [
        "chat",
        "--data",
        data,
        "--provider",
        "anthropic",
        "--model",
        "x",
        "--base-url",
        "http://127.0.0.1:1",
    ];
    let vars = [
        ("ASKBACK_API_KEY", "a-key-that-stays-here"),
        ("ASKBACK_ARM_MS", "0"),
    ];
    for lines in [&[][..], &["--lines"]] {
        let mut pty = Pty::with(&[&args[..], lines].concat(), &vars, (100, 24));
        pty.shows("message");
        pty.send("hello\r");
        pty.shows("Cannot reach 127.0.0.1 (connection refused), retry 2 of 6");
        assert!(!pty.log().contains("a-key-that-stays-here"));
        pty.kill();
    }
}
