//! A link to one question: it answers that question once, until its time, and opens nothing else.

use std::fs;

use askback_api::link::NewLinkParams;
use askback_api::respond::AnswerParams;
use askback_api::span::Span;
use serde_json::json;

use super::binary::askback;
use super::form::{Browser, ask, start};
use super::server::{Directory, Server, TOKEN};

const USUAL: NewLinkParams = NewLinkParams { expires_in: None };

/// Somebody who has nothing but the link.
fn stranger(server: &Server) -> Browser<'_> {
    Browser {
        server,
        cookie: String::new(),
        language: "en",
    }
}

fn path_of(server: &Server, url: &str) -> String {
    let path = url.strip_prefix(&server.address);
    path.unwrap_or_else(|| panic!("{url} begins with the address that was called"))
        .to_owned()
}

/// It answers once from the surface `link`; the second answer is refused, and logs know no key.
#[tokio::test]
async fn link_answers_its_question_once() {
    let directory = Directory::new();
    let server = start(&directory);
    let (asked, _) = ask(
        &server,
        json!({"question": "Ship?", "options": ["Yes", "No"]}),
    )
    .await;
    let link = server.client.link(&asked.id, &USUAL);
    let link = link.await.expect("a link is made");
    assert!(
        link.qr_svg
            .as_ref()
            .is_some_and(|svg| svg.starts_with("<svg "))
    );
    assert!(!link.url.contains(TOKEN) && !format!("{link:?}").contains("key="));
    let path = path_of(&server, &link.url);
    let guest = stranger(&server);
    for _ in 0..2 {
        let (status, page) = guest.get(&path);
        assert_eq!(status, 200, "looking may be repeated: {page}");
        assert!(!page.contains("<script"), "{page}");
    }
    let (_, page) = guest.get(&path);
    let (status, reply) = guest.post(&path, &page, &[("q1", "Maybe")]);
    assert_eq!(status, 422, "{reply}");
    let (status, reply) = guest.post(&path, &page, &[("q1", "Yes")]);
    assert_eq!(status, 303, "{reply}");
    let answered = server.client.inquiry(&asked.id).await.expect("it is there");
    assert_eq!(answered.surface.expect("a surface").to_string(), "link");
    let (status, page) = guest.get(&path);
    assert_eq!(status, 200);
    assert!(page.contains(">Yes</dd>"), "{page}");
    let (status, page) = guest.post(&path, "", &[("q1", "No")]);
    assert_eq!(status, 409, "{page}");
    let again = server.client.link(&asked.id, &USUAL);
    let refused = again.await.expect_err("it has ended");
    assert_eq!(refused.problem().map(|problem| problem.status), Some(409));
    server.kill();
    let log = fs::read_to_string(directory.path().join("server.log")).expect("there is a log");
    let key = path.split_once("key=").expect("a key").1;
    assert!(!log.contains(key) && !log.contains(TOKEN), "{log}");
}

/// An expired, changed or foreign key opens nothing, and a good one only its own page.
#[tokio::test]
async fn key_opens_nothing_but_its_question() {
    let directory = Directory::new();
    let server = start(&directory);
    let (asked, bare) = ask(&server, json!({"question": "One?"})).await;
    let (_, other) = ask(&server, json!({"question": "Two?"})).await;
    let link = server.client.link(&asked.id, &USUAL);
    let link = link.await.expect("a link is made");
    let path = path_of(&server, &link.url);
    let key = path.split_once('?').expect("a key").1;
    let guest = stranger(&server);
    let (seconds, signature) = key.split_once('-').expect("two parts");
    let zeros = "0".repeat(signature.len());
    for closed in [
        bare.clone(),
        format!("{bare}?key="),
        format!("{bare}?key=1-{signature}"),
        format!("{bare}?{seconds}-{zeros}"),
        format!("{other}?{key}"),
    ] {
        let (status, page) = guest.get(&closed);
        assert_eq!(status, 401, "{closed}: {page}");
        assert!(!page.contains("One?") && !page.contains("Two?"), "{page}");
        assert_eq!(guest.post(&closed, "", &[("q1", "x")]).0, 401, "{closed}");
    }
    for api in ["/inquiries", "/events", "/conversations", "/metrics", "/"] {
        assert_eq!(guest.get(&format!("{api}?{key}")).0, 401, "{api}");
    }
    let inquiry = format!("/inquiries/{}?{key}", asked.id);
    assert_eq!(guest.get(&inquiry).0, 401);
    let ended = NewLinkParams {
        expires_in: Some(Span::from_secs(0)),
    };
    let ended = server.client.link(&asked.id, &ended).await.expect("made");
    assert_eq!(guest.get(&path_of(&server, &ended.url)).0, 401, "expired");
    let long = NewLinkParams {
        expires_in: Some(Span::from_secs(365 * 86_400)),
    };
    let long = server.client.link(&asked.id, &long).await.expect("made");
    let week = link.expires_at.as_second() + 6 * 86_400;
    assert!(
        (long.expires_at.as_second() - week).abs() < 60,
        "a week at most"
    );
}

/// Whoever has a link may give an answer, not read what others gave.
#[tokio::test]
async fn link_does_not_show_the_answer_of_somebody_else() {
    let directory = Directory::new();
    let server = start(&directory);
    let (asked, _) = ask(&server, json!({"question": "Secret?"})).await;
    let link = server.client.link(&asked.id, &USUAL);
    let path = path_of(&server, &link.await.expect("a link is made").url);
    let params = AnswerParams {
        answers: json!({"q1": "swordfish"}),
        ..AnswerParams::default()
    };
    server
        .client
        .answer(&asked.id, &params)
        .await
        .expect("first");
    let guest = stranger(&server);
    let (status, page) = guest.get(&path);
    assert_eq!(status, 200);
    assert!(
        !page.contains("swordfish") && page.contains("Answered by"),
        "{page}"
    );
    let (status, page) = guest.post(&path, "", &[("q1", "x")]);
    assert_eq!(status, 409);
    assert!(!page.contains("swordfish"), "{page}");
}

/// The command prints the link, beginning with the public address, and the same as a code.
#[tokio::test]
async fn command_prints_the_link_and_its_code() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &["--public-url", "https://ask.example/"]);
    let (asked, _) = ask(&server, json!({"question": "Ship?"})).await;
    let id = asked.id.to_string();
    let at = ["--url", &server.address, "--token", TOKEN];
    let run = askback(&[&["link", &id][..], &at].concat(), "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let start = format!("https://ask.example/q/{id}?key=");
    assert!(run.out.starts_with(&start), "{}", run.out);
    assert!(
        run.out.contains('▀') && run.out.contains('█'),
        "{}",
        run.out
    );
    let run = askback(&[&["link", "inq_none"][..], &at].concat(), "");
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
}
