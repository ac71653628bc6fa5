//! What is typed becomes what Telegram would deliver.

use super::Player;
use crate::telegram::FakeTelegram;

#[tokio::test]
async fn a_typed_line_becomes_an_update_or_says_what_to_type() {
    let fake = FakeTelegram::start("1:token").await.expect("it starts");
    let mut player = Player::new(fake.clone(), 1001);
    let nothing = player.play("press 1").expect_err("there is no message");
    assert_eq!(nothing, "There is no message with buttons.");
    let unknown = player.play("dance").expect_err("it is no command");
    assert!(unknown.contains("start CODE"), "{unknown}");
    player.play("press one").expect_err("it is no number");
    player.play("start ABC").expect("it is played");
    let updates = fake.unconfirmed();
    assert_eq!(updates[0]["message"]["text"], "/start ABC");
    assert_eq!(updates[0]["message"]["from"]["id"], 1001);
}
