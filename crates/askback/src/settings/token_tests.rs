//! A token file must be readable only by its owner.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use clap::{Args as _, FromArgMatches as _};
use tempfile::NamedTempFile;

use super::{chosen, is_credential};
use crate::args::SettingsArgs;

fn args(words: &[&str]) -> SettingsArgs {
    let command = SettingsArgs::augment_args(clap::Command::new("askback"));
    let matches = command.get_matches_from([&["askback"], words].concat());
    SettingsArgs::from_arg_matches(&matches).unwrap()
}

fn file(content: &str, mode: u32) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), content).unwrap();
    std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(mode)).unwrap();
    file
}

fn given(file: &NamedTempFile) -> Result<Option<String>, String> {
    let args = args(&["--token-file", file.path().to_str().unwrap()]);
    chosen(&args, None, None).map_err(|error| error.to_string())
}

#[test]
fn token_file_is_read_if_only_its_owner_can() {
    let token = given(&file("0123456789abcdef\n", 0o600));
    assert_eq!(token, Ok(Some("0123456789abcdef".to_owned())));
    for mode in [0o640, 0o604, 0o644] {
        let refusal = given(&file("0123456789abcdef", mode)).unwrap_err();
        assert!(refusal.contains("chmod 600"), "{refusal}");
        assert!(!refusal.contains("0123456789abcdef"), "{refusal}");
    }
    let refusal = given(&file(" \n", 0o600)).unwrap_err();
    assert!(refusal.contains("is empty"), "{refusal}");
}

/// systemd gives credentials the mode 0440 and an access list.
#[test]
fn credential_of_systemd_may_have_group_bits() {
    let directory = Some("/run/credentials/askback.service");
    let is = |path: &str, directory| is_credential(Path::new(path), directory);
    assert!(is("/run/credentials/askback.service/token", directory));
    assert!(!is("/etc/askback/token", directory));
    assert!(!is("/run/credentials/askback.service/token", None));
}

#[test]
fn flags_override_the_configuration_and_exclude_each_other() {
    let configured = Some("configured-token-1".to_owned());
    let none = args(&[]);
    let token = chosen(&none, configured.clone(), None).unwrap();
    assert_eq!(token, configured);
    let file = file("from-the-file-0123", 0o600);
    let path = file.path().to_str().unwrap();
    let flags = args(&["--token-file", path]);
    let token = chosen(&flags, configured, None).unwrap();
    assert_eq!(token.as_deref(), Some("from-the-file-0123"));
    let both = args(&["--token-file", path, "--token", "x"]);
    let refusal = chosen(&both, None, None).unwrap_err().to_string();
    assert!(refusal.contains("leave one of them out"), "{refusal}");
}
