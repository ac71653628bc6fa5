//! Mistakes around a token are named by their place, and the token is not printed.

use super::read_toml;

#[test]
fn a_mistake_is_named_by_its_place_and_quotes_nothing() {
    let wrong = [
        (
            "[channels.telegram]\ntoken=123456:ABCdef",
            "line 2, column ",
        ),
        (
            "a = 1\n[channels.telegram]\n  token = \"123456:ABCdef",
            "line 3, column ",
        ),
        ("token = '123456:ABCdef", "line 1, column "),
        ("token = '123456:ABCdef' x", "line 1, column "),
        ("= '123456:ABCdef'", "line 1, column "),
    ];
    for (text, place) in wrong {
        let error = read_toml::<toml::Table>(text).expect_err("it is wrong");
        let error = format!("{error:#}");
        assert!(error.starts_with(place), "{error}");
        assert!(
            !error.contains("ABCdef") && !error.contains("123456"),
            "{error}"
        );
    }
}

#[test]
fn a_value_of_another_type_is_not_printed() {
    #[derive(Debug, serde::Deserialize)]
    struct Settings {
        #[expect(dead_code, reason = "it is never read successfully")]
        seconds: u32,
    }
    let error = read_toml::<Settings>("seconds = 'ABCdef'").expect_err("it is wrong");
    assert_eq!(
        error.to_string(),
        "line 1, column 11: invalid type, expected u32"
    );
}
