//! Goal: the system prompt has the guidance for the ask tools that are offered, and for no others.

use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::conversation::{ConversationSettings, Driver, Parent};
use askback_core::dialect::{AgentHost, Dialect};
use askback_core::id::{CallId, ConversationId};

use super::{ask_tools, system};
use crate::ports::App;

fn app() -> App {
    App {
        id: "a".to_owned(),
        system: "Be brief.".to_owned(),
        model: None,
        tools: vec!["ask_user".to_owned(), "question".to_owned()],
        policy: Policy::default(),
        tokens_max: None,
    }
}

fn settings(policy: Policy) -> ConversationSettings {
    ConversationSettings {
        id: ConversationId::new("cnv_1"),
        driver: Driver::BuiltIn,
        parent: None,
        policy,
        provider: None,
    }
}

fn prompt(settings: &ConversationSettings) -> String {
    system(&app(), &ask_tools(settings, &app()))
}

#[test]
fn the_prompt_has_guidance_for_offered_tools_only() {
    let question = Dialect::Question.guidance(AgentHost::Askback);
    let ask_user = Dialect::AskUser.guidance(AgentHost::Askback);
    assert_eq!(
        prompt(&settings(Policy::default())),
        format!("Be brief.\n\n{question}\n\n{ask_user}")
    );
    let disabled = AskRules {
        enabled: false,
        ..AskRules::of(Dialect::Question)
    };
    let policy = Policy {
        asks: [(Dialect::Question, disabled)].into(),
        ..Policy::default()
    };
    assert_eq!(
        prompt(&settings(policy)),
        format!("Be brief.\n\n{ask_user}")
    );
}

#[test]
fn agents_that_cannot_ask_get_no_guidance() {
    let unattended = Policy {
        unattended: true,
        ..Policy::default()
    };
    assert_eq!(prompt(&settings(unattended)), "Be brief.");
    let parent = Parent {
        conversation: ConversationId::new("cnv_0"),
        call: CallId::new("call_0"),
    };
    let child = |policy| ConversationSettings {
        parent: Some(parent.clone()),
        ..settings(policy)
    };
    assert_eq!(prompt(&child(Policy::default())), "Be brief.");
    let may_ask = Policy {
        sub_agents_may_ask: true,
        ..Policy::default()
    };
    assert!(prompt(&child(may_ask)).contains(&Dialect::AskUser.guidance(AgentHost::Askback)));
}
