//! Every bound of the domain in one place.
//!
//! Parsers enforce these numbers, the published schemas and tool descriptions quote them, and an
//! operator can print them. Lengths count characters (Unicode scalar values), never bytes.

/// Characters of what an asker assumes until it has the answer.
pub const ASSUMPTION_CHARS_MAX: usize = 300;
/// The metadata of an inquiry, as JSON.
pub const METADATA_BYTES_MAX: usize = 4_096;

/// Characters of the reason for handing a question on.
pub const HAND_ON_REASON_CHARS_MAX: usize = 300;

/// Size of one tool input, in bytes of JSON.
pub const INPUT_BYTES_MAX: usize = 1 << 20;
/// Nesting that is followed when a JSON string stands where an object or a list should be.
pub const REPAIR_DEPTH_MAX: usize = 3;
/// Problems that one refusal lists; more would bury the first.
pub const PROBLEMS_MAX: usize = 8;

/// Any text of an agent for which a dialect names no limit of its own.
pub const TEXT_CHARS_MAX: usize = 10_000;
/// The preview of a choice.
pub const PREVIEW_CHARS_MAX: usize = 100_000;
/// The name of the agent or feature that asks.
pub const SOURCE_CHARS_MAX: usize = 200;

/// A respondent's own text, and the answer to a text question without a limit of its own.
pub const OWN_TEXT_CHARS_MAX: usize = 10_000;
/// A note beside an answer.
pub const NOTE_CHARS_MAX: usize = 4_000;
/// What a field of a draft keeps, even if it is more than an answer may have.
pub const DRAFT_FIELD_CHARS_MAX: usize = 100_000;
/// A chat message.
pub const MESSAGE_CHARS_MAX: usize = 100_000;

/// Messages of a conversation whose ids are kept, to recognise a repeated send.
pub const MESSAGES_REMEMBERED_MAX: usize = 16;

/// The verified identity of a person, with the name of the service.
pub const IDENTITY_CHARS_MAX: usize = 200;
/// The name of a node.
pub const NODE_CHARS_MAX: usize = 100;

/// Questions in an inquiry of the list dialects.
pub const QUESTIONS_MAX: usize = 4;
/// Choices of a question in the list dialects.
pub const LIST_CHOICES_MIN: usize = 2;
/// Choices of a question in the list dialects.
pub const LIST_CHOICES_MAX: usize = 4;
/// Header of a question in the list dialects.
pub const LIST_HEADER_CHARS_MAX: usize = 12;
/// Label of a choice in `AskUserQuestion`.
pub const CLAUDE_LABEL_CHARS_MAX: usize = 50;
/// Description of a choice in `AskUserQuestion` and `question`.
pub const DESCRIPTION_CHARS_MAX: usize = 200;

/// Choices in the `question` dialect.
pub const QUESTION_CHOICES_MAX: usize = 10;
/// Header and label in the `question` dialect.
pub const QUESTION_LABEL_CHARS_MAX: usize = 30;
/// Question text in `question` and `ask_user`, and the context of `ask_user`.
pub const SHORT_QUESTION_CHARS_MAX: usize = 500;

/// Choices in the `ask_user` dialect.
pub const ASK_USER_CHOICES_MAX: usize = 20;
/// Label and value of a choice in `ask_user`.
pub const ASK_USER_LABEL_CHARS_MAX: usize = 100;
/// Placeholder and validation message in `ask_user`.
pub const HINT_CHARS_MAX: usize = 200;
/// A validation pattern.
pub const PATTERN_CHARS_MAX: usize = 500;
/// Positions of a validation pattern, repetitions counted, times the characters of the longest answer:
/// what checking one answer costs at most. A step takes some tens of nanoseconds.
pub const PATTERN_STEPS_MAX: usize = PATTERN_CHARS_MAX * OWN_TEXT_CHARS_MAX;
/// Memory that a compiled validation pattern may take, in bytes.
pub const PATTERN_BYTES_MAX: usize = 1 << 20;
/// Inquiries that `ask_user` may make in one conversation.
pub const ASK_USER_PER_CONVERSATION: u32 = 10;

/// Questions of a form: one that a program asks, or an MCP server.
pub const FORM_QUESTIONS_MAX: usize = 20;
/// Choices of one question of such a form.
pub const FORM_CHOICES_MAX: usize = 100;
/// The id that a program gives a question.
pub const QUESTION_ID_CHARS_MAX: usize = 64;
/// Questions that a tool may ask during one call.
pub const TOOL_QUESTIONS_MAX: usize = 10;

/// Tool calls in one assistant message.
pub const CALLS_PER_ROUND_MAX: usize = 64;
/// Rounds an agent may take after its user last said or answered something before it must report.
pub const ROUNDS_PER_TURN_MAX: u32 = 200;
/// Rounds in a row in which the same calls may fail with the same errors before the turn ends.
pub const SAME_FAILURES_MAX: u32 = 5;
/// Sub-agents one call may start.
pub const SUB_AGENTS_MAX: usize = 8;
/// The task given to one sub-agent.
pub const TASK_CHARS_MAX: usize = 20_000;
/// Text of one tool result that is kept.
pub const RESULT_CHARS_MAX: usize = 100_000;
/// Inquiries that may wait at once in the conversation of an external agent.
pub const EXTERNAL_PENDING_MAX: usize = 100;
/// Texts of the inquiries that may wait at once in the conversation of an external agent, in bytes. What
/// is decided on a conversation holds all of them in memory.
pub const EXTERNAL_PENDING_BYTES_MAX: usize = 32 << 20;
/// Texts of the inquiries that may wait at once in all conversations, in bytes. External agents are refused beyond it.
pub const PENDING_BYTES_MAX: usize = 256 << 20;
/// A deadline is reminded of when this many seconds are left, or a tenth of the time if that is more.
pub const REMINDER_SECONDS: i64 = 60;
/// The longest undo window.
pub const UNDO_SECONDS_MAX: i64 = 60;
/// Attempts at one provider request, the first included.
pub const LLM_ATTEMPTS_MAX: u32 = 6;
/// Pause before the second attempt, in milliseconds; it doubles from there.
pub const LLM_BACKOFF_MS_MIN: i64 = 1_000;
/// Longest pause between two attempts, in milliseconds.
pub const LLM_BACKOFF_MS_MAX: i64 = 60_000;

/// Every limit with its name, for `doctor` and the documentation.
pub const ALL: &[(&str, usize)] = &[
    ("tool input, bytes", INPUT_BYTES_MAX),
    (
        "assumption of a question in the background, characters",
        ASSUMPTION_CHARS_MAX,
    ),
    (
        "reason for handing a question on, characters",
        HAND_ON_REASON_CHARS_MAX,
    ),
    (
        "agent text without a limit of its own, characters",
        TEXT_CHARS_MAX,
    ),
    ("preview of a choice, characters", PREVIEW_CHARS_MAX),
    ("own text of an answer, characters", OWN_TEXT_CHARS_MAX),
    ("note beside an answer, characters", NOTE_CHARS_MAX),
    ("chat message, characters", MESSAGE_CHARS_MAX),
    ("tool calls in one assistant message", CALLS_PER_ROUND_MAX),
    (
        "rounds since the user last said or answered something",
        ROUNDS_PER_TURN_MAX as usize,
    ),
    (
        "rounds in a row that fail in the same way",
        SAME_FAILURES_MAX as usize,
    ),
    ("sub-agents of one call", SUB_AGENTS_MAX),
    ("tool result, characters", RESULT_CHARS_MAX),
    ("questions of a form", FORM_QUESTIONS_MAX),
    ("choices of a question of a form", FORM_CHOICES_MAX),
    ("questions of a tool during one call", TOOL_QUESTIONS_MAX),
    (
        "inquiries waiting in one external conversation",
        EXTERNAL_PENDING_MAX,
    ),
    (
        "inquiries waiting in one external conversation, bytes",
        EXTERNAL_PENDING_BYTES_MAX,
    ),
    (
        "inquiries waiting in all conversations, bytes",
        PENDING_BYTES_MAX,
    ),
    (
        "positions of a pattern times characters of an answer",
        PATTERN_STEPS_MAX,
    ),
    (
        "attempts at one provider request",
        LLM_ATTEMPTS_MAX as usize,
    ),
    (
        "inquiries of `ask_user` in one conversation",
        ASK_USER_PER_CONVERSATION as usize,
    ),
];
