//! `askback --help`: the commands in groups, on one screen.
#![expect(clippy::format_push_string, reason = "it is written once, and small")]

use clap::Command;

/// Commands that are used for the same thing.
pub(super) struct Group {
    pub(super) heading: &'static str,
    /// Shown with what they do.
    pub(super) described: &'static [&'static str],
    /// Shown by name.
    pub(super) others: &'static [&'static str],
}

pub(super) const GROUPS: [Group; 5] = [
    Group {
        heading: "Answer",
        described: &["inbox", "list", "answer"],
        others: &["chat", "link", "hand-on", "watch", "keys"],
    },
    Group {
        heading: "Set up",
        described: &["demo", "install", "doctor"],
        others: &["channel", "person", "phone", "completions", "update"],
    },
    Group {
        heading: "Ask from scripts",
        described: &["ask"],
        others: &[],
    },
    Group {
        heading: "Run a server",
        described: &["serve"],
        others: &[
            "audit",
            "backup",
            "migrate",
            "sessions",
            "token",
            "webhook-secret",
            "webhooks",
        ],
    },
    Group {
        heading: "For programs",
        described: &[],
        others: &["mcp", "hook", "schema", "check", "render"],
    },
];

/// The text of `askback --help`.
pub(super) fn text(command: &Command) -> String {
    let mut text = String::new();
    if let Some(about) = command.get_about() {
        text.push_str(&format!("{about}\n\n"));
    }
    text.push_str("Usage: askback COMMAND [OPTION]…\n\n");
    for group in &GROUPS {
        text.push_str(&format!("{}:\n", group.heading));
        for name in group.described {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {name:<9}{about}\n"));
        }
        if !group.others.is_empty() {
            let lead = if group.described.is_empty() {
                "  "
            } else {
                "  and      "
            };
            text.push_str(&format!("{lead}{}\n", group.others.join(", ")));
        }
    }
    text.push_str(
        "\naskback COMMAND -h lists its flags; --help explains them and shows examples.\n",
    );
    text
}

#[cfg(test)]
#[path = "overview_tests.rs"]
mod tests;
