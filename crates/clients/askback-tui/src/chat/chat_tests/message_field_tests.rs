//! The message field keeps its text, follows the key bindings and fits every size.

use super::*;

/// Ctrl+c takes a text away that comes back, and leaves only an empty field; how to come back is said.
#[test]
fn ctrl_c_discards_nothing() {
    let mut chat = chat();
    type_text(&mut chat, "a thought");
    press(&mut chat, &[Key::ctrl('c')]);
    assert!(!shown(&chat).contains("a thought"));
    press(&mut chat, &[Key::ctrl('_')]);
    assert!(shown(&chat).contains("a thought"));
    press(&mut chat, &[Key::ctrl('c'), Key::ctrl('c')]);
    assert_eq!(chat.take_requests(), [ScreenRequest::Exit(130)]);
    let last = printed(&mut chat).concat();
    assert!(last.contains("askback chat --resume cnv_1"), "{last}");
}

/// A message goes out once the agent is free, and one that is refused is not lost.
#[test]
fn messages_are_kept_until_they_are_taken() {
    let mut chat = chat();
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 1}),
    );
    type_text(&mut chat, "go");
    press(
        &mut chat,
        &[Key::with(KeyCode::Enter, Modifiers::ALT), Key::char('x')],
    );
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    assert_eq!(chat.take_chat_requests(), []);
    assert!(shown(&chat).contains("is still working"));
    happens(&mut chat, "state_change", json!({"type": "idle"}));
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    assert_eq!(
        chat.take_chat_requests(),
        [ChatRequest::SendMessage("go\nx".to_owned())]
    );
    chat.handle_event(ChatEvent::MessageRefused(
        "go\nx".to_owned(),
        "No key".to_owned(),
    ));
    assert!(shown(&chat).contains("No key") && shown(&chat).contains("› go"));
}

/// The first message opens the conversation, and is still on its way then.
#[test]
fn first_message_is_being_sent_until_the_agent_works() {
    let mut chat = Chat::new(config(), "planner");
    chat.handle_event(ChatEvent::Connected(None));
    type_text(&mut chat, "first");
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    open_conversation(&mut chat, &[]);
    assert!(shown(&chat).contains("Sending"), "{}", shown(&chat));
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 1}),
    );
    happens(&mut chat, "state_change", json!({"type": "idle"}));
    assert!(!shown(&chat).contains("Sending"), "{}", shown(&chat));
}

/// A reply that is complete before the conversation is read comes with it, and nothing else says that the message
/// has arrived.
#[test]
fn first_message_is_sent_if_the_conversation_has_it() {
    let mut chat = Chat::new(config(), "planner");
    chat.handle_event(ChatEvent::Connected(None));
    type_text(&mut chat, "first");
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    let said = [
        message("user", "msg_1", "first"),
        message("assistant", "msg_2", "Heard you."),
    ];
    open_conversation(&mut chat, &said);
    assert!(!shown(&chat).contains("Sending"), "{}", shown(&chat));
}

/// A feed that begins after the reply has its messages, and only the last state.
#[test]
fn first_message_is_sent_when_the_feed_has_it() {
    let mut chat = Chat::new(config(), "planner");
    chat.handle_event(ChatEvent::Connected(None));
    type_text(&mut chat, "first");
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    open_conversation(&mut chat, &[]);
    says(&mut chat, "user", "msg_1", "first");
    says(&mut chat, "assistant", "msg_2", "Heard you.");
    happens(&mut chat, "state_change", json!({"type": "idle"}));
    assert!(!shown(&chat).contains("Sending"), "{}", shown(&chat));
}

/// A message that is refused while the next one is typed comes back in front of it.
#[test]
fn refused_message_returns_to_a_field_in_use() {
    let mut chat = chat();
    type_text(&mut chat, "first");
    press(&mut chat, &[Key::plain(KeyCode::Enter)]);
    type_text(&mut chat, "sec");
    chat.handle_event(ChatEvent::MessageRefused(
        "first".to_owned(),
        "Busy".to_owned(),
    ));
    type_text(&mut chat, "ond");
    assert_eq!(chat.composer.text(), "first\nsecond");
}

/// No row is wider than the terminal and none below it, whatever is shown.
#[test]
fn every_state_fits_every_size() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (40, 10), (20, 6)] {
        let mut chat = chat();
        chat.resize(Size { columns, rows });
        let fits = |chat: &mut Chat, what: &str| {
            let frame = chat.view();
            assert!(frame.rows.len() <= rows, "{what} at {columns}x{rows}");
            assert!(frame.cursor.row < frame.rows.len(), "{what}");
            for row in chat.take_lines().iter().chain(&frame.rows) {
                let wide = row.width();
                assert!(
                    wide <= columns,
                    "{what} at {columns}x{rows}: {:?}",
                    row.text()
                );
            }
        };
        fits(&mut chat, "idle");
        let long = "word ".repeat(200);
        happens(
            &mut chat,
            "state_change",
            json!({"type": "llm_requesting", "attempt": 1}),
        );
        happens(&mut chat, "token", json!({ "text": long }));
        fits(&mut chat, "streaming");
        let agents = json!({"type": "awaiting_sub_agents", "agents": [
            {"conversation_id": "cnv_2", "name": long, "finished": true}]});
        happens(&mut chat, "state_change", agents);
        fits(&mut chat, "sub-agents");
        type_text(&mut chat, &long);
        fits(&mut chat, "typing");
        asks(&mut chat, "inq_1", "Database");
        asks(&mut chat, "inq_2", "Region");
        fits(&mut chat, "left questions");
        press(&mut chat, &[Key::plain(KeyCode::Tab)]);
        fits(&mut chat, "question");
        chat.on_painted(Duration::ZERO);
        press(&mut chat, &[Key::plain(KeyCode::Esc), Key::char('1')]);
        says(&mut chat, "user", "msg_1", &long);
        press(&mut chat, &[Key::plain(KeyCode::Esc)]);
        fits(&mut chat, "menu");
    }
}

/// Keys of the configuration work around a question and in it, and are shown.
#[test]
fn bound_keys_work_and_show() {
    use crate::keymap::KeySection;
    let mut chat = chat();
    let keymap = &mut chat.config.keymap;
    keymap
        .bind(KeySection::Chat, "editor", &["ctrl+r"])
        .expect("known");
    keymap
        .bind(KeySection::Chat, "open", &["ctrl+x"])
        .expect("known");
    keymap
        .bind(KeySection::Question, "note", &["w"])
        .expect("known");
    chat.resize(Size {
        columns: 100,
        rows: 20,
    });
    assert!(shown(&chat).contains("ctrl+r editor"), "{}", shown(&chat));
    type_text(&mut chat, "w");
    asks(&mut chat, "inq_1", "Database");
    assert!(shown(&chat).contains("ctrl+x open"), "{}", shown(&chat));
    press(&mut chat, &[Key::plain(KeyCode::Tab)]);
    assert!(shown(&chat).contains("› w"), "{}", shown(&chat));
    press(&mut chat, &[Key::ctrl('x')]);
    assert!(shown(&chat).contains("w note"), "{}", shown(&chat));
}
