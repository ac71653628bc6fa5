//! The form without JavaScript: every kind of answer, invalid input, lost races, and escaping of what
//! an agent wrote.

use askback_wire::inquiry::{CommitAnswerParams, InquiryResponse, NewInquiryParams};
use askback_wire::path::percent_encoded;
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::support::raw_http::{body, browser_cookie, header, raw, request};
use super::support::server_process::{Directory, Server};

/// A browser without JavaScript.
pub(crate) struct Browser<'a> {
    pub(crate) server: &'a Server,
    pub(crate) cookie: String,
    pub(crate) language: &'static str,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(server: &'a Server) -> Browser<'a> {
        Browser {
            server,
            cookie: browser_cookie(server),
            language: "en",
        }
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let headers = [
            ("Host", "localhost"),
            ("Cookie", &self.cookie),
            ("Accept-Language", self.language),
        ];
        raw(self.server, &request(&format!("GET {path}"), &headers))
    }

    /// Sends a form with these fields beside the hidden ones of the page.
    pub(crate) fn post(&self, path: &str, page: &str, fields: &[(&str, &str)]) -> (u16, String) {
        let hidden = ["revision", "once"].map(|name| (name, hidden(page, name)));
        let fields = fields
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()));
        let pairs = hidden.into_iter().chain(fields);
        let pairs: Vec<String> = pairs
            .map(|(name, value)| format!("{name}={}", percent_encoded(&value)))
            .collect();
        let form = pairs.join("&");
        let length = form.len().to_string();
        let headers = [
            ("Host", "localhost"),
            ("Origin", "http://localhost"),
            ("Cookie", &self.cookie),
            ("Accept-Language", self.language),
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Content-Length", &length),
        ];
        let mut bytes = request(&format!("POST {path}"), &headers);
        bytes.extend(form.bytes());
        raw(self.server, &bytes)
    }
}

/// The value of a hidden field of a page.
fn hidden(page: &str, name: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    let rest = page.split_once(&start).map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default().to_owned()
}

pub(crate) fn start(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "-"}]}))
}

pub(crate) async fn ask(server: &Server, input: Value) -> (InquiryResponse, String) {
    let params = NewInquiryParams {
        input,
        source: Some("builder".to_owned()),
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&params).await.expect("it is asked");
    let path = format!("/q/{}", asked.id);
    (asked, path)
}

/// The inquiry, without waiting for the time in which its answer can be undone.
pub(super) async fn committed(server: &Server, asked: &InquiryResponse) -> InquiryResponse {
    let params = CommitAnswerParams::default();
    // It is refused if there is nothing to undo.
    drop(server.client.commit_answer(&asked.id, &params).await);
    server.client.inquiry(&asked.id).await.expect("it is there")
}

async fn outcome(server: &Server, asked: &InquiryResponse) -> Value {
    let inquiry = committed(server, asked).await;
    serde_json::to_value(&inquiry.outcome).expect("it is JSON")
}

/// Fields of a form.
type Fields = &'static [(&'static str, &'static str)];
/// A question, a wrong answer with what must be kept of it, a right one and what it means.
type Case = (Value, Fields, &'static str, Fields, Value);

/// One case for each kind of answer.
fn cases() -> [Case; 6] {
    let choices = json!(["Red & blue", "Green"]);
    [
        (
            json!({"question": "Colour?", "input_type": "select", "options": choices, "allow_other": true}),
            &[("q1", "Green"), ("q1-own", "mauve <3")],
            "mauve &lt;3",
            &[("q1", "Red & blue")],
            json!({"given": "chosen", "values": ["Red & blue"]}),
        ),
        (
            json!({"question": "Colours?", "input_type": "multiselect", "options": choices, "allow_other": true}),
            &[("q1", ""), ("q1-note", "kept note")],
            "kept note",
            &[("q1", "Red & blue"), ("q1", "Green"), ("q1-own", "mauve")],
            json!({"given": "chosen", "values": ["Red & blue", "Green"], "own": "mauve"}),
        ),
        (
            json!({"question": "Name?", "input_type": "text", "validation": {"min_length": 6}}),
            &[("q1", "\"x\"'&")],
            "&quot;x&quot;'&amp;",
            &[("q1", "Zoë\r\nKim")],
            json!({"given": "text", "text": "Zoë\nKim"}),
        ),
        (
            json!({"question": "How many?", "input_type": "number", "validation": {"min": 2, "max": 9}}),
            &[("q1", "lots")],
            "value=\"lots\"",
            &[("q1", "3.5")],
            json!({"given": "number", "number": 3.5}),
        ),
        (
            json!({"question": "When?", "input_type": "date"}),
            &[("q1", "30 feb 2027")],
            "value=\"30 feb 2027\"",
            &[("q1", "27 mar 2027")],
            json!({"given": "date", "date": "2027-03-27"}),
        ),
        (
            json!({"question": "From when to when?", "input_type": "date_range"}),
            &[("q1-start", "2 april 2027"), ("q1-end", "2027-04-01")],
            "value=\"2 april 2027\"",
            &[("q1-start", "1 april 2027"), ("q1-end", "2027-04-02")],
            json!({"given": "date_range", "start": "2027-04-01", "end": "2027-04-02"}),
        ),
    ]
}

/// Each kind is first answered wrongly, which keeps all that was typed, and then rightly.
#[tokio::test]
async fn every_kind_is_answered_after_wrong_input_was_kept() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    for (input, wrong, kept, right, given) in cases() {
        let (asked, path) = ask(&server, input.clone()).await;
        let (status, page) = browser.get(&path);
        assert_eq!(status, 200, "{page}");
        assert!(
            !page.contains(" checked"),
            "nothing is chosen on load: {page}"
        );
        let (status, page) = browser.post(&path, &page, wrong);
        assert_eq!(status, 422, "{input}: {page}");
        assert!(page.contains(kept), "{input}: {page}");
        assert!(page.contains("<title>Error: "), "{page}");
        let target = page
            .split("<li><a href=\"#")
            .nth(1)
            .expect("a link to the field");
        let target = target.split('"').next().expect("an end");
        assert!(
            page.contains(&format!("id=\"{target}\"")),
            "{target}: {page}"
        );
        let (status, reply) = browser.post(&path, &page, right);
        assert_eq!(status, 303, "{input}: {reply}");
        let next = format!("{path}?sent=1");
        assert_eq!(header(&reply, "location"), [next.as_str()]);
        let outcome = outcome(&server, &asked).await;
        for (key, value) in given.as_object().expect("an object") {
            assert_eq!(&outcome["answers"][0][key], value, "{outcome}");
        }
        let (status, page) = browser.get(&path);
        assert_eq!(status, 200);
        assert!(
            page.contains("Answered by someone in the browser"),
            "{page}"
        );
        assert!(!page.contains("<form"), "{page}");
    }
}

/// Several questions stand on one page; each is answered, skipped or left open.
#[tokio::test]
async fn several_questions_are_answered_at_once() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let (asked, path) = ask(
        &server,
        json!({"questions": [
            {"question": "Which database?", "header": "Database",
             "options": [{"label": "PostgreSQL"}, {"label": "SQLite", "description": "One file"}]},
            {"question": "Which features?", "multiSelect": true,
             "options": [{"label": "Search"}, {"label": "Export"}]},
        ]}),
    )
    .await;
    let (_, page) = browser.get(&path);
    assert!(
        page.contains("Question 1 of 2") && page.contains("builder asks"),
        "{page}"
    );
    let (status, page) = browser.post(&path, &page, &[("action", "send")]);
    assert_eq!(status, 422, "nothing was answered: {page}");
    let fields = [("q1-own", "Files"), ("q2", "Export"), ("q2-note", "CSV")];
    let (status, reply) = browser.post(&path, &page, &fields);
    assert_eq!(status, 303, "{reply}");
    let outcome = outcome(&server, &asked).await;
    assert_eq!(outcome["answers"][0]["own"], "Files");
    assert_eq!(outcome["answers"][1]["values"], json!(["Export"]));
    assert_eq!(outcome["answers"][1]["note"], "CSV");
}

/// Every other action has a button, and the page then shows the outcome. Stopping the agent and letting
/// it decide ask for confirmation.
#[tokio::test]
async fn buttons_end_a_question_without_an_answer() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    for (action, expected, words) in [
        (
            "decline",
            "declined",
            "Decision left to the agent by someone",
        ),
        ("reject", "rejected", "Agent stopped by someone"),
        ("skip", "answered", "skipped"),
    ] {
        let input = json!({"question": "Go?", "input_type": "text", "allow_skip": true});
        let (asked, path) = ask(&server, input).await;
        let (_, page) = browser.get(&path);
        let button = format!("name=\"action-{action}\"");
        assert!(page.contains(&button), "{page}");
        let pressed = format!("action-{action}");
        if action != "skip" {
            let fields = [("q1", "half an answer"), (&pressed, "what it shows")];
            let (status, reply) = browser.post(&path, &page, &fields);
            assert_eq!(status, 200, "{action} asks first: {reply}");
            assert!(reply.contains("half an answer"), "{action}: {reply}");
            let inquiry = server.client.inquiry(&asked.id).await.expect("it is there");
            assert_eq!(inquiry.status.to_string(), "pending", "{action}");
        }
        let fields = [("confirmed", action), (&pressed, "what it shows")];
        let (status, reply) = browser.post(&path, &page, &fields);
        assert_eq!(status, 303, "{action}: {reply}");
        let inquiry = committed(&server, &asked).await;
        assert_eq!(inquiry.status.to_string(), expected);
        let (_, page) = browser.get(&path);
        assert!(page.contains(words), "{action}: {page}");
    }
}

/// A late answer shows who was first, and their answer.
#[tokio::test]
async fn late_answer_shows_who_was_first() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let input = json!({"question": "Deploy?", "options": ["Yes", "No"]});
    let (asked, path) = ask(&server, input).await;
    let (_, page) = browser.get(&path);
    let params = AnswerParams {
        answers: json!({"q1": "Yes"}),
        ..AnswerParams::default()
    };
    server
        .client
        .answer(&asked.id, &params)
        .await
        .expect("first");
    let (status, page) = browser.post(&path, &page, &[("q1", "No")]);
    assert_eq!(status, 409, "{page}");
    assert!(page.contains("This question is closed"), "{page}");
    assert!(
        page.contains(">Yes</dd>") && page.contains("over HTTP"),
        "{page}"
    );
}

/// Sending a form twice is harmless, and so is repeating a keyed request.
#[tokio::test]
async fn repeated_answer_is_harmless() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let (_, path) = ask(&server, json!({"question": "And now?"})).await;
    let (_, page) = browser.get(&path);
    for _ in 0..2 {
        let (status, reply) = browser.post(&path, &page, &[("q1", "Later")]);
        assert_eq!(status, 303, "{reply}");
    }
    let (asked, _) = ask(&server, json!({"question": "And then?"})).await;
    let params = AnswerParams {
        answers: json!({"q1": "Never"}),
        key: Some("once".to_owned()),
        ..AnswerParams::default()
    };
    let first = server
        .client
        .answer(&asked.id, &params)
        .await
        .expect("taken");
    let again = server
        .client
        .answer(&asked.id, &params)
        .await
        .expect("known");
    assert_eq!(first, again);
}

/// Whatever an agent writes into a question, the page shows it and is not changed by it.
#[tokio::test]
async fn hostile_text_is_shown_as_text() {
    const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;";
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let input = json!({"questions": [{
        "question": HOSTILE, "header": "<b>\"x",
        "options": [
            {"label": format!("{HOSTILE} 1"), "description": HOSTILE, "preview": HOSTILE},
            {"label": "javascript:alert(1)", "description": "</fieldset></form>"},
        ],
    }]});
    let (_, path) = ask(&server, input).await;
    let check = |page: &str| {
        for markup in [
            "<script>",
            "<img",
            "<b>",
            "onerror=\"",
            "</fieldset></form>\n</p",
        ] {
            assert!(!page.contains(markup), "{markup}: {page}");
        }
        assert!(
            page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
            "{page}"
        );
        // Each tag that begins also belongs to the page: it has a fixed set of names.
        let known = [
            "!DOCTYPE", "html", "head", "meta", "title", "link", "body", "main", "section", "h1",
            "h2", "p", "form", "input", "fieldset", "legend", "div", "label", "bdi", "details",
            "summary", "pre", "textarea", "button", "span", "ul", "li", "a", "dl", "dt", "dd",
            "time", "script", "header",
        ];
        for tag in body(page).split('<').skip(1) {
            let name = tag.trim_start_matches('/').split(['>', ' ', '\n']).next();
            assert!(name.is_some_and(|name| known.contains(&name)), "{tag}");
        }
    };
    let (_, page) = browser.get(&path);
    check(&page);
    let (status, page) = browser.post(&path, &page, &[("q1-own", HOSTILE), ("q1", "nothing")]);
    assert_eq!(status, 422);
    check(&page);
    let (status, reply) = browser.post(&path, &page, &[("q1-own", HOSTILE)]);
    assert_eq!(status, 303, "{reply}");
    check(&browser.get(&path).1);
}

/// The form is in the reader's language and direction, and reads what they type in it.
#[tokio::test]
async fn form_uses_the_browser_language() {
    let directory = Directory::new();
    let server = start(&directory);
    let mut browser = Browser::new(&server);
    let (asked, path) = ask(&server, json!({"question": "?", "input_type": "number"})).await;
    browser.language = "ar";
    let (_, page) = browser.get(&path);
    assert!(page.contains("<html lang=\"ar\" dir=\"rtl\">"), "{page}");
    assert!(!page.contains("Send answer"), "{page}");
    browser.language = "de";
    let (status, reply) = browser.post(&path, &page, &[("q1", "2,5")]);
    assert_eq!(status, 303, "{reply}");
    assert_eq!(outcome(&server, &asked).await["answers"][0]["number"], 2.5);
}

/// An unknown action changes nothing.
#[tokio::test]
async fn unknown_action_changes_nothing() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let question = json!({"question": "Pay?", "options": ["Yes", "No"]});
    let (asked, path) = ask(&server, question).await;
    let (_, page) = browser.get(&path);
    let fields = [("q1", "Yes"), ("action", "Decline")];
    assert_eq!(browser.post(&path, &page, &fields).0, 400);
    assert_eq!(outcome(&server, &asked).await, Value::Null);
}

/// A held answer is shown as held, and another answer is too late.
#[tokio::test]
async fn held_answer_is_shown_instead_of_the_form() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let question = json!({"question": "Pay?", "options": ["Yes", "No"]});
    let (asked, path) = ask(&server, question).await;
    let (_, form) = browser.get(&path);
    let params = AnswerParams {
        answers: json!({"q1": "Yes"}),
        undo_seconds: Some(60),
        ..AnswerParams::default()
    };
    let held = server.client.answer(&asked.id, &params).await;
    assert!(held.expect("it is taken").held.is_some());
    let (status, page) = browser.get(&path);
    assert_eq!(status, 200);
    for shown in ["<dd dir=\"auto\">Yes</dd>", "You can still undo it"] {
        assert!(page.contains(shown), "{page}");
    }
    assert!(!page.contains("<form"), "{page}");
    let (status, late) = browser.post(&path, &form, &[("q1", "No")]);
    assert_eq!(status, 409);
    for shown in ["<dd dir=\"auto\">Yes</dd>", "Your answer was not sent"] {
        assert!(late.contains(shown), "{late}");
    }
}

/// A form of another site changes nothing, and neither does one without a cookie.
#[tokio::test]
async fn cross_site_forms_are_refused() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let (asked, path) = ask(
        &server,
        json!({"question": "Pay?", "options": ["Yes", "No"]}),
    )
    .await;
    let post = |headers: &[(&str, &str)]| {
        let form = ("Content-Type", "application/x-www-form-urlencoded");
        let fixed = [("Host", "localhost"), form, ("Content-Length", "6")];
        let mut bytes = request(&format!("POST {path}"), &[&fixed[..], headers].concat());
        bytes.extend(b"q1=Yes");
        raw(&server, &bytes).0
    };
    let cookie = ("Cookie", browser.cookie.as_str());
    assert_eq!(post(&[cookie, ("Origin", "http://evil.example")]), 403);
    assert_eq!(post(&[cookie, ("Origin", "http://localhost:3000")]), 403);
    assert_eq!(post(&[cookie, ("Origin", "null")]), 403);
    assert_eq!(post(&[cookie, ("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(post(&[("Origin", "http://localhost")]), 401);
    let inquiry = server.client.inquiry(&asked.id).await.expect("it is there");
    assert_eq!(inquiry.status.to_string(), "pending");
    let (status, reply) = browser.get(&path);
    assert_eq!(status, 200);
    // Without a referrer, browsers would call our own form foreign.
    assert_eq!(header(&reply, "referrer-policy"), ["same-origin"]);
}
