//! Which scopes may use which routes. What stands in no list is for administrators alone.

use std::collections::HashMap;

use askback_wire::credential::ScopeName::{self, Agent, Inquiry, Metrics, Respondent};
use askback_wire::problem::ProblemCode;
use axum::extract::{MatchedPath, Request};
use axum::http::Method;

use crate::mcp::MCP_PATH;
use crate::problem::{Problem, problem};
use crate::routes;
use crate::scope::Scope;
use crate::web;

/// Who may use each documented route that needs a token, besides administrators. Handlers then show and change only what
/// the caller [sees](Scope::sees).
const DOCUMENTED: &[(&str, &[ScopeName])] = &[
    // Agents.
    ("ask", &[Agent]),
    ("withdraw_inquiry", &[Agent]),
    ("move_deadline", &[Agent]),
    ("note_delivery", &[Agent]),
    ("list_asker_sessions", &[Agent]),
    ("take_over_sessions", &[Agent]),
    ("list_dialects", &[Agent]),
    // Everybody who has to do with an inquiry.
    ("list_inquiries", &[Agent, Respondent]),
    ("read_inquiry", &[Agent, Respondent, Inquiry]),
    ("follow", &[Agent, Respondent, Inquiry]),
    ("list_recipients", &[Agent, Respondent]),
    ("who_am_i", &[Agent, Respondent, Inquiry, Metrics]),
    // People.
    ("answer_inquiry", &[Respondent, Inquiry]),
    ("decline_inquiry", &[Respondent, Inquiry]),
    ("undo_answer", &[Respondent, Inquiry]),
    ("commit_answer", &[Respondent, Inquiry]),
    ("keep_inquiry_open", &[Respondent, Inquiry]),
    ("read_draft", &[Respondent, Inquiry]),
    ("keep_draft", &[Respondent, Inquiry]),
    ("parse_typed_date", &[Respondent, Inquiry]),
    ("reject_inquiry", &[Respondent, Inquiry]),
    ("cancel_inquiry", &[Respondent, Inquiry]),
    ("hand_on_inquiry", &[Respondent]),
    ("snooze_inquiry", &[Respondent]),
    ("make_link", &[Respondent]),
    ("list_inquiry_messages", &[Respondent]),
    ("note_presence", &[Respondent]),
    ("read_push_settings", &[Respondent]),
    ("subscribe_to_push", &[Respondent]),
    ("unsubscribe_from_push", &[Respondent]),
    ("sign_out", &[Respondent]),
    ("create_sign_in_code", &[Respondent]),
    // Probes.
    ("read_metrics", &[Metrics]),
    // Administrators alone.
    ("create_inquiry_token", &[]),
    ("put_recipient", &[]),
    ("remove_recipient", &[]),
    ("forget_recipient", &[]),
    ("create_token", &[]),
    ("list_tokens", &[]),
    ("revoke_token", &[]),
    ("list_webhooks", &[]),
    ("retry_webhook", &[]),
    ("list_sessions", &[]),
    ("end_sessions", &[]),
    ("end_session", &[]),
    ("audit", &[]),
    ("list_apps", &[]),
    ("list_channels", &[]),
    ("make_link_code", &[]),
    ("run_ag_ui", &[]),
    ("list_conversations", &[]),
    ("start_conversation", &[]),
    ("read_conversation", &[]),
    ("delete_conversation", &[]),
    ("follow_conversation", &[]),
    ("send_message", &[]),
    ("respond", &[]),
    ("decline", &[]),
    ("reject", &[]),
    ("cancel", &[]),
];

/// The scopes of each route besides `admin`, which may use all.
pub(crate) struct RouteScopes(HashMap<&'static str, Vec<(Method, &'static [ScopeName])>>);

impl RouteScopes {
    /// Of all routes.
    pub(crate) fn new() -> RouteScopes {
        let mut scopes = RouteScopes(HashMap::new());
        for route in routes::all() {
            let known = documented(&route.operation_id).unwrap_or_default();
            scopes.add(route.path, route.method(), known);
        }
        for page in web::PEOPLES_PAGES {
            scopes.add(page, Method::GET, &[Respondent]);
        }
        for method in [Method::GET, Method::POST, Method::DELETE] {
            scopes.add(MCP_PATH, method, &[Agent]);
        }
        scopes
    }

    fn add(&mut self, path: &'static str, method: Method, scopes: &'static [ScopeName]) {
        self.0.entry(path).or_default().push((method, scopes));
    }

    /// Refuses a request that the scope does not permit. A path that does not exist is not found, as for everybody.
    pub(crate) fn check(&self, scope: &Scope, request: &Request) -> Result<(), Problem> {
        let Some(path) = request.extensions().get::<MatchedPath>() else {
            return Ok(());
        };
        if *scope == Scope::Admin || self.permits(&scope.name(), request.method(), path.as_str()) {
            return Ok(());
        }
        let detail = format!(
            "A token with the scope `{}` may not use this route. An administrator can make another one: `askback token create`.",
            scope.name()
        );
        Err(problem(ProblemCode::ForbiddenScope).detail(detail))
    }

    fn permits(&self, scope: &ScopeName, method: &Method, path: &str) -> bool {
        let methods = self.0.get(path).map_or(&[][..], Vec::as_slice);
        let method = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        let mut scopes = methods.iter().filter(|(known, _)| known == method);
        scopes.any(|(_, scopes)| scopes.contains(scope))
    }
}

fn documented(operation: &str) -> Option<&'static [ScopeName]> {
    let mut all = DOCUMENTED.iter();
    let found = all.find(|(known, _)| *known == operation);
    found.map(|(_, scopes)| *scopes)
}

#[cfg(test)]
#[path = "route_scopes_tests.rs"]
mod tests;
