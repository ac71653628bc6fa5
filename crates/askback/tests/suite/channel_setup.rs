//! `askback channel add` writes the settings of a channel, readable only by their owner.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::support::run_binary::{ScratchPath, fails, succeeds};

const TOKEN: &str = "123456:ABCDEFGHIJKLMNOP\n";

fn assert_private(path: &Path) {
    let mode = fs::metadata(path)
        .expect("it is written")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "{}", path.display());
}

#[test]
fn adding_a_channel_writes_private_files_once() {
    let data = ScratchPath::new("data");
    let (data, directory) = (&*data, Path::new(&*data));
    let add = ["channel", "add", "telegram", "--data", data];
    let refused = fails(&add, "not a token\n", 2);
    assert!(refused.contains("Token: it looks like"), "{refused}");
    assert!(!directory.join("telegram.token").exists());

    let told = succeeds(&add, TOKEN);
    assert!(told.contains("askback channel link telegram"), "{told}");
    for name in ["channels.toml", "telegram.token"] {
        assert_private(&directory.join(name));
    }
    let mode = fs::metadata(directory).expect("it is there");
    assert_eq!(mode.permissions().mode() & 0o777, 0o700);
    let again = fails(&add, TOKEN, 2);
    assert!(again.contains("is set up already"), "{again}");
    let other = [
        "channel",
        "add",
        "telegram",
        "--channel",
        "second",
        "--data",
        data,
    ];
    let same = fails(&other, TOKEN, 2);
    assert!(same.contains("have the same token"), "{same}");
    assert!(!directory.join("second.token").exists());
    let settings = fs::read_to_string(directory.join("channels.toml")).expect("it is text");
    assert_eq!(settings.matches("[channels.").count(), 1, "{settings}");
    assert!(!settings.contains(TOKEN.trim()), "the token is elsewhere");
}

/// Each kind asks for what it needs, line by line; what is secret is in a file of its own.
#[test]
fn every_kind_can_be_added() {
    let data = ScratchPath::new("data");
    let (data, directory) = (&*data, Path::new(&*data));
    let added = [
        (
            "slack",
            "xoxb-secret-1\nxapp-secret-2\nU012AB3CD\n",
            "channel test slack",
        ),
        ("ntfy", "\ntk_secret-3\n", "Subscribe to the topic askback-"),
        (
            "email",
            "smtp.example.com:587\naskback@example.com\naskback\nsecret-4\nzoe@example.org\n",
            "channel test email",
        ),
    ];
    for (kind, input, next) in added {
        let args = ["channel", "add", kind, "--recipient", "zoe", "--data", data];
        let told = succeeds(&args, input);
        assert!(told.contains(next) && !told.contains("secret"), "{told}");
    }
    let run = ["notify-send", "--", "{title}", "it's \"quoted\""];
    let args = ["channel", "add", "command", "--data", data, "--"];
    succeeds(&[args.as_slice(), run.as_slice()].concat(), "");
    let settings = fs::read_to_string(directory.join("channels.toml")).expect("it is text");
    assert!(!settings.contains("secret"), "{settings}");
    assert_eq!(
        settings.matches("[recipients.zoe]").count(),
        1,
        "{settings}"
    );
    for identity in [
        "slack:U012AB3CD",
        "ntfy:askback-",
        "email:zoe@example.org",
        "command:zoe",
    ] {
        assert!(settings.contains(identity), "{identity}\n{settings}");
    }
    assert!(settings.contains("security = \"starttls\""), "{settings}");
    for entry in fs::read_dir(directory).expect("it is read") {
        assert_private(&entry.expect("an entry").path());
    }
}

#[test]
fn what_does_not_fit_is_refused_and_leaves_nothing() {
    let data = ScratchPath::new("data");
    let (data, directory) = (&*data, Path::new(&*data));
    let wrong = [
        (vec!["pager"], "", "Available: telegram, slack"),
        (vec!["slack"], "xapp-1\n", "begins with xoxb-"),
        (vec!["email"], "smtp.example.com:many\n", "HOST:PORT"),
        (vec!["command"], "", "behind --"),
        (
            vec!["ntfy", "--api-url", "http://ntfy.example"],
            "topic\n\n",
            "base_url must be https",
        ),
        (
            vec!["telegram", "--channel", "My Bot"],
            TOKEN,
            "small letters",
        ),
        (
            vec!["telegram", "--recipient", "Zo e"],
            TOKEN,
            "--recipient: an alias has 1 to 40 small letters",
        ),
    ];
    for (args, input, said) in wrong {
        let args = [&["channel", "add"], args.as_slice(), &["--data", data]].concat();
        let refused = fails(&args, input, 2);
        assert!(refused.contains(said), "{args:?}\n{refused}");
    }
    let left = fs::read_dir(directory).map_or(0, Iterator::count);
    assert_eq!(left, 0);
}

/// A test of a channel that does not exist asks nobody.
#[test]
fn testing_an_unknown_channel_is_refused() {
    let data = ScratchPath::new("data");
    let data = &*data;
    succeeds(&["channel", "add", "telegram", "--data", data], TOKEN);
    let refused = fails(&["channel", "test", "telegarm", "--data", data], "", 2);
    assert!(
        refused.contains("There is no channel telegarm. Configured: telegram"),
        "{refused}"
    );
}
