//! Buttons that are URLs, for channels whose messages have few of them.

use askback_core::question::Kind;

use crate::card::{Card, CardState};
use crate::contract::button::Press;

/// The labels and URLs of the buttons of a card: one for each choice, or Undo while the
/// reader can undo their answer.
/// `None` if they could not answer the card whole: several questions, several choices at once, more than `max`
/// choices, a card without choices, or a server without URLs.
pub(crate) fn url_buttons(card: &Card, max: usize) -> Option<Vec<(String, String)>> {
    let links = card.press_links.as_ref()?;
    let url = |press: Press| links.url(&card.button(press));
    if let CardState::Held { is_own, .. } = card.state {
        if !is_own {
            return None;
        }
        let label = card.reader.locale.text("channel-undo", &[]);
        return Some(vec![(label, url(Press::Undo))]);
    }
    let [question] = card.questions.questions() else {
        return None;
    };
    let takes_one = matches!(&question.kind, Kind::Choice(kind) if !kind.several);
    let choices = question.choices();
    if !card.is_answerable() || !takes_one || choices.len() > max {
        return None;
    }
    let numbered = choices.iter().enumerate().map(|(choice, shown)| {
        let question = 0;
        (card.label(shown), url(Press::Choose { question, choice }))
    });
    Some(numbered.collect())
}
