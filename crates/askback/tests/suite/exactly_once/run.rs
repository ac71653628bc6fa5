//! A run: clients and faults, then an end in which everything comes to rest, and is read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use askback_client::Client;
use askback_core::id::{ConversationId, InquiryId};
use askback_fakes::{FakeHttp, FakeTelegram};
use askback_wire::conversation::DriverName;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::{ListConversationsParams, ListInquiriesParams};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::super::support::timeout::{TEST_TIMEOUT, within};
use super::check::{check, is_delivered};
use super::clients::{Board, Target, play};
use super::cluster::{Cluster, Fault, Storage};
use super::history::{Ask, End, FeedEvent, Given, History, Operation, Request, Response};
use super::numbers::Numbers;
use super::observe::{self, Leaving, Listener};
use super::{BOT_TOKEN, CLIENTS};

/// Pause between two looks at what has yet to happen.
const LOOK_DELAY: Duration = Duration::from_millis(50);
/// How many requests have an end between two faults.
const FAULT_REQUESTS: std::ops::Range<u64> = 1..60;
/// How long clients go on after that, in milliseconds, so that a fault does not come with a response.
const FAULT_MILLIS: std::ops::Range<u64> = 0..20;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) storage: Storage,
    pub(crate) seed: u64,
    pub(crate) faults: usize,
}

impl Plan {
    /// A node of several that is killed keeps the lease of the channels for half a minute, for which short runs do not wait.
    fn has_channel(self) -> bool {
        self.storage == Storage::Sqlite || self.faults >= 20
    }
}

/// A run in progress.
pub(crate) struct Run {
    plan: Plan,
    pub(crate) cluster: Cluster,
    pub(crate) board: Arc<Board>,
    playing: JoinSet<()>,
    listeners: Vec<Listener>,
    last: watch::Sender<Option<InquiryId>>,
    receiver: FakeHttp,
    telegram: FakeTelegram,
    injected: BTreeMap<Fault, usize>,
    begun: Instant,
}

impl Run {
    /// Starts nodes, listeners and clients.
    pub(crate) async fn start(plan: Plan) -> Run {
        eprintln!(
            "seed {}: {} faults on {:?}",
            plan.seed, plan.faults, plan.storage
        );
        let begun = Instant::now();
        let telegram = FakeTelegram::start(BOT_TOKEN).await.expect("it starts");
        let receiver = observe::receive_webhooks().await;
        let numbers = Numbers::of(plan.seed, CLIENTS);
        let reached = plan.has_channel().then_some(&telegram);
        let cluster =
            tokio::task::block_in_place(|| Cluster::start(plan.storage, reached.cloned(), numbers));
        let webhook = format!("{}/hook", receiver.url());
        let board = Arc::new(Board::new(cluster.clients(), webhook, telegram.clone()));
        let last = watch::Sender::new(None);
        let mut listeners = Vec::new();
        for client in &board.nodes {
            for leaving in [Leaving::Never, Leaving::AfterEvents(20)] {
                listeners.push(Listener::start(client, leaving, &last.subscribe()));
            }
        }
        let mut playing = JoinSet::new();
        for client in 0..CLIENTS {
            let numbers = Numbers::of(plan.seed, client);
            playing.spawn(play(Arc::clone(&board), client, numbers));
        }
        let run = Run {
            plan,
            cluster,
            board,
            playing,
            listeners,
            last,
            receiver,
            telegram,
            injected: BTreeMap::new(),
            begun,
        };
        run.progress("nodes have started");
        run
    }

    fn progress(&self, what: &str) {
        eprintln!("{:.1} s: {what}", self.begun.elapsed().as_secs_f32());
    }

    pub(crate) async fn inject_faults(&mut self) {
        for number in 0..self.plan.faults {
            self.let_clients_go_on().await;
            let fault = self.cluster.fault(number);
            self.cluster.inject(fault).await;
            *self.injected.entry(fault).or_default() += 1;
            if (number + 1) % 20 == 0 {
                self.progress(&format!("{} faults", number + 1));
            }
        }
        self.let_clients_go_on().await;
    }

    async fn let_clients_go_on(&mut self) {
        let count = self.cluster.choose(FAULT_REQUESTS);
        let count = self.board.count() + usize::try_from(count).unwrap_or_default();
        within("clients go on", async {
            while self.board.count() < count {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
        self.cluster.wait(FAULT_MILLIS).await;
    }

    /// Clients go on until questions were asked with a key, and answered, and then stop.
    pub(crate) async fn until_everything_was_done(&mut self) {
        let is_done = || {
            let operations = self.board.operations();
            let accepted = operations.iter().filter(|it| it.is_accepted());
            let count = |is_counted: fn(&Request) -> bool| {
                let counted = accepted.clone().filter(|it| is_counted(&it.request));
                counted.count()
            };
            count(|it| it.verb() == "ask with key") > 10 && count(|it| it.verb() == "answer") > 10
        };
        within("clients ask and answer", async {
            while !is_done() {
                tokio::time::sleep(LOOK_DELAY).await;
            }
        })
        .await;
        self.stop_clients().await;
    }

    async fn stop_clients(&mut self) {
        self.board.stop();
        within("clients stop", async {
            while let Some(ended) = self.playing.join_next().await {
                ended.expect("a client sees nothing wrong");
            }
        })
        .await;
    }

    /// Lets everything come to rest, and reads it.
    pub(crate) async fn finish(mut self) -> History {
        self.stop_clients().await;
        self.progress("clients have stopped");
        self.repeat_lost_requests().await;
        within("everything comes to rest", self.end_questions()).await;
        self.progress("everything has come to rest");
        let last = self.ask_last_question().await;
        self.last.send_replace(Some(last));
        let mut feeds = Vec::new();
        for listener in std::mem::take(&mut self.listeners) {
            feeds.push(listener.end().await);
        }
        let client = &self.board.nodes[0];
        let replay = Listener::start(client, Leaving::Never, &self.last.subscribe());
        feeds.push(replay.end().await);
        let mut history = self.read(feeds).await;
        self.progress("everything was read");
        self.wait_for_deliveries(&mut history).await;
        self.progress("everything was delivered");
        eprintln!("{}", self.figures(&history));
        history
    }

    /// A request whose response was lost is sent once more with its key.
    async fn repeat_lost_requests(&self) {
        let mut operations = self.board.operations();
        operations.retain(|it| it.request.key().is_some());
        let known = |operation: &&Operation| !matches!(operation.response, Response::Lost);
        let known: BTreeSet<String> = operations
            .iter()
            .filter(known)
            .map(|it| it.intent().to_owned())
            .collect();
        let mut repeated = BTreeSet::new();
        for (number, operation) in operations.iter().enumerate() {
            let intent = operation.intent().to_owned();
            if !known.contains(&intent) && repeated.insert(intent) {
                self.perform_until_responded(&format!("repeat-{number}"), &operation.request)
                    .await;
            }
        }
    }

    /// Sends a request until the response says something.
    async fn perform_until_responded(&self, actor: &str, request: &Request) -> Response {
        let node = actor.len() % self.board.nodes.len();
        for attempt in 0_usize.. {
            let actor = format!("{actor}-{attempt}");
            let response = self.board.perform(node, &actor, request.clone()).await;
            match response {
                Response::Accepted(_) | Response::Refused(_) => return response,
                Response::Unavailable | Response::Lost => tokio::time::sleep(LOOK_DELAY).await,
            }
            assert!(attempt < 200, "{request:?} gets a response");
        }
        Response::Lost
    }

    /// Answers what is open, except some questions of external agents, until every agent has stopped.
    async fn end_questions(&self) {
        let client = &self.board.nodes[0];
        for round in 0_usize.. {
            let mut is_open = false;
            for inquiry in observe::list(client, pending()).await {
                is_open |= !stays_open(&inquiry);
                if !stays_open(&inquiry) && inquiry.held.is_none() {
                    let actor = format!("end-{round}-{}", inquiry.id);
                    let request = Request::End(answer(&(&inquiry).into(), &actor));
                    self.perform_until_responded(&actor, &request).await;
                }
            }
            if !is_open && working(client).await == 0 {
                return;
            }
            tokio::time::sleep(LOOK_DELAY).await;
        }
    }

    async fn ask_last_question(&self) -> InquiryId {
        let ask = Ask {
            question: "Question last?".to_owned(),
            questions: 1,
            key: None,
            conversation: None,
            recipient: "quiet".to_owned(),
            seconds: None,
            has_webhook: false,
        };
        match self
            .perform_until_responded("last", &Request::Ask(ask))
            .await
        {
            Response::Accepted(accepted) => accepted.inquiries[0].id.clone(),
            other => panic!("the last question is asked, not {other:?}"),
        }
    }

    /// Waits until webhooks and messages show what has ended. What never does is found by the checks.
    async fn wait_for_deliveries(&self, history: &mut History) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        while Instant::now() < deadline {
            history.webhooks = observe::webhooks(&self.receiver);
            history.cards = observe::cards(&self.telegram, &self.cluster);
            if is_delivered(history) {
                return;
            }
            tokio::time::sleep(LOOK_DELAY).await;
        }
    }

    async fn read(&self, feeds: Vec<Vec<FeedEvent>>) -> History {
        let client = &self.board.nodes[0];
        let operations = self.board.operations();
        let listed = observe::list(client, ListInquiriesParams::default()).await;
        let accepted = operations.iter().filter_map(Operation::accepted);
        let seen = accepted.flat_map(|it| it.inquiries.iter().map(|it| it.id.clone()));
        let shown = feeds.iter().flatten().map(|it| it.inquiry.clone());
        let ids = seen
            .chain(shown)
            .chain(listed.iter().map(|it| it.id.clone()));
        let ids: BTreeSet<InquiryId> = ids.collect();
        let mut nodes = Vec::new();
        for node in &self.board.nodes {
            nodes.push(observe::inquiries(node, ids.iter().cloned()).await);
        }
        let mut conversations = BTreeMap::new();
        for id in built_in(client).await.into_keys() {
            if let Some(transcript) = observe::transcript(client, &id).await {
                conversations.insert(id, transcript);
            }
        }
        let snoozed = nodes.iter().flatten();
        let is_snoozed = |it: &InquiryResponse| it.snoozed_until.is_some();
        let snoozed = snoozed.filter(|(_, it)| it.as_ref().is_some_and(is_snoozed));
        let snoozed = snoozed.map(|(id, _)| id.clone()).collect();
        History {
            operations,
            nodes,
            listed,
            feeds,
            webhooks: Vec::new(),
            cards: Vec::new(),
            audit: observe::audit(client).await,
            conversations,
            snoozed,
        }
    }

    fn figures(&self, history: &History) -> Figures {
        let mut verbs: BTreeMap<String, [usize; 3]> = BTreeMap::new();
        for operation in &history.operations {
            let verb = operation.request.verb().to_owned();
            let counts = verbs.entry(verb).or_default();
            counts[match operation.response {
                Response::Accepted(_) => 0,
                Response::Refused(_) => 1,
                Response::Unavailable | Response::Lost => 2,
            }] += 1;
        }
        let mut statuses: BTreeMap<String, usize> = BTreeMap::new();
        for inquiry in history.nodes[0].values().flatten() {
            *statuses.entry(inquiry.status.to_string()).or_default() += 1;
        }
        let cards = history.cards.iter();
        let unknown = cards.filter(|it| it.may_be_unknown && it.has_buttons);
        Figures {
            faults: self.injected.clone(),
            verbs,
            statuses,
            events: history.feeds.iter().map(Vec::len).collect(),
            others: [
                history.webhooks.len(),
                history.cards.len(),
                unknown.count(),
                history.audit.len(),
                history.conversations.len(),
            ],
            seconds: self.begun.elapsed().as_secs(),
        }
    }
}

/// How much happened.
struct Figures {
    faults: BTreeMap<Fault, usize>,
    /// Accepted, refused, and without a response.
    verbs: BTreeMap<String, [usize; 3]>,
    statuses: BTreeMap<String, usize>,
    events: Vec<usize>,
    others: [usize; 5],
    seconds: u64,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operations: usize = self.verbs.values().flatten().sum();
        let [webhooks, cards, unknown, audit, conversations] = self.others;
        writeln!(f, "{} s, faults: {:?}", self.seconds, self.faults)?;
        writeln!(
            f,
            "{operations} requests (accepted, refused, lost): {:?}",
            self.verbs
        )?;
        writeln!(f, "inquiries: {:?}", self.statuses)?;
        write!(
            f,
            "events in each feed: {:?}; {webhooks} webhooks, {cards} messages ({unknown} open ones that were interrupted), {audit} lines of the audit, \
             {conversations} conversations of the built-in agent",
            self.events
        )
    }
}

fn pending() -> ListInquiriesParams {
    ListInquiriesParams {
        status: Some(InquiryStatus::Pending),
        ..ListInquiriesParams::default()
    }
}

/// One in five questions of external agents is never answered at the end.
fn stays_open(inquiry: &InquiryResponse) -> bool {
    let is_external = inquiry.source.is_some();
    let is_quiet = inquiry.expires_at.is_none() && inquiry.held.is_none();
    let letters = inquiry.id.as_str().bytes().map(u64::from).sum::<u64>();
    is_external && is_quiet && letters.is_multiple_of(5)
}

fn answer(target: &Target, actor: &str) -> End {
    let texts = (1..=target.questions).map(|number| format!("answer {number} {actor}."));
    End {
        inquiry: target.id.clone(),
        given: Given {
            status: InquiryStatus::Answered,
            texts: texts.collect(),
        },
        key: None,
        undo_seconds: None,
        conversation: None,
    }
}

/// Conversations of the built-in agent with the names of their states.
async fn built_in(client: &Client) -> BTreeMap<ConversationId, String> {
    let mut params = ListConversationsParams {
        driver: Some(DriverName::BuiltIn),
        limit: Some(200),
        ..ListConversationsParams::default()
    };
    let mut found = BTreeMap::new();
    loop {
        let page = client.conversations(&params).await.expect("a page");
        found.extend(
            page.items
                .into_iter()
                .map(|it| (it.id, it.state.name().to_owned())),
        );
        params.cursor = page.next;
        if params.cursor.is_none() {
            return found;
        }
    }
}

/// How many conversations of the built-in agent have not come to rest.
async fn working(client: &Client) -> usize {
    let states = built_in(client).await;
    states.values().filter(|state| *state != "idle").count()
}

/// Panics with everything that is wrong.
pub(crate) fn assert_sound(plan: Plan, history: &History) {
    let found = check(history);
    let lines: Vec<String> = found.iter().take(40).map(ToString::to_string).collect();
    assert!(
        found.is_empty(),
        "seed {}: {} violations\n{}",
        plan.seed,
        found.len(),
        lines.join("\n")
    );
    eprintln!("no violations");
}
