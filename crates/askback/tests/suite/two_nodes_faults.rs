//! Nodes are killed and stopped, their connections are cut and stalled, and PostgreSQL crashes, while
//! agents ask and people answer on two nodes whose clocks differ by a minute: no question is lost, no
//! answer is lost or given twice, both feeds are complete, and every conversation goes on.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askback_client::Client;
use askback_core::id::ConversationId;
use askback_store::conformance::PostgresServer;
use askback_wire::conversation::NewConversationParams;
use askback_wire::inquiry::NewInquiryParams;
use askback_wire::respond::AnswerParams;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::crash_recovery::{check, script};
use super::support::fault_clients::{
    ClientLog, Follower, answer_repeatedly, ask_repeatedly, running_among,
};
use super::support::faulty_node::FaultyNode;
use super::support::timeout::within;

/// Conversations of the built-in agent that run at the same time.
const CONVERSATIONS: usize = 4;
const EXTERNAL_AGENTS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    KillNode,
    StopNode,
    CutConnections,
    StallConnections,
    RefuseConnections,
    CrashPostgres,
}

const FAULTS: [Fault; 6] = [
    Fault::KillNode,
    Fault::StallConnections,
    Fault::CrashPostgres,
    Fault::CutConnections,
    Fault::StopNode,
    Fault::RefuseConnections,
];

/// How many faults there are; `ASKBACK_FAULTS` sets it for a long run.
fn fault_count() -> usize {
    let wanted = std::env::var("ASKBACK_FAULTS").ok();
    wanted.and_then(|faults| faults.parse().ok()).unwrap_or(6)
}

/// The same numbers in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn millis(&mut self, from: u64, to: u64) -> Duration {
        Duration::from_millis(from + self.below(to - from))
    }
}

/// Both nodes with their database.
struct Cluster {
    postgres: PostgresServer,
    nodes: [FaultyNode; 2],
    conversations: Vec<ConversationId>,
    /// Those that had not ended when they were last looked at.
    running: Vec<ConversationId>,
    numbers: Numbers,
}

impl Cluster {
    fn start() -> Cluster {
        let postgres = PostgresServer::start().expect("PostgreSQL starts");
        let database = postgres.create_database().expect("a database");
        let mut nodes = [0, 1].map(|_| FaultyNode::new(&postgres, &database, &script()));
        if !nodes[1].set_clock_forward() {
            eprintln!("the clocks of the nodes are not set apart: libfaketime is not installed");
        }
        nodes.iter_mut().for_each(FaultyNode::start);
        Cluster {
            postgres,
            nodes,
            conversations: Vec::new(),
            running: Vec::new(),
            numbers: Numbers(0x9e37_79b9_7f4a_7c15),
        }
    }

    fn clients(&self) -> [Client; 2] {
        self.nodes.each_ref().map(|node| node.client.clone())
    }

    /// Keeps conversations running. A start whose reply is lost is no conversation of ours.
    async fn begin_conversations(&mut self) {
        let running = running_among(&self.nodes[0].client, &self.running).await;
        let Some(running) = running else { return };
        self.running = running;
        for number in self.running.len()..CONVERSATIONS {
            let params = NewConversationParams {
                message: Some("go".to_owned()),
                ..NewConversationParams::default()
            };
            let begun = self.nodes[number % 2]
                .client
                .create_conversation(&params)
                .await;
            let begun = begun.map(|conversation| conversation.id);
            self.conversations.extend(begun.as_ref().ok().cloned());
            self.running.extend(begun);
        }
    }

    /// Clients go on for a while.
    async fn pause(&mut self, from: u64, to: u64) {
        tokio::time::sleep(self.numbers.millis(from, to)).await;
    }

    async fn inject(&mut self, fault: Fault) {
        let index = usize::try_from(self.numbers.below(2)).expect("0 or 1");
        match fault {
            Fault::KillNode => tokio::task::block_in_place(|| {
                self.nodes[index].kill();
                self.nodes[index].start();
            }),
            Fault::StopNode => tokio::task::block_in_place(|| {
                self.nodes[index].terminate();
                self.nodes[index].start();
            }),
            Fault::CutConnections => self.nodes[index].proxy.cut(),
            Fault::StallConnections => {
                self.nodes[index].proxy.stall();
                // Sometimes until after the end of the lease.
                self.pause(50, 2_500).await;
                self.nodes[index].proxy.resume();
            }
            Fault::RefuseConnections => {
                self.nodes[index].proxy.refuse();
                self.pause(50, 2_500).await;
                self.nodes[index].proxy.resume();
            }
            Fault::CrashPostgres => {
                tokio::task::block_in_place(|| self.postgres.restart()).expect("it restarts");
            }
        }
    }

    async fn conversations_end(&self) {
        for id in &self.conversations {
            self.nodes[1].server().reaches(id, "idle").await;
        }
    }
}

/// A deadline is one of the database: a node whose clock is a minute ahead accepts an answer that is in time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deadlines_do_not_depend_on_the_clock_of_a_node() {
    let cluster = Cluster::start();
    let [asking, ahead] = cluster.clients();
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_lose_and_duplicate_nothing() {
    let started = Instant::now();
    let mut cluster = Cluster::start();
    let clients = cluster.clients();
    let log = Arc::new(ClientLog::default());
    let followers = clients.each_ref().map(Follower::start);
    let mut answering = JoinSet::new();
    for (node, client) in clients.iter().enumerate() {
        answering.spawn(answer_repeatedly(client.clone(), node, Arc::clone(&log)));
    }
    let mut asking = JoinSet::new();
    for agent in 0..EXTERNAL_AGENTS {
        asking.spawn(ask_repeatedly(clients.clone(), agent, Arc::clone(&log)));
    }
    let mut injected: BTreeMap<Fault, usize> = BTreeMap::new();
    for number in 0..fault_count() {
        cluster.begin_conversations().await;
        cluster.pause(20, 300).await;
        let fault = FAULTS[number % FAULTS.len()];
        cluster.inject(fault).await;
        *injected.entry(fault).or_default() += 1;
        if (number + 1) % 50 == 0 {
            eprintln!("{} faults after {:?}", number + 1, started.elapsed());
        }
    }
    log.stop_asking();
    within("every agent gets its last answer", async {
        while let Some(ended) = asking.join_next().await {
            ended.expect("an agent sees nothing wrong");
        }
    })
    .await;
    within("every conversation ends", cluster.conversations_end()).await;
    answering.abort_all();
    for id in &cluster.conversations {
        check(cluster.nodes[0].server(), id).await;
    }
    let feeds = Follower::stop_at_end(&clients[0], followers).await;
    let questions = log.check(&clients, &feeds).await;
    eprintln!(
        "{} faults in {:?}: {injected:?}; {} conversations, {questions:?}, {} events in each feed",
        fault_count(),
        started.elapsed(),
        cluster.conversations.len(),
        feeds[0].len(),
    );
}
