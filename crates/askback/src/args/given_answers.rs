//! `--choose` and `--text` of `askback answer`, in the order in which they were given.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

const CHOOSE: &str = "choose";
const TEXT: &str = "text";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GivenAnswer {
    /// The label or number of a choice.
    Choice(String),
    /// A text, a number, a date, or an answer instead of the choices.
    Text(String),
}

/// A derived struct keeps the order of each flag only. With several questions, the order of both
/// together says which answer is for which question.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenAnswers(pub(crate) Vec<GivenAnswer>);

impl GivenAnswers {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn choices(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|given| match given {
            GivenAnswer::Choice(choice) => Some(choice.as_str()),
            GivenAnswer::Text(_) => None,
        })
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|given| match given {
            GivenAnswer::Text(text) => Some(text.as_str()),
            GivenAnswer::Choice(_) => None,
        })
    }
}

impl Args for GivenAnswers {
    fn augment_args(command: Command) -> Command {
        command
            .arg(
                Arg::new(CHOOSE)
                    .long(CHOOSE)
                    .value_name("CHOICE")
                    .action(ArgAction::Append)
                    .help(
                        "A choice, by its label, value or number. Upper and lower case are the same if only one \
                         choice matches. Repeat it to choose several. With several questions, give one \
                         --choose or --text to each, in order",
                    ),
            )
            .arg(
                Arg::new(TEXT)
                    .long(TEXT)
                    .value_name("TEXT")
                    .action(ArgAction::Append)
                    .help("A text, a number, a date, a range of dates, or an answer to a question with choices: as in line mode, \
                         it names choices or is an answer of your own"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GivenAnswers {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |flag: &str, answer: fn(String) -> GivenAnswer| -> Vec<(usize, GivenAnswer)> {
            let places = matches.indices_of(flag).into_iter().flatten();
            let values = matches.get_many::<String>(flag).into_iter().flatten();
            places
                .zip(values.map(|value| answer(value.clone())))
                .collect()
        };
        let mut all = given(CHOOSE, GivenAnswer::Choice);
        all.extend(given(TEXT, GivenAnswer::Text));
        all.sort_by_key(|(place, _)| *place);
        Ok(Self(all.into_iter().map(|(_, answer)| answer).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
