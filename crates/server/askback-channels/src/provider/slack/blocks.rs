//! A card as a message of Slack, with all of its fields in the message.
//!
//! Texts are `plain_text` objects, in which nothing is a mention or a link. A card whose questions do not all
//! fit has the link instead of controls.

use askback_core::draft::DraftEntry;
use askback_core::limits::HAND_ON_REASON_CHARS_MAX;
use askback_core::question::{Choice, ChoiceKind, Kind, Question};
use serde_json::{Value, json};

use crate::card::clip::clip_graphemes;
use crate::card::{Card, CardState};
use crate::contract::button::Press;
use crate::contract::channel::Rendered;

/// What a section takes.
const SECTION_UNITS_MAX: usize = 3000;
/// Longer questions are answered behind the link.
const TEXT_UNITS_MAX: usize = 12_000;
/// What a message takes.
const BLOCKS_MAX: usize = 50;
/// What a button or an option takes. Whole labels are in the text.
const LABEL_UNITS_MAX: usize = 75;
/// What the label of a field takes is 2,000; more than this is no label.
const FIELD_LABEL_UNITS_MAX: usize = 150;
/// A button each up to this number of choices.
const BUTTONS_MAX: usize = 4;
/// What radio buttons and checkboxes take.
const LISTED_MAX: usize = 10;
/// What a menu takes.
const MENU_MAX: usize = 100;
/// What a block of buttons takes.
const ACTIONS_MAX: usize = 25;
/// What a text field takes.
const INPUT_UNITS_MAX: usize = 3000;

/// The part of a question that a field is for. It ends the `block_id`.
pub(super) const CHOICES: &str = "c";
pub(super) const TEXT: &str = "t";
pub(super) const END: &str = "e";
/// The field for the reason of a hand-on. It ends the `block_id`.
pub(super) const REASON: &str = "reason";
/// The action of a button that only opens the link.
pub(super) const OPEN_LINK: &str = "open";

/// The message without its channel: `text` for notifications, and `blocks`.
pub(super) fn message(card: &Card) -> Rendered {
    let mut blocks = sections(&card.whole_text(TEXT_UNITS_MAX));
    let is_shown = card.is_answerable() && card.hand_on.is_shown;
    let controls = if is_shown {
        Some(people(card))
    } else {
        controls(card)
    };
    let controls = controls.filter(|controls| blocks.len() + controls.len() <= BLOCKS_MAX);
    let is_answerable = controls.is_some() && card.is_answerable() && !is_shown;
    if controls.is_none() && card.draft().is_some() && card.link.is_none() {
        blocks.extend(sections(&card.answer_elsewhere()));
    }
    let controls = controls.unwrap_or_else(|| {
        let buttons = open_link(card).into_iter().chain(hand_on(card));
        actions(&buttons.collect::<Vec<Value>>())
    });
    blocks.extend(controls);
    Rendered {
        body: json!({ "text": card.title(), "blocks": blocks }),
        is_answerable,
    }
}

/// The text in as many sections as it takes, cut between lines where possible.
pub(super) fn sections(text: &str) -> Vec<Value> {
    let units = |text: &str| text.encode_utf16().count();
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while units(&part) + units(rest) > SECTION_UNITS_MAX {
            if units(line) > SECTION_UNITS_MAX {
                let head = fitting(rest, SECTION_UNITS_MAX - units(&part));
                part.push_str(head);
                rest = &rest[head.len()..];
            }
            parts.push(std::mem::take(&mut part));
        }
        part.push_str(rest);
    }
    parts.push(part);
    let shown = parts.iter().filter(|part| !part.trim().is_empty());
    let section =
        |part: &String| json!({ "type": "section", "text": plain(part, SECTION_UNITS_MAX) });
    shown.map(section).collect()
}

/// The longest beginning of whole graphemes with at most this many UTF-16 code units.
fn fitting(text: &str, max: usize) -> &str {
    use unicode_segmentation::UnicodeSegmentation as _;
    let mut units = 0;
    let mut graphemes = text.grapheme_indices(true);
    let cut = graphemes.find(|(_, grapheme)| {
        units += grapheme.encode_utf16().count();
        units > max
    });
    match cut {
        None => text,
        // One grapheme that fills a section is no writing of anybody's: it is cut between characters.
        Some((0, _)) if max == SECTION_UNITS_MAX => &text[..text.floor_char_boundary(max)],
        Some((at, _)) => &text[..at],
    }
}

/// Everything that answers the card. `None` if it cannot be answered here.
fn controls(card: &Card) -> Option<Vec<Value>> {
    if let CardState::Held { is_own: true, .. } = card.state {
        let undo = button(card, "channel-undo", Press::Undo);
        return Some(actions(&[undo]));
    }
    let draft = card.draft().filter(|_| card.is_answerable())?;
    let questions = card.questions.questions();
    let is_whole = card.whole_text(usize::MAX).encode_utf16().count() <= TEXT_UNITS_MAX;
    let takes_menus = questions
        .iter()
        .all(|question| question.choices().len() <= MENU_MAX);
    if questions.is_empty() || !is_whole || !takes_menus {
        return None;
    }
    let mut blocks = Vec::new();
    let mut buttons = Vec::new();
    let mut needs_send = false;
    for ((index, question), entry) in questions.iter().enumerate().zip(&draft.entries) {
        if let (Kind::Choice(kind), [_]) = (&question.kind, questions)
            && !kind.several
            && kind.choices.len() <= BUTTONS_MAX
        {
            buttons.extend(choice_buttons(card, kind));
            if kind.own_text {
                needs_send = true;
                let label = card.reader.locale.text("channel-write", &[]);
                blocks.push(text_input(
                    card,
                    (index, TEXT),
                    &label,
                    question,
                    &entry.own,
                ));
            }
        } else {
            needs_send = true;
            blocks.extend(fields(card, index, question, entry));
        }
    }
    if let Some(text) = card.open_questions() {
        blocks.extend(sections(&text));
    }
    if needs_send {
        let mut send = button(
            card,
            "channel-send",
            Press::Send {
                shown: card.draft_code(),
            },
        );
        send["style"] = Value::from("primary");
        buttons.push(send);
    }
    if let [question] = questions
        && question.skippable
    {
        buttons.push(button(card, "web-skip", Press::Skip { question: 0 }));
    }
    buttons.push(decline(card));
    buttons.extend(hand_on(card));
    buttons.extend(open_link(card));
    blocks.extend(actions(&buttons));
    Some(blocks)
}

fn choice_buttons(card: &Card, kind: &ChoiceKind) -> Vec<Value> {
    let numbered = kind.choices.iter().enumerate();
    let shown = numbered.map(|(choice, shown)| {
        let press = Press::Choose {
            question: 0,
            choice,
        };
        labelled_button(card, &option_label(card, choice, shown), press)
    });
    shown.collect()
}

/// The fields of one question of a form.
fn fields(card: &Card, index: usize, question: &Question, entry: &DraftEntry) -> Vec<Value> {
    let name = card.name(question);
    let write = || card.reader.locale.text("channel-write", &[]);
    match &question.kind {
        Kind::Choice(kind) => {
            let mut blocks = vec![choice_input(card, index, &name, question, kind, entry)];
            if kind.own_text {
                let place = (index, TEXT);
                blocks.push(text_input(card, place, &write(), question, &entry.own));
            }
            blocks
        }
        Kind::Text(_) | Kind::Number(_) => {
            vec![text_input(
                card,
                (index, TEXT),
                &name,
                question,
                &entry.typed,
            )]
        }
        Kind::Date(_) => vec![date_input(card, (index, TEXT), &name, &entry.typed)],
        Kind::DateRange(_) => vec![
            date_input(card, (index, TEXT), &name, &entry.typed),
            date_input(card, (index, END), "…", &entry.typed_end),
        ],
    }
}

fn choice_input(
    card: &Card,
    index: usize,
    name: &str,
    question: &Question,
    kind: &ChoiceKind,
    entry: &DraftEntry,
) -> Value {
    let options: Vec<Value> = kind
        .choices
        .iter()
        .enumerate()
        .map(|(number, choice)| {
            json!({
                "text": plain(&option_label(card, number, choice), LABEL_UNITS_MAX),
                "value": number.to_string(),
            })
        })
        .collect();
    let is_short = options.len() <= LISTED_MAX;
    let element = match (kind.several, is_short) {
        (false, true) => "radio_buttons",
        (false, false) => "static_select",
        (true, true) => "checkboxes",
        (true, false) => "multi_static_select",
    };
    let ticked = (0..options.len()).filter(|row| entry.is_ticked(question, *row));
    let ticked: Vec<Value> = ticked.map(|row| options[row].clone()).collect();
    let mut element = json!({ "type": element, "action_id": CHOICES, "options": options });
    match (kind.several, ticked.first()) {
        (_, None) => {}
        (true, Some(_)) => element["initial_options"] = Value::from(ticked),
        (false, Some(first)) => element["initial_option"] = first.clone(),
    }
    input(card, (index, CHOICES), name, &element)
}

fn text_input(
    card: &Card,
    place: (usize, &str),
    name: &str,
    question: &Question,
    typed: &str,
) -> Value {
    let is_multiline = matches!(&question.kind, Kind::Text(_));
    let mut element = json!({
        "type": "plain_text_input", "action_id": place.1, "multiline": is_multiline,
        "max_length": INPUT_UNITS_MAX,
    });
    if let Some(placeholder) = &question.placeholder {
        element["placeholder"] = plain(placeholder.as_str(), FIELD_LABEL_UNITS_MAX);
    }
    if !typed.is_empty() {
        element["initial_value"] = Value::from(clip_graphemes(typed, INPUT_UNITS_MAX));
    }
    input(card, place, name, &element)
}

fn date_input(card: &Card, place: (usize, &str), name: &str, typed: &str) -> Value {
    let mut element = json!({ "type": "datepicker", "action_id": place.1 });
    if typed.parse::<jiff::civil::Date>().is_ok() {
        element["initial_date"] = Value::from(typed);
    }
    input(card, place, name, &element)
}

/// A field. Clients fill in what was typed before under the same `block_id`, so it names the inquiry.
fn input(card: &Card, (index, part): (usize, &str), name: &str, element: &Value) -> Value {
    json!({
        "type": "input",
        "block_id": format!("{}.{}.{index}.{part}", card.inquiry, card.revision),
        "label": plain(name, FIELD_LABEL_UNITS_MAX),
        "element": element,
        "optional": true,
    })
}

/// Lets the agent decide, after a second question.
fn decline(card: &Card) -> Value {
    let text = |id: &str| plain(&card.reader.locale.text(id, &[]), LABEL_UNITS_MAX);
    let mut decline = button(card, "web-decline", Press::Decline);
    let effect = card.reader.locale.text("web-decline-effect", &[]);
    decline["confirm"] = json!({
        "title": text("web-decline"),
        "text": plain(&effect, 300),
        "confirm": { "type": "plain_text", "text": "OK" },
        "deny": text("channel-back"),
    });
    decline
}

/// Shows the people, if there is somebody to whom the question can be handed on.
fn hand_on(card: &Card) -> Option<Value> {
    let can_hand_on = card.is_answerable() && !card.hand_on.people.is_empty();
    can_hand_on.then(|| button(card, "hand-on", Press::People { shown: true }))
}

/// A field for the reason, a button for each person and group, and back to the question's own fields.
fn people(card: &Card) -> Vec<Value> {
    let locale = card.reader.locale;
    let mut field = json!({
        "type": "plain_text_input", "action_id": REASON, "max_length": HAND_ON_REASON_CHARS_MAX,
    });
    if let Some(reason) = &card.hand_on.reason {
        field["initial_value"] = Value::from(reason.as_str());
    }
    let reason = json!({
        "type": "input",
        "block_id": format!("{}.{}.{REASON}", card.inquiry, card.revision),
        "label": plain(&locale.text("web-hand-on-reason", &[]), FIELD_LABEL_UNITS_MAX),
        "element": field,
        "optional": true,
    });
    let people = card.hand_on.people.iter().map(|(code, name)| {
        let label = locale.text("hand-on-to", &[("person", name.as_str().into())]);
        labelled_button(card, &label, Press::HandOn { to: *code })
    });
    let back = button(card, "channel-back", Press::People { shown: false });
    let buttons: Vec<Value> = people.chain([back]).collect();
    let rows = buttons.chunks(ACTIONS_MAX).flat_map(actions);
    std::iter::once(reason).chain(rows).collect()
}

fn open_link(card: &Card) -> Option<Value> {
    let link = card.link.as_ref()?;
    let label = card.reader.locale.text("channel-open", &[]);
    Some(json!({
        "type": "button", "text": plain(&label, LABEL_UNITS_MAX), "url": link, "action_id": OPEN_LINK,
    }))
}

fn button(card: &Card, text: &str, press: Press) -> Value {
    labelled_button(card, &card.reader.locale.text(text, &[]), press)
}

fn labelled_button(card: &Card, label: &str, press: Press) -> Value {
    let data = card.button(press).encode();
    json!({
        "type": "button", "text": plain(label, LABEL_UNITS_MAX), "action_id": data, "value": data,
    })
}

/// With its number, since a long label is cut.
fn option_label(card: &Card, index: usize, choice: &Choice) -> String {
    format!("{}. {}", index + 1, card.label(choice))
}

/// A block of buttons; none without buttons.
fn actions(buttons: &[Value]) -> Vec<Value> {
    if buttons.is_empty() {
        return Vec::new();
    }
    vec![json!({ "type": "actions", "elements": buttons })]
}

fn plain(text: &str, max: usize) -> Value {
    json!({ "type": "plain_text", "text": clip_graphemes(text, max), "emoji": false })
}
