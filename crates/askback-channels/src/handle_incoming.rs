//! Turns what people do in a channel into commands of the engine. Who may do it is checked each time.

use std::sync::Arc;

use askback_core::answer::{AnswerError, AnswerProblem, Answers};
use askback_core::conversation::command::{Command, RespondentAction, Target};
use askback_core::conversation::rejection::Rejection;
use askback_core::draft::{Draft, DraftPage, RangeEnd};
use askback_core::identity::Identity;
use askback_core::input_parser::InputParser;
use askback_core::outcome::{Actor, Surface};
use askback_core::question::Kind;
use askback_core::text::{Lines, Text};
use askback_engine::{InquiryView, SubmitError};
use askback_locale::Locale;
use askback_store::{DeliveryPlan, DraftRow, StoreError};
use jiff::SignedDuration;
use jiff::civil::Date;

use crate::account::{linked_accounts, redeem_code};
use crate::build_card::{build_card, reader, stored_draft};
use crate::button::{Button, Press};
use crate::card::Card;
use crate::channel::{Address, ChannelFuture, MessageId};
use crate::config::ConfiguredChannel;
use crate::dispatcher::Shared;
use crate::draft_edits::{self, Edited};
use crate::feedback::{Feedback, FieldProblem, PressResult, TextPrompt};
use crate::incoming::{FieldInput, HandlerError, Incoming, IncomingAction, IncomingHandler};
use crate::recipients::Recipient;

/// Names in records are at most this long.
const NAME_CHARS_MAX: usize = 80;

/// Handles what arrives on one channel.
pub(crate) struct ChannelHandler {
    shared: Arc<Shared>,
    name: String,
    channel: ConfiguredChannel,
}

/// Why nothing can be told to the person.
enum Unhandled {
    Store(StoreError),
    Closing,
}

impl From<StoreError> for Unhandled {
    fn from(error: StoreError) -> Unhandled {
        Unhandled::Store(error)
    }
}

/// A person who may act on an inquiry.
struct Respondent<'a> {
    actor: Actor,
    recipient: &'a Recipient,
}

/// What a person does with an inquiry.
enum Deed<'a> {
    Press(Press),
    Submit(&'a [FieldInput]),
    Text((usize, RangeEnd), &'a str),
}

fn feedback(result: PressResult, text: String) -> Feedback {
    Feedback {
        result,
        text,
        prompt: None,
    }
}

impl ChannelHandler {
    pub(crate) fn new(shared: Arc<Shared>, name: String, channel: ConfiguredChannel) -> Self {
        ChannelHandler {
            shared,
            name,
            channel,
        }
    }

    async fn handle_any(&self, incoming: &Incoming) -> Result<Feedback, Unhandled> {
        match &incoming.action {
            IncomingAction::Link { code } => self.link(incoming, code).await,
            IncomingAction::Press { data } => match Button::decode(data) {
                Some(button) => self.act(incoming, &button, Deed::Press(button.press)).await,
                None => Ok(self.not_allowed(incoming, "data of no button")),
            },
            IncomingAction::Submit { data, fields } => match Button::decode(data) {
                Some(button) => self.act(incoming, &button, Deed::Submit(fields)).await,
                None => Ok(self.not_allowed(incoming, "data of no button")),
            },
            IncomingAction::Reply { text } => self.reply(incoming, text).await,
        }
    }

    async fn link(&self, incoming: &Incoming, code: &str) -> Result<Feedback, Unhandled> {
        let store = self.shared.engine.store();
        let who = (
            self.name.as_str(),
            &incoming.identity,
            incoming.address.0.as_str(),
        );
        let now = self.shared.engine.clock().now();
        let account = redeem_code(store.as_ref(), code.trim(), who, now).await?;
        let people = &self.shared.config.recipients.people;
        let person = account.and_then(|account| people.get(&account.recipient));
        Ok(match person {
            Some(person) => {
                let args = [("name", person.name.as_str().into())];
                let text = person.locale.text("channel-linked", &args);
                feedback(PressResult::Linked, text)
            }
            None => {
                let text = Locale::choose(&["en"]).text("channel-code-invalid", &[]);
                feedback(PressResult::NotAllowed, text)
            }
        })
    }

    /// A text that replies to a prompt, or to a card whose shown question takes text.
    async fn reply(&self, incoming: &Incoming, text: &str) -> Result<Feedback, Unhandled> {
        let ignored = || Ok(feedback(PressResult::Ignored, String::new()));
        let Some(message) = &incoming.message else {
            return ignored();
        };
        let store = self.shared.engine.store();
        let key = self.prompt_key(&incoming.address, message);
        let prompt = store.channel_values(&key).await?.into_iter().next();
        if let Some(button) = prompt.and_then(|(_, data)| Button::decode(&data)) {
            let Press::Write { question, end } = button.press else {
                return ignored();
            };
            let question = (question, end);
            return self
                .act(incoming, &button, Deed::Text(question, text))
                .await;
        }
        let address = incoming.address.0.as_str();
        let delivery = store
            .delivery_of_message(&self.name, address, &message.0)
            .await?;
        let Some(delivery) = delivery else {
            return ignored();
        };
        let inquiry = delivery.target.inquiry;
        let Some(view) = self.shared.engine.inquiry(&inquiry).await? else {
            return ignored();
        };
        let question = match stored_draft(&self.shared.engine, &view).await?.page {
            DraftPage::Question(question) => question,
            DraftPage::Review => return ignored(),
        };
        let button = Button {
            inquiry,
            revision: view.row.revision,
            press: Press::Write {
                question,
                end: RangeEnd::Start,
            },
        };
        let question = (question, RangeEnd::Start);
        self.act(incoming, &button, Deed::Text(question, text))
            .await
    }

    /// Does something with an inquiry, if the person may.
    async fn act(
        &self,
        incoming: &Incoming,
        button: &Button,
        deed: Deed<'_>,
    ) -> Result<Feedback, Unhandled> {
        let Some(respondent) = self.respondent(incoming, button).await? else {
            return Ok(self.not_allowed(incoming, "not a recipient of the question"));
        };
        let Some(view) = self.shared.engine.inquiry(&button.inquiry).await? else {
            return Ok(self.not_allowed(incoming, "no such question"));
        };
        if let Some(told) = self.refused_already(&view, button, &respondent).await? {
            return Ok(told);
        }
        match deed {
            Deed::Press(Press::Undo) => self.undo(&view, respondent).await,
            Deed::Press(Press::Decline) => {
                self.respond(&view, respondent, RespondentAction::Decline)
                    .await
            }
            Deed::Press(Press::Write { question, .. }) => Ok(prompt_for(
                &view,
                button,
                question,
                respondent.recipient.locale,
            )),
            Deed::Press(press) => {
                self.edit(&view, respondent, |parser, draft| {
                    draft_edits::press(&view.inquiry, parser, draft, press)
                })
                .await
            }
            Deed::Submit(fields) => {
                self.edit(&view, respondent, |parser, draft| {
                    draft_edits::submit(&view.inquiry, parser, draft, fields)
                })
                .await
            }
            Deed::Text(question, text) => self.write(&view, respondent, (question, text)).await,
        }
    }

    /// Takes a text for a question. What does not fit, or a range without its last day, is asked for again.
    async fn write(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
        ((question, end), text): ((usize, RangeEnd), &str),
    ) -> Result<Feedback, Unhandled> {
        let locale = respondent.recipient.locale;
        let today = reader(respondent.recipient, self.shared.engine.clock().now()).today;
        let mut told = self
            .edit(view, respondent, |parser, draft| {
                draft_edits::write(&view.inquiry, parser, draft, (question, end), text)
            })
            .await?;
        let asked = view.inquiry.questions().get(question);
        let is_range = asked.is_some_and(|asked| matches!(asked.kind, Kind::DateRange(_)));
        let again = match &told.result {
            PressResult::Invalid { .. } => {
                Some((end, typed_problem(locale, view, &told, (text, today))))
            }
            PressResult::DraftSaved if is_range => {
                let draft = stored_draft(&self.shared.engine, view).await?;
                let entry = draft.entries.get(question);
                let is_open = entry.is_some_and(|entry| entry.typed_end.trim().is_empty());
                is_open.then(|| (RangeEnd::End, locale.text("to", &[])))
            }
            PressResult::DraftSaved
            | PressResult::Accepted
            | PressResult::AcceptedWithUndo { .. }
            | PressResult::Undone
            | PressResult::Linked
            | PressResult::AlreadyEnded
            | PressResult::Held
            | PressResult::Changed
            | PressResult::NotAllowed
            | PressResult::Ignored => None,
        };
        told.prompt = again.map(|(end, text)| TextPrompt {
            button: Button {
                inquiry: view.row.id.clone(),
                revision: view.row.revision,
                press: Press::Write { question, end },
            },
            text,
            placeholder: None,
        });
        Ok(told)
    }

    /// The person, if the question was delivered to them through this channel.
    async fn respondent(
        &self,
        incoming: &Incoming,
        button: &Button,
    ) -> Result<Option<Respondent<'_>>, Unhandled> {
        let recipients = &self.shared.config.recipients;
        let store = self.shared.engine.store();
        let owner = match recipients.owner(&incoming.identity) {
            Some(owner) => Some(owner),
            None => {
                let linked = linked_accounts(store.as_ref()).await?;
                let mut linked = linked
                    .into_iter()
                    .filter(|account| account.channel == self.name);
                let account = linked.find(|account| account.identity == incoming.identity.as_str());
                account.and_then(|account| {
                    let found = recipients.people.get_key_value(&account.recipient);
                    found.map(|(alias, person)| (alias.as_str(), person))
                })
            }
        };
        let Some((alias, recipient)) = owner else {
            return Ok(None);
        };
        let deliveries = store.deliveries_of(&button.inquiry).await?;
        let is_theirs = deliveries
            .iter()
            .any(|row| row.target.channel == self.name && row.target.recipient == alias);
        let actor = Actor {
            name: Text::clean(&recipient.name, Lines::One).map(|name| name.clip(NAME_CHARS_MAX)),
            identity: self.recorded_identity(incoming, alias),
            surface: self.channel.channel.surface(),
        };
        Ok(is_theirs.then_some(Respondent { actor, recipient }))
    }

    /// What the outcome keeps. A topic of ntfy is a secret, so the alias stands for it.
    fn recorded_identity(&self, incoming: &Incoming, alias: &str) -> Option<Identity> {
        if self.channel.channel.surface() == Surface::Ntfy {
            return Identity::new(&self.channel.service, alias);
        }
        Some(incoming.identity.clone())
    }

    fn not_allowed(&self, incoming: &Incoming, why: &str) -> Feedback {
        let channel = &self.name;
        let identity = self.recorded_identity(incoming, "?");
        let identity = identity.as_ref().map_or("?", Identity::as_str);
        tracing::warn!(%channel, identity, why, "refused a press in a channel");
        let text = Locale::choose(&["en"]).text("channel-not-allowed", &[]);
        feedback(PressResult::NotAllowed, text)
    }

    /// What to say if the question cannot take this any more.
    async fn refused_already(
        &self,
        view: &InquiryView,
        button: &Button,
        respondent: &Respondent<'_>,
    ) -> Result<Option<Feedback>, Unhandled> {
        let is_undo = button.press == Press::Undo;
        let told = if view.resolution.is_some() {
            Some((
                PressResult::AlreadyEnded,
                self.ending(view, respondent).await?,
            ))
        } else if let (Some(held), false) = (&view.held, is_undo) {
            let left = held.until.duration_since(self.shared.engine.clock().now());
            let by = held.resolution.by.name.as_ref();
            let locale = respondent.recipient.locale;
            let person = by.map_or_else(|| locale.text("someone", &[]), ToString::to_string);
            let seconds = left.as_secs().max(0) + 1;
            let args = [("person", person.into()), ("seconds", seconds.into())];
            Some((PressResult::Held, locale.text("channel-held-by", &args)))
        } else if view.row.revision != button.revision && !is_undo {
            let text = respondent.recipient.locale.text("channel-changed", &[]);
            Some((PressResult::Changed, text))
        } else {
            None
        };
        if told.is_some() {
            self.redraw(view).await?;
        }
        Ok(told.map(|(result, text)| feedback(result, text)))
    }

    async fn card(&self, view: &InquiryView, recipient: &Recipient) -> Result<Card, Unhandled> {
        let config = (&self.shared.config, &self.channel);
        Ok(build_card(&self.shared.engine, view, config, recipient).await?)
    }

    /// Who ended the question, when and how.
    async fn ending(
        &self,
        view: &InquiryView,
        respondent: &Respondent<'_>,
    ) -> Result<String, Unhandled> {
        let card = self.card(view, respondent.recipient).await?;
        Ok(card.status().unwrap_or_default())
    }

    /// Makes the messages of the inquiry due, so that they show its draft or its end.
    async fn redraw(&self, view: &InquiryView) -> Result<(), Unhandled> {
        let plan = DeliveryPlan {
            new: Vec::new(),
            changed: vec![view.row.id.clone()],
            due_at: self.shared.engine.clock().now(),
            cursor: None,
        };
        Ok(self.shared.write_plan(plan).await?)
    }

    /// Applies an edit to the draft, and sends the answers if the edit completes them.
    async fn edit(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
        change: impl FnOnce(&InputParser, &Draft) -> Edited,
    ) -> Result<Feedback, Unhandled> {
        let engine = &self.shared.engine;
        let now = engine.clock().now();
        let locale = respondent.recipient.locale;
        let parser = locale.typing(reader(respondent.recipient, now).today);
        let before = stored_draft(engine, view).await?;
        let edited = change(&parser, &before);
        if !edited.problems.is_empty() {
            return Ok(invalid(locale, view, &edited.problems));
        }
        if let Some(answers) = edited.sent {
            let action = answer_action(&answers);
            return self.respond(view, respondent, action).await;
        }
        if let Ok(json) = serde_json::to_string(&edited.draft) {
            let inquiry = view.row.id.clone();
            let row = DraftRow {
                inquiry,
                json,
                at: now,
            };
            engine.store().put_draft(row).await?;
            self.redraw(view).await?;
        }
        Ok(feedback(PressResult::DraftSaved, String::new()))
    }

    /// Answers or declines, at once or with an undo window.
    async fn respond(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
        action: RespondentAction,
    ) -> Result<Feedback, Unhandled> {
        let target = target(view);
        let command = match self.channel.undo_seconds {
            Some(seconds) => Command::AnswerWithUndo {
                target,
                reply: action,
                until: self.shared.engine.clock().now() + SignedDuration::from_secs(seconds.into()),
            },
            None => match action {
                RespondentAction::Answer { answers, notes } => Command::Answer {
                    target,
                    answers,
                    notes,
                },
                RespondentAction::Decline => Command::Decline { target },
                RespondentAction::Reject => Command::Reject { target },
            },
        };
        self.submit(view, respondent, command).await
    }

    async fn undo(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
    ) -> Result<Feedback, Unhandled> {
        let target = target(view);
        self.submit(view, respondent, Command::UndoAnswer { target })
            .await
    }

    async fn submit(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
        command: Command,
    ) -> Result<Feedback, Unhandled> {
        let engine = &self.shared.engine;
        let locale = respondent.recipient.locale;
        let is_undo = matches!(command, Command::UndoAnswer { .. });
        let conversation = &view.row.conversation;
        let submitted = engine
            .submit(conversation, command, respondent.actor.clone())
            .await;
        match submitted {
            Ok(_) if is_undo => Ok(feedback(
                PressResult::Undone,
                locale.text("web-undone", &[]),
            )),
            Ok(submitted) => {
                let after = view.clone().after(&submitted);
                let card = self.card(&after, respondent.recipient).await?;
                Ok(self.accepted(&card))
            }
            Err(SubmitError::Rejected(Rejection::InvalidAnswer(problems))) => {
                Ok(invalid(locale, view, &problems))
            }
            Err(SubmitError::Rejected(Rejection::NothingHeld)) => {
                let text = locale.text("notice-nothing-to-undo", &[]);
                Ok(feedback(PressResult::Changed, text))
            }
            Err(SubmitError::Closing) => Err(Unhandled::Closing),
            Err(SubmitError::Store(error)) => Err(error.into()),
            Err(
                SubmitError::Rejected(_)
                | SubmitError::NotFound
                | SubmitError::Repeated { .. }
                | SubmitError::AlreadyAsked { .. }
                | SubmitError::KeyReused,
            ) => self.lost_race(view, &respondent).await,
        }
    }

    /// Somebody else was first, or the question ended meanwhile.
    async fn lost_race(
        &self,
        view: &InquiryView,
        respondent: &Respondent<'_>,
    ) -> Result<Feedback, Unhandled> {
        let now = self.shared.engine.inquiry(&view.row.id).await?;
        let now = now.unwrap_or_else(|| view.clone());
        let button = Button {
            inquiry: view.row.id.clone(),
            revision: view.row.revision,
            press: Press::Send,
        };
        let told = self.refused_already(&now, &button, respondent).await?;
        let changed = || {
            let text = respondent.recipient.locale.text("channel-changed", &[]);
            feedback(PressResult::Changed, text)
        };
        Ok(told.unwrap_or_else(changed))
    }

    fn accepted(&self, card: &Card) -> Feedback {
        let locale = card.reader.locale;
        let outcome = match &card.state {
            crate::card::CardState::Held { outcome, .. }
            | crate::card::CardState::Ended { outcome, .. } => Some(outcome),
            crate::card::CardState::Open { .. } => None,
        };
        let lines = outcome.map(|outcome| card.answer_lines(outcome));
        let answer = lines.filter(|lines| !lines.is_empty());
        let answer =
            answer.map_or_else(|| locale.text("web-decline", &[]), |lines| lines.join(", "));
        match self.channel.undo_seconds {
            Some(seconds) => {
                let args = [
                    ("answer", answer.into()),
                    ("seconds", i64::from(seconds).into()),
                ];
                let text = locale.text("channel-sent-undo", &args);
                feedback(PressResult::AcceptedWithUndo { seconds }, text)
            }
            None => {
                let text = locale.text("channel-sent", &[("answer", answer.into())]);
                feedback(PressResult::Accepted, text)
            }
        }
    }

    fn prompt_key(&self, address: &Address, message: &MessageId) -> String {
        format!("prompt:{}:{}:{};", self.name, address.0, message.0)
    }

    fn position_key(&self) -> String {
        format!("position:{};", self.name)
    }
}

fn target(view: &InquiryView) -> Target {
    Target::Inquiry {
        id: view.row.id.clone(),
        revision: Some(view.row.revision),
    }
}

fn answer_action(answers: &Answers) -> RespondentAction {
    RespondentAction::Answer {
        answers: answers.to_json(),
        notes: None,
    }
}

/// The problems, each in a sentence. Nothing was stored, and the question stays open.
fn invalid(locale: Locale, view: &InquiryView, problems: &[AnswerError]) -> Feedback {
    let questions = view.inquiry.questions();
    let fields: Vec<FieldProblem> = problems
        .iter()
        .map(|problem| FieldProblem {
            question: problem
                .question
                .as_ref()
                .and_then(|id| view.inquiry.position(id))
                .unwrap_or_default(),
            text: locale.problem(problem, questions),
        })
        .collect();
    let text: Vec<&str> = fields.iter().map(|field| field.text.as_str()).collect();
    let text = text.join("\n");
    feedback(PressResult::Invalid { fields }, text)
}

/// A day that does not exist is named; other problems are told as they are.
fn typed_problem(
    locale: Locale,
    view: &InquiryView,
    told: &Feedback,
    (text, today): (&str, Date),
) -> String {
    let parser = locale.typing(today);
    let is_date = |question: &askback_core::question::Question| {
        matches!(question.kind, Kind::Date(_) | Kind::DateRange(_))
    };
    let questions = view.inquiry.questions();
    if parser.nonexistent_date(text).is_some() && questions.iter().any(is_date) {
        let error = AnswerError {
            question: None,
            name: String::new(),
            problem: AnswerProblem::NotADate,
            message: None,
        };
        return locale.typed_problem(&error, questions, text, &parser);
    }
    told.text.clone()
}

/// Asks for the text of a question.
fn prompt_for(view: &InquiryView, button: &Button, question: usize, locale: Locale) -> Feedback {
    let asked = view.inquiry.questions().get(question);
    let text = asked
        .map(|asked| asked.text.to_string())
        .unwrap_or_default();
    let hint = locale.text("channel-reply", &[]);
    Feedback {
        result: PressResult::DraftSaved,
        text: String::new(),
        prompt: Some(TextPrompt {
            button: button.clone(),
            text: format!("{text}\n\n{hint}"),
            placeholder: asked
                .and_then(|asked| asked.placeholder.as_ref())
                .map(ToString::to_string),
        }),
    }
}

impl From<Unhandled> for HandlerError {
    fn from(unhandled: Unhandled) -> HandlerError {
        match unhandled {
            Unhandled::Store(error) => HandlerError(error.to_string()),
            Unhandled::Closing => HandlerError("the server is stopping".to_owned()),
        }
    }
}

fn store_failed(error: &StoreError) -> HandlerError {
    HandlerError(error.to_string())
}

impl IncomingHandler for ChannelHandler {
    fn handle(&self, incoming: Incoming) -> ChannelFuture<'_, Result<Feedback, HandlerError>> {
        Box::pin(async move { Ok(self.handle_any(&incoming).await?) })
    }

    fn prompt_shown<'a>(
        &'a self,
        address: &'a Address,
        prompt: &'a TextPrompt,
        message: MessageId,
    ) -> ChannelFuture<'a, Result<(), HandlerError>> {
        Box::pin(async move {
            let key = self.prompt_key(address, &message);
            let store = self.shared.engine.store();
            let stored = store.set_channel_value(&key, Some(prompt.button.encode()));
            stored.await.map_err(|error| store_failed(&error))
        })
    }

    fn position(&self) -> ChannelFuture<'_, Result<Option<String>, HandlerError>> {
        Box::pin(async move {
            let store = self.shared.engine.store();
            let values = store.channel_values(&self.position_key()).await;
            let values = values.map_err(|error| store_failed(&error))?;
            Ok(values.into_iter().next().map(|(_, value)| value))
        })
    }

    fn set_position(&self, position: String) -> ChannelFuture<'_, Result<(), HandlerError>> {
        Box::pin(async move {
            let store = self.shared.engine.store();
            let stored = store.set_channel_value(&self.position_key(), Some(position));
            stored.await.map_err(|error| store_failed(&error))
        })
    }

    fn mark_healthy(&self) {
        let now = self.shared.engine.clock().now();
        self.shared.status.succeeded(&self.name, now);
    }
}
