//! Buttons that are URLs: those of notifications, and those of mails.

use askback_channels::{Button, Press, PressKey, PressLinks, SignedPress};
use askback_wire::actor::SurfaceName;
use askback_wire::inquiry::{HandOnParams, InquiryResponse, InquiryStatus};
use askback_wire::respond::AnswerParams;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::support::channel_server::ChannelServer;
use super::support::server_process::TOKEN;
use super::support::telegram_chat::database;

const PHONE: &str = "[recipients.zoe]\nname = 'Zoë'\nlanguage = 'en'\nidentities = ['ntfy:a-secret-topic']\n\
     [recipients.ben]\nname = 'Ben'\nlanguage = 'en'\nidentities = ['email:ben@example.org']\n";

/// The notification that was published last.
async fn notification(run: &ChannelServer, count: usize) -> Value {
    let published = run.ntfy.wait_for(count).await;
    published[count - 1].json()
}

async fn status(run: &ChannelServer, asked: &InquiryResponse) -> InquiryStatus {
    let found = run.server.client.inquiry(&asked.id).await;
    found.expect("it is read").status
}

/// A key that is missing, wrong, expired, or of another button is refused with 401, whatever the body is; the question stays
/// open. The right one answers once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_without_its_own_key_is_refused() {
    let run = ChannelServer::start(PHONE).await;
    let asked = run.ask(database(), Some("zoe")).await;
    let actions = notification(&run, 1).await["actions"].clone();
    let url = |index: usize| actions[index]["url"].as_str().expect("a URL").to_owned();
    let (first, second) = (url(0), url(1));
    let (path, key) = first.split_once("?key=").expect("it has a key");
    let (other_path, other_key) = second.split_once("?key=").expect("it has a key");
    let (_, signature) = key.split_once('-').expect("it has a signature");
    let changed = signature.replace(|char: char| char.is_ascii_digit(), "0");
    let press = SignedPress {
        channel: "ntfy".to_owned(),
        recipient: "zoe".to_owned(),
        data: button(&asked).encode(),
    };
    let expires_at = asked.asked_at - SignedDuration::from_secs(301);
    let expired = PressKey::derive(TOKEN.as_bytes()).sign(&press, expires_at);
    let wrong = [
        path.to_owned(),
        format!("{path}?key="),
        format!("{path}?key={other_key}"),
        format!("{other_path}?key={key}"),
        format!("{path}?key=9{key}"),
        format!("{path}?key={}", key.replace(signature, &changed)),
        format!("{path}?key={expired}"),
        format!("{}?key={key}", path.replace("/zoe/", "/ben/")),
        format!("{}?key={key}", path.replace("/ntfy/", "/email/")),
    ];
    for url in &wrong {
        for body in ["", "{ this is no JSON", "answer=SQLite"] {
            for method in ["GET", "POST"] {
                let (status, reply) = run.send(method, url, body);
                assert_eq!(status, 401, "{method} {url}\n{reply}");
            }
        }
    }
    assert_eq!(status(&run, &asked).await, InquiryStatus::Pending);
    // A key that we made ourselves works, so the expired one was refused for its age.
    let links = PressLinks {
        base_url: "https://askback.example".to_owned(),
        channel: press.channel,
        recipient: press.recipient,
        expires_at: asked.asked_at + SignedDuration::from_hours(1),
        key: PressKey::derive(TOKEN.as_bytes()),
    };
    let (code, reply) = run.send("POST", &links.url(&button(&asked)), "");
    assert_eq!(code, 200, "{reply}");
    let (code, reply) = run.send("POST", &second, "");
    assert!(code == 409 && reply.contains("Zoë"), "{reply}");
    let ended = run.outcome(&asked).await;
    assert_eq!(ended.surface, Some(SurfaceName::Ntfy));
    assert_eq!(ended.identity.as_deref(), Some("ntfy:zoe"));
    assert!(ended.resolved_at > Some(Timestamp::UNIX_EPOCH));
}

/// The button of the second choice.
fn button(asked: &InquiryResponse) -> Button {
    Button {
        inquiry: asked.id.clone(),
        revision: asked.revision,
        press: Press::Choose {
            question: 0,
            choice: 1,
        },
    }
}

/// The links of a mail, without the line breaks of its encoding.
pub(crate) fn links_of(source: &str) -> Vec<String> {
    let text = source.replace("=\n", "").replace("=3D", "=");
    let starts = text.match_indices("https://askback.example");
    let mut links: Vec<String> = starts
        .map(|(start, _)| {
            let rest = &text[start..];
            let end = rest.find(|char: char| char.is_whitespace() || "\"<>".contains(char));
            rest[..end.unwrap_or(rest.len())].replace("&amp;", "&")
        })
        .collect();
    links.sort();
    links.dedup();
    links
}

/// A mail scanner opens every link, and answers nothing. A POST to the link of a choice answers, once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn opening_the_links_of_a_mail_answers_nothing_and_a_post_answers_once() {
    let run = ChannelServer::start(PHONE).await;
    let asked = run.ask(database(), Some("ben")).await;
    run.until("the mail arrives", || !run.smtp.mails().is_empty())
        .await;
    let mail = run.smtp.mails().remove(0);
    assert!(mail.to.contains("ben@example.org"), "{}", mail.to);
    let links = links_of(&mail.source);
    let presses: Vec<&String> = links
        .iter()
        .filter(|link| link.contains("/press/"))
        .collect();
    assert_eq!(presses.len(), 2, "{links:?}\n{}", mail.source);
    assert!(
        links.len() > presses.len(),
        "one leads to the question: {links:?}"
    );
    for _ in 0..2 {
        for link in &links {
            for method in ["GET", "HEAD"] {
                let (code, reply) = run.send(method, link, "");
                assert!((200..400).contains(&code), "{method} {link}\n{reply}");
            }
        }
    }
    assert_eq!(status(&run, &asked).await, InquiryStatus::Pending);
    assert_eq!(run.send("POST", presses[1], "").0, 200);
    let ended = run.outcome(&asked).await;
    assert_eq!(ended.identity.as_deref(), Some("email:ben@example.org"));
    for press in presses {
        assert_eq!(run.send("POST", press, "").0, 409);
        // Opening one's own link again says how it ended, and not that nothing was sent.
        let (code, page) = run.send("GET", press, "");
        assert_eq!(code, 200, "{page}");
        assert!(page.contains("Answered by Ben by e-mail"), "{page}");
        assert!(
            page.contains("✓ Database: "),
            "it is his own answer: {page}"
        );
        assert!(!page.contains("was not sent"), "{page}");
    }
    let after = run.outcome(&asked).await;
    assert_eq!(
        (after.resolved_at, after.outcome),
        (ended.resolved_at, ended.outcome)
    );
}

/// The links of a mail belong to its recipient. After a hand-on they show the question, but not who has it nor why, and answer
/// nothing: neither the page, nor the button of a choice. If the question comes back, they answer again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_answer_only_while_the_question_is_for_their_recipient() {
    let run = ChannelServer::start(MAILS).await;
    let asked = run.ask(database(), Some("ben")).await;
    let (page_of_ben, press_of_ben) = mail_links(&run, "ben@example.org").await;
    let hand_on = async |to: &str| {
        let params = HandOnParams {
            recipient: to.to_owned(),
            reason: Some("She knows it.".to_owned()),
            revision: None,
        };
        let handed_on = run.server.client.hand_on(&asked.id, &params).await;
        handed_on.expect("it is handed on");
    };
    hand_on("zoe").await;
    let (page_of_zoe, press_of_zoe) = mail_links(&run, "zoe@example.org").await;
    assert_ne!(page_of_ben, page_of_zoe);
    for link in [&page_of_ben, &press_of_ben] {
        let (code, page) = run.send("GET", link, "");
        assert_eq!(code, 200, "{page}");
        assert!(page.contains("Which database?"), "{page}");
        assert!(page.contains("Handed on to somebody else"), "{page}");
        assert!(
            !page.contains("Zoë") && !page.contains("She knows"),
            "{page}"
        );
        assert!(!page.contains("<form"), "{page}");
        for body in ["q1=SQLite&revision=1", "action=decline&confirmed=1", ""] {
            let (code, page) = run.post_form(link, body);
            assert_eq!(code, 409, "{page}");
            assert!(page.contains("Handed on to somebody else"), "{page}");
            assert!(
                !page.contains("Zoë") && !page.contains("She knows"),
                "{page}"
            );
        }
    }
    assert_eq!(status(&run, &asked).await, InquiryStatus::Pending);
    for link in [&page_of_zoe, &press_of_zoe] {
        let (code, page) = run.send("GET", link, "");
        assert!(code == 200 && page.contains("<form"), "{page}");
    }
    hand_on("ben").await;
    let (code, page) = run.post_form(&page_of_zoe, "q1=SQLite&revision=1");
    assert_eq!(code, 409, "{page}");
    let (code, page) = run.post_form(&page_of_ben, "q1=SQLite&revision=1");
    assert_eq!(code, 303, "{page}");
    let ended = run.outcome(&asked).await;
    assert_eq!(ended.surface, Some(SurfaceName::Link));
    assert_eq!(ended.answered_by.as_deref(), Some("Ben"));
    // It was given through a link: that of Ben shows it, and those of Zoë, who gave the question back, do not.
    let (_, page) = run.send("GET", &page_of_ben, "");
    assert!(page.contains("SQLite"), "{page}");
    for link in [&page_of_zoe, &press_of_zoe] {
        let (code, page) = run.send("GET", link, "");
        assert_eq!(code, 200, "{page}");
        assert!(page.contains("Answered by Ben"), "{page}");
        assert!(!page.contains("SQLite"), "{page}");
    }
}

/// Whoever has a link may answer, but not read what was answered elsewhere: neither the page nor the button of a choice shows
/// the answer or its note, to the recipient or to whoever handed the question on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_do_not_show_what_was_answered_elsewhere() {
    let run = ChannelServer::start(MAILS).await;
    let asked = run.ask(database(), Some("ben")).await;
    let of_ben = mail_links(&run, "ben@example.org").await;
    let to_zoe = HandOnParams {
        recipient: "zoe".to_owned(),
        reason: None,
        revision: None,
    };
    let handed_on = run.server.client.hand_on(&asked.id, &to_zoe).await;
    handed_on.expect("it is handed on");
    let of_zoe = mail_links(&run, "zoe@example.org").await;
    let params = AnswerParams {
        answers: json!({ "q1": "SQLite" }),
        notes: Some(json!({ "q1": "The budget is small." })),
        ..AnswerParams::default()
    };
    let answered = run.server.client.answer(&asked.id, &params).await;
    answered.expect("it is answered");
    for link in [&of_ben.0, &of_ben.1, &of_zoe.0, &of_zoe.1] {
        let opened = run.send("GET", link, "");
        let sent = run.post_form(link, "q1=PostgreSQL&revision=1");
        for ((code, page), expected) in [(opened, 200), (sent, 409)] {
            assert_eq!(code, expected, "{link}\n{page}");
            assert!(page.contains("Answered"), "{link}\n{page}");
            assert!(!page.contains("SQLite"), "{link}\n{page}");
            assert!(!page.contains("budget"), "{link}\n{page}");
        }
    }
}

const MAILS: &str = "[recipients.zoe]\nname = 'Zoë'\nlanguage = 'en'\nidentities = ['email:zoe@example.org']\n\
     [recipients.ben]\nname = 'Ben'\nlanguage = 'en'\nidentities = ['email:ben@example.org']\n";

/// The link to the question and that of its first choice, in the mail to this address.
async fn mail_links(run: &ChannelServer, address: &str) -> (String, String) {
    let mut mail = None;
    run.until("a mail arrives", || {
        mail = run
            .smtp
            .mails()
            .into_iter()
            .find(|it| it.to.contains(address));
        mail.is_some()
    })
    .await;
    let links = links_of(&mail.expect("it arrived").source);
    let link = |part: &str| {
        let found = links.iter().find(|link| link.contains(part));
        found.unwrap_or_else(|| panic!("{links:?}")).clone()
    };
    (link("/q/"), link("/press/"))
}

/// The page of a link that has ended sends a new one to the same person, in the channel where they have the question, at
/// most once in an hour. It needs no JavaScript, and does not show the question.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_that_has_ended_can_be_renewed() {
    let run = ChannelServer::start(PHONE).await;
    let asked = run.ask(database(), None).await;
    notification(&run, 1).await;
    run.until("Ben has his mail", || run.smtp.mails().len() == 1)
        .await;
    let token = askback_server::Token::chosen(TOKEN).expect("a token");
    let base = "https://askback.example".parse().expect("an address");
    let link = |since, alias: &str| {
        askback_server::channel_link(&token, &base, (&asked.id, asked.revision, since), alias)
    };
    let week = SignedDuration::from_hours(24 * 7);
    let ended = link(asked.asked_at - week, "ben");
    // The mail may arrive before it is stored that it was sent.
    let offers = || run.send("GET", &ended, "").1.contains("action-new-link");
    run.until("a new link is offered", offers).await;
    let (code, page) = run.send("GET", &ended, "");
    assert_eq!(code, 401, "{page}");
    assert!(page.contains("This link expired"), "{page}");
    assert!(page.contains("<button name=\"action-new-link\""), "{page}");
    assert!(!page.contains("Which database?"), "{page}");
    let (code, page) = run.post_form(&ended, "action-new-link=1");
    assert!(
        code == 200 && page.contains("A new link is on its way"),
        "{page}"
    );
    run.until("Ben has a second mail", || run.smtp.mails().len() == 2)
        .await;
    let (code, page) = run.post_form(&ended, "action-new-link=1");
    assert!(
        code == 429 && page.contains("less than an hour ago"),
        "{page}"
    );
    assert_eq!(run.ntfy.requests().len(), 1, "Zoë gets nothing");
    // A link of nobody, and one of somebody without a message, offer nothing.
    let (_, page) = run.send("GET", &link(asked.asked_at - week, "eve"), "");
    assert!(page.contains("Ask the person who sent it"), "{page}");
}

/// A page that says that an answer can be undone has the button for it, with the right of the same link.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_after_a_press_has_undo() {
    let run = ChannelServer::start_with_undo(PHONE).await;
    let asked = run.ask(database(), Some("zoe")).await;
    let actions = notification(&run, 1).await["actions"].clone();
    let url = actions[0]["url"].as_str().expect("a URL");
    let (status_of_press, page) = run.send("POST", url, "");
    assert_eq!(status_of_press, 200, "{page}");
    assert!(page.contains("You can undo it for"), "{page}");
    let (_, form) = page.split_once("action=\"").expect("it has a button");
    let (undo, _) = form.split_once('"').expect("it has a path");
    let undo = format!("https://askback.example{undo}");
    let (undone, page) = run.send("POST", &undo, "");
    assert_eq!(undone, 200, "{page}");
    let read = run.server.client.inquiry(&asked.id).await;
    let read = read.expect("it is read");
    assert_eq!((read.status, read.held), (InquiryStatus::Pending, None));
}
