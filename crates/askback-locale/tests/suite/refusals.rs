//! T-11: the ways not to answer have one set of words on every surface, in every language.

use askback_locale::Locale;

#[test]
fn refusals_have_the_same_name_on_every_surface() {
    for tag in Locale::tags() {
        let locale = Locale::choose(&[tag]);
        let text = |id| locale.text(id, &[]);
        assert_eq!(text("leave-decline"), text("web-decline"), "{tag}");
        assert_eq!(text("leave-stop"), text("web-reject"), "{tag}");
    }
}

/// The names of outcomes are for programs. The one exception speaks of the questions of sub-agents.
#[test]
fn people_read_no_name_of_an_outcome() {
    let locale = Locale::choose(&["en"]);
    for id in Locale::ids() {
        let text = locale.text(id, &[]).to_lowercase();
        for word in ["declin", "reject", "cancel"] {
            assert!(!text.contains(word) || id == "web-stop-ask", "{id}: {text}");
        }
    }
}
