//! Line mode says everything once and answers as the frames do.

use std::time::Duration;

use askback_core::answer::Answers;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::draft::{Draft, DraftField, Edit};
use askback_core::inquiry::Inquiry;
use askback_locale::Locale;
use askback_testkit::typed_answers;
use askback_testkit::typed_answers::TODAY;
use jiff::civil::date;
use serde_json::{Value, json};

use super::{AfterPostpone, LinePrompt};
use crate::deadline::Deadline;
use crate::outcome_lines::AnsweredFrom;
use crate::prompt::{End, EscAtTop, Persistence, PromptOptions};

fn inquiry(dialect: Dialect, input: &Value) -> Inquiry {
    dialect
        .parse(input, ParseOptions::default())
        .unwrap()
        .inquiry
}

fn prompt(inquiry: &Inquiry) -> LinePrompt {
    let locale = Locale::choose(&["en"]);
    let mut options = PromptOptions::new(locale, date(2027, 3, 26));
    options.asker = Some("builder".into());
    LinePrompt::new(inquiry.clone(), options)
}

fn in_inbox(inquiry: &Inquiry) -> LinePrompt {
    let mut prompt = prompt(inquiry);
    prompt.options.esc_at_top = EscAtTop::GoesBack;
    prompt
}

fn resumed(inquiry: Inquiry, draft: Draft, locale: Locale) -> LinePrompt {
    let mut options = PromptOptions::new(locale, date(2027, 3, 26));
    options.draft = Some(draft);
    LinePrompt::new(inquiry, options)
}

fn database() -> Inquiry {
    inquiry(
        Dialect::AskUserQuestion,
        &json!({"questions": [{
            "question": "Which database should we use for this project?", "header": "Database",
            "options": [
                {"label": "PostgreSQL (Recommended)", "description": "Robust relational DB."},
                {"label": "MongoDB", "description": "Document DB."}]}]}),
    )
}

fn sent(prompt: &mut LinePrompt, lines: &[&str]) -> Value {
    let mut end = None;
    for line in lines {
        assert_eq!(end, None, "{line} comes too late");
        end = prompt.handle_line(line).end;
    }
    match end {
        Some(End::Answered(answers)) => Answers::to_json(&answers),
        other => panic!("{other:?}"),
    }
}

/// Every choice once, numbers, and the chosen label in return.
#[test]
fn question_is_said_once_and_the_choice_is_said_back() {
    let inquiry = database();
    let mut prompt = prompt(&inquiry);
    let said = prompt.begin(Duration::ZERO).text;
    let expected = "Question 1 of 1 from builder. Database.\n\
        Which database should we use for this project?\n\
        1. PostgreSQL, recommended. Robust relational DB.\n\
        2. MongoDB. Document DB.\n\
        3. Other: type your own answer.\n\
        Type 1 to 3, or ? for help: ";
    assert_eq!(said, expected);
    let heard = prompt.handle_line("2");
    assert_eq!(heard.text, "Chosen: MongoDB. Sent.\n");
    assert!(matches!(heard.end, Some(End::Answered(_))));
}

#[test]
fn what_is_not_a_choice_chooses_nothing() {
    let inquiry = database();
    for line in ["", "0", "4", "x", "1,2", "-1"] {
        let heard = prompt(&inquiry).handle_line(line);
        assert_eq!(heard.end, None, "{line}");
    }
    assert!(
        prompt(&inquiry)
            .handle_line("?")
            .text
            .contains("n adds a note")
    );
}

#[test]
fn own_answers_and_notes_are_typed_on_lines_of_their_own() {
    let inquiry = database();
    let answers = sent(&mut prompt(&inquiry), &["n", "for tests", "3", "15:00"]);
    assert_eq!(
        answers,
        json!({"q1": {"own": "15:00", "note": "for tests"}})
    );
}

#[test]
fn leaving_is_a_choice_of_its_own() {
    let inquiry = database();
    let mut leaving = prompt(&inquiry);
    assert_eq!(leaving.handle_line("q").end, None);
    assert_eq!(leaving.handle_line("1").end, Some(End::Postponed));
    for (line, end) in [("2", End::Declined), ("3", End::Rejected)] {
        for yes in ["y", "yes", "Yes"] {
            let mut prompt = prompt(&inquiry);
            prompt.handle_line("q");
            assert_eq!(prompt.handle_line(line).end, None, "it asks first");
            assert_eq!(prompt.handle_line(yes).end, Some(end.clone()));
        }
        for other in ["", "1", line, "n", "no", "q"] {
            let mut prompt = prompt(&inquiry);
            prompt.handle_line("q");
            prompt.handle_line(line);
            assert_eq!(prompt.handle_line(other).end, None, "{other}");
            assert!(matches!(
                prompt.handle_line("1").end,
                Some(End::Answered(_))
            ));
        }
    }
    let mut prompt = prompt(&inquiry);
    prompt.handle_line("q");
    assert_eq!(prompt.handle_line("").end, None);
    assert!(matches!(
        prompt.handle_line("1").end,
        Some(End::Answered(_))
    ));
}

#[test]
fn several_choices_are_a_list_of_numbers_and_review_comes_last() {
    let question = |text: &str, several: bool| json!({"question": text, "header": text, "options": ["A", "B", "C"], "multiSelect": several});
    let input = json!({"questions": [question("One", true), question("Two", false)]});
    let inquiry = inquiry(Dialect::AskUserQuestion, &input);
    let mut prompt = prompt(&inquiry);
    let answers = sent(&mut prompt, &["1, 3", "2", "1", "2,3", ""]);
    assert_eq!(
        answers,
        json!({"q1": {"values": ["B", "C"]}, "q2": {"values": ["B"]}})
    );
}

/// A number that is typed twice is meant once, and an answer of one's own that is not named again goes.
#[test]
fn line_of_numbers_is_the_whole_answer() {
    let question = |text: &str, several: bool| json!({"question": text, "header": text, "options": ["A", "B", "C"], "multiSelect": several});
    let input = json!({"questions": [question("One", true), question("Two", false)]});
    let inquiry = inquiry(Dialect::AskUserQuestion, &input);
    let answers = sent(&mut prompt(&inquiry), &["1 2 2", "2", ""]);
    assert_eq!(answers["q1"], json!({"values": ["A", "B"]}));
    let answers = sent(&mut prompt(&inquiry), &["1 4", "mine", "2", "1", "2", ""]);
    assert_eq!(answers["q1"], json!({"values": ["B"]}));
    let again = ["1 4", "mine", "2", "1", "4 2", "yours", ""];
    let answers = sent(&mut prompt(&inquiry), &again);
    assert_eq!(answers["q1"], json!({"values": ["B"], "own": "yours"}));
}

#[test]
fn review_says_notes() {
    let question = |text: &str| json!({"question": text, "header": text, "options": ["A", "B"]});
    let input = json!({"questions": [question("One"), question("Two")]});
    let inquiry = inquiry(Dialect::AskUserQuestion, &input);
    let mut prompt = prompt(&inquiry);
    let mut said = String::new();
    for line in ["n", "only for now", "1", "2"] {
        said = prompt.handle_line(line).text;
    }
    assert!(said.contains("1. One: A (note: only for now).\n"), "{said}");
}

/// Only stops that a message has added are left out.
#[test]
fn review_shows_own_text_as_it_was_typed() {
    let question = |text: &str| json!({"question": text, "header": text, "options": ["A", "B"]});
    let input = json!({"questions": [question("One"), question("Two")]});
    let inquiry = inquiry(Dialect::AskUserQuestion, &input);
    let mut prompt = prompt(&inquiry);
    let mut said = String::new();
    for line in ["3", "Really?. And so on..", "2"] {
        said = prompt.handle_line(line).text;
    }
    assert!(
        said.contains("1. One: Really?. And so on.. (own answer).\n"),
        "{said}"
    );
}

/// The review answers `?` with help, and says that it did not understand anything else.
#[test]
fn review_has_help_and_says_what_it_does_not_understand() {
    let question = |text: &str| json!({"question": text, "header": text, "options": ["A", "B"]});
    let input = json!({"questions": [question("One"), question("Two")]});
    let inquiry = inquiry(Dialect::AskUserQuestion, &input);
    let mut prompt = prompt(&inquiry);
    for line in ["1", "2"] {
        prompt.handle_line(line);
    }
    for line in ["?", "/?"] {
        let said = prompt.handle_line(line).text;
        assert!(said.contains("An empty line sends all answers"), "{said}");
    }
    for line in ["maybe", "YES", "3", "/"] {
        let heard = prompt.handle_line(line);
        assert!(heard.text.contains("Not understood"), "{}", heard.text);
        assert_eq!(heard.end, None, "{line}");
    }
    assert!(prompt.handle_line("").end.is_some());
}

/// What was typed is said back as it was read; a day that could be two is asked for again.
#[test]
fn days_are_said_back_with_their_names() {
    let day = |kind: &str| {
        inquiry(
            Dialect::AskUser,
            &json!({"question": "When?", "input_type": kind}),
        )
    };
    let said = prompt(&day("date")).handle_line("3/4/2027").text;
    assert!(
        said.starts_with("Saturday 3 April 2027 or Thursday 4 March 2027? Type it as"),
        "{said}"
    );
    // The date is printed before it is sent, unless it was typed as it is sent.
    let mut one = prompt(&day("date"));
    let said = one.handle_line("next friday").text;
    assert!(
        said.starts_with("Your answer so far: Friday 2 April 2027. An empty line keeps it.\n"),
        "{said}"
    );
    assert_eq!(one.handle_line("3/27/2027").end, None);
    assert_eq!(
        one.handle_line("").text,
        "Chosen: Saturday 27 March 2027. Sent.\n"
    );
    let said = prompt(&day("date")).handle_line("2027-03-27").text;
    assert_eq!(said, "Chosen: Saturday 27 March 2027. Sent.\n");
    let mut range = prompt(&day("date_range"));
    for line in ["tomorrow", "", "30 mar 2027"] {
        assert_eq!(range.handle_line(line).end, None);
    }
    let said = range.handle_line("").text;
    let days = "Saturday 27 March 2027 to Tuesday 30 March 2027";
    assert_eq!(said, format!("Chosen: {days}. Sent.\n"));
}

#[test]
fn numbers_and_days_are_read_as_everywhere() {
    let number = inquiry(
        Dialect::AskUser,
        &json!({"question": "How many?", "input_type": "number",
        "validation": {"min": 1, "max": 9}}),
    );
    let mut line = prompt(&number);
    assert!(line.handle_line("12").text.contains("must be from 1 to 9"));
    assert_eq!(sent(&mut line, &["7"]), json!({"q1": {"number": 7}}));
    let range = inquiry(
        Dialect::AskUser,
        &json!({"question": "When?", "input_type": "date_range"}),
    );
    let answers = sent(&mut prompt(&range), &["tomorrow", "", "30 mar 2027", ""]);
    assert_eq!(
        answers,
        json!({"q1": {"start": "2027-03-27", "end": "2027-03-30"}})
    );
}

fn expiring(inquiry: &Inquiry) -> LinePrompt {
    let mut prompt = prompt(inquiry);
    prompt.set_deadline(Some(Deadline {
        at: jiff::Timestamp::UNIX_EPOCH,
        ends: Duration::from_mins(5),
        total: Duration::from_mins(5),
    }));
    prompt
}

/// A deadline is said once, on a line of its own, and not ticked.
#[test]
fn deadline_is_said_once_and_then_expires() {
    let inquiry = database();
    let mut prompt = expiring(&inquiry);
    let at = Duration::from_secs;
    assert!(!prompt.begin(at(0)).text.contains("closes at"));
    assert_eq!(prompt.next_tick(at(0)), Some(at(240)));
    assert_eq!(prompt.tick(at(100)).text, "");
    let said = prompt.tick(at(240)).text;
    assert!(said.starts_with("\nThis question closes at "), "{said}");
    assert!(
        said.ends_with("keep it open.\nType 1 to 3, or ? for help: "),
        "{said}"
    );
    assert_eq!(prompt.next_tick(at(240)), Some(at(60)));
    assert_eq!(prompt.tick(at(270)).text, "");
    let heard = prompt.tick(at(300));
    assert_eq!((heard.text.as_str(), heard.end), ("\n", Some(End::Expired)));
}

/// Only the server ends a stored question.
#[test]
fn stored_question_is_answered_after_its_deadline_on_this_clock() {
    let inquiry = database();
    let mut prompt = expiring(&inquiry);
    prompt.options.persistence = Persistence::Durable;
    let at = Duration::from_secs;
    prompt.begin(at(290));
    let late = prompt.tick(at(300));
    assert_eq!(late.end, None);
    assert!(
        late.text
            .starts_with("\nTime is up, but the question is open"),
        "{}",
        late.text
    );
    assert_eq!(prompt.next_tick(at(300)), None);
    assert_eq!(prompt.tick(at(301)).text, "");
    let moved = Deadline {
        ends: at(400),
        ..*prompt.deadline().expect("nobody typed")
    };
    prompt.set_deadline(Some(moved));
    assert_eq!(prompt.next_tick(at(301)), Some(at(39)));
    assert!(prompt.tick(at(340)).text.contains("closes at"));
    assert!(matches!(
        prompt.handle_line("2").end,
        Some(End::Answered(_))
    ));
}

#[test]
fn near_deadline_is_said_with_the_question_and_any_line_stops_it() {
    let inquiry = database();
    let mut prompt = expiring(&inquiry);
    let said = prompt.begin(Duration::from_secs(290)).text;
    assert_eq!(said.matches("This question closes at").count(), 1, "{said}");
    prompt.handle_line("");
    assert_eq!(prompt.deadline(), None);
    assert_eq!(prompt.next_tick(Duration::from_secs(291)), None);
    assert_eq!(prompt.tick(Duration::from_secs(400)).end, None);
}

#[test]
fn question_of_the_inbox_is_left_for_the_next_or_the_list() {
    let inquiry = database();
    for (line, then) in [
        ("l", AfterPostpone::NextQuestion),
        ("b", AfterPostpone::List),
    ] {
        let mut prompt = in_inbox(&inquiry);
        assert!(
            prompt
                .handle_line("?")
                .text
                .contains("b goes back to the list")
        );
        assert_eq!(prompt.handle_line(line).end, Some(End::Postponed));
        assert_eq!(prompt.then(), then);
    }
    assert_eq!(prompt(&inquiry).handle_line("l").end, None);
}

/// What was typed or ticked before the lines began is said, and an empty line keeps it.
#[test]
fn draft_goes_on_in_lines() {
    let inquiry = inquiry(
        Dialect::AskUserQuestion,
        &json!({"questions": [
            {"question": "Which extras?", "header": "Extras", "multiSelect": true,
             "options": ["Docker", "Tests", "Docs"]},
            {"question": "Which database?", "header": "Database", "options": ["PostgreSQL", "SQLite"]}]}),
    );
    let locale = Locale::choose(&["en"]);
    let mut draft = Draft::new(&inquiry);
    let typing = locale.typing(date(2027, 3, 26));
    let text = "half of it".to_owned();
    let edits = [
        Edit::Mark { row: Some(0) },
        Edit::Mark { row: Some(2) },
        Edit::NextPage,
        Edit::Open {
            field: DraftField::Own,
        },
        Edit::Write {
            field: DraftField::Own,
            text,
        },
    ];
    for edit in &edits {
        draft = draft.reduce(&inquiry, edit, &typing).draft;
    }
    let mut prompt = resumed(inquiry, draft, locale);
    let said = prompt.begin(Duration::ZERO).text;
    assert!(
        said.contains("Which database?")
            && said.contains("Your answer so far: half of it. An empty line keeps it."),
        "{said}"
    );
    let back = prompt.handle_line("b").text;
    assert!(back.contains("Your answer so far: Docker, Docs."), "{back}");
    assert!(prompt.handle_line("").text.contains("Which database?"));
    assert_eq!(
        sent(&mut prompt, &["", ""]),
        json!({"q1": {"values": ["Docker", "Docs"]}, "q2": {"own": "half of it"}})
    );
}

/// `y` and `n` answer a question of yes or no, as letters and as words; commands have a slash.
#[test]
fn yes_and_no_are_answers() {
    let input = json!({"question": "Deploy now?", "input_type": "confirm", "allow_skip": true});
    let inquiry = inquiry(Dialect::AskUser, &input);
    for (line, value) in [
        ("y", "yes"),
        ("n", "no"),
        ("Yes", "yes"),
        ("no", "no"),
        ("2", "no"),
    ] {
        let answers = sent(&mut prompt(&inquiry), &[line]);
        assert_eq!(answers, json!({"q1": {"values": [value]}}), "{line}");
    }
    let answers = sent(&mut prompt(&inquiry), &["/n", "because", "n"]);
    assert_eq!(
        answers,
        json!({"q1": {"values": ["no"], "note": "because"}})
    );
    let answers = sent(&mut prompt(&inquiry), &["/s"]);
    assert_eq!(answers, json!({"q1": {"skipped": true}}));
    for line in ["s", "b", "q", "yy", "nay"] {
        assert_eq!(prompt(&inquiry).handle_line(line).end, None, "{line}");
    }
    let begin = prompt(&inquiry).begin(std::time::Duration::ZERO).text;
    assert!(begin.contains("Type y or n, 1 to 2"), "{begin}");
}

/// An empty line gives no question away.
#[test]
fn empty_line_skips_nothing() {
    let input = json!({"question": "Name?", "allow_skip": true});
    let inquiry = inquiry(Dialect::AskUser, &input);
    let mut prompt = prompt(&inquiry);
    let heard = prompt.handle_line("");
    assert_eq!(heard.end, None);
    assert!(
        heard.text.contains("/s skips this question"),
        "{}",
        heard.text
    );
    assert_eq!(sent(&mut prompt, &["/s"]), json!({"q1": {"skipped": true}}));
}

/// Several lines that come at once answer nothing; a text keeps them until they are confirmed.
#[test]
fn pasted_lines_answer_nothing() {
    let lines = ["1".to_owned(), "2".to_owned()];
    let listed = database();
    let mut list = prompt(&listed);
    let heard = list.pasted(&lines);
    assert_eq!(heard.end, None);
    assert!(heard.text.contains("were ignored"), "{}", heard.text);
    assert!(list.draft().entries[0].picked.is_empty());
    let input = json!({"question": "Name?"});
    let inquiry = inquiry(Dialect::AskUser, &input);
    let mut text = prompt(&inquiry);
    let heard = text.pasted(&lines);
    assert_eq!(heard.end, None);
    assert!(
        heard.text.contains("Your answer so far: 1 2"),
        "{}",
        heard.text
    );
    assert_eq!(sent(&mut text, &[""]), json!({"q1": {"text": "1\n2"}}));
}

/// A line that ends before the question can have been read is not taken, nor is enter that is
/// held down, however long.
#[test]
fn lines_are_not_taken_too_soon() {
    use super::line_guard::LineGuard;
    let ms = std::time::Duration::from_millis;
    let mut guard = LineGuard::new(ms(350), ms(0));
    assert!(!guard.takes("1", ms(300)));
    assert!(guard.takes("1", ms(400)));
    guard.close(ms(400));
    assert!(!guard.takes("", ms(900)), "the first repetition comes late");
    for at in 0..100 {
        assert!(!guard.takes("", ms(933 + 33 * at)), "{at}");
    }
    assert!(guard.takes("", ms(10_000)));
}

/// A note of an earlier draft is said before it is sent.
#[test]
fn note_is_said_with_the_question() {
    let inquiry = database();
    let mut prompt = prompt(&inquiry);
    prompt.handle_line("n");
    let heard = prompt.handle_line("for tests");
    assert!(heard.text.contains("Note: for tests."), "{}", heard.text);
}

/// The help names the commands that do something, and the range of a number is said.
#[test]
fn help_names_what_works() {
    let listed = database();
    let help = prompt(&listed).handle_line("?").text;
    assert!(
        help.contains("n adds a note.\nq leaves the question."),
        "{help}"
    );
    assert!(
        !help.contains("skips") && !help.contains("goes back"),
        "{help}"
    );
    let input = json!({"question": "How many?", "input_type": "number", "allow_skip": true,
        "validation": {"min": 1, "max": 9}});
    let number = inquiry(Dialect::AskUser, &input);
    let mut line = prompt(&number);
    let said = line.begin(Duration::ZERO).text;
    assert!(
        said.contains("How many?\nA number from 1 to 9.\n"),
        "{said}"
    );
    let help = line.handle_line("?").text;
    assert!(
        help.contains("/s skips this question.\n/n adds a note."),
        "{help}"
    );
    let back = line.handle_line("/b");
    assert_eq!((back.end, back.text), (None, help));
    let inbox = in_inbox(&number).handle_line("?").text;
    assert!(inbox.contains("/b goes back to the list."), "{inbox}");
}

/// A label, in any case, chooses; other words are the own answer where one is allowed. A single
/// character and a number that is not in the list are neither.
#[test]
fn labels_and_own_answers_are_typed() {
    let own = database();
    for line in ["MongoDB", "mongodb"] {
        assert_eq!(
            sent(&mut prompt(&own), &[line]),
            json!({"q1": {"values": ["MongoDB"]}})
        );
    }
    assert_eq!(
        sent(&mut prompt(&own), &["postgresql"]),
        json!({"q1": {"values": ["PostgreSQL (Recommended)"]}})
    );
    assert_eq!(
        sent(&mut prompt(&own), &["none of them"]),
        json!({"q1": {"own": "none of them"}})
    );
    for line in ["x", "7", "1.5"] {
        assert_eq!(prompt(&own).handle_line(line).end, None, "{line}");
    }
    let listed = json!({"question": "Which?", "input_type": "multi_select",
                        "options": ["unit", "browser", "load test"]});
    let listed = inquiry(Dialect::AskUser, &listed);
    assert_eq!(
        sent(&mut prompt(&listed), &["Load Test, unit"]),
        json!({"q1": {"values": ["unit", "load test"]}})
    );
    let refused = prompt(&listed).handle_line("something else");
    assert_eq!(refused.end, None);
    assert!(refused.text.contains("Nothing was chosen"));
}

/// A stored question is said to be sent once the server has accepted the answer.
#[test]
fn stored_answer_is_not_said_to_be_sent_before_it_is() {
    let mut stored = prompt(&database());
    stored.options.persistence = Persistence::Durable;
    let output = stored.handle_line("2");
    assert_eq!(output.text, "Chosen: MongoDB. ");
    let end = output.end.expect("an answer");
    let said = |accepted| stored.after_sending(&end, accepted);
    assert_eq!(said(Some(AnsweredFrom::Here)), "Sent.\n");
    assert_eq!(said(Some(AnsweredFrom::Elsewhere)), "\n");
    assert_eq!(said(None), "\n");

    let output = prompt(&database()).handle_line("2");
    assert_eq!(output.text, "Chosen: MongoDB. Sent.\n");
}

/// The own answer has one name, in lines and in frames.
#[test]
fn own_answer_has_one_name() {
    for tag in Locale::tags() {
        let locale = Locale::choose(&[tag]);
        let inquiry = database();
        let mut lines = LinePrompt::new(inquiry, PromptOptions::new(locale, date(2027, 3, 26)));
        let said = lines.begin(Duration::ZERO).text;
        let row = said.lines().find(|line| line.contains("3. "));
        let name = locale.text("other", &[]);
        assert!(row.is_some_and(|row| row.contains(&name)), "{tag}: {said}");
    }
}

/// A number that was typed before is shown as the language writes it.
#[test]
fn number_so_far_is_shown_in_the_language() {
    let asked = inquiry(
        Dialect::AskUser,
        &json!({"question": "How much?", "input_type": "number"}),
    );
    let locale = Locale::choose(&["de"]);
    let typed = Edit::Write {
        field: DraftField::Answer,
        text: "1500.5".to_owned(),
    };
    let parser = locale.typing(date(2027, 3, 26));
    let draft = Draft::new(&asked).reduce(&asked, &typed, &parser).draft;
    let mut lines = resumed(asked, draft, locale);
    let said = lines.begin(Duration::ZERO).text;
    assert!(said.contains("1500,5"), "{said}");
}

/// The table that every surface replays. A day that was typed in words is printed in full, and an empty line confirms it.
#[test]
fn typed_lines_answer_as_on_every_surface() {
    for case in typed_answers() {
        // A line has no second one.
        if case.typed.contains('\n') {
            continue;
        }
        let mut prompt = LinePrompt::new(case.inquiry, PromptOptions::new(case.locale, TODAY));
        let end = prompt.handle_line(&case.typed).end;
        let end = end.or_else(|| prompt.handle_line("").end);
        let expected = case.expected.ok().map(End::Answered);
        assert_eq!(end, expected, "{}", case.name);
    }
}

/// Whoever types a number that could mean two choices is told what to type instead.
#[test]
fn ambiguous_number_is_refused_with_the_lines_that_are_clear() {
    let inquiry = inquiry(
        Dialect::AskUser,
        &json!({"question": "How long?", "input_type": "select", "options": ["2 hours", "4 hours"]}),
    );
    let mut prompt = prompt(&inquiry);
    let refused = prompt.handle_line("2");
    assert_eq!(refused.end, None);
    let wanted = "type the number and the label: 1. 2 hours / 2. 4 hours\n";
    assert!(refused.text.contains(wanted), "{}", refused.text);
    let answers = sent(&mut prompt, &["2. 4 hours"]);
    assert_eq!(answers, json!({"q1": {"values": ["4 hours"]}}));
}

/// Every line that is printed for a choice is that choice, and the one for own text asks for it.
#[test]
fn printed_line_is_what_it_shows() {
    for tag in ["en", "de", "fr", "ja", "ar", "zh-CN"] {
        let inquiry = inquiry(
            Dialect::AskUserQuestion,
            &json!({"questions": [{"question": "Which?", "header": "Which", "options": [
                {"label": "Unit (Recommended)", "description": "Fast, every time"},
                {"label": "End to end, slow", "description": "At night"}]}]}),
        );
        let locale = Locale::choose(&[tag]);
        let new = || {
            LinePrompt::new(
                inquiry.clone(),
                PromptOptions::new(locale, date(2027, 3, 26)),
            )
        };
        let page = new().begin(Duration::ZERO).text;
        for (number, value) in [("1. ", "Unit (Recommended)"), ("2. ", "End to end, slow")] {
            let line = page.lines().find(|line| line.starts_with(number));
            let line = line.expect("the choice is printed");
            let answers = sent(&mut new(), &[line]);
            assert_eq!(answers, json!({"q1": {"values": [value]}}), "{tag}: {line}");
        }
        let line = page.lines().find(|line| line.starts_with("3. "));
        let line = line.expect("own text is printed");
        let answers = sent(&mut new(), &[line, "by hand"]);
        assert_eq!(answers, json!({"q1": {"own": "by hand"}}), "{tag}: {line}");
    }
}

#[test]
fn range_of_days_on_one_line_is_printed_in_full_and_confirmed() {
    let range = inquiry(
        Dialect::AskUser,
        &json!({"question": "When?", "input_type": "date_range"}),
    );
    let mut line = prompt(&range);
    let read = line.handle_line("27 mar to 3 apr");
    let days = "Saturday 27 March 2027 to Saturday 3 April 2027";
    assert!(read.text.contains(days), "{}", read.text);
    assert_eq!(read.end, None);
    let answers = sent(&mut line, &[""]);
    assert_eq!(
        answers,
        json!({"q1": {"start": "2027-03-27", "end": "2027-04-03"}})
    );
}
