//! `askback keys`: the key bindings as configured.

use std::io::Write as _;

use askback_locale::Locale;
use askback_terminal::glyphs::Glyphs;
use askback_tui::keymap::{Action, Binding, KeySection, Keymap, Mode};

use crate::args::KeysArgs;
use crate::failure::Failure;
use crate::output;
use crate::settings::keymap;

pub(crate) fn run(args: &KeysArgs) -> Result<(), Failure> {
    let keymap = keymap(args.config.as_deref())?;
    let mut out = output::stdout();
    writeln!(out, "{}", table(&keymap))?;
    Ok(())
}

fn table(keymap: &Keymap) -> String {
    let locale = Locale::choose(&["en"]);
    let mut lines = Vec::new();
    let mut part = None;
    for mode in Mode::ALL {
        if part != Some(mode.section()) {
            part = Some(mode.section());
            lines.push(heading(mode.section()));
        }
        lines.push(format!("\n# {}", mode.title()));
        for binding in keymap.bindings(mode) {
            lines.push(row(binding, mode, locale));
        }
        if mode == Mode::List {
            lines.push("\n# yes or no".to_owned());
            let answered = keymap.with_yes_no(&locale.yes_no_letters());
            let bound = answered.bindings(Mode::List);
            let others = |binding: &&Binding| !is_same(keymap, binding);
            lines.extend(bound.filter(others).map(|bound| row(bound, mode, locale)));
            lines.push("and all other keys of a list".to_owned());
        }
    }
    lines.join("\n")
}

/// Whether a yes-or-no question has the same binding as any other list.
fn is_same(keymap: &Keymap, binding: &Binding) -> bool {
    let mut known = keymap.bindings(Mode::List);
    known.any(|other| other.action == binding.action && other.keys == binding.keys)
}

fn heading(part: KeySection) -> String {
    let title = match part {
        KeySection::Question => "Questions",
        KeySection::Chat => "\nChat",
        KeySection::Inbox => "\nInbox",
    };
    format!("{title}: [{}] in the configuration", part.table())
}

fn row(binding: &Binding, mode: Mode, locale: Locale) -> String {
    // Digits, and the letters for yes and no, cannot be bound.
    let fixed = matches!(binding.action, Action::Digit | Action::No)
        || (binding.action == Action::Yes && mode == Mode::List);
    let name = if fixed { "-" } else { binding.action.name() };
    let keys = Keymap::names(binding, &Glyphs::ASCII);
    let words = binding.words(mode, locale);
    let row = format!("{name:<16} {keys:<32} {words}");
    row.trim_end().to_owned()
}
