use std::path::Path;

use super::{read_secret, secret_source};
use crate::contract::channel::SendError;
use crate::provider::secret::TokenSource;

#[test]
fn the_first_setting_is_used_and_a_value_is_never_shown() {
    let file = Path::new("/nowhere/token");
    let source = secret_source(
        Some("ASKBACK_TEST_NOT_SET"),
        Some(file),
        Some(&"tk_1".into()),
    );
    let source = source.expect("it is set");
    assert_eq!(
        source,
        TokenSource::Variable("ASKBACK_TEST_NOT_SET".to_owned())
    );
    let error = read_secret(&source).expect_err("no such variable");
    assert!(
        matches!(error, SendError::Unauthorized(text) if text.contains("ASKBACK_TEST_NOT_SET"))
    );
    let source = secret_source(None, Some(file), Some(&"tk_1".into())).expect("it is set");
    assert!(read_secret(&source).is_err());
    let source = secret_source(None, None, Some(&" tk_1\n".into())).expect("it is set");
    assert_eq!(read_secret(&source), Ok("tk_1".to_owned()));
    assert!(!format!("{source:?}").contains("tk_1"));
    assert_eq!(secret_source(None, None, None), None);
}

/// A token that other users can read is no secret any more.
#[cfg(unix)]
#[test]
fn a_file_must_be_private_and_is_read_anew() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    let file = tempfile::NamedTempFile::new().expect("it can be made");
    let path = file.path();
    let mode = |mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    fs::write(path, "first\n").expect("it can be written");
    let source = secret_source(None, Some(path), None).expect("it is set");
    mode(0o644).expect("it is ours");
    let error = read_secret(&source).expect_err("others can read it");
    assert!(error.to_string().contains("run chmod 600"), "{error}");
    mode(0o600).expect("it is ours");
    assert_eq!(read_secret(&source), Ok("first".to_owned()));
    fs::write(path, "second").expect("it can be written");
    assert_eq!(read_secret(&source), Ok("second".to_owned()));
}
