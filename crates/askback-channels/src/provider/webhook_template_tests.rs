use askback_core::dialect::Dialect;
use serde_json::{Value, json};

use super::{Secret, SecretConfig, WebhookConfig, WebhookTemplate, signature};
use crate::card::{Card, CardState};
use crate::contract::channel::{Address, Attention, Channel as _, MessageId, SendError};
use crate::fixtures::{at, open_card, parse, question, zoe};
use askback_fakes::{FakeHttp, Reply};

const TEMPLATES: [&str; 3] = ["teams", "discord", "mattermost"];

/// Each would change what is shown, or whom it reaches, if it were not text.
const HOSTILE: [&str; 9] = [
    "\"},{\"injected\":\"",
    "\\\" \\u0022 \\",
    "@everyone @channel @here",
    "<!channel> <@U1> <https://evil.example|safe>",
    "[safe](https://evil.example) ![](https://evil.example/x.png)",
    "``` `code` **bold** _it_ ~~no~~ ||spoiler|| # head\n> quote",
    "{link} {title} {secret:app} {to}",
    "أهلاً 👩‍👩‍👧‍👦 \u{202e}",
    "<at>everyone</at>",
];

fn config(url: &str) -> WebhookConfig {
    WebhookConfig {
        url: Some(url.into()),
        ..WebhookConfig::default()
    }
}

fn from_template(url: &str, name: &str) -> WebhookTemplate {
    let config = WebhookConfig {
        template: Some(name.to_owned()),
        ..config(url)
    };
    WebhookTemplate::new(&config).expect("the settings are valid")
}

fn asking(text: &str) -> Card {
    let input = json!({ "questions": [{
        "question": text, "header": "Header",
        "options": [{ "label": "A", "description": text }, { "label": "B", "description": "…" }],
    }] });
    open_card(parse(Dialect::AskUserQuestion, &input))
}

fn to() -> Address {
    Address("ops".to_owned())
}

/// The body that a card has with a template.
async fn body(name: &str, card: &Card) -> Value {
    let fake = FakeHttp::replying(json!({})).await.expect("it starts");
    let channel = from_template(&format!("{}/hook", fake.url()), name);
    let message = channel.render(card);
    let sent = channel.send(&to(), &message, Attention::Notify).await;
    sent.expect("it is sent");
    fake.requests().remove(0).json()
}

/// The shape of a document: everything but its texts.
fn shape(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::from("…"),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), shape(value)));
            Value::Object(members.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[tokio::test]
async fn hostile_texts_stay_texts_in_every_shipped_template() {
    for name in TEMPLATES {
        let expected = shape(&body(name, &asking("Which?")).await);
        for hostile in HOSTILE {
            let body = body(name, &asking(hostile)).await;
            assert_eq!(shape(&body), expected, "{name}: {hostile}");
            let text = body.to_string();
            assert!(
                !text.contains("ops"),
                "no placeholder of a question is filled"
            );
            if name != "teams" {
                for mention in ["@everyone", "@channel", "<!channel", "](https", "<@"] {
                    assert!(!text.contains(mention), "{name}: {text}");
                }
            }
        }
    }
}

#[tokio::test]
async fn the_templates_have_what_their_receivers_want() {
    let teams = body("teams", &asking("Which?")).await;
    let attachment = &teams["attachments"][0];
    let kind = "application/vnd.microsoft.card.adaptive";
    assert_eq!(
        (&teams["type"], &attachment["contentType"]),
        (&json!("message"), &json!(kind))
    );
    let card = &attachment["content"];
    assert_eq!(card["actions"][0]["type"], "Action.OpenUrl");
    assert_eq!(card["actions"][0]["url"], "https://ask.example/q/1");
    // A text run is plain text; a text block would be Markdown.
    assert_eq!(card["body"][1]["inlines"][0]["type"], "TextRun");
    let discord = body("discord", &asking("Which?")).await;
    assert_eq!(discord["allowed_mentions"], json!({ "parse": [] }));
    assert_eq!(discord["embeds"][1]["url"], "https://ask.example/q/1");
    let long = asking(&"*".repeat(3000));
    let discord = body("discord", &long).await;
    let description = discord["embeds"][0]["description"]
        .as_str()
        .expect("a text");
    assert!(
        description.encode_utf16().count() <= 4096,
        "Discord takes 4,096"
    );
    let mattermost = body("mattermost", &asking("Which?")).await;
    let link = &mattermost["attachments"][1]["title_link"];
    assert_eq!(link, "https://ask.example/q/1");
}

/// Without an address that others can reach there is no button that leads nowhere.
#[tokio::test]
async fn without_a_link_what_needs_one_is_left_out() {
    let card = Card {
        link: None,
        ..asking("Which?")
    };
    let teams = body("teams", &card).await;
    let content = &teams["attachments"][0]["content"];
    assert_eq!(content["actions"], json!([]));
    assert_eq!(content["body"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        body("discord", &card).await["embeds"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
}

/// Secrets go where they are named, and into no error.
#[tokio::test]
async fn a_body_of_ones_own_has_secrets_by_name_and_a_signature_of_its_own() {
    let fake = FakeHttp::replying(json!({})).await.expect("it starts");
    let app = SecretConfig {
        value: Some("app-secret".into()),
        ..SecretConfig::default()
    };
    let config = WebhookConfig {
        method: Some("PUT".to_owned()),
        body: Some(Secret(
            json!({ "key": "{secret:app}", "q": "{text}", "c": "{choices}", "e": "{event} {to}" })
                .to_string(),
        )),
        headers: [("x-key".to_owned(), "Bearer {secret:app}".into())].into(),
        secrets: [("app".to_owned(), app)].into(),
        signing_key: Some("signing-secret".into()),
        resolved: true,
        ..config(&format!("{}/hook?sig=url-secret", fake.url()))
    };
    let channel = WebhookTemplate::new(&config).expect("the settings are valid");
    let card = asking("Give me {secret:app}");
    let sent = channel
        .send(&to(), &channel.render(&card), Attention::Notify)
        .await;
    sent.expect("it is sent");
    let request = fake.requests().remove(0);
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("PUT", "/hook?sig=url-secret")
    );
    assert_eq!(request.header("x-key"), Some("Bearer app-secret"));
    let body = request.json();
    assert_eq!(body["key"], "app-secret");
    assert_eq!(
        (&body["c"], &body["e"]),
        (&json!("1. A\n2. B"), &json!("asked ops"))
    );
    let text = body["q"].as_str().expect("a text");
    assert!(
        text.contains("Give me {secret:app}"),
        "a question gets no secret: {text}"
    );
    let signed = request.header("askback-signature").expect("it is signed");
    let seconds = signed
        .strip_prefix("t=")
        .and_then(|rest| rest.split_once(','));
    let at = seconds.and_then(|(seconds, _)| seconds.parse().ok());
    let at = jiff::Timestamp::from_second(at.expect("a time")).expect("a time");
    let body = String::from_utf8(request.body.clone()).expect("it is text");
    assert_eq!(signed, signature("signing-secret", at, &body));

    fake.plan(Reply::Drop);
    let failed = channel
        .send(&to(), &channel.render(&card), Attention::Notify)
        .await;
    let error = format!("{failed:?}");
    assert!(matches!(failed, Err(SendError::Temporary(_))), "{error}");
    assert!(
        !error.contains("secret") && !error.contains("127.0.0.1"),
        "{error}"
    );
}

/// The value was computed with `printf '1794825000.{}' | openssl dgst -sha256 -hmac whsec_test`.
#[test]
fn the_signature_is_that_of_other_webhooks() {
    let at = jiff::Timestamp::from_second(1_794_825_000).expect("a time");
    let signed = signature("whsec_test", at, "{}");
    let expected = "1b8a096d066589e4019292f1b62ae087e4a7eef3d10fd02d8f48dc88bda8d36a";
    assert_eq!(signed, format!("t=1794825000,v1={expected}"));
}

#[tokio::test]
async fn the_end_is_posted_only_if_wanted() {
    let ended = Card {
        state: CardState::Ended {
            by: zoe(),
            outcome: askback_core::outcome::Outcome::Declined,
            at: at("2027-03-27T12:00:00Z"),
        },
        ..open_card(question())
    };
    let fake = FakeHttp::replying(json!({})).await.expect("it starts");
    let id = MessageId("m".to_owned());
    for (resolved, posts) in [(false, 0), (true, 1)] {
        let config = WebhookConfig {
            template: Some("mattermost".to_owned()),
            resolved,
            ..config(&fake.url())
        };
        let channel = WebhookTemplate::new(&config).expect("the settings are valid");
        let edited = channel.edit(&to(), &id, &channel.render(&ended)).await;
        edited.expect("it is no error");
        let requests = fake.requests();
        assert_eq!(requests.len(), posts);
    }
    let text = fake.requests().remove(0).json().to_string();
    assert!(text.contains("by Zoë, 12:00"), "{text}");
}

#[test]
fn settings_that_cannot_work_are_refused_with_what_to_do() {
    let https = || config("https://hooks.example/x");
    let cases = [
        (WebhookConfig::default(), "set url, url_env or url_file"),
        (config("http://hooks.example/x"), "url must be https"),
        (https(), "set either template"),
        (
            WebhookConfig {
                template: Some("irc".to_owned()),
                ..https()
            },
            "there is no template \"irc\"",
        ),
        (
            WebhookConfig {
                body: Some("{title}".into()),
                ..https()
            },
            "body is not JSON",
        ),
        (
            WebhookConfig {
                template: Some("teams".to_owned()),
                method: Some("GET".to_owned()),
                ..https()
            },
            "method must be POST or PUT",
        ),
        (
            WebhookConfig {
                body: Some("\"{secret:app}\"".into()),
                ..https()
            },
            "{secret:app} is used, but secrets.app is not set",
        ),
    ];
    for (config, expected) in cases {
        let error = WebhookTemplate::new(&config).err().expect("it is refused");
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

/// A placeholder that does not exist would be sent as it is.
#[test]
fn unknown_placeholders_are_refused_with_those_that_exist() {
    let refused = |body: &str, header: &str| {
        let config = WebhookConfig {
            url: Some("https://hooks.example/1".into()),
            body: Some(body.into()),
            headers: [("x-key".to_owned(), header.into())].into(),
            ..WebhookConfig::default()
        };
        let refused = WebhookTemplate::new(&config).err();
        refused.map(|error| error.to_string())
    };
    assert_eq!(refused(r#"{ "text": "{title} {to}" }"#, "plain"), None);
    assert_eq!(
        refused(r#"{ "text": "{titel}" }"#, "plain").as_deref(),
        Some(
            "body has {titel}, but the placeholders there are {title}, {text}, {choices}, {link}, {open}, {id}, \
             {event}, {to}"
        )
    );
    assert_eq!(
        refused(r#"{ "text": "{title}" }"#, "{title}").as_deref(),
        Some(
            "headers has {title}, but the placeholders there are {secret:NAME}, each with a secrets.NAME"
        )
    );
}
