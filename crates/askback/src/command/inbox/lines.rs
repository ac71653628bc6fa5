//! The inbox line by line: asks the pending questions one after the other, and prints what happened
//! meanwhile between them.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_terminal::clock::today;
use askback_terminal::line_reader::{Came, Lines};
use askback_tui::ended::{Whose, lines as end_lines};
use askback_tui::inbox::{LineInbox, News, Step, Waiting, Wish};
use askback_tui::line::{LinePrompt, Place, Then};
use askback_tui::prompt::{End, Kept};
use askback_tui::reply::{Reply, Target};
use askback_tui::session::{Finish, Outside, Woken};
use tokio::runtime::Runtime;

use crate::args::InboxArgs;
use crate::backend::reply::{self, SendResult, UndoWindow};
use crate::backend::{DraftSaver, InboxBackend, UiChannel, terminal_client};
use crate::command::ask::{DETACHED, prompt_end, write_rows};
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;
use crate::terminal_options::TerminalOptions;

pub(super) fn run(args: &InboxArgs, terminal: &TerminalOptions) -> Result<(), Failure> {
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, Model::OrNone))?;
    let client = terminal_client(&connection);
    let (channel, events, wake) = UiChannel::open()?;
    let backend = InboxBackend {
        client: client.clone(),
        channel,
        clock: terminal.clock,
        undo: UndoWindow::NONE,
    };
    let feed = runtime.spawn(backend.clone().follow());
    let mut session = LineSession {
        runtime: &runtime,
        terminal,
        lines: terminal.open_lines(Some(wake))?,
        events,
        backend,
        inbox: LineInbox::new(terminal.locale, terminal.glyphs),
        drafts: DraftSaver::new(client, runtime.handle().clone()),
    };
    let done = session.run();
    let LineSession { drafts, .. } = session;
    runtime.block_on(async {
        drafts.finish().await;
        feed.abort();
        // The only error is the cancellation.
        drop(feed.await);
    });
    runtime.block_on(connection.close())?;
    done
}

/// How long to wait for the first list.
const FIRST_LIST_MAX: Duration = Duration::from_secs(10);
/// How long the server may take to record that a question expired.
const EXPIRE_MAX: Duration = Duration::from_secs(5);

struct LineSession<'a> {
    runtime: &'a Runtime,
    terminal: &'a TerminalOptions,
    lines: Lines,
    events: Receiver<News>,
    backend: InboxBackend,
    inbox: LineInbox,
    drafts: DraftSaver,
}

impl LineSession<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        while let Ok(event) = self.events.recv_timeout(FIRST_LIST_MAX) {
            let listed = matches!(event, News::Listed(_));
            self.inbox.hear_news(event);
            if listed {
                break;
            }
        }
        let list = self.inbox.list();
        self.lines.write(&list)?;
        loop {
            match self.lines.next(None)? {
                Came::Line(line) => match self.inbox.hear(&line) {
                    Step::Leave => return Ok(()),
                    Step::Say(words) => self.lines.write(&words)?,
                    Step::Ask(id) => self.ask_from(id)?,
                },
                Came::Pasted(_) => {
                    let words = self.terminal.locale.text("line-pasted", &[]);
                    let cue = self.inbox.cue();
                    self.lines.write(&format!("{words}\n{cue} "))?;
                }
                Came::Woken => self.print_news()?,
                Came::Time => {}
                Came::End => return Ok(self.lines.write("\n")?),
                Came::Signal(number) => {
                    self.lines.write("\n")?;
                    prompt_end(Finish::Signal(number))?;
                }
            }
        }
    }

    fn handle_events(&mut self) {
        for event in self.events.try_iter() {
            self.inbox.hear_news(event);
        }
    }

    /// Prints what happened while the list waits for a line.
    fn print_news(&mut self) -> Result<(), Failure> {
        self.handle_events();
        if let Some(news) = self.inbox.news() {
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
            if let Some(news) = self.inbox.news() {
                self.lines.write(&format!("{news}\n"))?;
            }
            if then == Then::Next {
                next = self.inbox.behind(&waiting.inquiry);
            }
            if let Some(words) = next.as_ref().and_then(|id| self.inbox.next(id)) {
                self.lines.write(&format!("{words}\n"))?;
            }
        }
        let list = self.inbox.list();
        Ok(self.lines.write(&list)?)
    }

    fn ask(&mut self, waiting: &Waiting) -> Result<Then, Failure> {
        let terminal = self.terminal;
        let Ok(inquiry) = waiting.inquiry.to_inquiry() else {
            let words = terminal.locale.text("web-bad-question", &[]);
            self.lines.write(&format!("{words}\n"))?;
            return Ok(Then::Next);
        };
        let draft = waiting.draft.clone();
        let mut prompt = LinePrompt::new(inquiry, draft, terminal.locale, today())
            .kept(Kept::InStore)
            .asked_by(waiting.inquiry.source.clone())
            .until(waiting.deadline)
            .at(Place::Inbox);
        let mut host = InboxPromptHost {
            runtime: self.runtime,
            events: &self.events,
            backend: &self.backend,
            inbox: &mut self.inbox,
            drafts: &mut self.drafts,
            target: Target::from(&waiting.inquiry),
        };
        match terminal.run_line_prompt(&mut self.lines, &mut prompt, &mut host)? {
            // The event says who resolved it. The list follows, so that nobody answers the next
            // question by accident.
            Finish::Elsewhere => {
                write_rows(&self.lines, &prompt.unsent())?;
                Ok(Then::List)
            }
            finish @ (Finish::Ended(_) | Finish::TooSmall | Finish::Signal(_) | Finish::HungUp) => {
                self.ended(waiting, &prompt, &prompt_end(finish)?)
            }
        }
    }

    fn ended(
        &mut self,
        waiting: &Waiting,
        prompt: &LinePrompt,
        end: &End,
    ) -> Result<Then, Failure> {
        let id = &waiting.inquiry.id;
        match end {
            End::Kept => return Ok(prompt.then()),
            End::Detached => return Err(Failure::Ended(DETACHED)),
            End::Expired => {
                let expired = self.backend.client.wait_for_inquiry(id, EXPIRE_MAX);
                if let Ok(found) = self.runtime.block_on(expired) {
                    self.inbox.hear_news(News::Ended(Box::new(found)));
                }
                return Ok(Then::Next);
            }
            End::Answered(_) | End::Declined | End::Rejected => {}
        }
        let Some(reply) = Reply::of(end.clone()) else {
            return Ok(Then::Next);
        };
        let taken = self.inbox.take(id);
        let client = &self.backend.client;
        let target = Target::from(&waiting.inquiry);
        let sent = self
            .runtime
            .block_on(reply::send(client, &target, &reply, UndoWindow::NONE));
        let whose = match sent {
            Ok(SendResult::Accepted) => Whose::Ours,
            Ok(SendResult::AlreadyResolved) => Whose::Others,
            Err(error) => {
                self.lines.write(&format!("{error}\n"))?;
                if let Some(taken) = taken {
                    self.inbox.put_back(taken);
                }
                return Ok(Then::List);
            }
        };
        // The prompt has shown its own answer already.
        let is_shown = whose == Whose::Ours && matches!(end, End::Answered(_));
        if let (false, Ok(found)) = (is_shown, self.runtime.block_on(client.inquiry(id))) {
            let rows = end_lines(self.terminal.locale, &self.terminal.glyphs, &found, whose);
            write_rows(&self.lines, &rows)?;
        }
        Ok(Then::Next)
    }
}

/// Saves the draft of one question, and ends its prompt when it is resolved elsewhere.
struct InboxPromptHost<'a> {
    runtime: &'a Runtime,
    events: &'a Receiver<News>,
    backend: &'a InboxBackend,
    inbox: &'a mut LineInbox,
    drafts: &'a mut DraftSaver,
    target: Target,
}

impl Outside for InboxPromptHost<'_> {
    fn changed(&mut self, draft: &Draft) {
        self.inbox.keep(&self.target.id, draft);
        let (id, revision) = (self.target.id.clone(), self.target.revision);
        self.drafts.save(id, revision, draft.clone());
    }

    fn deadline_stopped(&mut self) {
        let request = Wish::KeepOpen(self.target.id.clone());
        self.runtime.spawn(self.backend.clone().handle(request));
    }

    fn woken(&mut self) -> Woken {
        for event in self.events.try_iter() {
            self.inbox.hear_news(event);
        }
        if self.inbox.find(&self.target.id).is_some() {
            Woken::GoOn
        } else {
            Woken::Over
        }
    }
}
