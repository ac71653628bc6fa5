//! A token may do what its scope permits, and shows nothing of what is not its holder's.

use askback_wire::audit::AuditParams;
use askback_wire::event::ChangeName;
use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use askback_wire::link::{LinkAllow, NewLinkParams};
use askback_wire::list::ListInquiriesParams;
use askback_wire::problem::ProblemCode;
use askback_wire::respond::{DeclineParams, WithdrawParams};
use serde_json::json;

use super::support::mcp_client::{Era, question};
use super::support::mcp_http_client::HttpAgent;
use super::support::run_binary::{askback, fails, succeeds};
use super::support::team::{SECRET, Team, code, confirm, listed, next_change, yes};
use super::support::timeout::within;

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

/// A setting keeps what is for nobody in particular from people.
#[tokio::test]
async fn unaddressed_questions_can_be_for_administrators() {
    let team = Team::start(&["--unaddressed", "administrators"]).await;
    team.ask("laptop", SECRET, None).await;
    assert_eq!(listed(&team.client("anna")).await, [""; 0]);
    assert_eq!(listed(&team.server.client).await, [SECRET]);
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
    // An agent is not told to use a token of somebody else.
    let refused = client.me().await.unwrap_err().to_string();
    assert!(refused.contains("Send a valid token"), "{refused}");
    assert_eq!(code(client.me().await), Some(ProblemCode::Unauthorized));
}

#[tokio::test]
async fn wrong_tokens_on_the_command_line() {
    let team = Team::start(&[]).await;
    let data = team.directory.path().join("data");
    let data = data.to_str().expect("a path");
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
