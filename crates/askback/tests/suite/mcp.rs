//! What agents get over MCP, in both protocol eras, however the user answers.

use askback_core::id::InquiryId;
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::support::mcp_client::{Agent, Era, answer, data, only_open, question, server_of};
use super::support::server_process::{Directory, Server};

const ERAS: [Era; 2] = [Era::Old, Era::New];

fn text(result: &Value) -> &str {
    result["content"][0]["text"]
        .as_str()
        .expect("there is text")
}

#[tokio::test]
async fn answer_arrives_as_text_and_structured_content() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &[]);
        let call = agent.begin("ask_user_question", &question("Which database?"));
        let client = server_of(&directory).await;
        let id = only_open(&client).await;
        answer(
            &directory,
            &id,
            &["--choose", "SQLite", "--note", "for now"],
        );
        let result = agent.result(call);
        let answers: Value = serde_json::from_str(text(&result)).expect("the dialect's JSON");
        assert_eq!(
            answers,
            json!({
                "answers": {"Which database?": "SQLite"},
                "notes": {"Which database?": "for now"},
            })
        );
        assert_eq!(
            result["structuredContent"],
            json!({
                "status": "answered",
                "question_id": id,
                "questions": ["Which database?"],
                "answers": {"Which database?": "SQLite"},
                "given_by": "the user, through askback",
                "notes": {"Which database?": "for now"},
            })
        );
        let remark = result["content"][1]["text"]
            .as_str()
            .expect("there is text");
        assert!(
            remark.starts_with("\nThis is the user's own reply"),
            "{remark}"
        );
        assert_eq!(result["isError"], false);
        assert_eq!(
            result["resultType"] == "complete",
            era == Era::New,
            "{result}"
        );
        assert_eq!(agent.leave(), Some(0));
    }
}

/// From the command line, over HTTP as the web page does, and by an agent of either era: one result.
#[tokio::test]
async fn result_is_the_same_from_every_surface() {
    let directory = Directory::new();
    let mut results = Vec::new();
    for (round, era) in ERAS.into_iter().cycle().take(4).enumerate() {
        let mut agent = Agent::start(&directory, era, &[]);
        let call = agent.begin("ask_user_question", &question("Which database?"));
        let client = server_of(&directory).await;
        let id = only_open(&client).await;
        if round < 2 {
            answer(&directory, &id, &["--choose", "SQLite"]);
        } else {
            let params = AnswerParams {
                answers: json!({"q1": "SQLite"}),
                ..AnswerParams::default()
            };
            let id = InquiryId::new(id);
            client.answer(&id, &params).await.expect("it is taken");
        }
        let mut result = agent.result(call);
        result["structuredContent"]["question_id"] = json!("-");
        result["resultType"] = Value::Null;
        results.push(result);
        // An agent that is killed may be told again; one that leaves was told.
        assert_eq!(agent.leave(), Some(0));
    }
    assert!(
        results.windows(2).all(|pair| pair[0] == pair[1]),
        "{results:#?}"
    );
}

#[tokio::test]
async fn decline_is_no_answer_and_cancel_stops_the_agent() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &[]);
        let client = server_of(&directory).await;

        let call = agent.begin("ask_user_question", &question("Which database?"));
        answer(&directory, &only_open(&client).await, &["--decline"]);
        let declined = agent.result(call);
        assert_eq!(declined["structuredContent"]["status"], "declined");
        assert_eq!(declined["structuredContent"]["answers"], Value::Null);
        assert_eq!(declined["isError"], false);
        assert!(text(&declined).contains("declined to answer"), "{declined}");

        let call = agent.begin("ask_user_question", &question("Which database?"));
        answer(&directory, &only_open(&client).await, &["--cancel"]);
        let cancelled = agent.result(call);
        assert_eq!(cancelled["structuredContent"]["status"], "cancelled");
        assert_eq!(cancelled["isError"], true);
        assert!(
            text(&cancelled).starts_with("User cancelled the question"),
            "{cancelled}"
        );
    }
}

#[tokio::test]
async fn question_stays_open_after_the_hold_window() {
    let directory = Directory::new();
    let mut agent = Agent::start(&directory, Era::Old, &["--hold", "300ms"]);
    let pending = agent.call("ask_user_question", &question("Which database?"));
    let fields = &pending["structuredContent"];
    assert_eq!(
        (&fields["status"], &pending["isError"]),
        (&json!("pending"), &json!(false))
    );
    let said: Value = serde_json::from_str(text(&pending)).expect("text is the same JSON");
    assert_eq!(said, *fields);
    assert!(
        fields["hint"]
            .as_str()
            .is_some_and(|hint| hint.contains("wait_for_answer"))
    );
    let client = server_of(&directory).await;
    let id = only_open(&client).await;
    assert_eq!(fields["question_id"], id.as_str());

    let wait = json!({"question_id": id});
    let hints: Vec<bool> = (0..3)
        .map(|_| {
            let again = agent.call("wait_for_answer", &wait);
            let hint = again["structuredContent"]["hint"].as_str();
            hint.is_some_and(|hint| hint.contains("end your turn"))
        })
        .collect();
    assert_eq!(hints, [false, false, true]);

    answer(&directory, &id, &["--choose", "SQLite"]);
    let answered = agent.call("wait_for_answer", &json!({}));
    // It is no longer open, so that it comes as a late answer.
    let late = &answered["structuredContent"]["late_answers"][0];
    assert_eq!(
        (&late["status"], &late["question_id"]),
        (&json!("answered"), &json!(id))
    );
}

#[tokio::test]
async fn progress_is_sent_on_request_and_increases() {
    let directory = Directory::new();
    let mut agent = Agent::start(&directory, Era::New, &["--hold", "11s"]);
    let call = agent.request(
        "tools/call",
        json!({
            "name": "ask_user_question",
            "arguments": question("Which database?"),
            "_meta": {"progressToken": "p1"},
        }),
    );
    let mut seen = Vec::new();
    loop {
        let message = agent.message();
        if message["id"] == call {
            break;
        }
        assert_eq!(message["params"]["progressToken"], "p1", "{message}");
        let seconds = message["params"]["progress"].as_f64().expect("a number");
        // Clients show both to the person in front of them.
        assert!(seconds.fract().abs() < f64::EPSILON, "{message}");
        let expected = format!(
            "Waiting for you: Which database? Answer in `askback inbox` or the browser ({seconds} s)"
        );
        assert_eq!(message["params"]["message"], expected);
        seen.push(seconds);
    }
    assert!(
        seen.len() >= 2 && seen.windows(2).all(|pair| pair[0] < pair[1]),
        "{seen:?}"
    );
}

#[tokio::test]
async fn invalid_input_is_a_result_and_an_unknown_tool_an_error() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &[]);
        let refused = agent.call("ask_user_question", &json!({"questions": []}));
        assert_eq!(refused["isError"], true);
        assert_eq!(refused["structuredContent"]["status"], "invalid_input");
        assert!(
            text(&refused).contains("Call ask_user_question again with"),
            "{refused}"
        );
        let unknown = agent.begin("ask_user", &json!({"question": "Well?"}));
        assert_eq!(agent.response(unknown)["error"]["code"], -32602);
        let missing = agent.call("wait_for_answer", &json!({"question_id": "inq_nothing"}));
        assert_eq!(missing["structuredContent"]["status"], "not_found");
    }
}

/// In this dialect the answer is the next user message, which a tool cannot send: the text has it.
#[tokio::test]
async fn every_dialect_puts_the_answer_in_its_text() {
    let directory = Directory::new();
    let tools = "AskUserQuestion,question,ask_user";
    let mut agent = Agent::start(&directory, Era::Old, &["--tools", tools]);
    let client = server_of(&directory).await;
    let options = json!([
        {"label": "Blue", "description": "Calm"},
        {"label": "Red", "description": "Loud"},
    ]);
    let calls = [
        (
            "AskUserQuestion",
            json!({"questions": [{"question": "Colour?", "header": "Colour", "multiSelect": false,
                                  "options": options}]}),
        ),
        (
            "question",
            json!({"question": "Colour?", "options": options}),
        ),
        (
            "ask_user",
            json!({"question": "Colour?", "input_type": "select", "options": options}),
        ),
    ];
    for (tool, input) in calls {
        let call = agent.begin(tool, &input);
        answer(&directory, &only_open(&client).await, &["--choose", "Red"]);
        let result = agent.result(call);
        assert!(text(&result).contains("Red"), "{tool}: {result}");
        assert_eq!(
            result["structuredContent"]["answers"]["Colour?"], "Red",
            "{result}"
        );
    }
}

/// The description says how many questions a session may ask; the same one again counts once.
#[tokio::test]
async fn ask_user_takes_ten_questions_in_one_session() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let args = ["--tools", "ask_user", "--hold", "100ms"];
    let mut agent = Agent::start(&directory, Era::New, &args);
    let mut ask = |number: usize| {
        let input = json!({"question": format!("Number {number}?")});
        agent.call("ask_user", &input)["structuredContent"]["status"].clone()
    };
    assert_eq!(ask(0), "pending");
    for number in 0..10 {
        assert_eq!(ask(number), "pending", "{number}");
    }
    assert_eq!(ask(10), "limit_reached");
    let mut other = Agent::start(&directory, Era::New, &args);
    let asked = other.call("ask_user", &json!({"question": "Number 10?"}));
    assert_eq!(asked["structuredContent"]["status"], "pending");
}

#[tokio::test]
async fn questions_are_listed_and_withdrawn() {
    let directory = Directory::new();
    let mut agent = Agent::start(&directory, Era::New, &["--hold", "200ms"]);
    for text in ["One?", "Two?"] {
        agent.call("ask_user_question", &question(text));
    }
    let listed = agent.call("list_questions", &json!({}));
    let open = listed["structuredContent"]["open_questions"].clone();
    assert_eq!(open[0]["questions"], json!(["One?"]), "{listed}");
    let which = agent.call("wait_for_answer", &json!({}));
    assert_eq!(which["structuredContent"]["status"], "ambiguous");
    let first = json!({"question_id": open[0]["question_id"]});
    let withdrawn = agent.call("withdraw_question", &first);
    assert_eq!(withdrawn["structuredContent"]["status"], "withdrawn");
    assert_eq!(withdrawn["isError"], false);
    let client = server_of(&directory).await;
    assert_eq!(open[1]["question_id"], only_open(&client).await.as_str());
    // What the user answered first is what the agent gets.
    let second = open[1]["question_id"].as_str().expect("an id");
    answer(&directory, second, &["--choose", "SQLite"]);
    let answered = agent.call("withdraw_question", &json!({"question_id": second}));
    assert_eq!(
        answered["structuredContent"]["status"], "answered",
        "{answered}"
    );
    assert_eq!(answered["structuredContent"]["late_answers"], Value::Null);
}

/// Some clients give up a call without a word (Cline does), so its response is written but not read. The agent
/// still finds the answer.
#[tokio::test]
async fn answer_to_a_call_that_was_given_up_silently_can_be_found() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &[]);
        let nothing = agent.call("list_questions", &json!({}));
        let delivered = &nothing["structuredContent"]["recently_delivered"];
        assert_eq!(*delivered, Value::Null, "{nothing}");
        let unread = agent.begin("ask_user_question", &question("Which database?"));
        let client = server_of(&directory).await;
        let id = only_open(&client).await;
        answer(&directory, id.as_str(), &["--choose", "SQLite"]);
        agent.response(unread);
        let listed = agent.call("list_questions", &json!({}));
        let delivered = &listed["structuredContent"]["recently_delivered"];
        assert_eq!(delivered[0]["question_id"], id.as_str(), "{listed}");
        assert_eq!(delivered[0]["status"], "answered");
        let again = agent.call("wait_for_answer", &json!({"question_id": id.as_str()}));
        let answers = &again["structuredContent"]["answers"];
        assert_eq!(answers["Which database?"], "SQLite", "{again}");
        // Asking again for the same answer pushes no other question out of the list.
        let listed = agent.call("list_questions", &json!({}));
        let delivered = &listed["structuredContent"]["recently_delivered"];
        assert_eq!(delivered.as_array().map(Vec::len), Some(1), "{listed}");
    }
}

/// Standard output carries only MCP messages, and the log no answers.
#[tokio::test]
async fn stdout_is_only_mcp_and_the_log_has_no_answers() {
    use std::io::Write as _;
    use std::process::Stdio;
    let directory = Directory::new();
    let mut child = super::support::run_binary::command(&["mcp", "--data"])
        .arg(data(&directory))
        .env("ASKBACK_LOG", "trace,rmcp::service=trace")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let out = super::support::timeout::read_all(child.stdout.take().expect("a pipe"));
    let err = super::support::timeout::read_all(child.stderr.take().expect("a pipe"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "ask_user_question", "arguments": question("Which?"), "_meta": meta}});
    writeln!(stdin, "{call}").expect("it is read");
    let client = server_of(&directory).await;
    let id = only_open(&client).await;
    answer(&directory, &id, &["--text", "xylophone-secret"]);
    super::support::timeout::within("the outcome is delivered", async {
        let id = InquiryId::new(id);
        loop {
            let asker = client.inquiry(&id).await.expect("it is there").asker;
            if asker.is_some_and(|asker| asker.delivered_at.is_some()) {
                return;
            }
        }
    })
    .await;
    drop(stdin);
    let out = String::from_utf8(out.get().expect("it ends")).expect("text");
    assert!(out.contains("xylophone-secret"), "{out}");
    for line in out.lines() {
        assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
    }
    let err = String::from_utf8(err.get().expect("it ends")).expect("text");
    assert!(err.contains("asked"), "{err}");
    assert!(!err.contains("xylophone-secret"), "{err}");
    child.wait().expect("it ends");
}

/// Asked without waiting: a handle at once, the assumption where the respondent sees it, the answer with a
/// later call; waiting for it works as for any other, and the same question without `background` is the same.
#[tokio::test]
async fn background_question_states_its_assumption() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &[]);
        let client = server_of(&directory).await;
        let mut input = question("Which database?");
        input["background"] = json!(true);
        let refused = agent.call("ask_user_question", &input);
        assert_eq!(refused["isError"], true, "{refused}");
        input["assumption"] = json!("I go on with SQLite.");
        let asked = agent.call("ask_user_question", &input);
        assert_eq!(asked["structuredContent"]["status"], "pending", "{asked}");
        let id = only_open(&client).await;
        let inquiry = client
            .inquiry(&InquiryId::new(id.clone()))
            .await
            .expect("it is there");
        let context = inquiry.questions[0].context.as_deref();
        assert_eq!(context, Some("I go on with SQLite."));
        let waiting = agent.begin("ask_user_question", &question("Which database?"));
        let listed = agent.call("list_questions", &json!({}));
        let open = listed["structuredContent"]["open_questions"].as_array();
        assert_eq!(open.map(Vec::len), Some(1), "{listed}");
        answer(&directory, &id, &["--choose", "PostgreSQL"]);
        assert_eq!(
            agent.result(waiting)["structuredContent"]["question_id"],
            id.as_str()
        );

        input["questions"][0]["question"] = json!("Which port?");
        agent.call("ask_user_question", &input);
        answer(
            &directory,
            &only_open(&client).await,
            &["--choose", "SQLite"],
        );
        let late = agent.call("list_questions", &json!({}));
        let late = &late["structuredContent"]["late_answers"][0];
        assert_eq!(late["answers"]["Which port?"], "SQLite", "{late}");
    }
}

/// A line that cannot be parsed gets an error, and the session continues.
#[tokio::test]
async fn an_unreadable_line_is_a_parse_error_and_the_session_goes_on() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &[]);
        let nested = format!("{}1{}", "[".repeat(130), "]".repeat(130));
        for line in [
            "no JSON",
            r#"{"jsonrpc": "2.0", "id": 90, "method": "tools/call", "params": {"name": "\ud800"}}"#,
            r#"{"jsonrpc": "2.0", "id": 1e400, "method": "tools/list"}"#,
            &nested,
        ] {
            agent.write_line(line);
            let reply = agent.message();
            assert_eq!(reply["error"]["code"], -32700, "{line}: {reply}");
            assert_eq!(reply["id"], Value::Null, "{line}: {reply}");
        }
        let listed = agent.call("list_questions", &json!({}));
        assert_eq!(listed["structuredContent"]["status"], "listed");
    }
}

/// Models send arguments as a JSON string. It is read; what cannot be read is a result to repair from.
#[tokio::test]
async fn arguments_in_a_json_string_are_read() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &["--hold", "100ms"]);
        let arguments = json!(question("Which database?").to_string());
        let asked = agent.call("ask_user_question", &arguments);
        assert_eq!(asked["structuredContent"]["status"], "pending", "{asked}");
        let refused = agent.call("ask_user_question", &json!("not JSON"));
        assert_eq!(refused["isError"], true, "{refused}");
        assert_eq!(refused["structuredContent"]["status"], "invalid_input");
        assert!(
            text(&refused).contains("Call ask_user_question again with"),
            "{refused}"
        );
        let id = &asked["structuredContent"]["question_id"];
        let withdrawn = json!(json!({"question_id": id}).to_string());
        let withdrawn = agent.call("withdraw_question", &withdrawn);
        assert_eq!(withdrawn["structuredContent"]["status"], "withdrawn");
    }
}

/// A second request under an open id is refused. The client cannot tell whose the next response is, so
/// the answer in it comes again with a later call.
#[tokio::test]
async fn request_with_an_id_in_use_is_refused() {
    let directory = Directory::new();
    let mut agent = Agent::start(&directory, Era::Old, &[]);
    let call = agent.begin("ask_user_question", &question("Which database?"));
    let id = only_open(&server_of(&directory).await).await;
    let second = json!({"name": "list_questions", "arguments": {}});
    agent.write(&json!({"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": second}));
    let refused = agent.response(call);
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    answer(&directory, &id, &["--choose", "SQLite"]);
    let first = agent.result(call);
    assert_eq!(first["structuredContent"]["question_id"], id.as_str());
    let next = agent.call("list_questions", &json!({}));
    let late = &next["structuredContent"]["late_answers"][0];
    assert_eq!(late["question_id"], id.as_str(), "{next}");
    assert_eq!(late["may_have_been_delivered_before"], true);
}
