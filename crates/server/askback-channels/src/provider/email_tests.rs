use askback_core::dialect::Dialect;
use serde_json::json;

use super::{Email, EmailConfig};
use crate::card::Card;
use crate::contract::button::{Button, Press};
use crate::contract::channel::{Address, Attention, Channel as _, SendError};
use crate::fixtures::{at, open_card, parse, question};
use crate::links::press_link::{PressKey, PressLinks};
use askback_fakes::FakeSmtp;

const ZOE: &str = "zoe@example.org";

fn email(port: u16) -> Email {
    let config = EmailConfig {
        host: "127.0.0.1".to_owned(),
        port: Some(port),
        security: Some("none".to_owned()),
        from: "askback <askback@example.com>".to_owned(),
        ..EmailConfig::default()
    };
    Email::new(&config).expect("the settings are valid")
}

fn links() -> PressLinks {
    PressLinks {
        base_url: "https://ask.example".to_owned(),
        channel: "mail".to_owned(),
        recipient: "zoe".to_owned(),
        expires_at: at("2027-03-28T12:00:00Z"),
        key: PressKey::derive(b"the token of the server"),
    }
}

fn card() -> Card {
    Card {
        press_links: Some(links()),
        ..open_card(question())
    }
}

/// The text of a quoted-printable body.
fn unquoted(source: &str) -> String {
    let joined = source.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = behind
            .get(..2)
            .and_then(|hex| std::str::from_utf8(hex).ok());
        let code = code.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let (b'=', Some(byte)) = (first, code) {
            bytes.push(byte);
            rest = &behind[2..];
        } else {
            bytes.push(*first);
            rest = behind;
        }
    }
    String::from_utf8(bytes).expect("it is UTF-8")
}

/// Each choice has a link that is signed for this recipient.
#[tokio::test]
async fn a_mail_has_the_question_and_a_link_for_each_choice() {
    let fake = FakeSmtp::start().await.expect("it starts");
    let channel = email(fake.port);
    let message = channel.render(&card());
    let to = Address(ZOE.to_owned());
    let id = channel.send(&to, &message, Attention::Notify).await;
    let id = id.expect("it is sent");
    let mail = fake.mails().remove(0);
    assert!(mail.to.contains("<zoe@example.org>"), "{}", mail.to);
    let source = unquoted(&mail.source);
    assert!(
        source.contains(&format!("Message-ID: {}\n", id.0)),
        "{source}"
    );
    assert!(
        source.contains("Auto-Submitted: auto-generated\n"),
        "{source}"
    );
    assert!(
        source.contains("Subject: claude-code has a question: Database\n"),
        "{source}"
    );
    for choice in 0..2 {
        let button = Button {
            inquiry: card().inquiry,
            revision: 1,
            press: Press::Choose {
                question: 0,
                choice,
            },
        };
        let url = links().url(&button);
        assert_eq!(
            source.matches(&url).count(),
            2,
            "in the text and in the HTML: {source}"
        );
    }
    assert!(
        source.contains("<a href=\"https://ask.example/q/1\">"),
        "{source}"
    );
}

/// A repeated mail is the same mail, and a reminder belongs to it.
#[tokio::test]
async fn a_repeated_mail_has_the_same_id_and_a_reminder_refers_to_it() {
    let fake = FakeSmtp::start().await.expect("it starts");
    let channel = email(fake.port);
    let to = Address(ZOE.to_owned());
    let message = channel.render(&card());
    let first = channel.send(&to, &message, Attention::Notify).await;
    let second = channel.send(&to, &message, Attention::Notify).await;
    assert_eq!(first, second);
    let id = first.expect("it is sent");
    let ben = Address("ben@example.org".to_owned());
    let other = channel.send(&ben, &message, Attention::Notify).await;
    assert_ne!(
        other,
        Ok(id.clone()),
        "each recipient has a mail of their own"
    );
    let sent = channel
        .send_thread_text(&to, &id, "Still open.", Attention::Notify)
        .await;
    sent.expect("it is sent");
    let mail = fake.mails().remove(3).source;
    assert!(mail.contains(&format!("In-Reply-To: {}\n", id.0)), "{mail}");
    assert!(mail.contains(&format!("References: {}\n", id.0)), "{mail}");
    let new_link = "The new link: https://ask.example/q/1?key=secret";
    let sent = channel
        .send_thread_text(&to, &id, new_link, Attention::Notify)
        .await;
    sent.expect("it is sent");
    let mail = fake.mails().remove(4).source;
    assert!(mail.contains("Subject: The new link\n"), "{mail}");
    let edited = channel.edit(&to, &id, &message).await;
    assert_eq!((edited, fake.mails().len()), (Ok(()), 5));
}

/// Neither headers nor HTML can be written by a question.
#[tokio::test]
async fn hostile_text_stays_text_in_headers_and_html() {
    let hostile =
        "x\r\nBcc: evil@example.net\r\n\r\n<img src=https://evil.example/x.png> \" onload='x'";
    let input = json!({ "questions": [{
        "question": hostile, "header": "</a>\nBcc: e",
        "options": [{ "label": "<b>\"A", "description": hostile }, { "label": "B", "description": "…" }],
    }] });
    let card = Card {
        press_links: Some(links()),
        ..open_card(parse(Dialect::AskUserQuestion, &input))
    };
    let fake = FakeSmtp::start().await.expect("it starts");
    let channel = email(fake.port);
    let message = channel.render(&card);
    let sent = channel
        .send(&Address(ZOE.to_owned()), &message, Attention::Notify)
        .await;
    sent.expect("it is sent");
    let mail = fake.mails().remove(0);
    let (head, _) = mail.source.split_once("\n\n").expect("it has a head");
    assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
    let source = unquoted(&mail.source);
    let (_, html) = source.split_once("<!doctype html>").expect("it has HTML");
    assert!(!html.contains("<img") && !html.contains("<b>"), "{html}");
    assert!(html.contains("&lt;img src="), "{html}");
}

/// Errors say what to do and quote no address.
#[tokio::test]
async fn failures_say_whether_to_try_again_and_name_nobody() {
    let fake = FakeSmtp::start().await.expect("it starts");
    let channel = email(fake.port);
    let message = channel.render(&card());
    let to = Address(ZOE.to_owned());
    let text = |code: u16| format!("the mail server responds with {code}");
    let cases = [
        (
            "550 no such user zoe@example.org",
            SendError::permanent(text(550)),
        ),
        (
            "451 try later zoe@example.org",
            SendError::temporary(text(451)),
        ),
        ("535 wrong password", SendError::unauthorized(text(535))),
    ];
    for (response, expected) in cases {
        fake.plan(response);
        let sent = channel.send(&to, &message, Attention::Notify).await;
        assert_eq!(sent, Err(expected));
    }
    fake.plan("");
    let sent = channel.send(&to, &message, Attention::Notify).await;
    assert!(matches!(&sent, Err(SendError::Temporary(_))), "{sent:?}");
    assert!(!format!("{sent:?}").contains(ZOE));
    let nobody = Address("not an address".to_owned());
    let sent = channel.send(&nobody, &message, Attention::Notify).await;
    assert!(matches!(sent, Err(SendError::Permanent(_))), "{sent:?}");
    assert_eq!(
        channel.check().await,
        Ok("mail through 127.0.0.1".to_owned())
    );
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let valid = || EmailConfig {
        host: "smtp.example.com".to_owned(),
        from: "askback@example.com".to_owned(),
        ..EmailConfig::default()
    };
    let security = |name: &str| EmailConfig {
        security: Some(name.to_owned()),
        ..valid()
    };
    let cases = [
        (
            EmailConfig::default(),
            "host must name the mail server, such as smtp.example.com",
        ),
        (
            security("none"),
            "security = \"none\" is taken only for a mail server on this machine",
        ),
        (security("ssl"), "security must be tls, starttls or none"),
        (
            EmailConfig {
                from: "askback".to_owned(),
                ..valid()
            },
            "from must be a mail address, such as askback <askback@example.com>",
        ),
        (
            EmailConfig {
                username: Some("askback".to_owned()),
                ..valid()
            },
            "username needs password_env, password_file or password",
        ),
    ];
    for (config, expected) in cases {
        let error = Email::new(&config).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(expected));
    }
    assert!(Email::new(&valid()).is_ok() && Email::new(&security("starttls")).is_ok());
}
