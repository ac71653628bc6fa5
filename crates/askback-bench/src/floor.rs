//! The floor: the smallest program that could do the job. Questions and answers are durable, a
//! waiting question is visible on the feed, and nothing else is there: no rules, no checks, no
//! retries, no history.

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

use crate::question;

/// Most commits that go into one transaction.
const BATCH_MAX: usize = 256;

#[derive(Clone)]
struct Floor {
    writer: mpsc::Sender<Write>,
    feed: broadcast::Sender<Arc<str>>,
    count: Arc<AtomicU64>,
}

/// One row each in the two tables, and who waits for them to be on disk.
struct Write {
    conversation: String,
    payload: String,
    done: oneshot::Sender<()>,
}

/// Serves until it is killed. Prints its address as the first line.
pub(crate) async fn serve(data: &Path) -> anyhow::Result<()> {
    let connection = Connection::open(data.join("floor.db"))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         CREATE TABLE inquiries (id INTEGER PRIMARY KEY, conversation TEXT, payload TEXT) STRICT;
         CREATE TABLE events (id INTEGER PRIMARY KEY, conversation TEXT, payload TEXT) STRICT;",
    )?;
    let (writer, queue) = mpsc::channel();
    std::thread::spawn(move || write_all(&connection, &queue));
    let floor = Floor {
        writer,
        feed: broadcast::channel(4096).0,
        count: Arc::new(AtomicU64::new(0)),
    };
    let router = Router::new()
        .route("/conversations", post(begin))
        .route("/conversations/{id}/respond", post(respond))
        .route("/events", get(events))
        .with_state(floor);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, router).await.context("it stopped")
}

/// Writes whatever waits in one transaction, then tells everyone.
fn write_all(connection: &Connection, queue: &mpsc::Receiver<Write>) -> anyhow::Result<()> {
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
        for write in batch {
            // Whoever waited may have gone; it is on disk all the same.
            write.done.send(()).ok();
        }
    }
    Ok(())
}

impl Floor {
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
            // Nobody listening is no error.
            drop(self.feed.send(asked.into()));
        }
    }
}

async fn begin(State(floor): State<Floor>) -> (StatusCode, Json<Value>) {
    let id = format!("c{}", floor.count.fetch_add(1, Ordering::Relaxed));
    tokio::spawn(floor.ask(id.clone()));
    (StatusCode::CREATED, Json(json!({ "id": id })))
}

async fn respond(
    State(floor): State<Floor>,
    extract::Path(id): extract::Path<String>,
    Json(answer): Json<Value>,
) -> Result<StatusCode, StatusCode> {
    floor.write(&id, answer.to_string()).await?;
    // The agent has the answer, and asks the next question.
    tokio::spawn(floor.ask(id));
    Ok(StatusCode::OK)
}

async fn events(State(floor): State<Floor>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let listener = floor.feed.subscribe();
    Sse::new(futures_util::stream::unfold(
        listener,
        |mut listener| async {
            let asked = listener.recv().await.ok()?;
            Some((
                Ok(Event::default().event("state_change").data(asked.as_ref())),
                listener,
            ))
        },
    ))
}
