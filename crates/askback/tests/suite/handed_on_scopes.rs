//! What was handed on is gone for whoever had it, and for whoever comes later.

use askback_client::FeedItem;
use askback_wire::credential::{NewCredentialParams, ScopeName};
use askback_wire::event::{ChangeName, EventResponse};
use askback_wire::inquiry::{HandOnParams, InquiryResponse};
use askback_wire::problem::ProblemCode;
use askback_wire::recipient::RecipientParams;
use serde_json::{Value, json};

use super::support::team::{SECRET, Team, code, listed, next_change, yes};
use super::support::timeout::within;

/// What was handed on leaves the former recipient: they are told that, and cannot read on, also not from an old position of
/// the feed.
#[tokio::test]
async fn handed_on_is_gone() {
    let team = Team::start(&[]).await;
    let (anna, ben) = (team.client("anna"), team.client("ben"));
    let (mut annas, mut bens) = (anna.events(None), ben.events(None));
    within("a feed", annas.open()).await.expect("a feed");
    within("a feed", bens.open()).await.expect("a feed");
    let asked = team.ask("laptop", "Whose is it?", Some("anna")).await;
    assert_eq!(next_change(&mut annas).await.0, ChangeName::Asked);
    let hand_on = |recipient: &str| HandOnParams {
        recipient: recipient.to_owned(),
        reason: None,
        revision: None,
    };
    anna.hand_on(&asked.id, &hand_on("ben"))
        .await
        .expect("it is hers");
    assert_eq!(next_change(&mut annas).await.0, ChangeName::HandedOn);
    assert_eq!(next_change(&mut bens).await.0, ChangeName::HandedOn);
    assert_eq!(
        code(anna.inquiry(&asked.id).await),
        Some(ProblemCode::NotFound)
    );
    assert_eq!(
        code(anna.answer(&asked.id, &yes()).await),
        Some(ProblemCode::NotFound)
    );
    assert_eq!(listed(&anna).await, [""; 0]);
    // From the beginning: not what was asked, only that it went away.
    let mut again = anna.events(Some(0));
    assert_eq!(next_change(&mut again).await.0, ChangeName::HandedOn);
    ben.answer(&asked.id, &yes()).await.expect("it is his");
    team.ask("laptop", "The next one?", Some("anna")).await;
    let told = next_change(&mut annas).await;
    assert_eq!(
        told,
        (ChangeName::Asked, "The next one?".to_owned()),
        "nothing of his answer"
    );
}

/// The next thing that a feed says about an inquiry, as it was sent.
async fn told(feed: &mut askback_client::EventStream) -> Value {
    loop {
        let item = within("an event", feed.next())
            .await
            .expect("the feed goes on");
        if let FeedItem::Event(event) = item
            && let EventResponse::Inquiry(change) = *event
        {
            return serde_json::to_value(&*change).expect("JSON");
        }
    }
}

/// That an inquiry is not for the reader any more, and nothing of it.
fn assert_only_gone(told: &Value, asked: &InquiryResponse) {
    assert_eq!(told["change"], "handed_on", "{told}");
    let shown = told["inquiry"].as_object().expect("an inquiry");
    assert_eq!(shown["id"], asked.id.to_string());
    assert_eq!(shown["questions"], json!([]), "{told}");
    let allowed = "id conversation_id status version revision dialect flags questions asked_at";
    for (field, value) in shown {
        let is_allowed = allowed.split(' ').any(|it| it == field) || value.is_null();
        assert!(is_allowed, "{field}: {told}");
    }
}

fn hand_on_to(recipient: &str) -> HandOnParams {
    HandOnParams {
        recipient: recipient.to_owned(),
        reason: Some(SECRET.to_owned()),
        revision: None,
    }
}

/// Whoever handed a question on does not learn from an old position of the feed what became of it: neither who has it, nor
/// why, nor the answer.
#[tokio::test]
async fn feed_tells_nothing_of_what_became_of_it() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "Whose is it?", Some("anna")).await;
    let (anna, ben) = (team.client("anna"), team.client("ben"));
    let mut live = anna.events(Some(0));
    assert_eq!(told(&mut live).await["change"], "asked");
    anna.hand_on(&asked.id, &hand_on_to("ben"))
        .await
        .expect("it is hers");
    assert_only_gone(&told(&mut live).await, &asked);
    let cleo = RecipientParams {
        name: Some("Cleo".to_owned()),
        ..RecipientParams::default()
    };
    let added = team.server.client.put_recipient("cleo", &cleo).await;
    added.expect("she is added");
    ben.hand_on(&asked.id, &hand_on_to("cleo"))
        .await
        .expect("it is his");
    let answered = team.server.client.answer(&asked.id, &yes()).await;
    answered.expect("it is answered");
    let next = team.ask("laptop", "The next one?", Some("anna")).await;
    for (mut feed, hand_ons) in [(live, 0), (anna.events(Some(0)), 1)] {
        for _ in 0..hand_ons {
            assert_only_gone(&told(&mut feed).await, &asked);
        }
        let told = told(&mut feed).await;
        assert_eq!(told["inquiry"]["id"], next.id.to_string(), "{told}");
    }
}

/// Somebody who is added later, also to a group, reads nothing of what was handed on before.
#[tokio::test]
async fn newcomer_reads_nothing_of_what_was_handed_on_before() {
    let team = Team::start(&[]).await;
    let admin = &team.server.client;
    let group = |members: &[&str]| RecipientParams {
        members: Some(members.iter().map(|&it| it.to_owned()).collect()),
        ..RecipientParams::default()
    };
    let made = admin.put_recipient("night", &group(&["ben"])).await;
    made.expect("it is made");
    let for_nobody = team.ask("laptop", "For anybody?", None).await;
    let for_group = team.ask("laptop", "For the night?", Some("night")).await;
    for asked in [&for_nobody, &for_group] {
        let handed_on = admin.hand_on(&asked.id, &hand_on_to("anna")).await;
        handed_on.expect("it is handed on");
    }
    let zed = RecipientParams {
        name: Some("Zed".to_owned()),
        ..RecipientParams::default()
    };
    admin.put_recipient("zed", &zed).await.expect("he is added");
    let joined = admin.put_recipient("night", &group(&["ben", "zed"])).await;
    joined.expect("he is in the group");
    let params = NewCredentialParams {
        name: "zed".to_owned(),
        scope: ScopeName::Respondent,
        person: Some("zed".to_owned()),
        expires_in: None,
    };
    let made = admin.create_token(&params).await.expect("it is made");
    let mut feed = team.with_token(&made.token).events(Some(0));
    assert_only_gone(&told(&mut feed).await, &for_nobody);
    assert_only_gone(&told(&mut feed).await, &for_group);
}
