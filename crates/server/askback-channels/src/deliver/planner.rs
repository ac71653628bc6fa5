//! Follows the feed and writes which messages have to be sent or edited.
//!
//! Asking costs nothing more than without channels: the deliveries of a question are written after its
//! commit, together with the position in the feed. After a crash the feed is read from that position on, so
//! nothing is lost; what was planned before is planned again, and changes nothing.
//!
//! The same task escalates and reminds, so that what it stores about that is written in the same order.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_core::conversation::event::ChangeKind;
use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_engine::{InquiryView, ListenError, Record};
use askback_store::{DeliveryPlan, DeliveryProgress, NewDelivery, Sequence, StoreError};
use jiff::{SignedDuration, Timestamp};

use crate::answer::hand_on::close_menus;
use crate::deliver::follow_up::{FollowUp, FollowUps, start};
use crate::deliver::thread_text::ThreadText;
use crate::dispatcher::Shared;
use crate::state::{all_follow_ups, follow_ups, thread_text};

/// How many records without a question may follow the stored position.
const RECORDS_UNSTORED_MAX: u64 = 500;

/// Follows the feed until the store or the feed fails.
pub(crate) async fn follow_feed(shared: &Arc<Shared>) -> Result<(), StoreError> {
    let stored = shared.engine.store().delivery_cursor().await?;
    // Whoever configures the first channel, or subscribes first, stores a position.
    let mut cursor = stored.unwrap_or_default();
    let mut planner = Planner::load(shared).await?;
    let mut unstored = 0;
    let mut listener = shared.engine.listen(None, Some(cursor)).await?;
    loop {
        let next = planner.next();
        let record = tokio::select! {
            record = listener.next() => record,
            () = shared.engine.clock().sleep_until_or_forever(next) => {
                planner.run_due().await?;
                continue;
            }
        };
        let record = match record {
            Ok(record) => record,
            Err(ListenError::TooSlow) => {
                listener = shared.engine.listen(None, Some(cursor)).await?;
                continue;
            }
            Err(ListenError::Closed) => return Ok(()),
            Err(ListenError::Store(error)) => return Err(error),
        };
        cursor = record.last;
        let plan = planner.plan_record(&record).await?;
        unstored += 1;
        if plan.is_idle() && unstored < RECORDS_UNSTORED_MAX {
            continue;
        }
        unstored = 0;
        shared.write_plan(plan).await?;
    }
}

/// Plans deliveries, and knows when which question is to be escalated or reminded of.
struct Planner<'a> {
    shared: &'a Shared,
    follow_ups: BTreeMap<InquiryId, FollowUps>,
}

impl<'a> Planner<'a> {
    async fn load(shared: &'a Shared) -> Result<Planner<'a>, StoreError> {
        let stored = shared.state().list(all_follow_ups()).await?;
        let follow_ups = stored
            .into_iter()
            .filter_map(|kept| Some((kept.inquiry()?.clone(), kept.value)));
        Ok(Planner {
            shared,
            follow_ups: follow_ups.collect(),
        })
    }

    fn plan(&self, cursor: Option<Sequence>) -> DeliveryPlan {
        DeliveryPlan {
            cursor,
            ..DeliveryPlan::due(self.shared.engine.clock().now())
        }
    }

    /// When something is to be done without an event.
    fn next(&self) -> Option<Timestamp> {
        self.follow_ups.values().filter_map(|it| it.next).min()
    }

    /// What the events of a record mean for deliveries.
    async fn plan_record(&mut self, record: &Record) -> Result<DeliveryPlan, StoreError> {
        let mut plan = self.plan(Some(record.last));
        let changes = record.events.iter();
        for (inquiry, change) in changes.filter_map(|(_, event)| event.inquiry_change()) {
            match change {
                ChangeKind::Asked => {
                    if let Some(view) = record.inquiry(inquiry) {
                        plan.new.extend(self.new_deliveries(view).await?);
                        self.set_follow_ups(&mut plan, view, FollowUps::since(view))?;
                    }
                }
                ChangeKind::HandedOn => {
                    plan.changed.push(inquiry.clone());
                    close_menus(&self.shared.engine, &mut plan, inquiry).await?;
                    if let Some(view) = record.inquiry(inquiry) {
                        let new = self.new_deliveries(view).await?;
                        self.tell_known(&mut plan, &new).await?;
                        plan.new.extend(new);
                        self.set_follow_ups(&mut plan, view, FollowUps::since(view))?;
                    }
                }
                ChangeKind::Reminded => self.remind(&mut plan, inquiry, None).await?,
                ChangeKind::DeadlineMoved => {
                    plan.changed.push(inquiry.clone());
                    if let Some(view) = self.shared.engine.inquiry(inquiry).await? {
                        let known = self.follow_ups.get(inquiry).cloned();
                        let known = known.unwrap_or_else(|| FollowUps::since(&view));
                        self.set_follow_ups(&mut plan, &view, known)?;
                    }
                }
                ChangeKind::Held | ChangeKind::Reopened => plan.changed.push(inquiry.clone()),
                ChangeKind::Resolved => {
                    plan.changed.push(inquiry.clone());
                    self.forget(&mut plan, inquiry);
                }
            }
        }
        Ok(plan)
    }

    /// Does what is due by now for one question after the other.
    async fn run_due(&mut self) -> Result<(), StoreError> {
        let now = self.shared.engine.clock().now();
        let due = self.follow_ups.iter();
        let due = due.filter(|(_, it)| it.next.is_some_and(|next| next <= now));
        let due: Vec<(InquiryId, FollowUps)> = due
            .map(|(inquiry, it)| (inquiry.clone(), it.clone()))
            .collect();
        for (inquiry, mut state) in due {
            let mut plan = self.plan(None);
            match self.shared.engine.inquiry(&inquiry).await? {
                Some(view) if view.resolution.is_none() => {
                    if let Some(held) = &view.held {
                        // If the answer is undone, it is due.
                        state.next = Some(held.until + SignedDuration::from_secs(1));
                        self.follow_ups.insert(inquiry, state);
                        continue;
                    }
                    self.follow_up(&mut plan, &view, state).await?;
                }
                Some(_) | None => self.forget(&mut plan, &inquiry),
            }
            self.shared.write_plan(plan).await?;
        }
        Ok(())
    }

    async fn follow_up(
        &mut self,
        plan: &mut DeliveryPlan,
        view: &InquiryView,
        mut state: FollowUps,
    ) -> Result<(), StoreError> {
        let now = plan.due_at;
        let inquiry = &view.row.id;
        let due = state.open(view, &self.shared.config().recipients);
        for (_, what) in due.into_iter().filter(|(at, _)| *at <= now) {
            match what {
                FollowUp::Escalate(alias) => {
                    let new = self.deliveries_to(view, Some(&alias)).await?;
                    plan.new.extend(new);
                    plan.changed.push(inquiry.clone());
                    state.escalated.push(alias);
                }
                FollowUp::Remind(alias) => self.remind(plan, inquiry, Some(&alias)).await?,
            }
        }
        state.done = now;
        self.set_follow_ups(plan, view, state)
    }

    /// Stores what is to be done next for a question, or that nothing is.
    fn set_follow_ups(
        &mut self,
        plan: &mut DeliveryPlan,
        view: &InquiryView,
        state: FollowUps,
    ) -> Result<(), StoreError> {
        let inquiry = &view.row.id;
        let open = state.open(view, &self.shared.config().recipients);
        let next = open.first().map(|(at, _)| *at);
        let is_needed = next.is_some() || !state.escalated.is_empty();
        if view.resolution.is_some() || !is_needed {
            if self.follow_ups.remove(inquiry).is_some() {
                follow_ups(inquiry).plan_removal(plan);
            }
            return Ok(());
        }
        let state = FollowUps { next, ..state };
        follow_ups(inquiry).plan(plan, &state)?;
        self.follow_ups.insert(inquiry.clone(), state);
        Ok(())
    }

    /// Removes what is stored for a question that has ended.
    fn forget(&mut self, plan: &mut DeliveryPlan, inquiry: &InquiryId) {
        self.follow_ups.remove(inquiry);
        plan.end(inquiry);
    }

    /// Reminds everybody who has a message about the question, or one of them.
    async fn remind(
        &self,
        plan: &mut DeliveryPlan,
        inquiry: &InquiryId,
        alias: Option<&str>,
    ) -> Result<(), StoreError> {
        let rows = self.shared.engine.store().deliveries_of(inquiry).await?;
        for row in rows {
            let is_meant = alias.is_none_or(|alias| row.target.recipient == alias);
            if is_meant && row.progress == DeliveryProgress::Sent {
                let open = ThreadText::StillOpen;
                thread_text(row.number, open).plan(plan, &open)?;
            }
        }
        plan.changed.push(inquiry.clone());
        Ok(())
    }

    /// Tells those who had the question before that it is theirs again: their message is only edited, which makes
    /// no sound.
    async fn tell_known(
        &self,
        plan: &mut DeliveryPlan,
        new: &[NewDelivery],
    ) -> Result<(), StoreError> {
        let Some(first) = new.first() else {
            return Ok(());
        };
        let store = self.shared.engine.store();
        for row in store.deliveries_of(&first.inquiry).await? {
            if new.contains(&row.target) && row.external_id.is_some() {
                let handed_on = ThreadText::HandedOn;
                thread_text(row.number, handed_on).plan(plan, &handed_on)?;
            }
        }
        Ok(())
    }

    /// One delivery for each account of each recipient of the inquiry. None if it ended while no server ran.
    async fn new_deliveries(&self, view: &InquiryView) -> Result<Vec<NewDelivery>, StoreError> {
        if view.resolution.is_some() {
            return Ok(Vec::new());
        }
        let named = view.inquiry.recipient().map(Text::as_str);
        self.deliveries_to(view, named).await
    }

    /// One delivery for each account of the person or group.
    async fn deliveries_to(
        &self,
        view: &InquiryView,
        named: Option<&str>,
    ) -> Result<Vec<NewDelivery>, StoreError> {
        let accounts = self.shared.accounts.reachable(named, start(view));
        let deliveries = accounts.await?.into_iter().map(|account| NewDelivery {
            inquiry: view.row.id.clone(),
            channel: account.channel,
            recipient: account.recipient,
            address: account.address,
        });
        Ok(deliveries.collect())
    }
}
