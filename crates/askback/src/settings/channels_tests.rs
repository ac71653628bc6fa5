//! `[channels]` and `[recipients]`: what is taken, and what is said about anything else.

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
        ("[channels.telegram]\n", "needs `token_file`"),
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
            "no https URL",
        ),
        ("[recipients.Zoe]", "small letters"),
        ("[recipients.zoe]\nidentities = ['42']", "telegram:42"),
        ("[recipients.zoe]\nquiet_hours = 'night'", "22:00-07:00"),
        ("[recipients.zoe]\ntime_zone = 'Mars'", "Europe/Berlin"),
        (
            "[recipients.zoe]\nchannels = ['slack']",
            "no [channels.slack]",
        ),
        ("[recipients.ops]\nmembers = ['zoe']", "no person"),
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
