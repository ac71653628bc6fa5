//! Clients that run cycles concurrently, each on its own connection. One feed shows all of them what
//! the server has published.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::cycles::CycleTotals;
use crate::http::{self, Connection};
use crate::process::Server;
use crate::question;

/// How long an event may take before the run fails.
const EVENT_TIMEOUT: Duration = Duration::from_secs(20);
/// What both servers call the number of their transactions on `/metrics`.
pub(crate) const TRANSACTIONS_METRIC: &str = "askback_store_transactions_total";
/// How many sets of clients were opened.
static SETS: AtomicUsize = AtomicUsize::new(0);
const ANSWER: &str = r#"{"answers":{"q1":"Yes"}}"#;

/// Whose questions are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asker {
    /// The agent in the server: an answer is posted, the agent has it and asks again, and the next
    /// question is seen on the feed.
    BuiltIn,
    /// An agent outside: a question is posted and seen on the feed, its answer is posted, and the
    /// outcome is seen on the feed. Each question has a conversation of its own.
    External,
    /// The same, with all questions in one conversation. The baseline does not have this.
    ExternalInOneConversation,
}

impl Asker {
    /// As it is called in the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Asker::BuiltIn => "built-in",
            Asker::External | Asker::ExternalInOneConversation => "external",
        }
    }
}

pub(crate) struct Clients {
    clients: Vec<Client>,
    reader: JoinHandle<()>,
}

struct Client {
    asker: Asker,
    /// The conversation of the built-in agent, or the `source` of an external one.
    name: String,
    /// Where an external agent asks; none before its first question.
    conversation: Option<String>,
    connection: Connection,
    /// Where the questions of an external agent are answered, if that is another node.
    answering: Option<Connection>,
    published: mpsc::UnboundedReceiver<Published>,
}

/// The events that a cycle waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Published {
    Asked,
    Resolved,
}

#[derive(Deserialize)]
struct Created {
    id: String,
    conversation_id: Option<String>,
}

/// The fields by which an event is matched with its client.
#[derive(Deserialize)]
struct EventData {
    r#type: Option<String>,
    conversation_id: Option<String>,
    change: Option<String>,
    inquiry: Option<InquiryData>,
}

#[derive(Deserialize)]
struct InquiryData {
    source: Option<String>,
}

impl Drop for Clients {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl Clients {
    /// Opens this many clients. Those of the built-in agent have their first question.
    pub(crate) async fn open(
        server: &Server,
        asker: Asker,
        count: usize,
    ) -> anyhow::Result<Clients> {
        Clients::open_across(server, None, asker, count).await
    }

    /// The same with questions that are answered on another node.
    pub(crate) async fn open_across(
        server: &Server,
        other: Option<&Server>,
        asker: Asker,
        count: usize,
    ) -> anyhow::Result<Clients> {
        let mut feed = http::feed(&server.address).await?;
        // Two sets may listen to the feed of one server: their events must not be mixed up.
        let set = SETS.fetch_add(1, Ordering::Relaxed);
        let mut clients = Vec::new();
        let mut by_name = HashMap::new();
        for number in 0..count {
            let mut connection = Connection::open(&server.address).await?;
            let name = match asker {
                Asker::External | Asker::ExternalInOneConversation => {
                    format!("asker-{set}-{number}")
                }
                Asker::BuiltIn => {
                    let body = r#"{"message":"go"}"#;
                    let created = connection.send("POST", "/conversations", body).await?;
                    serde_json::from_slice::<Created>(&created)?.id
                }
            };
            let answering = match other {
                Some(other) => Some(Connection::open(&other.address).await?),
                None => None,
            };
            let (sender, published) = mpsc::unbounded_channel();
            by_name.insert(name.clone(), sender);
            clients.push(Client {
                asker,
                name,
                conversation: None,
                connection,
                answering,
                published,
            });
        }
        let reader = tokio::spawn(async move {
            let mut event = String::new();
            while let Ok(Some(line)) = feed.next_line().await {
                if let Some(name) = line.strip_prefix("event: ") {
                    name.clone_into(&mut event);
                } else if let Some(data) = line.strip_prefix("data: ") {
                    dispatch(&by_name, asker, &event, data);
                }
            }
        });
        let mut clients = Clients { clients, reader };
        if asker == Asker::BuiltIn {
            for client in &mut clients.clients {
                client.expect(Published::Asked).await?;
            }
        }
        Ok(clients)
    }

    /// Runs cycles on all clients side by side, and measures what they cost the server.
    #[expect(
        clippy::disallowed_methods,
        reason = "measuring time is what this is for"
    )]
    pub(crate) async fn run(
        &mut self,
        server: &Server,
        cycles: usize,
    ) -> anyhow::Result<CycleTotals> {
        let before = (server.resource_usage()?, fsyncs(server).await?);
        let start = Instant::now();
        let runs: Vec<_> = std::mem::take(&mut self.clients)
            .into_iter()
            .map(|client| tokio::spawn(client.run(cycles)))
            .collect();
        let mut times = Vec::new();
        for run in runs {
            let (client, taken) = run.await??;
            self.clients.push(client);
            times.extend(taken);
        }
        let elapsed = start.elapsed();
        let after = (server.resource_usage()?, fsyncs(server).await?);
        Ok(CycleTotals {
            times,
            elapsed,
            cpu: after.0.cpu.saturating_sub(before.0.cpu),
            written: after.0.written - before.0.written,
            fsyncs: after.1 - before.1,
        })
    }
}

impl Client {
    #[expect(
        clippy::disallowed_methods,
        reason = "measuring time is what this is for"
    )]
    async fn run(mut self, cycles: usize) -> anyhow::Result<(Client, Vec<Duration>)> {
        let mut times = Vec::with_capacity(cycles);
        for _ in 0..cycles {
            let start = Instant::now();
            match self.asker {
                Asker::BuiltIn => self.built_in_cycle().await?,
                Asker::External => drop(self.external_cycle().await?),
                Asker::ExternalInOneConversation => {
                    self.conversation = self.external_cycle().await?;
                }
            }
            times.push(start.elapsed());
        }
        Ok((self, times))
    }

    async fn built_in_cycle(&mut self) -> anyhow::Result<()> {
        let path = format!("/conversations/{}/respond", self.name);
        self.connection.send("POST", &path, ANSWER).await?;
        self.expect(Published::Asked).await
    }

    /// Returns the conversation of the question.
    async fn external_cycle(&mut self) -> anyhow::Result<Option<String>> {
        let mut body = json!({"dialect": "question", "input": question(), "source": self.name});
        if let Some(conversation) = &self.conversation {
            body["conversation_id"] = json!(conversation);
        }
        let body = body.to_string();
        let asked = self.connection.send("POST", "/inquiries", &body).await?;
        let Created {
            id,
            conversation_id,
        } = serde_json::from_slice(&asked)?;
        self.expect(Published::Asked).await?;
        let path = format!("/inquiries/{id}/answer");
        let answering = self.answering.as_mut().unwrap_or(&mut self.connection);
        answering.send("POST", &path, ANSWER).await?;
        self.expect(Published::Resolved).await?;
        Ok(conversation_id)
    }

    /// Waits for the next event of this client, which must be the one that its cycle has come to.
    async fn expect(&mut self, wanted: Published) -> anyhow::Result<()> {
        let next = tokio::time::timeout(EVENT_TIMEOUT, self.published.recv()).await;
        let next = next
            .with_context(|| format!("{wanted:?} was not published in time"))?
            .context("the feed ended")?;
        anyhow::ensure!(next == wanted, "{next:?} came instead of {wanted:?}");
        Ok(())
    }
}

/// Sends an event of the feed to its client, if a cycle waits for it.
fn dispatch(
    by_name: &HashMap<String, mpsc::UnboundedSender<Published>>,
    asker: Asker,
    event: &str,
    data: &str,
) {
    let is_built_in = asker == Asker::BuiltIn;
    if event
        != if is_built_in {
            "state_change"
        } else {
            "inquiry"
        }
    {
        return;
    }
    let Ok(data) = serde_json::from_str::<EventData>(data) else {
        return;
    };
    let published = match data.r#type.as_deref().or(data.change.as_deref()) {
        Some("awaiting_user_response" | "asked") => Published::Asked,
        Some("resolved") => Published::Resolved,
        _ => return,
    };
    let source = data.inquiry.and_then(|inquiry| inquiry.source);
    let name = data.conversation_id.or(source);
    if let Some(client) = name.and_then(|name| by_name.get(&name)) {
        // A client that has failed receives nothing.
        client.send(published).ok();
    }
}

/// How many fsyncs the server has made: one for each transaction.
async fn fsyncs(server: &Server) -> anyhow::Result<u64> {
    let mut connection = Connection::open(&server.address).await?;
    let metrics = String::from_utf8(connection.send("GET", "/metrics", "").await?)?;
    let count = metrics
        .lines()
        .find_map(|line| line.strip_prefix(TRANSACTIONS_METRIC));
    Ok(count.context("it counts no transactions")?.trim().parse()?)
}
