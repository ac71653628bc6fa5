//! A person who is forgotten: nothing of theirs works any more, and nothing that the server shows has their name.

use std::fmt::Write as _;
use std::fs;

use askback_client::{Client, FeedItem};
use askback_core::draft::Draft;
use askback_wire::credential::ScopeName;
use askback_wire::draft::DraftParams;
use askback_wire::event::{ChangeName, EventResponse};
use askback_wire::inquiry::{HandOnParams, InquiryResponse};
use askback_wire::problem::ProblemCode;
use askback_wire::recipient::ForgetParams;

use super::people::{client, person, signed_in, token};
use super::support::push_service::PushService;
use super::support::raw_http::{bearer, body, raw, request};
use super::support::run_binary::{askback, fails};
use super::support::server_process::{Directory, Server};
use super::support::team::{code, confirm, yes};
use super::support::timeout::within;
use super::two_nodes::POSTGRES;

/// What names her anywhere, in small letters: it is part of her alias, her name and her token.
const NAME: &str = "annabel";

/// What she has done: an answer, a question that she handed on, and a draft.
struct Done {
    answered: InquiryResponse,
    handed_on: InquiryResponse,
    waiting: InquiryResponse,
}

async fn acts(admin: &Client, her: &Client) -> Done {
    let ask = async |text: &str| {
        let asked = admin.ask(&confirm(text, Some("annabel"))).await;
        asked.expect("it is asked")
    };
    let answered = ask("Publish?").await;
    let answered = her.answer(&answered.id, &yes()).await.expect("answered");
    assert_eq!(answered.answered_by.as_deref(), Some("Annabel Quist"));
    let given = ask("Restart?").await;
    let params = HandOnParams {
        recipient: "ben".to_owned(),
        reason: Some("I am away.".to_owned()),
        revision: None,
    };
    let handed_on = her.hand_on(&given.id, &params).await;
    let waiting = ask("Delete?").await;
    let draft = Draft::new(&waiting.to_inquiry().expect("known"));
    let draft = DraftParams {
        draft,
        revision: None,
        replaces: None,
    };
    her.put_draft(&waiting.id, &draft).await.expect("a draft");
    Done {
        answered,
        handed_on: handed_on.expect("handed on"),
        waiting,
    }
}

/// Everything that an administrator can read of what she did, as text.
async fn shown(server: &Server, done: &Done) -> String {
    let mut paths = [
        "/inquiries",
        "/inquiries?status=answered",
        "/audit?with_answers=true",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend(["/recipients", "/channels", "/tokens", "/sessions"].map(str::to_owned));
    paths.push("/conversations".to_owned());
    for inquiry in [&done.answered, &done.handed_on, &done.waiting] {
        let id = &inquiry.id;
        paths.push(format!("/inquiries/{id}"));
        paths.push(format!("/inquiries/{id}/messages"));
        paths.push(format!("/q/{id}"));
        paths.push(format!("/conversations/{}", inquiry.conversation_id));
    }
    let mut all = String::new();
    for path in paths {
        let headers = [("Host", "localhost"), ("Authorization", &*bearer())];
        let (status, reply) = raw(server, &request(&format!("GET {path}"), &headers));
        assert_eq!(status, 200, "{path}: {reply}");
        all.extend([&path, "\n", body(&reply), "\n"]);
    }
    all + &replayed(&server.client, done).await
}

/// The feed from its beginning until the last question that was asked.
async fn replayed(admin: &Client, done: &Done) -> String {
    let mut feed = admin.events(Some(0));
    let mut all = String::new();
    loop {
        let FeedItem::Event(event) = within("an event", feed.next()).await.expect("a feed") else {
            continue;
        };
        writeln!(all, "{event:?}").expect("a text");
        if let EventResponse::Inquiry(changed) = &*event
            && changed.change == ChangeName::Asked
            && changed.inquiry.id == done.waiting.id
        {
            return all;
        }
    }
}

async fn found(admin: &Client, text: &str) -> usize {
    let params = serde_json::json!({ "search": text });
    let params = serde_json::from_value(params).expect("parameters");
    admin.inquiries(&params).await.expect("a list").items.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forgotten_person_is_named_nowhere() {
    let service = PushService::start();
    let directory = Directory::new();
    let config = format!("[channels.webpush]\nbase_url = '{}'\n", service.base_url);
    fs::write(directory.path().join("askback.toml"), config).expect("it can be written");
    let config = directory.path().join("askback.toml");
    let server = Server::start_with(&directory, &["--config", config.to_str().expect("a path")]);
    let admin = &server.client;
    for (alias, name) in [("annabel", "Annabel Quist"), ("ben", "Ben")] {
        let added = admin.put_recipient(alias, &person(name)).await;
        added.expect("it is added");
    }
    let secret = token(admin, "annabels", ScopeName::Respondent, Some("annabel")).await;
    let her = client(&server, &secret);
    let cookie = signed_in(&server, &server.client, "annabel").await;
    let sent = service.subscription("phone").to_string();
    let subscribe = format!(
        "POST /push/subscriptions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {secret}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{sent}",
        sent.len()
    );
    assert_eq!(raw(&server, subscribe.as_bytes()).0, 200);
    let done = acts(admin, &her).await;
    assert!(shown(&server, &done).await.contains("Annabel Quist"));
    assert_eq!(found(admin, NAME).await, 2);

    let data = directory.path().join("data");
    let data = ["--data", data.to_str().expect("a path")];
    let refused = fails(
        &[&["person", "forget", "annabel"], &data[..]].concat(),
        "",
        2,
    );
    assert!(refused.contains("--yes"), "{refused}");
    assert!(her.me().await.is_ok(), "it was not confirmed");
    let forget = ["person", "forget", "annabel", "--yes"];
    let pseudonym = askback(&[&forget, &data[..]].concat(), "").out;
    let pseudonym = pseudonym.trim();
    assert!(pseudonym.starts_with("former-"), "{pseudonym}");

    let me = her.draft(&done.waiting.id).await;
    assert_eq!(code(me), Some(ProblemCode::Unauthorized));
    let headers = [("Host", "localhost"), ("Cookie", &*cookie)];
    assert_eq!(raw(&server, &request("GET /me", &headers)).0, 401);
    let all = shown(&server, &done).await;
    let named = all.lines().find(|line| line.to_lowercase().contains(NAME));
    assert_eq!(named, None);
    assert_eq!(found(admin, NAME).await, 0);
    assert!(found(admin, pseudonym).await > 0);
    let audit = askback(&[&["audit"], &data[..]].concat(), "").out;
    assert!(audit.contains(&format!(r#""by":"{pseudonym}""#)), "{audit}");
    assert!(!audit.to_lowercase().contains(NAME), "{audit}");
    assert!(audit.contains(r#""reason":"I am away.""#), "{audit}");

    // Whoever was removed already is forgotten by the name that others saw.
    let again = admin
        .forget_recipient("annabel", &ForgetParams::default())
        .await;
    assert_eq!(code(again), Some(ProblemCode::NotFound));
    let by_name = ForgetParams {
        names: vec!["Annabel".to_owned()],
    };
    let again = admin.forget_recipient("annabel", &by_name).await;
    assert!(again.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_forgets() {
    let url = POSTGRES.create_database().expect("a database");
    let store = format!("{url}?lease=1200s");
    let directories = [Directory::new(), Directory::new()];
    let nodes = directories
        .each_ref()
        .map(|it| Server::start_with(it, &["--store", &store]));
    let admin = &nodes[0].client;
    for (alias, name) in [("annabel", "Annabel Quist"), ("ben", "Ben")] {
        let added = admin.put_recipient(alias, &person(name)).await;
        added.expect("it is added");
    }
    let secret = token(admin, "annabels", ScopeName::Respondent, Some("annabel")).await;
    let done = acts(admin, &client(&nodes[0], &secret)).await;
    assert!(
        replayed(&nodes[1].client, &done)
            .await
            .contains("Annabel Quist")
    );
    let forgotten = admin
        .forget_recipient("annabel", &ForgetParams::default())
        .await;
    forgotten.expect("forgotten");
    let unnamed = async {
        while shown(&nodes[1], &done).await.to_lowercase().contains(NAME) {
            tokio::task::yield_now().await;
        }
    };
    within("the other node forgets", unnamed).await;
}
