//! An external agent: it asks, with and without idempotency keys, repeats itself, waits for outcomes and
//! withdraws.

use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::command::{Command, NewDeadline};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::text::Text;
use askback_engine::{CommitOptions, SubmitError, Submitted};
use askback_store::{DeliveryStep, NewAsker};
use jiff::SignedDuration;

use super::successor::CLIENT;
use super::{actor, brief, check_committed, keyed, pick_conversation, request, verdict};
use crate::actions::Verdict;
use crate::ports::question;
use crate::world::World;

/// Keys are few, so that askers use those of others.
const KEYS: usize = 12;
/// Sessions of the agent that asks. Others may take over from them.
const SESSIONS: usize = 3;
const ATTEMPTS: usize = 5;
const POLL: Duration = Duration::from_secs(30);

/// What to ask. The label is the source of the inquiry, so that it shows which request was executed.
struct Ask {
    label: String,
    key: Option<String>,
    body: u8,
    /// In an existing conversation; otherwise in a new one.
    conversation: Option<ConversationId>,
    expires_after: Option<SignedDuration>,
    webhook: Option<String>,
    /// The digest of the call, if the agent may come back.
    call: Option<String>,
    /// The session that makes the call.
    session: String,
}

/// Asks until its actions are used up.
pub(crate) async fn run(world: Arc<World>) {
    for _ in 0..world.profile.actions {
        world.pause_up_to(world.profile.client_pause_ms_max).await;
        let ask = draw(&world);
        let Some(inquiry) = send(&world, &ask).await else {
            continue;
        };
        let course = world.rng().below(4);
        match course {
            0 => withdraw(&world, &inquiry).await,
            1 => {}
            _ => wait(&world, &inquiry, ask.call.is_some()).await,
        }
    }
}

fn draw(world: &World) -> Ask {
    let number = world.next_id();
    let in_old = world.rng().one_in(3);
    let old = pick_conversation(world, Some("external"));
    let mut rng = world.rng();
    let mut ask = Ask {
        label: format!("a{number}"),
        key: None,
        body: 0,
        conversation: old.filter(|_| in_old),
        expires_after: None,
        webhook: None,
        call: None,
        session: format!("sa{}", rng.below(SESSIONS)),
    };
    match rng.below(4) {
        0 => {
            // A message to an existing conversation has another hash than one that creates it.
            ask.conversation = None;
            let key = format!("k{}", rng.below(KEYS));
            ask.body = u8::try_from(rng.below(2)).unwrap_or(0);
            ask.label = format!("{key}b{}", ask.body);
            ask.key = Some(key);
        }
        1 => {
            let call = format!("m{}", rng.below(KEYS));
            ask.label.clone_from(&call);
            ask.key = Some(format!("{call}-{number}"));
            ask.call = Some(call);
        }
        2 => ask.key = Some(format!("u{number}")),
        _ => {}
    }
    if rng.one_in(2) {
        ask.expires_after = Some(SignedDuration::from_secs(rng.within(1, 600) as i64));
    }
    if rng.one_in(3) {
        ask.webhook = Some(format!("http://hook{}.example/", rng.below(2)));
    }
    ask
}

async fn send(world: &World, ask: &Ask) -> Option<InquiryId> {
    let mut is_certain = true;
    for _ in 0..ATTEMPTS {
        let reply = submit(world, ask).await;
        let told = verdict(reply.as_ref());
        let line = format!("{} {}", ask.label, brief(reply.as_ref()));
        world.trace("asks", line);
        is_certain &= told != Verdict::Unknown;
        if let Some(reply) = reply
            && let Some(inquiry) = asked(world, ask, reply)
        {
            return Some(inquiry);
        }
        let may_repeat = told == Verdict::Unknown && ask.key.is_some();
        if !may_repeat {
            break;
        }
        world.pause_up_to(500).await;
    }
    let is_shared = !ask.label.starts_with('a');
    if is_certain && !is_shared {
        let checker = world.checker();
        let found = checker.asked.iter();
        let found = found
            .filter(|(_, it)| it.source.as_ref() == Some(&ask.label))
            .map(|(id, _)| id.clone())
            .next();
        drop(checker);
        world.check(found.is_none(), || {
            format!("{} was refused, but asked as {found:?}", ask.label)
        });
    }
    None
}

async fn submit(world: &World, ask: &Ask) -> Option<Result<Submitted, SubmitError>> {
    let options = CommitOptions {
        webhook: ask.webhook.clone(),
        asker: ask.call.as_ref().map(|call| NewAsker {
            client: Text::name_or_mark(CLIENT),
            project: None,
            session: Text::name_or_mark(&ask.session),
            call: call.clone(),
        }),
        ..keyed(ask.key.as_deref(), ask.body)
    };
    let inquiry = question(ask.body.into())?.asked_as(Text::name(&ask.label));
    let by = actor(&ask.label);
    let deadline = ask.expires_after.map(NewDeadline::After);
    request(world, async |engine| match &ask.conversation {
        None => engine.ask(inquiry, deadline, by, options).await,
        Some(id) => {
            let command = Command::Ask { inquiry, deadline };
            engine.submit_with(id, command, by, options).await
        }
    })
    .await
}

/// The inquiry that a reply is about. It must be the one that this request asks.
fn asked(world: &World, ask: &Ask, reply: Result<Submitted, SubmitError>) -> Option<InquiryId> {
    let (inquiry, is_known) = match reply {
        Ok(submitted) => {
            check_committed(world, &submitted);
            let pending = submitted.conversation.state.pending().last()?;
            (pending.id.clone(), false)
        }
        Err(SubmitError::Repeated { inquiry, .. }) => (inquiry?, true),
        Err(SubmitError::AlreadyAsked { inquiry }) => (inquiry, true),
        Err(SubmitError::KeyReused) => {
            let key = format!("key:{}", ask.key.clone().unwrap_or_default());
            let checker = world.checker();
            let first = checker.keys.get(&key).and_then(|it| it.inquiry.as_ref());
            let first = first.and_then(|id| checker.asked.get(id)).cloned();
            drop(checker);
            world.check(
                first.is_none_or(|first| first.source.as_ref() != Some(&ask.label)),
                || format!("{} is refused as another request than itself", ask.label),
            );
            return None;
        }
        Err(_) => return None,
    };
    let checker = world.checker();
    let source = checker.asked.get(&inquiry).and_then(|it| it.source.clone());
    drop(checker);
    world.check(source.as_ref() == Some(&ask.label), || {
        format!("{} is told of {inquiry}, which {source:?} asked", ask.label)
    });
    if !is_known && ask.key.is_some() {
        check_asked_once(world, &ask.label, &inquiry);
    }
    Some(inquiry)
}

/// A keyed request is executed once, as long as the conversation exists in which it was executed first.
fn check_asked_once(world: &World, label: &str, inquiry: &InquiryId) {
    if label.starts_with('m') {
        // The same call may be made again after its outcome was delivered.
        return;
    }
    let tables = world.database.tables();
    let checker = world.checker();
    let same = checker.asked.iter().filter(|(id, it)| {
        it.source.as_deref() == Some(label)
            && tables.state_name(&it.conversation).is_some()
            && *id != inquiry
    });
    let others: Vec<InquiryId> = same.map(|(id, _)| id.clone()).collect();
    drop((tables, checker));
    world.check(others.is_empty(), || {
        format!("{label} was asked as {inquiry} and as {others:?}")
    });
}

async fn withdraw(world: &World, inquiry: &InquiryId) {
    let asked = world.checker().asked.get(inquiry).cloned();
    let Some(asked) = asked else {
        return;
    };
    let command = Command::Withdraw {
        target: Some(inquiry.clone().into()),
    };
    let by = actor(&format!("w{}", world.next_id()));
    let reply = request(world, async |engine| {
        engine.submit(&asked.conversation, command, by).await
    })
    .await;
    world.trace(
        "withdrawals",
        format!("{inquiry} {}", brief(reply.as_ref())),
    );
    if let Some(Ok(submitted)) = &reply {
        check_committed(world, submitted);
        let status = world
            .checker()
            .outcomes
            .get(inquiry)
            .map(|it| it.status.clone());
        world.check(status.as_deref() == Some("withdrawn"), || {
            format!("{inquiry} was withdrawn, but is {status:?}")
        });
    }
}

/// Waits for the outcome with long polls, and says that it was delivered.
async fn wait(world: &World, inquiry: &InquiryId, is_delivered: bool) {
    for _ in 0..4 {
        let waiting = request(world, async |engine| engine.wait_for(inquiry, POLL).await);
        let Some(Ok(Some(view))) = waiting.await else {
            continue;
        };
        let Some(ended) = view.resolution else {
            continue;
        };
        let told = ended.resolution.outcome.name();
        let status = world
            .checker()
            .outcomes
            .get(inquiry)
            .map(|it| it.status.clone());
        world.check(status.as_deref() == Some(told), || {
            format!("the asker is told that {inquiry} is {told}, but it is {status:?}")
        });
        if is_delivered {
            let at = world.now();
            let step = DeliveryStep::Done;
            let delivered = request(world, async |engine| {
                engine.store().set_delivery(inquiry, step, at).await
            })
            .await;
            let recorded = delivered.and_then(Result::ok);
            world.trace("deliveries", format!("{inquiry} {recorded:?}"));
        }
        return;
    }
}
