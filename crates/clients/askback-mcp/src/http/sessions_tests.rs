//! Goal: a session is known to the next server, and counts as ended only when it has.

use rmcp::model::InitializeRequestParams;
use tempfile::TempDir;

use super::*;

const ID: &str = "7d015df2-05b7-4ffb-8236-8355115e62cc";

fn sessions_in(directory: &TempDir) -> HttpSessions {
    HttpSessions::open(&directory.path().join("sessions"), Arc::default())
}

#[tokio::test]
async fn stored_session_is_known_to_the_next_server() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = sessions_in(&directory);
    let mut params = InitializeRequestParams::default();
    params.client_info.name = "test-agent".to_owned();
    sessions
        .store(ID, &SessionState::new(params))
        .await
        .unwrap();
    let next = sessions_in(&directory);
    let state = next.load(ID).await.unwrap().unwrap();
    assert_eq!(state.initialize_params.client_info.name, "test-agent");
    assert!(!next.has_ended(&HttpSessions::name(ID)));
    next.delete(ID).await.unwrap();
    assert!(next.load(ID).await.unwrap().is_none());
    assert!(next.has_ended(&HttpSessions::name(ID)));
}

#[tokio::test]
async fn session_that_is_long_idle_has_ended() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = sessions_in(&directory);
    let state = SessionState::new(InitializeRequestParams::default());
    sessions.store(ID, &state).await.unwrap();
    let file = File::options()
        .append(true)
        .open(sessions.path(ID).unwrap());
    let written = file
        .as_ref()
        .unwrap()
        .metadata()
        .unwrap()
        .modified()
        .unwrap();
    file.unwrap()
        .set_modified(written - IDLE_MAX - IDLE_MAX)
        .unwrap();
    let next = sessions_in(&directory);
    assert!(next.has_ended(&HttpSessions::name(ID)));
}

/// Clients that never end their sessions do not fill the disk.
#[tokio::test]
async fn too_many_sessions_replace_those_that_were_not_used_for_the_longest_time() {
    let directory = tempfile::tempdir().unwrap();
    let mut sessions = sessions_in(&directory);
    sessions.files_max = 20;
    let state = SessionState::new(InitializeRequestParams::default());
    let id = |number: u128| uuid::Uuid::from_u128(number).hyphenated().to_string();
    for number in 0..100 {
        sessions.store(&id(number), &state).await.unwrap();
        let file = File::options()
            .append(true)
            .open(sessions.path(&id(number)).unwrap());
        let file = file.unwrap();
        let written = file.metadata().unwrap().modified().unwrap();
        let older = Duration::from_secs(1000 - u64::try_from(number).unwrap());
        file.set_modified(written - older).unwrap();
        let count = fs::read_dir(&sessions.directory).unwrap().count();
        assert!(count <= 20, "{count} files");
        assert!(sessions.is_of(&id(number), None));
    }
    assert!(sessions.is_of(&id(90), None));
    assert!(sessions.has_ended(&HttpSessions::name(&id(0))));
}

/// Ids come from clients.
#[test]
fn only_ids_that_a_server_made_name_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = sessions_in(&directory);
    for id in ["", "../token", "a/b", "7d015df2"] {
        assert_eq!(sessions.path(id), None);
        assert!(!sessions.has_ended(&format!("{PREFIX}{id}")));
    }
    // Sessions of other kinds are none of its business.
    assert!(!sessions.has_ended("stateless"));
}

/// A session belongs to the token that started it, also for the next server.
#[tokio::test]
async fn session_belongs_to_the_token_that_started_it() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = sessions_in(&directory);
    let id = |number: u128| uuid::Uuid::from_u128(number).hyphenated().to_string();
    let state = SessionState::new(InitializeRequestParams::default());
    for (number, token) in [(1, Some("laptop")), (2, None)] {
        sessions.store(&id(number), &state).await.unwrap();
        sessions.bind(&id(number), token);
    }
    let next = sessions_in(&directory);
    for sessions in [&sessions, &next] {
        for token in [None, Some("laptop"), Some("phone")] {
            assert_eq!(sessions.is_of(&id(1), token), token == Some("laptop"));
            assert_eq!(sessions.is_of(&id(2), token), token.is_none());
            assert!(!sessions.is_of(&id(3), token), "it never was");
        }
    }
}
