//! `askback channel add` writes the settings of a channel, readable only by their owner.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::support::run_binary::{fails, succeeds};

const TOKEN: &str = "123456:ABCDEFGHIJKLMNOP\n";

#[test]
fn adding_a_channel_writes_private_files_once() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("channel-setup");
    fs::remove_dir_all(&directory).ok();
    let data = directory.to_str().expect("the path is text");
    let add = ["channel", "add", "telegram", "--data", data];
    let refused = fails(&add, "not a token\n", 2);
    assert!(refused.contains("token"), "{refused}");
    assert!(!directory.join("telegram.token").exists());

    let told = succeeds(&add, TOKEN);
    assert!(told.contains("askback channel link telegram"), "{told}");
    for name in ["channels.toml", "telegram.token"] {
        let mode = fs::metadata(directory.join(name)).expect("it is written");
        assert_eq!(mode.permissions().mode() & 0o777, 0o600, "{name}");
    }
    let again = fails(&add, TOKEN, 2);
    assert!(again.contains("is set up already"), "{again}");
    let settings = fs::read_to_string(directory.join("channels.toml")).expect("it is text");
    assert_eq!(settings.matches("[channels.telegram]").count(), 1);
    assert!(!settings.contains(TOKEN.trim()), "the token is elsewhere");
}
