//! Hostile texts of agents, people and providers, and what channels show of them.

use std::collections::BTreeSet;

use askback_wire::asker::AskerParams;
use askback_wire::inquiry::NewInquiryParams;
use askback_wire::problem::ProblemCode;
use serde_json::{Value, json};

use super::super::channel_pictures::mail_text;
use super::super::support::channel_server::ChannelServer;
use super::super::support::run_binary::askback;
use super::report;
use super::scan::{LONG, SHORT, Scan};

/// A question in which everything is hostile.
fn question(input: Value) -> NewInquiryParams {
    NewInquiryParams {
        input,
        source: Some(LONG.to_owned()),
        assumption: Some(LONG.to_owned()),
        asker: Some(AskerParams {
            client: SHORT.to_owned(),
            project: Some(format!("/srv/{}", LONG.replace('/', ""))),
            session: SHORT.to_owned(),
        }),
        ..NewInquiryParams::default()
    }
}

/// The name of the agent alone, where no source says who asks.
fn unnamed(input: Value) -> NewInquiryParams {
    NewInquiryParams {
        source: None,
        ..question(input)
    }
}

/// Somebody with a hostile name writes and presses what nobody offered.
fn attack(run: &ChannelServer, fields: &mut BTreeSet<String>) {
    let somebody =
        json!({"from": {"id": 42, "first_name": LONG, "last_name": LONG, "username": SHORT}});
    let message = run.telegram.messages()[0].id;
    run.telegram.press(42, message, SHORT);
    run.telegram.write(42, LONG, None, &somebody);
    run.telegram
        .write(42, &format!("/start {SHORT}"), None, &somebody);
    let card = run.slack.messages().remove(0);
    run.slack.press_message("e1", "U42", &card, SHORT);
    run.slack.write(
        "e2",
        &json!({"type": "message", "channel_type": "im", "channel": card.conversation, "user": "U42", "text": LONG}),
    );
    for field in [
        "Telegram name",
        "Telegram text",
        "Telegram code",
        "Telegram button",
        "Telegram description of an error",
        "Telegram username of the bot",
        "Slack text",
        "Slack button",
        "Slack error",
        "source",
        "assumption",
        "asker.client",
        "asker.project",
        "asker.session",
        "question",
        "header",
        "label",
        "description",
        "answer",
        "note",
    ] {
        fields.insert(field.to_owned());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_text_acts_in_no_message() {
    let (mut fields, mut scan) = (BTreeSet::new(), Scan::default());
    let people = "[recipients.zoe]\nlanguage = 'en'\n\
         identities = ['telegram:42', 'slack:U42', 'ntfy:a-topic', 'email:zoe@example.org']\n";
    let run = ChannelServer::start(people).await;
    let option = json!({"label": SHORT, "description": LONG, "preview": LONG});
    let choice =
        json!({"questions": [{"question": LONG, "header": SHORT, "options": [option, "b"]}]});
    let client = &run.server.client;
    client.ask(&unnamed(choice)).await.expect("it is asked");
    let text = question(json!({"question": LONG, "context": LONG}));
    let written = client.ask(&text).await.expect("it is asked");
    run.until("both arrive everywhere", || {
        let counts = [
            run.telegram.messages().len(),
            run.slack.messages().len(),
            run.ntfy.requests().len(),
            run.smtp.mails().len(),
        ];
        counts.into_iter().all(|count| count >= 2)
    })
    .await;
    attack(&run, &mut fields);
    run.slack.wait_for_acks(2).await;
    let answers = json!({"q1": {"text": LONG, "note": LONG}});
    let answer = serde_json::from_value(json!({"answers": answers})).expect("an answer");
    client
        .answer(&written.id, &answer)
        .await
        .expect("it is answered");
    run.until("the answer is shown", || {
        run.telegram.messages().iter().any(|it| it.edits > 0)
    })
    .await;
    // Providers that describe their errors.
    let refusal = json!({"ok": false, "error_code": 400, "description": LONG, "error": LONG});
    // Two of them may meet what the bot says to the attacks.
    for _ in 0..3 {
        run.telegram.fail("sendMessage", 400, &refusal.to_string());
    }
    let refused = question(json!({"question": "Refused?"}));
    client.ask(&refused).await.expect("it is asked");
    run.until("it is refused", || run.log().contains("refuses a message"))
        .await;
    let bot = json!({"ok": true, "result": {"id": 1, "is_bot": true, "username": LONG}});
    run.telegram.fail("getMe", 200, &bot.to_string());
    let data = run.directory.path().join("data").display().to_string();
    for args in [
        &["channel", "link", "telegram"][..],
        &["channel", "list"],
        &["channel", "list", "--json"],
        &["doctor", "--offline"],
        &["list"],
    ] {
        let printed = askback(&[args, &["--data", &data]].concat(), "");
        scan.text(&args.join(" "), &(printed.out + &printed.err));
    }
    let unknown = client
        .link_code(SHORT, &askback_wire::channel::LinkCodeParams::default())
        .await;
    let Err(askback_client::ClientError::Problem(problem)) = unknown else {
        panic!("no channel has this name")
    };
    assert_eq!(problem.known_code(), Some(ProblemCode::NotFound));
    scan.text("a problem", &problem.detail);
    scan_messages(&run, &mut scan);
    scan.text("log", &run.log());
    report("channels", &fields, &scan);
}

fn scan_messages(run: &ChannelServer, scan: &mut Scan) {
    for message in run.telegram.messages() {
        scan.json("Telegram", &message.body.to_string());
    }
    for told in run.telegram.acknowledged() {
        scan.json("Telegram, a press", &told.to_string());
    }
    for message in run.slack.messages() {
        scan.json("Slack", &message.body.to_string());
    }
    for request in run.slack.http.requests() {
        scan.text("Slack, a request", &String::from_utf8_lossy(&request.body));
        scan.json("Slack, a request", &String::from_utf8_lossy(&request.body));
    }
    for request in run.ntfy.requests() {
        scan.json("ntfy", &String::from_utf8_lossy(&request.body));
    }
    for mail in run.smtp.mails() {
        let text = mail_text(&mail.source);
        assert!(
            text.contains("hostile") || text.contains("Refused?"),
            "{text}"
        );
        scan.text("mail", &text);
    }
}
