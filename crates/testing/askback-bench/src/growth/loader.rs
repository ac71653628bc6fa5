//! Fills a store with copies of one conversation, through the interface of the store.
//!
//! The conversation is real: a server asked and answered its questions. A copy differs in its ids and times.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use askback_core::id::{ConversationId, IdSource, InquiryId};
use askback_core::text::{Lines, Text};
use askback_store::{
    Commit, InquiryChange, InquiryRow, NewAsker, NewConversation, NewRecord, NewResolution,
    Snapshot, SqliteOptions, SqliteStore, Store,
};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::cycles::ratio;
use crate::http::Connection;
use crate::process::Server;
use crate::{question, script};

/// Questions of each conversation.
const QUESTIONS_EACH: usize = 10;
/// Of ten conversations, how many have pending questions, and how many ended long ago.
const PENDING_OF_TEN: usize = 1;
const OLD_OF_TEN: usize = 1;
/// How long ago that was: beyond what retention keeps.
const OLD: Duration = Duration::from_hours(24 * 60);
/// Commits under way at the same time, which share transactions.
const COMMITS_AT_ONCE: usize = 512;
/// Different projects of the agents that ask.
const PROJECTS: usize = 1_000;

/// A conversation as it is stored, with its ids left open.
pub(crate) struct Template {
    asked: Stage,
    answered: Stage,
    inquiries: Vec<AnsweredInquiry>,
}

/// The conversation after all of its questions were asked, or after all were answered.
struct Stage {
    version: u64,
    state: String,
    snapshot: Pattern,
    /// All events since the stage before, as one decision.
    record: Pattern,
    positions: u64,
}

struct AnsweredInquiry {
    dialect: String,
    json: Pattern,
    status: String,
    resolution: Pattern,
}

/// A text in which ids are replaced.
struct Pattern {
    pieces: Vec<Piece>,
}

enum Piece {
    Text(String),
    /// The conversation, or an inquiry by its number.
    Conversation,
    Inquiry(usize),
}

/// The ids of one conversation.
struct Ids {
    conversation: ConversationId,
    inquiries: Vec<InquiryId>,
}

impl Template {
    /// Lets a server ask and answer, and reads what it has stored.
    pub(crate) async fn read(binary: &Path, data: &Path) -> anyhow::Result<Template> {
        let server = Server::askback(binary, data, &script())?;
        let ids = ask(&server).await.map_err(|error| server.explain(error))?;
        server.stop()?;
        let database = data.join("data/askback.db");
        let asked = Stage::read(&database, &ids, 0).await?;
        let server = Server::askback(binary, data, &script())?;
        let mut connection = Connection::open(&server.address).await?;
        for id in &ids.inquiries {
            let path = format!("/inquiries/{id}/answer");
            let answer = r#"{"answers":{"q1":"Yes"}}"#;
            connection.send("POST", &path, answer).await?;
        }
        server.stop()?;
        let answered = Stage::read(&database, &ids, asked.last).await?;
        let store = SqliteStore::open(&database, SqliteOptions::default())?;
        let mut inquiries = Vec::new();
        for id in &ids.inquiries {
            let row = store.inquiry(id).await?.context("it was asked")?;
            inquiries.push(AnsweredInquiry::new(&row, &ids)?);
        }
        Ok(Template {
            asked: asked.stage,
            answered: answered.stage,
            inquiries,
        })
    }
}

/// Asks the questions of one conversation.
async fn ask(server: &Server) -> anyhow::Result<Ids> {
    let mut connection = Connection::open(&server.address).await?;
    let mut body = json!({"dialect": "question", "input": question()});
    let mut inquiries = Vec::new();
    for _ in 0..QUESTIONS_EACH {
        let response = connection
            .send("POST", "/inquiries", &body.to_string())
            .await?;
        let response: Value = serde_json::from_slice(&response)?;
        body["conversation_id"] = response["conversation_id"].clone();
        inquiries.push(InquiryId::new(response["id"].as_str().context("no id")?));
    }
    let conversation = body["conversation_id"].as_str().context("no id")?;
    Ok(Ids {
        conversation: ConversationId::new(conversation),
        inquiries,
    })
}

/// A stage with the position at which it ends.
struct ReadStage {
    stage: Stage,
    last: u64,
}

impl Stage {
    async fn read(database: &Path, ids: &Ids, after: u64) -> anyhow::Result<ReadStage> {
        let store = SqliteStore::open(database, SqliteOptions::default())?;
        let loaded = store.load(&ids.conversation).await?;
        let loaded = loaded.context("the conversation exists")?;
        let records = store.records(Some(&ids.conversation), after, 1_000).await?;
        let mut merged: Option<Value> = None;
        for record in records {
            let body: Value = serde_json::from_str(&record.body)?;
            match &mut merged {
                None => merged = Some(body),
                Some(merged) => {
                    let events = merged["events"].as_array_mut().context("no events")?;
                    events.extend(body["events"].as_array().context("no events")?.clone());
                }
            }
        }
        let merged = merged.context("no records")?;
        let events = merged["events"].as_array().context("no events")?.len();
        let snapshot = loaded.row.snapshot;
        Ok(ReadStage {
            last: loaded.newest,
            stage: Stage {
                version: snapshot.version,
                state: snapshot.state,
                snapshot: Pattern::new(&snapshot.json, ids),
                record: Pattern::new(&merged.to_string(), ids),
                positions: events as u64 + 1,
            },
        })
    }

    /// The stage as the commit of one decision after another stage, or as the first.
    fn commit(&self, after: Option<&Stage>, ids: &Ids, at: Timestamp) -> Commit {
        Commit {
            conversation: ids.conversation.clone(),
            expected_version: after.map(|stage| stage.version),
            create: None,
            snapshot: Snapshot {
                version: self.version,
                state: self.state.clone(),
                title: Some("bench".to_owned()),
                json: self.snapshot.fill(ids),
            },
            record: Some(NewRecord {
                positions: self.positions,
                body: self.record.fill(ids),
            }),
            inquiries: Vec::new(),
            jobs: Vec::new(),
            obsolete_timers: Vec::new(),
            finished_jobs: Vec::new(),
            closes: false,
            keys: Vec::new(),
            at,
        }
    }
}

impl AnsweredInquiry {
    fn new(row: &InquiryRow, ids: &Ids) -> anyhow::Result<AnsweredInquiry> {
        let resolution = row.resolution.as_deref().context("it was answered")?;
        Ok(AnsweredInquiry {
            dialect: row.dialect.clone(),
            json: Pattern::new(&row.json, ids),
            status: row.status.clone(),
            resolution: Pattern::new(resolution, ids),
        })
    }
}

impl Pattern {
    fn new(text: &str, ids: &Ids) -> Pattern {
        let mut pieces = vec![Piece::Text(text.to_owned())];
        let replaced = ids.inquiries.iter().enumerate();
        let replaced = replaced.map(|(index, id)| (id.as_str(), Some(index)));
        for (id, inquiry) in replaced.chain([(ids.conversation.as_str(), None)]) {
            let slot = || inquiry.map_or(Piece::Conversation, Piece::Inquiry);
            let mut split = Vec::new();
            for piece in pieces {
                let Piece::Text(text) = piece else {
                    split.push(piece);
                    continue;
                };
                for (number, part) in text.split(id).enumerate() {
                    split.extend((number > 0).then(slot));
                    split.push(Piece::Text(part.to_owned()));
                }
            }
            pieces = split;
        }
        Pattern { pieces }
    }

    fn fill(&self, ids: &Ids) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Conversation => ids.conversation.as_str(),
            Piece::Inquiry(index) => ids.inquiries[*index].as_str(),
        });
        pieces.collect()
    }
}

/// How much is written.
pub(crate) struct Load {
    pub(crate) questions: usize,
}

impl Load {
    pub(crate) fn of(questions: usize) -> Load {
        Load { questions }
    }

    /// Writes the conversations. Returns how many questions were written a second.
    #[expect(
        clippy::disallowed_methods,
        reason = "measuring time is what this is for"
    )]
    pub(crate) async fn write(
        &self,
        store: &dyn Store,
        template: &Template,
    ) -> anyhow::Result<f64> {
        let start = Instant::now();
        let now = Timestamp::now();
        println!("writing {} questions", self.questions);
        let conversations = 0..self.questions / QUESTIONS_EACH;
        let writes = conversations.map(|number| write_one(store, template, number, now));
        stream::iter(writes)
            .buffer_unordered(COMMITS_AT_ONCE)
            .try_collect::<()>()
            .await?;
        Ok(ratio(self.questions as u64, 1) / start.elapsed().as_secs_f64())
    }
}

async fn write_one(
    store: &dyn Store,
    template: &Template,
    number: usize,
    now: Timestamp,
) -> anyhow::Result<()> {
    let is_old = number % 10 < OLD_OF_TEN;
    let is_pending = number % 10 >= 10 - PENDING_OF_TEN;
    let at = if is_old { now - OLD } else { now };
    let ids = ids_of(number, at);
    let mut asked = template.asked.commit(None, &ids, at);
    asked.create = Some(NewConversation {
        driver: "external".to_owned(),
        app: None,
        parent: None,
    });
    let questions = template.inquiries.iter().zip(&ids.inquiries);
    let asks = questions.clone().enumerate().map(|(index, (inquiry, id))| {
        let conversation = ids.conversation.clone();
        let row = InquiryRow::new(id.clone(), conversation, &inquiry.dialect, at);
        InquiryChange::Ask {
            inquiry: Box::new(InquiryRow {
                json: inquiry.json.fill(&ids),
                ..row
            }),
            asker: asker(number, index),
        }
    });
    asked.inquiries = asks.collect();
    store.commit(asked).await?;
    if is_pending {
        return Ok(());
    }
    let mut answered = template.answered.commit(Some(&template.asked), &ids, at);
    let answers = questions.map(|(inquiry, id)| {
        InquiryChange::Resolve(NewResolution {
            id: id.clone(),
            status: inquiry.status.clone(),
            json: inquiry.resolution.fill(&ids),
        })
    });
    answered.inquiries = answers.collect();
    store.commit(answered).await?;
    Ok(())
}

/// Ids that grow with time, as a server draws them.
fn ids_of(number: usize, at: Timestamp) -> Ids {
    let millis = u128::try_from(at.as_millisecond()).unwrap_or_default();
    let seed = (millis << 80) | ((number as u128) << 16);
    let mut source = IdSource::new(seed);
    Ids {
        conversation: source.draw(),
        inquiries: (0..QUESTIONS_EACH).map(|_| source.draw()).collect(),
    }
}

fn asker(number: usize, index: usize) -> Option<NewAsker> {
    let text = |text: String| Text::clean(&text, Lines::One);
    Some(NewAsker {
        client: text("bench".to_owned())?,
        project: text(format!("/srv/{}", number % PROJECTS)),
        session: text(format!("s{number}"))?,
        call: index.to_string(),
    })
}
