//! Decides what a batch of commits writes, from the rows that were read under the lock of the counters.
//! Pure: the same checks as the constraints of the tables, made before anything is sent, so that a
//! commit that is refused does not fail the others.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use askback_core::id::InquiryId;

use crate::request_keys::UsedKeys;
use crate::sql_values::{agent_hash, int};
use askback_store::commit::{
    Commit, CommitReceipt, InquiryChange, NewAsker, NewJob, NewResolution, RequestKey,
};
use askback_store::rows::{InquiryRow, JobId, Sequence};
use askback_store::store::StoreError;

/// The numbers that were given out last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counters {
    pub(super) sequence: Sequence,
    pub(super) job: JobId,
    pub(super) conversation: i64,
    pub(super) inquiry: i64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct KnownConversation {
    pub(super) number: i64,
    pub(super) version: u64,
    pub(super) is_closed: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct KnownInquiry {
    pub(super) number: i64,
    pub(super) conversation: i64,
    pub(super) is_pending: bool,
}

/// The rows that the commits of a batch depend on.
#[derive(Default)]
pub(super) struct Known {
    pub(super) counters: Counters,
    pub(super) conversations: HashMap<String, KnownConversation>,
    pub(super) inquiries: HashMap<String, KnownInquiry>,
    pub(super) keys: UsedKeys,
    /// The oldest inquiry of each call that was asked and not delivered, by agent, session and call.
    pub(super) calls: HashMap<(Vec<u8>, String, String), InquiryId>,
    /// Finished jobs that another node has claimed.
    pub(super) foreign_jobs: HashSet<JobId>,
    /// This node, unless it has lost its lease: then it cannot claim jobs.
    pub(super) node: Option<i64>,
}

/// The rows that a batch writes.
#[derive(Default)]
pub(super) struct Writes<'a> {
    pub(super) counters: Counters,
    pub(super) created: Vec<(i64, Option<i64>, &'a Commit)>,
    /// With the position from which the conversation is closed.
    pub(super) updated: Vec<(i64, Option<Sequence>, &'a Commit)>,
    pub(super) records: Vec<(Sequence, i64, &'a Commit)>,
    pub(super) asked: Vec<InquiryWrite<'a, &'a InquiryRow>>,
    pub(super) askers: Vec<(i64, &'a NewAsker)>,
    pub(super) deadlines: Vec<InquiryWrite<'a, Option<Timestamp>>>,
    pub(super) handed_on: Vec<InquiryWrite<'a, &'a str>>,
    pub(super) held: Vec<InquiryWrite<'a, Option<&'a str>>>,
    pub(super) resolved: Vec<InquiryWrite<'a, &'a NewResolution>>,
    /// Inquiries whose outcome stays when the content of their conversation is removed.
    pub(super) tombstones: Vec<i64>,
    pub(super) obsolete_timers: Vec<(i64, &'a str)>,
    pub(super) finished_jobs: Vec<JobId>,
    pub(super) jobs: Vec<JobWrite<'a>>,
    pub(super) keys: Vec<(&'a RequestKey, i64, Option<&'a InquiryId>)>,
}

/// What a commit writes into the row of an inquiry.
#[derive(Clone, Copy)]
pub(super) struct InquiryWrite<'a, T = ()> {
    pub(super) number: i64,
    pub(super) conversation: i64,
    pub(super) commit: &'a Commit,
    pub(super) value: T,
}

impl<'a> InquiryWrite<'a> {
    fn of<T>(self, value: T) -> InquiryWrite<'a, T> {
        InquiryWrite {
            number: self.number,
            conversation: self.conversation,
            commit: self.commit,
            value,
        }
    }
}

pub(super) struct JobWrite<'a> {
    pub(super) id: JobId,
    pub(super) conversation: i64,
    pub(super) inquiry: Option<i64>,
    pub(super) node: Option<i64>,
    pub(super) job: &'a NewJob,
}

/// The result of each commit, and the rows of those that are accepted.
pub(super) fn plan<'a>(
    commits: &[&'a Commit],
    known: &Known,
) -> (Vec<Result<CommitReceipt, StoreError>>, Writes<'a>) {
    let mut writes = Writes {
        counters: known.counters,
        ..Writes::default()
    };
    let mut results = Vec::with_capacity(commits.len());
    for commit in commits {
        results.push(check(commit, known).map(|accepted| accepted.write(&mut writes)));
    }
    (results, writes)
}

/// Fails if the commit must not be written.
fn check<'a, 'k>(commit: &'a Commit, known: &'k Known) -> Result<Accepted<'a, 'k>, StoreError> {
    known.keys.refuse(&commit.keys)?;
    refuse_same_call(commit, known)?;
    let taken = |job: &JobId| known.foreign_jobs.contains(job);
    if commit.finished_jobs.iter().any(taken) {
        return Err(StoreError::Conflict);
    }
    let found = known.conversations.get(commit.conversation.as_str());
    let (conversation, parent) = match (commit.expected_version, &commit.create, found) {
        (Some(expected), _, Some(found)) if found.version == expected => (Some(*found), None),
        (None, Some(new), None) => {
            let parent = new.parent.as_ref().map(|parent| {
                let parent = known.conversations.get(parent.as_str());
                let parent = parent.filter(|parent| !parent.is_closed);
                parent
                    .map(|parent| parent.number)
                    .ok_or(StoreError::Conflict)
            });
            (None, parent.transpose()?)
        }
        _ => return Err(StoreError::Conflict),
    };
    Ok(Accepted {
        commit,
        known,
        conversation,
        parent,
        inquiries: changed_inquiries(commit, known, conversation)?,
    })
}

fn refuse_same_call(commit: &Commit, known: &Known) -> Result<(), StoreError> {
    for asker in commit.inquiries.iter().filter_map(InquiryChange::asker) {
        let agent = agent_hash(&asker.client, asker.project.as_deref());
        let call = (agent, asker.session.to_string(), asker.call.clone());
        if let Some(inquiry) = known.calls.get(&call) {
            let inquiry = inquiry.clone();
            return Err(StoreError::AlreadyAsked { inquiry });
        }
    }
    Ok(())
}

/// A column that a commit sets or leaves as it is.
#[derive(Default, Clone, Copy)]
enum Change<T> {
    #[default]
    None,
    To(T),
}

impl<T> Change<T> {
    fn set(self) -> impl Iterator<Item = T> {
        let value = match self {
            Change::None => None,
            Change::To(value) => Some(value),
        };
        value.into_iter()
    }
}

/// All changes of one inquiry in a commit.
#[derive(Default)]
struct ChangedInquiry<'a> {
    /// The number of an inquiry that exists.
    number: Option<i64>,
    asked: Option<(&'a InquiryRow, Option<&'a NewAsker>)>,
    deadline: Change<Option<Timestamp>>,
    handed_on: Change<&'a str>,
    held: Change<Option<&'a str>>,
    resolved: Option<&'a NewResolution>,
}

/// Fails with a conflict if an inquiry exists already, is missing, belongs to another conversation or
/// has its outcome.
fn changed_inquiries<'a>(
    commit: &'a Commit,
    known: &Known,
    conversation: Option<KnownConversation>,
) -> Result<Vec<(&'a InquiryId, ChangedInquiry<'a>)>, StoreError> {
    let mut changed: Vec<(&InquiryId, ChangedInquiry<'_>)> = Vec::new();
    for change in &commit.inquiries {
        let id = change.id();
        let found = known.inquiries.get(id.as_str());
        let index = changed.iter().position(|(changed, _)| *changed == id);
        if let InquiryChange::Ask { inquiry, asker } = change {
            if found.is_some() || index.is_some() {
                return Err(StoreError::Conflict);
            }
            let asked = ChangedInquiry {
                asked: Some((inquiry.as_ref(), asker.as_ref())),
                ..ChangedInquiry::default()
            };
            changed.push((id, asked));
            continue;
        }
        let index = if let Some(index) = index {
            index
        } else {
            let is_ours = |inquiry: &&KnownInquiry| {
                let conversation = conversation.map(|conversation| conversation.number);
                inquiry.is_pending && Some(inquiry.conversation) == conversation
            };
            let found = found.filter(is_ours).ok_or(StoreError::Conflict)?;
            let existing = ChangedInquiry {
                number: Some(found.number),
                ..ChangedInquiry::default()
            };
            changed.push((id, existing));
            changed.len() - 1
        };
        let inquiry = &mut changed[index].1;
        if inquiry.resolved.is_some() {
            return Err(StoreError::Conflict);
        }
        match change {
            InquiryChange::Ask { .. } => {}
            InquiryChange::MoveDeadline { expires_at, .. } => {
                inquiry.deadline = Change::To(*expires_at);
            }
            InquiryChange::HandOn { json, .. } => inquiry.handed_on = Change::To(json),
            InquiryChange::SetHeld { json, .. } => inquiry.held = Change::To(json.as_deref()),
            InquiryChange::Resolve(resolved) => inquiry.resolved = Some(resolved),
        }
    }
    Ok(changed)
}

/// A commit that will be written.
struct Accepted<'a, 'k> {
    commit: &'a Commit,
    known: &'k Known,
    /// Absent if the commit creates it.
    conversation: Option<KnownConversation>,
    parent: Option<i64>,
    inquiries: Vec<(&'a InquiryId, ChangedInquiry<'a>)>,
}

impl<'a> Accepted<'a, '_> {
    fn write(self, writes: &mut Writes<'a>) -> CommitReceipt {
        let commit = self.commit;
        let first_sequence = writes.counters.sequence + 1;
        let closed_from = commit.closes.then_some(first_sequence);
        let conversation = if let Some(found) = self.conversation {
            writes.updated.push((found.number, closed_from, commit));
            found.number
        } else {
            writes.counters.conversation += 1;
            let number = writes.counters.conversation;
            writes.created.push((number, self.parent, commit));
            number
        };
        if let Some(record) = &commit.record {
            writes.counters.sequence += record.positions;
            let last = writes.counters.sequence;
            writes.records.push((last, conversation, commit));
        }
        let inquiries = self.write_inquiries(conversation, writes);
        let number = |id: &InquiryId| {
            let changed = inquiries.get(id).copied();
            let known = self.known.inquiries.get(id.as_str());
            changed.or(known.map(|known| known.number))
        };
        for timers in &commit.obsolete_timers {
            if let Some(inquiry) = number(&timers.inquiry) {
                let kinds = timers.kinds.iter();
                writes
                    .obsolete_timers
                    .extend(kinds.map(|kind| (inquiry, kind.as_str())));
            }
        }
        writes.finished_jobs.extend(&commit.finished_jobs);
        let mut jobs = Vec::with_capacity(commit.jobs.len());
        let mut claimed = Vec::new();
        for job in &commit.jobs {
            writes.counters.job += 1;
            let id = writes.counters.job;
            jobs.push(id);
            let node = self.known.node.filter(|_| job.claim_at_once);
            if node.is_some() {
                claimed.push(commit.claimed_job(job, id));
            }
            writes.jobs.push(JobWrite {
                id,
                conversation,
                inquiry: job.timer_of.as_ref().and_then(number),
                node,
                job,
            });
        }
        let about = self.inquiries.first().map(|(id, _)| *id);
        let keys = commit.keys.iter().map(|key| (key, conversation, about));
        writes.keys.extend(keys);
        CommitReceipt {
            first_sequence,
            jobs,
            claimed,
        }
    }

    /// Returns the numbers of the inquiries.
    fn write_inquiries(
        &self,
        conversation: i64,
        writes: &mut Writes<'a>,
    ) -> HashMap<&'a InquiryId, i64> {
        let mut numbers = HashMap::new();
        for (id, changed) in &self.inquiries {
            let number = changed.number.unwrap_or_else(|| {
                writes.counters.inquiry += 1;
                writes.counters.inquiry
            });
            numbers.insert(*id, number);
            let write = InquiryWrite {
                number,
                conversation,
                commit: self.commit,
                value: (),
            };
            if let Some((new, asker)) = changed.asked {
                writes.asked.push(write.of(new));
                writes.askers.extend(asker.map(|asker| (number, asker)));
            }
            let deadline = changed.deadline.set();
            writes.deadlines.extend(deadline.map(|at| write.of(at)));
            let handed_on = changed.handed_on.set();
            writes.handed_on.extend(handed_on.map(|it| write.of(it)));
            // An outcome clears the held answer anyway.
            if changed.resolved.is_none() {
                let held = changed.held.set();
                writes.held.extend(held.map(|json| write.of(json)));
            }
            let resolved = changed.resolved;
            if resolved.is_some() && self.commit.closes {
                writes.tombstones.push(number);
            }
            writes.resolved.extend(resolved.map(|it| write.of(it)));
        }
        numbers
    }
}

impl Counters {
    /// As the columns of the table.
    pub(super) fn columns(self) -> [i64; 4] {
        [
            int(self.sequence),
            int(self.job),
            self.conversation,
            self.inquiry,
        ]
    }
}
