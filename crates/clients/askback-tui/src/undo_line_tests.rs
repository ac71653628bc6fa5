//! The line below an answer that can still be undone.

use super::*;
use askback_locale::Locale;

#[derive(Default)]
struct Recorder {
    calls: Vec<&'static str>,
}

impl UndoHost for Recorder {
    fn undo(&mut self) {
        self.calls.push("undo");
    }

    fn commit(&mut self) {
        self.calls.push("commit");
    }

    fn poll_undo(&mut self) -> UndoNews {
        UndoNews::Nothing
    }
}

fn line(whose: AnsweredFrom) -> UndoLine {
    let config = ScreenConfig {
        locale: Locale::choose(&["en"]),
        glyphs: Glyphs::LINES,
        today: jiff::civil::date(2027, 3, 1),
        typeahead_window: Duration::ZERO,
        keymap: crate::keymap::Keymap::default(),
    };
    let answered = vec![Row::new().with("Which: Beta", Style::Plain)];
    UndoLine::new(config, answered, Duration::from_secs(5), whose)
}

fn shown_after(keys: &str, whose: AnsweredFrom) -> (String, Vec<&'static str>) {
    let (mut line, mut host) = (line(whose), Recorder::default());
    let mut screen = UndoScreen {
        line: &mut line,
        host: &mut host,
    };
    let now = Duration::from_secs(1);
    screen.on_painted(now);
    for key in keys.chars() {
        let key = if key == '\n' {
            Key::plain(askback_terminal::key::KeyCode::Enter)
        } else {
            Key::char(key)
        };
        screen.handle(&InputEvent::Key(key), now);
    }
    screen.tick(now);
    let rows: Vec<String> = screen.view().rows.iter().map(Row::text).collect();
    (rows.join("\n"), host.calls)
}

/// The answer of somebody else is shown with the time in which it can be undone there, and
/// no key undoes it or makes it final.
#[test]
fn answer_from_elsewhere_is_shown_and_left_alone() {
    let (shown, calls) = shown_after("u\nu", AnsweredFrom::Elsewhere);
    assert_eq!(calls, [""; 0]);
    assert!(shown.contains("Which: Beta"), "{shown}");
    assert!(shown.contains("It can be undone there for 4 s"), "{shown}");
}

#[test]
fn own_answer_can_be_undone() {
    let (_, calls) = shown_after("u", AnsweredFrom::Here);
    assert_eq!(calls, ["undo"]);
}
