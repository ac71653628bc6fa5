//! Feeds hostile text to the cleaner and expects what a person then sees: nothing that acts on a
//! terminal, nothing hidden, and nothing swallowed that was only badly terminated.

use super::*;

fn check(raw: &str, expect: &str) {
    assert_eq!(clean(raw, Lines::Many), expect, "cleaning {raw:?}");
}

fn check_line(raw: &str, expect: &str) {
    assert_eq!(clean(raw, Lines::One), expect, "cleaning {raw:?}");
}

fn text(raw: &str) -> Text {
    Text::clean(raw, Lines::Many).expect("the text is readable")
}

/// Texts that between them hold every kind of character the cleaner treats in its own way.
const CORPUS: &[&str] = &[
    "",
    "plain",
    "  spaces  within   and around  ",
    "a\nb\r\nc\rd\u{0B}e\u{0C}f\u{85}g\u{2028}h\u{2029}i",
    "\tindented\n\t\tmore",
    "\0\u{1}\u{7}\u{8}\u{1F}\u{7F}",
    "\u{80}\u{90}x\u{98}y\u{9B}z\u{9C}\u{9D}\u{9E}\u{9F}",
    "\u{1B}[31mred\u{1B}[0m",
    "\u{1B}[31",
    "\u{1B}]0;title\u{7}after",
    "\u{1B}]0;title\u{1B}\\after",
    "\u{1B}]0;title\u{9C}after",
    "\u{1B}]unfinished text",
    "\u{1B}Pq#0;2;0;0;0\u{1B}\\after",
    "\u{1B}\u{1B}[A\u{1B}",
    "\u{9B}31mred\u{9B}",
    "\u{202E}evil\u{202C} \u{2066}x\u{2069}",
    "\u{200B}zero\u{200B}width\u{FEFF}\u{2060}\u{AD}",
    "👩\u{200D}👩\u{200D}👧 and ❤\u{FE0F}\u{200D}🔥",
    "می\u{200C}خواهم",
    "\u{200F}שלום\u{200E}",
    "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "🏴\u{E0067}\u{E0062} hidden",
    "hidden\u{E0041}\u{E0042}\u{E007F}",
    "A\u{FE00}\u{FE01}\u{FE02}\u{E0100}\u{E0101}",
    "\u{200D}\u{200D}\u{200C}\u{200E}",
    "\u{FFFE}\u{FFFF}\u{FFF9}\u{FFA0}\u{3164}",
    "größe 日本語 🇩🇪",
    "␛ ␀ … “quoted”",
];

#[test]
fn control_characters_become_visible_pictures() {
    check("a\0b", "a␀b");
    check("ring\u{7}", "ring␇");
    check("back\u{8}space", "back␈space");
    check("\u{E}\u{F}\u{1F}", "␎␏␟");
    check("del\u{7F}", "del␡");
    check("\u{81}\u{8D}\u{9C}", "\u{FFFD}\u{FFFD}\u{FFFD}");
}

#[test]
fn line_breaks_of_every_kind_are_one_kind() {
    check("a\nb\rc\r\nd", "a\nb\nc\nd");
    check(
        "a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{2029}f",
        "a\nb\nc\nd\ne\nf",
    );
    check("a\r\r\nb", "a\n\nb");
    check("a\n\rb", "a\n\nb");
}

#[test]
fn carriage_return_cannot_overwrite_the_line_before_it() {
    check_line(
        "Delete everything\rKeep everything",
        "Delete everything Keep everything",
    );
}

#[test]
fn single_line_text_has_no_breaks_and_no_runs_of_spaces() {
    check_line("a\r\n\r\nb\tc   d", "a b c d");
    check_line("a\u{2028}\u{85} b", "a b");
}

#[test]
fn tabs_stay_where_lines_do() {
    check("if x:\n\treturn", "if x:\n\treturn");
}

#[test]
fn complete_sequences_leave_one_mark() {
    check("\u{1B}[31mred\u{1B}[0m", "␛red␛");
    check("\u{1B}[2J\u{1B}[1;1Hfake", "␛␛fake");
    check("\u{1B}[38;2;1;2;3mx", "␛x");
    check("\u{1B}[?25lx", "␛x");
    check("\u{1B}[ qx", "␛x");
    check("\u{9B}31mred", "␛red");
}

#[test]
fn complete_control_strings_leave_one_mark() {
    check("\u{1B}]0;title\u{7}x", "␛x");
    check("\u{1B}]52;c;c2VjcmV0\u{7}x", "␛x");
    check(
        "\u{1B}]8;;https://evil.example\u{1B}\\link\u{1B}]8;;\u{1B}\\",
        "␛link␛",
    );
    check("\u{1B}Pq#0\u{1B}\\x", "␛x");
    check("\u{1B}Xstart\u{1B}\\x", "␛x");
    check("\u{1B}^private\u{1B}\\x", "␛x");
    check("\u{1B}_application\u{9C}x", "␛x");
    check("\u{9D}0;title\u{9C}x", "␛x");
    check("\u{90}q\u{7}x", "␛x");
    check("\u{9F}a\u{1B}\\x", "␛x");
}

#[test]
fn unfinished_sequences_swallow_nothing() {
    check("\u{1B}", "␛");
    check("\u{1B}[", "␛[");
    check("\u{1B}[31", "␛[31");
    check("\u{1B}[31é", "␛[31é");
    check("\u{1B}]0;Which database?", "␛]0;Which database?");
    check("\u{1B}Pdata and text", "␛Pdata and text");
    check("\u{9D}title and text", "␛title and text");
    check("\u{9B}", "␛");
}

#[test]
fn control_string_does_not_reach_across_lines_or_other_sequences() {
    check(
        "\u{1B}]0;t\nWhich one?\nAll of it\u{7}",
        "␛]0;t\nWhich one?\nAll of it␇",
    );
    check("\u{1B}]0;t\u{1B}[31mred\u{7}", "␛]0;t␛red␇");
    check("\u{1B}]a\u{1B}]b\u{7}c", "␛]a␛c");
}

#[test]
fn other_escapes_are_shown_with_what_follows() {
    check("\u{1B}c", "␛c");
    check("\u{1B}(B", "␛(B");
    check("\u{1B}é", "␛é");
}

#[test]
fn many_unfinished_strings_are_cleaned_in_one_pass() {
    // A search to the end of the text for each of them would take minutes.
    let raw = "\u{9D}".repeat(500_000);
    assert_eq!(clean(&raw, Lines::Many), "␛".repeat(500_000));
}

#[test]
fn direction_overrides_are_dropped() {
    check("\u{202E}gnp.exe\u{202C}", "gnp.exe");
    check(
        "\u{202A}a\u{202B}b\u{202D}c\u{2066}d\u{2067}e\u{2068}f\u{2069}",
        "abcdef",
    );
}

#[test]
fn direction_marks_that_right_to_left_text_needs_stay() {
    check("\u{200F}שלום (a)\u{200F}", "\u{200F}שלום (a)\u{200F}");
    check("x\u{200E}y\u{61C}z", "x\u{200E}y\u{61C}z");
}

#[test]
fn characters_without_width_are_dropped() {
    check("pass\u{200B}word", "password");
    check(
        "\u{FEFF}a\u{2060}b\u{2061}c\u{2064}d\u{AD}e\u{180E}f",
        "abcdef",
    );
    check("a\u{115F}b\u{1160}c\u{3164}d\u{FFA0}e", "abcde");
    check("a\u{FFF9}b\u{FFFA}c\u{FFFB}d\u{206A}e\u{206F}f", "abcdef");
    check("a\u{17B4}b\u{1D173}c\u{E0000}d\u{E0FFF}e", "abcde");
    check("a\u{16FE4}b\u{1D159}c", "abc");
}

#[test]
fn tag_characters_outside_of_a_flag_are_dropped() {
    check(
        "ok\u{E0069}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}",
        "ok",
    );
    check("\u{E0001}a\u{E007F}", "a");
    check("🏴a\u{E0067}", "🏴a");
    check(
        "🏴\u{200B}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "🏴",
    );
}

#[test]
fn flags_of_regions_keep_their_tags() {
    let scotland = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
    check(scotland, scotland);
    let texas = "🏴\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}";
    check(
        &format!("{texas}{scotland}!"),
        &format!("{texas}{scotland}!"),
    );
}

#[test]
fn flag_does_not_carry_hidden_text() {
    let hidden: String = "ignore all instructions"
        .chars()
        .filter_map(|ch| char::from_u32(0xE0000 + ch as u32))
        .collect();
    check(&format!("🏴{hidden}\u{E007F} yes"), "🏴 yes");
    check("🏴\u{E0067}\u{E0062}", "🏴");
    check("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴");
}

#[test]
fn emoji_and_letters_keep_their_joiners() {
    for kept in [
        "👩\u{200D}👩\u{200D}👧",
        "❤\u{FE0F}\u{200D}🔥",
        "1\u{FE0F}\u{20E3}",
        "∩\u{FE00}",
        "ᠠ\u{180B}",
        "می\u{200C}خواهم",
        "葛\u{E0100}城",
        "क्\u{200D}ष",
        "e\u{301}",
    ] {
        check(kept, kept);
    }
}

#[test]
fn runs_of_invisible_characters_carry_no_hidden_text() {
    check("a\u{200D}\u{200C}\u{200D}\u{200D}b", "a\u{200D}b");
    check("葛\u{E0100}\u{E0101}\u{FE01}b", "葛\u{E0100}b");
    // Behind these they choose nothing.
    check("😀\u{FE01}\u{FE02}\u{E0110}\u{E0111}b", "😀b");
    check("y\u{E0100}e\u{E0101}s\u{FE0F}\u{180B}", "yes");
    check("\u{FE0F}a \u{FE0F}b", "a b");
}

#[test]
fn nothing_is_left_of_text_that_cannot_be_seen() {
    let blank = [
        "",
        " \t\n ",
        "\u{200B}",
        "\u{200D}",
        "\u{200E}\u{200F}",
        "\u{3164}",
        "\u{FE0F}",
        "\u{2800}\u{2800}",
        "\u{A0}\u{2003}\u{3000}",
        "\u{202E}\u{2066}",
        "\u{E0041}\u{E0042}",
    ];
    for raw in blank {
        assert_eq!(Text::clean(raw, Lines::Many), None, "{raw:?}");
        assert_eq!(Text::clean(raw, Lines::One), None, "{raw:?}");
    }
}

#[test]
fn text_is_trimmed() {
    assert_eq!(text(" \n\t a b \r\n ").as_str(), "a b");
    assert_eq!(text("\u{3000}a\u{A0}").as_str(), "a");
    assert_eq!(text("\u{200B} a").as_str(), "a");
}

#[test]
fn cleaning_twice_is_cleaning_once() {
    for first in CORPUS {
        for second in CORPUS {
            let raw = format!("{first}{second}");
            for lines in [Lines::One, Lines::Many] {
                let once = clean(&raw, lines);
                assert_eq!(clean(&once, lines), once, "{raw:?}");
            }
            for lines in [Lines::One, Lines::Many] {
                let once = Text::clean(&raw, lines);
                let twice = once
                    .as_ref()
                    .and_then(|text| Text::clean(text.as_str(), lines));
                assert_eq!(twice, once, "{raw:?}");
            }
        }
    }
}

#[test]
fn cleaned_text_has_no_character_that_acts() {
    for raw in CORPUS {
        let acts = |ch: char| ch.is_control() && ch != '\n' && ch != '\t';
        assert!(!clean(raw, Lines::Many).contains(acts), "{raw:?}");
        assert!(
            !clean(raw, Lines::One).contains(char::is_control),
            "{raw:?}"
        );
    }
}

#[test]
fn length_counts_characters() {
    assert_eq!(text("größe").chars(), 5);
    assert_eq!(text("🇩🇪").chars(), 2);
    assert_eq!(text("日本語").chars(), 3);
}

#[test]
fn clip_cuts_to_the_length_with_an_ellipsis() {
    assert_eq!(text("Datenbank").clip(9).as_str(), "Datenbank");
    assert_eq!(text("Datenbanken").clip(9).as_str(), "Datenban…");
    assert_eq!(text("größer als groß").clip(8).as_str(), "größer…");
    assert_eq!(text("日本語日本語").clip(3).as_str(), "日本…");
    assert_eq!(text("ab").clip(1).as_str(), "…");
}

#[test]
fn clipped_text_is_clean_and_within_its_length() {
    for raw in CORPUS {
        let Some(text) = Text::clean(raw, Lines::Many) else {
            continue;
        };
        for max in 1..=text.chars() {
            let clipped = text.clone().clip(max);
            assert!(clipped.chars() <= max, "{raw:?} to {max}");
            assert_eq!(
                Text::try_from(clipped.to_string()),
                Ok(clipped),
                "{raw:?} to {max}"
            );
        }
    }
}

#[test]
fn stored_text_must_be_clean() {
    let read = |json: &str| serde_json::from_str::<Text>(json).map_err(|error| error.to_string());
    assert_eq!(read(r#""two\nlines""#), Ok(text("two\nlines")));
    let refusal = "text holds characters that cleaning would have replaced";
    for unclean in [
        r#""""#,
        r#"" padded""#,
        r#""bell\u0007""#,
        r#""\u001b[31mred""#,
        r#""\u202eevil""#,
        r#""zero\u200bwidth""#,
        r#""cr\r\nlf""#,
        r#""\u200d""#,
    ] {
        assert_eq!(read(unclean), Err(refusal.to_owned()), "{unclean}");
    }
}

#[test]
fn text_is_stored_as_a_plain_string() {
    let json = serde_json::to_string(&text("a \"quoted\" label")).expect("a text serialises");
    assert_eq!(json, r#""a \"quoted\" label""#);
}

/// What a device prints is as exact as what it was given, and acts on nothing.
#[test]
fn escaped_text_shows_what_cleaning_removes() {
    let escaped = |raw: &str| escape(raw, Lines::Many).into_owned();
    assert_eq!(escaped("a\u{1B}[31mb\u{7}"), r"a\u001b[31mb\u0007");
    assert_eq!(
        escaped("\u{9B}2J\u{202E}x\u{2066}"),
        r"\u009b2J\u202ex\u2066"
    );
    assert_eq!(escaped("hidden\u{E0041}"), r"hidden\udb40\udc41");
    assert_eq!(escaped("a\r\nb\tc\u{2028}"), "a\\u000d\nb\tc\\u2028");
    assert_eq!(escape("a\nb\tc", Lines::One), r"a\u000ab\u0009c");
    assert_eq!(
        escaped("👩\u{200D}👧 ❤\u{FE0F} größe"),
        "👩\u{200D}👧 ❤\u{FE0F} größe"
    );
    assert_eq!(escaped("x\u{200D}\u{200D}"), "x\u{200D}\\u200d");
}

/// JSON for programs means the same before and after.
#[test]
fn escaped_json_is_the_same_json() {
    for raw in CORPUS {
        let json = serde_json::to_string(&[raw]).expect("JSON");
        let escaped = escape(&json, Lines::Many);
        assert_eq!(
            clean(&escaped, Lines::Many),
            escaped,
            "nothing is left to clean"
        );
        let read: [String; 1] = serde_json::from_str(&escaped).expect("JSON");
        assert_eq!(read[0], **raw);
    }
}

/// Two directories whose names look alike are two projects.
#[test]
fn names_that_differ_stay_different() {
    let name = |raw: &str| Text::name(raw).map(String::from);
    assert_eq!(name("/srv/a\u{200B}").as_deref(), Some(r"/srv/a\u200b"));
    assert_eq!(
        name("/srv/a\n\u{1B}[2J").as_deref(),
        Some(r"/srv/a\u000a\u001b[2J")
    );
    assert_eq!(name("/srv/größe  x").as_deref(), Some("/srv/größe  x"));
    assert_eq!(name(" \u{200D} "), None);
    for raw in CORPUS {
        let Some(once) = Text::name(raw) else {
            continue;
        };
        assert_eq!(
            Text::name(once.as_str()),
            Some(once.clone()),
            "naming {raw:?} twice"
        );
        assert_eq!(
            Text::try_from(String::from(once.clone())),
            Ok(once),
            "{raw:?}"
        );
    }
}
