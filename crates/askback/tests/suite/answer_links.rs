//! A link answers one question, once, until it expires, and opens nothing else.

use std::fs;

use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use askback_wire::link::{LinkAllow, NewLinkParams};
use askback_wire::respond::AnswerParams;
use serde_json::json;

use super::no_script_form::{Browser, ask, committed, start};
use super::support::pty::Pty;
use super::support::run_binary::askback;
use super::support::server_process::{Directory, Server, TOKEN};

const USUAL: NewLinkParams = NewLinkParams {
    expires_in: None,
    allow: LinkAllow::Decline,
};

/// A client that has only the link.
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

/// The answer is recorded as from a link; the second one is refused, and the log has no key.
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
        assert!(
            page.matches("<script").count() == 1 && page.contains("src=\"/web/form/keep-form.js\""),
            "nothing that calls the API: {page}"
        );
    }
    let (_, page) = guest.get(&path);
    let (status, reply) = guest.post(&path, &page, &[("q1", "Maybe")]);
    assert_eq!(status, 422, "{reply}");
    let (status, reply) = guest.post(&path, &page, &[("q1", "Yes")]);
    assert_eq!(status, 303, "{reply}");
    let answered = committed(&server, &asked).await;
    assert_eq!(answered.surface.expect("a surface").to_string(), "link");
    let (status, page) = guest.get(&path);
    assert_eq!(status, 200);
    assert!(page.contains(">Yes</dd>"), "{page}");
    let scripts: Vec<&str> = page.split("<script").skip(1).collect();
    assert!(
        matches!(scripts[..], [keep, times] if keep.contains("/web/form/keep-form.js")
            && times.contains("/web/form/local-time.js")),
        "one forgets what was kept of the form, one writes times: {page}"
    );
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
async fn link_key_opens_only_its_question() {
    let directory = Directory::new();
    let server = start(&directory);
    let (asked, bare) = ask(&server, json!({"question": "One?"})).await;
    let (_, other) = ask(&server, json!({"question": "Two?"})).await;
    let link = server.client.link(&asked.id, &USUAL);
    let link = link.await.expect("a link is made");
    let path = path_of(&server, &link.url);
    let key = path.split_once('?').expect("a key").1;
    let guest = stranger(&server);
    let (kept, signature) = key.rsplit_once('-').expect("parts");
    let zeros = "0".repeat(signature.len());
    for closed in [
        bare.clone(),
        format!("{bare}?key="),
        format!("{bare}?key=1-1d-{signature}"),
        format!("{bare}?{}", key.replace("-1d-", "-1s-")),
        format!("{bare}?{kept}-{zeros}"),
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
}

/// A link that expires while somebody types, or whose question changes, gives the typed text back, but not the
/// question. So does the page of somebody who was signed out meanwhile.
#[tokio::test]
async fn text_typed_on_a_closed_link_is_given_back() {
    let directory = Directory::new();
    let server = start(&directory);
    let (asked, bare) = ask(&server, json!({"question": "Secret plan?"})).await;
    let short = NewLinkParams {
        expires_in: Some("1s".parse().expect("a duration")),
        ..USUAL
    };
    let guest = stranger(&server);
    // On a busy machine it may have expired before it is opened.
    let (path, page) = loop {
        let link = server.client.link(&asked.id, &short).await;
        let path = path_of(&server, &link.expect("a link is made").url);
        if let (200, page) = guest.get(&path) {
            break (path, page);
        }
    };
    while guest.get(&path).0 == 200 {
        std::thread::yield_now();
    }
    let (status, closed) = guest.post(&path, &page, &[("q1", "Two\nlines & <more>")]);
    assert_eq!(status, 401, "{closed}");
    for part in [
        "This link expired",
        "Ask the person who sent it to you for a new one.",
        "Your answer that was not sent",
        "Copy it before you leave this page.",
        "<dd dir=\"auto\">Two\nlines &amp; &lt;more&gt;</dd>",
    ] {
        assert!(closed.contains(part), "{part}: {closed}");
    }
    assert!(!closed.contains("Secret plan?"), "{closed}");
    let (status, signed_out) = guest.post(&bare, &page, &[("q1", "Typed before")]);
    assert_eq!(status, 401, "{signed_out}");
    assert!(
        signed_out.contains("<dd dir=\"auto\">Typed before</dd>"),
        "{signed_out}"
    );
    assert!(!signed_out.contains("Secret plan?"), "{signed_out}");
    // Nothing was entered: nothing is said about it.
    let (_, empty) = guest.post(&path, &page, &[("q1", " ")]);
    assert!(!empty.contains("Your answer that was not sent"), "{empty}");
}

/// A link key opens no draft, no feed and no other route, with any method.
#[tokio::test]
async fn link_key_opens_no_api_route() {
    let directory = Directory::new();
    let server = start(&directory);
    let (asked, _) = ask(&server, json!({"question": "One?"})).await;
    let link = server.client.link(&asked.id, &USUAL);
    let link = link.await.expect("a link is made");
    let path = path_of(&server, &link.url);
    let key = path.split_once('?').expect("a key").1;
    let guest = stranger(&server);
    let inquiry = format!("/inquiries/{}", asked.id);
    for end in ["", "/draft", "?wait=1s"] {
        let join = if end.contains('?') { '&' } else { '?' };
        let address = format!("{inquiry}{end}{join}{key}");
        assert_eq!(guest.get(&address).0, 401, "{address}");
    }
    for end in [
        "answer",
        "decline",
        "cancel",
        "withdraw",
        "undo",
        "keep-open",
        "links",
    ] {
        let address = format!("{inquiry}/{end}?{key}");
        assert_eq!(guest.post(&address, "", &[]).0, 401, "{address}");
    }
    let conversation = format!("/conversations/{}?{key}", asked.conversation_id);
    assert_eq!(guest.get(&conversation).0, 401);
    assert_eq!(
        guest.get(&format!("/c/{}?{key}", asked.conversation_id)).0,
        401
    );
}

/// The creator of a link chooses what it permits. The page shows no other button, and a request
/// for anything else is refused.
#[tokio::test]
async fn link_allows_what_its_maker_chose() {
    let directory = Directory::new();
    let server = start(&directory);
    let buttons = ["decline", "reject"];
    for (allow, may) in [
        (LinkAllow::Answer, &[][..]),
        (LinkAllow::Decline, &["decline"]),
        (LinkAllow::Stop, &buttons),
    ] {
        let (asked, _) = ask(
            &server,
            json!({"question": "Go?", "options": ["Yes", "No"]}),
        )
        .await;
        let params = NewLinkParams { allow, ..USUAL };
        let link = server
            .client
            .link(&asked.id, &params)
            .await
            .expect("a link");
        assert_eq!(link.allow, allow);
        let path = path_of(&server, &link.url);
        let guest = stranger(&server);
        let (status, page) = guest.get(&path);
        assert_eq!(status, 200);
        assert!(page.contains("name=\"action-choose-1\""), "{page}");
        for button in buttons {
            let name = format!("action-{button}");
            let allowed = may.contains(&button);
            let shown = page.contains(&format!("name=\"{name}\""));
            assert_eq!(shown, allowed, "{allow:?} {button}: {page}");
            if !allowed {
                for field in [(name.as_str(), "x"), ("action", button)] {
                    let (status, page) = guest.post(&path, &page, &[field]);
                    assert_eq!(status, 403, "{allow:?} {button}: {page}");
                    assert!(page.contains("This link does not allow that"), "{page}");
                }
            }
        }
        let still = server.client.inquiry(&asked.id).await.expect("it is there");
        assert_eq!(still.status, InquiryStatus::Pending);
        let last = may.last().map(|button| format!("action-{button}"));
        let (field, ended) = match (&last, allow) {
            (Some(name), LinkAllow::Stop) => ((name.as_str(), "x"), InquiryStatus::Rejected),
            (Some(name), _) => ((name.as_str(), "x"), InquiryStatus::Declined),
            (None, _) => (("q1", "Yes"), InquiryStatus::Answered),
        };
        // The second press, after the form has asked.
        let confirmed = ("confirmed", *may.last().unwrap_or(&""));
        let (status, reply) = guest.post(&path, &page, &[field, confirmed]);
        assert_eq!(status, 303, "{reply}");
        let after = committed(&server, &asked).await;
        assert_eq!(after.status, ended);
    }
}

/// A lifetime out of bounds is refused with the bounds, and not changed silently.
#[tokio::test]
async fn impossible_link_lifetime_is_refused() {
    let directory = Directory::new();
    let server = start(&directory);
    let (asked, _) = ask(&server, json!({"question": "Ship?"})).await;
    let id = asked.id.to_string();
    let at = ["--url", &server.address, "--token", TOKEN];
    for (time, words) in [
        ("30d", "7d or less"),
        ("604801s", "7d or less"),
        ("0s", "at least 1 second"),
    ] {
        let run = askback(
            &[&["link", &id, "--expires-in", time][..], &at].concat(),
            "",
        );
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{time}");
        assert!(run.err.contains(words), "{time}: {}", run.err);
    }
    let week = NewLinkParams {
        expires_in: Some(HumanDuration::from_secs(7 * 86_400)),
        ..USUAL
    };
    let before = jiff::Timestamp::now().as_second();
    let link = server.client.link(&asked.id, &week).await.expect("made");
    assert!(link.expires_at.as_second() >= before + 7 * 86_400);
    let run = askback(
        &[&["link", &id, "--allow", "everything"][..], &at].concat(),
        "",
    );
    assert_eq!(run.code, Some(2));
}

/// A link lasts as long as it says, even if the deadline of its question moves, and ends with the
/// question.
#[tokio::test]
async fn link_follows_a_deadline_that_moves() {
    let directory = Directory::new();
    let server = start(&directory);
    let params = NewInquiryParams {
        input: json!({"question": "Ship?", "options": ["Yes", "No"]}),
        expires_in: Some(HumanDuration::from_secs(60)),
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&params).await.expect("it is asked");
    let link = server.client.link(&asked.id, &USUAL).await.expect("a link");
    assert!(link.expires_at > asked.expires_at.expect("a deadline"));
    let path = path_of(&server, &link.url);
    let guest = stranger(&server);
    let (_, page) = guest.get(&path);
    let nothing = askback_wire::respond::WithdrawParams::default();
    let withdrawn = server.client.withdraw_inquiry(&asked.id, &nothing);
    withdrawn.await.expect("it is taken back");
    assert_eq!(guest.post(&path, &page, &[("q1", "Yes")]).0, 409);
    let deleted = server.client.delete_conversation(&asked.conversation_id);
    deleted.await.expect("it is gone");
    assert_eq!(guest.get(&path).0, 404);
}

/// A link lets its holder answer, not read the answers of others.
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

/// The command prints the link with the public address, and its QR code.
#[tokio::test]
async fn link_command_prints_the_url_and_its_qr_code() {
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

/// A link to a server that ends with the command could be opened by nobody.
#[test]
fn link_needs_a_running_server() {
    let directory = Directory::new();
    let data = directory.path().join("data");
    let data = ["--data", data.to_str().expect("text")];
    let ask = ["ask", "--durable", "Ship?", "Yes", "No"];
    let asked = askback(&[&ask[..], &data].concat(), "");
    assert_eq!(asked.code, Some(3), "{}", asked.err);
    let listed = askback(&[&["list", "--json"][..], &data].concat(), "");
    let id = listed.out.find("inq_").map(|at| &listed.out[at..at + 30]);
    let run = askback(&[&["link", id.expect("an id")][..], &data].concat(), "");
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("askback serve"), "{}", run.err);
}

/// The link that a terminal shows, taken from its screen.
fn link_on(pty: &Pty) -> String {
    let screen = pty.screen().join("\n");
    let at = screen.find("http://").expect("a link is shown");
    let link = screen[at..].split_whitespace().next();
    link.expect("an address").to_owned()
}

/// With only the link: `Q` shows it with its QR code in `ask --durable`, the inbox and the chat. When
/// the phone answers, one line replaces the frame.
#[tokio::test]
async fn link_shown_in_the_prompt_can_be_answered() {
    let directory = Directory::new();
    let script = json!({"steps": [{"say": "Asking", "calls": [{"tool": "question",
        "input": {"question": "Ship?", "header": "Release", "options": ["Yes", "No"]}}]}, {"say": "Done"}]});
    let server = Server::start(&directory, &script);
    let data = directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    let question = json!({"questions": [{"question": "Ship?", "header": "Release",
        "options": ["Yes", "No"]}]});
    let input = super::support::run_binary::file("links_prompt.json", question.to_string());
    let vars = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];
    let ask = ["ask", "--durable", "--data", data, "--json", &input];
    let inbox = ["inbox", "--data", data];
    let chat = ["chat", "--data", data];
    for (args, keys) in [(&ask[..], ""), (&inbox, "\r"), (&chat, "hello\r")] {
        if args == inbox {
            let params = NewInquiryParams {
                input: question.clone(),
                ..Default::default()
            };
            server.client.ask(&params).await.expect("it is asked");
        }
        let mut pty = Pty::with(args, &vars, (160, 40));
        pty.shows(match args[0] {
            "ask" => "Q phone",
            "inbox" => "1 question waiting",
            _ => "Write a message",
        });
        pty.send(keys);
        pty.shows("Q phone");
        pty.send("Q");
        pty.shows("It works once");
        pty.shows("Only this computer can open it");
        assert!(
            pty.screen().join("\n").contains("█▀▀▀▀▀█")
                || pty.screen().join("\n").contains("▄▄▄▄▄")
        );
        let path = path_of(&server, &link_on(&pty));
        let guest = stranger(&server);
        let (status, page) = guest.get(&path);
        assert_eq!(status, 200, "{page}");
        let (status, reply) = guest.post(&path, &page, &[("q1", "Yes")]);
        assert_eq!(status, 303, "{reply}");
        pty.shows("✔ Release: Yes — answered through a link");
        let screen = pty.screen().join("\n");
        assert!(!screen.contains("It works once"), "{screen}");
        if args == ask {
            assert_eq!(pty.ends(), 0);
        } else {
            pty.kill();
        }
    }
    server.kill();
}
