//! Goal: pages of messages start between rounds.

use super::*;

#[test]
fn a_page_starts_between_rounds() {
    let mut fixture = asked().says("Neither").replies("Fine.", &[]);
    for turn in 0..3 {
        fixture = fixture.says(&format!("More {turn}")).replies("Done.", &[]);
    }
    let all = fixture.messages();
    let events: Vec<_> = fixture.numbered().collect();

    let whole = page(events.clone(), 100).unwrap();
    assert_eq!((whole.messages, whole.before), (all.clone(), None));

    let newest = page(events.clone(), 2).unwrap();
    assert_eq!(newest.messages, all[all.len() - 2..]);
    assert_eq!(newest.before, Some(all[all.len() - 2].sequence));

    // With every page size, all pages together are all messages in their final form.
    for limit in 1..=all.len() {
        let mut gathered: Vec<MessageResponse> = Vec::new();
        let mut before = u64::MAX;
        loop {
            let window = events.iter().copied();
            let window = window.filter(|it| it.position.sequence < before);
            let page = page(window, limit).unwrap();
            gathered = page.messages.into_iter().chain(gathered).collect();
            match page.before {
                Some(next) => before = next,
                None => break,
            }
        }
        assert_eq!(gathered, all, "pages of {limit}");
    }
}

#[test]
fn a_window_inside_one_round_is_too_small() {
    let fixture = asked().says("Neither");
    // The window starts after the message of the assistant, inside its round.
    let inside = fixture
        .numbered()
        .skip_while(|it| !matches!(it.event, Event::InquiryAsked { .. }))
        .take_while(|it| !matches!(it.event, Event::LlmRequested { .. }));
    assert_eq!(page(inside, 10), None);
    assert_eq!(page([], 10).unwrap().messages, []);
}
