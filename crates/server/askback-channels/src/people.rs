//! Who gets questions and where: recipients, their accounts, and whether they are present.
//!
//! Administrators add and remove people and groups while the server runs, on any node. Those of the configuration come first:
//! they are changed there, and the store cannot replace them.

pub(crate) mod account;
pub(crate) mod alias_proof;
pub(crate) mod former_people;
pub(crate) mod link_account;
pub(crate) mod presence;
pub(crate) mod push_subscriptions;
pub(crate) mod recipients;
pub(crate) mod snoozes;
pub(crate) mod stored_people;

use std::sync::Arc;

use askback_engine::Engine;
use askback_store::StoreError;
use jiff::SignedDuration;

use crate::config::CurrentConfig;
use crate::people::account::Accounts;
use crate::people::former_people::{FormerPeople, FormerPerson};
use crate::people::recipients::Recipients;
use crate::people::stored_people::{
    RecipientError, RecipientKind, StoredRecipient, check, invalid, merged,
};
use crate::state::{self, ChannelState};

/// Other nodes learn within a second that somebody is forgotten, and requests that have begun are completed.
const STILL_THEIRS: SignedDuration = SignedDuration::from_mins(1);

/// The people and groups that questions may name.
pub struct People {
    engine: Engine,
    config: Arc<CurrentConfig>,
    accounts: Accounts,
    /// Those of the configuration, without those of the store.
    declared: Arc<Recipients>,
    /// Held while people and groups are read from the store.
    reading: tokio::sync::Mutex<()>,
}

impl People {
    /// Those of the configuration and of the store.
    pub(crate) async fn read(
        engine: Engine,
        config: Arc<CurrentConfig>,
        accounts: Accounts,
    ) -> Result<People, StoreError> {
        let people = People {
            declared: Arc::clone(&config.get().recipients),
            engine,
            config,
            accounts,
            reading: tokio::sync::Mutex::default(),
        };
        people.refresh().await?;
        Ok(people)
    }

    fn state(&self) -> ChannelState<'_> {
        ChannelState(self.engine.store().as_ref())
    }

    /// The recipients at this moment.
    pub fn recipients(&self) -> Arc<Recipients> {
        Arc::clone(&self.config.get().recipients)
    }

    /// Returns the recipients of the moment in which it is called. It does not keep the engine alive.
    pub fn follow_recipients(&self) -> impl Fn() -> Arc<Recipients> + Send + Sync + use<> {
        let config = Arc::clone(&self.config);
        move || Arc::clone(&config.get().recipients)
    }

    /// Completes when a person is no longer among the recipients.
    pub async fn removed(&self, alias: &str) {
        self.config.person_removed(alias).await;
    }

    /// Whether a recipient is in the configuration, and is changed there.
    pub fn is_declared(&self, alias: &str) -> bool {
        self.declared.has(alias)
    }

    /// Adds a person or a group, or changes it.
    pub async fn put(&self, mut new: StoredRecipient) -> Result<(), RecipientError> {
        self.refresh().await?;
        self.refuse_declared(&new.alias)?;
        check(&self.recipients(), &mut new)?;
        let key = state::recipient(&new.alias);
        self.state().set(key, &new).await?;
        self.refresh().await?;
        Ok(())
    }

    /// Whether a person or a group can be removed. False if there is none.
    pub async fn is_removable(&self, alias: &str) -> Result<bool, RecipientError> {
        self.refuse_declared(alias)?;
        let stored = self.stored().await?;
        for group in &stored {
            if let RecipientKind::Group { members, .. } = &group.kind
                && members.iter().all(|it| it == alias)
            {
                return invalid(format!(
                    "{alias} is the only member of {}. Remove that group first, or add somebody to it.",
                    group.alias
                ));
            }
        }
        Ok(stored.iter().any(|known| known.alias == alias))
    }

    async fn stored(&self) -> Result<Vec<StoredRecipient>, StoreError> {
        self.state().values(state::recipients()).await
    }

    /// Removes a person or a group that is [removable](Self::is_removable). People leave their groups, and their accounts are no
    /// longer linked.
    pub async fn remove(&self, alias: &str) -> Result<(), StoreError> {
        let state = self.state();
        for mut group in self.stored().await? {
            if let RecipientKind::Group { members, .. } = &mut group.kind
                && members.iter().any(|it| it == alias)
            {
                members.retain(|it| it != alias);
                state.set(state::recipient(&group.alias), &group).await?;
            }
        }
        // Nobody who gets this alias later gets these accounts with it, or one that is linked with an older code.
        for code in state.list(state::link_codes()).await? {
            if code.value.recipient == alias {
                state.remove(code.key).await?;
            }
        }
        self.unlink_accounts(alias).await?;
        for snooze in state.list(state::snoozes(alias)).await? {
            state.remove(snooze.key).await?;
        }
        state.remove(state::last_seen(alias)).await?;
        state.remove(state::recipient(alias)).await?;
        // A code that was taken before it could be removed has linked its account by now, or finds that the person is gone.
        self.unlink_accounts(alias).await?;
        self.refresh().await
    }

    async fn unlink_accounts(&self, alias: &str) -> Result<(), StoreError> {
        for account in self.accounts.linked_of(alias).await? {
            self.accounts.unlink(account.key()).await?;
        }
        Ok(())
    }

    /// Hides a person in everything that is made from the record, under this pseudonym. They may be removed already; other names
    /// that they have acted under come in addition. Removes what channels keep of them besides.
    pub async fn forget(
        &self,
        alias: &str,
        other_names: &[String],
        pseudonym: &str,
    ) -> Result<(), RecipientError> {
        let recipients = self.recipients();
        let person = recipients.people.get(alias);
        let mut names: Vec<&str> = other_names.iter().map(String::as_str).collect();
        names.push(alias);
        names.extend(person.map(|it| it.name.as_str()));
        // Without an identity it would not be known which of them acted.
        let is_shared = |name: &str| {
            let mut others = recipients.people.iter().filter(|(it, _)| *it != alias);
            others.any(|(_, other)| other.name == name)
        };
        names.retain(|name| !name.is_empty() && !is_shared(name));
        let accounts = self.accounts.linked_of(alias).await?;
        let configured = person.iter().flat_map(|it| &it.identities);
        let linked = accounts.iter().map(|account| account.identity.clone());
        let identities = configured.map(ToString::to_string).chain(linked);
        let until = self.engine.clock().now() + STILL_THEIRS;
        let former = FormerPerson::new(pseudonym, until, alias, &names, identities);
        let state = self.state();
        state.set(state::former_person(pseudonym), &former).await?;
        for account in &accounts {
            state
                .remove_of_chat(&account.channel, &account.address)
                .await?;
        }
        for kept in state.list(state::all_follow_ups()).await? {
            let mut follow_ups = kept.value;
            if follow_ups.escalated.iter().any(|it| it == alias) {
                follow_ups.escalated.retain(|it| it != alias);
                state.set(kept.key, &follow_ups).await?;
            }
        }
        Ok(self.refresh().await?)
    }

    /// Reads the people and groups of the store, which another node may have changed.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        // No older reading replaces a newer one: a proxy could still name somebody who was removed.
        let _reading = self.reading.lock().await;
        let stored = self.stored().await?;
        let mut recipients = merged(&self.declared, &self.config.get(), stored);
        let former = self.state().values(state::former_people()).await?;
        recipients.former = FormerPeople::new(former);
        self.config.set_recipients(recipients);
        Ok(())
    }

    fn refuse_declared(&self, alias: &str) -> Result<(), RecipientError> {
        if self.is_declared(alias) {
            return invalid(format!(
                "{alias} is in the configuration of the server. Change it there, and restart the server."
            ));
        }
        Ok(())
    }
}
