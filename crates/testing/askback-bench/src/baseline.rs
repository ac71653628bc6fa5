//! The baseline: the smallest program that could do the job. Questions and answers are durable, and
//! both are visible on the feed. There is nothing else: no validation, no authentication, no retries,
//! no history.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use anyhow::Context as _;
use axum::extract::{self, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::Stream;
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tokio::sync::{broadcast, oneshot};

use crate::clients::TRANSACTIONS_METRIC;
use crate::question;

/// Most commits that go into one transaction.
const BATCH_MAX: usize = 256;

#[derive(Clone)]
struct Baseline {
    writer: mpsc::Sender<Write>,
    feed: broadcast::Sender<Arc<Published>>,
    count: Arc<AtomicU64>,
    /// Each makes one fsync.
    transactions: Arc<AtomicU64>,
}

/// An event of the feed.
struct Published {
    event: &'static str,
    data: String,
}

/// One row in each of the two tables; `done` is notified when they are on disk.
struct Write {
    conversation: String,
    payload: String,
    done: oneshot::Sender<()>,
}

/// Serves until it is killed. Prints its address as the first line.
pub(crate) async fn serve(data: &Path) -> anyhow::Result<()> {
    let connection = Connection::open(data.join("baseline.db"))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         CREATE TABLE inquiries (id INTEGER PRIMARY KEY, conversation TEXT, payload TEXT) STRICT;
         CREATE TABLE events (id INTEGER PRIMARY KEY, conversation TEXT, payload TEXT) STRICT;",
    )?;
    let (writer, queue) = mpsc::channel();
    let transactions = Arc::new(AtomicU64::new(0));
    let baseline = Baseline {
        writer,
        feed: broadcast::channel(4096).0,
        count: Arc::new(AtomicU64::new(0)),
        transactions: Arc::clone(&transactions),
    };
    std::thread::spawn(move || write_all(&connection, &queue, &transactions));
    let router = Router::new()
        .route("/conversations", post(begin))
        .route("/conversations/{id}/respond", post(respond))
        .route("/inquiries", post(ask_external))
        .route("/inquiries/{id}/answer", post(answer_external))
        .route("/events", get(events))
        .route("/metrics", get(metrics))
        .with_state(baseline);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, router).await.context("it stopped")
}

/// Writes everything that is queued in one transaction, then responds.
fn write_all(
    connection: &Connection,
    queue: &mpsc::Receiver<Write>,
    transactions: &AtomicU64,
) -> anyhow::Result<()> {
    while let Ok(first) = queue.recv() {
        let mut batch = vec![first];
        batch.extend(queue.try_iter().take(BATCH_MAX - 1));
        connection.execute_batch("BEGIN IMMEDIATE")?;
        for write in &batch {
            for table in ["inquiries", "events"] {
                let insert = format!("INSERT INTO {table} (conversation, payload) VALUES (?, ?)");
                let mut insert = connection.prepare_cached(&insert)?;
                insert.execute(params![write.conversation, write.payload])?;
            }
        }
        connection.execute_batch("COMMIT")?;
        transactions.fetch_add(1, Ordering::Relaxed);
        for write in batch {
            // The caller may have gone away.
            write.done.send(()).ok();
        }
    }
    Ok(())
}

impl Baseline {
    async fn write(&self, conversation: &str, payload: String) -> Result<(), StatusCode> {
        let (done, written) = oneshot::channel();
        let write = Write {
            conversation: conversation.to_owned(),
            payload,
            done,
        };
        let sent = self.writer.send(write);
        sent.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
        written.await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The agent asks: durable first, then visible.
    async fn ask(self, conversation: String) {
        let asked = json!({
            "type": "awaiting_user_response",
            "conversation_id": conversation,
            "questions": [question()],
        });
        let asked = asked.to_string();
        if self.write(&conversation, asked.clone()).await.is_ok() {
            self.publish("state_change", asked);
        }
    }

    fn publish(&self, event: &'static str, data: String) {
        // A feed without readers is no error.
        drop(self.feed.send(Arc::new(Published { event, data })));
    }
}

async fn begin(State(baseline): State<Baseline>) -> (StatusCode, Json<Value>) {
    let id = format!("c{}", baseline.count.fetch_add(1, Ordering::Relaxed));
    tokio::spawn(baseline.ask(id.clone()));
    (StatusCode::CREATED, Json(json!({ "id": id })))
}

async fn respond(
    State(baseline): State<Baseline>,
    extract::Path(id): extract::Path<String>,
    Json(answer): Json<Value>,
) -> Result<StatusCode, StatusCode> {
    baseline.write(&id, answer.to_string()).await?;
    // The agent has the answer, and asks the next question.
    tokio::spawn(baseline.ask(id));
    Ok(StatusCode::OK)
}

/// An external agent asks. The id names its source, so that the answer needs no look-up.
async fn ask_external(
    State(baseline): State<Baseline>,
    Json(asked): Json<Value>,
) -> Result<(StatusCode, Json<Value>), StatusCode> {
    let source = asked["source"].as_str().unwrap_or_default().to_owned();
    let number = baseline.count.fetch_add(1, Ordering::Relaxed);
    let id = format!("{number}.{source}");
    let inquiry = json!({"id": id, "source": source, "input": asked["input"]});
    baseline.write(&id, inquiry.to_string()).await?;
    let asked = json!({"change": "asked", "inquiry": inquiry});
    baseline.publish("inquiry", asked.to_string());
    Ok((StatusCode::CREATED, Json(inquiry)))
}

async fn answer_external(
    State(baseline): State<Baseline>,
    extract::Path(id): extract::Path<String>,
    Json(answer): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    let (_, source) = id.split_once('.').ok_or(StatusCode::NOT_FOUND)?;
    baseline.write(&id, answer.to_string()).await?;
    let resolved = json!({"id": id, "source": source, "answers": answer["answers"]});
    let event = json!({"change": "resolved", "inquiry": resolved});
    baseline.publish("inquiry", event.to_string());
    Ok(Json(resolved))
}

async fn metrics(State(baseline): State<Baseline>) -> String {
    let count = baseline.transactions.load(Ordering::Relaxed);
    format!("{TRANSACTIONS_METRIC} {count}\n")
}

async fn events(
    State(baseline): State<Baseline>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let listener = baseline.feed.subscribe();
    Sse::new(futures_util::stream::unfold(
        listener,
        |mut listener| async {
            let published = listener.recv().await.ok()?;
            let event = Event::default().event(published.event);
            Some((Ok(event.data(&published.data)), listener))
        },
    ))
}
