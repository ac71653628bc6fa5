//! Fixtures: prompts at a fixed size, keys pressed by name, and frames as text.

use std::time::Duration;

use askback_core::answer::Answers;
use askback_core::dialect::{ParseOptions, recognise};
use askback_core::inquiry::Inquiry;
use askback_locale::Locale;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key, KeyCode, Modifiers};
use askback_terminal::row::Size;
use askback_tui::prompt::{End, Prompt, PromptOptions, Reaction};
use jiff::civil::date;
use serde_json::{Value, json};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

pub(crate) const WIDE: Size = Size {
    columns: 60,
    rows: 20,
};

/// The sizes of the specification.
pub(crate) const SIZES: [Size; 5] = [
    Size {
        columns: 120,
        rows: 40,
    },
    Size {
        columns: 80,
        rows: 24,
    },
    Size {
        columns: 60,
        rows: 20,
    },
    Size {
        columns: 40,
        rows: 10,
    },
    Size {
        columns: 20,
        rows: 6,
    },
];

pub(crate) fn inquiry(input: &Value) -> Inquiry {
    let dialect = recognise(input);
    dialect
        .parse(input, ParseOptions::default())
        .expect("the input is right")
        .inquiry
}

pub(crate) fn options(tag: &str) -> PromptOptions {
    let mut options = PromptOptions::new(Locale::choose(&[tag]), date(2027, 3, 26));
    options.size = WIDE;
    options.asker = Some("builder".to_owned());
    options.typeahead_window = Duration::ZERO;
    options
}

/// A prompt in English at 60 by 20.
pub(crate) fn prompt(input: &Value) -> Prompt {
    Prompt::new(inquiry(input), options("en"))
}

pub(crate) fn prompt_in(tag: &str, input: &Value) -> Prompt {
    Prompt::new(inquiry(input), options(tag))
}

pub(crate) fn ascii(input: &Value) -> Prompt {
    let mut options = options("en");
    options.glyphs = Glyphs::ASCII;
    Prompt::new(inquiry(input), options)
}

pub(crate) fn resize(prompt: &mut Prompt, columns: usize, rows: usize) {
    prompt.handle(&InputEvent::Resize(Size { columns, rows }), Duration::ZERO);
}

/// A key by its name: `down`, `ctrl+c`, `alt+enter`, `a`.
pub(crate) fn key(name: &str) -> Key {
    let mut mods = Modifiers::NONE;
    let mut name = name;
    for (word, held) in [
        ("ctrl+", Modifiers::CTRL),
        ("alt+", Modifiers::ALT),
        ("shift+", Modifiers::SHIFT),
    ] {
        if let Some(rest) = name.strip_prefix(word)
            && !rest.is_empty()
        {
            mods = mods.and(held);
            name = rest;
        }
    }
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "space" => KeyCode::Char(' '),
        "backspace" => KeyCode::Backspace,
        "del" => KeyCode::Delete,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        other => KeyCode::Char(other.chars().next().expect("a key has a name")),
    };
    Key::with(code, mods)
}

/// Presses keys, named with spaces between, and gives the last reaction.
pub(crate) fn press(prompt: &mut Prompt, keys: &str) -> Reaction {
    let mut last = Reaction::Nothing;
    for name in keys.split(' ').filter(|name| !name.is_empty()) {
        assert!(
            !matches!(last, Reaction::End(_)),
            "{name} comes after the end"
        );
        last = prompt.handle(&InputEvent::Key(key(name)), Duration::from_secs(10));
    }
    last
}

/// Types a text.
pub(crate) fn write(prompt: &mut Prompt, text: &str) {
    for ch in text.chars() {
        prompt.handle(&InputEvent::Key(Key::char(ch)), Duration::from_secs(10));
    }
}

/// The answers that the keys sent, as JSON.
pub(crate) fn sent(reaction: &Reaction) -> Value {
    if let Reaction::End(End::Answered(answers)) = reaction {
        return Answers::to_json(answers);
    }
    panic!("nothing was sent: {reaction:?}")
}

/// The frame as a reader sees it, with a block where the cursor is.
pub(crate) fn shown(prompt: &Prompt) -> String {
    let frame = prompt.view();
    let mut lines = Vec::new();
    for (at, row) in frame.rows.iter().enumerate() {
        let text = row.text();
        if at == frame.cursor.row {
            lines.push(with_cursor(&text, frame.cursor.column));
        } else {
            lines.push(text.trim_end().to_owned());
        }
    }
    lines.join("\n")
}

fn with_cursor(text: &str, column: usize) -> String {
    let mut out = String::new();
    let mut at = 0;
    let mut done = false;
    for cluster in text.graphemes(true) {
        if !done && at >= column {
            out.push('█');
            done = true;
        }
        out.push_str(cluster);
        at += cluster.width();
    }
    if !done {
        out.push_str(&" ".repeat(column.saturating_sub(at)));
        out.push('█');
    }
    out
}

/// A prompt with a typeahead guard. Each key is followed by a paint, as on a terminal.
pub(crate) struct Guarded {
    pub(crate) prompt: Prompt,
    pub(crate) now: Duration,
}

impl Guarded {
    pub(crate) fn new(input: &Value) -> Guarded {
        Guarded::in_language("en", input)
    }

    pub(crate) fn in_language(tag: &str, input: &Value) -> Guarded {
        let mut options = options(tag);
        options.typeahead_window = askback_tui::TYPEAHEAD_WINDOW;
        let mut prompt = Prompt::new(inquiry(input), options);
        prompt.painted(Duration::ZERO);
        Guarded {
            prompt,
            now: Duration::ZERO,
        }
    }

    /// Presses keys, each so many milliseconds after the last one.
    pub(crate) fn press(&mut self, keys: &str, after: u64) -> Reaction {
        let mut reaction = Reaction::Nothing;
        for name in keys.split(' ') {
            self.now += Duration::from_millis(after);
            reaction = self.prompt.handle(&InputEvent::Key(key(name)), self.now);
            self.prompt.painted(self.now);
        }
        reaction
    }

    pub(crate) fn shows(&self, text: &str) -> bool {
        shown(&self.prompt).contains(text)
    }

    /// Types a text, each character so many milliseconds after the last one.
    pub(crate) fn write(&mut self, text: &str, after: u64) -> Reaction {
        let mut reaction = Reaction::Nothing;
        for ch in text.chars() {
            self.now += Duration::from_millis(after);
            let typed = InputEvent::Key(Key::char(ch));
            reaction = self.prompt.handle(&typed, self.now);
            self.prompt.painted(self.now);
        }
        reaction
    }

    /// Waits, and ticks when the prompt wants it.
    pub(crate) fn wait(&mut self, millis: u64) -> Reaction {
        let until = self.now + Duration::from_millis(millis);
        match self.prompt.next_tick(self.now) {
            Some(after) if self.now + after <= until => {
                self.now += after;
                self.prompt.tick(self.now)
            }
            Some(_) | None => {
                self.now = until;
                Reaction::Nothing
            }
        }
    }
}

pub(crate) fn database() -> Value {
    json!({"questions": [{
        "question": "Which database should we use for this project?", "header": "Database",
        "options": [
            {"label": "PostgreSQL (Recommended)",
             "description": "Robust relational DB, great for complex queries"},
            {"label": "MongoDB", "description": "Document DB, flexible schema"},
            {"label": "SQLite", "description": "Embedded DB, zero configuration"}]}]})
}

pub(crate) fn features() -> Value {
    json!({"questions": [{
        "question": "Which features should we enable?", "header": "Features", "multiSelect": true,
        "options": [
            {"label": "TypeScript", "description": "Type safety and better IDE support"},
            {"label": "ESLint + Prettier", "description": "Code linting and formatting"},
            {"label": "Testing (Vitest)"}, {"label": "None of these"}]}]})
}

pub(crate) fn three() -> Value {
    json!({"questions": [
        {"question": "Which authentication method?", "header": "Auth Method",
         "options": ["OAuth 2.0", "JWT"]},
        {"question": "Which OAuth providers should we support?", "header": "Providers",
         "multiSelect": true, "options": ["Google", "GitHub"]},
        {"question": "Where is it stored?", "header": "Storage", "options": ["Disk", "Memory"]}]})
}

pub(crate) fn typed(input_type: &str, rest: &Value) -> Value {
    let mut input = json!({"question": "How many replicas should run?", "input_type": input_type});
    if let (Value::Object(input), Value::Object(rest)) = (&mut input, rest) {
        input.extend(rest.clone());
    }
    input
}

pub(crate) fn languages() -> Value {
    let names = [
        "English",
        "French",
        "Spanish",
        "Portuguese",
        "Catalan",
        "Dutch",
        "German",
        "Danish",
        "Italian",
        "Swedish",
        "Romanian",
        "Polish",
        "Albanian",
        "Czech",
        "Ukrainian",
        "Hungarian",
        "Finnish",
        "Greek",
    ];
    json!({"question": "Which language?", "options": names, "input_type": "select"})
}
