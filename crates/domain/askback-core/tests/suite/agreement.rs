//! The published schemas and the parser say the same of every input, and each provider's schema
//! stays within what that provider takes.
//!
//! For every dialect and every generated input four things must hold:
//!
//! - What the plain schema accepts the parser accepts, but for rules no schema can express: a model
//!   that keeps to its schema must never be told that it did not.
//! - What the parser takes without a repair the plain schema accepts: otherwise the contract would
//!   be wider than anyone was told.
//! - What the plain schema accepts every provider's schema accepts: a provider's schema may say
//!   less, never more. In `OpenAI`'s strict mode absent fields are null.
//! - A null in the place of an absent field means the same as the absent field.

mod padding;
mod subsets;

use askback_core::dialect::{Dialect, Flavor, ParseError, ParseOptions, ParseProblemCode, Parsed};
use askback_testkit::{Rng, near_contract, short_or_full};
use jsonschema::Validator;
use serde_json::Value;

/// The schemas of one dialect.
struct Schemas {
    dialect: Dialect,
    plain: Validator,
    openai: Validator,
    anthropic: Validator,
    gemini: Validator,
    /// The schema behind `openai`, which says where nulls belong.
    padding: Value,
}

impl Schemas {
    fn of(dialect: Dialect) -> Schemas {
        let schema = |flavor| dialect.contract().schema(flavor);
        let validator =
            |flavor| jsonschema::validator_for(&schema(flavor)).expect("it is a schema");
        Schemas {
            dialect,
            plain: validator(Flavor::Plain),
            openai: validator(Flavor::OpenAiStrict),
            anthropic: validator(Flavor::AnthropicStrict),
            gemini: validator(Flavor::Gemini),
            padding: schema(Flavor::OpenAiStrict),
        }
    }

    fn parse(&self, input: &Value) -> Result<Parsed, ParseError> {
        self.dialect.parse(input, ParseOptions::default())
    }

    /// Asserts the four claims for an input, and says whether schema and parser accept it.
    fn check(&self, input: &Value) -> (bool, bool) {
        let valid = self.plain.is_valid(input);
        let parsed = self.parse(input);
        match &parsed {
            Ok(parsed) => self.check_accepted(input, parsed, valid),
            Err(error) => check_refused(input, error, valid),
        }
        if valid && Dialect::TOOLS.contains(&self.dialect) {
            self.check_providers(input);
        }
        (valid, parsed.is_ok())
    }

    fn check_accepted(&self, input: &Value, parsed: &Parsed, valid: bool) {
        assert!(
            valid || !parsed.repairs.is_empty(),
            "the parser takes what the schema refuses: {:?}\n{input}",
            self.plain.validate(input)
        );
        let padded = padding::pad(&self.padding, input);
        let same = self
            .parse(&padded)
            .is_ok_and(|again| again.inquiry == parsed.inquiry);
        assert!(same || !valid, "nulls make a difference\n{padded}");
    }

    fn check_providers(&self, input: &Value) {
        let padded = padding::pad(&self.padding, input);
        assert!(self.openai.is_valid(&padded), "OpenAI: {padded}");
        assert!(self.anthropic.is_valid(input), "Anthropic: {input}");
        assert!(self.gemini.is_valid(input), "Gemini: {input}");
    }
}

fn check_refused(input: &Value, error: &ParseError, valid: bool) {
    let beyond = error
        .problems()
        .iter()
        .all(|problem| is_beyond_schema(problem.code));
    assert!(
        !valid || beyond,
        "the schema accepts what the parser refuses\n{error}\n{input}"
    );
}

/// Compares schemas and parser over generated inputs, which must fall on both sides often, or the
/// comparison would say nothing.
fn compare(dialect: Dialect) {
    let schemas = Schemas::of(dialect);
    let mut rng = Rng::new(20_461);
    let (mut both, mut neither) = (0, 0);
    // Half of them miss the contract in one place.
    let inputs = match dialect {
        // Each has up to twenty questions.
        Dialect::Questions => short_or_full(250, 5_000),
        Dialect::AskUserQuestion
        | Dialect::AskUserQuestionClaude
        | Dialect::Question
        | Dialect::AskUser => short_or_full(1_000, 5_000),
    };
    for _ in 0..inputs {
        match schemas.check(&near_contract(&mut rng, dialect)) {
            (true, true) => both += 1,
            (false, false) => neither += 1,
            (true, false) | (false, true) => {}
        }
    }
    let share = |count: usize| count * 100 / inputs;
    assert!(share(both) >= 45, "both accept only {both}");
    assert!(share(neither) >= 8, "both refuse only {neither}");
}

/// Schemas and parser of `ask_user_question` agree.
#[test]
fn ask_user_question_schemas_and_parser_agree() {
    compare(Dialect::AskUserQuestion);
}

/// Schemas and parser of `AskUserQuestion` agree.
#[test]
fn claude_schemas_and_parser_agree() {
    compare(Dialect::AskUserQuestionClaude);
}

/// Schemas and parser of `question` agree.
#[test]
fn question_schemas_and_parser_agree() {
    compare(Dialect::Question);
}

/// Schemas and parser of `ask_user` agree.
#[test]
fn ask_user_schemas_and_parser_agree() {
    compare(Dialect::AskUser);
}

/// Schema and parser of the neutral contract agree.
#[test]
fn neutral_schema_and_parser_agree() {
    compare(Dialect::Questions);
}

/// What a JSON Schema of the common subset cannot express: rules that tie several places together or
/// look inside a text. Everything else the published schema refuses as well.
fn is_beyond_schema(code: ParseProblemCode) -> bool {
    match code {
        ParseProblemCode::Blank
        | ParseProblemCode::FieldNotTaken
        | ParseProblemCode::BadId
        | ParseProblemCode::DuplicateId
        | ParseProblemCode::DuplicateQuestion
        | ParseProblemCode::DuplicateLabel
        | ParseProblemCode::DuplicateValue
        | ParseProblemCode::NoChoices
        | ParseProblemCode::NotTwoChoices
        | ParseProblemCode::BadPattern
        | ParseProblemCode::BadBound
        | ParseProblemCode::EmptyBounds => true,
        ParseProblemCode::NotJson
        | ParseProblemCode::TooBig
        | ParseProblemCode::WrongType
        | ParseProblemCode::Missing
        | ParseProblemCode::TooLong
        | ParseProblemCode::TooFew
        | ParseProblemCode::TooMany
        | ParseProblemCode::UnknownField
        | ParseProblemCode::UnknownWord
        | ParseProblemCode::OutOfRange
        | ParseProblemCode::OneQuestionOnly => false,
    }
}
