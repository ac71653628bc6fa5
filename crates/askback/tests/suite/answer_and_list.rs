//! `askback answer` and `askback list`: shortened ids, choices by label, partial answers.

use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use serde_json::{Value, json};

use super::support::pty::Pty;
use super::support::run_binary::{Run, askback};
use super::support::server_process::{Directory, Server, TOKEN};

async fn asked(server: &Server, input: Value) -> String {
    let params = NewInquiryParams {
        input,
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&params).await.expect("it is asked");
    asked.id.to_string()
}

fn two() -> Value {
    json!({"questions": [
        {"question": "Which database?", "header": "Database", "options": ["PostgreSQL", "SQLite"]},
        {"question": "Which region?", "header": "Region", "options": ["eu", "us"]}]})
}

fn run(server: &Server, command: &str, args: &[&str]) -> Run {
    let mut all = vec![command];
    all.extend(args);
    all.extend(["--url", server.address.as_str(), "--token", TOKEN]);
    askback(&all, "")
}

fn server(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "Hello"}]}))
}

/// Two questions need two answers, unless --partial is given.
#[tokio::test]
async fn unanswered_question_needs_partial() {
    let directory = Directory::new();
    let server = server(&directory);
    let id = asked(&server, two()).await;
    let refused = run(&server, "answer", &[&id, "--choose", "SQLite"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(
        refused
            .err
            .contains("1 of 2 questions would stay unanswered")
            && refused.err.contains("- q2: Which region?")
            && refused.err.contains("--partial"),
        "{}",
        refused.err
    );
    let known = askback_core::id::InquiryId::new(id.as_str());
    let known = server.client.inquiry(&known).await.expect("it is there");
    assert!(!known.status.is_resolved());
    let both = [id.as_str(), "--choose", "sqlite", "--choose", "EU"];
    let answered = run(&server, "answer", &both);
    assert_eq!(answered.code, Some(0), "{}", answered.err);
    assert!(answered.out.contains("SQLite") && answered.out.contains("\"eu\""));
    let id = asked(&server, two()).await;
    let partial = run(&server, "answer", &[&id, "--choose", "SQLite", "--partial"]);
    assert_eq!(partial.code, Some(0), "{}", partial.err);
    server.kill();
}

/// --choose with an unknown choice is refused and never becomes own text, even where own text is
/// allowed and there are several questions.
#[tokio::test]
async fn misspelt_choice_is_refused() {
    let directory = Directory::new();
    let server = server(&directory);
    let id = asked(&server, two()).await;
    for wrong in [["SQLite", "SQLite"], ["Sqlit", "eu"], ["eu", "us"]] {
        let args = [id.as_str(), "--choose", wrong[0], "--choose", wrong[1]];
        let refused = run(&server, "answer", &args);
        assert_eq!(
            (refused.code, refused.out.as_str()),
            (Some(2), ""),
            "{wrong:?}"
        );
    }
    let partial = [id.as_str(), "--choose", "us", "--partial"];
    assert_eq!(run(&server, "answer", &partial).code, Some(2));
    let own = [id.as_str(), "--choose", "SQLite", "--text", "the moon"];
    let answered = run(&server, "answer", &own);
    assert_eq!(answered.code, Some(0), "{}", answered.err);
    assert!(answered.out.contains("the moon"));
    // It has its outcome: that is what is said, and not that an answer is missing.
    let late = run(&server, "answer", &[&id, "--choose", "SQLite"]);
    assert!(late.err.contains("not waiting"), "{}", late.err);
    server.kill();
}

/// A label in another case is accepted if only one matches, and refused if two do.
#[tokio::test]
async fn label_case_is_ignored_if_unambiguous() {
    let directory = Directory::new();
    let server = server(&directory);
    let input = json!({"question": "Which?", "options": ["Go", "GO", "Rust"]});
    let id = asked(&server, input).await;
    let refused = run(&server, "answer", &[&id, "--choose", "go"]);
    assert_eq!(refused.code, Some(2), "{}", refused.out);
    let answered = run(&server, "answer", &[&id, "--choose", "rust"]);
    assert_eq!(answered.code, Some(0), "{}", answered.err);
    assert!(answered.out.contains("Rust"));
    server.kill();
}

/// With several questions, the order of --choose and --text together says which answer is for which.
#[tokio::test]
async fn texts_and_choices_keep_their_order() {
    let directory = Directory::new();
    let server = server(&directory);
    let input = json!({"questions": [
        {"question": "Delete staging?", "header": "Staging", "options": ["Yes", "No"]},
        {"question": "Delete production?", "header": "Production", "options": ["Yes", "No"]}]});
    let cases: [(&[&str], [&str; 2]); 3] = [
        (
            &["--text", "the logs", "--choose", "No"],
            ["the logs", "No"],
        ),
        (
            &["--choose", "No", "--text", "the logs"],
            ["No", "the logs"],
        ),
        (
            &["--text", "the logs", "--text", "all"],
            ["the logs", "all"],
        ),
    ];
    for (flags, [staging, production]) in cases {
        let id = asked(&server, input.clone()).await;
        let mut args = vec![id.as_str()];
        args.extend(flags);
        let answered = run(&server, "answer", &args);
        assert_eq!(answered.code, Some(0), "{flags:?}: {}", answered.err);
        let inquiry: Value = serde_json::from_str(&answered.out).expect("an inquiry");
        let content = inquiry["result"]["content"].as_str().expect("a result");
        let result: Value = serde_json::from_str(content).expect("answers by question");
        let expected = json!({"Delete staging?": staging, "Delete production?": production});
        assert_eq!(result["answers"], expected, "{flags:?}");
    }
    server.kill();
}

/// A question with one answer does not take a choice and a text, of which one would be dropped.
#[tokio::test]
async fn choice_and_text_for_one_answer_are_refused() {
    let directory = Directory::new();
    let server = server(&directory);
    let input = json!({"questions": [
        {"question": "Which database?", "header": "Database", "options": ["PostgreSQL", "SQLite"]}]});
    let id = asked(&server, input).await;
    for flags in [
        ["--choose", "SQLite", "--text", "foo"],
        ["--text", "foo", "--text", "bar"],
    ] {
        let mut args = vec![id.as_str()];
        args.extend(flags);
        let refused = run(&server, "answer", &args);
        assert_eq!(refused.code, Some(2), "{flags:?}: {}", refused.out);
        assert!(refused.err.contains("one answer"), "{}", refused.err);
    }
    let answered = run(&server, "answer", &[&id, "--choose", "SQLite"]);
    assert_eq!(answered.code, Some(0), "{}", answered.err);
    server.kill();
}

/// The beginning of an id is enough if it is long enough and unique.
#[tokio::test]
async fn id_can_be_shortened() {
    let directory = Directory::new();
    let server = server(&directory);
    let input = json!({"question": "Deploy?", "options": ["Yes", "No"]});
    let id = asked(&server, input.clone()).await;
    let short = run(&server, "answer", &[&id[..9], "--choose", "Yes"]);
    assert_eq!(short.code, Some(2));
    assert!(short.err.contains("too short"), "{}", short.err);
    let unknown = run(&server, "answer", &["inq_0000000000aa", "--choose", "Yes"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown
            .err
            .contains("No question has the id inq_0000000000aa."),
        "{}",
        unknown.err
    );
    let answered = run(&server, "answer", &[&id[..24], "--choose", "No"]);
    assert_eq!(answered.code, Some(0), "{}", answered.err);
    assert!(answered.out.contains(&id));
    server.kill();
}

#[tokio::test]
async fn unknown_status_is_refused() {
    let directory = Directory::new();
    let server = server(&directory);
    let refused = run(&server, "list", &["--status", "bogus"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("pending"), "{}", refused.err);
    let listed = run(&server, "list", &["--status", "answered"]);
    assert_eq!(listed.code, Some(0), "{}", listed.err);
    server.kill();
}

/// The list says who asks, and on which project an agent works.
#[tokio::test]
async fn list_names_the_asker() {
    let directory = Directory::new();
    let server = server(&directory);
    let params = NewInquiryParams {
        input: json!({"question": "Deploy?", "options": ["Yes", "No"]}),
        source: Some("Claude Code in webshop".to_owned()),
        ..NewInquiryParams::default()
    };
    server.client.ask(&params).await.expect("it is asked");
    let listed = run(&server, "list", &[]);
    assert!(
        listed
            .out
            .contains("  Claude Code in webshop: Deploy? [Yes / No]\n"),
        "{}",
        listed.out
    );
    server.kill();
}

/// A line of the list shows the age and the choices of a question.
#[tokio::test]
async fn list_shows_age_and_choices() {
    let directory = Directory::new();
    let server = server(&directory);
    let input = json!({"questions": [
        {"question": "Which database?", "options": ["PostgreSQL", "SQLite"]}]});
    asked(&server, input).await;
    asked(&server, two()).await;
    let listed = run(&server, "list", &[]);
    let lines: Vec<Vec<&str>> = listed
        .out
        .lines()
        .map(|line| line.split("  ").collect())
        .collect();
    for line in &lines {
        let [_, "pending", age, _] = line.as_slice() else {
            panic!("{}", listed.out);
        };
        assert!(age.ends_with(['s', 'm']), "{age}");
    }
    let asked: Vec<&str> = lines.iter().map(|line| line[3]).collect();
    assert!(asked.contains(&"Which database? [PostgreSQL / SQLite]"));
    assert!(asked.contains(&"Which database? (and 1 more)"));
    server.kill();
}

/// What an agent does until it has the answer stands in the list: who reads it may want to hurry.
#[tokio::test]
async fn list_shows_what_is_assumed() {
    let directory = Directory::new();
    let server = server(&directory);
    let params = NewInquiryParams {
        input: json!({"questions": [{"question": "Which database?", "options": ["A", "B"]}]}),
        assumption: Some("I go on with A.".to_owned()),
        ..NewInquiryParams::default()
    };
    server.client.ask(&params).await.unwrap();
    let listed = run(&server, "list", &[]);
    let end = "Which database? [A / B] (meanwhile: I go on with A.)\n";
    assert!(listed.out.ends_with(end), "{}", listed.out);
    server.kill();
}

/// `askback answer` says which answer each of several questions got.
#[tokio::test]
async fn answer_shows_what_was_sent() {
    let directory = Directory::new();
    let server = server(&directory);
    let id = asked(&server, two()).await;
    let both = [id.as_str(), "--choose", "sqlite", "--choose", "EU"];
    let answered = run(&server, "answer", &both);
    assert!(
        answered.err.contains("Database: SQLite") && answered.err.contains("Region: eu"),
        "{}",
        answered.err
    );
    server.kill();
}

const VARS: [(&str, &str); 2] = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];

/// The command that `ask --durable` prints works as it is printed: it shows the question.
#[tokio::test]
async fn printed_answer_command_shows_the_question() {
    let directory = Directory::new();
    let server = server(&directory);
    let ask = ["Deploy now?", "Yes", "No", "--durable"];
    let printed = run(&server, "ask", &ask);
    assert_eq!(printed.code, Some(3), "{}", printed.err);
    let command = printed
        .err
        .lines()
        .find_map(|line| line.split_once("askback answer "));
    let (_, args) = command.expect("the command is printed");
    // Two spaces separate the command from what follows.
    let args = args.split("  ").next().unwrap_or_default();
    let args: Vec<&str> = args.split_whitespace().collect();
    let args = [&["answer"], args.as_slice()].concat();
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows("Deploy now?");
    pty.send("2");
    assert_eq!(pty.ends(), 0);
    pty.shows("Deploy now: No");
    let known = askback_core::id::InquiryId::new(args[1]);
    let known = server.client.inquiry(&known).await.expect("it is there");
    assert_eq!(known.status, InquiryStatus::Answered);
    // Once more: refused, with who was first.
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    assert_eq!(pty.ends(), 2);
    pty.shows("It was answered in the terminal");
    server.kill();
}

/// If somebody else answers while the question is shown, the prompt says so, and nothing was
/// answered here.
#[tokio::test]
async fn shown_question_can_be_answered_elsewhere() {
    let directory = Directory::new();
    let server = server(&directory);
    let input = json!({"questions": [
        {"question": "Which database?", "options": ["PostgreSQL", "SQLite"]}]});
    let id = asked(&server, input).await;
    let mut pty = Pty::with(&["answer", &id, "--url", &server.address], &VARS, (80, 24));
    pty.shows("Which database?");
    let other = run(&server, "answer", &[&id, "--choose", "SQLite"]);
    assert_eq!(other.code, Some(0), "{}", other.err);
    assert_eq!(pty.ends(), 2);
    pty.shows("Which database: SQLite");
    server.kill();
}

/// At a terminal, the answers to several questions are shown with their questions before anything is
/// sent; only a yes sends them. A lone question is answered at once.
#[tokio::test]
async fn several_answers_are_shown_and_confirmed() {
    let directory = Directory::new();
    let server = server(&directory);
    let id = asked(&server, two()).await;
    let at_terminal = |id: &str, more: &[&str]| {
        let mut args = vec!["answer", id, "--url", server.address.as_str()];
        args.extend(more);
        Pty::with(&args, &[("ASKBACK_TOKEN", TOKEN)], (80, 24))
    };
    let both = ["--choose", "sqlite", "--text", "the moon"];
    let mut pty = at_terminal(&id, &both);
    pty.shows("✔ Database: SQLite");
    pty.shows("✔ Region: the moon (own answer)");
    pty.shows("Send these answers? y/n:");
    pty.send("n\n");
    assert_eq!(pty.ends(), 2);
    pty.shows("Nothing was sent.");
    let known = askback_core::id::InquiryId::new(id.as_str());
    let read = || server.client.inquiry(&known);
    assert_eq!(
        read().await.expect("it is there").status,
        InquiryStatus::Pending
    );
    let mut pty = at_terminal(&id, &both);
    pty.shows("y/n:");
    pty.send("y\n");
    assert_eq!(pty.ends(), 0);
    assert_eq!(
        read().await.expect("it is there").status,
        InquiryStatus::Answered
    );
    let other = asked(&server, two()).await;
    let mut pty = at_terminal(&other, &["--choose", "SQLite", "--choose", "eu", "--yes"]);
    assert_eq!(pty.ends(), 0, "{}", pty.log());
    let lone = asked(
        &server,
        json!({"question": "Which?", "options": ["A", "B"]}),
    )
    .await;
    let mut pty = at_terminal(&lone, &["--choose", "A"]);
    assert_eq!(pty.ends(), 0, "{}", pty.log());
    server.kill();
}

/// An answer in its undo window is no pending question, and an answered one says its answer.
#[tokio::test]
async fn list_shows_answers_and_undo() {
    let directory = Directory::new();
    let server = server(&directory);
    let id = asked(&server, two()).await;
    let known = askback_core::id::InquiryId::new(id.as_str());
    let params = askback_wire::respond::AnswerParams {
        answers: json!({"q1": "SQLite", "q2": "eu"}),
        undo_seconds: Some(60),
        ..Default::default()
    };
    server.client.answer(&known, &params).await.expect("held");
    let listed = run(&server, "list", &[]).out;
    assert!(
        listed.contains("  answered, can be undone for "),
        "{listed}"
    );
    assert!(listed.contains(" s  "), "{listed}");
    let any = askback_wire::inquiry::CommitAnswerParams::default();
    server
        .client
        .commit_answer(&known, &any)
        .await
        .expect("committed");
    let listed = run(&server, "list", &["--status", "answered"]).out;
    let line = "Which database? = SQLite; eu  (over HTTP)\n";
    assert!(
        listed.contains("  answered  ") && listed.ends_with(line),
        "{listed}"
    );
    // By words of the question and the answer, but not by choices that nobody chose.
    let found = |words: &str| {
        run(
            &server,
            "list",
            &["--status", "answered", "--search", words],
        )
    };
    assert_eq!(found("sqlite DATABASE").out, listed);
    let nothing = found("sqlite PostgreSQL");
    assert_eq!(nothing.out, "");
    assert_eq!(nothing.err, "No questions with these words are answered.\n");
    server.kill();
}

/// The flags have the names of the menus, and skipping needs no JSON.
#[tokio::test]
async fn refusals_have_their_names_as_flags() {
    let directory = Directory::new();
    let server = server(&directory);
    let optional = json!({"question": "Which?", "options": ["A", "B"], "allow_skip": true});
    let required = json!({"question": "Which?", "options": ["A", "B"]});
    let id = asked(&server, required.clone()).await;
    let refused = run(&server, "answer", &[&id, "--skip"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("cannot be skipped"), "{}", refused.err);
    for (flag, input, status) in [
        ("--skip", optional, "\"skipped\""),
        (
            "--let-agent-decide",
            required.clone(),
            "\"status\":\"declined\"",
        ),
        ("--stop-agent", required, "\"status\":\"cancelled\""),
    ] {
        let id = asked(&server, input).await;
        let done = run(&server, "answer", &[&id, flag]);
        assert_eq!(done.code, Some(0), "{flag}: {}", done.err);
        assert!(done.out.contains(status), "{flag}: {}", done.out);
    }
    server.kill();
}

/// Dates are understood as on every other surface, and a text that is none is refused with an example.
#[tokio::test]
async fn date_in_words_is_understood() {
    let directory = Directory::new();
    let server = server(&directory);
    let when = json!({"question": "When?", "input_type": "date"});
    let params = || NewInquiryParams {
        dialect: Some("ask_user".to_owned()),
        input: when.clone(),
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&params()).await.expect("it is asked");
    let id = asked.id.to_string();
    let refused = run(&server, "answer", &[&id, "--text", "someday"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(
        refused.err.contains("Nothing was sent") && refused.err.contains("tomorrow"),
        "{}",
        refused.err
    );
    let answered = run(&server, "answer", &[&id, "--text", "27 march 2031"]);
    assert_eq!(answered.code, Some(0), "{}", answered.err);
    assert!(answered.out.contains("\"2031-03-27\""), "{}", answered.out);
    server.kill();
}
