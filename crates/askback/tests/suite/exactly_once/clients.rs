//! Clients that do everything at once with the same few questions, and take down what they are told.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askback_client::Client;
use askback_core::id::{ConversationId, InquiryId};
use askback_fakes::FakeTelegram;
use askback_wire::inquiry::InquiryResponse;

use super::choose::choose;
use super::history::{Operation, Request, Response};
use super::numbers::Numbers;
use super::send::send;

/// Questions, conversations and requests that clients choose from. Few, so that they meet.
const RECENT: usize = 12;
/// Pause after each request, in milliseconds, so that clients leave the processors to the nodes.
const PAUSE_MILLIS: std::ops::Range<u64> = 5..60;

/// What clients share.
pub(crate) struct Board {
    /// The nodes. Each client stays valid when its node is started again.
    pub(crate) nodes: Vec<Client>,
    pub(crate) webhook: String,
    pub(crate) telegram: FakeTelegram,
    clock: AtomicU64,
    is_over: AtomicBool,
    operations: Mutex<Vec<Operation>>,
    targets: Mutex<Targets>,
}

/// What requests may be about.
#[derive(Debug, Default, Clone)]
pub(crate) struct Targets {
    pub(crate) inquiries: VecDeque<Target>,
    /// Those with an answer that can perhaps be undone.
    pub(crate) held: VecDeque<Target>,
    pub(crate) built_in: VecDeque<ConversationId>,
    pub(crate) external: VecDeque<ConversationId>,
    /// Requests with a key, to be repeated by others.
    pub(crate) keyed: VecDeque<Request>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Target {
    pub(crate) id: InquiryId,
    pub(crate) conversation: ConversationId,
    pub(crate) questions: usize,
}

impl From<&InquiryResponse> for Target {
    fn from(inquiry: &InquiryResponse) -> Target {
        Target {
            id: inquiry.id.clone(),
            conversation: inquiry.conversation_id.clone(),
            questions: inquiry.questions.len(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn push_recent<T: PartialEq>(recent: &mut VecDeque<T>, item: T) {
    if recent.contains(&item) {
        return;
    }
    recent.push_back(item);
    if recent.len() > RECENT {
        recent.pop_front();
    }
}

impl Board {
    pub(crate) fn new(nodes: Vec<Client>, webhook: String, telegram: FakeTelegram) -> Board {
        Board {
            nodes,
            webhook,
            telegram,
            clock: AtomicU64::new(1),
            is_over: AtomicBool::new(false),
            operations: Mutex::default(),
            targets: Mutex::default(),
        }
    }

    pub(crate) fn stop(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    pub(crate) fn targets(&self) -> Targets {
        lock(&self.targets).clone()
    }

    pub(crate) fn operations(&self) -> Vec<Operation> {
        lock(&self.operations).clone()
    }

    /// How many requests have ended.
    pub(crate) fn count(&self) -> usize {
        lock(&self.operations).len()
    }

    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    /// Sends the request to a node, and takes down the response.
    pub(crate) async fn perform(&self, node: usize, actor: &str, request: Request) -> Response {
        let begun = self.tick();
        if request.key().is_some() {
            push_recent(&mut lock(&self.targets).keyed, request.clone());
        }
        let response = send(&self.nodes[node], actor, &self.webhook, &request).await;
        self.take_targets(&request, &response);
        let operation = Operation {
            actor: actor.to_owned(),
            request,
            response: response.clone(),
            begun,
            ended: self.tick(),
        };
        lock(&self.operations).push(operation);
        response
    }

    /// Takes down that somebody pressed a button. A message has no response.
    pub(crate) fn press(&self, user: i64, message: i64, (data, request): (&str, Request)) {
        let begun = self.tick();
        let operation = Operation {
            actor: format!("press {begun}"),
            request,
            response: Response::Lost,
            begun,
            ended: u64::MAX,
        };
        lock(&self.operations).push(operation);
        self.telegram.press(user, message, data);
    }

    fn take_targets(&self, request: &Request, response: &Response) {
        let Response::Accepted(accepted) = response else {
            return;
        };
        let mut targets = lock(&self.targets);
        for inquiry in &accepted.inquiries {
            if !inquiry.status.is_resolved() && !inquiry.questions.is_empty() {
                push_recent(&mut targets.inquiries, inquiry.into());
            }
            if inquiry.held.is_some() {
                push_recent(&mut targets.held, inquiry.into());
            }
        }
        if let Some(conversation) = accepted.conversation.clone() {
            match request {
                Request::Begin { .. } => push_recent(&mut targets.built_in, conversation),
                _ => push_recent(&mut targets.external, conversation),
            }
        }
    }
}

/// Sends one request after the other, to any node, until the run is over.
pub(crate) async fn play(board: Arc<Board>, client: usize, mut numbers: Numbers) {
    let mut count = 0;
    while !board.is_over.load(Ordering::SeqCst) {
        count += 1;
        let actor = format!("c{client}-{count}");
        let node = numbers.index(board.nodes.len());
        if let Some(request) = choose(&board, &actor, &mut numbers) {
            board.perform(node, &actor, request).await;
        }
        let pause = numbers.between(PAUSE_MILLIS);
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
}
