//! Web Push: a browser subscribes, gets what only it can read, and answers from the notification.

use std::fs;

use askback_wire::actor::SurfaceName;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus, NewInquiryParams};
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::support::push_service::{PushService, PushedMessage};
use super::support::raw_http::{bearer, body, raw};
use super::support::server_process::{Directory, Server};

struct Page {
    service: PushService,
    directory: Directory,
    server: Server,
}

impl Page {
    fn start(settings: &str) -> Page {
        let service = PushService::start();
        let directory = Directory::new();
        let config = format!(
            "[channels.webpush]\nbase_url = '{}'\n{settings}",
            service.base_url
        );
        fs::write(directory.path().join("askback.toml"), config).expect("it can be written");
        let server = serve(&directory);
        Page {
            service,
            directory,
            server,
        }
    }

    fn restart(self) -> Page {
        self.server.kill();
        let server = serve(&self.directory);
        Page { server, ..self }
    }

    /// Calls the API as the page does.
    fn call(&self, method: &str, path: &str, sent: &Value) -> (u16, Value) {
        let (sent, bearer) = (sent.to_string(), bearer());
        let length = sent.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: {bearer}\r\n\
             Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{sent}"
        );
        let (status, reply) = raw(&self.server, request.as_bytes());
        let read = serde_json::from_str(body(&reply));
        (status, read.unwrap_or_default())
    }

    fn subscribe(&self, name: &str) -> (u16, Value) {
        self.call(
            "POST",
            "/push/subscriptions",
            &self.service.subscription(name),
        )
    }

    async fn ask(&self, labels: &[&str]) -> InquiryResponse {
        let options: Vec<Value> = labels
            .iter()
            .map(|label| json!({ "label": label, "description": "…" }))
            .collect();
        let question =
            json!({ "question": "Which database?", "header": "Database", "options": options });
        let params = NewInquiryParams {
            input: json!({ "questions": [question] }),
            source: Some("claude-code".to_owned()),
            ..NewInquiryParams::default()
        };
        let asked = self.server.client.ask(&params).await;
        asked.expect("it is asked")
    }

    async fn answer(&self, asked: &InquiryResponse) {
        let answer = AnswerParams {
            answers: json!({ "q1": "SQLite" }),
            ..AnswerParams::default()
        };
        let answered = self.server.client.answer(&asked.id, &answer).await;
        answered.expect("it is answered");
    }

    async fn pushed(&self, asked: &InquiryResponse) -> PushedMessage {
        let is_shown = |it: &PushedMessage| is_about(it, asked) && it.body["close"].is_null();
        self.service.message("the question", is_shown).await
    }

    async fn closed(&self, asked: &InquiryResponse) -> PushedMessage {
        let is_over = |it: &PushedMessage| is_about(it, asked) && it.body["close"].is_array();
        self.service.message("the end", is_over).await
    }

    fn channels(&self) -> Value {
        self.call("GET", "/channels", &Value::Null).1["items"].clone()
    }
}

fn is_about(message: &PushedMessage, asked: &InquiryResponse) -> bool {
    message.body["tag"] == asked.id.as_str()
}

fn serve(directory: &Directory) -> Server {
    let config = directory.path().join("askback.toml");
    let config = config.to_str().expect("the path is text");
    Server::start_with(directory, &["--config", config])
}

/// The receiver decrypts and verifies the token. The server has neither recipients nor a public URL.
#[tokio::test]
async fn a_question_arrives_and_is_taken_away_when_it_is_answered_elsewhere() {
    let page = Page::start("");
    let earlier = page.ask(&["SQLite", "PostgreSQL"]).await;
    let (status, settings) = page.call("GET", "/push", &Value::Null);
    assert_eq!(
        (status, &settings["recipients"][0]["alias"]),
        (200, &json!("owner"))
    );
    assert_eq!(page.channels(), json!([]), "nobody has subscribed");
    assert_eq!(
        page.subscribe("one"),
        (200, json!({ "recipient": "owner" }))
    );
    let asked = page.ask(&["SQLite", "PostgreSQL", "MySQL"]).await;
    let message = page.pushed(&asked).await;
    assert_eq!(
        (message.path.as_str(), message.urgency.as_str()),
        ("/one", "high")
    );
    assert_eq!(
        message.key, settings["key"],
        "the key that the browser was given"
    );
    assert_eq!(
        message.body["title"],
        "claude-code has a question: Database"
    );
    assert!(
        message.body["body"]
            .as_str()
            .is_some_and(|text| text.contains("3. MySQL"))
    );
    assert_eq!(message.body["url"], format!("/inbox#{}", asked.id));
    assert!(
        message.body["actions"].is_null(),
        "never half of the choices"
    );
    assert_eq!(page.channels()[0]["recipients"], json!(["owner"]));

    page.answer(&asked).await;
    let over = page.closed(&asked).await;
    assert_eq!(
        (over.urgency.as_str(), &over.body["silent"]),
        ("normal", &json!(true))
    );
    assert_eq!(
        over.topic, message.topic,
        "an undelivered question is replaced"
    );
    assert!(
        !page
            .service
            .messages()
            .iter()
            .any(|it| is_about(it, &earlier))
    );
}

/// The buttons have a key for this question and choice; the answer can be undone from the next notification.
#[tokio::test]
async fn two_choices_are_answered_from_the_notification() {
    let page = Page::start("[recipients.zoe]\nname = 'Zoë'\nlanguage = 'de'\n");
    assert_eq!(page.subscribe("one").0, 200);
    let asked = page.ask(&["SQLite", "PostgreSQL"]).await;
    let message = page.pushed(&asked).await;
    assert_eq!(message.body["lang"], "de");
    let actions = message.body["actions"].as_array().expect("buttons");
    assert_eq!(actions.len(), 2);
    let url = actions[1]["url"].as_str().expect("a path").to_owned();
    let forged = url.replace(".0.1?", ".0.0?");
    assert_eq!(
        page.call("POST", &forged, &Value::Null).0,
        401,
        "the key is for one choice"
    );
    let (status, told) = page.call("POST", &url, &Value::Null);
    assert_eq!(status, 200, "{told}");
    let held = |it: &PushedMessage| {
        is_about(it, &asked)
            && it.body["actions"]
                .as_array()
                .is_some_and(|all| all.len() == 1)
    };
    let held = page.service.message("Undo", held).await;
    let undo = held.body["actions"][0]["url"]
        .as_str()
        .expect("a path")
        .to_owned();
    assert_eq!(page.call("POST", &undo, &Value::Null).0, 200);
    assert_eq!(page.call("POST", &url, &Value::Null).0, 200);
    page.closed(&asked).await;
    let found = page
        .server
        .client
        .inquiry(&asked.id)
        .await
        .expect("it is read");
    assert_eq!(found.status, InquiryStatus::Answered);
    assert_eq!(found.surface, Some(SurfaceName::Push));
    assert_eq!(found.answered_by.as_deref(), Some("Zoë"));
    let (status, told) = page.call("POST", &url, &Value::Null);
    assert_eq!(status, 409, "{told}");
    assert!(
        told["text"]
            .as_str()
            .is_some_and(|text| text.contains("Zoë"))
    );
}

#[tokio::test]
async fn a_browser_that_is_gone_is_forgotten_and_a_busy_service_is_tried_again() {
    let page = Page::start("");
    assert_eq!(page.subscribe("one").0, 200);
    page.service.refuse(&[503, 429]);
    let asked = page.ask(&["SQLite", "PostgreSQL"]).await;
    page.pushed(&asked).await;
    assert!(page.service.is_done_refusing());
    let page = page.restart();
    assert_eq!(
        page.channels()[0]["recipients"],
        json!(["owner"]),
        "subscriptions are kept"
    );
    page.service.refuse(&[410]);
    let asked = page.ask(&["Yes", "No"]).await;
    while page.channels() != json!([]) {
        tokio::task::yield_now().await;
    }
    assert!(
        !page
            .service
            .messages()
            .iter()
            .any(|it| is_about(it, &asked))
    );
}

#[tokio::test]
async fn an_unsubscribed_browser_gets_nothing_more() {
    let page = Page::start("content = 'link'\n");
    for name in ["one", "two"] {
        assert_eq!(page.subscribe(name).0, 200);
    }
    let endpoint = page.service.subscription("one")["endpoint"].clone();
    let (status, _) = page.call(
        "POST",
        "/push/unsubscribe",
        &json!({ "endpoint": endpoint }),
    );
    assert_eq!(status, 204);
    let asked = page.ask(&["SQLite", "PostgreSQL"]).await;
    let message = page.pushed(&asked).await;
    assert_eq!(message.path, "/two");
    assert_eq!(
        message.body["title"], "A question is waiting",
        "content = link"
    );
    assert_eq!(message.body["body"], "");
    page.answer(&asked).await;
    page.closed(&asked).await;
    let paths = page
        .service
        .messages()
        .into_iter()
        .map(|message| message.path);
    assert!(paths.collect::<Vec<_>>().iter().all(|path| path == "/two"));
}

/// The endpoint comes from a browser: it must not make the server call its own network.
#[tokio::test]
async fn an_endpoint_must_be_a_push_service_on_the_internet() {
    let page = Page::start("[recipients.zoe]\n[recipients.ben]\n");
    let mut subscription = page.service.subscription("one");
    assert_eq!(
        page.call("POST", "/push/subscriptions", &subscription).0,
        422,
        "whose questions?"
    );
    subscription["recipient"] = json!("ben");
    assert_eq!(
        page.call("POST", "/push/subscriptions", &subscription).0,
        200
    );
    for wrong in [
        "http://push.example/1",
        "https://localhost/1",
        "https://router/1",
        "https://127.0.0.1/1",
        "https://[::1]/1",
        "https://192.168.1.1/1",
        "https://169.254.169.254/latest",
        "https://user@push.example/1",
        "ftp://push.example",
        "",
    ] {
        subscription["endpoint"] = json!(wrong);
        let (status, problem) = page.call("POST", "/push/subscriptions", &subscription);
        assert_eq!(
            (status, &problem["code"]),
            (422, &json!("invalid_subscription")),
            "{wrong}"
        );
    }
    subscription["endpoint"] = json!("https://push.example/1");
    subscription["keys"]["p256dh"] = json!("BAAA");
    assert_eq!(
        page.call("POST", "/push/subscriptions", &subscription).0,
        422
    );
}

/// Whoever knows the endpoint could be followed, and whoever has the key could write to browsers.
#[tokio::test]
async fn neither_endpoint_nor_keys_are_in_the_log_or_the_api() {
    let page = Page::start("");
    assert_eq!(page.subscribe("a-secret-endpoint").0, 200);
    page.service.refuse(&[500]);
    let asked = page.ask(&["SQLite", "PostgreSQL"]).await;
    page.pushed(&asked).await;
    let log = fs::read_to_string(page.directory.path().join("server.log")).expect("a log");
    let listed = page.channels().to_string();
    for secret in ["a-secret-endpoint", "CQkJCQkJCQkJCQkJCQkJCQ"] {
        assert!(
            !log.contains(secret) && !listed.contains(secret),
            "{secret}"
        );
    }
}

#[tokio::test]
async fn web_push_can_be_turned_off() {
    let page = Page::start("enabled = false\n");
    assert_eq!(page.call("GET", "/push", &Value::Null).0, 404);
    assert_eq!(page.subscribe("one").0, 404);
}

/// Who types at another surface needs no sound. A draft is a sign of them; so is what a page tells. Zoë is the one who
/// uses this server.
#[tokio::test]
async fn nothing_is_sent_to_somebody_who_answers_at_another_surface() {
    let page = Page::start("[recipients.zoe]\npresence = true\n[recipients.ben]\n");
    for alias in ["zoe", "ben"] {
        let mut subscription = page.service.subscription(alias);
        subscription["recipient"] = json!(alias);
        let (status, told) = page.call("POST", "/push/subscriptions", &subscription);
        assert_eq!(status, 200, "{told}");
    }
    loop {
        let (status, told) = page.call("POST", "/presence", &json!({}));
        assert_eq!(status, 200, "{told}");
        if told["wanted"] == true {
            break;
        }
        tokio::task::yield_now().await;
    }
    let asked = page.ask(&["SQLite", "PostgreSQL"]).await;
    assert_eq!(page.pushed(&asked).await.path, "/ben");
    page.answer(&asked).await;
    page.closed(&asked).await;
    let paths = page
        .service
        .messages()
        .into_iter()
        .map(|message| message.path);
    assert_eq!(paths.collect::<Vec<_>>(), ["/ben", "/ben"]);
}

/// Nobody is asked to tell where nothing is sent.
#[tokio::test]
async fn presence_is_not_wanted_while_nobody_has_subscribed() {
    let page = Page::start("");
    let (status, told) = page.call("POST", "/presence", &json!({}));
    assert_eq!((status, told), (200, json!({ "wanted": false })));
}
