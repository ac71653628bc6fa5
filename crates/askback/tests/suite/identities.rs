//! Who somebody is follows from a token, a session or a proxy, and from nothing that they say.

use askback_client::Client;
use askback_wire::credential::{NewCredentialParams, ScopeName};
use askback_wire::inquiry::{NewInquiryParams, UndoParams};
use askback_wire::link::{LinkAllow, NewLinkParams};
use askback_wire::problem::ProblemCode;
use askback_wire::respond::AnswerParams;
use askback_wire::session::NewSignInCodeParams;
use serde_json::{Value, json};

use super::no_script_form::Browser;
use super::support::mcp_client::{Era, question};
use super::support::mcp_http_client::HttpAgent;
use super::support::raw_http::{header, raw, request};
use super::support::server_process::Server;
use super::support::team::{SECRET, Team, code, confirm, yes};

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
