//! The server that is tested: one node on SQLite, or two on PostgreSQL, and the faults that befall them.

use std::collections::BTreeSet;
use std::time::Duration;

use askback_client::Client;
use askback_fakes::{FakeMessage, FakeTelegram};
use askback_store_testing::{PostgresServer, write_database};
use serde_json::json;

use super::super::support::faulty_node::FaultyNode;
use super::numbers::Numbers;
use super::{AGENT_QUESTIONS, BOT_TOKEN, PEOPLE};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    Sqlite,
    Postgres,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    Kill,
    /// SIGSTOP, and SIGCONT after a while.
    Pause,
    /// SIGSTOP, and SIGKILL after a while.
    KillPaused,
    /// SIGTERM.
    Stop,
    CutConnections,
    StallConnections,
    RefuseConnections,
    CrashPostgres,
}

const SQLITE_FAULTS: [Fault; 6] = [
    Fault::Kill,
    Fault::Pause,
    Fault::Kill,
    Fault::KillPaused,
    Fault::Kill,
    Fault::Stop,
];

const POSTGRES_FAULTS: [Fault; 8] = [
    Fault::Kill,
    Fault::CrashPostgres,
    Fault::Pause,
    Fault::CutConnections,
    Fault::StallConnections,
    Fault::KillPaused,
    Fault::Stop,
    Fault::RefuseConnections,
];

/// The longest pause of a process or a connection, in milliseconds: on PostgreSQL sometimes until after the end of
/// the lease.
const PAUSE_MILLIS: [u64; 2] = [400, 2_500];

/// Enough that some of them are to each person.
const NEWEST_MESSAGES: usize = 100;

pub(crate) struct Cluster {
    pub(crate) nodes: Vec<FaultyNode>,
    postgres: Option<(PostgresServer, String)>,
    telegram: Option<FakeTelegram>,
    /// Messages that a fault may have interrupted. One message is sent at a time to each person, so it is the last one.
    interrupted: BTreeSet<i64>,
    /// For each kill of the only node, the newest message and the number of connections: what arrives later on one of these was
    /// sent before the kill.
    killed: Vec<(i64, usize)>,
    numbers: Numbers,
}

impl Cluster {
    /// Without Telegram, nobody gets messages.
    pub(crate) fn start(
        storage: Storage,
        telegram: Option<FakeTelegram>,
        numbers: Numbers,
    ) -> Cluster {
        let (mut nodes, postgres) = match storage {
            Storage::Sqlite => (vec![FaultyNode::on_sqlite(&script())], None),
            Storage::Postgres => {
                let postgres = PostgresServer::start().expect("PostgreSQL starts");
                let database = postgres.create_database().expect("a database");
                let node = || FaultyNode::on_postgres(&postgres, &database, &script());
                let mut nodes = vec![node(), node()];
                if !nodes[1].set_clock_forward() {
                    eprintln!("the clocks of the nodes agree: libfaketime is not installed");
                }
                (nodes, Some((postgres, database)))
            }
        };
        for node in &mut nodes {
            node.configure(&config(telegram.as_ref()));
            node.add_args(&["--webhook-allow", "127.0.0.1"]);
            node.start();
        }
        Cluster {
            nodes,
            postgres,
            telegram,
            interrupted: BTreeSet::new(),
            killed: Vec::new(),
            numbers,
        }
    }

    pub(crate) fn clients(&self) -> Vec<Client> {
        self.nodes.iter().map(|node| node.client.clone()).collect()
    }

    pub(crate) fn fault(&self, number: usize) -> Fault {
        match self.postgres {
            None => SQLITE_FAULTS[number % SQLITE_FAULTS.len()],
            Some(_) => POSTGRES_FAULTS[number % POSTGRES_FAULTS.len()],
        }
    }

    pub(crate) fn choose(&mut self, range: std::ops::Range<u64>) -> u64 {
        self.numbers.between(range)
    }

    /// Clients go on for a while.
    pub(crate) async fn wait(&mut self, millis: std::ops::Range<u64>) {
        let pause = self.numbers.between(millis);
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }

    async fn wait_paused(&mut self) {
        let longest = PAUSE_MILLIS[usize::from(self.postgres.is_some())];
        self.wait(50..longest).await;
    }

    pub(crate) async fn inject(&mut self, fault: Fault) {
        let index = self.numbers.index(self.nodes.len());
        self.note_if_shared();
        match fault {
            Fault::Kill => self.restart(index, FaultyNode::kill).await,
            Fault::Stop => self.restart(index, FaultyNode::terminate).await,
            Fault::Pause => {
                self.nodes[index].pause();
                self.wait_paused().await;
                self.nodes[index].resume();
            }
            Fault::KillPaused => {
                self.nodes[index].pause();
                self.wait_paused().await;
                self.restart(index, FaultyNode::kill).await;
            }
            Fault::CutConnections => self.nodes[index].proxy().cut(),
            Fault::StallConnections => {
                self.nodes[index].proxy().stall();
                self.wait_paused().await;
                self.nodes[index].proxy().resume();
            }
            Fault::RefuseConnections => {
                self.nodes[index].proxy().refuse();
                self.wait_paused().await;
                self.nodes[index].proxy().resume();
            }
            Fault::CrashPostgres => {
                let (postgres, _) = self.postgres.as_ref().expect("it is on PostgreSQL");
                tokio::task::block_in_place(|| postgres.restart()).expect("it restarts");
            }
        }
        self.note_if_shared();
    }

    /// A node that loses its connections or its lease interrupts what it sends, and so does a kill.
    fn note_if_shared(&mut self) {
        if self.postgres.is_some() {
            self.note_last_messages();
        }
    }

    fn note_last_messages(&mut self) {
        let Some(telegram) = &self.telegram else {
            return;
        };
        let mut chats = BTreeSet::new();
        for message in telegram.newest_messages(NEWEST_MESSAGES) {
            if chats.insert(message.chat) {
                self.interrupted.insert(message.id);
            }
        }
    }

    async fn restart(&mut self, index: usize, end: fn(&mut FaultyNode)) {
        tokio::task::block_in_place(|| end(&mut self.nodes[index]));
        self.note_last_messages();
        if let (Some(telegram), None) = (&self.telegram, &self.postgres) {
            let newest = telegram.newest_messages(1).first().map_or(0, |it| it.id);
            let connections = telegram.connections().await;
            self.killed
                .push((newest, connections.expect("Telegram is there")));
        }
        tokio::task::block_in_place(|| self.nodes[index].start());
    }

    /// Whether the server may not know that it has sent a message.
    pub(crate) fn is_interrupted(&self, message: &FakeMessage) -> bool {
        let mut killed = self.killed.iter();
        self.interrupted.contains(&message.id)
            || killed.any(|(newest, open)| message.id > *newest && message.connection < *open)
    }

    /// Kills all nodes, changes what is stored, and starts them again.
    pub(crate) fn tamper(&mut self, sql: &str) {
        tokio::task::block_in_place(|| {
            self.nodes.iter_mut().for_each(FaultyNode::kill);
            self.note_last_messages();
            match &self.postgres {
                None => {
                    let database = self.nodes[0].database();
                    write_database(&database, sql).expect("it is changed");
                    // It says that a log is needed, which was copied into the database just now.
                    let lock = database.with_extension("db-lock");
                    std::fs::remove_file(lock).expect("it is removed");
                }
                Some((postgres, database)) => {
                    let sql = format!("SET search_path TO askback; {sql}");
                    postgres.run_sql(database, &sql).expect("it is changed");
                }
            }
            self.nodes.iter_mut().for_each(FaultyNode::start);
        });
    }
}

/// The built-in agent asks some questions, says something, and begins again with the next message.
fn script() -> serde_json::Value {
    let question =
        json!({"question": "Step {{reply}} of {{task}}?", "options": super::send::CHOICES});
    let calls = json!([{"tool": "question", "input": question}]);
    json!({
        "steps": [{"calls": calls, "times": AGENT_QUESTIONS}, {"say": "done"}],
        "repeat_from": 1,
    })
}

/// Two people get messages, and one gets none.
fn config(telegram: Option<&FakeTelegram>) -> String {
    let channel = telegram.map(|telegram| {
        let url = telegram.base_url();
        format!(
            "[channels.telegram]\ntoken = '{BOT_TOKEN}'\nbase_url = '{url}'\nundo_seconds = 0\n"
        )
    });
    let people = PEOPLE.iter().map(|(name, id)| {
        let alias = name.to_lowercase();
        let identity = telegram.map(|_| format!("identities = ['telegram:{id}']\n"));
        let identity = identity.unwrap_or_default();
        format!(
            "[recipients.{alias}]\nname = '{name}'\nlanguage = 'en'\ntime_zone = 'UTC'\npresence = false\n{identity}"
        )
    });
    let nobody = "[recipients.quiet]\nname = 'Quiet'\n".to_owned();
    channel.into_iter().chain(people).chain([nobody]).collect()
}
