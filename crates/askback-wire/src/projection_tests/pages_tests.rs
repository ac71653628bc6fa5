//! Pages of messages begin where no round is open.

use super::*;

#[test]
fn page_begins_where_no_round_is_open() {
    let mut scene = asked().says("Neither").replies("Fine.", &[]);
    for turn in 0..3 {
        scene = scene.says(&format!("More {turn}")).replies("Done.", &[]);
    }
    let all = scene.messages();
    let events: Vec<_> = scene.numbered().collect();

    let whole = page(events.clone(), 100).unwrap();
    assert_eq!((whole.messages, whole.before), (all.clone(), None));

    let newest = page(events.clone(), 2).unwrap();
    assert_eq!(newest.messages, all[all.len() - 2..]);
    assert_eq!(newest.before, Some(all[all.len() - 2].sequence));

    // Whichever size, the pages put together are all messages, each as it finally stood.
    for limit in 1..=all.len() {
        let mut gathered: Vec<MessageResponse> = Vec::new();
        let mut before = u64::MAX;
        loop {
            let window = events.iter().copied().filter(|(n, _, _)| *n < before);
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
fn window_without_a_place_to_begin_asks_for_a_larger_one() {
    let scene = asked().says("Neither");
    // The window begins behind the assistant's message, inside its round.
    let inside = scene
        .numbered()
        .skip_while(|(_, _, event)| !matches!(event, Event::InquiryAsked { .. }))
        .take_while(|(_, _, event)| !matches!(event, Event::LlmRequested { .. }));
    assert_eq!(page(inside, 10), None);
    assert_eq!(page([], 10).unwrap().messages, []);
}
