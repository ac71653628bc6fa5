//! A hostile text in every field of every request, and nothing that acts in any output.
//!
//! The fields are those of the `OpenAPI` document and of the tools' schemas, so a new one is covered as soon as it is there.

mod channels;
mod fields;
mod scan;

use std::collections::BTreeSet;
use std::io::BufReader;
use std::process::Stdio;

use askback_fakes::FakeHttp;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::list::{ListConversationsParams, ListInquiriesParams};
use askback_wire::path::percent_encoded;
use serde_json::{Value, json};

use super::support::mcp_client::{Agent, Era};
use super::support::mcp_http_client::HttpAgent;
use super::support::raw_http::{bearer, body, header, raw, request};
use super::support::run_binary::{askback, command};
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::Lines;
use fields::{Fill, Operation, instance, operations, texts, with_text};
use scan::{LONG, SHORT, Scan};

const DOCUMENT: &str = include_str!("../../../../schemas/openapi.json");
const TOOLS: [&str; 4] = [
    include_str!("../../../../schemas/tools/plain/ask_user.json"),
    include_str!("../../../../schemas/tools/plain/ask_user_question.json"),
    include_str!("../../../../schemas/tools/plain/AskUserQuestion.json"),
    include_str!("../../../../schemas/tools/plain/question.json"),
];

/// A server, and what went through it.
struct Run {
    directory: Directory,
    server: Server,
    fields: BTreeSet<String>,
    scan: Scan,
}

impl Run {
    fn send(&mut self, line: &str, headers: &[(&str, &str)], content: &str) -> (u16, String) {
        let (token, length) = (bearer(), content.len().to_string());
        let always = [
            ("Host", "localhost"),
            ("Authorization", token.as_str()),
            ("Content-Length", &length),
        ];
        let mut bytes = request(line, &[&always, headers].concat());
        bytes.extend(content.bytes());
        let (status, reply) = raw(&self.server, &bytes);
        assert!((200..500).contains(&status), "{line}: {reply}");
        let is_json = header(&reply, "content-type")
            .iter()
            .any(|kind| kind.contains("json"));
        let (place, content) = (line.split('?').next().unwrap_or(line), body(&reply));
        let place = place.split('%').next().unwrap_or(place);
        if is_json {
            self.scan.json(place, content);
        } else {
            // Chunks end with a return.
            self.scan.text(place, &content.replace("\r\n", "\n"));
        }
        for data in content
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
        {
            self.scan.json(place, data);
        }
        (status, content.to_owned())
    }

    fn send_json(&mut self, line: &str, content: &Value) -> (u16, String) {
        self.send(
            line,
            &[("Content-Type", "application/json")],
            &content.to_string(),
        )
    }

    async fn ask(&self) -> InquiryResponse {
        let input = json!({"question": "Which one?", "input_type": "single_select", "options": ["a", "b"], "allow_other": true});
        let params = NewInquiryParams {
            input,
            ..NewInquiryParams::default()
        };
        self.server.client.ask(&params).await.expect("it is asked")
    }

    async fn inquiries(&self) -> Vec<InquiryResponse> {
        let all = ListInquiriesParams {
            limit: Some(200),
            ..ListInquiriesParams::default()
        };
        self.server
            .client
            .inquiries(&all)
            .await
            .expect("they are listed")
            .items
    }

    /// The path of an operation with an id that exists.
    async fn path(&self, operation: &Operation) -> String {
        let id = if operation.path.starts_with("/inquiries/{id}") {
            self.ask().await.id.to_string()
        } else if operation.path == "/conversations/{id}/messages" {
            self.server.begin("go").await.to_string()
        } else if operation.path.starts_with("/conversations/{id}") {
            self.ask().await.conversation_id.to_string()
        } else {
            "telegram".to_owned()
        };
        operation.path.replace("{id}", &id)
    }

    /// Puts the texts into each field of a request, one at a time.
    async fn attack(&mut self, operation: &Operation) {
        let name = format!("{} {}", operation.method, operation.path);
        for (place, parameter) in &operation.parameters {
            self.fields.insert(format!("{name} {place} {parameter}"));
            for text in [LONG, SHORT] {
                let value = percent_encoded(text);
                let (least, _) = operation.bodies.clone().unwrap_or_default();
                let content = if least.is_null() {
                    String::new()
                } else {
                    least.to_string()
                };
                let path = match place.as_str() {
                    "path" => operation.path.replace("{id}", &value),
                    "query" => format!("{}?{parameter}={value}", self.path(operation).await),
                    _ => self.path(operation).await,
                };
                let json = ("Content-Type", "application/json");
                // A header has no control characters of ASCII, but those of Latin-1.
                for value in [value.as_str(), "hostile\u{9b}2J\u{202e}\u{200b}"] {
                    let headers = if place == "header" {
                        vec![json, (parameter.as_str(), value)]
                    } else {
                        vec![json]
                    };
                    self.send(&format!("{} {path}", operation.method), &headers, &content);
                    if place != "header" {
                        break;
                    }
                }
            }
        }
        let Some((least, whole)) = &operation.bodies else {
            return;
        };
        for place in texts(whole) {
            self.fields.insert(format!("{name} {place}"));
            for text in [LONG, SHORT] {
                let content = with_text(least, whole, &place, text);
                let line = format!("{} {}", operation.method, self.path(operation).await);
                if operation.path == "/sign-in" {
                    let pairs = content.as_object().into_iter().flatten();
                    let pairs = pairs.map(|(name, value)| {
                        format!(
                            "{name}={}",
                            percent_encoded(value.as_str().unwrap_or_default())
                        )
                    });
                    let form = pairs.collect::<Vec<_>>().join("&");
                    self.send(
                        &line,
                        &[("Content-Type", "application/x-www-form-urlencoded")],
                        &form,
                    );
                } else {
                    self.send_json(&line, &content);
                }
            }
        }
    }

    /// Asks with a hostile text in each field of each tool, and in all of them at once.
    fn attack_tools(&mut self) {
        for tool in TOOLS {
            let tool: Value = serde_json::from_str(tool).expect("a tool is JSON");
            let schema = tool
                .get("input_schema")
                .or(tool.get("parameters"))
                .unwrap_or(&tool["inputSchema"]);
            let whole = instance(schema, schema, "", Fill::Everything);
            let mut all = whole.clone();
            let name = tool["name"].as_str().expect("it has a name").to_owned();
            for (number, place) in texts(&whole).into_iter().enumerate() {
                self.fields.insert(format!("{name} {place}"));
                for text in [LONG, SHORT] {
                    let input = with_text(&whole, &whole, &place, text);
                    self.send_json("POST /inquiries", &json!({"dialect": name, "input": input}));
                }
                *all.pointer_mut(&place).expect("it is there") = json!(format!("{number}{SHORT}"));
            }
            self.send_json("POST /inquiries", &json!({"dialect": name, "input": all}));
            let mut unknown = whole;
            unknown[LONG] = json!(LONG);
            self.send_json(
                "POST /inquiries",
                &json!({"dialect": name, "input": unknown}),
            );
        }
    }

    fn command(&mut self, args: &[&str], stdin: &str) {
        let data = self.directory.path().join("data").display().to_string();
        let run = askback(&[args, &["--data", &data]].concat(), stdin);
        let name = args
            .iter()
            .map(|arg| arg.split("hostile").next().unwrap_or_default());
        let name = name.collect::<Vec<_>>().join(" ");
        self.scan.text(&format!("askback {name}"), &run.out);
        self.scan
            .text(&format!("askback {name} (standard error)"), &run.err);
    }
}

/// The replies of a model, its errors, and the tools that it calls.
fn script() -> Value {
    let question =
        json!({"question": LONG, "input_type": "single_select", "options": [SHORT, "b"]});
    json!({
        "steps": [
            {"say": LONG, "calls": [{"tool": "ask_user", "input": question}, {"tool": SHORT, "input": {"x": LONG}}]},
            {"fail": [{"kind": "refused", "message": LONG}]},
        ],
        "repeat_from": 1,
    })
}

fn start() -> Run {
    let directory = Directory::new();
    let file = |name: &str, text: String| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("it is written");
        path.display().to_string()
    };
    let provider = format!("scripted:{}", file("script.json", script().to_string()));
    let config = file(
        "askback.toml",
        "[recipients.zoe]\n[recipients.ben]\n".to_owned(),
    );
    let args = [
        "--provider",
        &provider,
        "--config",
        &config,
        "--webhook-allow",
        "127.0.0.1",
    ];
    let server = Server::start_with(&directory, &args);
    Run {
        directory,
        server,
        fields: BTreeSet::new(),
        scan: Scan::default(),
    }
}

/// A client that lies about itself in every field, in a directory with a hostile name.
fn attack_mcp(run: &mut Run) {
    let text = |text: &str| percent_encoded(&text.replace('\0', ""));
    let query = format!("?project={}&session={}", text(LONG), text(SHORT));
    let option = json!({"label": SHORT, "description": LONG, "preview": LONG});
    let asks = json!({
        "questions": [{"question": LONG, "header": SHORT, "options": [option, "b"]}],
        "background": true, "assumption": LONG,
    });
    for era in [Era::Old, Era::New] {
        let mut agent = HttpAgent::with(&run.server.address, era, LONG, &query);
        if era == Era::Old {
            agent.session = None;
            let reply = agent.post(&introduction(), &[]);
            agent.session = reply.header("mcp-session-id").map(str::to_owned);
            run.scan
                .json("MCP initialize", &reply.line().unwrap_or_default());
            let unknown = agent.request(
                "tools/call",
                json!({"name": LONG, "arguments": {LONG: LONG}}),
            );
            run.scan
                .json("MCP unknown tool", &unknown.response().to_string());
            let unknown = agent.request(LONG, json!({LONG: LONG}));
            run.scan
                .json("MCP unknown method", &unknown.response().to_string());
        }
        for (tool, arguments) in [
            ("ask_user_question", asks.clone()),
            (
                "ask_user_question",
                json!({"questions": [{"question": LONG, "options": LONG, LONG: SHORT}]}),
            ),
            ("ask_user_question", json!({"questions": LONG})),
            ("list_questions", json!({})),
            ("wait_for_answer", json!({"question_id": LONG})),
            ("withdraw_question", json!({"question_id": LONG})),
        ] {
            let reply = agent.begin(tool, &arguments).response();
            run.scan.json(&format!("MCP {tool}"), &reply.to_string());
        }
        for field in [
            "clientInfo.name",
            "?project",
            "?session",
            "tools/call arguments",
            "question_id",
            "assumption",
        ] {
            run.fields.insert(format!("MCP {era:?} {field}"));
        }
    }
    for field in [
        "clientInfo.title",
        "clientInfo.version",
        "clientInfo.description",
        "clientInfo.websiteUrl",
        "method",
        "tools/call name",
    ] {
        run.fields.insert(format!("MCP {field}"));
    }
    let directory = run.directory.path().join(LONG.replace(['\0', '/'], ""));
    std::fs::create_dir(&directory).expect("any name is possible");
    let project = directory.display().to_string();
    let mut agent = Agent::named(&run.directory, LONG, Era::Old, &["--project", &project]);
    let asked = agent.call("ask_user_question", &asks);
    run.scan.json("MCP over stdio", &asked.to_string());
    agent.kill();
    run.fields.insert("MCP --project".to_owned());
}

fn introduction() -> Value {
    let info = json!({"name": LONG, "version": LONG, "title": LONG, "description": LONG, "websiteUrl": LONG});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

/// Everything that shows questions, as one command after the other.
async fn scan_commands(run: &mut Run) {
    let known = run.inquiries().await;
    let pending: Vec<_> = known.iter().filter(|it| !it.status.is_resolved()).collect();
    let id = |at: usize| pending[at].id.to_string();
    for args in [
        &["list"][..],
        &["list", "--json"],
        &["list", "--status", "all"],
        &["list", "--status", "answered", "--json"],
        &["audit", "export", "--with-answers"],
        &["audit", "export"],
        &["doctor", "--offline"],
        &["channel", "list"],
        &["channel", "list", "--json"],
        &["channel", "link", SHORT],
        &["sessions"],
        &["sessions", "--json"],
        &["link", &id(0)],
        &["link", &id(0), "--json"],
        &["answer", &id(0), "--text", SHORT],
        &["answer", &id(1), "--cancel"],
        &["answer", &id(1), "--decline"],
        &["answer", SHORT, "--decline"],
        &["hand-on", &id(2), SHORT],
        &["hand-on", &id(2), "ben", "--reason", SHORT],
        &["list", "--status", SHORT],
        &["ask", "--durable", "--source", SHORT, SHORT],
        &[
            "ask",
            "--durable",
            "--option",
            SHORT,
            "--option",
            "b",
            SHORT,
        ],
        &["watch", SHORT],
    ] {
        run.command(args, "");
    }
    run.command(
        &["check"],
        &json!({"questions": [{"question": LONG, LONG: LONG}]}).to_string(),
    );
    run.command(
        &["ask", "--file", "-"],
        &json!({"questions": [{"question": LONG}]}).to_string(),
    );
    let hook = json!({
        "session_id": LONG, "transcript_path": LONG, "cwd": LONG, "permission_mode": LONG,
        "hook_event_name": "PreToolUse", "tool_name": "AskUserQuestion", "tool_use_id": LONG,
        "tool_input": {"questions": LONG},
    });
    run.command(&["hook", "claude-code"], &hook.to_string());
    for field in [
        "session_id",
        "transcript_path",
        "cwd",
        "permission_mode",
        "tool_use_id",
        "tool_input",
    ] {
        run.fields.insert(format!("hook {field}"));
    }
}

/// What a person at a browser reads, with and without scripts.
async fn scan_pages(run: &mut Run) {
    let agent = [
        ("User-Agent", "hostile\u{9b}2J\u{202e}\u{200b}"),
        ("Accept", "text/html"),
    ];
    let line = format!("GET /?token={TOKEN}");
    let (_, reply) = raw(
        &run.server,
        &request(&line, &[&[("Host", "localhost")], &agent[..]].concat()),
    );
    let cookie = header(&reply, "set-cookie")[0]
        .split(';')
        .next()
        .unwrap_or_default()
        .to_owned();
    run.fields.insert("GET / header User-Agent".to_owned());
    for inquiry in run.inquiries().await {
        let headers = [("Cookie", cookie.as_str()), ("Accept", "text/html")];
        run.send(&format!("GET /q/{}", inquiry.id), &headers, "");
        let with_input = format!("GET /inquiries/{}?with_input=true", inquiry.id);
        run.send(&with_input, &[], "");
    }
    let (form, pairs) = (
        "application/x-www-form-urlencoded",
        format!("q1={0}&q1-other={0}&note={0}", percent_encoded(LONG)),
    );
    let asked = run.ask().await;
    let headers = [
        ("Cookie", cookie.as_str()),
        ("Content-Type", form),
        ("Origin", "http://localhost"),
    ];
    run.send(&format!("POST /q/{}", asked.id), &headers, &pairs);
    for path in [
        "/",
        "/inbox",
        "/sessions",
        "/metrics",
        "/audit?with_answers=true",
        "/conversations",
        "/apps",
        "/channels",
    ] {
        run.send(&format!("GET {path}"), &[], "");
    }
    for conversation in run
        .server
        .client
        .conversations(&ListConversationsParams::default())
        .await
        .expect("they are listed")
        .items
    {
        run.send(&format!("GET /conversations/{}", conversation.id), &[], "");
    }
}

/// The feed from its beginning, as `askback watch` prints it.
fn scan_feed(run: &mut Run) {
    let data = run.directory.path().join("data").display().to_string();
    let mut child = command(&["watch", "--after", "0", "--data", &data])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = Lines::of(BufReader::new(child.stdout.take().expect("it is a pipe")));
    run.send_json(
        "POST /inquiries",
        &json!({"input": {"question": "The very last one?"}}),
    );
    loop {
        let line = lines.next().expect("the last question arrives");
        run.scan.text("askback watch", &line);
        run.scan.json("askback watch (JSON)", &line);
        if line.contains("The very last one?") {
            break;
        }
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

fn report(what: &str, fields: &BTreeSet<String>, scan: &Scan) {
    eprintln!(
        "{what}: {} fields, {} outputs, {} with a hostile text",
        fields.len(),
        scan.outputs,
        scan.with_hostile
    );
    let mut findings = scan.findings.clone();
    findings.sort();
    findings.dedup();
    assert!(
        findings.is_empty(),
        "{} findings\n{}",
        findings.len(),
        findings.join("\n")
    );
    assert!(
        scan.with_hostile * 10 > scan.outputs,
        "the texts were refused, not shown"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_text_in_any_field_acts_in_no_output() {
    let document: Value = serde_json::from_str(DOCUMENT).expect("the document is JSON");
    let mut run = start();
    let receiver = FakeHttp::responding(json!({})).await.expect("it starts");
    for operation in operations(&document) {
        // Ends the run.
        if operation.path == "/sessions" && operation.method == "DELETE" {
            continue;
        }
        run.attack(&operation).await;
    }
    run.attack_tools();
    attack_mcp(&mut run);
    let asked = json!({
        "input": {"question": LONG, "context": LONG}, "source": LONG, "webhook": receiver.url(),
        "asker": {"client": SHORT, "project": LONG, "session": SHORT},
    });
    let (_, asked) = run.send_json("POST /inquiries", &asked);
    let asked: Value = serde_json::from_str(&asked).expect("JSON");
    let id = asked["id"].as_str().expect("it is asked").to_owned();
    let answer = json!({"answers": {"q1": {"text": LONG, "note": LONG}}});
    let (status, _) = run.send_json(&format!("POST /inquiries/{id}/answer"), &answer);
    assert_eq!(status, 200);
    for received in receiver.wait_for(1).await {
        run.scan
            .json("webhook", &String::from_utf8_lossy(&received.body));
    }
    scan_pages(&mut run).await;
    scan_commands(&mut run).await;
    scan_feed(&mut run);
    let log = std::fs::read_to_string(run.directory.path().join("server.log"));
    run.scan.text("log", &log.expect("there is a log"));
    report("API, MCP, hook, model", &run.fields, &run.scan);
}
