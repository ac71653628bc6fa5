//! Keys of links to one question. A key is signed with the token and contains the revision, the permissions and
//! the expiry. Nothing is stored. A new token invalidates all links.
//!
//! A link works for one answer only, because an inquiry has one outcome only.

use askback_channels::{LINK_LIFETIME, PersonCode};
use askback_core::id::InquiryId;
use askback_wire::link::LinkAllow;
use askback_wire::path::percent_encoded;
use jiff::Timestamp;
use subtle::ConstantTimeEq as _;

use crate::public_url::PublicUrl;
use crate::token::Token;
use askback_wire::server_process::hex;

/// Enough not to be guessed, few enough for a QR code.
const SIGNATURE_BYTES: usize = 16;

/// What a link permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LinkGrant {
    /// The revision of the inquiry that the link is for.
    pub(crate) revision: u32,
    pub(crate) allow: LinkAllow,
    /// Whose link it is: the recipient of the message that it is in. None if somebody with the token made it.
    pub(crate) person: Option<PersonCode>,
}

/// The link to a question for the message to a recipient. The same arguments give the same link. It lets its
/// holder answer or decline, as long as the question is for that recipient.
pub fn channel_link(
    token: &Token,
    public_url: &PublicUrl,
    (inquiry, revision, since): (&InquiryId, u32, Timestamp),
    recipient: &str,
) -> String {
    let grant = LinkGrant {
        revision,
        allow: LinkAllow::Decline,
        person: Some(PersonCode::new(recipient)),
    };
    let key = sign(token, inquiry, grant, since + LINK_LIFETIME);
    let (base, id) = (public_url.as_str(), percent_encoded(inquiry.as_str()));
    format!("{base}/q/{id}?key={key}")
}

/// What is signed: a link opens a page, and is no token for programs.
const LINK_PURPOSE: &str = "askback link 2";
const TOKEN_PURPOSE: &str = "askback inquiry token";

/// Precedes the token of one inquiry, which is its id and a key.
const INQUIRY_TOKEN_PREFIX: &str = "askback_inquiry_";

/// A token with which programs may do what a link permits.
pub(crate) fn inquiry_token(
    token: &Token,
    inquiry: &InquiryId,
    grant: LinkGrant,
    expires_at: Timestamp,
) -> String {
    let key = key(token, TOKEN_PURPOSE, inquiry, grant, expires_at);
    format!("{INQUIRY_TOKEN_PREFIX}{inquiry}.{key}")
}

/// The inquiry of a token, what it permits, and until when. `None` if it is not ours, or has expired.
pub(crate) fn verify_inquiry_token(
    token: &Token,
    offered: &str,
    now: Timestamp,
) -> Option<(InquiryId, LinkGrant, Timestamp)> {
    let (id, key) = offered
        .strip_prefix(INQUIRY_TOKEN_PREFIX)?
        .rsplit_once('.')?;
    let id = InquiryId::new(id);
    let (grant, expires_at) = signed(token, TOKEN_PURPOSE, &id, key)?;
    (now < expires_at).then_some((id, grant, expires_at))
}

/// Creates a key.
pub(crate) fn sign(
    token: &Token,
    inquiry: &InquiryId,
    grant: LinkGrant,
    expires_at: Timestamp,
) -> String {
    key(token, LINK_PURPOSE, inquiry, grant, expires_at)
}

fn key(
    token: &Token,
    purpose: &str,
    inquiry: &InquiryId,
    grant: LinkGrant,
    expires_at: Timestamp,
) -> String {
    let seconds = expires_at.as_second();
    let signature = signature(token, purpose, inquiry, grant, seconds);
    let LinkGrant {
        revision,
        allow,
        person,
    } = grant;
    let person = person.map(|it| it.to_string()).unwrap_or_default();
    format!(
        "{seconds}-{revision}{}{person}-{signature}",
        allow_code(allow)
    )
}

/// What a key permits now. `None` if it is invalid, expired or for another inquiry.
pub(crate) fn verify(
    token: &Token,
    inquiry: &InquiryId,
    key: &str,
    now: Timestamp,
) -> Option<LinkGrant> {
    let (grant, expires) = signed(token, LINK_PURPOSE, inquiry, key)?;
    (now < expires).then_some(grant)
}

/// When a key of ours for this inquiry expired, and what it permitted. `None` if it is not ours, or still good.
pub(crate) fn expired(
    token: &Token,
    inquiry: &InquiryId,
    key: &str,
    now: Timestamp,
) -> Option<(LinkGrant, Timestamp)> {
    let (grant, expires) = signed(token, LINK_PURPOSE, inquiry, key)?;
    (now >= expires).then_some((grant, expires))
}

/// What a key with a good signature says.
fn signed(
    token: &Token,
    purpose: &str,
    inquiry: &InquiryId,
    key: &str,
) -> Option<(LinkGrant, Timestamp)> {
    let mut parts = key.splitn(3, '-');
    let (seconds, grant, offered) = (parts.next()?, parts.next()?, parts.next()?);
    let expires = seconds.parse::<i64>().ok()?;
    let grant = parse_grant(grant)?;
    let expected = signature(token, purpose, inquiry, grant, expires);
    let is_valid = bool::from(expected.as_bytes().ct_eq(offered.as_bytes()));
    let expires = Timestamp::from_second(expires).ok()?;
    is_valid.then_some((grant, expires))
}

fn parse_grant(text: &str) -> Option<LinkGrant> {
    let (code_at, code) = text
        .char_indices()
        .find(|(_, char)| !char.is_ascii_digit())?;
    let all = [LinkAllow::Answer, LinkAllow::Decline, LinkAllow::Stop];
    let allow = all.into_iter().find(|allow| allow_code(*allow) == code)?;
    let person = match &text[code_at + code.len_utf8()..] {
        "" => None,
        person => Some(PersonCode::decode(person)?),
    };
    Some(LinkGrant {
        revision: text[..code_at].parse().ok()?,
        allow,
        person,
    })
}

fn allow_code(allow: LinkAllow) -> char {
    match allow {
        LinkAllow::Answer => 'a',
        LinkAllow::Decline => 'd',
        LinkAllow::Stop => 's',
    }
}

/// The purpose separates this from everything else that is signed with the token.
fn signature(
    token: &Token,
    purpose: &str,
    inquiry: &InquiryId,
    grant: LinkGrant,
    seconds: i64,
) -> String {
    let LinkGrant {
        revision,
        allow,
        person,
    } = grant;
    let allow = allow_code(allow);
    let person = person.map(|person| format!("\0{person}"));
    let person = person.unwrap_or_default();
    let message = format!("{purpose}\0{inquiry}\0{revision}\0{allow}\0{seconds}{person}");
    hex(&token.sign(message.as_bytes())[..SIGNATURE_BYTES])
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
