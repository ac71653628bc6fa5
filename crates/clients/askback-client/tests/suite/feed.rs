//! The feed reconnects without gaps or duplicates, and stops if retrying is pointless.

use std::time::Duration;

use askback_client::{Client, EventStream, FeedItem};
use askback_wire::event::EventResponse;
use askback_wire::token::Token;

use super::server::{Response, Server};

fn state(sequence: u64) -> String {
    format!(
        "event: state_change\nid: {sequence}\ndata: {{\"type\":\"idle\",\"conversation_id\":\"cnv_1\",\"sequence\":{sequence}}}\n\n"
    )
}

/// A frame of a stored event that has further frames.
fn part(sequence: u64) -> String {
    state(sequence).replace(&format!("id: {sequence}\n"), "")
}

fn feed(server: &Server) -> EventStream {
    let client = Client::new(&server.url, Some(Token::new("secret"))).unwrap();
    client.events(None)
}

/// The next items, each as a word.
async fn items(feed: &mut EventStream, count: usize) -> Vec<String> {
    let mut items = Vec::new();
    for _ in 0..count {
        let item = tokio::time::timeout(Duration::from_mins(1), feed.next());
        items.push(match item.await.expect("the feed goes on") {
            Ok(FeedItem::Event(event)) => {
                if let EventResponse::Unknown(frame) = *event {
                    format!("unknown {}", frame.event)
                } else {
                    format!("{} {:?}", event.name(), event.sequence())
                }
            }
            Ok(FeedItem::Disconnected(_)) => "lost".to_owned(),
            Ok(FeedItem::Reconnected) => "restored".to_owned(),
            Err(error) => error.to_string(),
        });
    }
    items
}

#[tokio::test]
async fn broken_feed_goes_on_where_it_was_without_gap_or_repetition() {
    let server = Server::play([
        Response::feed(&format!(
            "retry: 1\n: hello\n\n{}{}{}",
            state(1),
            state(2),
            part(3)
        )),
        Response::Hangup,
        // The first frame of 3 is repeated, and a faulty server repeats 2 as well.
        Response::feed(&format!(
            "{}{}{}event: new\ndata: {{}}\n\n",
            state(2),
            part(3),
            state(4)
        )),
    ])
    .await;
    let mut feed = feed(&server);
    assert_eq!(
        items(&mut feed, 8).await,
        [
            "state_change Some(1)",
            "state_change Some(2)",
            "state_change Some(3)",
            "lost",
            "lost",
            "restored",
            "state_change Some(4)",
            "unknown new",
        ]
    );
    assert_eq!(feed.last_sequence(), Some(4));
    let requests = server.requests();
    assert!(!requests[0].contains("last-event-id"));
    assert!(requests[1].contains("last-event-id: 2\r\n"));
    assert!(requests[2].contains("last-event-id: 2\r\n"));
    assert!(
        requests
            .iter()
            .all(|request| request.starts_with("GET /events HTTP/1.1"))
    );
}

#[tokio::test]
async fn feed_begins_behind_a_sequence() {
    let server = Server::play([Response::feed(&state(8))]).await;
    let client = Client::new(&server.url, None).unwrap();
    let id = askback_core::id::ConversationId::new("cnv_1");
    let mut feed = client.conversation_events(&id, Some(7));
    assert_eq!(items(&mut feed, 1).await, ["state_change Some(8)"]);
    let request = &server.requests()[0];
    assert!(request.starts_with("GET /conversations/cnv_1/events HTTP/1.1"));
    assert!(request.contains("last-event-id: 7\r\n"));
}

#[tokio::test]
async fn refused_feed_is_an_error_and_is_not_retried() {
    let refused = Response::json(
        401,
        r#"{"status":401,"code":"unauthorized","detail":"Who?"}"#,
    );
    let server = Server::play([refused]).await;
    let mut feed = feed(&server);
    assert_eq!(items(&mut feed, 1).await, ["Who?"]);
}

/// A feed that starts now gets the current sequence number, and resumes there even if no event arrived.
#[tokio::test]
async fn feed_that_broke_before_its_first_event_misses_nothing() {
    let server = Server::play([
        Response::feed("retry: 1\nid: 41\n\n"),
        Response::feed(&state(42)),
    ])
    .await;
    let mut feed = feed(&server);
    assert_eq!(
        items(&mut feed, 3).await,
        ["lost", "restored", "state_change Some(42)"]
    );
    let resumed = &server.requests()[1];
    assert!(resumed.contains("last-event-id: 41"), "{resumed}");
}

/// After a server at another address took over, the feed continues there after the last event.
#[tokio::test]
async fn feed_continues_with_the_server_that_took_over() {
    let before = Server::play([Response::feed(&format!("retry: 1\n{}", state(7)))]).await;
    let after = Server::play([Response::feed(&state(8))]).await;
    let client = Client::new(&before.url, Some(Token::new("old"))).unwrap();
    let mut feed = client.events(None);
    assert_eq!(items(&mut feed, 2).await, ["state_change Some(7)", "lost"]);
    client
        .move_to(&after.url, Some(&Token::new("new")))
        .unwrap();
    assert_eq!(
        items(&mut feed, 2).await,
        ["restored", "state_change Some(8)"]
    );
    let resumed = &after.requests()[0];
    assert!(resumed.contains("last-event-id: 7"), "{resumed}");
    assert!(resumed.contains("authorization: Bearer new"), "{resumed}");
}
