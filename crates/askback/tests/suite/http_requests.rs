//! Goal: what a client writes is taken or refused by name, never ignored.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::support::raw_http::{get_json, post_json, post_text};
use super::support::server_process::{Directory, Server};

fn question() -> Value {
    json!({"question": "Which?", "options": ["A", "B"]})
}

fn serve(directory: &Directory) -> Server {
    Server::start_with(directory, &[])
}

/// The status and the detail of a refusal.
fn refusal((status, reply): &(u16, Value)) -> (u16, &str) {
    (*status, reply["detail"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn a_deadline_is_a_time_or_a_duration() {
    let directory = Directory::new();
    let server = serve(&directory);
    let at = Timestamp::now() + SignedDuration::from_hours(2);
    let at = at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let asked = json!({"input": question(), "expires_at": at});
    let (status, asked) = post_json(&server, "/inquiries", &[], &asked);
    assert_eq!((status, &asked["expires_at"]), (201, &json!(at)));
    let both = json!({"input": question(), "expires_at": at, "expires_in": "2h"});
    let refused = post_json(&server, "/inquiries", &[], &both);
    assert_eq!(
        refusal(&refused),
        (422, "Send `expires_at` or `expires_in`, not both.")
    );
    assert_eq!(refused.1["code"], "invalid_deadline");
    let listed = get_json(&server, "/inquiries");
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn the_header_is_the_idempotency_key() {
    let directory = Directory::new();
    let server = serve(&directory);
    let header = [("Idempotency-Key", "deploy-42")];
    let asked = json!({"input": question()});
    let (status, first) = post_json(&server, "/inquiries", &header, &asked);
    assert_eq!(status, 201);
    let in_body = json!({"input": question(), "key": "deploy-42"});
    for (headers, sent) in [
        (&header[..], &asked),
        (&header[..], &in_body),
        (&[][..], &in_body),
        (&[("Idempotency-Key", "\"deploy-42\"")][..], &asked),
    ] {
        let (status, again) = post_json(&server, "/inquiries", headers, sent);
        assert_eq!((status, &again["id"]), (200, &first["id"]));
    }
    let other = [("Idempotency-Key", "deploy-43")];
    let refused = post_json(&server, "/inquiries", &other, &in_body);
    let expected = "The header `Idempotency-Key` and the field `key` differ: send one of them.";
    assert_eq!(refusal(&refused), (422, expected));
    // A route whose body may be missing.
    let decline = format!("/inquiries/{}/decline", first["id"].as_str().unwrap());
    for _ in 0..2 {
        let (status, declined) = post_json(&server, &decline, &header_of("d1"), &json!({}));
        assert_eq!((status, &declined["status"]), (200, &json!("declined")));
    }
}

fn header_of(key: &'static str) -> [(&'static str, &'static str); 1] {
    [("Idempotency-Key", key)]
}

#[tokio::test]
async fn unknown_names_are_refused_with_the_nearest_one() {
    let directory = Directory::new();
    let server = serve(&directory);
    for (sent, detail) in [
        (
            json!({"input": question(), "recipent": "zoe"}),
            "Unknown field `recipent`: did you mean `recipient`?",
        ),
        (
            json!({"input": question(), "asker": {"cleint": "x", "session": "s"}}),
            "Unknown field `asker.cleint`: did you mean `client`?",
        ),
    ] {
        let refused = post_json(&server, "/inquiries", &[], &sent);
        assert_eq!(refusal(&refused), (400, detail), "{sent}");
    }
    // The contracts of tools have rules of their own.
    let sent = json!({"input": {"question": "Which?", "options": ["A", "B"], "priority": 3}});
    assert_eq!(post_json(&server, "/inquiries", &[], &sent).0, 201);
    for (path, detail) in [
        (
            "/inquiries?stauts=pending",
            "Unknown parameter `stauts`: did you mean `status`?",
        ),
        ("/apps?limit=3", "Unknown parameter `limit`: there is none."),
        (
            "/inquiries?status=pending&status=answered",
            "`status` is there twice: send it once.",
        ),
        (
            "/inquiries?asker_session=s1",
            "`asker_project` and `asker_session` are of an agent: send `asker_client`, too.",
        ),
    ] {
        let refused = get_json(&server, path);
        assert_eq!(refused["detail"], detail, "{path}");
        assert_eq!(refused["code"], "invalid_query", "{path}");
    }
    let probe = get_json(&server, "/healthz?from=probe");
    assert_eq!(probe["code"], Value::Null, "{probe}");
}

/// The field, and what to send.
#[tokio::test]
async fn a_refused_value_is_named_with_an_example() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = json!({"input": question()});
    let (_, asked) = post_json(&server, "/inquiries", &[], &asked);
    let inquiry = format!("/inquiries/{}", asked["id"].as_str().unwrap());
    let answer = format!("{inquiry}/answer");
    for (path, sent, named, example) in [
        (
            "/inquiries",
            json!({}),
            "`questions` is missing",
            r#"`"questions": [{"text": "#,
        ),
        (
            "/inquiries",
            json!({"input": question(), "expires_in": -5}),
            "`expires_in` is not",
            r#"`"expires_in": "30s"`"#,
        ),
        (
            "/inquiries",
            json!({"input": question(), "asker": {"client": "x", "session": 7}}),
            "`asker.session` is not",
            "/openapi.json",
        ),
        (
            &answer,
            json!({}),
            "`answers` is missing",
            r#"`"answers": {"q1": "Yes"}`"#,
        ),
        (
            &answer,
            json!({"answers": {}, "revision": "secret"}),
            "`revision` is not",
            r#"`"revision": 1`"#,
        ),
    ] {
        let refused = post_json(&server, path, &[], &sent);
        let (status, detail) = refusal(&refused);
        assert_eq!(status, 400, "{sent}: {detail}");
        assert!(detail.starts_with(named), "{sent}: {detail}");
        assert!(detail.contains(example), "{sent}: {detail}");
        assert!(!detail.contains("secret"), "{sent}: {detail}");
    }
    for (path, detail) in [
        (format!("{inquiry}?wait=abc"), "`wait=30s`"),
        ("/inquiries?limit=many".to_owned(), "`limit=50`"),
    ] {
        let refused = get_json(&server, &path);
        let found = refused["detail"].as_str().unwrap_or_default();
        assert!(found.contains(detail), "{path}: {refused}");
    }
}

/// A stopped agent is told to stop, and metadata has a limit.
#[tokio::test]
async fn a_result_says_whether_to_stop() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = json!({"input": question(), "key": "k"});
    let (_, asked) = post_json(&server, "/inquiries", &[], &asked);
    let inquiry = format!("/inquiries/{}", asked["id"].as_str().unwrap());
    let decline = json!({"key": "another"});
    let cancelled = post_json(&server, &format!("{inquiry}/cancel"), &[], &decline);
    assert_eq!(cancelled.1["result"]["next"], "stop");
    let found = |path: &str| get_json(&server, path)["items"].as_array().map(Vec::len);
    assert_eq!(found("/inquiries?key=k"), Some(1));
    assert_eq!(
        found("/inquiries?key=another"),
        Some(0),
        "not asked with it"
    );
    assert_eq!(found("/inquiries?key=unknown"), Some(0));
    let both = get_json(&server, "/inquiries?key=k&status=pending");
    assert_eq!(both["code"], "invalid_query");

    let sent = |text: &str| json!({"input": question(), "metadata": {"a": text}});
    let fits = sent(&"x".repeat(4096 - r#"{"a":""}"#.len()));
    let hidden = post_json(&server, "/inquiries", &[], &sent("a\u{202e}b"));
    assert_eq!(hidden.1["code"], "invalid_metadata");
    assert_eq!(post_json(&server, "/inquiries", &[], &fits).0, 201);
    let larger = sent(&"x".repeat(4097 - r#"{"a":""}"#.len()));
    let refused = post_json(&server, "/inquiries", &[], &larger);
    let expected = "`metadata` must be an object of at most 4096 bytes of JSON, without control or hidden characters.";
    assert_eq!(refusal(&refused), (422, expected));
}

/// An answer that leaves a question open is final only on request.
#[tokio::test]
async fn a_half_filled_answer_is_refused_unless_it_is_meant() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = json!({"input": {"questions": [
        {"question": "Which database?", "header": "Database", "options": [{"label": "A"}, {"label": "B"}]},
        {"question": "Which region?", "header": "Region", "options": [{"label": "C"}, {"label": "D"}]},
    ]}});
    let (_, asked) = post_json(&server, "/inquiries", &[], &asked);
    let paths = [
        format!("/inquiries/{}/answer", asked["id"].as_str().unwrap()),
        format!(
            "/conversations/{}/respond",
            asked["conversation_id"].as_str().unwrap()
        ),
    ];
    for path in &paths {
        let half = json!({"answers": {"q1": "A"}});
        let refused = post_json(&server, path, &[], &half);
        let expected = "Not answered: q2 (Region). Answer all questions, or send `\"partial\": true` to leave these open. To \
             skip an optional one, send `\"q2\": null`.";
        assert_eq!(refusal(&refused), (422, expected), "{path}");
        assert_eq!(refused.1["code"], "incomplete");
        assert_eq!(refused.1["errors"][0]["question"], "q2");
    }
    let half = json!({"answers": {"q1": "A"}, "partial": true});
    let (status, answered) = post_json(&server, &paths[0], &[], &half);
    assert_eq!((status, &answered["status"]), (200, &json!("answered")));
    assert_eq!(answered["outcome"]["answers"][1]["given"], "unanswered");
    // Whoever is too late learns that, whatever is missing.
    let late = json!({"answers": {"q1": "B"}});
    let (status, late) = post_json(&server, &paths[0], &[], &late);
    assert_eq!((status, &late["code"]), (409, &json!("not_pending")));
}

/// A rejection is a request to the inquiry, and its flags say what can be done with it.
#[tokio::test]
async fn an_inquiry_is_rejected_and_says_what_can_be_done() {
    let directory = Directory::new();
    let server = serve(&directory);
    let text = json!({"question": "Why?", "input_type": "text", "allow_skip": true});
    let claude = json!({"questions": [{"question": "Which?", "header": "H", "options": [{"label": "A"}, {"label": "B"}]}]});
    for (dialect, input, takes_message, can_skip) in [
        ("question", question(), true, false),
        ("ask_user", text, false, true),
        ("ask_user_question", claude, false, false),
    ] {
        let asked = json!({"input": input, "dialect": dialect});
        let (status, asked) = post_json(&server, "/inquiries", &[], &asked);
        assert_eq!(status, 201, "{asked}");
        let flags = json!({"takes_message": takes_message, "can_skip": can_skip});
        assert_eq!(asked["flags"], flags, "{dialect}");
        let reject = format!("/inquiries/{}/reject", asked["id"].as_str().unwrap());
        let (status, rejected) = post_json(&server, &reject, &[], &json!({"undo_seconds": 30}));
        assert_eq!((status, &rejected["status"]), (200, &json!("pending")));
        assert_eq!(rejected["held"]["outcome"]["type"], "rejected");
    }
}

/// Fields that a route does not have are refused by name, also by routes that take none.
#[tokio::test]
async fn route_without_a_body_refuses_fields() {
    let directory = Directory::new();
    let server = serve(&directory);
    for path in ["/presence", "/sign-out"] {
        let (status, refused) = post_json(&server, path, &[], &json!({"nme": 1}));
        assert_eq!(status, 400, "{path}");
        let detail = refused["detail"].as_str().unwrap();
        assert_eq!(detail, "Unknown field `nme`: there is none.", "{path}");
    }
    let (status, _) = post_json(&server, "/presence", &[], &json!({}));
    assert_eq!(status, 200);
}

/// What has two answers has none, and what may be skipped says how.
#[tokio::test]
async fn answer_twice_is_refused_by_name_and_a_missing_one_says_how_to_skip() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = json!({"questions": [
        {"text": "Which?", "kind": "choice", "choices": ["A", "B"]},
        {"text": "Why?", "kind": "text", "optional": true},
    ]});
    let (status, asked) = post_json(&server, "/inquiries", &[], &asked);
    assert_eq!(status, 201, "{asked}");
    let path = format!("/inquiries/{}/answer", asked["id"].as_str().unwrap());
    let twice = r#"{"answers": {"q1": "A", "q1": "B", "q2": null}}"#;
    let (status, refused) = post_text(&server, &path, &[], twice);
    let detail = "`answers.q1` is there twice: send it once.";
    assert_eq!((status, &refused["detail"]), (400, &json!(detail)));
    let (status, refused) = post_json(&server, &path, &[], &json!({"answers": {"q1": "A"}}));
    assert_eq!(status, 422);
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.ends_with("send `\"q2\": null`."), "{detail}");
    let options = json!({"questions": [{"text": "Which?", "kind": "choice", "options": ["A"]}]});
    let (status, refused) = post_json(&server, "/inquiries", &[], &options);
    assert_eq!(status, 422);
    assert!(
        refused.to_string().contains("did you mean `choices`?"),
        "{refused}"
    );
}
