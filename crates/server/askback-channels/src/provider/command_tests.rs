use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use super::{CommandChannel, CommandConfig, CommandConfigError, argument};
use crate::card::{Card, CardState};
use crate::contract::button::{Button, Press};
use crate::contract::channel::{Address, Attention, Channel as _, Rendered, SendError};
use crate::contract::feedback::PressResult;
use crate::contract::incoming::{FieldInput, HandlerError, IncomingAction};
use crate::fake_handler::{FakeHandler, feedback};
use crate::fixtures::{at, open_card, parse, question, zoe};

/// A directory for what a command writes.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("it can be made"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap_or_default()
    }
}

fn running(run: &[&str]) -> Arc<CommandChannel> {
    let config = CommandConfig {
        run: run.iter().map(|part| (*part).to_owned()).collect(),
        pass_env: Vec::new(),
    };
    Arc::new(CommandChannel::new(config).expect("it names a program"))
}

fn to() -> Address {
    Address("zoe".to_owned())
}

/// Sends a card while the handler is listening.
async fn send(
    channel: &Arc<CommandChannel>,
    handler: &Arc<FakeHandler>,
    message: &Rendered,
) -> Result<(), SendError> {
    let to = to();
    let sending = channel.send(&to, message, Attention::Notify);
    let sent = while_receiving(channel, handler, sending).await;
    sent.map(drop)
}

async fn while_receiving<T>(
    channel: &Arc<CommandChannel>,
    handler: &Arc<FakeHandler>,
    sending: impl Future<Output = T>,
) -> T {
    let receiving = {
        let (channel, handler) = (Arc::clone(channel), Arc::clone(handler));
        tokio::spawn(async move { channel.receive(handler).await })
    };
    let sent = sending.await;
    receiving.abort();
    sent
}

fn hostile(text: &str) -> Card {
    let input = serde_json::json!({ "questions": [{
        "question": text, "header": "Header",
        "options": [{ "label": "A", "description": text }, { "label": "B", "description": "…" }],
    }] });
    open_card(parse(
        askback_core::dialect::Dialect::AskUserQuestion,
        &input,
    ))
}

/// What looks like code, an option or a placeholder arrives as text.
#[tokio::test]
async fn hostile_text_arrives_as_text_in_arguments_and_input() {
    let scratch = Scratch::new();
    let hostile_text = "$(touch pwned) `id` '; rm -rf / #\" {link} {id} %s \\n && echo";
    // The script is the operator's; the question is only in its arguments.
    let script =
        "printf '%s\\n' \"$#\" \"$1\" \"$2\" > \"$0\"; cat > \"$0.json\"; env > \"$0.env\"";
    let out = scratch.path("out");
    let channel = running(&["sh", "-c", script, &out, "{text}", "x{title}"]);
    let card = hostile(hostile_text);
    let message = channel.render(&card);
    send(&channel, &FakeHandler::new(), &message)
        .await
        .expect("it ends well");
    let arguments = scratch.read("out");
    assert!(arguments.starts_with("2\n"), "two arguments: {arguments}");
    assert!(arguments.contains(hostile_text), "{arguments}");
    let stdin: Value = serde_json::from_str(&scratch.read("out.json")).expect("it is JSON");
    assert_eq!(stdin["questions"][0]["text"], hostile_text);
    assert_eq!(stdin["event"], "asked");
    let environment = scratch.read("out.env");
    let mut names: Vec<&str> = environment
        .lines()
        .filter_map(|line| line.split_once('=').map(|(name, _)| name))
        .collect();
    names.sort_unstable();
    // The shell sets these by itself.
    names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
    let allowed = [
        "ASKBACK_EVENT",
        "ASKBACK_INQUIRY",
        "ASKBACK_LINK",
        "HOME",
        "LANG",
        "PATH",
    ];
    assert!(names.iter().all(|name| allowed.contains(name)), "{names:?}");
    assert!(environment.contains("ASKBACK_LINK=https://ask.example/q/1"));
}

#[test]
fn a_placeholder_is_replaced_once_and_is_never_an_option() {
    let values = [("title", "--exec=rm {text}"), ("text", "T")];
    assert_eq!(argument("{title}", &values), " --exec=rm {text}");
    assert_eq!(argument("say {title}!", &values), "say --exec=rm {text}!");
    assert_eq!(argument("--body={text}", &values), "--body=T");
    assert_eq!(argument("{other} {{text}", &values), "{other} {T");
    assert_eq!(argument("{", &values), "{");
    assert_eq!(argument("{text}", &[("text", "a\0b")]), "ab");
}

/// Time is virtual here, so that it is 30 s exactly and the test does not wait.
#[tokio::test(start_paused = true)]
async fn a_hung_command_is_ended_after_30_seconds_with_all_it_started() {
    let scratch = Scratch::new();
    let script = "sleep 1000 & echo $! > \"$0\"; wait";
    let pid = scratch.path("pid");
    // The command must have written its file before the clock jumps.
    let channel = running(&["sh", "-c", script, &pid]);
    let started = tokio::time::Instant::now();
    let message = channel.render(&open_card(question()));
    let sent = send(&channel, &FakeHandler::new(), &message).await;
    let error = sent.expect_err("it is ended");
    assert!(
        error.to_string().contains("did not end within 30 s"),
        "{error}"
    );
    assert_eq!(started.elapsed().as_secs(), 30);
}

#[tokio::test]
async fn the_processes_of_an_ended_command_are_gone() {
    let scratch = Scratch::new();
    let script = "sleep 1000 & echo $! > \"$0.new\"; mv \"$0.new\" \"$0\"; wait";
    let path = scratch.path("pid");
    let channel = running(&["sh", "-c", script, &path]);
    let message = channel.render(&open_card(question()));
    let sending = {
        let channel = Arc::clone(&channel);
        tokio::spawn(async move { channel.send(&to(), &message, Attention::Notify).await })
    };
    while scratch.read("pid").is_empty() {
        tokio::task::yield_now().await;
    }
    let child = Path::new("/proc").join(scratch.read("pid").trim());
    let is_running = || {
        let status = fs::read_to_string(child.join("status")).unwrap_or_default();
        !status.is_empty() && !status.contains("State:\tZ")
    };
    assert!(is_running());
    sending.abort();
    drop(sending.await);
    while is_running() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_printed_line_is_an_answer_of_this_recipient() {
    let handler = FakeHandler::new();
    let channel = running(&["echo", "2"]);
    let card = open_card(question());
    send(&channel, &handler, &channel.render(&card))
        .await
        .expect("it is delivered");
    let arrived = handler.arrived().remove(0);
    assert_eq!(arrived.identity.as_str(), "command:zoe");
    let IncomingAction::Submit { data, fields } = arrived.action else {
        panic!("not an answer: {:?}", arrived.action);
    };
    let button = Button::decode(&data).expect("it is a button");
    assert_eq!(
        (button.inquiry, button.press),
        (card.inquiry.clone(), Press::Send { shown: None })
    );
    let expected = FieldInput {
        text: Some("2".to_owned()),
        ..FieldInput::default()
    };
    assert_eq!(fields, [expected]);

    let decline = running(&["echo", "-"]);
    send(&decline, &handler, &decline.render(&card))
        .await
        .expect("it is delivered");
    let IncomingAction::Press { data } = handler.arrived().remove(1).action else {
        panic!("not a press");
    };
    let press = Button::decode(&data).map(|button| button.press);
    assert_eq!(press, Some(Press::Decline));
}

/// Programs for terminals colour what they print.
#[tokio::test]
async fn escape_sequences_are_no_part_of_an_answer_and_other_bytes_are_none() {
    let handler = FakeHandler::new();
    let card = open_card(question());
    let coloured = running(&["printf", "\\033[32m2\\033[0m\\n"]);
    send(&coloured, &handler, &coloured.render(&card))
        .await
        .expect("it is delivered");
    let IncomingAction::Submit { fields, .. } = handler.arrived().remove(0).action else {
        panic!("no answer");
    };
    assert_eq!(fields[0].text.as_deref(), Some("2"));

    let scratch = Scratch::new();
    let log = scratch.path("log");
    let script = "printf '%s: %s\\n' \"$1\" \"$2\" >> \"$0\"; printf '\\377\\n'";
    let channel = running(&["sh", "-c", script, &log, "{event}", "{text}"]);
    send(&channel, &handler, &channel.render(&card))
        .await
        .expect("it is told");
    assert_eq!(handler.arrived().len(), 1);
    let told = scratch.read("log");
    assert!(
        told.contains("\nrefused: The output of the command is not UTF-8."),
        "{told}"
    );
}

/// An answer that cannot be stored is asked for again, and one that does not fit is told.
#[tokio::test]
async fn an_answer_is_stored_before_the_delivery_is_complete() {
    let scratch = Scratch::new();
    let log = scratch.path("log");
    let script = "printf '%s: %s\\n' \"$1\" \"$2\" >> \"$0\"; echo 9";
    let channel = running(&["sh", "-c", script, &log, "{event}", "{text}"]);
    let message = channel.render(&open_card(question()));
    let handler = FakeHandler::new();
    handler.reply(Err(HandlerError("the disk is full".to_owned())));
    let sent = send(&channel, &handler, &message).await;
    assert_eq!(sent, Err(SendError::temporary("the disk is full")));
    let invalid = PressResult::Invalid;
    handler.reply(Ok(feedback(invalid, "There is no choice 9.")));
    send(&channel, &handler, &message)
        .await
        .expect("it is told");
    assert!(
        scratch
            .read("log")
            .contains("\nrefused: There is no choice 9.\n")
    );
}

#[tokio::test]
async fn an_ended_question_runs_the_command_and_its_output_answers_nothing() {
    let scratch = Scratch::new();
    let log = scratch.path("log");
    let channel = running(&["sh", "-c", "echo \"$1\" >> \"$0\"; echo 1", &log, "{event}"]);
    let ended = Card {
        state: CardState::Ended {
            by: zoe(),
            outcome: askback_core::outcome::Outcome::Declined,
            at: at("2027-03-27T12:00:00Z"),
        },
        ..open_card(question())
    };
    let message = channel.render(&ended);
    let id = crate::contract::channel::MessageId("m".to_owned());
    channel
        .edit(&to(), &id, &message)
        .await
        .expect("it ends well");
    channel
        .send_thread_text(&to(), &id, "Still open", Attention::Notify)
        .await
        .expect("it ends well");
    assert_eq!(scratch.read("log"), "resolved\nreminder\n");
}

/// A question that waits again, after an undo or with another link, is asked again: what is printed then counts, too.
#[tokio::test]
async fn what_is_printed_for_a_question_that_is_asked_again_is_an_answer() {
    let channel = running(&["sh", "-c", "echo 1"]);
    let handler = FakeHandler::new();
    handler.reply(Ok(feedback(PressResult::Accepted, "Sent.")));
    let (to, id) = (to(), crate::contract::channel::MessageId("m".to_owned()));
    let message = channel.render(&open_card(question()));
    let editing = channel.edit(&to, &id, &message);
    let edited = while_receiving(&channel, &handler, editing).await;
    assert_eq!(edited, Ok(()));
    assert_eq!(handler.arrived().len(), 1, "the answer was handed in");
}

#[tokio::test]
async fn failures_name_the_program() {
    let missing = running(&["askback-no-such-program"]);
    let message = missing.render(&open_card(question()));
    let error = send(&missing, &FakeHandler::new(), &message).await;
    assert!(matches!(&error, Err(SendError::Unauthorized(text)) if text.contains("check run")));
    assert!(missing.check().await.is_err());
    let failing = running(&["sh", "-c", "exit 3"]);
    let error = send(&failing, &FakeHandler::new(), &message).await;
    assert!(
        matches!(&error, Err(SendError::Temporary(text)) if text.contains('3')),
        "{error:?}"
    );
    assert!(failing.check().await.is_ok());
}

#[test]
fn settings_without_a_program_are_refused() {
    let refused = |run: &[&str]| {
        let config = CommandConfig {
            run: run.iter().map(|part| (*part).to_owned()).collect(),
            pass_env: Vec::new(),
        };
        CommandChannel::new(config).err()
    };
    assert_eq!(refused(&[]), Some(CommandConfigError::Empty));
    assert_eq!(refused(&[" "]), Some(CommandConfigError::Empty));
    assert_eq!(refused(&["{text}"]), Some(CommandConfigError::Placeholder));
    let unknown = refused(&["notify-send", "{title}", "{body}"]).expect("it is refused");
    assert_eq!(
        unknown.to_string(),
        "run has {body}, but the placeholders are {title}, {text}, {link}, {id}, {event}, {to}"
    );
    assert_eq!(refused(&["awk", "{print $1}", "{text}"]), None);
    let text = CommandConfigError::Empty.to_string();
    assert!(
        text.contains("[\"notify-send\", \"{title}\", \"{text}\"]"),
        "{text}"
    );
}
