//! `askback inbox` on a real terminal.

use askback_api::inquiry::{InquiryStatus, NewInquiryParams};
use askback_api::list::ListInquiriesParams;
use serde_json::json;

use super::binary::askback;
use super::pty::Pty;
use super::server::{Directory, Server, TOKEN};

const VARS: [(&str, &str); 2] = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];

fn data(directory: &Directory) -> String {
    let path = directory.path().join("data");
    path.to_str().expect("the path is text").to_owned()
}

async fn ask(server: &Server, source: &str, header: &str, expires_in: Option<&str>) {
    let question = json!({"question": format!("What about {header}?"), "header": header,
        "options": ["Yes", "No"]});
    let params = NewInquiryParams {
        input: json!({ "questions": [question] }),
        source: Some(source.to_owned()),
        expires_in: expires_in.map(|span| span.parse().expect("a span")),
        ..NewInquiryParams::default()
    };
    server.client.ask(&params).await.expect("it is asked");
}

/// X06: three questions of two agents, in the order of the server, answered one after the other;
/// a new one appears by itself.
#[tokio::test]
async fn questions_are_answered_one_after_the_other() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    ask(&server, "builder", "Oldest", None).await;
    ask(&server, "planner", "Younger", None).await;
    ask(&server, "builder", "Closing", Some("2h")).await;
    let pending = ListInquiriesParams {
        status: Some(InquiryStatus::Pending),
        ..ListInquiriesParams::default()
    };
    let listed = server.client.inquiries(&pending).await;
    let listed: Vec<String> = listed
        .expect("they are listed")
        .items
        .iter()
        .map(|one| one.questions[0].header.clone().unwrap_or_default())
        .collect();
    let mut pty = Pty::with(&["inbox", "--data", &data(&directory)], &VARS, (80, 24));
    pty.shows("3 questions wait");
    let screen = pty.screen().join("\n");
    let place = |name: &str| {
        screen
            .find(&format!(" {name}  "))
            .expect("it is in the list")
    };
    assert!(place("Closing") < place("Oldest") && place("Oldest") < place("Younger"));
    assert_eq!(listed, ["Closing", "Oldest", "Younger"]);
    pty.send("g");
    pty.shows(">   Closing  builder");
    pty.send("1");
    pty.shows("✔ Closing: Yes");
    pty.shows(">   Oldest  builder");
    pty.send("2");
    pty.shows("✔ Oldest: No");
    pty.shows(">   Younger  planner");
    pty.send("\r");
    pty.shows("What about Younger?");
    pty.send("1");
    pty.shows("✔ Younger: Yes");
    pty.shows("New questions appear here by themselves");
    ask(&server, "planner", "Another", None).await;
    pty.shows(">   Another  planner");
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    assert!(
        pty.log().contains("\x1b[?1049l"),
        "the screen is given back"
    );
    let run = askback(
        &[
            "list",
            "--status",
            "answered",
            "--json",
            "--data",
            &data(&directory),
            "--token",
            TOKEN,
        ],
        "",
    );
    assert_eq!(run.out.lines().count(), 3, "{run:?}");
    server.kill();
}

/// T28: the terminal is given back after SIGTERM, the alternate screen included.
#[tokio::test]
async fn terminal_is_restored_after_sigterm() {
    let directory = Directory::new();
    let shell = format!(
        "stty -a > {0}/before; \
         (while ! [ -e {0}/go ]; do sleep 0.1; done; kill -TERM $(cat {0}/pid)) & \
         sh -c 'echo $$ > {0}/pid; exec $ASKBACK inbox --data {0}/data'; echo code $?; \
         stty -a > {0}/after; cmp {0}/before {0}/after && echo same",
        directory.path().display()
    );
    let mut pty = Pty::shell(&shell, &[]);
    pty.shows("Nothing waits for you");
    std::fs::write(directory.path().join("go"), "").expect("the file is written");
    pty.shows("same");
    assert_eq!(pty.ends(), 0);
    let screen = pty.screen().join("\n");
    assert!(screen.contains("code 143"), "{screen}");
    assert!(!screen.contains("Nothing waits"), "{screen}");
}

/// Without a terminal it is the list.
#[test]
fn without_a_terminal_it_lists() {
    let directory = Directory::new();
    let run = askback(&["inbox", "--data", &data(&directory)], "");
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    assert_eq!(run.err, "No questions are pending.\n");
}
