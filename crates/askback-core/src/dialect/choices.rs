//! What the dialects share in turning a read input into questions.

use crate::contract::{Object, ProblemCode, Reader, Step, is_other_label};
use crate::question::{Choice, ChoiceKind, Question, RECOMMENDED_SUFFIX};
use crate::text::{Lines, Text};

/// What a dialect says about choices beyond their fields.
pub(super) struct ChoiceForm {
    /// Most choices.
    pub(super) max: usize,
    /// Whether several may be taken.
    pub(super) several: bool,
    /// Whether surfaces add a field for own text.
    pub(super) own_text: bool,
    /// Whether a label's suffix marks the advised choice.
    pub(super) badge_suffix: bool,
}

/// Builds the choices of one question from its `options`.
pub(super) fn build_choices(
    reader: &mut Reader,
    question: &mut Object,
    form: &ChoiceForm,
) -> ChoiceKind {
    let options = question.objects("options");
    let mut choices: Vec<Choice> = options
        .into_iter()
        .filter_map(|option| build_choice(option, form.badge_suffix))
        .collect();
    reader.at(Step::Field("options"), |reader| {
        if form.own_text {
            drop_authored_other(reader, &mut choices);
        }
        if choices.len() > form.max {
            let hint = format!("has {}: send at most {}.", choices.len(), form.max);
            reader.problem(ProblemCode::TooMany, hint);
        }
        refuse_duplicates(reader, &choices);
    });
    if form.several {
        for choice in &mut choices {
            choice.exclusive = is_none_label(choice.label.as_str());
        }
    }
    ChoiceKind {
        several: form.several,
        own_text: form.own_text,
        choices,
    }
}

fn build_choice(mut option: Object, badge_suffix: bool) -> Option<Choice> {
    let value = option.text("value");
    let label = option.text("label")?;
    let (label, recommended) = if badge_suffix {
        take_badge(label)
    } else {
        (label, false)
    };
    Some(Choice {
        value: value.unwrap_or_else(|| label.clone()),
        label,
        description: option.text("description"),
        preview: option.text("preview"),
        recommended,
        exclusive: false,
    })
}

/// Splits `PostgreSQL (Recommended)` into the label and its badge.
fn take_badge(label: Text) -> (Text, bool) {
    let text = label.as_str();
    let cut = text.len().checked_sub(RECOMMENDED_SUFFIX.len());
    let badge = cut.filter(|at| {
        text.is_char_boundary(*at) && text[*at..].eq_ignore_ascii_case(RECOMMENDED_SUFFIX)
    });
    match badge.and_then(|at| Text::clean(&text[..at], Lines::One)) {
        Some(bare) => (bare, true),
        None => (label, false),
    }
}

/// Drops an "Other" the agent wrote, because every surface adds its own; the last choice stays.
fn drop_authored_other(reader: &mut Reader, choices: &mut Vec<Choice>) {
    let others = choices
        .iter()
        .filter(|choice| is_other_label(choice.label.as_str()))
        .count();
    if others == 1 && choices.len() > 1 {
        choices.retain(|choice| !is_other_label(choice.label.as_str()));
        reader.repair("dropped the authored \"Other\", which is always added");
    }
}

fn refuse_duplicates(reader: &mut Reader, choices: &[Choice]) {
    for (index, choice) in choices.iter().enumerate() {
        let earlier = &choices[..index];
        if earlier.iter().any(|other| other.label == choice.label) {
            reader.at(Step::Item(index), |r| {
                r.problem(
                    ProblemCode::DuplicateLabel,
                    "has the label of an earlier choice: give each its own.",
                );
            });
        } else if earlier.iter().any(|other| other.value == choice.value) {
            reader.at(Step::Item(index), |r| {
                r.problem(
                    ProblemCode::DuplicateValue,
                    "has the value of an earlier choice: give each its own.",
                );
            });
        }
    }
}

/// Whether a label says "none of these", which excludes every other choice.
fn is_none_label(label: &str) -> bool {
    let bare = label.trim_end_matches('.').to_lowercase();
    matches!(
        bare.as_str(),
        "none" | "none of these" | "none of the above" | "none of them" | "nothing"
    )
}

/// Refuses two questions with one text: their answers could not be told apart.
pub(super) fn refuse_duplicate_questions(reader: &mut Reader, questions: &[Question]) {
    for (index, question) in questions.iter().enumerate() {
        if questions[..index]
            .iter()
            .any(|earlier| earlier.text == question.text)
        {
            reader.at(Step::Field("questions"), |r| {
                r.at(Step::Item(index), |r| {
                    r.problem(
                        ProblemCode::DuplicateQuestion,
                        "asks the same as an earlier question: word each differently.",
                    );
                });
            });
        }
    }
}
