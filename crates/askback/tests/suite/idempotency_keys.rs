//! A request takes effect once per key, and a key belongs to one request.

use askback_client::{Client, ClientError};
use askback_core::id::{ConversationId, MessageId};
use askback_wire::conversation::{ConversationResponse, NewConversationParams};
use askback_wire::inquiry::{InquiryResponse, InquiryStatus, NewInquiryParams, UndoParams};
use askback_wire::message::MessageParams;
use askback_wire::respond::{
    AnswerParams, CancelParams, CancelWorkParams, DeclineParams, RejectPendingParams, RespondParams,
};
use serde_json::{Value, json};

use super::deadlines::code;
use super::support::server_process::{Directory, Server};

const KEY: &str = "k";
const MISMATCH: &str = "idempotency_mismatch";

fn serve(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "-", "times": 99}]}))
}

fn question(text: &str) -> NewInquiryParams {
    NewInquiryParams {
        input: json!({"question": text, "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    }
}

fn keyed_question(text: &str) -> NewInquiryParams {
    NewInquiryParams {
        key: Some(KEY.to_owned()),
        ..question(text)
    }
}

fn answer(answers: Value) -> AnswerParams {
    AnswerParams {
        answers,
        key: Some(KEY.to_owned()),
        ..AnswerParams::default()
    }
}

async fn ask(client: &Client, text: &str) -> InquiryResponse {
    client.ask(&question(text)).await.unwrap()
}

async fn status(client: &Client, asked: &InquiryResponse) -> InquiryStatus {
    client.inquiry(&asked.id).await.unwrap().status
}

/// A key of a request that attached to what its agent had asked before is bound as any other: a repeat
/// brings that question even when its outcome was delivered, and nothing else takes the key.
#[tokio::test]
async fn key_is_bound_when_a_repeated_call_attaches() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let asked = |key: &str| -> NewInquiryParams {
        serde_json::from_value(json!({
            "input": {"question": "Which?", "options": ["A", "B"]},
            "asker": {"client": "c", "project": "p", "session": "s"},
            "key": key,
        }))
        .unwrap()
    };
    let first = client.ask(&asked("first")).await.unwrap();
    assert_eq!(client.ask(&asked("second")).await.unwrap().id, first.id);
    let given = AnswerParams {
        answers: json!({"q1": "A"}),
        ..AnswerParams::default()
    };
    client.answer(&first.id, &given).await.unwrap();
    let done = serde_json::from_value(json!("done")).unwrap();
    client.note_delivery(&first.id, done).await.unwrap();
    for key in ["first", "second"] {
        assert_eq!(client.ask(&asked(key)).await.unwrap().id, first.id, "{key}");
    }
    let other = ask(client, "Other?").await;
    let decline = DeclineParams {
        key: Some("second".to_owned()),
        ..DeclineParams::default()
    };
    let refused = client.decline_inquiry(&other.id, &decline).await;
    assert_eq!(code(refused), MISMATCH);
    assert_eq!(status(client, &other).await, InquiryStatus::Pending);
    assert_ne!(client.ask(&asked("third")).await.unwrap().id, first.id);
    server.kill();
}

/// Of several that know the same number of deliveries, one may deliver. The others learn that at once,
/// and do not take it for a server that is gone.
#[tokio::test]
async fn delivery_is_claimed_once() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let asked: NewInquiryParams = serde_json::from_value(json!({
        "input": {"question": "Which?", "options": ["A", "B"]},
        "asker": {"client": "c", "project": "p", "session": "s"},
    }))
    .unwrap();
    let inquiry = client.ask(&asked).await.unwrap();
    let given = AnswerParams {
        answers: json!({"q1": "A"}),
        ..AnswerParams::default()
    };
    client.answer(&inquiry.id, &given).await.unwrap();
    assert!(client.claim_delivery(&inquiry.id, 0).await.unwrap());
    assert!(!client.claim_delivery(&inquiry.id, 0).await.unwrap());
    assert!(client.claim_delivery(&inquiry.id, 1).await.unwrap());
    server.kill();
}

/// An answer under a used key is not dropped, and a question under a used key never gets the answer of an
/// older one.
#[tokio::test]
async fn reused_key_neither_drops_nor_replays_an_answer() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let (first, second) = (ask(client, "First?").await, ask(client, "Second?").await);
    let given = answer(json!({"q1": "A"}));
    client.answer(&first.id, &given).await.unwrap();
    assert_eq!(code(client.answer(&second.id, &given).await), MISMATCH);
    assert_eq!(status(client, &second).await, InquiryStatus::Pending);
    let asking = keyed_question("Third?");
    assert_eq!(code(client.ask(&asking).await), MISMATCH);
    let asked = NewInquiryParams {
        key: Some("asked".to_owned()),
        ..question("Fourth?")
    };
    client.ask(&asked).await.unwrap();
    let changed = NewInquiryParams {
        key: asked.key,
        ..question("Fifth?")
    };
    let refused = client.ask(&changed).await.unwrap_err().to_string();
    assert!(
        refused.contains("The question, or what was sent with it, differs"),
        "{refused}"
    );
    let again = client.answer(&first.id, &given).await.unwrap();
    assert_eq!(again.status, InquiryStatus::Answered);
    // A key that was refused is free.
    let fresh = AnswerParams {
        key: Some("fresh".to_owned()),
        ..given
    };
    client.answer(&second.id, &fresh).await.unwrap();
}

/// Every request that takes a key, sent under one that any other of them has used, is refused and
/// changes nothing; sent again as it was, it succeeds.
#[tokio::test]
async fn key_is_refused_on_another_route() {
    for used in 0..ROUTES {
        let directory = Directory::new();
        let server = serve(&directory);
        let client = &server.client;
        send(client, used).await.unwrap();
        for other in (0..ROUTES).filter(|other| *other != used) {
            let refused = send(client, other).await;
            assert_eq!(code(refused), MISMATCH, "route {other} after {used}");
        }
    }
}

const ROUTES: usize = 9;

/// Sends one kind of request twice to something new of its own, under the same key as all others.
async fn send(client: &Client, route: usize) -> Result<Value, ClientError> {
    let asked = ask(client, "Which?").await;
    let first = send_once(client, route, &asked).await;
    let again = send_once(client, route, &asked).await;
    match (first, again) {
        (Ok(first), Ok(again)) => {
            assert_eq!(first, again, "route {route} sent again");
            Ok(again)
        }
        (Err(first), Err(_)) => {
            let now = status(client, &asked).await;
            assert_eq!(now, InquiryStatus::Pending, "route {route} was refused");
            Err(first)
        }
        (first, again) => panic!("route {route}: {first:?}, then {again:?}"),
    }
}

async fn send_once(
    client: &Client,
    route: usize,
    asked: &InquiryResponse,
) -> Result<Value, ClientError> {
    let inquiry = |inquiry: InquiryResponse| json!(inquiry);
    let conversation = |conversation: ConversationResponse| json!(conversation);
    let decline = DeclineParams {
        key: Some(KEY.to_owned()),
        ..DeclineParams::default()
    };
    let cancel = CancelParams {
        key: Some(KEY.to_owned()),
        ..CancelParams::default()
    };
    let (id, of) = (&asked.id, &asked.conversation_id);
    match route {
        0 => client.ask(&keyed_question("Another?")).await.map(inquiry),
        1 => {
            let params = NewConversationParams {
                external: true,
                key: Some(KEY.to_owned()),
                ..NewConversationParams::default()
            };
            let begun = client.create_conversation(&params).await;
            begun.map(conversation)
        }
        2 => {
            let answered = client.answer(id, &answer(json!({"q1": "A"}))).await;
            answered.map(inquiry)
        }
        3 => client.decline_inquiry(id, &decline).await.map(inquiry),
        4 => client.cancel_inquiry(id, &cancel).await.map(inquiry),
        5 => client.withdraw_inquiry(id, &cancel).await.map(inquiry),
        6 => {
            let params = RespondParams {
                answers: json!({"q1": "A"}),
                key: Some(KEY.to_owned()),
                ..RespondParams::default()
            };
            client.respond(of, &params).await.map(conversation)
        }
        7 => {
            let params = RejectPendingParams {
                key: Some(KEY.to_owned()),
                ..RejectPendingParams::default()
            };
            client.reject(of, &params).await.map(conversation)
        }
        _ => {
            let params = CancelWorkParams {
                key: Some(KEY.to_owned()),
                ..CancelWorkParams::default()
            };
            client.cancel(of, &params).await.map(conversation)
        }
    }
}

/// After a crash, keys of acknowledged and of committed requests are known.
#[tokio::test]
async fn keys_survive_a_crash() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asking = keyed_question("Which?");
    let asked = server.client.ask(&asking).await.unwrap();
    let given = AnswerParams {
        key: Some("answer".to_owned()),
        ..answer(json!({"q1": "A"}))
    };
    let answered = server.client.answer(&asked.id, &given).await.unwrap();
    server.kill();
    let server = serve(&directory);
    let again = server.client.ask(&asking).await.unwrap();
    assert_eq!(again, answered, "the same inquiry, as it stands now");
    let again = server.client.answer(&asked.id, &given).await.unwrap();
    assert_eq!(again, answered);
    let other = answer(json!({"q1": "B"}));
    assert_eq!(
        code(server.client.answer(&asked.id, &other).await),
        MISMATCH
    );
}

/// Of concurrent requests with one key, one takes effect; repeats succeed, others are refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_with_one_key_act_once() {
    let directory = Directory::new();
    let server = serve(&directory);
    let mut asked = Vec::new();
    for number in 0..4 {
        asked.push(ask(&server.client, &format!("Which {number}?")).await);
    }
    let tasks: Vec<_> = (0..40)
        .map(|number| {
            let (client, id) = (server.client.clone(), asked[number % 4].id.clone());
            tokio::spawn(async move {
                let answered = client.answer(&id, &answer(json!({"q1": "A"}))).await;
                (id, answered)
            })
        })
        .collect();
    let mut taken = Vec::new();
    for task in tasks {
        match task.await.unwrap() {
            (id, Ok(_)) => taken.push(id),
            (_, refused) => assert_eq!(code(refused), MISMATCH),
        }
    }
    assert_eq!(taken.len(), 10, "all requests for one question succeed");
    taken.dedup();
    let [won] = &taken[..] else {
        panic!("{taken:?}");
    };
    for asked in &asked {
        let is_answered = status(&server.client, asked).await == InquiryStatus::Answered;
        assert_eq!(is_answered, asked.id == *won);
    }
}

/// A message id is bound to its text, wherever it was given first.
#[tokio::test]
async fn message_id_is_bound_to_its_text() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let params = NewConversationParams {
        message: Some("Hello".to_owned()),
        message_id: Some(MessageId::new("m1")),
        ..NewConversationParams::default()
    };
    let id = client.create_conversation(&params).await.unwrap().id;
    server.reaches(&id, "idle").await;
    say(client, &id, ("m2", "And?")).await.unwrap();
    server.reaches(&id, "idle").await;
    for (name, text) in [("m1", "Hello"), ("m2", "And?")] {
        say(client, &id, (name, text)).await.unwrap();
        let refused = say(client, &id, (name, "Something else")).await;
        assert_eq!(code(refused), MISMATCH);
    }
    let said: Vec<String> = server.transcript(&id).await;
    let said: Vec<&str> = said
        .iter()
        .filter_map(|it| it.strip_prefix("user: "))
        .collect();
    assert_eq!(said, ["Hello", "And?"]);
    // Another conversation has message ids of its own.
    let other = client.create_conversation(&params).await.unwrap().id;
    assert_ne!(other, id);
}

async fn say(
    client: &Client,
    id: &ConversationId,
    (name, text): (&str, &str),
) -> Result<ConversationResponse, ClientError> {
    let params = MessageParams {
        text: text.to_owned(),
        message_id: Some(MessageId::new(name)),
    };
    client.send_message(id, &params).await
}

/// A client's message id never becomes the id of a message, and takes up to 200 characters on both
/// routes.
#[tokio::test]
async fn client_message_id_is_not_the_stored_message_id() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let id = server.begin("Hello").await;
    server.reaches(&id, "idle").await;
    let before = server.read(&id).await.messages;
    let agents = before.last().unwrap().id.clone();
    let most = "é".repeat(200);
    for (name, text) in [(agents.as_str(), "One"), (most.as_str(), "Two")] {
        say(client, &id, (name, text)).await.unwrap();
        server.reaches(&id, "idle").await;
    }
    let messages = server.read(&id).await.messages;
    assert_eq!(messages[..before.len()], before, "nothing is replaced");
    let named = |name: &str| {
        let found = messages
            .iter()
            .find(|it| it.sent_as == Some(MessageId::new(name)));
        found.expect("it names itself").id.clone()
    };
    assert_ne!(named(agents.as_str()), agents);
    assert!(named(&most).as_str().starts_with(MessageId::PREFIX));
    for name in [String::new(), format!("{most}e")] {
        assert_eq!(
            code(say(client, &id, (&name, "Three")).await),
            "invalid_key"
        );
        let params = NewConversationParams {
            message: Some("Hello".to_owned()),
            message_id: Some(MessageId::new(name)),
            ..NewConversationParams::default()
        };
        assert_eq!(
            code(client.create_conversation(&params).await),
            "invalid_key"
        );
    }
}

/// Repeating an undone answer does not give it again, and does not claim so. The same choice under
/// another key is a new answer, which a repeated undo leaves alone.
#[tokio::test]
async fn undone_answer_is_not_repeated() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let asked = ask(client, "Which?").await;
    let held = AnswerParams {
        undo_seconds: Some(60),
        ..answer(json!({"q1": "A"}))
    };
    let first = client.answer(&asked.id, &held).await.unwrap();
    assert_eq!(client.answer(&asked.id, &held).await.unwrap(), first);
    let undo = UndoParams {
        key: Some("undo".to_owned()),
        ..UndoParams::default()
    };
    let open = client.undo(&asked.id, &undo).await.unwrap();
    assert!(open.held.is_none());
    assert_eq!(code(client.answer(&asked.id, &held).await), "answer_undone");
    let responded = RespondParams {
        answers: json!({"q1": "A"}),
        undo_seconds: Some(60),
        key: Some("respond".to_owned()),
        ..RespondParams::default()
    };
    let conversation = &asked.conversation_id;
    client.respond(conversation, &responded).await.unwrap();
    let again = client.undo(&asked.id, &undo).await.unwrap();
    assert!(again.held.is_some(), "the later answer stands");
    client
        .undo(&asked.id, &UndoParams::default())
        .await
        .unwrap();
    assert_eq!(
        code(client.respond(conversation, &responded).await),
        "answer_undone"
    );
    let fresh = AnswerParams {
        key: Some("another".to_owned()),
        ..held
    };
    let anew = client.answer(&asked.id, &fresh).await.unwrap();
    assert!(anew.held.is_some());
}
