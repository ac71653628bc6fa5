//! A session is valid until it is ended, idle for too long or too old, and only for one token and
//! one port.

use std::sync::Arc;

use askback_engine::Clock as _;
use askback_store::CredentialRow;
use axum::http::{HeaderMap, HeaderValue, header};
use jiff::SignedDuration;

use super::{AGE_MAX, IDLE_MAX, SESSIONS_MAX, Session, SessionOwner, Sessions};
use crate::credentials::Credentials;
use crate::random_secret::SecretError;
use crate::test_store::TestStore;
use crate::token::Token;

/// The sessions of a server that starts with the stored ones.
fn start(fixture: &TestStore, token: &str) -> Arc<Sessions> {
    let token = Token::chosen(token).unwrap();
    Arc::new(Sessions::new(fixture.open(), fixture.clock(), token))
}

const TOKEN: &str = "0123456789abcdef";

fn headers(host: &'static str, cookie: &str) -> HeaderMap {
    HeaderMap::from_iter([
        (header::HOST, HeaderValue::from_static(host)),
        (header::COOKIE, HeaderValue::from_str(cookie).unwrap()),
        (
            header::USER_AGENT,
            HeaderValue::from_bytes("Fire\tfox \u{202e}\u{9b}31m".as_bytes()).unwrap(),
        ),
    ])
}

/// Signs in, and returns the headers that the browser sends from then on.
async fn sign_in(sessions: &Arc<Sessions>) -> HeaderMap {
    let signed_in = sessions
        .sign_in(&headers("127.0.0.1:7777", "a=b"), SessionOwner::default())
        .await;
    let secret = signed_in.unwrap();
    assert_eq!(secret.len(), 64);
    headers("127.0.0.1:7777", &format!("askback_session_7777={secret}"))
}

async fn session_of(sessions: &Sessions, headers: &HeaderMap) -> Option<Session> {
    sessions.find_by_cookie(headers).await.unwrap()
}

#[tokio::test]
async fn session_is_valid_until_it_is_ended() {
    let fixture = TestStore::new();
    let sessions = start(&fixture, TOKEN);
    let (one, other) = (sign_in(&sessions).await, sign_in(&sessions).await);
    let session = session_of(&sessions, &one).await.unwrap();
    assert_eq!(sessions.list().await.unwrap().len(), 2);
    assert!(sessions.end(&session.row.id).await.unwrap());
    assert!(
        session_of(&sessions, &one).await.is_none(),
        "a stolen cookie is worth nothing"
    );
    assert!(session_of(&sessions, &other).await.is_some());
    assert!(!sessions.end(&session.row.id).await.unwrap());
    sessions.wait_for_end(session).await;
    sessions.end_all().await.unwrap();
    assert!(session_of(&sessions, &other).await.is_none());
    assert_eq!(sessions.list().await.unwrap(), []);
}

/// Neither the secret nor anything that could be sent instead is stored, and the `User-Agent`
/// of a browser is cleaned.
#[tokio::test]
async fn store_has_a_hash_and_clean_text() {
    let fixture = TestStore::new();
    let sessions = start(&fixture, TOKEN);
    let browser = sign_in(&sessions).await;
    let cookie = browser[header::COOKIE].to_str().unwrap().to_owned();
    let secret = cookie.split_once('=').unwrap().1;
    let row = sessions.store.sessions().await.unwrap().remove(0);
    let hash = askback_wire::server_process::hex(&row.secret_hash);
    assert_ne!(hash, secret);
    let agent = row.user_agent.unwrap();
    assert!(
        agent.starts_with("Fire") && !agent.contains(['\t', '\u{9b}', '\u{202e}']),
        "{agent:?}"
    );
    let by_hash = headers("127.0.0.1:7777", &format!("askback_session_7777={hash}"));
    assert!(session_of(&sessions, &by_hash).await.is_none());
}

/// The cookie of another port is ignored.
#[tokio::test]
async fn session_belongs_to_one_port() {
    let fixture = TestStore::new();
    let sessions = start(&fixture, TOKEN);
    let browser = sign_in(&sessions).await;
    let cookie = browser[header::COOKIE].to_str().unwrap().to_owned();
    let secret = cookie.split_once('=').unwrap().1;
    for (host, name) in [
        ("127.0.0.1:8888", "askback_session_7777"),
        ("127.0.0.1:7777", "askback_session_8888"),
        ("127.0.0.1:7777", "askback_session"),
        ("127.0.0.1", "askback_session_7777"),
    ] {
        let sent = headers(host, &format!("{name}={secret}"));
        assert!(
            session_of(&sessions, &sent).await.is_none(),
            "{host} {name}"
        );
    }
    let both = format!("askback_session_8888=x; askback_session_7777=wrong; {cookie}");
    let both = headers("127.0.0.1:7777", &both);
    assert!(
        session_of(&sessions, &both).await.is_some(),
        "others do not disturb it"
    );
    let ipv6 = headers("[::1]:7777", &cookie);
    assert!(
        session_of(&sessions, &ipv6).await.is_some(),
        "the server is the same"
    );
}

#[tokio::test]
async fn session_ends_when_it_is_idle_or_too_old() {
    let fixture = TestStore::new();
    let sessions = start(&fixture, TOKEN);
    let (idle, busy) = (sign_in(&sessions).await, sign_in(&sessions).await);
    let step = IDLE_MAX - SignedDuration::from_hours(1);
    let mut age = SignedDuration::ZERO;
    while age + step < AGE_MAX {
        fixture.clock.advance(step);
        age += step;
        assert!(
            session_of(&sessions, &busy).await.is_some(),
            "used after {age:?}"
        );
    }
    assert!(session_of(&sessions, &idle).await.is_none());
    fixture.clock.advance(AGE_MAX - age);
    assert!(
        session_of(&sessions, &busy).await.is_none(),
        "it is too old"
    );
    assert_eq!(sessions.list().await.unwrap(), []);
}

/// A feed that is open when its session expires ends then; one whose session is used continues.
#[tokio::test]
async fn open_feed_ends_when_the_session_expires() {
    let fixture = TestStore::new();
    let sessions = start(&fixture, TOKEN);
    let browser = sign_in(&sessions).await;
    let session = session_of(&sessions, &browser).await.unwrap();
    let waiting = Arc::clone(&sessions);
    let open = tokio::spawn(async move { waiting.wait_for_end(session).await });
    fixture
        .clock
        .advance(IDLE_MAX - SignedDuration::from_hours(2));
    assert!(session_of(&sessions, &browser).await.is_some());
    fixture.clock.advance(SignedDuration::from_hours(3));
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!open.is_finished(), "it was used meanwhile");
    fixture.clock.advance(IDLE_MAX);
    open.await.unwrap();
}

/// The last use is stored at most once an hour.
#[tokio::test]
async fn uses_are_stored_at_most_once_an_hour() {
    let fixture = TestStore::new();
    let sessions = start(&fixture, TOKEN);
    let browser = sign_in(&sessions).await;
    let first = sessions.store.transactions();
    for _ in 0..50 {
        fixture.clock.advance(SignedDuration::from_secs(60));
        assert!(session_of(&sessions, &browser).await.is_some());
    }
    assert_eq!(
        sessions.store.transactions(),
        first,
        "fifty minutes, no write"
    );
    fixture.clock.advance(SignedDuration::from_mins(10));
    assert!(session_of(&sessions, &browser).await.is_some());
    let now = fixture.clock.now();
    let noted = async {
        while sessions.store.sessions().await.unwrap()[0].last_used_at != now {
            tokio::task::yield_now().await;
        }
    };
    let limit = std::time::Duration::from_mins(1);
    let noted = tokio::time::timeout(limit, noted).await;
    noted.expect("the use is noted");
}

/// Sessions survive a restart, and are valid only with the token they were created with.
#[tokio::test]
async fn sessions_survive_a_restart_and_end_with_their_token() {
    let fixture = TestStore::new();
    let browser = {
        let sessions = start(&fixture, TOKEN);
        let ended = sign_in(&sessions).await;
        let id = session_of(&sessions, &ended).await.unwrap().row.id;
        sessions.end(&id).await.unwrap();
        sign_in(&sessions).await
    };
    {
        let sessions = start(&fixture, TOKEN);
        assert!(session_of(&sessions, &browser).await.is_some());
        assert_eq!(
            sessions.list().await.unwrap().len(),
            1,
            "what was ended stays ended"
        );
    }
    let sessions = start(&fixture, "another-token-of-the-operator");
    assert!(session_of(&sessions, &browser).await.is_none());
    assert_eq!(sessions.list().await.unwrap(), []);
    sessions.end_all().await.unwrap();
    drop(sessions);
    let sessions = start(&fixture, TOKEN);
    assert!(
        session_of(&sessions, &browser).await.is_none(),
        "all were ended, whatever their token"
    );
}

/// The number of sessions is limited: one more ends the least recently used one.
#[tokio::test]
async fn sessions_are_bounded() {
    let fixture = TestStore::new();
    let sessions = start(&fixture, TOKEN);
    let first = sign_in(&sessions).await;
    fixture.clock.advance(SignedDuration::from_hours(2));
    let second = sign_in(&sessions).await;
    fixture.clock.advance(SignedDuration::from_hours(2));
    assert!(session_of(&sessions, &first).await.is_some());
    for _ in 2..=SESSIONS_MAX {
        sign_in(&sessions).await;
    }
    assert_eq!(sessions.list().await.unwrap().len(), SESSIONS_MAX);
    assert!(
        session_of(&sessions, &first).await.is_some(),
        "it was used later"
    );
    assert!(session_of(&sessions, &second).await.is_none());
}

/// Whoever signs in often ends their own oldest session, and nobody else's.
#[tokio::test]
async fn person_ends_no_session_of_others() {
    let fixture = TestStore::new();
    let sessions = start(&fixture, TOKEN);
    let administrator = sign_in(&sessions).await;
    fixture.clock.advance(SignedDuration::from_hours(2));
    for _ in 0..=SESSIONS_MAX {
        let anna = SessionOwner {
            person: Some("anna".to_owned()),
            ..SessionOwner::default()
        };
        let browser = headers("127.0.0.1:7777", "a=b");
        sessions.sign_in(&browser, anna).await.unwrap();
    }
    assert_eq!(sessions.list().await.unwrap().len(), SESSIONS_MAX + 1);
    assert!(session_of(&sessions, &administrator).await.is_some());
}

/// A token that is revoked while somebody signs in with it signs nobody in: the session could not be ended with it.
#[tokio::test]
async fn revoked_credential_signs_nobody_in() {
    let fixture = TestStore::new();
    let store = fixture.open();
    let token = Token::chosen(TOKEN).unwrap();
    let sessions = Sessions::new(Arc::clone(&store), fixture.clock(), token);
    let credentials = Credentials::new(store, fixture.clock());
    let added = credentials.add(|secret_hash| CredentialRow {
        name: "ops".to_owned(),
        secret_hash,
        scope: "admin".to_owned(),
        person: None,
        created_at: fixture.clock.now(),
        last_used_at: None,
        expires_at: None,
    });
    let found = credentials.find(&added.await.unwrap()).await.unwrap();
    let proven = SessionOwner {
        credential: found.map(|credential| credential.row),
        person: None,
    };
    let browser = headers("127.0.0.1:7777", "a=b");
    sessions.sign_in(&browser, proven.clone()).await.unwrap();
    assert!(credentials.revoke("ops").await.unwrap());
    let signed_in = sessions.sign_in(&browser, proven).await;
    assert!(matches!(signed_in, Err(SecretError::AccessEnded)));
    sessions.forget_ended().await.unwrap();
    assert_eq!(sessions.list().await.unwrap(), []);
}

/// A browser that signs out and disconnects at once is signed out.
#[tokio::test]
async fn sign_out_completes_after_a_disconnect() {
    let fixture = TestStore::new();
    let sessions = start(&fixture, TOKEN);
    let browser = sign_in(&sessions).await;
    let session = session_of(&sessions, &browser).await.unwrap();
    tokio::select! {
        biased;
        _ = sessions.end(&session.row.id) => panic!("a write takes a moment"),
        () = std::future::ready(()) => {}
    }
    let limit = std::time::Duration::from_mins(1);
    let ended = tokio::time::timeout(limit, sessions.wait_for_end(session));
    ended.await.expect("the session ends");
    assert!(session_of(&sessions, &browser).await.is_none());
    assert_eq!(sessions.store.sessions().await.unwrap(), []);
}
