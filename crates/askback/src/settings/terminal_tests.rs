//! `[terminal]`: valid and invalid values, and flags that override it.

use askback_terminal::bidi::Bidi;
use askback_terminal::config::Mouse;

use super::{TerminalSettings, TerminalTable, merged};
use crate::args::{BidiArg, Switch, TerminalArgs};

#[test]
fn table_accepts_the_documented_values() {
    let text = "mouse = 'on'\nbidi = 'visual'\nquiet = 'on'";
    assert!(toml::from_str::<TerminalTable>(text).is_ok());
    for (wrong, said) in [
        ("mouse = 'yes'", "expected `on` or `off`"),
        ("bidi = 'round'", "expected `logical` or `visual`"),
        ("colour = 'red'", "unknown field `colour`"),
    ] {
        let error = toml::from_str::<TerminalTable>(wrong).expect_err("it is wrong");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn flags_override_the_file() {
    let table = "bidi = 'visual'\nmouse = 'on'\n";
    let table: TerminalTable = toml::from_str(table).expect("it is right");
    let gathered = |args: &TerminalArgs| merged(args, &table);
    let plain = gathered(&TerminalArgs::default());
    assert_eq!((plain.bidi, plain.mouse), (Bidi::Visual, Mouse::On));
    let flagged = gathered(&TerminalArgs {
        bidi: Some(BidiArg::Logical),
        mouse: Some(Switch::Off),
        ..TerminalArgs::default()
    });
    assert_eq!(flagged, TerminalSettings::default());
}
