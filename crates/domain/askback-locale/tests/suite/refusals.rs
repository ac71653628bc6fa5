//! The ways not to answer have one set of words on every surface, in every language.

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

/// Texts that may say that a question is cancelled: the questions of sub-agents, and those of a script, which has no
/// agent to stop.
const CANCELLED: [&str; 4] = [
    "web-stop-ask",
    "resolved-cancelled",
    "leave-cancel",
    "sure-cancel",
];

/// The names of outcomes are for programs.
#[test]
fn people_read_no_name_of_an_outcome() {
    let locale = Locale::choose(&["en"]);
    for id in Locale::ids() {
        let text = locale.text(id, &[]).to_lowercase();
        let is_named = ["declin", "reject"].iter().any(|word| text.contains(word));
        assert!(!is_named, "{id}: {text}");
        assert_eq!(
            text.contains("cancel"),
            CANCELLED.contains(&id),
            "{id}: {text}"
        );
    }
}
