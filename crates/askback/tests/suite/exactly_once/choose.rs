//! What a client does next.

use askback_wire::inquiry::InquiryStatus;

use super::clients::{Board, Target, Targets};
use super::history::{Ask, End, Given, Request};
use super::numbers::Numbers;
use super::send::CHOICES;
use super::{BEN, PEOPLE, ZOE};

#[derive(Debug, Clone, Copy)]
enum Choice {
    Ask,
    Repeat,
    Answer,
    AnswerInPart,
    Decline,
    Reject,
    Cancel,
    Withdraw,
    Undo,
    Commit,
    HandOn,
    MoveDeadline,
    KeepOpen,
    SaveDraft,
    ReadDraft,
    Snooze,
    Read,
    Wait,
    List,
    Begin,
    Open,
    Message,
    Stop,
    Delete,
    Press,
}

/// How often each is chosen. Enough questions are asked that some stay open for a while.
const WEIGHTS: [(Choice, u64); 25] = [
    (Choice::Ask, 30),
    (Choice::Repeat, 12),
    (Choice::Answer, 20),
    (Choice::AnswerInPart, 3),
    (Choice::Decline, 3),
    (Choice::Reject, 2),
    (Choice::Cancel, 2),
    (Choice::Withdraw, 2),
    (Choice::Undo, 8),
    (Choice::Commit, 4),
    (Choice::HandOn, 6),
    (Choice::MoveDeadline, 4),
    (Choice::KeepOpen, 2),
    (Choice::SaveDraft, 6),
    (Choice::ReadDraft, 4),
    (Choice::Snooze, 2),
    (Choice::Read, 4),
    (Choice::Wait, 4),
    (Choice::List, 3),
    (Choice::Begin, 3),
    (Choice::Open, 1),
    (Choice::Message, 5),
    (Choice::Stop, 1),
    (Choice::Delete, 2),
    (Choice::Press, 8),
];

/// The next request of a client; none if there is nothing to do it with yet.
pub(crate) fn choose(board: &Board, actor: &str, numbers: &mut Numbers) -> Option<Request> {
    let targets = board.targets();
    let choice = weighted(numbers);
    match choice {
        Choice::Ask => Some(Request::Ask(ask(&targets, actor, numbers))),
        Choice::Repeat => numbers.pick(&targets.keyed).cloned(),
        Choice::List => Some(Request::List {
            status: match numbers.index(3) {
                0 => InquiryStatus::Answered,
                _ => InquiryStatus::Pending,
            },
        }),
        Choice::Press => {
            press(board, numbers);
            None
        }
        Choice::Begin => Some(Request::Begin {
            key: key(actor, numbers),
            message: actor.to_owned(),
        }),
        Choice::Open => Some(Request::Open {
            key: format!("key {actor}"),
        }),
        Choice::Message => Some(Request::Message {
            conversation: numbers.pick(&targets.built_in)?.clone(),
            text: format!("message {actor}."),
            has_id: numbers.one_in(2),
        }),
        Choice::Stop => Some(Request::Stop {
            conversation: numbers.pick(&targets.built_in)?.clone(),
        }),
        Choice::Delete => {
            let all = targets.built_in.iter().chain(&targets.external);
            let all: Vec<_> = all.collect();
            let conversation = (*numbers.pick(&all)?).clone();
            Some(Request::Delete { conversation })
        }
        _ => {
            // The window of an earlier answer is over.
            let held = targets.held.iter().rev().take(2);
            let is_for_held = matches!(choice, Choice::Undo | Choice::Commit);
            let target = if is_for_held && !numbers.one_in(4) {
                numbers.pick(held)?
            } else {
                numbers.pick(&targets.inquiries)?
            };
            Some(about_inquiry(choice, (target, actor), numbers))
        }
    }
}

fn weighted(numbers: &mut Numbers) -> Choice {
    let total = WEIGHTS.iter().map(|(_, weight)| weight).sum();
    let mut left = numbers.between(0..total);
    for (choice, weight) in WEIGHTS {
        if left < weight {
            return choice;
        }
        left -= weight;
    }
    Choice::Ask
}

fn key(actor: &str, numbers: &mut Numbers) -> Option<String> {
    numbers.one_in(2).then(|| format!("key {actor}"))
}

fn ask(targets: &Targets, actor: &str, numbers: &mut Numbers) -> Ask {
    let conversation = match numbers.index(3) {
        0 => numbers.pick(&targets.external).cloned(),
        _ => None,
    };
    Ask {
        question: format!("Question {actor}?"),
        questions: if numbers.one_in(5) { 2 } else { 1 },
        key: key(actor, numbers),
        conversation,
        recipient: recipient(numbers),
        seconds: numbers.one_in(8).then_some(1),
        has_webhook: numbers.one_in(3),
    }
}

/// Mostly somebody whom no message reaches, so that messages do not take all of the time.
fn recipient(numbers: &mut Numbers) -> String {
    let recipient = match numbers.index(8) {
        0 => ZOE,
        1 => BEN,
        _ => "quiet",
    };
    recipient.to_lowercase()
}

fn about_inquiry(
    choice: Choice,
    (target, actor): (&Target, &str),
    numbers: &mut Numbers,
) -> Request {
    let inquiry = target.id.clone();
    match choice {
        Choice::Answer => Request::End(answer(target, actor, target.questions, numbers)),
        Choice::AnswerInPart => Request::End(answer(target, actor, 1, numbers)),
        Choice::Decline => Request::End(end(target, actor, InquiryStatus::Declined, numbers)),
        Choice::Reject => Request::End(end(target, actor, InquiryStatus::Rejected, numbers)),
        Choice::Cancel => Request::End(end(target, actor, InquiryStatus::Cancelled, numbers)),
        Choice::Withdraw => Request::End(end(target, actor, InquiryStatus::Withdrawn, numbers)),
        Choice::Undo => Request::Undo {
            inquiry,
            key: key(actor, numbers),
        },
        Choice::Commit => Request::Commit { inquiry },
        Choice::HandOn => Request::HandOn {
            inquiry,
            to: recipient(numbers),
        },
        Choice::MoveDeadline => Request::MoveDeadline {
            inquiry,
            seconds: (!numbers.one_in(3)).then_some(1),
        },
        Choice::KeepOpen => Request::KeepOpen { inquiry },
        Choice::SaveDraft => Request::SaveDraft {
            inquiry,
            text: format!("draft {actor}."),
            questions: target.questions,
        },
        Choice::ReadDraft => Request::ReadDraft { inquiry },
        Choice::Snooze => Request::Snooze { inquiry },
        Choice::Read => Request::Read { inquiry },
        Choice::Wait => Request::Wait { inquiry },
        other => unreachable!("{other:?} is not about an inquiry"),
    }
}

/// Answers the first questions, each with a text that nobody else sends.
fn answer(target: &Target, actor: &str, count: usize, numbers: &mut Numbers) -> End {
    let texts = (1..=count).map(|number| format!("answer {number} {actor}."));
    let texts = texts.collect();
    let mut end = end(target, actor, InquiryStatus::Answered, numbers);
    end.given.texts = texts;
    end
}

fn end(target: &Target, actor: &str, status: InquiryStatus, numbers: &mut Numbers) -> End {
    let can_undo = matches!(
        status,
        InquiryStatus::Answered | InquiryStatus::Declined | InquiryStatus::Rejected
    );
    // Rejecting is a route of conversations only, and withdrawing one of inquiries only.
    let by_conversation = match status {
        InquiryStatus::Rejected => true,
        InquiryStatus::Withdrawn => false,
        _ => numbers.one_in(4),
    };
    End {
        inquiry: target.id.clone(),
        given: Given {
            status,
            texts: Vec::new(),
        },
        key: key(actor, numbers),
        undo_seconds: (can_undo && numbers.one_in(3)).then_some(2),
        conversation: by_conversation.then(|| target.conversation.clone()),
    }
}

/// Somebody presses a button of one of the newest messages.
fn press(board: &Board, numbers: &mut Numbers) {
    let open = board.telegram.newest_messages(12);
    let open: Vec<_> = open.iter().filter(|it| !it.buttons().is_empty()).collect();
    let label = CHOICES[numbers.index(CHOICES.len())];
    let Some(message) = numbers.pick(&open) else {
        return;
    };
    let buttons = message.buttons();
    let button = buttons.iter().find(|(text, _)| text == label);
    let question = message.text().lines().find(|line| is_question(line));
    let person = PEOPLE.iter().find(|(_, id)| id.to_string() == message.chat);
    if let (Some((_, data)), Some(question), Some((person, user))) = (button, question, person) {
        let request = Request::Press {
            question: question.to_owned(),
            person: (*person).to_owned(),
            label: label.to_owned(),
        };
        board.press(*user, message.id, (data, request));
    }
}

fn is_question(line: &str) -> bool {
    line.ends_with('?') && (line.starts_with("Question ") || line.starts_with("Step "))
}
