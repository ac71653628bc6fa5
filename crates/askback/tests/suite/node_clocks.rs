//! A deadline is one of the database: a node whose clock is a minute ahead accepts an answer that is in time.

use askback_store_testing::PostgresServer;
use askback_wire::inquiry::NewInquiryParams;
use askback_wire::respond::AnswerParams;
use serde_json::json;

use super::support::faulty_node::FaultyNode;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deadlines_do_not_depend_on_the_clock_of_a_node() {
    let postgres = PostgresServer::start().expect("PostgreSQL starts");
    let database = postgres.create_database().expect("a database");
    let script = json!({"steps": [{"say": "-"}]});
    let mut nodes = [0, 1].map(|_| FaultyNode::on_postgres(&postgres, &database, &script));
    if !nodes[1].set_clock_forward() {
        eprintln!("the clocks of the nodes are not set apart: libfaketime is not installed");
    }
    nodes.iter_mut().for_each(FaultyNode::start);
    let [asking, ahead] = nodes.each_ref().map(|node| &node.client);
    let question = NewInquiryParams {
        input: json!({"question": "Which?", "options": ["A", "B"]}),
        expires_in: Some("30s".parse().expect("a duration")),
        ..NewInquiryParams::default()
    };
    let asked = asking.ask(&question).await.expect("it is asked");
    let answer = AnswerParams {
        answers: json!({"q1": "A"}),
        ..AnswerParams::default()
    };
    let answered = ahead
        .answer(&asked.id, &answer)
        .await
        .expect("it is in time");
    let asked_at = asked.asked_at;
    let resolved_at = answered.resolved_at.expect("it has ended");
    let between = resolved_at.duration_since(asked_at).as_secs();
    assert!((-2..30).contains(&between), "{asked_at} and {resolved_at}");
}
