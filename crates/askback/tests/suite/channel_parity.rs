//! The agent cannot tell from its result where a question was answered.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use askback_core::id::InquiryId;
use askback_wire::actor::SurfaceName;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::link::NewLinkParams;
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::channel_links::links_of;
use super::no_script_form::Browser;
use super::support::channel_server::ChannelServer;
use super::support::mcp_client::only_open;
use super::support::mcp_dialog::{Dialog, accept, agent_with_dialogs};
use super::support::run_binary::askback;
use super::support::server_process::{Directory, TOKEN};
use super::support::telegram_chat::database;
use super::surface_parity::inbox;

/// A program that keeps its arguments and its input, and answers with the second choice unless it must be quiet.
const PROGRAM: &str = "#!/bin/sh\n\
    printf '%s\\n' \"$@\" >> \"$0.args\"\ncat >> \"$0.input\"\n\
    [ \"$ASKBACK_EVENT\" = asked ] && [ ! -e \"$0.quiet\" ] && echo 2\nexit 0\n";

/// Writes the program and returns its path.
fn program(directory: &Directory) -> String {
    let path = directory.path().join("answer.sh");
    fs::write(&path, PROGRAM).expect("it can be written");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&path, mode).expect("it can be run");
    path.to_str().expect("the path is text").to_owned()
}

fn people(program: &str) -> String {
    format!(
        "[channels.desk]\nkind = 'command'\nrun = ['{program}', '{{title}}', '{{text}}']\nundo_seconds = 0\n\
         [recipients.zoe]\nidentities = ['telegram:42']\n\
         [recipients.ben]\nidentities = ['slack:U7']\n\
         [recipients.phone]\nidentities = ['ntfy:a-topic']\n\
         [recipients.mail]\nidentities = ['email:ben@example.org']\n\
         [recipients.desk]\nidentities = ['command:desk']\n"
    )
}

/// What the agent gets, without what differs for each question.
fn result_of(ended: &InquiryResponse) -> String {
    let result = json!({ "outcome": ended.outcome, "result": ended.result });
    result.to_string().replace(ended.id.as_str(), "ID")
}

async fn answered_over_http(run: &ChannelServer) -> InquiryResponse {
    let asked = run.ask(database(), Some("zoe")).await;
    let params = AnswerParams {
        answers: json!({ "q1": "PostgreSQL" }),
        ..AnswerParams::default()
    };
    let answered = run.server.client.answer(&asked.id, &params).await;
    answered.expect("it is answered");
    run.outcome(&asked).await
}

async fn answered_on_the_command_line(run: &ChannelServer) -> InquiryResponse {
    let asked = run.ask(database(), Some("zoe")).await;
    let url = run.server.address.as_str();
    let args = [
        "answer",
        asked.id.as_str(),
        "--choose",
        "PostgreSQL",
        "--url",
        url,
        "--token",
        TOKEN,
    ];
    assert_eq!(askback(&args, "").code, Some(0));
    run.outcome(&asked).await
}

async fn answered_in_telegram(run: &ChannelServer) -> InquiryResponse {
    let asked = run.ask(database(), Some("zoe")).await;
    let marker = asked.id.as_str().trim_start_matches("inq_").to_owned();
    let mut found = None;
    run.until("the message arrives", || {
        let messages = run.telegram.messages();
        let mut presses = messages.iter().flat_map(|message| {
            let buttons = message.buttons().into_iter();
            buttons.map(|(label, data)| (message.id, label, data))
        });
        found = presses.find(|(_, label, data)| label == "PostgreSQL" && data.starts_with(&marker));
        found.is_some()
    })
    .await;
    let (message, _, data) = found.expect("it is found");
    run.telegram.press(42, message, &data);
    run.outcome(&asked).await
}

async fn answered_in_slack(run: &ChannelServer) -> InquiryResponse {
    let asked = run.ask(database(), Some("ben")).await;
    run.until("the message arrives", || !run.slack.messages().is_empty())
        .await;
    let card = run.slack.messages().remove(0);
    run.slack
        .press_message("e1", "U7", &card, &card.buttons()[1].1);
    run.outcome(&asked).await
}

async fn answered_on_the_phone(run: &ChannelServer) -> InquiryResponse {
    let asked = run.ask(database(), Some("phone")).await;
    let published = run.ntfy.wait_for(1).await.remove(0).json();
    let url = published["actions"][1]["url"].as_str().expect("a URL");
    assert_eq!(run.send("POST", url, "").0, 200);
    run.outcome(&asked).await
}

async fn answered_in_a_mail(run: &ChannelServer) -> InquiryResponse {
    let asked = run.ask(database(), Some("mail")).await;
    run.until("the mail arrives", || !run.smtp.mails().is_empty())
        .await;
    let links = links_of(&run.smtp.mails().remove(0).source);
    let mut presses = links.iter().filter(|link| link.contains("/press/"));
    let wanted = presses.find(|link| {
        let (_, page) = run.send("GET", link, "");
        page.contains("PostgreSQL") && !page.contains("SQLite")
    });
    assert_eq!(run.send("POST", wanted.expect("it has a link"), "").0, 200);
    run.outcome(&asked).await
}

async fn answered_on_the_page(run: &ChannelServer) -> InquiryResponse {
    let asked = run.ask(database(), Some("zoe")).await;
    let browser = Browser::new(&run.server);
    let path = format!("/q/{}", asked.id);
    let (_, page) = browser.get(&path);
    let (status, reply) = browser.post(&path, &page, &[("q1", "PostgreSQL")]);
    assert_eq!(status, 303, "{reply}");
    run.outcome(&asked).await
}

/// With a link to this one question, without a session.
async fn answered_with_a_link(run: &ChannelServer) -> InquiryResponse {
    let asked = run.ask(database(), Some("zoe")).await;
    let params = NewLinkParams::default();
    let link = run.server.client.link(&asked.id, &params).await;
    let link = link.expect("a link is made").url;
    let path = link.find("/q/").map(|start| &link[start..]);
    let path = path.expect("it leads to the question");
    let guest = Browser {
        cookie: String::new(),
        ..Browser::new(&run.server)
    };
    let (_, page) = guest.get(path);
    let (status, reply) = guest.post(path, &page, &[("q1", "PostgreSQL")]);
    assert_eq!(status, 303, "{reply}");
    run.outcome(&asked).await
}

async fn answered_in_the_terminal(run: &ChannelServer) -> InquiryResponse {
    let asked = run.ask(database(), Some("zoe")).await;
    let mut pty = inbox(&run.directory);
    pty.shows("1 question waiting");
    pty.send("\r");
    pty.shows("╭─");
    pty.send("2");
    let ended = run.outcome(&asked).await;
    pty.kill();
    ended
}

/// In a dialog of the agent's own client. Its questions are for everybody, so the program must not answer.
async fn answered_in_an_mcp_dialog(run: &ChannelServer, program: &str) -> InquiryResponse {
    fs::write(format!("{program}.quiet"), "").expect("it can be written");
    let mut agent = agent_with_dialogs(&run.directory, &[]);
    let dialog = Dialog::open(&mut agent, "ask_user_question", &database());
    let id = InquiryId::new(only_open(&run.server.client).await);
    let call = dialog.reply(&mut agent, &accept(&json!({ "question_0": "PostgreSQL" })));
    agent.result(call);
    let ended = run.server.client.inquiry(&id).await.expect("it is read");
    assert_eq!(agent.leave(), Some(0));
    ended
}

/// The same question, answered in the same way on each surface, gives byte-equal results.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_are_byte_equal_on_all_surfaces() {
    let directory = Directory::new();
    let program = program(&directory);
    let run = ChannelServer::start(&people(&program)).await;
    let by_command = run.ask(database(), Some("desk")).await;
    let all = [
        (SurfaceName::Http, answered_over_http(&run).await),
        (SurfaceName::Cli, answered_on_the_command_line(&run).await),
        (SurfaceName::Telegram, answered_in_telegram(&run).await),
        (SurfaceName::Slack, answered_in_slack(&run).await),
        (SurfaceName::Ntfy, answered_on_the_phone(&run).await),
        (SurfaceName::Command, run.outcome(&by_command).await),
        (SurfaceName::Email, answered_in_a_mail(&run).await),
        (SurfaceName::Web, answered_on_the_page(&run).await),
        (SurfaceName::Link, answered_with_a_link(&run).await),
        (SurfaceName::Terminal, answered_in_the_terminal(&run).await),
        (
            SurfaceName::Mcp,
            answered_in_an_mcp_dialog(&run, &program).await,
        ),
    ];
    let expected = result_of(&all[0].1);
    assert!(expected.contains("PostgreSQL"), "{expected}");
    for (surface, ended) in &all {
        assert_eq!(ended.surface.as_ref(), Some(surface));
        assert_eq!(result_of(ended), expected, "{surface}");
    }
}

/// A hostile question arrives in arguments and input as text, and nothing of it is run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hostile_question_is_text_for_a_command() {
    let directory = Directory::new();
    let program = program(&directory);
    let run = ChannelServer::start(&people(&program)).await;
    let trap = directory.path().join("trap");
    let hostile = format!(
        "$(touch {0}) `touch {0}` '; touch {0}; \" && touch {0} %s {{id}}",
        trap.display()
    );
    let input = json!({ "question": hostile, "options": ["A", "--help"] });
    let asked = run.ask(input, Some("desk")).await;
    let ended = run.outcome(&asked).await;
    assert_eq!(ended.surface, Some(SurfaceName::Command));
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["values"], json!(["--help"]));
    let arguments = fs::read_to_string(format!("{program}.args")).expect("it was run");
    assert!(arguments.contains(&hostile), "{arguments}");
    let input = fs::read_to_string(format!("{program}.input")).expect("it was run");
    let first = serde_json::Deserializer::from_str(&input)
        .into_iter::<Value>()
        .next();
    let first = first.expect("there is input").expect("it is JSON");
    assert!(
        first["text"].as_str().expect("a text").contains(&hostile),
        "{first}"
    );
    assert!(!trap.exists());
}
