//! `server.json` is used only if it is complete and private, and `Debug` hides its token.

use super::{Discovery, DiscoveryError};
use crate::server_process::ServerRole;
use crate::token::Token;

const JSON: &str =
    r#"{"address":"127.0.0.1:7777","token":"hunter2","pid":42,"version":"0.1.0","new":true}"#;

#[cfg(unix)]
fn write(directory: &std::path::Path, content: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    let file = directory.join(Discovery::FILE);
    std::fs::write(&file, content).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn server_json_is_parsed_and_its_token_hidden() {
    let discovery = Discovery::parse(JSON).unwrap();
    assert_eq!(
        discovery,
        Discovery {
            address: "127.0.0.1:7777".to_owned(),
            token: Token::new(" hunter2\n"),
            pid: 42,
            version: "0.1.0".to_owned(),
            role: ServerRole::Dedicated,
        }
    );
    assert_eq!(discovery.base_url(), "http://127.0.0.1:7777");
    assert!(!format!("{discovery:?}").contains("hunter2"));
}

#[test]
fn directory_without_a_server_has_none() {
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(Discovery::read(directory.path()), Ok(None)));
}

#[cfg(unix)]
#[test]
fn only_a_private_and_complete_file_is_used() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), JSON, 0o600);
    assert_eq!(
        Discovery::read(directory.path()).unwrap(),
        Some(Discovery::parse(JSON).unwrap())
    );
    write(directory.path(), JSON, 0o644);
    let read = Discovery::read(directory.path());
    assert!(matches!(read, Err(DiscoveryError::NotPrivate)));
    write(directory.path(), "{\"address\":", 0o600);
    let read = Discovery::read(directory.path());
    assert!(matches!(read, Err(DiscoveryError::Damaged)));
}
