//! `--keep` deletes conversations that ended long ago, and never a pending one.

use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::NewInquiryParams;
use askback_wire::list::ListConversationsParams;
use askback_wire::respond::AnswerParams;
use serde_json::json;

use super::feed_resume::closed;
use super::support::server_process::{Directory, Server};
use super::support::timeout::within;

async fn conversations(server: &Server) -> Vec<String> {
    let all = ListConversationsParams::default();
    let page = server.client.conversations(&all).await.expect("a page");
    page.items
        .into_iter()
        .map(|found| found.id.to_string())
        .collect()
}

/// After the retention time, the answered conversation is deleted even though it had a deadline;
/// the pending one stays.
#[tokio::test]
async fn only_ended_conversations_are_deleted() {
    let directory = Directory::new();
    let script = json!({"steps": [{"say": "-"}]});
    let server = Server::start(&directory, &script);
    let ask = NewInquiryParams {
        input: json!({"question": "Which?", "options": ["A"]}),
        ..NewInquiryParams::default()
    };
    let dated = NewInquiryParams {
        expires_in: Some(HumanDuration::from_secs(3_600)),
        ..ask.clone()
    };
    let ended = server.client.ask(&dated).await.expect("asked");
    let answer = AnswerParams {
        answers: json!({"q1": "A"}),
        ..AnswerParams::default()
    };
    server
        .client
        .answer(&ended.id, &answer)
        .await
        .expect("answered");
    let waiting = server.client.ask(&ask).await.expect("asked");
    assert_eq!(conversations(&server).await.len(), 2);
    let seen = server.read(&ended.conversation_id).await.sequence;
    server.kill();
    let server = Server::start_with(&directory, &["--provider", "scripted", "--keep", "0s"]);
    // Deleting begins with the server; it may take its time.
    let left = within("what ended is deleted", async {
        loop {
            let left = conversations(&server).await;
            if left.len() == 1 {
                return left;
            }
        }
    });
    let left = left.await;
    // A page that showed it before learns that it is gone.
    let told = closed(server.client.events(seen), 1);
    let told = within("the feed says so", told).await;
    assert_eq!(told, [ended.conversation_id]);
    assert_eq!(left, [waiting.conversation_id.to_string()]);
    server
        .client
        .answer(&waiting.id, &answer)
        .await
        .expect("it still waits");
}
