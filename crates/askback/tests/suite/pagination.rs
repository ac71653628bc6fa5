//! Lists are bounded by bytes and by count, and their pages are complete.

use askback_client::ClientError;
use askback_core::id::{ConversationId, InquiryId};
use askback_store::PAGE_BYTES_MAX;
use askback_wire::conversation::{NewConversationParams, ReadConversationParams};
use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use askback_wire::list::{ListConversationsParams, ListInquiriesParams};
use askback_wire::respond::DeclineParams;
use serde::Serialize;
use serde_json::{Value, json};

use super::support::server_process::{Directory, Server};

/// The most bytes of a response: a page of stored data, and questions again in their messages. Far less
/// than all that is pending.
const SENT_BYTES_MAX: usize = 2 * PAGE_BYTES_MAX;

/// A tool input of about 240 KB.
fn large(number: usize) -> Value {
    let preview = "x".repeat(60_000);
    let option = |label: &str| json!({"label": label, "description": "-", "preview": preview});
    let question = |at: usize| {
        let text = format!("Which {number}, {at}?");
        json!({"question": text, "header": format!("H{at}"), "options": [option("A"), option("B")]})
    };
    json!({"questions": [question(1), question(2)]})
}

async fn ask(
    server: &Server,
    conversation: &ConversationId,
    input: Value,
) -> Result<InquiryId, ClientError> {
    let params = NewInquiryParams {
        dialect: Some("ask_user_question".to_owned()),
        input,
        conversation_id: Some(conversation.clone()),
        ..NewInquiryParams::default()
    };
    Ok(server.client.ask(&params).await?.id)
}

async fn external(server: &Server) -> ConversationId {
    let params = NewConversationParams {
        external: true,
        ..NewConversationParams::default()
    };
    let created = server.client.create_conversation(&params).await;
    created.expect("it begins").id
}

fn sent(page: &impl Serialize) -> usize {
    serde_json::to_string(page)
        .expect("it can be written")
        .len()
}

/// Messages, inquiries and conversations come in pages of bounded size, without repeats or gaps. A
/// question that was answered after an older page was read is shown as answered there.
#[tokio::test]
async fn pages_of_large_questions_are_bounded_and_complete() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let conversation = external(&server).await;
    let mut asked = Vec::new();
    for number in 0..20 {
        asked.push(ask(&server, &conversation, large(number)).await.unwrap());
    }
    let decline = DeclineParams::default();
    let declined = server.client.decline_inquiry(&asked[0], &decline);
    declined.await.expect("it waits");

    let mut seen = Vec::new();
    let mut params = ReadConversationParams::default();
    loop {
        let page = server.client.conversation(&conversation, &params).await;
        let page = page.expect("it is there");
        assert!(sent(&page) <= SENT_BYTES_MAX, "{}", sent(&page));
        let blocks = page
            .messages
            .iter()
            .rev()
            .flat_map(|message| &message.blocks);
        let extras = blocks.filter_map(|block| block.extra.as_ref());
        seen.extend(extras.map(|extra| (extra.inquiry_id.clone(), extra.inquiry_status.clone())));
        params.before = page.before;
        if params.before.is_none() {
            break;
        }
    }
    seen.reverse();
    let mut expected: Vec<_> = asked
        .iter()
        .map(|id| (id.clone(), InquiryStatus::Pending))
        .collect();
    expected[0].1 = InquiryStatus::Declined;
    assert_eq!(seen, expected);

    let mut inbox = Vec::new();
    let mut params = ListInquiriesParams {
        status: Some(InquiryStatus::Pending),
        limit: Some(200),
        ..ListInquiriesParams::default()
    };
    loop {
        let page = server.client.inquiries(&params).await.expect("a page");
        assert!(sent(&page) <= SENT_BYTES_MAX);
        inbox.extend(page.items.into_iter().map(|inquiry| inquiry.id));
        params.cursor = page.next;
        if params.cursor.is_none() {
            break;
        }
    }
    assert_eq!(inbox, asked[1..]);
}

/// A page of conversations ends where their pending questions would exceed its size.
#[tokio::test]
async fn list_of_conversations_is_cut_by_bytes() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let mut begun = Vec::new();
    for number in 0..10 {
        let conversation = external(&server).await;
        ask(&server, &conversation, large(number)).await.unwrap();
        begun.push(conversation);
    }
    begun.reverse();
    let mut listed = Vec::new();
    let mut params = ListConversationsParams::default();
    loop {
        let page = server.client.conversations(&params).await.expect("a page");
        assert!(sent(&page) <= SENT_BYTES_MAX);
        listed.extend(page.items.into_iter().map(|conversation| conversation.id));
        params.cursor = page.next;
        if params.cursor.is_none() {
            break;
        }
    }
    assert_eq!(listed, begun);
}
