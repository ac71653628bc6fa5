//! Commits that share one transaction. They are independent of each other, so that writing all of them
//! at once gives the same rows as writing one after the other.

use std::collections::HashSet;

use crate::sql_values::agent_hash;
use askback_store::commit::{Commit, InquiryChange};
use askback_store::sql::request_key_hash::key_hash;

/// Everything by which two commits can affect each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Touched {
    Conversation(String),
    Inquiry(String),
    Key(Vec<u8>),
    Call(Vec<u8>, String, String),
}

/// What the commits of a batch touch.
#[derive(Default)]
pub(super) struct Batch {
    touched: HashSet<Touched>,
}

impl Batch {
    /// Whether a commit is independent of those in the batch. If so, it counts as one of them.
    pub(super) fn try_add(&mut self, commit: &Commit) -> bool {
        let touched: HashSet<Touched> = touched(commit).collect();
        if !self.touched.is_disjoint(&touched) {
            return false;
        }
        self.touched.extend(touched);
        true
    }
}

fn touched(commit: &Commit) -> impl Iterator<Item = Touched> {
    let parent = commit.create.as_ref().and_then(|new| new.parent.as_ref());
    let conversations = std::iter::once(&commit.conversation).chain(parent);
    let conversations = conversations.map(|id| Touched::Conversation(id.as_str().to_owned()));
    let inquiries = commit.inquiries.iter().map(InquiryChange::id);
    let inquiries = inquiries.map(|id| Touched::Inquiry(id.as_str().to_owned()));
    let keys = commit
        .keys
        .iter()
        .map(|key| Touched::Key(key_hash(&key.key)));
    let askers = commit.inquiries.iter().filter_map(InquiryChange::asker);
    let calls = askers.map(|asker| {
        let agent = agent_hash(&asker.client, asker.project.as_deref());
        Touched::Call(agent, asker.session.to_string(), asker.call.clone())
    });
    conversations.chain(inquiries).chain(keys).chain(calls)
}
