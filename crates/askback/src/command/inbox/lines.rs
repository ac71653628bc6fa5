//! The inbox line by line: asks the pending questions one after the other, and prints what happened
//! meanwhile between them.

use std::time::Duration;

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_terminal::line_reader::{LineEvent, LineReader};
use askback_tui::inbox::{InboxEvent, InboxRequest, LineInbox, LineInboxAction};
use askback_tui::inquiry_update::InquiryUpdate;
use askback_tui::line::{AfterPostpone, LinePrompt};
use askback_tui::outcome_lines::{AnsweredFrom, lines as end_lines};
use askback_tui::prompt::{End, EscAtTop, Persistence};
use askback_tui::reply::InquiryReply;
use askback_tui::session::{PromptHost, SessionEnd, Wakeup};
use askback_wire::inquiry::InquiryResponse;
use jiff::Timestamp;

use super::OpenInbox;
use crate::args::InboxArgs;
use crate::backend::UndoWindow;
use crate::backend::reply::{self, SendResult};
use crate::command::ask::{DETACHED, prompt_end, write_rows};
use crate::failure::Failure;
use crate::terminal_options::TerminalOptions;

pub(super) fn run(args: &InboxArgs, terminal: &TerminalOptions) -> Result<(), Failure> {
    let (open, wake) = OpenInbox::open(args, terminal, UndoWindow::NONE)?;
    let (client, runtime) = (&open.backend.client, open.runtime.handle());
    let mut session = LineSession {
        lines: terminal.open_present_lines(Some(wake), client, runtime)?,
        terminal,
        inbox: LineInbox::new(terminal.locale, terminal.glyphs, open.backend.mine.clone()),
        open,
    };
    let done = session.run();
    session.open.close(Vec::new())?;
    done
}

/// How long to wait for the first list.
const FIRST_LIST_MAX: Duration = Duration::from_secs(10);

struct LineSession<'a> {
    open: OpenInbox,
    terminal: &'a TerminalOptions,
    lines: LineReader,
    inbox: LineInbox,
}

impl LineSession<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        while let Ok(event) = self.open.events.recv_timeout(FIRST_LIST_MAX) {
            let listed = matches!(event, InboxEvent::PendingIds(_));
            self.inbox.handle_event(event);
            if listed {
                break;
            }
        }
        let list = self.inbox.list();
        self.lines.write(&list)?;
        loop {
            match self.lines.next(None)? {
                LineEvent::Line(line) => match self.inbox.handle_line(&line) {
                    LineInboxAction::Leave => return Ok(()),
                    LineInboxAction::Print(words) => self.lines.write(&words)?,
                    LineInboxAction::Ask(id) => self.ask_from(id)?,
                },
                LineEvent::Pasted(_) => {
                    let words = self.terminal.locale.text("line-pasted", &[]);
                    let cue = self.inbox.cue();
                    self.lines.write(&format!("{words}\n{cue} "))?;
                }
                LineEvent::Wakeup => self.print_news()?,
                LineEvent::Timeout => {}
                LineEvent::EndOfInput => return Ok(self.lines.write("\n")?),
                LineEvent::Signal(number) => {
                    self.lines.write("\n")?;
                    prompt_end(SessionEnd::Signal(number))?;
                }
            }
        }
    }

    fn handle_events(&mut self) {
        for event in self.open.events.try_iter() {
            self.inbox.handle_event(event);
        }
    }

    /// Prints what happened while the list waits for a line.
    fn print_news(&mut self) -> Result<(), Failure> {
        self.handle_events();
        if let Some(news) = self.inbox.take_messages() {
            let words = format!("\n{news}\n{} ", self.inbox.cue());
            self.lines.write(&words)?;
        }
        Ok(())
    }

    /// Asks this question and those after it, until the person returns to the list.
    fn ask_from(&mut self, first: InquiryId) -> Result<(), Failure> {
        let mut next = Some(first);
        while let Some(id) = next.take() {
            let Some(waiting) = self.inbox.find(&id).cloned() else {
                break;
            };
            let then = self.ask(&waiting)?;
            self.handle_events();
            if let Some(news) = self.inbox.take_messages() {
                self.lines.write(&format!("{news}\n"))?;
            }
            if then == AfterPostpone::NextQuestion {
                next = self.inbox.following(&waiting.inquiry);
            }
            if let Some(words) = next.as_ref().and_then(|id| self.inbox.next(id)) {
                self.lines.write(&format!("{words}\n"))?;
            }
        }
        let list = self.inbox.list();
        Ok(self.lines.write(&list)?)
    }

    fn ask(&mut self, waiting: &InquiryUpdate) -> Result<AfterPostpone, Failure> {
        let terminal = self.terminal;
        let Ok(inquiry) = waiting.inquiry.to_inquiry() else {
            let words = terminal.locale.text("web-bad-question", &[]);
            self.lines.write(&format!("{words}\n"))?;
            return Ok(AfterPostpone::NextQuestion);
        };
        let asker = waiting.inquiry.asker_name().map(str::to_owned);
        let mut options = terminal.prompt_options(asker);
        options.persistence = Persistence::Durable;
        options.esc_at_top = EscAtTop::GoesBack;
        options.deadline = waiting.deadline;
        options.draft.clone_from(&waiting.draft);
        let mut prompt = LinePrompt::new(inquiry, options);
        let mut host = InboxPromptHost {
            open: &mut self.open,
            inbox: &mut self.inbox,
            asked: &waiting.inquiry,
            expires_at: waiting.inquiry.expires_at,
        };
        match terminal.run_line_prompt(&mut self.lines, &mut prompt, &mut host)? {
            // The event says who resolved it. The list follows, so that nobody answers the next
            // question by accident.
            SessionEnd::EndedElsewhere => {
                write_rows(&self.lines, &prompt.unsent())?;
                Ok(AfterPostpone::List)
            }
            finish @ (SessionEnd::Ended(_)
            | SessionEnd::TooSmall
            | SessionEnd::Signal(_)
            | SessionEnd::HungUp) => self.ended(waiting, &prompt, &prompt_end(finish)?),
        }
    }

    fn ended(
        &mut self,
        waiting: &InquiryUpdate,
        prompt: &LinePrompt,
        end: &End,
    ) -> Result<AfterPostpone, Failure> {
        let id = &waiting.inquiry.id;
        match end {
            End::Postponed | End::Expired => return Ok(prompt.then()),
            End::Detached => return Err(Failure::Ended(DETACHED)),
            End::Answered(_) | End::Declined | End::Rejected => {}
        }
        let Some(reply) = InquiryReply::of(end.clone()) else {
            return Ok(AfterPostpone::NextQuestion);
        };
        let taken = self.inbox.take(id);
        let OpenInbox {
            runtime, backend, ..
        } = &self.open;
        let client = &backend.client;
        let locale = self.terminal.locale;
        let sent = runtime.block_on(async {
            let sent = reply::send(client, &waiting.inquiry, &reply, UndoWindow::NONE);
            tokio::time::timeout(reply::SEND_MAX, sent).await
        });
        let result = match sent {
            Ok(Ok(SendResult::Accepted(_))) => Ok(AnsweredFrom::Here),
            Ok(Ok(SendResult::AlreadyResolved)) => Ok(AnsweredFrom::Elsewhere),
            Ok(Err(error)) => {
                let args = [("text", error.to_string().into())];
                Err(locale.text("unsent-text", &args))
            }
            Err(_) => Err(locale.text("unsent-unreachable", &[])),
        };
        let accepted = result.as_ref().ok().copied();
        self.lines.write(&prompt.after_sending(end, accepted))?;
        let whose = match result {
            Ok(whose) => whose,
            // What was typed is its draft.
            Err(words) => {
                self.lines.write(&format!("{words}\n"))?;
                if let Some(taken) = taken {
                    self.inbox.put_back(taken);
                }
                return Ok(AfterPostpone::List);
            }
        };
        // The prompt has shown its own answer already.
        let is_shown = whose == AnsweredFrom::Here && matches!(end, End::Answered(_));
        if let (false, Ok(found)) = (is_shown, runtime.block_on(client.inquiry(id))) {
            let mut rows = end_lines(self.terminal.locale, &self.terminal.glyphs, &found, whose);
            if whose == AnsweredFrom::Elsewhere {
                rows.extend(prompt.unsent());
            }
            write_rows(&self.lines, &rows)?;
        }
        Ok(AfterPostpone::NextQuestion)
    }
}

/// Saves the draft of one question, and ends its prompt when it is resolved elsewhere.
struct InboxPromptHost<'a> {
    open: &'a mut OpenInbox,
    inbox: &'a mut LineInbox,
    asked: &'a InquiryResponse,
    /// The deadline that the prompt knows.
    expires_at: Option<Timestamp>,
}

impl PromptHost for InboxPromptHost<'_> {
    fn draft_changed(&mut self, draft: &Draft) {
        self.inbox.save_draft(&self.asked.id, draft);
        let (id, revision) = (self.asked.id.clone(), self.asked.revision);
        self.open.drafts.save(id, revision, draft.clone());
    }

    fn deadline_stopped(&mut self) {
        let request = InboxRequest::StopDeadline(self.asked.id.clone());
        let handling = self.open.backend.clone().handle(request);
        self.open.runtime.spawn(handling);
    }

    fn poll(&mut self) -> Wakeup {
        for event in self.open.events.try_iter() {
            self.inbox.handle_event(event);
        }
        match self.inbox.find(&self.asked.id) {
            Some(item) if item.inquiry.expires_at != self.expires_at => {
                self.expires_at = item.inquiry.expires_at;
                Wakeup::DeadlineMoved(item.deadline)
            }
            Some(_) => Wakeup::Continue,
            None => Wakeup::EndedElsewhere,
        }
    }
}
