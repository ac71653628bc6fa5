//! The limits of the contracts, as numbers.
//!
//! They are written down from the design and deliberately not taken from `askback_core::limits`:
//! whoever changes a limit there by mistake is told so here. Lengths count characters.

use askback_core::dialect::Dialect;

/// What one dialect allows.
#[derive(Debug, Clone, Copy)]
pub struct ContractLimits {
    /// Most questions.
    pub questions_max: usize,
    /// Fewest choices of a question to be chosen from.
    pub choices_min: usize,
    /// Most choices.
    pub choices_max: usize,
    /// Longest header; `None` where there is none.
    pub header_max: Option<usize>,
    /// Longest question text.
    pub question_max: usize,
    /// Longest context.
    pub context_max: usize,
    /// Longest label.
    pub label_max: usize,
    /// Longest value; `None` where a choice has no value of its own.
    pub value_max: Option<usize>,
    /// Longest description of a choice.
    pub description_max: usize,
    /// Longest preview of a choice; `None` where there is none.
    pub preview_max: Option<usize>,
    /// Whether header, description and the flag for several choices must be there.
    pub all_required: bool,
    /// The name of the flag for several choices.
    pub several_field: Option<&'static str>,
}

/// Longest input that is read as text, in bytes.
pub const INPUT_BYTES_MAX: usize = 1_048_576;
/// Longest text for which the design names no limit.
pub const TEXT_MAX: usize = 10_000;
/// Longest placeholder and validation message.
pub const HINT_MAX: usize = 200;
/// Longest validation pattern.
pub const PATTERN_MAX: usize = 500;
/// Longest `metadata.source`.
pub const SOURCE_MAX: usize = 200;
/// Longest note beside an answer.
pub const NOTE_MAX: usize = 4_000;

/// The contract of `dialect`.
#[expect(clippy::too_many_lines, reason = "one arm for each dialect")]
pub const fn of(dialect: Dialect) -> ContractLimits {
    match dialect {
        Dialect::AskUserQuestion => ContractLimits {
            questions_max: 4,
            choices_min: 2,
            choices_max: 4,
            header_max: Some(12),
            question_max: TEXT_MAX,
            context_max: 500,
            label_max: TEXT_MAX,
            value_max: None,
            description_max: TEXT_MAX,
            preview_max: Some(100_000),
            all_required: false,
            several_field: Some("multiSelect"),
        },
        Dialect::AskUserQuestionClaude => ContractLimits {
            questions_max: 4,
            choices_min: 2,
            choices_max: 4,
            header_max: Some(12),
            question_max: TEXT_MAX,
            context_max: 500,
            label_max: 50,
            value_max: None,
            description_max: 200,
            preview_max: Some(100_000),
            all_required: true,
            several_field: Some("multiSelect"),
        },
        Dialect::Question => ContractLimits {
            questions_max: 1,
            choices_min: 1,
            choices_max: 10,
            header_max: Some(30),
            question_max: 500,
            context_max: 500,
            label_max: 30,
            value_max: None,
            description_max: 200,
            preview_max: None,
            all_required: false,
            several_field: Some("multiple"),
        },
        Dialect::AskUser => ContractLimits {
            questions_max: 1,
            choices_min: 1,
            choices_max: 20,
            header_max: None,
            question_max: 500,
            context_max: 500,
            label_max: 100,
            value_max: Some(100),
            description_max: 200,
            preview_max: None,
            all_required: false,
            several_field: None,
        },
        Dialect::Questions => ContractLimits {
            questions_max: 20,
            choices_min: 1,
            choices_max: 100,
            header_max: Some(30),
            question_max: TEXT_MAX,
            context_max: TEXT_MAX,
            label_max: TEXT_MAX,
            value_max: Some(TEXT_MAX),
            description_max: TEXT_MAX,
            preview_max: Some(100_000),
            all_required: false,
            several_field: Some("several"),
        },
    }
}

/// The longest text that the field `name` of a tool input may hold, if it holds text.
pub fn field_max(dialect: Dialect, name: &str) -> Option<usize> {
    let contract = of(dialect);
    match name {
        "question" | "text" => Some(contract.question_max),
        "header" => contract.header_max,
        "label" => Some(contract.label_max),
        "value" => contract.value_max,
        "description" => Some(contract.description_max),
        "preview" => contract.preview_max,
        "context" => Some(contract.context_max),
        "placeholder" | "message" => Some(HINT_MAX),
        "pattern" => Some(PATTERN_MAX),
        "source" => Some(SOURCE_MAX),
        _ => None,
    }
}
