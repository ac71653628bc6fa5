//! `kill -9` at any point while agents ask over HTTP: each question is asked once, however often it is
//! repeated, and every answer that was accepted reaches its agent.

use std::collections::BTreeMap;
use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::id::InquiryId;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::list::ListInquiriesParams;
use serde_json::json;

use super::crash_recovery::{answer_all, kills};
use super::support::server_process::{Directory, Server};
use super::support::timeout::within;

/// Far more than an answer takes.
const WAIT: Duration = Duration::from_mins(1);

/// An agent that asks one question after the other.
struct ExternalAgent {
    name: String,
    /// Questions that are answered.
    answered: usize,
    /// The inquiry of the current question, once a reply has named it.
    inquiry: Option<InquiryId>,
}

impl ExternalAgent {
    fn new(number: usize) -> ExternalAgent {
        ExternalAgent {
            name: format!("agent {number}"),
            answered: 0,
            inquiry: None,
        }
    }

    /// Asks until it has this many answers, or the server is gone. A question whose reply was lost is asked
    /// again with its key.
    async fn run(&mut self, client: &Client, until: usize) -> Result<(), ClientError> {
        while self.answered < until {
            let text = format!("Which of {}, {}?", self.name, self.answered);
            let params = NewInquiryParams {
                dialect: Some("question".to_owned()),
                input: json!({"question": text, "options": ["A", "B"]}),
                source: Some(self.name.clone()),
                idempotency_key: Some(text),
                ..NewInquiryParams::default()
            };
            let asked = client.ask(&params).await?;
            let known = self.inquiry.get_or_insert_with(|| asked.id.clone());
            assert_eq!(*known, asked.id, "a repeated question is the same one");
            check_answer(&client.wait_for_inquiry(&asked.id, WAIT).await?);
            self.answered += 1;
            self.inquiry = None;
        }
        Ok(())
    }
}

/// The question has the answer that was given to it.
fn check_answer(inquiry: &InquiryResponse) {
    let text = &inquiry.questions[0].text;
    let result = inquiry.result.as_ref().expect("it has a result");
    let expected = format!("to {text}");
    assert!(result.content.contains(&expected), "{}", result.content);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_lose_and_duplicate_nothing_of_external_agents() {
    let directory = Directory::new();
    let script = json!({"steps": [{"say": "-"}]});
    let mut agents = [0, 1, 2, 3].map(ExternalAgent::new);
    for kill in 0..kills() {
        let server = Server::start(&directory, &script);
        let [a, b, c, d] = &mut agents;
        let client = &server.client;
        let asking = async {
            let until = usize::MAX;
            tokio::join!(
                a.run(client, until),
                b.run(client, until),
                c.run(client, until),
                d.run(client, until)
            )
        };
        // A point in time that differs from kill to kill, between nothing and a few cycles.
        let after = Duration::from_micros(200 + (kill as u64 * 7_919) % 60_000);
        tokio::select! {
            _ = asking => {}
            () = answer_all(&server) => {}
            () = tokio::time::sleep(after) => {}
        }
        server.kill();
    }
    let server = Server::start(&directory, &script);
    for agent in &mut agents {
        let until = agent.answered + 1;
        let rest = async {
            tokio::select! {
                () = answer_all(&server) => panic!("the server is gone"),
                ended = agent.run(&server.client, until) => ended.expect("it goes on"),
            }
        };
        within("the agent goes on", rest).await;
    }
    check_all(&server, &agents).await;
}

/// Every question of every agent was asked once and is answered.
async fn check_all(server: &Server, agents: &[ExternalAgent]) {
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    let mut params = ListInquiriesParams {
        limit: Some(200),
        ..ListInquiriesParams::default()
    };
    loop {
        let page = server.client.inquiries(&params).await.expect("a page");
        for inquiry in &page.items {
            check_answer(inquiry);
            *asked.entry(inquiry.questions[0].text.clone()).or_default() += 1;
        }
        params.cursor = page.next;
        if params.cursor.is_none() {
            break;
        }
    }
    let expected: BTreeMap<String, usize> = agents
        .iter()
        .flat_map(|agent| {
            (0..agent.answered).map(|number| (format!("Which of {}, {number}?", agent.name), 1))
        })
        .collect();
    assert_eq!(asked, expected);
}
