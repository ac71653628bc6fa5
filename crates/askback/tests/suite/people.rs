//! People and groups in the store: they count at once and on every node, and each sees what is theirs.

use askback_client::{Client, ClientError, FeedItem};
use askback_wire::credential::{NewCredentialParams, ScopeName};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::{HandOnParams, InquiryResponse, NewInquiryParams};
use askback_wire::list::ListInquiriesParams;
use askback_wire::problem::ProblemCode;
use askback_wire::recipient::{OnCallParams, RecipientParams};
use askback_wire::session::NewSignInCodeParams;
use askback_wire::token::Token;

use super::support::mcp_client::{Era, question};
use super::support::mcp_http_client::HttpAgent;
use super::support::raw_http::{header, raw, request};
use super::support::run_binary::{askback, fails, succeeds};
use super::support::server_process::{Directory, Server};
use super::support::timeout::within;
use super::token_scopes::{Team, code, confirm, yes};
use super::two_nodes::POSTGRES;

pub(super) fn person(name: &str) -> RecipientParams {
    RecipientParams {
        name: Some(name.to_owned()),
        ..RecipientParams::default()
    }
}

fn group(members: &[&str]) -> RecipientParams {
    RecipientParams {
        members: Some(members.iter().map(|&it| it.to_owned()).collect()),
        ..RecipientParams::default()
    }
}

pub(super) async fn token(
    admin: &Client,
    name: &str,
    scope: ScopeName,
    person: Option<&str>,
) -> String {
    let params = NewCredentialParams {
        name: name.to_owned(),
        scope,
        person: person.map(str::to_owned),
        expires_in: None,
    };
    admin.create_token(&params).await.expect("it is made").token
}

pub(super) fn client(server: &Server, token: &str) -> Client {
    Client::new(&server.address, Some(Token::new(token))).expect("an address")
}

/// The texts of what a client can list, in order.
async fn texts(client: &Client, recipient: Option<&str>) -> Vec<String> {
    let params = ListInquiriesParams {
        recipient: recipient.map(str::to_owned),
        ..ListInquiriesParams::default()
    };
    let page = client.inquiries(&params).await.expect("a list");
    let text = |it: InquiryResponse| it.questions[0].text.clone();
    let mut texts: Vec<String> = page.items.into_iter().map(text).collect();
    texts.sort();
    texts
}

/// Waits until a feed ends, and says why.
async fn end_of(feed: &mut askback_client::EventStream) -> Option<ProblemCode> {
    loop {
        match within("the end of the feed", feed.next()).await {
            Ok(_) => {}
            Err(error) => return code::<()>(Err(error)),
        }
    }
}

/// The cookie of a browser that a person signed in with a link.
pub(super) async fn signed_in(server: &Server, maker: &Client, alias: &str) -> String {
    let person = Some(alias.to_owned());
    let made = maker
        .create_sign_in_code(&NewSignInCodeParams { person })
        .await;
    let url = made.expect("it is made").url;
    let query = url.split_once("/inbox?").expect("a page").1;
    let opens = request(&format!("GET /inbox?{query}"), &[("Host", "localhost")]);
    let (_, reply) = raw(server, &opens);
    let cookies = header(&reply, "set-cookie");
    cookies[0].split(';').next().expect("a cookie").to_owned()
}

/// On the command line, without a restart: a person is asked, sees it and is removed. Then nothing of theirs works any more, not
/// even for somebody who gets their alias, and the question is the administrator's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn person_comes_and_goes_without_a_restart() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let data = directory.path().join("data");
    let data = data.to_str().expect("a path");
    let run = |args: &[&str]| succeeds(&[args, &["--data", data]].concat(), "");
    askback(
        &["person", "add", "ben", "--name", "Ben", "--data", data],
        "",
    );
    let added = askback(
        &["person", "add", "anna", "--name", "Anna", "--data", data],
        "",
    );
    assert_eq!(added.code, Some(0), "{}", added.err);
    assert_eq!(added.out, "anna  Anna  gets no messages\n");
    run(&[
        "person",
        "add",
        "ops",
        "--members",
        "anna,ben",
        "--rotate",
        "7",
    ]);
    let listed = run(&["person"]);
    assert!(
        listed.contains("ops  group of anna, ben  on call: anna"),
        "{listed}"
    );

    let secret = token(&server.client, "annas", ScopeName::Respondent, Some("anna")).await;
    let anna = client(&server, &secret);
    let asked = server.client.ask(&confirm("For Anna?", Some("anna"))).await;
    let asked = asked.expect("it is asked");
    assert_eq!(asked.reachable, Some(false));
    assert!(
        asked
            .warning
            .is_some_and(|it| it.contains("Anna gets no message"))
    );
    assert_eq!(texts(&anna, None).await, ["For Anna?"]);
    let cookie = signed_in(&server, &server.client, "anna").await;
    let get = |line: &str, cookie: &str| {
        let headers = [("Host", "localhost"), ("Cookie", cookie)];
        raw(&server, &request(&format!("GET {line}"), &headers))
    };
    assert_eq!(get("/me", &cookie).0, 200);
    let mut feed = anna.events(None);
    within("a feed", feed.open()).await.expect("a feed");

    run(&["person", "remove", "anna"]);
    assert_eq!(end_of(&mut feed).await, Some(ProblemCode::Unauthorized));
    assert_eq!(get("/me", &cookie).0, 401);
    assert_eq!(texts(&server.client, None).await, ["For Anna?"]);
    let listed = run(&["person"]);
    assert!(
        listed.contains("ops  group of ben  on call: ben"),
        "{listed}"
    );
    let bens = token(&server.client, "bens", ScopeName::Respondent, Some("ben")).await;
    let refused = fails(&["person", "remove", "ben", "--data", data], "", 2);
    assert!(refused.contains("only member of ops"), "{refused}");
    let still_him = client(&server, &bens).me().await;
    still_him.expect("what is refused ends no token");
    // Another Anna.
    askback(
        &["person", "add", "anna", "--name", "Anna", "--data", data],
        "",
    );
    assert_eq!(texts(&server.client, Some("anna")).await, ["For Anna?"]);
    assert_eq!(code(anna.me().await), Some(ProblemCode::Unauthorized));
    assert_eq!(get("/me", &cookie).0, 401);
}

/// What a code signs in has no more than the token with which it was made, and not for longer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_of_a_code_ends_with_the_token_that_made_it() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let secret = token(&server.client, "second", ScopeName::Admin, None).await;
    let maker = client(&server, &secret);
    let cookie = signed_in(&server, &maker, "owner").await;
    let me = || {
        let headers = [("Host", "localhost"), ("Cookie", &*cookie)];
        raw(&server, &request("GET /me", &headers)).0
    };
    assert_eq!(me(), 200);
    server.client.revoke_token("second").await.expect("revoked");
    assert_eq!(me(), 401);
}

/// What the configuration names is changed there, and what cannot be is refused.
#[tokio::test]
async fn recipients_that_cannot_be_are_refused() {
    let team = Team::start(&[]).await;
    let admin = &team.server.client;
    let on_call = RecipientParams {
        on_call: Some(OnCallParams::default()),
        ..person("Kim")
    };
    for (alias, params) in [
        ("anna", person("Another Anna")),
        ("Kim", person("Kim")),
        ("me", person("Me")),
        ("kim", RecipientParams::default()),
        ("kim", on_call),
        ("night", group(&["nobody"])),
    ] {
        let refused = admin.put_recipient(alias, &params).await;
        assert_eq!(
            code(refused),
            Some(ProblemCode::InvalidRecipient),
            "{alias}"
        );
    }
    let removed = admin.remove_recipient("anna").await;
    assert_eq!(code(removed), Some(ProblemCode::InvalidRecipient));
    let removed = admin.remove_recipient("kim").await;
    assert_eq!(code(removed), Some(ProblemCode::NotFound));
    for name in ["laptop", "anna"] {
        let put = team.client(name).put_recipient("kim", &person("Kim")).await;
        assert_eq!(code(put), Some(ProblemCode::ForbiddenScope));
    }
}

/// A private question is seen by the person whom it names, and by nobody else but administrators and its asker.
#[tokio::test]
async fn private_question_is_for_one_person() {
    let team = Team::start(&[]).await;
    let private = |recipient: Option<&str>| NewInquiryParams {
        private: true,
        ..confirm("Raise the salary?", recipient)
    };
    let laptop = team.client("laptop");
    for several in [None, Some("ops")] {
        let refused = laptop.ask(&private(several)).await;
        assert_eq!(code(refused), Some(ProblemCode::UnknownRecipient));
    }
    let asked = laptop
        .ask(&private(Some("anna")))
        .await
        .expect("it is asked");
    assert!(asked.private);
    let (anna, ben) = (team.client("anna"), team.client("ben"));
    assert_eq!(texts(&anna, Some("me")).await, ["Raise the salary?"]);
    assert_eq!(texts(&ben, None).await, [""; 0]);
    let to = |alias: &str| HandOnParams {
        recipient: alias.to_owned(),
        reason: None,
        revision: None,
    };
    let refused = anna.hand_on(&asked.id, &to("ops")).await;
    assert_eq!(code(refused), Some(ProblemCode::UnknownRecipient));
    anna.hand_on(&asked.id, &to("ben"))
        .await
        .expect("to one person");
    assert_eq!(
        code(anna.inquiry(&asked.id).await),
        Some(ProblemCode::NotFound)
    );
    ben.answer(&asked.id, &yes()).await.expect("it is his now");
    let seen = team.server.client.inquiry(&asked.id).await;
    assert!(seen.expect("an administrator sees it").private);
}

/// `recipient=me` is what names the person or a group of theirs; another alias is what names that.
#[tokio::test]
async fn list_for_me() {
    let team = Team::start(&[]).await;
    for (text, recipient) in [
        ("Anna?", Some("anna")),
        ("Ben?", Some("ben")),
        ("Ops?", Some("ops")),
        ("Anybody?", None),
    ] {
        team.ask("laptop", text, recipient).await;
    }
    assert_eq!(
        texts(&team.client("anna"), Some("me")).await,
        ["Anna?", "Ops?"]
    );
    assert_eq!(texts(&team.client("ben"), Some("me")).await, ["Ben?"]);
    assert_eq!(texts(&team.client("anna"), Some("ben")).await, [""; 0]);
    assert_eq!(texts(&team.server.client, Some("ops")).await, ["Ops?"]);
    let params = |recipient: &str| ListInquiriesParams {
        recipient: Some(recipient.to_owned()),
        ..ListInquiriesParams::default()
    };
    // An administrator is nobody in particular.
    let refused = team.server.client.inquiries(&params("me")).await;
    assert_eq!(code(refused), Some(ProblemCode::InvalidQuery));
    let refused = team.server.client.inquiries(&params("zoe")).await;
    assert_eq!(code(refused), Some(ProblemCode::UnknownRecipient));
}

/// An agent over HTTP names in a header whom it asks.
#[tokio::test]
async fn agent_over_http_names_whom_it_asks() {
    let team = Team::start(&[]).await;
    let token = &team.tokens["laptop"];
    let mut agent = HttpAgent::with_token(&team.server.address, Era::Old, ("codex", ""), token);
    agent.recipient = Some("anna");
    let call = agent.begin("ask_user_question", &question("Which database?"));
    while texts(&team.client("anna"), Some("me")).await.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(texts(&team.client("ben"), None).await, [""; 0]);
    call.disconnect();
}

const PEOPLE: [&str; 8] = ["anna", "ben", "carl", "dora", "emil", "fay", "gus", "hana"];

/// Eight people and two agents on two nodes: everybody sees what is theirs on either node, at once; and whoever is revoked or
/// removed on one node is out on the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_people_two_agents_two_nodes() {
    let url = POSTGRES.create_database().expect("a database");
    let store = format!("{url}?lease=1200s");
    let directories = [Directory::new(), Directory::new()];
    let nodes = directories
        .each_ref()
        .map(|it| Server::start_with(it, &["--store", &store]));
    let admin = &nodes[0].client;
    for alias in PEOPLE {
        let added = admin
            .put_recipient(alias, &person(&alias.to_uppercase()))
            .await;
        added.expect("it is added");
    }
    let added = admin.put_recipient("even", &group(&["anna", "carl"])).await;
    added.expect("it is added");
    // The other node knows them as soon as it has read them.
    let known = async |count: usize| {
        while nodes[1]
            .client
            .recipients()
            .await
            .expect("a list")
            .items
            .len()
            != count
        {
            tokio::task::yield_now().await;
        }
    };
    within("the other node knows them", known(1 + PEOPLE.len() + 1)).await;
    let mut people = Vec::new();
    for alias in PEOPLE {
        people.push(token(admin, alias, ScopeName::Respondent, Some(alias)).await);
    }
    let mut agents = Vec::new();
    for name in ["laptop", "build-server"] {
        agents.push(token(admin, name, ScopeName::Agent, None).await);
    }
    for (number, alias) in PEOPLE.into_iter().enumerate() {
        let agent = client(&nodes[number % 2], &agents[number % 2]);
        let asked = agent
            .ask(&confirm(&format!("For {alias}?"), Some(alias)))
            .await;
        assert_eq!(
            asked.expect("it is asked").recipient_name,
            Some(alias.to_uppercase())
        );
    }
    let for_group = client(&nodes[1], &agents[1]);
    let for_group = for_group.ask(&confirm("Group?", Some("even"))).await;
    for_group.expect("it is asked");
    for node in &nodes {
        for (alias, secret) in PEOPLE.iter().zip(&people) {
            let mut expected = vec![format!("For {alias}?")];
            if ["anna", "carl"].contains(alias) {
                expected.push("Group?".to_owned());
            }
            assert_eq!(texts(&client(node, secret), None).await, expected);
        }
        let of_agent = texts(&client(node, &agents[0]), None).await;
        assert_eq!(
            of_agent,
            ["For anna?", "For carl?", "For emil?", "For gus?"]
        );
    }
    ends_on_the_other_node(&nodes, &people).await;
}

/// Feeds on the second node end when something is revoked or removed on the first one.
async fn ends_on_the_other_node(nodes: &[Server; 2], people: &[String]) {
    let mut feeds = Vec::new();
    for secret in &people[..2] {
        let mut feed = client(&nodes[1], secret).events(Some(0));
        // It shows what is theirs.
        let FeedItem::Event(event) = within("an event", feed.next()).await.expect("a feed") else {
            panic!("no event");
        };
        assert!(matches!(*event, EventResponse::Inquiry(_)));
        feeds.push(feed);
    }
    let admin = &nodes[0].client;
    admin.revoke_token("anna").await.expect("it is revoked");
    admin.remove_recipient("ben").await.expect("it is removed");
    for feed in &mut feeds {
        assert_eq!(end_of(feed).await, Some(ProblemCode::Unauthorized));
    }
    let refused: Result<_, ClientError> = client(&nodes[1], &people[1]).me().await;
    assert_eq!(code(refused), Some(ProblemCode::Unauthorized));
}
