//! `[terminal]`: valid and invalid values, and flags that override it.

use askback_terminal::config::Mouse;
use askback_tui::prompt::Border;

use super::{TerminalSettings, TerminalTable, merged};
use crate::args::{Switch, TerminalArgs, ThemeArg};

#[test]
fn table_accepts_the_documented_values() {
    let text =
        "theme = 'boxed'\nmouse = 'on'\nbidi = 'visual'\nreduced-motion = 'on'\ninstant = 'on'";
    assert!(toml::from_str::<TerminalTable>(text).is_ok());
    for (wrong, said) in [
        ("mouse = 'yes'", "expected `on` or `off`"),
        ("theme = 'round'", "expected `rail` or `boxed`"),
        ("colour = 'red'", "unknown field `colour`"),
    ] {
        let error = toml::from_str::<TerminalTable>(wrong).expect_err("it is wrong");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn flags_override_the_file() {
    let table = "theme = 'boxed'\nmouse = 'on'\n";
    let table: TerminalTable = toml::from_str(table).expect("it is right");
    let gathered = |args: &TerminalArgs| merged(args, &table);
    let plain = gathered(&TerminalArgs::default());
    assert_eq!((plain.border, plain.mouse), (Border::Boxed, Mouse::On));
    let flagged = gathered(&TerminalArgs {
        theme: Some(ThemeArg::Rail),
        mouse: Some(Switch::Off),
        ..TerminalArgs::default()
    });
    assert_eq!(flagged, TerminalSettings::default());
}
