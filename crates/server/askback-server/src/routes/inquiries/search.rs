//! Finds inquiries by words, in what people see of them.

use askback_core::text::Text;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::outcome::OutcomeResponse;

/// Words that must all occur, in any place and whatever their case. Without any, everything is found.
pub(super) struct Search(Vec<String>);

impl Search {
    pub(super) fn new(text: Option<&str>) -> Search {
        let words = text.unwrap_or_default().split_whitespace();
        Search(words.map(str::to_lowercase).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the words are in the questions, the answers, the notes, or the names of agent, project and people. Choices
    /// that nobody chose do not count.
    pub(super) fn finds(&self, inquiry: &InquiryResponse) -> bool {
        let questions = inquiry.questions.iter();
        let texts = questions.flat_map(|it| [Some(it.text.as_str()), it.header.as_deref()]);
        let answers = match &inquiry.outcome {
            Some(OutcomeResponse::Answered { answers }) => answers.as_slice(),
            Some(_) | None => &[],
        };
        let given = answers.iter();
        let given = given.flat_map(|it| [it.display.as_deref(), it.note.as_deref()]);
        let asker = inquiry.asker.as_ref();
        let project = asker.and_then(|asker| asker.project.as_ref());
        let names = [
            inquiry.source.as_deref(),
            asker.map(|asker| asker.client.as_str()),
            project.map(Text::as_str),
            inquiry.recipient_name.as_deref(),
            inquiry.answered_by.as_deref(),
        ];
        let texts = texts.chain(given).chain(names).flatten();
        let texts: Vec<String> = texts.map(str::to_lowercase).collect();
        let occurs = |word: &String| texts.iter().any(|text| text.contains(word));
        self.0.iter().all(occurs)
    }
}
