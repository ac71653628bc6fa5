//! What the dialects share in turning a read input into questions.

use crate::contract::{InputReader, Object, ParseProblemCode, PathSegment, is_other_label};
use crate::lookalike::look_alike;
use crate::question::{Choice, ChoiceKind, strip_badge};
use crate::text::{Lines, Text};

/// What a dialect says about choices beyond their fields.
pub(super) struct ChoiceForm {
    /// The field of a question with its choices.
    pub(super) field: &'static str,
    /// Most choices.
    pub(super) max: usize,
    /// Whether several may be taken.
    pub(super) several: bool,
    /// Whether surfaces add a field for own text.
    pub(super) own_text: bool,
    /// Whether a label's suffix marks the advised choice.
    pub(super) badge_suffix: bool,
}

/// Builds the choices of one question.
pub(super) fn build_choices(
    reader: &mut InputReader,
    question: &mut Object,
    form: &ChoiceForm,
) -> ChoiceKind {
    let options = question.indexed_objects(form.field);
    let mut count = options.len();
    let mut choices: Vec<(usize, Choice)> = options
        .into_iter()
        .filter_map(|(place, option)| Some((place, build_choice(option, form)?)))
        .collect();
    reader.at(PathSegment::Field(form.field), |reader| {
        refuse_duplicates(reader, &choices);
        if form.own_text && reader.repairs_input() {
            count -= drop_authored_other(reader, &mut choices);
        }
        if count > form.max {
            let hint = format!("has {count}: send at most {}.", form.max);
            reader.problem(ParseProblemCode::TooMany, hint);
        }
    });
    ChoiceKind {
        several: form.several,
        own_text: form.own_text,
        confirm: false,
        choices: choices.into_iter().map(|(_, choice)| choice).collect(),
    }
}

fn build_choice(mut option: Object, form: &ChoiceForm) -> Option<Choice> {
    let value = option.text("value");
    let label = option.text("label")?;
    let (label, recommended) = if form.badge_suffix {
        take_badge(label)
    } else {
        (label, false)
    };
    let exclusive = option.bool("exclusive");
    Some(Choice {
        exclusive: exclusive.unwrap_or(form.several && is_none_label(label.as_str())),
        value: value.unwrap_or_else(|| label.clone()),
        label,
        description: option.text("description"),
        preview: option.text("preview"),
        recommended: option.bool("recommended").unwrap_or(recommended),
    })
}

/// Splits `PostgreSQL (Recommended)` into the label and its badge.
fn take_badge(label: Text) -> (Text, bool) {
    match strip_badge(label.as_str()).and_then(|bare| Text::clean(bare, Lines::One)) {
        Some(bare) => (bare, true),
        None => (label, false),
    }
}

/// Drops an "Other" the agent wrote, because every surface adds its own, and says how many there
/// were. Where nothing else is offered they stay: a question must not lose its last choice.
fn drop_authored_other(reader: &mut InputReader, choices: &mut Vec<(usize, Choice)>) -> usize {
    let is_other = |(_, choice): &(usize, Choice)| is_other_label(choice.label.as_str());
    let before = choices.len();
    if choices.iter().all(is_other) {
        return 0;
    }
    choices.retain(|choice| !is_other(choice));
    let dropped = before - choices.len();
    if dropped > 0 {
        reader.repair("dropped the authored \"Other\", which is always added");
    }
    dropped
}

/// Refuses choices that an answer by label or value could not tell apart.
fn refuse_duplicates(reader: &mut InputReader, choices: &[(usize, Choice)]) {
    for (index, (place, choice)) in choices.iter().enumerate() {
        let earlier = || choices[..index].iter().map(|(_, other)| other);
        let (code, hint) = if earlier().any(|other| other.label == choice.label) {
            (
                ParseProblemCode::DuplicateLabel,
                "has the label of an earlier choice: give each its own.",
            )
        } else if earlier().any(|other| other.value == choice.value) {
            (
                ParseProblemCode::DuplicateValue,
                "has the value of an earlier choice: give each its own.",
            )
        } else if earlier().any(|o| o.value == choice.label || o.label == choice.value) {
            (
                ParseProblemCode::DuplicateValue,
                "has a value that is the label of another choice: an answer could mean either.",
            )
        } else if earlier().any(|other| look_alike(&other.label, &choice.label)) {
            (
                ParseProblemCode::DuplicateLabel,
                "looks like an earlier choice: the labels differ only in characters that look alike or \
                 cannot be seen. Use other words, such as \"letter O\" and \"digit 0\".",
            )
        } else if earlier().any(|other| look_alike(&other.value, &choice.value)) {
            (
                ParseProblemCode::DuplicateValue,
                "has a value that looks like that of an earlier choice: use plain letters and digits, and \
                 other words.",
            )
        } else {
            continue;
        };
        reader.at(PathSegment::Item(*place), |r| r.problem(code, hint));
    }
}

/// Whether a label says "none of these", which excludes every other choice.
fn is_none_label(label: &str) -> bool {
    const SPELLINGS: &[&str] = &[
        "none",
        "none of these",
        "none of the above",
        "none of them",
        "nothing",
    ];
    let bare = label.trim_end_matches('.');
    SPELLINGS
        .iter()
        .any(|spelling| bare.eq_ignore_ascii_case(spelling))
}
