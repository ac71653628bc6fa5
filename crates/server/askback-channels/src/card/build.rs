//! The card of a stored inquiry for one recipient.

use askback_core::draft::Draft;
use askback_core::inquiry::HandedOn;
use askback_core::outcome::Resolution;
use askback_core::text::Text;
use askback_engine::{Engine, InquiryView};
use askback_locale::Locale;
use askback_store::{DraftRow, StoreError};
use jiff::Timestamp;

use crate::answer::hand_on;
use crate::card::text::with_reason;
use crate::card::{Card, CardState, ContentLevel, HandOnMenu, Reader};
use crate::config::{ChannelsConfig, ConfiguredChannel};
use crate::deliver::follow_up::start;
use crate::dispatcher::Shared;
use crate::links::personal_links::links_since;
use crate::people::recipients::{NamedRecipient, Recipient};
use crate::state::{ChannelState, follow_ups};

/// The draft of a pending inquiry, on whichever surface it was made.
pub(crate) async fn stored_draft(engine: &Engine, view: &InquiryView) -> Result<Draft, StoreError> {
    let stored = engine.store().draft(&view.row.id).await?;
    Ok(restored_draft(view, stored.as_ref()))
}

/// The draft of a row, or a new one.
pub(crate) fn restored_draft(view: &InquiryView, stored: Option<&DraftRow>) -> Draft {
    let draft = stored.and_then(|row| serde_json::from_str(&row.json).ok());
    match draft {
        Some(draft) => Draft::restore(&view.inquiry, draft),
        None => Draft::new(&view.inquiry),
    }
}

/// Who reads, at which time.
pub(crate) fn reader(recipient: &Recipient, now: Timestamp) -> Reader {
    Reader {
        locale: recipient.locale,
        time_zone: recipient.time_zone.clone(),
        today: now.to_zoned(recipient.time_zone.clone()).date(),
    }
}

/// Who sees an inquiry, and through which channel.
pub(crate) struct CardReader<'a> {
    pub(crate) config: &'a ChannelsConfig,
    /// The name of the channel.
    pub(crate) name: &'a str,
    pub(crate) channel: &'a ConfiguredChannel,
    pub(crate) alias: &'a str,
    pub(crate) recipient: &'a Recipient,
}

impl CardReader<'_> {
    /// The inquiry as the recipient sees it through the channel.
    pub(crate) async fn card(
        &self,
        shared: &Shared,
        stored: &InquiryView,
    ) -> Result<Card, StoreError> {
        let engine = &shared.engine;
        let (config, channel) = (self.config, self.channel);
        let (alias, recipient) = (self.alias, self.recipient);
        let view = &*config.recipients.former.view(stored);
        let escalated = escalated(engine, config, view).await?;
        let is_elsewhere = !is_addressed(config, view, alias, &escalated);
        let handed_on = view.inquiry.handed_on().filter(|_| is_elsewhere);
        let held = view.held.as_ref().filter(|_| handed_on.is_none());
        let state = match (&view.resolution, held) {
            (Some(ended), _) => CardState::Ended {
                by: ended.resolution.by.clone(),
                outcome: ended.resolution.outcome.clone(),
                at: ended.resolution.at,
            },
            (None, Some(held)) => CardState::Held {
                by: held.resolution.by.clone(),
                outcome: held.resolution.outcome.clone(),
                until: held.until,
                is_own: self
                    .has_answered(shared, stored.held.as_ref().map(|held| &held.resolution))
                    .await?,
            },
            (None, None) => match handed_on {
                Some(handed_on) => CardState::HandedOn {
                    to: config.recipients.name_of(view.inquiry.recipient()),
                    by: handed_on.by.clone(),
                    reason: shown_reason(handed_on, channel.content),
                },
                None => CardState::Open {
                    draft: stored_draft(engine, view).await?,
                },
            },
        };
        let (notes, hand_on) = match &state {
            CardState::Open { .. } => {
                let others = &config.recipients;
                let menu = hand_on::menu(engine, others, view, self.name, alias);
                (self.notes(view, &escalated), menu.await?)
            }
            CardState::Held { .. } | CardState::HandedOn { .. } | CardState::Ended { .. } => {
                (Vec::new(), HandOnMenu::default())
            }
        };
        let asker = view.row.asker.as_ref();
        let project = asker.and_then(|asker| asker.project.as_deref());
        // Whoever has given the question away learns that it has ended and by whom, but not the answer of another person.
        let ended = stored.resolution.as_ref().filter(|_| handed_on.is_some());
        let ended = ended.map(|ended| &ended.resolution);
        let is_of_another = ended.is_some() && !self.has_answered(shared, ended).await?;
        let content = is_of_another.then(|| channel.content.without_answers());
        let row = &view.row;
        let links_since = links_since(engine, view, alias).await?;
        Ok(Card {
            inquiry: row.id.clone(),
            revision: row.revision,
            asker: view.asker_name().cloned(),
            project: project.and_then(|project| Text::name(directory_name(project))),
            questions: view.inquiry.clone(),
            expires_at: row.expires_at,
            link: (config.link)(&row.id, row.revision, links_since, alias),
            press_links: None,
            notes,
            content: content.unwrap_or(channel.content),
            reader: reader(recipient, engine.clock().now()),
            hand_on,
            state,
        })
    }

    /// Whether the answer is the reader's own.
    async fn has_answered(
        &self,
        shared: &Shared,
        answer: Option<&Resolution>,
    ) -> Result<bool, StoreError> {
        match answer {
            Some(answer) => shared.accounts.is_person(&answer.by, self.alias).await,
            None => Ok(false),
        }
    }

    /// Who handed the question on to the reader and why, who has not answered, and who got it too.
    fn notes(&self, view: &InquiryView, escalated: &[String]) -> Vec<String> {
        let (recipients, locale) = (&self.config.recipients, self.recipient.locale);
        let named = |key: &str, people: &[&str]| {
            let names = people.iter().map(|alias| recipients.person_name(alias));
            let names: Vec<&str> = names.collect();
            (!names.is_empty()).then(|| locale.text(key, &[("person", names.join(", ").into())]))
        };
        let is_escalated = |alias: &str| escalated.iter().any(|known| known == alias);
        let (to, since) = (view.inquiry.recipient().map(Text::as_str), start(view));
        let addressed = recipients.addressed(to, since);
        let steps = |person| {
            recipients
                .escalations_of(to, since, person)
                .into_iter()
                .flatten()
        };
        if is_escalated(self.alias) {
            let waits_for = addressed
                .iter()
                .filter(|(_, person)| steps(person).any(|other| other == self.alias));
            let waits_for: Vec<&str> = waits_for.map(|(alias, _)| *alias).collect();
            return Vec::from_iter(named("channel-not-answered-by", &waits_for));
        }
        let handed_on = view.inquiry.handed_on();
        let handed_on = handed_on.map(|it| handed_on_note(it, self.channel.content, locale));
        let others: Vec<&str> = steps(self.recipient)
            .filter(|other| is_escalated(other))
            .collect();
        let also = named("channel-also-sent-to", &others);
        handed_on.into_iter().chain(also).collect()
    }
}

/// Whether the question is for this person: they are its recipient, a member of the group, or got it because others did not
/// answer.
fn is_addressed(
    config: &ChannelsConfig,
    view: &InquiryView,
    alias: &str,
    escalated: &[String],
) -> bool {
    let recipient = view.inquiry.recipient().map(Text::as_str);
    let named = recipient.and_then(|named| NamedRecipient::parse(named).alias);
    named.is_none_or(|named| config.recipients.includes(named, alias))
        || escalated.iter().any(|known| known == alias)
}

/// Whether the question is still for this person.
pub(crate) async fn is_for(
    engine: &Engine,
    config: &ChannelsConfig,
    view: &InquiryView,
    alias: &str,
) -> Result<bool, StoreError> {
    let escalated = escalated(engine, config, view).await?;
    Ok(is_addressed(config, view, alias, &escalated))
}

/// The aliases of those who got a pending question because others did not answer.
async fn escalated(
    engine: &Engine,
    config: &ChannelsConfig,
    view: &InquiryView,
) -> Result<Vec<String>, StoreError> {
    if view.resolution.is_some() || !config.recipients.escalates() {
        return Ok(Vec::new());
    }
    let state = ChannelState(engine.store().as_ref());
    let stored = state.get(follow_ups(&view.row.id)).await?;
    Ok(stored.map(|stored| stored.escalated).unwrap_or_default())
}

/// Who handed a question on to the reader, and why.
pub(crate) fn handed_on_note(
    handed_on: &HandedOn,
    content: ContentLevel,
    locale: Locale,
) -> String {
    let sentence = match &handed_on.by.name {
        Some(name) => {
            let person = [("person", name.as_str().into())];
            locale.text("channel-handed-on-by", &person)
        }
        None => locale.text("channel-handed-on-by-unnamed", &[]),
    };
    with_reason(sentence, shown_reason(handed_on, content).as_deref())
}

/// The reason, if what people write may leave this machine.
fn shown_reason(handed_on: &HandedOn, content: ContentLevel) -> Option<String> {
    let reason = handed_on.reason.as_ref().map(Text::to_string);
    reason.filter(|_| content == ContentLevel::Full)
}

/// The last part of a path: the rest says where things are on this machine.
fn directory_name(project: &str) -> &str {
    // A backslash may also begin the escape of a character that cannot be shown.
    let separator = if project.contains('/') { '/' } else { '\\' };
    let trimmed = project.trim_end_matches(separator);
    let name = trimmed.rsplit(separator).next().unwrap_or(trimmed);
    if name.is_empty() { project } else { name }
}
