//! Goal: people are shown as they are known at this moment, whoever has changed them.

use askback_channels::{ChannelsConfig, Dispatcher, RecipientKind, StoredRecipient};

use super::RecipientNames;
use crate::openapi::tests::idle_engine;

#[tokio::test]
async fn a_change_of_people_needs_no_second_step() {
    let (engine, _directory) = idle_engine().await;
    let channels = Dispatcher::start(engine, ChannelsConfig::default());
    let people = channels.await.unwrap().people;
    let names = RecipientNames::default();
    names.follow(people.follow_recipients());
    assert_eq!(names.get("anna"), None);
    let anna = StoredRecipient {
        alias: "anna".to_owned(),
        kind: RecipientKind::Person {
            name: "Anna".to_owned(),
            identities: Vec::new(),
        },
    };
    people.put(anna).await.unwrap();
    assert_eq!(names.get("anna").as_deref(), Some("Anna"));
    people.forget("anna", &[], "former-1").await.unwrap();
    assert_eq!(names.recipients().former.len(), 1);
}
