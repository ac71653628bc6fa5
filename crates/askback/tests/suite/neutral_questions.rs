//! Goal: the questions of a program are one inquiry of mixed kinds, asked, shown, answered and read by its own ids.

use serde_json::{Value, json};

use super::no_script_form::Browser;
use super::support::raw_http::{get_json, post_json};
use super::support::run_binary::succeeds;
use super::support::server_process::{Directory, Server, TOKEN};
use super::surface_parity::inbox;

/// Every kind of question, with ids that fields of a form, properties of an object and positions also have.
fn form() -> Value {
    json!([
        {"id": "once", "text": "Which database?", "header": "Database", "own": true,
         "choices": ["PostgreSQL", {"label": "SQLite", "value": "sqlite", "description": "One file"}]},
        {"id": "q2", "text": "Which regions?", "choices": ["eu", "us"], "several": true},
        {"id": "__proto__", "text": "Replicas?", "kind": "number", "min": 1, "max": 9, "integer": true},
        {"id": "once-own", "text": "Launch?", "kind": "date", "optional": true},
        {"id": "a.b", "text": "Window?", "kind": "date_range"},
        {"id": "constructor", "text": "Name?", "max_length": 20},
        {"id": "go", "text": "Roll out?", "kind": "confirm"},
    ])
}

fn answers() -> Value {
    json!({
        "once": "sqlite", "q2": ["us"], "__proto__": 3, "once-own": null,
        "a.b": {"start": "2027-03-27", "end": "2027-04-01"}, "constructor": "api", "go": false,
    })
}

fn values(inquiry: &Value) -> Value {
    let answers = inquiry["outcome"]["answers"].as_array().expect("answers");
    let pair = |answer: &Value| {
        let id = answer["question"].as_str().expect("an id").to_owned();
        (id, answer["value"].clone())
    };
    answers.iter().map(pair).collect()
}

#[tokio::test]
async fn a_form_of_mixed_kinds_is_one_inquiry() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let asked = json!({"questions": form(), "key": "form-1"});
    let (status, asked) = post_json(&server, "/inquiries", &[], &asked);
    assert_eq!((status, &asked["dialect"]), (201, &json!("questions")));
    let again = json!({"questions": asked["questions"]});
    let (status, again) = post_json(&server, "/inquiries", &[], &again);
    assert_eq!((status, &again["questions"]), (201, &asked["questions"]));
    let path = format!("/inquiries/{}", asked["id"].as_str().expect("an id"));
    let mut half = answers();
    half.as_object_mut().expect("an object").remove("go");
    let (status, refused) = post_json(
        &server,
        &format!("{path}/answer"),
        &[],
        &json!({"answers": half}),
    );
    assert_eq!((status, &refused["code"]), (422, &json!("incomplete")));
    assert_eq!(refused["errors"][0]["question"], "go");
    let mut wrong = answers();
    wrong["__proto__"] = json!(99);
    let (status, refused) = post_json(
        &server,
        &format!("{path}/answer"),
        &[],
        &json!({"answers": wrong}),
    );
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_answer")));
    assert_eq!(refused["errors"][0]["question"], "__proto__");
    let (status, answered) = post_json(
        &server,
        &format!("{path}/answer"),
        &[],
        &json!({"answers": answers()}),
    );
    assert_eq!(status, 200, "{answered}");
    assert_eq!(values(&answered), answers());
    assert_eq!(get_json(&server, &path), answered);
    let content = answered["result"]["content"].as_str().expect("a result");
    let content: Value = serde_json::from_str(content).expect("JSON");
    assert_eq!(content, json!({ "answers": answers() }));
}

/// What a person reads of a question: its text, and the labels of its choices.
fn texts(question: &Value) -> Vec<&str> {
    let choices = question["choices"].as_array().into_iter().flatten();
    let labels = choices.map(|choice| choice["label"].as_str().unwrap_or_default());
    let text = question["text"].as_str().unwrap_or_default();
    std::iter::once(text).chain(labels).collect()
}

/// Each question is asked alone, because a list shows the first of several.
#[tokio::test]
async fn every_surface_shows_the_same_texts() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let browser = Browser::new(&server);
    let mut asked = Vec::new();
    for question in form().as_array().expect("a list") {
        let (status, inquiry) = post_json(
            &server,
            "/inquiries",
            &[],
            &json!({"questions": [question]}),
        );
        assert_eq!(status, 201, "{inquiry}");
        asked.push(inquiry);
    }
    let terminal = inbox(&directory);
    let address = server.address.as_str();
    let listed = succeeds(&["list", "--url", address, "--token", TOKEN], "");
    for inquiry in &asked {
        let question = &inquiry["questions"][0];
        let path = format!("/q/{}", inquiry["id"].as_str().expect("an id"));
        let (status, page) = browser.get(&path);
        assert_eq!(status, 200, "{page}");
        for text in texts(question) {
            assert!(page.contains(text), "{text}: {page}");
            assert!(listed.contains(text), "{text}: {listed}");
        }
        terminal.shows(question["text"].as_str().expect("a text"));
    }
    terminal.kill();
    server.kill();
}

#[tokio::test]
async fn what_is_wrong_is_named_with_its_path() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let input = json!({"question": "Which?", "options": ["A", "B"]});
    for (sent, code, named) in [
        (json!({}), "invalid_json", "`questions` is missing"),
        (
            json!({"questions": form(), "input": input}),
            "invalid_json",
            "not both",
        ),
        (
            json!({"questions": form(), "dialect": "question"}),
            "invalid_json",
            "`dialect`",
        ),
        (
            json!({"input": input, "dialect": "questions"}),
            "unknown_dialect",
            "",
        ),
        (
            json!({"questions": "none"}),
            "invalid_input",
            "- questions: must be a list",
        ),
        (
            json!({"questions": [{"text": "A?"}, {"id": "q1", "text": "B?"}]}),
            "invalid_input",
            "- questions[1].id: is `q1`",
        ),
        (
            json!({"questions": [{"text": "A?", "choises": ["B"]}]}),
            "invalid_input",
            "- questions[0]: Unknown field `choises`: did you mean `choices`?",
        ),
    ] {
        let (_, refused) = post_json(&server, "/inquiries", &[], &sent);
        assert_eq!(refused["code"], code, "{refused}");
        let detail = refused["detail"].as_str().expect("a detail");
        assert!(detail.contains(named), "{detail}");
    }
    let listed = get_json(&server, "/inquiries");
    assert_eq!(listed["items"], json!([]));
}

/// A key that is not looked at would let a repeated request do its work twice.
#[tokio::test]
async fn a_key_where_none_is_taken_is_refused() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let asked = json!({"questions": form()});
    let (_, asked) = post_json(&server, "/inquiries", &[], &asked);
    let conversation = asked["conversation_id"].as_str().expect("an id");
    let header = [("Idempotency-Key", "k1")];
    for (path, body, instead) in [
        (
            format!("/conversations/{conversation}/messages"),
            json!({"text": "Hello"}),
            "`message_id`",
        ),
        (
            format!(
                "/inquiries/{}/hand-on",
                asked["id"].as_str().expect("an id")
            ),
            json!({"recipient": "owner"}),
            "Leave it out",
        ),
    ] {
        let (status, refused) = post_json(&server, &path, &header, &body);
        assert_eq!((status, &refused["code"]), (422, &json!("invalid_key")));
        let detail = refused["detail"].as_str().expect("a detail");
        assert!(detail.contains(instead), "{detail}");
    }
}

#[tokio::test]
async fn only_the_address_names_what_is_ended() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let ask = || {
        let body = json!({"questions": [{"text": "Roll out?", "kind": "confirm"}]});
        let (status, inquiry) = post_json(&server, "/inquiries", &[], &body);
        assert_eq!(status, 201, "{inquiry}");
        inquiry["id"].as_str().expect("an id").to_owned()
    };
    let (named, other) = (ask(), ask());
    for action in ["decline", "reject", "cancel", "withdraw"] {
        let path = format!("/inquiries/{named}/{action}");
        let (status, problem) = post_json(&server, &path, &[], &json!({"inquiry_id": other}));
        assert_eq!(status, 400, "{action}: {problem}");
        let detail = problem["detail"].as_str().expect("a text");
        assert!(detail.contains("`inquiry_id`"), "{action}: {detail}");
    }
    let pending = get_json(&server, "/inquiries?status=pending");
    assert_eq!(pending["items"].as_array().map(Vec::len), Some(2));
}
