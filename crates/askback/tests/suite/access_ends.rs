//! Access ends everywhere when it ends: what a caller has opened, and what another caller has learnt, is worth nothing.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use askback_core::id::InquiryId;
use askback_wire::asker::{ListAskerSessionsParams, TakeoverParams};
use askback_wire::credential::{NewCredentialParams, ScopeName};
use askback_wire::inquiry::{HandOnParams, NewInquiryParams};
use askback_wire::link::NewLinkParams;
use askback_wire::problem::ProblemCode;
use serde_json::{Value, json};

use super::support::mcp_client::{Era, only_open, question};
use super::support::mcp_dialog::{Replies, accept, capabilities, config};
use super::support::mcp_http_client::HttpAgent;
use super::support::push_service::{PushService, PushedMessage};
use super::support::raw_http::{header, raw, request};
use super::support::server_process::{Directory, TOKEN};
use super::support::team::{Team, code, confirm, yes};
use super::support::timeout::{TEST_TIMEOUT, within};

const ASK: &str = "ask_user_question";

/// Whoever learns the id of another agent's session can neither call in it, nor answer its dialog, nor end it; and people do
/// not see the id.
#[tokio::test]
async fn mcp_session_works_only_with_the_token_that_started_it() {
    let settings = Directory::new();
    let dialogs = fs::read_to_string(config(&settings, Replies::ByAPerson)).expect("it is there");
    let team = Team::start_with(&dialogs, &[]).await;
    let address = &team.server.address;
    let owner = HttpAgent::with_capabilities(address, ("test-agent", Era::Old), capabilities());
    let call = owner.begin(ASK, &question("Which database?"));
    let dialog = call.message().expect("the stream goes on");
    assert_eq!(dialog["method"], "elicitation/create", "{dialog}");
    let id = InquiryId::new(only_open(&team.server.client).await);
    let stored = team.server.client.inquiry(&id).await.expect("it is there");
    let session = owner.session.clone().expect("a session");
    let shown = stored.asker.expect("an asker").session;
    assert!(!shown.contains(&session), "{shown}");

    let token = &team.tokens["build-server"];
    let mut thief = HttpAgent::with_token(address, Era::Old, ("thief", ""), token);
    thief.session = Some(session);
    let reply = json!({"jsonrpc": "2.0", "id": dialog["id"],
                       "result": accept(&json!({"question_0": "SQLite"}))});
    assert_eq!(thief.post(&reply, &[]).status(), 404);
    assert_eq!(thief.request("tools/list", json!({})).status(), 404);
    let accept_events = [("Accept", "text/event-stream")];
    assert_eq!(thief.send("GET", &accept_events, "").status(), 404);
    thief.send("DELETE", &[], "");
    let stored = team.server.client.inquiry(&id).await.expect("it is there");
    assert_eq!(stored.status.as_str(), "pending", "nobody has answered");
    assert_eq!(owner.post(&reply, &[]).status(), 202, "it is the owner's");
    assert!(call.result().to_string().contains("SQLite"));
}

/// The sessions of an agent are those of its own name, whatever name it claims.
#[tokio::test]
async fn sessions_of_another_agent_cannot_be_taken_over() {
    let team = Team::start(&[]).await;
    let laptop_session = json!({"client": "laptop", "session": "s1"});
    let question = NewInquiryParams {
        asker: Some(serde_json::from_value(laptop_session).expect("an asker")),
        ..confirm("Deploy?", None)
    };
    let laptop = team.client("laptop");
    let asked = laptop.ask(&question).await.expect("it is asked");
    let sessions = ListAskerSessionsParams {
        client: "laptop".to_owned(),
        ..ListAskerSessionsParams::default()
    };
    let takeover: TakeoverParams =
        serde_json::from_value(json!({"client": "laptop", "session": "s2", "from": ["s1"]}))
            .expect("a takeover");
    let other = team.client("build-server");
    let found = other.asker_sessions(&sessions).await.expect("a list");
    assert_eq!(found.items.len(), 0);
    let taken = other.take_over(&takeover).await.expect("nothing");
    assert_eq!(taken.questions, 0);
    let found = laptop.asker_sessions(&sessions).await.expect("a list");
    assert_eq!(found.items.len(), 1);
    let asked = laptop.inquiry(&asked.id).await.expect("its own");
    assert_eq!(asked.asker.expect("an asker").session.as_str(), "s1");
}

/// A revoked token ends what waits: a question that is asked with `wait`, and a call over MCP. What they asked stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_requests_end_with_their_token() {
    let team = Team::start(&[]).await;
    let address = &team.server.address;
    let token = &team.tokens["laptop"];
    let agent = HttpAgent::with_token(address, Era::Old, ("claude-code", ""), token);
    let call = agent.begin(ASK, &question("Which database?"));
    let body = json!({"questions": [{"text": "Deploy?", "kind": "confirm"}]});
    let asked = std::thread::scope(|scope| {
        let waits = scope.spawn(|| team.post("laptop", "/inquiries?wait=10m", &body));
        let runtime = tokio::runtime::Handle::current();
        tokio::task::block_in_place(|| {
            runtime.block_on(async {
                while team.pending().await.len() < 2 {
                    tokio::task::yield_now().await;
                }
                let revoked = team.server.client.revoke_token("laptop").await;
                revoked.expect("it is revoked");
            });
        });
        waits.join().expect("it ends")
    });
    assert_eq!(asked.0, 401, "{}", asked.1);
    while call.line().is_some() {}
    assert_eq!(team.pending().await.len(), 2, "they stay");
}

/// The browser of somebody whose token is revoked gets no notification more.
#[tokio::test]
async fn notifications_end_with_the_token_that_subscribed() {
    let service = PushService::start();
    let settings = format!("[channels.webpush]\nbase_url = '{}'\n", service.base_url);
    let team = Team::start_with(&settings, &[]).await;
    for name in ["anna", "ben"] {
        let (status, body) = team.post(name, "/push/subscriptions", &service.subscription(name));
        assert_eq!(status, 200, "{body}");
    }
    team.ask("laptop", "Before?", None).await;
    for name in ["/anna", "/ben"] {
        let is_theirs = |it: &PushedMessage| it.path == name;
        service.message("a notification", is_theirs).await;
    }
    let revoked = team.server.client.revoke_token("anna").await;
    revoked.expect("it is revoked");
    let asked = team.ask("laptop", "After?", None).await;
    let is_about = |it: &PushedMessage| it.body["tag"] == asked.id.as_str();
    let told = service.message("a notification", is_about).await;
    assert_eq!(told.path, "/ben");
    let messages = service.messages();
    let annas = messages
        .iter()
        .filter(|it| is_about(it) && it.path == "/anna");
    assert_eq!(annas.count(), 0);
}

/// The link that a person has made answers nothing once the question is not theirs any more.
#[tokio::test]
async fn link_of_a_person_ends_when_they_hand_the_question_on() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "Whose is it?", Some("anna")).await;
    let anna = team.client("anna");
    let link = anna.link(&asked.id, &NewLinkParams::default()).await;
    let link = link.expect("it is made").url;
    let path = format!("/q/{}", link.split_once("/q/").expect("a path").1);
    let open = || {
        raw(
            &team.server,
            &request(&format!("GET {path}"), &[("Host", "localhost")]),
        )
    };
    let (status, page) = open();
    assert_eq!(status, 200, "{page}");
    assert!(
        page.contains("action-choose-1"),
        "it can be answered: {page}"
    );
    let to = HandOnParams {
        recipient: "ben".to_owned(),
        reason: None,
        revision: None,
    };
    anna.hand_on(&asked.id, &to).await.expect("it is hers");
    let (_, page) = open();
    assert!(!page.contains("action-choose-1"), "{page}");
    assert_eq!(
        code(anna.inquiry(&asked.id).await),
        Some(ProblemCode::NotFound)
    );
    let answered = within("his answer", team.client("ben").answer(&asked.id, &yes())).await;
    answered.expect("it is his");
}

/// A request whose body is not complete does nothing once the access of its sender has ended.
#[tokio::test]
async fn body_that_comes_slowly_does_not_prolong_access() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "Deploy?", Some("ben")).await;
    let answer = format!("/inquiries/{}/answer", asked.id);
    let page = team
        .inquiry_token(&asked.id, askback_wire::link::LinkAllow::Answer)
        .await;
    let evil = json!({"name": "evil", "scope": "admin"});
    let yes = json!({"answers": {"go": true}});
    let ask = json!({"questions": [{"text": "Late?", "kind": "confirm"}]});
    let token = |name: &str| team.tokens[name].clone();
    let begun = [
        UnfinishedPost::begin(&team, "/tokens", &token("second-admin"), &evil),
        UnfinishedPost::begin(&team, &answer, &token("ben"), &yes),
        UnfinishedPost::begin(&team, "/inquiries", &token("laptop"), &ask),
        UnfinishedPost::begin(&team, "/mcp", &token("laptop"), &json!({})),
    ];
    // Somebody who loses nothing.
    let others = UnfinishedPost::begin(&team, &answer, &page, &json!({"answers": {"go": false}}));
    for name in ["second-admin", "ben", "laptop"] {
        let revoked = team.server.client.revoke_token(name).await;
        revoked.expect("it is revoked");
    }
    for post in begun {
        assert_eq!(post.finish(), 401);
    }
    let names = team.server.client.tokens().await.expect("a list").items;
    assert!(names.iter().all(|token| token.name != "evil"), "{names:?}");
    assert_eq!(
        team.pending().await.len(),
        1,
        "nothing was asked or answered"
    );
    assert_eq!(others.finish(), 200);
}

/// A form whose sender had the question when it began, and has it no more, answers nothing.
#[tokio::test]
async fn form_does_not_answer_what_was_handed_on_while_it_was_sent() {
    let team = Team::start(&[]).await;
    let asked = team.ask("laptop", "Deploy?", Some("ben")).await;
    let path = format!("/q/{}", asked.id);
    let form = "revision=1&action-choose-1=Yes".to_owned();
    let post = UnfinishedPost::begin_form(&team, &path, &team.tokens["ben"], form);
    let to: HandOnParams = serde_json::from_value(json!({"recipient": "anna"})).expect("params");
    let handed_on = team.server.client.hand_on(&asked.id, &to).await;
    handed_on.expect("it is handed on");
    assert_eq!(post.finish(), 401);
    let now = team.server.client.inquiry(&asked.id).await.expect("there");
    assert_eq!((now.status.as_str(), now.held), ("pending", None));
}

/// A link that signs a browser in is worth nothing once the token or session is that made it, whatever gets the name later.
#[tokio::test]
async fn sign_in_code_ends_with_what_made_it() {
    let team = Team::start(&[]).await;
    let open = |line: &str, headers: &[(&str, &str)]| {
        let own = [("Host", "localhost")];
        raw(&team.server, &request(line, &[&own, headers].concat()))
    };
    let by_token = code_of(&team.post("second-admin", "/sign-in-codes", &json!({})).1);
    let (_, reply) = open(&format!("GET /?token={TOKEN}"), &[]);
    let session = cookie(&reply).expect("a session");
    let headers = [("Cookie", session.as_str()), ("Content-Length", "0")];
    let by_session = code_of(&open("POST /sign-in-codes", &headers).1);
    let admin = &team.server.client;
    let revoked = admin.revoke_token("second-admin").await;
    revoked.expect("it is revoked");
    admin.end_sessions().await.expect("they are ended");
    let again = NewCredentialParams {
        name: "second-admin".to_owned(),
        scope: ScopeName::Metrics,
        person: None,
        expires_in: None,
    };
    admin.create_token(&again).await.expect("it is made");
    for code in [by_token, by_session] {
        let (_, reply) = open(&format!("GET /inbox?sign-in={code}"), &[]);
        assert_eq!(cookie(&reply), None, "{reply}");
    }
}

/// Nor is a browser that it signed in, also if whoever revoked it was gone at once.
#[tokio::test]
async fn browser_ends_with_the_token_that_signed_it_in() {
    let team = Team::start(&[]).await;
    let admin = &team.server.client;
    for round in 0..20 {
        let named = |scope| NewCredentialParams {
            name: format!("ops-{round}"),
            scope,
            person: None,
            expires_in: None,
        };
        let made = admin.create_token(&named(ScopeName::Admin)).await;
        let token = made.expect("it is made").token;
        let line = format!("GET /?token={token}");
        let (_, reply) = raw(&team.server, &request(&line, &[("Host", "localhost")]));
        let cookie = cookie(&reply).expect("a session");
        let (authorization, line) = (
            format!("Bearer {TOKEN}"),
            format!("DELETE /tokens/ops-{round}"),
        );
        let headers = [
            ("Host", "localhost"),
            ("Authorization", authorization.as_str()),
        ];
        let address = team.server.address.trim_start_matches("http://");
        let mut revoker = TcpStream::connect(address).expect("the server listens");
        let sent = revoker.write_all(&request(&line, &headers));
        sent.expect("it is sent");
        drop(revoker);
        let with_token = team.with_token(&token);
        // The server may have seen the end of the connection before the request.
        let mut looks = 0..100;
        while with_token.me().await.is_ok() {
            if looks.next().is_none() {
                // Or it comes to it only now.
                drop(admin.revoke_token(&format!("ops-{round}")).await);
            }
        }
        admin
            .create_token(&named(ScopeName::Metrics))
            .await
            .expect("the name is free");
        let headers = [("Host", "localhost"), ("Cookie", cookie.as_str())];
        let (status, reply) = raw(&team.server, &request("GET /me", &headers));
        assert_eq!(status, 401, "round {round}: {reply}");
    }
}

fn cookie(reply: &str) -> Option<String> {
    let cookies = header(reply, "set-cookie");
    let cookie = cookies.first().and_then(|it| it.split(';').next());
    cookie.map(str::to_owned)
}

fn code_of(reply: &str) -> String {
    let code = reply.split("sign-in=").nth(1).expect("a code");
    code.split('"').next().unwrap_or_default().to_owned()
}

/// A request of which all but the end of its body was sent.
struct UnfinishedPost {
    stream: TcpStream,
    rest: Vec<u8>,
}

impl UnfinishedPost {
    fn begin(team: &Team, path: &str, token: &str, sent: &Value) -> UnfinishedPost {
        UnfinishedPost::begin_as(team, path, (token, "application/json"), sent.to_string())
    }

    fn begin_form(team: &Team, path: &str, token: &str, sent: String) -> UnfinishedPost {
        let form = (token, "application/x-www-form-urlencoded");
        UnfinishedPost::begin_as(team, path, form, sent)
    }

    fn begin_as(
        team: &Team,
        path: &str,
        (token, kind): (&str, &str),
        sent: String,
    ) -> UnfinishedPost {
        let (authorization, length) = (format!("Bearer {token}"), sent.len().to_string());
        let headers = [
            ("Host", "localhost"),
            ("Authorization", authorization.as_str()),
            ("Accept", "application/json, text/event-stream"),
            ("Content-Type", kind),
            ("Content-Length", length.as_str()),
            // The server says when it reads the body: it knows the caller by then.
            ("Expect", "100-continue"),
        ];
        let address = team.server.address.trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).expect("the server listens");
        let timeout = stream.set_read_timeout(Some(TEST_TIMEOUT));
        timeout.expect("it can be set");
        let begun = stream.write_all(&request(&format!("POST {path}"), &headers));
        begun.expect("it is sent");
        let mut line = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
        stream.read_exact(&mut line).expect("the server reads on");
        assert!(line.starts_with(b"HTTP/1.1 100"), "{line:?}");
        UnfinishedPost {
            stream,
            rest: sent.into_bytes(),
        }
    }

    /// The status of the response after the rest of the body.
    fn finish(mut self) -> u16 {
        // The server may have closed before everything is sent.
        drop(self.stream.write_all(&self.rest));
        let mut reply = Vec::new();
        drop(self.stream.read_to_end(&mut reply));
        let reply = String::from_utf8_lossy(&reply);
        let status = reply.split(' ').nth(1).and_then(|it| it.parse().ok());
        status.unwrap_or(0)
    }
}
