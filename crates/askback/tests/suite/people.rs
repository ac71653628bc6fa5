//! People and groups in the store: they count at once and on every node, and each sees what is theirs.

use askback_client::{Client, ClientError, FeedItem};
use askback_wire::credential::{NewCredentialParams, ScopeName};
use askback_wire::event::{ChangeName, EventResponse};
use askback_wire::inquiry::{HandOnParams, InquiryResponse, NewInquiryParams};
use askback_wire::list::ListInquiriesParams;
use askback_wire::problem::ProblemCode;
use askback_wire::recipient::{OnCallParams, RecipientParams};
use askback_wire::session::NewSignInCodeParams;
use askback_wire::snooze::SnoozeParams;
use askback_wire::token::Token;

use super::support::mcp_client::{Era, question};
use super::support::mcp_http_client::HttpAgent;
use super::support::raw_http::{header, raw, request};
use super::support::run_binary::{askback, fails, succeeds};
use super::support::server_process::{Directory, Server};
use super::support::team::{Team, code, confirm, yes};
use super::support::timeout::within;
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

/// What a person hides from their inbox, others in their group still see; and no feed of others tells of it.
#[tokio::test]
async fn person_hides_a_question_from_themselves_alone() {
    let team = Team::start(&[]).await;
    let (anna, ben) = (team.client("anna"), team.client("ben"));
    let asked = team.ask("laptop", "For anybody?", None).await;
    let until = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(3);
    let params = SnoozeParams { until: Some(until) };
    let (mut annas, mut bens) = (anna.events(None), ben.events(None));
    within("a feed", annas.open()).await.expect("a feed");
    within("a feed", bens.open()).await.expect("a feed");
    let hidden = anna.snooze(&asked.id, &params).await.expect("it is hidden");
    assert!(hidden.snoozed_until.is_some());
    let inquiry = async |client: &Client| {
        let listed = client
            .inquiries(&ListInquiriesParams::default())
            .await
            .expect("a list");
        let read = client.inquiry(&asked.id).await.expect("it is there");
        assert_eq!(listed.items[0].snoozed_until, read.snoozed_until);
        read.snoozed_until
    };
    assert_eq!(inquiry(&anna).await, hidden.snoozed_until);
    assert_eq!(inquiry(&ben).await, None);
    assert_eq!(inquiry(&team.server.client).await, None);
    let admins = team.server.client.snooze(&asked.id, &params).await;
    assert!(admins.expect("it is hidden").snoozed_until.is_some());
    assert_eq!(inquiry(&ben).await, None);
    let shown = anna.snooze(&asked.id, &SnoozeParams::default()).await;
    assert_eq!(shown.expect("it is shown").snoozed_until, None);
    ben.answer(&asked.id, &yes()).await.expect("it is answered");
    let told = async |feed: &mut askback_client::EventStream| {
        let mut told = Vec::new();
        loop {
            let item = within("an event", feed.next()).await.expect("it goes on");
            let FeedItem::Event(event) = item else {
                continue;
            };
            let EventResponse::Inquiry(change) = *event else {
                continue;
            };
            let is_end = change.change == ChangeName::Resolved;
            told.push((change.change, change.inquiry.snoozed_until.is_some()));
            if is_end {
                return told;
            }
        }
    };
    let snoozed = |is_hidden| (ChangeName::Snoozed, is_hidden);
    let end = (ChangeName::Resolved, false);
    // The administrator's is told to all who see the question, with what is so for them.
    assert_eq!(
        told(&mut annas).await,
        [snoozed(true), snoozed(true), snoozed(false), end.clone()]
    );
    assert_eq!(told(&mut bens).await, [snoozed(false), end]);
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

/// An agent over HTTP names in a header, or in the address, whom it asks.
#[tokio::test]
async fn agent_over_http_names_whom_it_asks() {
    for in_address in [false, true] {
        let team = Team::start(&[]).await;
        let token = &team.tokens["laptop"];
        let query = if in_address { "?recipient=anna" } else { "" };
        let address = &team.server.address;
        let mut agent = HttpAgent::with_token(address, Era::Old, ("codex", query), token);
        agent.recipient = (!in_address).then_some("anna");
        let call = agent.begin("ask_user_question", &question("Which database?"));
        while texts(&team.client("anna"), Some("me")).await.is_empty() {
            tokio::task::yield_now().await;
        }
        assert_eq!(texts(&team.client("ben"), None).await, [""; 0]);
        call.disconnect();
    }
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
    let mut people = Vec::new();
    for (number, alias) in PEOPLE.into_iter().enumerate() {
        let (here, there) = (&nodes[number % 2], &nodes[(number + 1) % 2]);
        let named = person(&alias.to_uppercase());
        let added = here.client.put_recipient(alias, &named).await;
        added.expect("it is added");
        // At once on the other node, too, and with the token of that one here.
        let scope = ScopeName::Respondent;
        let secret = token(&there.client, alias, scope, Some(alias)).await;
        client(here, &secret).me().await.expect("it is valid");
        people.push(secret);
    }
    let added = admin.put_recipient("even", &group(&["anna", "carl"])).await;
    added.expect("it is added");
    let mut agents = Vec::new();
    for name in ["laptop", "build-server"] {
        let secret = token(admin, name, ScopeName::Agent, None).await;
        let me = client(&nodes[1], &secret).me().await;
        me.expect("it is valid at once, also on the other node");
        agents.push(secret);
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
    ends_on_both_nodes(&nodes, &people, &agents[0]).await;
}

/// Feeds on both nodes end when something is revoked or removed on one of them.
async fn ends_on_both_nodes(nodes: &[Server; 2], people: &[String], agent: &str) {
    let (revoked, removed) = (&people[0], &people[1]);
    let mut feeds = Vec::new();
    for node in nodes {
        for secret in [revoked.as_str(), removed, agent] {
            let mut feed = client(node, secret).events(Some(0));
            // It shows what is theirs.
            let FeedItem::Event(event) = within("an event", feed.next()).await.expect("a feed")
            else {
                panic!("no event");
            };
            assert!(matches!(*event, EventResponse::Inquiry(_)));
            feeds.push(feed);
        }
    }
    nodes[0]
        .client
        .revoke_token("anna")
        .await
        .expect("it is revoked");
    nodes[0]
        .client
        .remove_recipient("ben")
        .await
        .expect("it is removed");
    nodes[1]
        .client
        .revoke_token("laptop")
        .await
        .expect("it is revoked");
    for feed in &mut feeds {
        assert_eq!(end_of(feed).await, Some(ProblemCode::Unauthorized));
    }
    for node in nodes {
        for secret in [revoked.as_str(), removed, agent] {
            let refused: Result<_, ClientError> = client(node, secret).me().await;
            assert_eq!(code(refused), Some(ProblemCode::Unauthorized));
        }
    }
}
