//! Text of agents and respondents is shown as text. It never adds an element or an attribute.

use askback_core::answer::{AnswerError, AnswerProblem, Answers};
use askback_core::conversation::event::CallResult;
use askback_core::conversation::rejection::Rejection;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Actor, Outcome, Resolution, Surface};
use askback_core::text::{Lines, Text};
use askback_engine::{InquiryResolution, InquiryView, SeenInquiry, SubmitError};
use askback_locale::Locale;
use askback_store::InquiryRow;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::date;
use proptest::prelude::*;
use serde_json::json;

use super::form_data::FormData;
use super::link_access::Found;
use super::{
    FormContext, RadioDefault, Steps, conflict, form_page, name_single_question, outcome_page,
};
use crate::authenticate::Access;

/// Pieces of markup, and text that looks like markup.
const PIECES: &[&str] = &[
    "<",
    ">",
    "\"",
    "'",
    "&",
    "=",
    "/",
    " ",
    "`",
    ";",
    "<!--",
    "-->",
    "]]>",
    "<script>",
    "</form>",
    "</textarea>",
    "</title>",
    "</legend>",
    "</pre>",
    " onclick=",
    " autofocus",
    "&lt;",
    "&#60;",
    "javascript:",
    "\n",
    "\u{a0}",
    "\u{2028}",
    "é",
    "🙂",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 1..6).prop_map(|pieces| format!("a{}", pieces.concat()))
}

/// An element with the names of its attributes.
type Tag = (String, Vec<String>);

/// Splits a page into its tags and its decoded text. Panics at markup our pages never have, such as
/// an attribute value without quotes.
fn tags_and_text(page: &str) -> (Vec<Tag>, String) {
    let (mut tags, mut text) = (Vec::new(), String::new());
    let mut rest = page;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let end = after.find([' ', '>', '\n']).expect("a tag ends");
        let (name, mut inside) = after.split_at(end);
        let mut names = Vec::new();
        loop {
            inside = inside.trim_start();
            if let Some(behind) = inside.strip_prefix('>') {
                rest = behind;
                break;
            }
            let end = inside.find(['=', ' ', '>']).expect("an attribute ends");
            assert!(end > 0, "an attribute has a name: {inside}");
            names.push(inside[..end].to_owned());
            inside = &inside[end..];
            if let Some(value) = inside.strip_prefix("=\"") {
                let (value, behind) = value.split_once('"').expect("a value ends");
                text.extend(["\u{1}", value, "\u{1}"]);
                inside = behind;
            }
        }
        tags.push((name.to_owned(), names));
    }
    text.push_str(rest);
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    let text = text.replace("&quot;", "\"");
    (tags, text.replace("&amp;", "&"))
}

/// One question of choices and one that takes text, with a text in every field.
fn inquiries(text: &str) -> Option<Vec<Inquiry>> {
    let choice = |number: usize| json!({"label": format!("{number}{text}"), "description": text, "preview": text});
    let choices = json!({"questions": [
        {"question": text, "header": text, "options": [choice(1), choice(2)], "multiSelect": true},
    ]});
    let typed = json!({"question": text, "input_type": "text", "placeholder": text, "context": text, "allow_skip": true});
    let options = ParseOptions { clip_labels: true };
    let parsed = [
        Dialect::AskUserQuestion.parse(&choices, options),
        Dialect::AskUser.parse(&typed, options),
    ];
    let parsed: Result<Vec<_>, _> = parsed.into_iter().collect();
    Some(parsed.ok()?.into_iter().map(|one| one.inquiry).collect())
}

fn view(inquiry: Inquiry, text: &str, resolution: Option<InquiryResolution>) -> InquiryView {
    let row = InquiryRow {
        id: InquiryId::new("inq_1"),
        conversation: ConversationId::new("conv_1"),
        status: "pending".to_owned(),
        dialect: inquiry.dialect().name().to_owned(),
        json: String::new(),
        revision: 1,
        source: Text::name(text),
        webhook: None,
        credential: None,
        asked_at: Timestamp::UNIX_EPOCH,
        expires_at: None,
        held: None,
        resolved_at: None,
        resolution: None,
        asker: None,
        snoozed_until: None,
        version: 1,
    };
    InquiryView {
        row,
        inquiry,
        call: None,
        held: None,
        resolution,
    }
}

/// The form with an error, and with everything that was typed.
fn form(inquiry: &Inquiry, text: &str) -> String {
    let mut fields = FormData::new("nonce");
    for name in ["q1", "q1-own", "q1-note"] {
        fields.add(name, text);
    }
    let errors: Vec<AnswerError> =
        Answers::from_json(inquiry, &json!({}), None).expect_err("nothing is no answer");
    let form = FormContext {
        view: &view(inquiry.clone(), text, None),
        handed_on: Some(text.to_owned()),
        locale: Locale::choose(&["en"]),
        access: Access::Token,
        fields,
        errors,
        notice: &[],
        today: date(2027, 3, 27),
        address: text,
        radio_default: RadioDefault::None,
        steps: Steps::Two,
    };
    form_page::page(&form)
}

/// A question that is open again when a conflict is shown: the form keeps what was typed, says that it
/// was not sent, and gets a nonce of its own.
#[tokio::test]
async fn conflict_on_an_open_question_shows_the_form_again() {
    let inquiries = inquiries("word").expect("words are taken");
    let held = SubmitError::Rejected(Rejection::Held);
    for (error, message) in [
        (held, "not sent"),
        (SubmitError::KeyReused, "not sent"),
        (expired(), "closed"),
    ] {
        let mut fields = FormData::new("nonce");
        fields.add("q1", "typed before");
        let found = found(view(inquiries[1].clone(), "agent", None));
        let form = FormContext {
            view: &found.view,
            handed_on: None,
            locale: Locale::choose(&["en"]),
            access: found.access,
            fields,
            errors: Vec::new(),
            notice: &[],
            today: date(2027, 3, 27),
            address: "/q/inq_1",
            radio_default: RadioDefault::None,
            steps: Steps::Two,
        };
        let response = conflict(form, &found, &error).expect("it is shown");
        assert_eq!(response.status(), StatusCode::CONFLICT);
        let page = axum::body::to_bytes(response.into_body(), usize::MAX).await;
        let page = String::from_utf8(page.expect("a page").to_vec()).expect("text");
        for shown in ["<form", "typed before", "role=\"alert\"", message] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert!(!page.contains("value=\"nonce\""), "{page}");
    }
}

/// A form with one question says that its answer is empty, not that one of several is needed.
#[test]
fn an_empty_answer_to_a_single_question_is_named() {
    for inquiry in inquiries("word").expect("words are taken") {
        let errors = Answers::from_json(&inquiry, &json!({}), None).expect_err("no answer");
        let errors = name_single_question(inquiry.questions(), errors);
        let [error] = errors.as_slice() else {
            panic!("one error: {errors:?}")
        };
        assert_eq!(error.problem, AnswerProblem::Empty);
        assert_eq!(error.question.as_ref(), Some(&inquiry.questions()[0].id));
    }
}

fn expired() -> SubmitError {
    SubmitError::Rejected(Rejection::Expired {
        inquiry: InquiryId::new("inq_1"),
        at: Timestamp::UNIX_EPOCH,
    })
}

/// The page of an answer in own words, with a note and a name.
fn outcome(inquiry: &Inquiry, text: &str) -> Option<String> {
    let given = match inquiry.dialect() {
        Dialect::AskUser | Dialect::Questions => json!({"q1": text}),
        Dialect::AskUserQuestion | Dialect::AskUserQuestionClaude | Dialect::Question => {
            json!({"q1": {"values": [], "own": text}})
        }
    };
    let answers = Answers::from_json(inquiry, &given, Some(&json!({"q1": text}))).ok()?;
    outcome_page_of(inquiry, answers, text, "en")
}

fn outcome_page_of(inquiry: &Inquiry, answers: Answers, text: &str, tag: &str) -> Option<String> {
    let outcome = Outcome::Answered { answers };
    let result = Dialect::render(inquiry, &outcome);
    let ended = InquiryResolution {
        resolution: Resolution {
            outcome,
            by: Actor::new(Text::clean(text, Lines::One), Surface::Web),
            node: None,
            at: Timestamp::UNIX_EPOCH,
        },
        result: CallResult {
            content: result.content,
            is_error: result.is_error,
        },
    };
    let view = view(inquiry.clone(), text, Some(ended));
    let mut fields = FormData::new("nonce");
    for name in ["q1", "q1-own", "q1-note"] {
        fields.add(name, text);
    }
    let arrival = outcome_page::Arrival::TooLate(&fields);
    outcome_page::page(&found(view), Locale::choose(&[tag]), arrival)
}

/// For whoever has the token.
fn found(view: InquiryView) -> Found {
    Found {
        holds_own_answer: false,
        seen: SeenInquiry::of(&view),
        view,
        access: Access::Token,
        holder: None,
        signed_in: None,
        address: "/q/inq_1".to_owned(),
    }
}

/// The page shows a number as its language writes it.
#[test]
fn number_is_shown_in_the_language() {
    let input = json!({"question": "How much?", "input_type": "number"});
    let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
    let inquiry = parsed.expect("a question").inquiry;
    for (tag, wanted) in [("de", "1500,5"), ("en", "1500.5")] {
        let answers = Answers::from_json(&inquiry, &json!({"q1": 1500.5}), None);
        let answers = answers.expect("a number");
        let page = outcome_page_of(&inquiry, answers, "ana", tag).expect("it is answered");
        assert!(page.contains(&format!(">{wanted}<")), "{tag}: {page}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(192) })]

    /// No text makes an element or an attribute, and each text is shown.
    #[test]
    fn prop_text_never_becomes_markup(text in hostile()) {
        let Some(asked) = inquiries(&text) else {
            return Err(TestCaseError::reject("the contract refuses it"));
        };
        let harmless = inquiries("word").expect("words are taken");
        for (asked, harmless) in asked.iter().zip(&harmless) {
            let (tags, shown) = tags_and_text(&form(asked, &text));
            prop_assert_eq!(tags, tags_and_text(&form(harmless, "word")).0);
            let question = &asked.questions()[0];
            prop_assert!(shown.contains(question.text.as_str()), "{}", shown);
            prop_assert!(shown.contains(&text), "what was typed is kept: {}", shown);
            let Some(page) = outcome(asked, &text) else { continue };
            let harmless = outcome(harmless, "word").expect("words are taken");
            let (tags, shown) = tags_and_text(&page);
            prop_assert_eq!(tags, tags_and_text(&harmless).0);
            prop_assert!(shown.contains(&text), "what was not sent is kept: {}", shown);
        }
    }
}
