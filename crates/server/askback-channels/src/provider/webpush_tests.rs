use askback_core::dialect::Dialect;
use askback_core::outcome::{Outcome, Surface};
use askback_core::text::Text;
use serde_json::json;

use super::endpoint::{EndpointError, checked_endpoint};
use super::payload::{payload, thread_text_tag, topic};
use crate::card::{Card, CardState, ContentLevel};
use crate::config::ChannelsConfig;
use crate::fixtures::{at, open_card, parse, question, zoe};
use crate::links::press_link::{PressKey, PressLinks, PressUrls};
use crate::people::account::{BrowserSubscription, LinkedAccount};
use crate::provider::base_url::BaseUrl;

fn card() -> Card {
    Card {
        press_links: Some(PressLinks {
            base_url: String::new(),
            channel: "webpush".to_owned(),
            recipient: "a".repeat(40),
            expires_at: at("2027-03-28T12:00:00Z"),
            key: PressKey::derive(b"the token of the server"),
        }),
        ..open_card(question())
    }
}

#[test]
fn buttons_are_paths_of_our_own_server() {
    let message = payload(&card());
    let actions = message["actions"].as_array().expect("it has buttons");
    assert_eq!(actions.len(), 2);
    for action in actions {
        let url = action["url"].as_str().expect("a path");
        assert!(url.starts_with("/press/webpush/aaa"), "{url}");
    }
    assert_eq!(
        message["url"],
        format!("/inbox#{}", card().inquiry.as_str())
    );
}

#[test]
fn the_levels_of_content_are_obeyed() {
    let at_level = |content| payload(&Card { content, ..card() });
    let title = at_level(ContentLevel::Title);
    assert_eq!(title["title"], "claude-code has a question: Database");
    assert_eq!(
        (&title["body"], &title["actions"]),
        (&json!(""), &json!(null))
    );
    let link = at_level(ContentLevel::Link).to_string();
    assert!(
        !link.contains("Database") && !link.contains("claude-code"),
        "{link}"
    );
}

/// Who answered in a notification can undo it there; everybody else's is taken away.
#[test]
fn a_held_answer_has_undo_only_where_it_was_given() {
    let held = |surface| {
        let by = askback_core::outcome::Actor { surface, ..zoe() };
        let (outcome, until) = (Outcome::Declined, at("2027-03-27T12:00:05Z"));
        let state = CardState::Held {
            by,
            outcome,
            until,
            is_own: true,
        };
        payload(&Card { state, ..card() })
    };
    assert_eq!(held(Surface::Push)["actions"][0]["title"], "Undo");
    let id = card().inquiry;
    assert_eq!(
        held(Surface::Terminal)["close"],
        json!([id.as_str(), thread_text_tag(id.as_str())])
    );
}

/// Push services take 4 KB with encryption.
#[test]
fn the_longest_message_has_at_most_three_kilobytes() {
    let long = |text: &str, times| text.repeat(times);
    for letter in ["鼠", "\"", "é", "👩‍👩‍👧"] {
        let options = json!([
            { "label": long(letter, 60), "description": "…" },
            { "label": format!("{}2", long(letter, 59)), "description": "…" },
        ]);
        let input = json!({ "questions": [
            { "question": long(letter, 900), "header": long(letter, 2), "options": options },
        ]});
        let questions = parse(Dialect::AskUserQuestion, &input);
        let card = Card {
            asker: Text::name(&long(letter, 200)),
            press_links: card().press_links,
            ..open_card(questions)
        };
        let bytes = payload(&card).to_string().len();
        assert!(bytes <= 3072, "{letter}: {bytes}");
    }
}

#[test]
fn a_topic_has_at_most_32_letters_for_everything_about_a_question() {
    let tag = "inq_01hzy3v5q0k2m4n6p8r0s2t4v6";
    assert_eq!(topic(&json!({ "tag": tag })), "01hzy3v5q0k2m4n6p8r0s2t4v6");
    let reply = topic(&json!({ "tag": thread_text_tag(tag) }));
    assert_eq!((reply.len(), reply.ends_with("-reply")), (32, true));
}

#[test]
fn a_test_service_is_the_only_local_one() {
    let test = BaseUrl::parse("http://127.0.0.1:4000").expect("it is valid");
    let check = |text: &str| checked_endpoint(text, Some(&test)).map(drop);
    assert_eq!(check("http://127.0.0.1:4000/one"), Ok(()));
    assert_eq!(
        check("http://127.0.0.1:40001/one"),
        Err(EndpointError::Malformed)
    );
    assert_eq!(
        check("https://127.0.0.1:4000/one"),
        Err(EndpointError::Private)
    );
    assert_eq!(check("https://fcm.googleapis.com/fcm/send/x"), Ok(()));
    assert_eq!(
        check("https://2130706433/one"),
        Err(EndpointError::Private),
        "127.0.0.1 in one number"
    );
}

/// Who changes the token locks out every browser, and means those that get notifications too.
#[test]
fn a_subscription_counts_as_long_as_the_token_does() {
    let config = |token: &[u8]| ChannelsConfig {
        press_urls: Some(PressUrls {
            base_url: None,
            key: PressKey::derive(token),
        }),
        ..ChannelsConfig::default()
    };
    let account = LinkedAccount {
        channel: "webpush".to_owned(),
        recipient: "zoe".to_owned(),
        identity: "webpush:1".to_owned(),
        address: "1".to_owned(),
        subscription: Some(BrowserSubscription {
            endpoint: "https://push.example/1".to_owned(),
            p256dh: String::new(),
            auth: String::new(),
            vapid: String::new(),
            token: config(b"one").token_fingerprint(),
            session: None,
            credential: None,
            expires_at: None,
        }),
    };
    assert!(config(b"one").accepts(&account));
    assert!(!config(b"two").accepts(&account));
    let linked_by_code = LinkedAccount {
        subscription: None,
        ..account
    };
    assert!(config(b"two").accepts(&linked_by_code));
}
