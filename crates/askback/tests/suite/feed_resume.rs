//! The feed for a client that was away: nothing of a long round is missing, and what was deleted is said.

use askback_client::{EventStream, FeedItem};
use askback_core::id::ConversationId;
use askback_wire::duration::HumanDuration;
use askback_wire::event::{EventResponse, StateChangeEvent};
use askback_wire::inquiry::DeadlineParams;
use askback_wire::list::ListConversationsParams;
use askback_wire::state::StateResponse;
use serde_json::json;

use super::support::server_process::{Directory, Server, next_item};
use super::support::timeout::within;

async fn next_event(feed: &mut EventStream) -> EventResponse {
    loop {
        if let FeedItem::Event(event) = next_item(feed).await {
            return *event;
        }
    }
}

/// The conversations that the feed says are closed, until there are this many.
pub(crate) async fn closed(mut feed: EventStream, count: usize) -> Vec<ConversationId> {
    let mut closed = Vec::new();
    while closed.len() < count {
        if let EventResponse::StateChange(StateChangeEvent {
            state: StateResponse::Closed,
            conversation_id,
            ..
        }) = next_event(&mut feed).await
        {
            closed.push(conversation_id);
        }
    }
    closed.sort();
    closed
}

/// A round of more than 64 records: a client that reconnects late gets the whole message, with what the
/// agent had said at its beginning.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_client_gets_the_whole_message_of_a_long_round() {
    const RECORDS: u32 = 70;
    let directory = Directory::new();
    let calls = json!([{"tool": "ask_user_question", "input": {"questions": [
        {"question": "Which?", "options": ["A", "B"]}]}}]);
    let script = json!({"steps": [{"say": "One thing.", "calls": calls}, {"say": "Done."}]});
    let server = Server::start(&directory, &script);
    let id = server.begin("go").await;
    let waiting = server.reaches(&id, "awaiting_user_response").await.state;
    let inquiry = waiting.inquiry_id().expect("it waits").clone();
    for minutes in 1..=RECORDS {
        let later = DeadlineParams {
            expires_in: Some(HumanDuration::from_secs(3_600 + 60 * minutes)),
            ..DeadlineParams::default()
        };
        let moved = server.client.move_deadline(&inquiry, &later);
        moved.await.unwrap();
    }
    let late = server.read(&id).await.sequence;
    server.respond(&id, json!({"q1": "A"})).await;
    server.reaches(&id, "idle").await;
    let page = server.read(&id).await;
    let mut feed = server.client.conversation_events(&id, late);
    let message = within("the message comes", async {
        loop {
            if let EventResponse::Message(event) = next_event(&mut feed).await {
                return event.message;
            }
        }
    })
    .await;
    assert_eq!(message.blocks[0].text, "One thing.");
    let shown = page.messages.iter().find(|shown| shown.id == message.id);
    assert_eq!(shown, Some(&message), "as on the page");
}

/// Deleting a conversation deletes its sub-agents. A client that was away learns of each.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleted_sub_agents_are_closed_on_the_feed() {
    let directory = Directory::new();
    let spawn = json!({"agents": [{"name": "a", "task": "look"}, {"name": "b", "task": "look"}]});
    let script = json!({
        "steps": [{"calls": [{"tool": "spawn_agents", "input": spawn}]}, {"say": "All."}],
        "scenes": [{"when": "look", "steps": [{"say": "Nothing."}]}]});
    let server = Server::start(&directory, &script);
    let id = server.begin("go").await;
    server.reaches(&id, "idle").await;
    let children = ListConversationsParams {
        parent: Some(id.clone()),
        ..ListConversationsParams::default()
    };
    let children = server.client.conversations(&children).await.unwrap();
    let mut expected: Vec<_> = children.items.into_iter().map(|child| child.id).collect();
    expected.push(id.clone());
    expected.sort();
    assert_eq!(expected.len(), 3);
    let live = tokio::spawn(closed(server.client.events(Some(0)), 3));
    server.client.delete_conversation(&id).await.unwrap();
    assert_eq!(live.await.unwrap(), expected, "while it happens");
    let away = within("it is replayed", closed(server.client.events(Some(0)), 3));
    assert_eq!(away.await, expected, "afterwards");
}
