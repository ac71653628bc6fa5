//! What proves a person by their alias. The record keeps it as the service of their [`Identity`].

use askback_core::identity::Identity;

use crate::provider::webpush::WEBPUSH;

/// What has proved that somebody is the person with an alias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AliasProof {
    /// A token of theirs.
    Token,
    /// A session of a browser that a token or a link signed in.
    Session,
    /// A proxy vouches for them.
    Proxy,
    /// The link in a message to them.
    Link,
    /// A notification to them. The topic that it was sent to is a secret.
    Ntfy,
    /// A notification of their browser, which has no account.
    Webpush,
}

impl AliasProof {
    pub(crate) const ALL: [AliasProof; 6] = [
        AliasProof::Token,
        AliasProof::Session,
        AliasProof::Proxy,
        AliasProof::Link,
        AliasProof::Ntfy,
        AliasProof::Webpush,
    ];

    fn service(self) -> &'static str {
        match self {
            AliasProof::Token => "token",
            AliasProof::Session => "session",
            AliasProof::Proxy => "proxy",
            AliasProof::Link => "link",
            AliasProof::Ntfy => "ntfy",
            AliasProof::Webpush => WEBPUSH,
        }
    }

    /// What the record keeps of the person with this alias.
    pub fn identity(self, alias: &str) -> Option<Identity> {
        Identity::new(self.service(), alias)
    }

    /// The alias that such an identity proves. `None` for the account of a service.
    pub(crate) fn alias_of(identity: &Identity) -> Option<&str> {
        let mut all = AliasProof::ALL.into_iter();
        let is_one = all.any(|proof| proof.service() == identity.service());
        is_one.then(|| identity.id())
    }
}
