//! Who may see the page of an inquiry: whoever is signed in, or has a link to it. Others get a page that
//! says why not.

use askback_channels::{LinkHolder, PersonCode, Recipients};
use askback_core::id::InquiryId;
use askback_core::outcome::Actor;
use askback_engine::{InquiryView, SeenInquiry};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use jiff::Timestamp;
use maud::html;

use super::form_data::FormData;
use super::form_page;
use super::time::{self, with_time};
use super::unsent;
use crate::authenticate::{Access, Caller};
use crate::link::{self, LinkGrant};
use crate::problem::Problem;
use crate::routes::AppState;
use crate::web::{failure, html, language, sign_in_page};

/// The button of the page of a link that has ended.
pub(super) const NEW_LINK: &str = "new-link";

/// Why a caller does not get the page.
pub(super) enum NoAccess {
    /// Neither signed in nor a link of this server.
    SignedOut,
    NotFound,
    /// A link that was good once.
    ClosedLink {
        view: Box<InquiryView>,
        /// When it expired; none if the question has changed since it was made.
        expired: Option<Timestamp>,
        /// Who can get a new link: the person whose link it was.
        renewable_for: Option<PersonCode>,
    },
    Failed(Problem),
}

/// An inquiry that the caller may see.
pub(super) struct Found {
    pub(super) view: InquiryView,
    /// What they have anyway, or what the key of a link gives.
    pub(super) access: Access,
    /// The person whose link it is. None with the token, and for a link that is nobody's.
    pub(super) holder: Option<LinkHolder>,
    /// Who is signed in, if it is one person.
    pub(super) signed_in: Option<Actor>,
    /// This page with its key. Some text browsers need an explicit `action`.
    pub(super) address: String,
    /// Whether the answer that can still be undone is theirs: of the person who is signed in, or given through this page.
    pub(super) holds_own_answer: bool,
    /// What they may act on. A form can take a while to arrive.
    pub(super) seen: SeenInquiry,
}

impl Found {
    /// What nobody in particular sees of a stored inquiry.
    fn new(stored: &InquiryView, recipients: &Recipients, access: Access, uri: &Uri) -> Found {
        Found {
            view: recipients.former.view(stored).into_owned(),
            access,
            holder: None,
            signed_in: None,
            address: super::address(uri),
            holds_own_answer: false,
            seen: SeenInquiry::of(stored),
        }
    }

    /// Whether the question was handed on, so that the link cannot answer it.
    pub(super) fn is_handed_on(&self) -> bool {
        matches!(self.holder, Some(LinkHolder::Former))
    }

    /// The same, with whether the answer is theirs. Whoever has a link, which can be passed on, has no other answers of its person.
    async fn with_own_answer(
        self,
        state: &AppState,
        stored: &InquiryView,
        caller: Option<&Caller>,
    ) -> Result<Found, NoAccess> {
        let Some(by) = stored.held.as_ref().map(|held| &held.resolution.by) else {
            return Ok(self);
        };
        let person = caller.filter(|_| self.signed_in.is_some());
        let person = person.and_then(|caller| caller.scope.person());
        let holds_own_answer = match person {
            Some(alias) => {
                let is_person = state.channels.accounts.is_person(by, alias).await;
                is_person.map_err(|error| NoAccess::Failed(Problem::from(error)))?
            }
            None => *by == self.actor(),
        };
        Ok(Found {
            holds_own_answer,
            ..self
        })
    }

    /// Who answers.
    pub(super) fn actor(&self) -> Actor {
        if let Some(actor) = &self.signed_in {
            return actor.clone();
        }
        let (name, identity) = match &self.holder {
            Some(LinkHolder::Recipient { name, identity }) => (name.clone(), identity.clone()),
            Some(LinkHolder::Former) | None => (None, None),
        };
        Actor {
            identity,
            ..Actor::new(name, super::surface(self.access))
        }
    }
}

/// The inquiry and the caller's access to it.
pub(super) async fn find(
    state: &AppState,
    id: &InquiryId,
    access: Access,
    caller: Option<&Caller>,
    uri: &Uri,
) -> Result<Found, NoAccess> {
    let mut pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let key = pairs.find_map(|(name, key)| (name == "key").then_some(key));
    let (key, now) = (
        key.as_deref().unwrap_or_default(),
        state.engine.clock().now(),
    );
    let token = &state.guard.token;
    let access = match link::verify(token, id, key, now) {
        Some(grant) if access == Access::None => Access::Link(grant),
        Some(_) | None => access,
    };
    let expired = link::expired(token, id, key, now);
    if access == Access::None && expired.is_none() {
        return Err(NoAccess::SignedOut);
    }
    let stored = match state.engine.inquiry(id).await {
        Ok(Some(view)) => view,
        Ok(None) => return Err(NoAccess::NotFound),
        Err(error) => return Err(NoAccess::Failed(Problem::from(error))),
    };
    let recipients = state.recipients();
    let found = Found::new(&stored, &recipients, access, uri);
    let expired = match access {
        Access::None => expired,
        // A link is valid only for the revision it was made for.
        Access::Link(grant) if grant.revision != stored.row.revision => None,
        Access::Link(grant) => {
            let holder = match grant.person {
                Some(person) => {
                    let links = &state.channels.personal_links;
                    let holder = links.holder(&found.view, person).await;
                    let holder = holder.map_err(|error| NoAccess::Failed(Problem::from(error)))?;
                    Some(holder.ok_or(NoAccess::SignedOut)?)
                }
                None => None,
            };
            let found = Found { holder, ..found };
            return found.with_own_answer(state, &stored, caller).await;
        }
        // It may have been handed on since the request began.
        Access::Token if caller.is_some_and(|it| !it.scope.sees(&stored, &recipients)) => {
            return Err(NoAccess::SignedOut);
        }
        Access::Token => {
            let claimed = Actor::new(None, super::surface(access));
            let signed_in = caller.map(|caller| caller.scope.actor(claimed, &recipients));
            let found = Found { signed_in, ..found };
            return found.with_own_answer(state, &stored, caller).await;
        }
    };
    let renewable_for = match expired {
        Some((grant, _)) => {
            let renewable_for = renewable_for(state, &found.view, grant).await;
            renewable_for.map_err(NoAccess::Failed)?
        }
        None => None,
    };
    Err(NoAccess::ClosedLink {
        view: Box::new(found.view),
        expired: expired.map(|(_, at)| at),
        renewable_for,
    })
}

/// The person whose link it was, if they can get a new one.
async fn renewable_for(
    state: &AppState,
    view: &InquiryView,
    grant: LinkGrant,
) -> Result<Option<PersonCode>, Problem> {
    let Some(person) = grant.person else {
        return Ok(None);
    };
    let links = &state.channels.personal_links;
    Ok(links.can_renew(view, person).await?.then_some(person))
}

impl NoAccess {
    /// For whoever opens the page.
    pub(super) fn page(self, uri: &Uri, headers: &HeaderMap) -> Response {
        match self {
            NoAccess::Failed(problem) => failure(uri, headers, problem),
            NoAccess::SignedOut | NoAccess::NotFound | NoAccess::ClosedLink { .. } => {
                self.page_after_form(uri, headers, &FormData::default())
            }
        }
    }

    /// For whoever sent the form. It returns what they entered.
    pub(super) fn page_after_form(
        self,
        uri: &Uri,
        headers: &HeaderMap,
        fields: &FormData,
    ) -> Response {
        let locale = language::of(headers);
        let texts = unsent::texts(locale, fields);
        match self {
            NoAccess::SignedOut => sign_in_page::link_expired_page(headers, uri.path(), &texts),
            NoAccess::NotFound => {
                let main = html! {
                    h1 { "askback" }
                    p { (locale.text("web-not-found", &[])) }
                    (texts)
                };
                html::titled_page(locale, StatusCode::NOT_FOUND, &main)
            }
            NoAccess::Failed(problem) => unsent::failure(uri, headers, problem, fields),
            NoAccess::ClosedLink {
                view,
                expired,
                renewable_for,
            } => {
                let text = |id| locale.text(id, &[]);
                let asks = form_page::asks(&view, locale);
                // Who asked, why the link opens nothing any more, and what to do, but not the question.
                let main = html! {
                    section {
                        h1 dir="auto" { (asks.as_deref().unwrap_or("askback")) }
                        @match expired {
                            Some(at) => p { (with_time(locale, "web-link-expired", at)) },
                            None => p { (text("web-link-changed")) },
                        }
                        @if renewable_for.is_some() {
                            form method="post" action=(super::address(uri)) {
                                button name={ "action-" (NEW_LINK) } value="1" { (text("web-link-new")) }
                            }
                        } @else {
                            p { (text("web-link-ask-again")) }
                        }
                    }
                    (texts)
                    (time::script())
                };
                html::titled_page(locale, StatusCode::UNAUTHORIZED, &main)
            }
        }
    }
}

#[cfg(test)]
#[path = "link_access_tests.rs"]
mod tests;
