//! Goal: answers never reach another agent because its request was taken for one of the asker.

use super::*;
use crate::session::SessionScope;

fn caller(uri: &str, session: Option<&str>, stateless: bool) -> HttpCaller {
    let mut request = http::Request::builder().uri(uri);
    if let Some(session) = session {
        request = request.header(SESSION_HEADER, session);
    }
    let (parts, ()) = request.body(()).unwrap().into_parts();
    let mut extensions = Extensions::new();
    extensions.insert(parts);
    let mut meta = RequestMetaObject::default();
    if stateless {
        meta.set_protocol_version(rmcp::model::ProtocolVersion::V_2026_07_28);
    }
    HttpCaller::from_extensions(&extensions, Some(&meta)).unwrap()
}

#[test]
fn session_of_the_initialize_era_is_the_one_of_the_header() {
    let caller = caller(
        "/mcp?project=%2Fsrv%2Fweb%20shop&session=x",
        Some("s1"),
        false,
    );
    let digest = "http.e8bc163c82eee18733288c7d4ac636db";
    assert_eq!(caller.session, CallSession::agent(digest));
    assert_eq!(caller.project.as_deref(), Some("/srv/web shop"));
}

#[test]
fn session_header_means_nothing_without_sessions() {
    let caller = caller("/mcp?project=/srv/shop", Some("s1"), true);
    assert_eq!(caller.session.name, "stateless");
    assert_eq!(caller.session.scope, SessionScope::Project);
    assert_eq!(caller.session_id, None);
}

#[test]
fn calls_without_session_and_project_are_all_different() {
    let (one, other) = (caller("/mcp", None, true), caller("/mcp", None, true));
    assert_eq!(one.session.scope, SessionScope::Call);
    assert_ne!(one.session, other.session);
}

#[test]
fn named_session_belongs_to_one_agent() {
    let caller = caller("/mcp?session=window-1", None, true);
    assert_eq!(caller.session, CallSession::agent("named.window-1"));
    // It cannot pass for a session of another kind.
    assert!(!crate::session::is_stateless(&caller.session.name));
}

#[test]
fn long_parameters_stay_different() {
    let session = |last: char| {
        let uri = format!("/mcp?session={}{last}", "x".repeat(5000));
        caller(&uri, None, true).session
    };
    assert_ne!(session('a'), session('b'));
}
