//! What a tool asks is shown after its call, which keeps its own block and result.

use askback_core::conversation::state::ToolQuestion;

use super::*;

#[test]
fn questions_of_a_tool_follow_its_call() {
    let ask = |fixture: ConversationFixture| {
        let call = fixture
            .conversation
            .state
            .round()
            .unwrap()
            .current()
            .unwrap();
        let input = json!({"question": "Which zone?", "options": ["Europe", "America"]});
        let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
        let asked = Command::ToolAsked {
            call: call.id.clone(),
            inquiry: parsed.unwrap().inquiry,
            how: ToolQuestion::Running,
        };
        fixture.after(&asked)
    };
    let fixture = ConversationFixture::agent()
        .says("Go")
        .replies("", &[("deploy", json!({}))]);
    let call = fixture
        .conversation
        .state
        .round()
        .unwrap()
        .current()
        .unwrap();
    let call = call.id.clone();
    let fixture = fixture.after(&Command::ToolStarted { call: call.clone() });
    let fixture = ask(fixture).answers(json!({"q1": "Europe"}));
    let fixture = ask(fixture);
    let pending = fixture.messages().pop().unwrap();
    let statuses = |message: &MessageResponse| {
        let statuses = message.blocks.iter().map(|block| block.status.clone());
        statuses.collect::<Vec<_>>()
    };
    let (loading, success) = (Some(BlockStatus::Loading), Some(BlockStatus::Success));
    let expected = [loading, success.clone(), Some(BlockStatus::Pending)];
    assert_eq!(statuses(&pending), expected);
    let fixture = fixture.answers(json!({"q1": "America"}));
    let fixture = fixture.after(&Command::ToolFinished {
        call,
        result: CallResult::ok("deployed"),
    });
    let done = fixture.messages().remove(1);
    assert_eq!(statuses(&done), [success.clone(), success.clone(), success]);
    let result = done.blocks[0].tool_call.as_ref().unwrap().result.clone();
    assert_eq!(result.as_deref(), Some("deployed"));
    let answers = done.blocks.iter().filter_map(|block| block.extra.as_ref());
    let answers: Vec<_> = answers.map(|extra| extra.answer_text.clone()).collect();
    let expected = ["Europe", "America"].map(|answer| Some(answer.to_owned()));
    assert_eq!(answers, expected);
}
