//! A token may do what its scope permits, and shows nothing of what is not its holder's.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use askback_client::{Client, ClientError, FeedItem};
use askback_core::id::InquiryId;
use askback_wire::audit::AuditParams;
use askback_wire::credential::{NewCredentialParams, NewInquiryTokenParams, ScopeName};
use askback_wire::event::{ChangeName, EventResponse};
use askback_wire::inquiry::{
    HandOnParams, InquiryResponse, InquiryStatus, NewInquiryParams, UndoParams,
};
use askback_wire::link::{LinkAllow, NewLinkParams};
use askback_wire::list::ListInquiriesParams;
use askback_wire::problem::ProblemCode;
use askback_wire::recipient::RecipientParams;
use askback_wire::respond::{AnswerParams, DeclineParams, WithdrawParams};
use askback_wire::session::NewSignInCodeParams;
use askback_wire::token::Token;
use serde_json::{Value, json};

use super::no_script_form::Browser;
use super::support::mcp_client::{Era, question};
use super::support::mcp_http_client::HttpAgent;
use super::support::raw_http::{header, raw, request};
use super::support::run_binary::{askback, fails, succeeds};
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::{TEST_TIMEOUT, within};

/// A server with two people, and tokens of every scope.
pub(super) struct Team {
    pub(super) server: Server,
    directory: Directory,
    pub(super) tokens: BTreeMap<&'static str, String>,
}

/// Nobody but Ben may read this.
const SECRET: &str = "May I publish the salaries?";

impl Team {
    pub(super) async fn start(args: &[&str]) -> Team {
        Team::start_with("", args).await
    }

    /// With further settings in the configuration file.
    pub(super) async fn start_with(settings: &str, args: &[&str]) -> Team {
        let directory = Directory::new();
        let config = directory.path().join("askback.toml");
        let people = "[recipients.anna]\nname = 'Anna'\n[recipients.ben]\nname = 'Ben'\n\
                      [recipients.ops]\nmembers = ['anna']\n";
        fs::write(&config, format!("{settings}{people}")).expect("it can be written");
        let config = config.to_str().expect("a path").to_owned();
        let server = Server::start_with(&directory, &[&["--config", &config], args].concat());
        let mut team = Team {
            server,
            directory,
            tokens: BTreeMap::new(),
        };
        for (name, scope, person) in [
            ("laptop", ScopeName::Agent, None),
            ("build-server", ScopeName::Agent, None),
            ("anna", ScopeName::Respondent, Some("anna")),
            ("ben", ScopeName::Respondent, Some("ben")),
            ("prometheus", ScopeName::Metrics, None),
            ("second-admin", ScopeName::Admin, None),
        ] {
            let params = NewCredentialParams {
                name: name.to_owned(),
                scope,
                person: person.map(str::to_owned),
                expires_in: None,
            };
            let made = team.server.client.create_token(&params).await;
            team.tokens.insert(name, made.expect("it is made").token);
        }
        team
    }

    pub(super) fn client(&self, name: &str) -> Client {
        self.with_token(&self.tokens[name])
    }

    pub(super) fn with_token(&self, token: &str) -> Client {
        Client::new(&self.server.address, Some(Token::new(token))).expect("an address")
    }

    /// A question of an agent.
    pub(super) async fn ask(
        &self,
        agent: &str,
        text: &str,
        recipient: Option<&str>,
    ) -> InquiryResponse {
        let asked = self.client(agent).ask(&confirm(text, recipient)).await;
        asked.expect("it is asked")
    }

    /// What is pending, for an administrator.
    pub(super) async fn pending(&self) -> Vec<InquiryResponse> {
        let params = ListInquiriesParams::default();
        let page = self.server.client.inquiries(&params).await;
        page.expect("a list").items
    }

    /// Posts JSON with the token of this name.
    pub(super) fn post(&self, name: &str, path: &str, sent: &Value) -> (u16, String) {
        let (sent, authorization) = (sent.to_string(), format!("Bearer {}", self.tokens[name]));
        let length = sent.len().to_string();
        let mut bytes = request(
            &format!("POST {path}"),
            &[
                ("Host", "localhost"),
                ("Authorization", &authorization),
                ("Content-Type", "application/json"),
                ("Content-Length", &length),
            ],
        );
        bytes.extend(sent.as_bytes());
        raw(&self.server, &bytes)
    }

    pub(super) async fn inquiry_token(&self, id: &InquiryId, allow: LinkAllow) -> String {
        let params = NewInquiryTokenParams {
            allow,
            ..NewInquiryTokenParams::default()
        };
        let made = self.server.client.create_inquiry_token(id, &params).await;
        made.expect("it is made").token
    }
}

pub(super) fn confirm(text: &str, recipient: Option<&str>) -> NewInquiryParams {
    NewInquiryParams {
        questions: json!([{"id": "go", "text": text, "kind": "confirm"}]),
        recipient: recipient.map(str::to_owned),
        ..NewInquiryParams::default()
    }
}

pub(super) fn yes() -> AnswerParams {
    serde_json::from_value(json!({"answers": {"go": true}})).expect("an answer")
}

pub(super) fn code<T: std::fmt::Debug>(result: Result<T, ClientError>) -> Option<ProblemCode> {
    match result {
        Err(ClientError::Problem(problem)) => problem.known_code(),
        other => panic!("not refused: {other:?}"),
    }
}

/// The texts of the questions that a client can list.
async fn listed(client: &Client) -> Vec<String> {
    let mut params = ListInquiriesParams::default();
    let mut texts = Vec::new();
    loop {
        let page = client.inquiries(&params).await.expect("a list");
        for inquiry in page.items {
            texts.push(inquiry.questions[0].text.clone());
        }
        params.cursor = page.next;
        if params.cursor.is_none() {
            return texts;
        }
    }
}

/// The next change of a question on a feed.
async fn next_change(feed: &mut askback_client::EventStream) -> (ChangeName, String) {
    loop {
        let item = within("an event", feed.next())
            .await
            .expect("the feed goes on");
        if let FeedItem::Event(event) = item
            && let EventResponse::Inquiry(change) = *event
        {
            let question = change.inquiry.questions.first();
            let text = question.map(|it| it.text.clone()).unwrap_or_default();
            return (change.change, text);
        }
    }
}

/// Who may use which route besides administrators, as docs/security.md promises. Public routes are for everybody.
const PERMITTED: &[(&str, &[&str])] = &[
    ("GET /inquiries", &["agent", "respondent"]),
    ("POST /inquiries", &["agent"]),
    ("GET /inquiries/{id}", &["agent", "respondent", "inquiry"]),
    ("POST /inquiries/{id}/answer", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/decline", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/reject", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/cancel", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/undo", &["respondent", "inquiry"]),
    (
        "POST /inquiries/{id}/commit-answer",
        &["respondent", "inquiry"],
    ),
    ("POST /inquiries/{id}/keep-open", &["respondent", "inquiry"]),
    ("GET /inquiries/{id}/draft", &["respondent", "inquiry"]),
    ("PUT /inquiries/{id}/draft", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/hand-on", &["respondent"]),
    ("PUT /inquiries/{id}/snooze", &["respondent"]),
    ("POST /inquiries/{id}/links", &["respondent"]),
    ("GET /inquiries/{id}/messages", &["respondent"]),
    ("POST /inquiries/{id}/withdraw", &["agent"]),
    ("PUT /inquiries/{id}/deadline", &["agent"]),
    ("POST /inquiries/{id}/delivery", &["agent"]),
    ("GET /asker-sessions", &["agent"]),
    ("POST /asker-sessions/take-over", &["agent"]),
    ("GET /dialects", &["agent"]),
    ("GET /recipients", &["agent", "respondent"]),
    ("GET /events", &["agent", "respondent", "inquiry"]),
    ("GET /me", &["agent", "respondent", "inquiry", "metrics"]),
    ("POST /typed-date", &["respondent", "inquiry"]),
    ("POST /presence", &["respondent"]),
    ("GET /push", &["respondent"]),
    ("POST /push/subscriptions", &["respondent"]),
    ("POST /push/unsubscribe", &["respondent"]),
    ("POST /sign-out", &["respondent"]),
    ("POST /sign-in-codes", &["respondent"]),
    ("GET /metrics", &["metrics"]),
];

/// The head and, unless it is a feed, the body of a reply.
fn reply(server: &Server, line: &str, token: &str) -> (u16, String) {
    let address = server.address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let set = stream.set_read_timeout(Some(TEST_TIMEOUT));
    set.expect("it can be set");
    let authorization = format!("Bearer {token}");
    let mut bytes = request(
        line,
        &[
            ("Host", "localhost"),
            ("Authorization", &authorization),
            ("Content-Type", "application/json"),
            ("Content-Length", "2"),
        ],
    );
    bytes.extend(b"{}");
    stream.write_all(&bytes).expect("it is sent");
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let read = reader.read_line(&mut head).expect("a head");
        assert_ne!(read, 0, "{line}: {head}");
    }
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    let mut body = String::new();
    if !head.contains("text/event-stream") {
        reader.read_to_string(&mut body).expect("a body");
    }
    (status.expect("a status"), body)
}

/// Each scope gets to the routes that are for it, and to no others; and none of them shows a question that is not its
/// holder's, whatever is sent there.
#[tokio::test]
async fn every_route_for_every_scope() {
    let team = Team::start(&[]).await;
    let own = team.ask("laptop", "Deploy?", Some("anna")).await;
    let secret = team.ask("build-server", SECRET, Some("ben")).await;
    let inquiry = team.inquiry_token(&own.id, LinkAllow::Stop).await;
    let callers = [
        ("agent", team.tokens["laptop"].as_str()),
        ("respondent", &team.tokens["anna"]),
        ("metrics", &team.tokens["prometheus"]),
        ("inquiry", &inquiry),
    ];
    let document = team.server.client.openapi().await.expect("a document");
    let mut walked = 0;
    let mut table = Vec::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let route = format!("{} {path}", method.to_uppercase());
            let is_public = operation["security"] == json!([]);
            let known = PERMITTED.iter().find(|(known, _)| *known == route);
            let permitted = known.map_or(&[][..], |(_, scopes)| scopes);
            let id = match path {
                path if path.starts_with("/conversations") => secret.conversation_id.as_str(),
                _ => secret.id.as_str(),
            };
            let line = route.replace("{id}", id);
            let mut row = format!("{route:44}");
            for (scope, token) in callers {
                let (status, body) = reply(&team.server, &line, token);
                walked += 1;
                row = format!("{row} {scope}: {status}");
                let is_refused = status == 403 && body.contains("forbidden_scope");
                let expected = !is_public && !permitted.contains(&scope);
                assert_eq!(is_refused, expected, "{scope} {route}: {status} {body}");
                assert_ne!(status, 401, "{scope} {route}");
                assert!(!body.contains("salaries"), "{scope} {route}: {body}");
                if path.starts_with("/inquiries/{id}") && permitted.contains(&scope) {
                    // A body that the route cannot read is refused whoever sends it.
                    let is_hidden = [400, 404, 422].contains(&status);
                    assert!(is_hidden, "{scope} {route}: {status} {body}");
                }
            }
            table.push(row);
            for admin in [TOKEN, &team.tokens["second-admin"]] {
                if route.starts_with("GET") && !path.ends_with("events") {
                    let (status, body) = reply(&team.server, &line, admin);
                    assert!(![401, 403].contains(&status), "admin {route}: {body}");
                }
            }
        }
    }
    assert!(walked > 200, "{walked} requests");
    // With --nocapture.
    println!("{}", table.join("\n"));
    let still = team
        .server
        .client
        .inquiry(&secret.id)
        .await
        .expect("it is there");
    assert_eq!(still.version, secret.version, "nothing has changed it");
    for line in [
        "POST /mcp",
        "GET /conversations",
        "GET /",
        "GET /new",
        "POST /askback/hand-over",
    ] {
        let (status, body) = reply(&team.server, line, &team.tokens["prometheus"]);
        assert!([403, 404].contains(&status), "{line}: {status} {body}");
    }
}

/// An agent reads, lists, follows and withdraws what it has asked. Another agent's does not exist for it, also by key,
/// conversation and session; and it answers nothing.
#[tokio::test]
async fn agent_has_its_own_questions_only() {
    let team = Team::start(&[]).await;
    let (laptop, other) = (team.client("laptop"), team.client("build-server"));
    let mut feed = laptop.events(None);
    within("a feed", feed.open()).await.expect("a feed");
    let keyed = |text: &str| NewInquiryParams {
        key: Some("deploy-42".to_owned()),
        asker: Some(
            serde_json::from_value(json!({"client": "claude-code", "session": "s1"})).expect("it"),
        ),
        ..confirm(text, None)
    };
    let foreign = other.ask(&keyed(SECRET)).await.expect("it is asked");
    let own = laptop
        .ask(&keyed("Deploy?"))
        .await
        .expect("its key is its own");
    assert_ne!(own.id, foreign.id);
    // Who asked follows from the token.
    let asker = own.asker.as_ref().expect("an asker");
    assert_eq!(asker.client.as_str(), "laptop");
    assert_eq!(listed(&laptop).await, ["Deploy?"]);
    let by_key = ListInquiriesParams {
        key: Some("deploy-42".to_owned()),
        ..ListInquiriesParams::default()
    };
    let found = laptop.inquiries(&by_key).await.expect("a list").items;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].id, own.id);
    assert_eq!(
        next_change(&mut feed).await,
        (ChangeName::Asked, "Deploy?".to_owned())
    );
    let into = NewInquiryParams {
        conversation_id: Some(foreign.conversation_id.clone()),
        ..confirm("Between yours?", None)
    };
    assert_eq!(code(laptop.ask(&into).await), Some(ProblemCode::NotFound));
    assert_eq!(
        code(laptop.inquiry(&foreign.id).await),
        Some(ProblemCode::NotFound)
    );
    let nothing = WithdrawParams::default();
    let withdrawn = laptop.withdraw_inquiry(&foreign.id, &nothing).await;
    assert_eq!(code(withdrawn), Some(ProblemCode::NotFound));
    for id in [&own.id, &foreign.id] {
        let answered = laptop.answer(id, &yes()).await;
        assert_eq!(code(answered), Some(ProblemCode::ForbiddenScope));
    }
    assert_eq!(
        code(laptop.link(&own.id, &NewLinkParams::default()).await),
        Some(ProblemCode::ForbiddenScope),
        "with a link it could answer"
    );
    let withdrawn = laptop.withdraw_inquiry(&own.id, &nothing).await;
    assert_eq!(withdrawn.expect("its own").status.as_str(), "withdrawn");
}

/// An agent that acts under its token cannot become another one by a header.
#[tokio::test]
async fn headers_give_no_rights() {
    let team = Team::start(&[]).await;
    let foreign = team.ask("build-server", SECRET, None).await;
    let disguised = team.client("laptop").for_agent("build-server");
    assert_eq!(
        code(disguised.inquiry(&foreign.id).await),
        Some(ProblemCode::NotFound)
    );
    let anna = team.client("anna").for_agent("build-server");
    assert_eq!(
        code(anna.inquiry(&foreign.id).await),
        Some(ProblemCode::ForbiddenScope)
    );
    // An administrator who acts for an agent has its rights, and no others.
    let acting = team.server.client.clone().for_agent("build-server");
    assert_eq!(
        acting.inquiry(&foreign.id).await.expect("its own").id,
        foreign.id
    );
    assert_eq!(
        code(acting.answer(&foreign.id, &yes()).await),
        Some(ProblemCode::ForbiddenScope)
    );
}

/// People see what is for them, for their groups or for nobody in particular, and answer under their own name.
#[tokio::test]
async fn people_have_what_is_for_them() {
    let team = Team::start(&[]).await;
    let (anna, ben) = (team.client("anna"), team.client("ben"));
    for (text, recipient) in [
        ("For Anna?", Some("anna")),
        (SECRET, Some("ben")),
        ("For the group?", Some("ops")),
        ("For anybody?", None),
    ] {
        team.ask("laptop", text, recipient).await;
    }
    let mut seen = listed(&anna).await;
    seen.sort();
    assert_eq!(seen, ["For Anna?", "For anybody?", "For the group?"]);
    let mut seen = listed(&ben).await;
    seen.sort();
    assert_eq!(seen, ["For anybody?", SECRET]);
    let open = anna
        .inquiries(&ListInquiriesParams::default())
        .await
        .expect("a list");
    let id = &open
        .items
        .iter()
        .find(|it| it.questions[0].text == "For Anna?")
        .expect("hers")
        .id;
    let claimed = askback_core::outcome::Actor::new(
        askback_core::text::Text::name("Ben"),
        askback_core::outcome::Surface::Terminal,
    );
    let answered = anna.clone().acting_as(&claimed).answer(id, &yes()).await;
    let answered = answered.expect("it is answered");
    assert_eq!(
        answered.answered_by.as_deref(),
        Some("Anna"),
        "not who she says"
    );
    let audit = team
        .server
        .client
        .audit(&AuditParams::default())
        .await
        .expect("an audit");
    let entry = audit
        .items
        .iter()
        .find(|entry| entry.inquiry_id.as_ref() == Some(id));
    assert_eq!(
        entry.expect("an entry").identity.as_deref(),
        Some("token:anna")
    );
}

/// What was handed on leaves the former recipient: they are told that, and cannot read on, also not from an old position of
/// the feed.
#[tokio::test]
async fn handed_on_is_gone() {
    let team = Team::start(&[]).await;
    let (anna, ben) = (team.client("anna"), team.client("ben"));
    let (mut annas, mut bens) = (anna.events(None), ben.events(None));
    within("a feed", annas.open()).await.expect("a feed");
    within("a feed", bens.open()).await.expect("a feed");
    let asked = team.ask("laptop", "Whose is it?", Some("anna")).await;
    assert_eq!(next_change(&mut annas).await.0, ChangeName::Asked);
    let hand_on = |recipient: &str| HandOnParams {
        recipient: recipient.to_owned(),
        reason: None,
        revision: None,
    };
    anna.hand_on(&asked.id, &hand_on("ben"))
        .await
        .expect("it is hers");
    assert_eq!(next_change(&mut annas).await.0, ChangeName::HandedOn);
    assert_eq!(next_change(&mut bens).await.0, ChangeName::HandedOn);
    assert_eq!(
        code(anna.inquiry(&asked.id).await),
        Some(ProblemCode::NotFound)
    );
    assert_eq!(
        code(anna.answer(&asked.id, &yes()).await),
        Some(ProblemCode::NotFound)
    );
    assert_eq!(listed(&anna).await, [""; 0]);
    // From the beginning: not what was asked, only that it went away.
    let mut again = anna.events(Some(0));
    assert_eq!(next_change(&mut again).await.0, ChangeName::HandedOn);
    ben.answer(&asked.id, &yes()).await.expect("it is his");
    team.ask("laptop", "The next one?", Some("anna")).await;
    let told = next_change(&mut annas).await;
    assert_eq!(
        told,
        (ChangeName::Asked, "The next one?".to_owned()),
        "nothing of his answer"
    );
}

/// A setting keeps what is for nobody in particular from people.
#[tokio::test]
async fn unaddressed_questions_can_be_for_administrators() {
    let team = Team::start(&["--unaddressed", "administrators"]).await;
    team.ask("laptop", SECRET, None).await;
    assert_eq!(listed(&team.client("anna")).await, [""; 0]);
    assert_eq!(listed(&team.server.client).await, [SECRET]);
}

/// People undo their own answers, not those of others.
#[tokio::test]
async fn nobody_undoes_the_answer_of_another() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "For anybody?", None).await;
    let held = AnswerParams {
        undo_seconds: Some(60),
        ..yes()
    };
    team.client("anna")
        .answer(&asked.id, &held)
        .await
        .expect("it is answered");
    let undo = UndoParams::default();
    let undone = team.client("ben").undo(&asked.id, &undo).await;
    assert_eq!(code(undone), Some(ProblemCode::NothingHeld));
    team.client("anna")
        .undo(&asked.id, &undo)
        .await
        .expect("her own");
}

/// With the token of one inquiry, that one is read, followed and answered, and nothing else.
#[tokio::test]
async fn token_of_one_inquiry() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "Deploy?", Some("anna")).await;
    let secret = team.ask("laptop", SECRET, Some("ben")).await;
    let token = team.inquiry_token(&asked.id, LinkAllow::Answer).await;
    let page = team.with_token(&token);
    let mut feed = page.events(None);
    within("a feed", feed.open()).await.expect("a feed");
    assert_eq!(page.inquiry(&asked.id).await.expect("it").id, asked.id);
    assert_eq!(
        code(page.inquiry(&secret.id).await),
        Some(ProblemCode::NotFound)
    );
    let declined = page
        .decline_inquiry(&asked.id, &DeclineParams::default())
        .await;
    assert_eq!(
        code(declined),
        Some(ProblemCode::ForbiddenScope),
        "it allows to answer"
    );
    team.client("ben")
        .answer(&secret.id, &yes())
        .await
        .expect("it is answered");
    page.answer(&asked.id, &yes())
        .await
        .expect("it is answered");
    let told = next_change(&mut feed).await;
    assert_eq!(told, (ChangeName::Resolved, "Deploy?".to_owned()));
    // One character more or less, or the id of another, and it is worth nothing.
    let other = token.replace(asked.id.as_str(), secret.id.as_str());
    for wrong in [
        format!("{token}0"),
        token[..token.len() - 1].to_owned(),
        other,
    ] {
        let refused = team.with_token(&wrong).inquiry(&secret.id).await;
        assert_eq!(code(refused), Some(ProblemCode::Unauthorized), "{wrong}");
    }
}

/// On the command line: the token alone is printed, the list has no secret, and a revoked token ends with its feeds.
#[tokio::test]
async fn tokens_on_the_command_line() {
    let team = Team::start(&[]).await;
    let data = team.directory.path().join("data");
    let data = data.to_str().expect("a path");
    let run = |args: &[&str]| succeeds(&[args, &["--data", data]].concat(), "");
    let create = [
        "token",
        "create",
        "deploy job",
        "--scope",
        "agent",
        "--expires",
        "90d",
    ];
    let made = askback(&[&create[..], &["--data", data]].concat(), "");
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert!(made.err.contains("not shown again"), "{}", made.err);
    let token = made.out.trim();
    let client = team.with_token(token);
    client
        .ask(&confirm("Deploy?", None))
        .await
        .expect("it may ask");
    let list = run(&["token"]);
    assert!(list.contains("deploy job  agent  made "), "{list}");
    assert!(list.contains("anna  respondent for anna  made "), "{list}");
    assert!(
        !list.contains(token) && !list.contains("askback_"),
        "{list}"
    );
    let mut feed = client.events(None);
    within("a feed", feed.open()).await.expect("a feed");
    run(&["token", "revoke", "deploy job"]);
    let ended = loop {
        match within("an event", feed.next()).await {
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    assert_eq!(code::<()>(Err(ended)), Some(ProblemCode::Unauthorized));
    assert_eq!(code(client.me().await), Some(ProblemCode::Unauthorized));
    for (args, reason) in [
        (
            &["token", "create", "x", "--scope", "respondent"][..],
            "--for <ALIAS>",
        ),
        (
            &[
                "token",
                "create",
                "x",
                "--scope",
                "respondent",
                "--for",
                "zoe",
            ],
            "zoe",
        ),
        (
            &["token", "create", "anna", "--scope", "agent"],
            "called \"anna\" already",
        ),
        (
            &["token", "create", "x", "--scope", "agent", "--for", "anna"],
            "respondent",
        ),
        (&["token", "revoke", "nobody"], "No token is called"),
    ] {
        let refused = fails(&[args, &["--data", data]].concat(), "", 2);
        assert!(refused.contains(reason), "{refused}");
    }
}

/// An agent over MCP with a token of its own asks under its name, and reads nothing of another agent.
#[tokio::test]
async fn mcp_with_the_token_of_an_agent() {
    let team = Team::start(&[]).await;
    let foreign = team.ask("build-server", SECRET, None).await;
    let address = &team.server.address;
    let agent = HttpAgent::with_token(
        address,
        Era::New,
        ("claude-code", ""),
        &team.tokens["laptop"],
    );
    let read = agent.call("wait_for_answer", &json!({"question_id": foreign.id}));
    assert!(!read.to_string().contains("salaries"), "{read}");
    assert!(read.to_string().contains("not_found"), "{read}");
    let call = agent.begin("ask_user_question", &question("Which database?"));
    let asked = loop {
        let open = team
            .client("laptop")
            .inquiries(&ListInquiriesParams::default())
            .await;
        if let Some(asked) = open.expect("a list").items.pop() {
            break asked;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(asked.asker.expect("an asker").client.as_str(), "laptop");
    let answer = serde_json::from_value(json!({"answers": {"q1": "SQLite"}})).expect("an answer");
    team.client("anna")
        .answer(&asked.id, &answer)
        .await
        .expect("it is answered");
    assert!(call.result().to_string().contains("SQLite"));
}

/// A proxy names the person; anybody else who sends the header is nobody.
#[tokio::test]
async fn proxy_vouches_for_people() {
    let who = |server: &Server, headers: &[(&str, &str)]| -> (u16, Value) {
        let own = [("Host", "localhost")];
        let (status, reply) = raw(server, &request("GET /me", &[&own, headers].concat()));
        let body = super::support::raw_http::body(&reply);
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    };
    let flags = |proxy| {
        [
            "--identity-header",
            "X-Forwarded-User",
            "--trusted-proxy",
            proxy,
        ]
    };
    let team = Team::start(&flags("127.0.0.1")).await;
    let header = "X-Forwarded-User";
    let (status, me) = who(&team.server, &[(header, "anna")]);
    assert_eq!(
        (status, &me["person"], &me["scope"]),
        (200, &json!("anna"), &json!("respondent"))
    );
    assert_eq!(who(&team.server, &[(header, "mallory")]).0, 401);
    assert_eq!(who(&team.server, &[]).0, 401);
    assert_eq!(
        who(&team.server, &[(header, "anna"), (header, "ben")]).0,
        401
    );
    // A page of another site cannot use what the proxy adds.
    let cross = [(header, "anna"), ("Sec-Fetch-Site", "cross-site")];
    assert_eq!(who(&team.server, &cross).0, 401);
    let elsewhere = Team::start(&flags("10.0.0.0/8")).await;
    assert_eq!(who(&elsewhere.server, &[(header, "anna")]).0, 401);
}

/// A person who signs in with a link that works once is that person, and their pages have no conversations. The link that they
/// make for their phone signs nobody else in.
#[tokio::test]
async fn person_signs_in_with_a_link() {
    let team = Team::start(&[]).await;
    team.ask("laptop", SECRET, Some("ben")).await;
    let annas = |from: Client| async move {
        let params = NewSignInCodeParams {
            person: Some("anna".to_owned()),
        };
        let made = from.create_sign_in_code(&params).await;
        let url = made.expect("it is made").url;
        url.split_once("/inbox?").expect("a page").1.to_owned()
    };
    // Ben's own link is for Ben, whatever he sends.
    for (from, expected) in [
        (team.server.client.clone(), "anna"),
        (team.client("ben"), "ben"),
    ] {
        let code = annas(from).await;
        let get = |path: &str, headers: &[(&str, &str)]| {
            let own = [("Host", "localhost")];
            raw(
                &team.server,
                &request(&format!("GET {path}"), &[&own, headers].concat()),
            )
        };
        let (status, reply) = get(&format!("/inbox?{code}"), &[]);
        assert_eq!(status, 303, "{reply}");
        let cookie = header(&reply, "set-cookie")[0]
            .split(';')
            .next()
            .expect("a cookie");
        let (_, me) = get("/me", &[("Cookie", cookie)]);
        assert!(me.contains(&format!("\"person\":\"{expected}\"")), "{me}");
        let (status, page) = get("/inbox", &[("Cookie", cookie)]);
        assert_eq!(status, 200);
        assert!(
            page.contains(&format!(" data-person=\"{expected}")),
            "{page}"
        );
        assert_eq!(get("/new", &[("Cookie", cookie)]).0, 403);
        assert!(header(&get("/", &[("Cookie", cookie)]).1, "location") == ["/inbox"]);
        let (again, _) = get(&format!("/inbox?{code}"), &[]);
        assert_eq!(again, 401, "it works once");
    }
}

/// A link opens a page, and is no token: who has one cannot use the API with it, nor the other way round.
#[tokio::test]
async fn link_is_no_token() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "Deploy?", Some("anna")).await;
    let anna = team.client("anna");
    let link = anna.link(&asked.id, &NewLinkParams::default()).await;
    let link = link.expect("it is made").url;
    let key = link.split_once("?key=").expect("a key").1;
    let disguised = team.with_token(&format!("askback_inquiry_{}.{key}", asked.id));
    assert_eq!(code(disguised.me().await), Some(ProblemCode::Unauthorized));
    let token = team.inquiry_token(&asked.id, LinkAllow::Stop).await;
    let key = token.rsplit_once('.').expect("a key").1;
    let opens = format!("GET /q/{}?key={key}", asked.id);
    let (status, page) = raw(&team.server, &request(&opens, &[("Host", "localhost")]));
    assert!(status != 200 && !page.contains("Deploy?"), "{page}");
}

/// The next thing that a feed says about an inquiry, as it was sent.
async fn told(feed: &mut askback_client::EventStream) -> Value {
    loop {
        let item = within("an event", feed.next())
            .await
            .expect("the feed goes on");
        if let FeedItem::Event(event) = item
            && let EventResponse::Inquiry(change) = *event
        {
            return serde_json::to_value(&*change).expect("JSON");
        }
    }
}

/// That an inquiry is not for the reader any more, and nothing of it.
fn assert_only_gone(told: &Value, asked: &InquiryResponse) {
    assert_eq!(told["change"], "handed_on", "{told}");
    let shown = told["inquiry"].as_object().expect("an inquiry");
    assert_eq!(shown["id"], asked.id.to_string());
    assert_eq!(shown["questions"], json!([]), "{told}");
    let allowed = "id conversation_id status version revision dialect flags questions asked_at";
    for (field, value) in shown {
        let is_allowed = allowed.split(' ').any(|it| it == field) || value.is_null();
        assert!(is_allowed, "{field}: {told}");
    }
}

fn hand_on_to(recipient: &str) -> HandOnParams {
    HandOnParams {
        recipient: recipient.to_owned(),
        reason: Some(SECRET.to_owned()),
        revision: None,
    }
}

/// Whoever handed a question on does not learn from an old position of the feed what became of it: neither who has it, nor
/// why, nor the answer.
#[tokio::test]
async fn feed_tells_nothing_of_what_became_of_it() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "Whose is it?", Some("anna")).await;
    let (anna, ben) = (team.client("anna"), team.client("ben"));
    let mut live = anna.events(Some(0));
    assert_eq!(told(&mut live).await["change"], "asked");
    anna.hand_on(&asked.id, &hand_on_to("ben"))
        .await
        .expect("it is hers");
    assert_only_gone(&told(&mut live).await, &asked);
    let cleo = RecipientParams {
        name: Some("Cleo".to_owned()),
        ..RecipientParams::default()
    };
    let added = team.server.client.put_recipient("cleo", &cleo).await;
    added.expect("she is added");
    ben.hand_on(&asked.id, &hand_on_to("cleo"))
        .await
        .expect("it is his");
    let answered = team.server.client.answer(&asked.id, &yes()).await;
    answered.expect("it is answered");
    let next = team.ask("laptop", "The next one?", Some("anna")).await;
    for (mut feed, hand_ons) in [(live, 0), (anna.events(Some(0)), 1)] {
        for _ in 0..hand_ons {
            assert_only_gone(&told(&mut feed).await, &asked);
        }
        let told = told(&mut feed).await;
        assert_eq!(told["inquiry"]["id"], next.id.to_string(), "{told}");
    }
}

/// Somebody who is added later, also to a group, reads nothing of what was handed on before.
#[tokio::test]
async fn newcomer_reads_nothing_of_what_was_handed_on_before() {
    let team = Team::start(&[]).await;
    let admin = &team.server.client;
    let group = |members: &[&str]| RecipientParams {
        members: Some(members.iter().map(|&it| it.to_owned()).collect()),
        ..RecipientParams::default()
    };
    let made = admin.put_recipient("night", &group(&["ben"])).await;
    made.expect("it is made");
    let for_nobody = team.ask("laptop", "For anybody?", None).await;
    let for_group = team.ask("laptop", "For the night?", Some("night")).await;
    for asked in [&for_nobody, &for_group] {
        let handed_on = admin.hand_on(&asked.id, &hand_on_to("anna")).await;
        handed_on.expect("it is handed on");
    }
    let zed = RecipientParams {
        name: Some("Zed".to_owned()),
        ..RecipientParams::default()
    };
    admin.put_recipient("zed", &zed).await.expect("he is added");
    let joined = admin.put_recipient("night", &group(&["ben", "zed"])).await;
    joined.expect("he is in the group");
    let params = NewCredentialParams {
        name: "zed".to_owned(),
        scope: ScopeName::Respondent,
        person: Some("zed".to_owned()),
        expires_in: None,
    };
    let made = admin.create_token(&params).await.expect("it is made");
    let mut feed = team.with_token(&made.token).events(Some(0));
    assert_only_gone(&told(&mut feed).await, &for_nobody);
    assert_only_gone(&told(&mut feed).await, &for_group);
}

/// People who have the same name are two people, and nobody becomes one of them by a header.
#[tokio::test]
async fn undo_goes_by_person_not_by_name() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "For anybody?", None).await;
    let held = AnswerParams {
        undo_seconds: Some(60),
        ..yes()
    };
    team.client("anna")
        .answer(&asked.id, &held)
        .await
        .expect("it is answered");
    let token = team.inquiry_token(&asked.id, LinkAllow::Stop).await;
    let claimed = askback_core::outcome::Actor::new(
        askback_core::text::Text::name("Anna"),
        askback_core::outcome::Surface::Web,
    );
    let page = team.with_token(&token).acting_as(&claimed);
    let undone = page.undo(&asked.id, &UndoParams::default()).await;
    assert_eq!(code(undone), Some(ProblemCode::NothingHeld));
}

/// A page undoes what was answered with its token, and not what an administrator of the name that it claims has answered.
#[tokio::test]
async fn page_undoes_only_its_own_answer() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "For anybody?", None).await;
    let held = AnswerParams {
        undo_seconds: Some(60),
        ..yes()
    };
    let zoe = askback_core::outcome::Actor::new(
        askback_core::text::Text::name("Zoë"),
        askback_core::outcome::Surface::Web,
    );
    let undo = UndoParams::default();
    let admin = team.client("second-admin").acting_as(&zoe);
    let token = team.inquiry_token(&asked.id, LinkAllow::Stop).await;
    let page = team.with_token(&token).acting_as(&zoe);
    admin.answer(&asked.id, &held).await.expect("it waits");
    assert_eq!(
        code(page.undo(&asked.id, &undo).await),
        Some(ProblemCode::NothingHeld)
    );
    admin.undo(&asked.id, &undo).await.expect("its own");
    page.answer(&asked.id, &held).await.expect("it waits again");
    page.undo(&asked.id, &undo).await.expect("its own");
}

/// People see the name of the token of whoever asks, whatever it calls itself beside or in the question.
#[tokio::test]
async fn agent_cannot_ask_under_the_name_of_another() {
    let team = Team::start(&[]).await;
    let laptop = team.client("laptop");
    let claimed = json!({"client": "build-server", "session": "s1"});
    let in_input = json!({"questions": [{"question": "Which?", "header": "Which", "multiSelect": false,
        "options": [{"label": "A", "description": "One"}, {"label": "B", "description": "Two"}]}],
        "metadata": {"source": "build-server"}});
    for (params, shown) in [
        (confirm("Bare?", None), "laptop"),
        (
            NewInquiryParams {
                source: Some("build-server".to_owned()),
                ..confirm("Beside?", None)
            },
            "laptop: build-server",
        ),
        (
            NewInquiryParams {
                source: Some("build-server".to_owned()),
                asker: Some(serde_json::from_value(claimed).expect("an asker")),
                ..confirm("Both?", None)
            },
            "laptop: build-server",
        ),
        (
            NewInquiryParams {
                input: in_input,
                dialect: Some("AskUserQuestion".to_owned()),
                ..NewInquiryParams::default()
            },
            "laptop",
        ),
    ] {
        let asked = laptop.ask(&params).await.expect("it is asked");
        let seen = team.client("anna").inquiry(&asked.id).await.expect("hers");
        assert_eq!(seen.asker_name(), Some(shown));
    }
    let token = &team.tokens["laptop"];
    let address = &team.server.address;
    let agent = HttpAgent::with_token(address, Era::Old, ("build-server", ""), token);
    let call = agent.begin("ask_user_question", &question("Over MCP?"));
    while team.pending().await.len() < 5 {
        tokio::task::yield_now().await;
    }
    let shown = team.pending().await.into_iter().rev();
    let shown: Vec<String> = shown
        .filter_map(|it| Some(it.asker_name()?.to_owned()))
        .collect();
    assert!(
        shown.contains(&"laptop: build-server".to_owned()),
        "{shown:?}"
    );
    assert!(!shown.contains(&"build-server".to_owned()), "{shown:?}");
    drop(call);
}

/// A page may say who uses it, but nobody becomes one of the people whom the server knows, or somebody at a terminal.
#[tokio::test]
async fn page_does_not_answer_under_the_name_of_a_person() {
    let team = Team::start(&[]).await;
    for (claimed, recorded) in [
        ("Anna", None),
        (" anna ", None),
        ("BEN", None),
        ("Zoë of the web shop", Some("Zoë of the web shop")),
    ] {
        let asked = team.ask("laptop", "Deploy?", Some("anna")).await;
        let token = team.inquiry_token(&asked.id, LinkAllow::Answer).await;
        let actor = askback_core::outcome::Actor::new(
            askback_core::text::Text::name(claimed),
            askback_core::outcome::Surface::Terminal,
        );
        let page = team.with_token(&token).acting_as(&actor);
        let answered = page.answer(&asked.id, &yes()).await.expect("answered");
        assert_eq!(answered.answered_by.as_deref(), recorded, "{claimed}");
        let surface = answered.surface.map(|surface| surface.to_string());
        assert_eq!(surface.as_deref(), Some("http"), "{claimed}");
    }
}

/// A page of a list says nothing of what is not the caller's: neither that it is there, nor when it expires.
#[tokio::test]
async fn pages_of_a_list_hide_what_is_between() {
    let team = Team::start(&[]).await;
    let expires = |text: &str, recipient: &str, hours: u32| NewInquiryParams {
        expires_in: Some(format!("{hours}h").parse().expect("a duration")),
        ..confirm(text, Some(recipient))
    };
    let laptop = team.client("laptop");
    laptop
        .ask(&expires("First?", "anna", 1))
        .await
        .expect("asked");
    for _ in 0..30 {
        laptop.ask(&expires(SECRET, "ben", 2)).await.expect("asked");
    }
    let last = laptop.ask(&expires("Last?", "anna", 3)).await;
    last.expect("asked");
    laptop.ask(&expires(SECRET, "ben", 4)).await.expect("asked");
    let mut params = ListInquiriesParams {
        status: Some(InquiryStatus::Pending),
        limit: Some(1),
        ..ListInquiriesParams::default()
    };
    let anna = team.client("anna");
    let first = anna.inquiries(&params).await.expect("a page");
    assert_eq!(first.items[0].questions[0].text, "First?");
    let after_first = team.server.client.inquiries(&params).await;
    assert_eq!(first.next, after_first.expect("a page").next);
    params.cursor = first.next;
    let second = anna.inquiries(&params).await.expect("a page");
    assert_eq!(second.items[0].questions[0].text, "Last?");
    assert_eq!(second.next, None);
    // Of two that fit, the cursor is not that of what comes between.
    params = ListInquiriesParams {
        limit: Some(2),
        cursor: None,
        ..params
    };
    let both = anna.inquiries(&params).await.expect("a page");
    assert_eq!(both.items.len(), 2);
    assert_eq!(both.next, None);
}

/// A session ends with the token that signed it in, also when that expires; and the form without scripts knows who is signed in.
#[tokio::test]
async fn session_ends_with_its_token_and_names_its_person() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "For anybody?", None).await;
    let get = |line: &str, headers: &[(&str, &str)]| {
        let own = [("Host", "localhost")];
        raw(&team.server, &request(line, &[&own, headers].concat()))
    };
    let sign_in = |token: &str| {
        let (status, reply) = get(&format!("GET /inbox?token={token}"), &[]);
        assert_eq!(status, 303, "{reply}");
        let cookie = header(&reply, "set-cookie")[0].split(';').next();
        cookie.expect("a cookie").to_owned()
    };
    let cookie = sign_in(&team.tokens["anna"]);
    let browser = Browser {
        server: &team.server,
        cookie,
        language: "en",
    };
    let path = format!("/q/{}", asked.id);
    let (_, page) = browser.get(&path);
    let (status, reply) = browser.post(&path, &page, &[("action-choose-1", "1")]);
    assert_eq!(status, 303, "{reply}");
    let asked = team
        .server
        .client
        .inquiry(&asked.id)
        .await
        .expect("it is there");
    let held = asked.held.expect("it can be undone");
    assert_eq!(held.answered_by.as_deref(), Some("Anna"));
    let (_, page) = get(
        &format!("GET {path}"),
        &[("Cookie", &sign_in(&team.tokens["ben"]))],
    );
    assert!(!page.contains("action-undo"), "only hers to undo: {page}");
    let params = NewCredentialParams {
        name: "short".to_owned(),
        scope: ScopeName::Respondent,
        person: Some("anna".to_owned()),
        expires_in: Some("1s".parse().expect("a duration")),
    };
    let short = team
        .server
        .client
        .create_token(&params)
        .await
        .expect("it is made")
        .token;
    let cookie = sign_in(&short);
    while get("GET /me", &[("Cookie", &cookie)]).0 == 200 {
        tokio::task::yield_now().await;
    }
    assert_eq!(get("GET /me", &[("Cookie", &cookie)]).0, 401);
    // Another token of the same person signs the same browser in again.
    let line = format!("GET /inbox?token={}", team.tokens["anna"]);
    let (_, reply) = get(&line, &[("Cookie", &cookie)]);
    let fresh = header(&reply, "set-cookie");
    let fresh = fresh.first().and_then(|cookie| cookie.split(';').next());
    let fresh = fresh.expect("a new session");
    assert_eq!(get("GET /me", &[("Cookie", fresh)]).0, 200);
}
