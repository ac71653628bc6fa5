//! What a person types to play somebody in Telegram.

use std::time::Duration;

use serde_json::json;

use crate::telegram::{FakeMessage, FakeTelegram};

/// What can be typed.
pub const HELP: &str = "  start CODE      press Start with the code of `askback channel link`
  press N         press button N of your newest message with buttons
  press N #ID     press button N of message ID
  reply TEXT      reply to your newest message
  repeat          press the last button once more
  as ID           be the account with this number
  messages        show all messages
  fail            fail the next message with status 500
  wait SECONDS    ask to wait before the next message
  delay SECONDS   respond late to the next message
  down, up        close all connections, and take them again
  quit
";

/// Somebody in front of the fake.
pub struct Player {
    fake: FakeTelegram,
    account: i64,
    last_press: Option<(i64, String)>,
}

impl Player {
    /// Plays the account with this number.
    pub fn new(fake: FakeTelegram, account: i64) -> Player {
        Player {
            fake,
            account,
            last_press: None,
        }
    }

    fn own_messages(&self) -> impl Iterator<Item = FakeMessage> {
        let own = self.account.to_string();
        let messages = self.fake.messages().into_iter().rev();
        messages.filter(move |message| message.chat == own)
    }

    /// Does what a line says. The text is for the person; an error says what to type instead.
    pub fn play(&mut self, line: &str) -> Result<String, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "start" => {
                let text = format!("/start {rest}");
                self.fake.write(self.account, text.trim(), None, &json!({}));
            }
            "press" => self.press(rest)?,
            "reply" => self.reply(rest)?,
            "repeat" => {
                let last = self.last_press.as_ref();
                let (message, data) = last.ok_or("Nothing was pressed yet.")?;
                self.fake.press(self.account, *message, data);
            }
            "as" => {
                let account = rest.parse();
                self.account = account.map_err(|_| "Type a number: as 1002".to_owned())?;
                return Ok(format!("You are {} now.", self.account));
            }
            "messages" => {
                let messages = self.fake.messages();
                let pictures = messages.iter().map(|message| self.picture(message));
                return Ok(pictures.collect());
            }
            "fail" => self.fake.fail("sendMessage", 500, "{}"),
            "wait" => self
                .fake
                .ask_to_wait("sendMessage", seconds(rest)?.as_secs()),
            "delay" => self.fake.delay("sendMessage", seconds(rest)?),
            "down" => self.fake.set_down(true),
            "up" => self.fake.set_down(false),
            "" => {}
            _ => return Err(format!("Type one of these:\n{HELP}")),
        }
        Ok(String::new())
    }

    /// A message with its number, and whom it is for.
    pub fn picture(&self, message: &FakeMessage) -> String {
        let edited = if message.edits > 0 { ", edited" } else { "" };
        let own = message.chat == self.account.to_string();
        let to = if own { "you" } else { message.chat.as_str() };
        message.picture(&format!("#{} to {to}{edited}", message.id))
    }

    fn press(&mut self, rest: &str) -> Result<(), String> {
        let how = "Type the number of a button: press 1, or press 1 #3 for message 3.";
        let (number, id) = match rest.split_once('#') {
            Some((number, id)) => {
                let id = id.trim().parse::<i64>().map_err(|_| how.to_owned())?;
                (number.trim(), Some(id))
            }
            None => (rest, None),
        };
        let number: usize = number.parse().map_err(|_| how.to_owned())?;
        let message = match id {
            Some(id) => self.fake.messages().into_iter().find(|one| one.id == id),
            None => self.own_messages().find(|one| !one.buttons().is_empty()),
        };
        let message = message.ok_or("There is no message with buttons.")?;
        let buttons = message.buttons();
        let button = number.checked_sub(1).and_then(|index| buttons.get(index));
        let Some((_, data)) = button else {
            return Err(format!(
                "Message {} has {} buttons.",
                message.id,
                buttons.len()
            ));
        };
        self.fake.press(self.account, message.id, data);
        self.last_press = Some((message.id, data.clone()));
        Ok(())
    }

    fn reply(&self, text: &str) -> Result<(), String> {
        if text.is_empty() {
            return Err("Type the text: reply 27 March".to_owned());
        }
        let message = self.own_messages().next();
        let message = message.ok_or("There is no message to reply to.")?;
        self.fake
            .write(self.account, text, Some(message.id), &json!({}));
        Ok(())
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<u64>();
    let seconds = seconds.map_err(|_| "Type a number of seconds: wait 5".to_owned())?;
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
#[path = "player_tests.rs"]
mod tests;
