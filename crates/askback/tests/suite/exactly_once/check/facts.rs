//! The history, arranged by inquiry, by actor and by key.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::id::{ConversationId, InquiryId};
use askback_wire::inquiry::InquiryResponse;

use super::super::history::{Ask, Ending, FeedEvent, History, Operation, Request};

/// How an inquiry looked somewhere.
pub(super) struct Sighting {
    /// None while it was pending.
    pub(super) ending: Option<Ending>,
    pub(super) place: String,
    /// When it was looked at, if that is known.
    pub(super) time: Option<(u64, u64)>,
}

pub(super) struct Facts<'a> {
    pub(super) history: &'a History,
    pub(super) sightings: BTreeMap<&'a InquiryId, Vec<Sighting>>,
    pub(super) operations_of: BTreeMap<&'a InquiryId, Vec<&'a Operation>>,
    /// Messages, stops and deletions.
    pub(super) operations_in: BTreeMap<&'a ConversationId, Vec<&'a Operation>>,
    pub(super) by_actor: BTreeMap<&'a str, &'a Operation>,
    pub(super) intents: BTreeMap<&'a str, Vec<&'a Operation>>,
    pub(super) questions: BTreeMap<&'a InquiryId, &'a str>,
    /// What asked or pressed the button of a question, and what began a conversation with a message.
    by_text: BTreeMap<&'a str, Vec<&'a Operation>>,
    conversations: BTreeMap<&'a InquiryId, &'a ConversationId>,
    deleted: BTreeSet<&'a ConversationId>,
}

impl<'a> Facts<'a> {
    pub(super) fn of(history: &'a History) -> Facts<'a> {
        let mut facts = Facts {
            history,
            sightings: BTreeMap::new(),
            operations_of: BTreeMap::new(),
            operations_in: BTreeMap::new(),
            by_actor: BTreeMap::new(),
            intents: BTreeMap::new(),
            questions: BTreeMap::new(),
            by_text: BTreeMap::new(),
            conversations: BTreeMap::new(),
            deleted: BTreeSet::new(),
        };
        for operation in &history.operations {
            facts.add_operation(operation);
        }
        for (node, inquiries) in history.nodes.iter().enumerate() {
            for inquiry in inquiries.values().flatten() {
                let place = format!("node {node} at the end");
                facts.see(inquiry, place, Some((u64::MAX, u64::MAX)));
            }
        }
        for inquiry in &history.listed {
            facts.see(inquiry, "the list".to_owned(), Some((u64::MAX, u64::MAX)));
        }
        facts.add_copies();
        facts
    }

    fn add_operation(&mut self, operation: &'a Operation) {
        self.by_actor.insert(&operation.actor, operation);
        let intent = self.intents.entry(operation.intent()).or_default();
        intent.push(operation);
        if let Some(inquiry) = operation.request.inquiry() {
            self.operations_of
                .entry(inquiry)
                .or_default()
                .push(operation);
        }
        match &operation.request {
            Request::Ask(Ask { question: text, .. })
            | Request::Press { question: text, .. }
            | Request::Begin { message: text, .. } => {
                self.by_text.entry(text).or_default().push(operation);
            }
            Request::Message { conversation, .. } | Request::Stop { conversation } => {
                let known = self.operations_in.entry(conversation).or_default();
                known.push(operation);
            }
            Request::Delete { conversation } => {
                let known = self.operations_in.entry(conversation).or_default();
                known.push(operation);
                if operation.may_have_effect() {
                    self.deleted.insert(conversation);
                }
            }
            _ => {}
        }
        let time = Some((operation.begun, operation.ended));
        let accepted = operation.accepted();
        for inquiry in accepted.into_iter().flat_map(|it| &it.inquiries) {
            self.see(
                inquiry,
                format!("the response to {}", operation.actor),
                time,
            );
        }
        let winner = operation.refused().and_then(|it| it.winner.as_ref());
        if let Some(winner) = winner
            && let Some(ending) = Ending::of_winner(winner)
        {
            let place = format!("the refusal of {}", operation.actor);
            self.note(&winner.inquiry_id, Some(ending), place, time);
        }
    }

    /// What shows endings only.
    fn add_copies(&mut self) {
        let history = self.history;
        for (feed, events) in history.feeds.iter().enumerate() {
            for event in events {
                self.conversations
                    .insert(&event.inquiry, &event.conversation);
                if let Some(question) = &event.question {
                    self.questions.insert(&event.inquiry, question);
                }
                if event.ending.is_some() {
                    let place = format!("feed {feed}");
                    self.note(&event.inquiry, event.ending.clone(), place, None);
                }
            }
        }
        for webhook in &history.webhooks {
            if webhook.ending.is_some() {
                let place = "a webhook".to_owned();
                self.note(&webhook.inquiry, webhook.ending.clone(), place, None);
            }
        }
        for entry in &history.audit {
            if let (Some(inquiry), Some(ending)) = (&entry.inquiry_id, Ending::of_audit(entry)) {
                self.note(inquiry, Some(ending), "the audit".to_owned(), None);
            }
        }
    }

    fn see(&mut self, inquiry: &'a InquiryResponse, place: String, time: Option<(u64, u64)>) {
        self.conversations
            .insert(&inquiry.id, &inquiry.conversation_id);
        if let Some(question) = inquiry.questions.first() {
            self.questions.insert(&inquiry.id, &question.text);
        }
        self.note(&inquiry.id, Ending::of(inquiry), place, time);
    }

    fn note(
        &mut self,
        inquiry: &'a InquiryId,
        ending: Option<Ending>,
        place: String,
        time: Option<(u64, u64)>,
    ) {
        let known = self.sightings.entry(inquiry).or_default();
        known.push(Sighting {
            ending,
            place,
            time,
        });
    }

    /// How it ended. All places say the same, or there is a violation already.
    pub(super) fn ending(&self, inquiry: &InquiryId) -> Option<&Ending> {
        let mut seen = self.sightings.get(inquiry)?.iter();
        seen.find_map(|sighting| sighting.ending.as_ref())
    }

    pub(super) fn conversation(&self, inquiry: &InquiryId) -> Option<&'a ConversationId> {
        self.conversations.get(inquiry).copied()
    }

    /// Whether the conversation of the inquiry may have been deleted.
    pub(super) fn is_deleted(&self, inquiry: &InquiryId) -> bool {
        self.conversation(inquiry)
            .is_some_and(|conversation| self.deleted.contains(conversation))
    }

    pub(super) fn is_deleted_conversation(&self, conversation: &ConversationId) -> bool {
        self.deleted.contains(conversation)
    }

    /// The inquiries that exist on a node at the end, with whether they may be deleted.
    pub(super) fn existing(&self) -> impl Iterator<Item = (&'a InquiryResponse, bool)> {
        let first = self.history.nodes.first();
        let found = first.into_iter().flat_map(BTreeMap::values).flatten();
        found.map(|inquiry| (inquiry, self.is_deleted(&inquiry.id)))
    }

    /// The requests with this question or first message.
    pub(super) fn with_text(&self, text: &str) -> impl Iterator<Item = &'a Operation> {
        self.by_text.get(text).into_iter().flatten().copied()
    }

    /// What was asked, if an external agent did.
    pub(super) fn ask_of(&self, inquiry: &InquiryId) -> Option<&'a Ask> {
        let mut known = self.with_text(self.questions.get(inquiry)?);
        known.find_map(|operation| match &operation.request {
            Request::Ask(ask) => Some(ask),
            _ => None,
        })
    }

    /// What was done with an inquiry, or in its conversation.
    pub(super) fn operations_on(&self, inquiry: &InquiryId) -> impl Iterator<Item = &'a Operation> {
        let of = self.operations_of.get(inquiry).into_iter().flatten();
        let conversation = self.conversation(inquiry);
        let within = conversation.and_then(|it| self.operations_in.get(it));
        of.chain(within.into_iter().flatten()).copied()
    }

    /// Whether a request or one of its repetitions may have had an effect.
    pub(super) fn intent_may_have_effect(&self, operation: &Operation) -> bool {
        let intent = self.intents.get(operation.intent());
        let mut all = intent.into_iter().flatten();
        all.any(|operation| operation.may_have_effect())
    }

    /// The events of a feed about each inquiry that cannot have been deleted.
    pub(super) fn lives(
        &self,
        feed: &'a [FeedEvent],
    ) -> BTreeMap<&'a InquiryId, Vec<&'a FeedEvent>> {
        let mut lives: BTreeMap<&InquiryId, Vec<&FeedEvent>> = BTreeMap::new();
        for event in feed {
            if !self.is_deleted(&event.inquiry) {
                lives.entry(&event.inquiry).or_default().push(event);
            }
        }
        lives
    }
}
