//! `[channels]` and `[recipients]`: what is taken, and what is said about anything else.

use askback_channels::{CommandConfig, EmailConfig, NtfyConfig, SlackConfig, TelegramConfig};

use super::ChannelTables;

fn read(text: &str) -> Result<ChannelTables, String> {
    let tables: ChannelTables = toml::from_str(text).map_err(|error| error.to_string())?;
    tables.channels().map_err(|error| format!("{error:#}"))?;
    tables.recipients().map_err(|error| format!("{error:#}"))?;
    Ok(tables)
}

const TELEGRAM: &str = "[channels.telegram]\ntoken = 'secret-token'\n";

#[test]
fn people_groups_and_channels_are_taken() {
    let text = format!(
        "{TELEGRAM}content = 'title'\nundo_seconds = 0\n\
         [recipients.zoe]\nname = 'Zoë'\nlanguage = 'de'\ntime_zone = 'Europe/Berlin'\n\
         quiet_hours = '22:00-07:00'\nchannels = ['telegram']\nidentities = ['telegram:42']\n\
         [recipients.ops]\nmembers = ['zoe']\n"
    );
    let tables = read(&text).expect("it is valid");
    let recipients = tables.recipients().expect("they are valid");
    assert_eq!(recipients.aliases(), ["zoe", "ops"]);
    let channels = tables.channels().expect("they are valid");
    assert_eq!(channels["telegram"].undo_seconds, None);
}

#[test]
fn anything_else_is_refused_by_name_and_without_secrets() {
    let wrong = [
        ("[channels.telegram]\n", "set token_env, token_file"),
        ("[channels.pager]\ntoken = 'x'", "`kind` must be telegram"),
        (
            &format!("{TELEGRAM}content = 'half'"),
            "full, title or link",
        ),
        (
            &format!("{TELEGRAM}undo_seconds = 600"),
            "`undo_seconds` must be 0 to",
        ),
        (
            &format!("{TELEGRAM}base_url = 'http://example.org'"),
            "base_url must be https",
        ),
        (
            &format!("{TELEGRAM}[channels.other]\nkind = 'telegram'\ntoken = 'secret-token'"),
            "[channels.other] and [channels.telegram] have the same token",
        ),
        ("[channels.pager]\nkind = 'webpush'", "[channels.webpush]"),
        ("[recipients.Zoe]", "small letters"),
        ("[recipients.zoe]\nidentities = ['42']", "telegram:42"),
        (
            "[recipients.zoe]\nidentities = ['secret-token']",
            "entry 1 of `identities` must be SERVICE:ID",
        ),
        (
            "[recipients.zoe]\nidentities = ['telegram:1', 'telegram:zoe']",
            "is a number, such as telegram:42",
        ),
        ("[channels.telegram]\ntoken = ['secret-token']", "expected"),
        (
            "[recipients.zoe]\nlanguage = 'klingon'",
            "choose one of en,",
        ),
        ("[recipients.ops]\nmembers = []", "`members` is empty"),
        ("[recipients.zoe]\nquiet_hours = 'night'", "22:00-07:00"),
        ("[recipients.zoe]\ntime_zone = 'Mars'", "Europe/Berlin"),
        (
            "[recipients.zoe]\nchannels = ['slack']",
            "no [channels.slack]",
        ),
        ("[recipients.ops]\nmembers = ['zoe']", "no person"),
        (
            "[recipients.zoe]\nescalate_to = 'ben'",
            "names \"ben\", which is not in [recipients]. Configured: zoe",
        ),
        (
            "[recipients.a]\nescalate_to = 'b'\n[recipients.b]\nescalate_to = 'c'\n[recipients.c]\nescalate_to = 'a'",
            "leads back to \"a\"",
        ),
        ("[recipients.zoe]\nescalate_to = 'zoe'", "leads back"),
        (
            "[recipients.zoe]\nescalate_to = 'ops'\n[recipients.ops]\nmembers = ['zoe']",
            "leads back",
        ),
        ("[recipients.zoe]\nremind_after = '5s'", "at least a minute"),
        ("[recipients.zoe]\nremind_after = 'soon'", "such as 4h"),
        (
            "[recipients.a]\nidentities = ['telegram:1']\n[recipients.b]\nidentities = ['telegram:1']",
            "same identity",
        ),
    ];
    for (text, said) in wrong {
        let error = read(text).expect_err(text);
        assert!(error.contains(said), "{text}\n{error}");
        assert!(!error.contains("secret-token"), "{error}");
    }
}

#[test]
fn every_kind_is_taken_and_its_mistakes_are_named() {
    let valid = [
        "[channels.slack]\nbot_token = 'xoxb-1'\napp_token = 'xapp-1'",
        "[channels.ntfy]",
        "[channels.phone]\nkind = 'ntfy'\nbase_url = 'https://ntfy.example'\ntoken_env = 'NTFY'",
        "[channels.desk]\nkind = 'command'\nrun = ['notify-send', '{title}']",
        "[channels.email]\nhost = 'smtp.example.com'\nfrom = 'askback <askback@example.com>'\ncontent = 'link'",
    ];
    for text in valid {
        read(text).expect(text);
    }
    let wrong = [
        (
            "[channels.slack]\nbot_token = 'xoxb-1'",
            "set app_token_env",
        ),
        (
            "[channels.ntfy]\nbase_url = 'http://ntfy.example'",
            "must be https",
        ),
        ("[channels.ntfy]\ntopic = 'x'", "unknown field `topic`"),
        (
            "[channels.desk]\nkind = 'command'",
            "run must name a program",
        ),
        ("[channels.pager]", "`kind` must be telegram"),
        (
            "[channels.email]\nhost = 'smtp.example.com'",
            "from must be",
        ),
    ];
    for (text, said) in wrong {
        let error = read(text).expect_err(text);
        assert!(
            error.contains("is not valid") && error.contains(said),
            "{text}\n{error}"
        );
    }
}

/// Terminals and browsers do not say who uses them.
#[test]
fn messages_wait_for_the_only_person_or_for_the_one_that_is_named() {
    let present = |text: &str| {
        let recipients = read(text).expect("it is valid").recipients();
        let people = recipients.expect("they are valid").people;
        let present = people.into_iter().filter(|(_, person)| person.presence);
        present.map(|(alias, _)| alias).collect::<Vec<_>>()
    };
    assert_eq!(present("[recipients.zoe]"), ["zoe"]);
    assert_eq!(present("[recipients.zoe]\npresence = false"), [""; 0]);
    assert_eq!(present("[recipients.zoe]\n[recipients.ben]"), [""; 0]);
    let named =
        "[recipients.zoe]\npresence = true\n[recipients.ben]\n[recipients.all]\nmembers = ['ben']";
    assert_eq!(present(named), ["zoe"]);
}

#[test]
fn a_server_without_recipients_has_an_owner_without_a_name() {
    let recipients = read(TELEGRAM).expect("it is valid").recipients();
    let people = recipients.expect("they are valid").people;
    assert_eq!(people.keys().collect::<Vec<_>>(), ["owner"]);
    assert!(people["owner"].name.is_empty() && people["owner"].presence);
}

/// A configuration may be logged, so nothing of it shows a secret: neither the table nor the settings of a kind.
#[test]
fn no_secret_is_in_the_debug_output() {
    let kinds = [
        "[channels.telegram]\ntoken = 'hush-1'",
        "[channels.slack]\nbot_token = 'hush-1'\napp_token = 'hush-2'",
        "[channels.ntfy]\ntoken = 'hush-1'\n[recipients.zoe]\nidentities = ['ntfy:hush-2']",
        "[channels.email]\nhost = 'smtp.example.com'\nfrom = 'a <a@example.com>'\nusername = 'a'\npassword = 'hush-1'",
        "[channels.desk]\nkind = 'command'\nrun = ['notify', 'hush-1']",
    ];
    for text in kinds {
        let tables = read(text).expect(text);
        let recipients = tables.recipients().expect(text);
        let mut shown = vec![format!("{tables:?} {recipients:?}")];
        for table in tables.channels.values() {
            shown.push(format!("{:?}", table.settings::<TelegramConfig>()));
            shown.push(format!("{:?}", table.settings::<SlackConfig>()));
            shown.push(format!("{:?}", table.settings::<NtfyConfig>()));
            shown.push(format!("{:?}", table.settings::<EmailConfig>()));
            shown.push(format!("{:?}", table.settings::<CommandConfig>()));
        }
        let shown = shown.join("\n");
        assert!(!shown.contains("hush"), "{text}\n{shown}");
    }
}
