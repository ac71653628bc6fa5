//! Sends somebody who has just linked an account the questions that already wait for them.

use askback_core::text::Text;
use askback_store::{DeliveryPlan, InquiryFilter, NewDelivery, StoreError};

use crate::deliver::follow_up::start;
use crate::dispatcher::Shared;
use crate::people::reachable::{ReachableAccount, reachable_among};

/// More would flood a new chat; the inbox has the rest.
const QUESTIONS_MAX: usize = 20;
/// Pending questions that are read at a time, and how often: presses wait meanwhile.
const PAGE: usize = 200;
const PAGES_MAX: usize = 10;

/// Plans messages for the pending questions of an account, those with the nearest deadline first. What was planned
/// before is not planned again.
pub(crate) async fn send_pending(
    shared: &Shared,
    account: &ReachableAccount,
) -> Result<(), StoreError> {
    let mut plan = DeliveryPlan::due(shared.engine.clock().now());
    let linked = shared.accounts.linked().await?;
    let config = shared.config();
    let mut cursor = None;
    for _ in 0..PAGES_MAX {
        let filter = InquiryFilter {
            cursor,
            ..InquiryFilter::pending(PAGE)
        };
        let page = shared.engine.inquiries(filter).await?;
        for view in page.items {
            let named = view.inquiry.recipient().map(Text::as_str);
            if plan.new.len() < QUESTIONS_MAX
                && reachable_among(&config, &linked, named, start(&view)).contains(account)
            {
                plan.new.push(NewDelivery {
                    inquiry: view.row.id,
                    channel: account.channel.clone(),
                    recipient: account.recipient.clone(),
                    address: account.address.clone(),
                });
            }
        }
        cursor = page.next;
        if cursor.is_none() || plan.new.len() == QUESTIONS_MAX {
            break;
        }
    }
    shared.write_plan(plan).await
}
