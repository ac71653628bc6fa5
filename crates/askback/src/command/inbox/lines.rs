//! The inbox line by line: questions are asked one after the other, and what happens meanwhile is
//! said between them.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_tui::clock::today;
use askback_tui::ended::{Whose, lines as end_lines};
use askback_tui::inbox::{LineInbox, News, Step, Waiting, Wish};
use askback_tui::line::{Came, LinePrompt, Lines, Place, Then};
use askback_tui::prompt::{End, Kept};
use askback_tui::reply::{Reply, Target};
use askback_tui::session::{Finish, Outside, Woken};
use tokio::runtime::Runtime;

use super::desk::Desk;
use crate::args::InboxArgs;
use crate::command::ask::{DETACHED, ended, say_rows};
use crate::command::drafts::Drafts;
use crate::command::look::Look;
use crate::command::post::{Post, terminal_client, words};
use crate::command::reply::{self, First, Undo};
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;

pub(super) fn run(args: &InboxArgs, look: &Look) -> Result<(), Failure> {
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, Model::OrNone))?;
    let client = terminal_client(&connection);
    let (post, news, wake) = Post::open()?;
    let desk = Desk {
        client: client.clone(),
        post,
        clock: look.clock,
        undo: Undo::NEVER,
    };
    let feed = runtime.spawn(desk.clone().follow());
    let mut round = Round {
        runtime: &runtime,
        look,
        lines: look.lines(Some(wake))?,
        news,
        desk,
        inbox: LineInbox::new(look.locale, look.glyphs),
        drafts: Drafts::new(client, runtime.handle().clone()),
    };
    let done = round.go();
    let Round { drafts, .. } = round;
    runtime.block_on(async {
        drafts.finish().await;
        feed.abort();
        // It was ended on purpose.
        drop(feed.await);
    });
    runtime.block_on(connection.close())?;
    done
}

/// How long the first list may take.
const LISTED: Duration = Duration::from_secs(10);
/// How long the server may take to close a question whose time is over.
const CLOSED: Duration = Duration::from_secs(5);

/// One round through the inbox.
struct Round<'a> {
    runtime: &'a Runtime,
    look: &'a Look,
    lines: Lines,
    news: Receiver<News>,
    desk: Desk,
    inbox: LineInbox,
    drafts: Drafts,
}

impl Round<'_> {
    fn go(&mut self) -> Result<(), Failure> {
        while let Ok(news) = self.news.recv_timeout(LISTED) {
            let listed = matches!(news, News::Listed(_));
            self.inbox.hear_news(news);
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
                    let words = self.look.locale.text("line-pasted", &[]);
                    let cue = self.inbox.cue();
                    self.lines.write(&format!("{words}\n{cue} "))?;
                }
                Came::Woken => self.interrupt()?,
                Came::Time => {}
                Came::End => return Ok(self.lines.write("\n")?),
                Came::Signal(number) => {
                    self.lines.write("\n")?;
                    ended(Finish::Signal(number))?;
                }
            }
        }
    }

    fn drain(&mut self) {
        for news in self.news.try_iter() {
            self.inbox.hear_news(news);
        }
    }

    /// Says what happened while the list waits for a line.
    fn interrupt(&mut self) -> Result<(), Failure> {
        self.drain();
        if let Some(news) = self.inbox.news() {
            let words = format!("\n{news}\n{} ", self.inbox.cue());
            self.lines.write(&words)?;
        }
        Ok(())
    }

    /// Asks a question and those behind it, until one is left for the list.
    fn ask_from(&mut self, first: InquiryId) -> Result<(), Failure> {
        let mut next = Some(first);
        while let Some(id) = next.take() {
            let Some(waiting) = self.inbox.find(&id).cloned() else {
                break;
            };
            let then = self.ask(&waiting)?;
            self.drain();
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
        let look = self.look;
        let Ok(inquiry) = waiting.inquiry.to_inquiry() else {
            let words = look.locale.text("web-bad-question", &[]);
            self.lines.write(&format!("{words}\n"))?;
            return Ok(Then::Next);
        };
        let draft = waiting.draft.clone();
        let mut prompt = LinePrompt::new(inquiry, draft, look.locale, today())
            .kept(Kept::InStore)
            .asked_by(waiting.inquiry.source.clone())
            .until(waiting.deadline)
            .at(Place::Inbox);
        let mut beside = Beside {
            runtime: self.runtime,
            news: &self.news,
            desk: &self.desk,
            inbox: &mut self.inbox,
            drafts: &mut self.drafts,
            target: Target::from(&waiting.inquiry),
        };
        match look.ask_lines(&mut self.lines, &mut prompt, &mut beside)? {
            // The news tell who ended it. Another question is asked only when it is chosen.
            Finish::Elsewhere => {
                say_rows(&self.lines, &prompt.unsent())?;
                Ok(Then::List)
            }
            finish @ (Finish::Ended(_) | Finish::TooSmall | Finish::Signal(_) | Finish::HungUp) => {
                self.ended(waiting, &prompt, &ended(finish)?)
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
                let closed = self.desk.client.wait_for_inquiry(id, CLOSED);
                if let Ok(found) = self.runtime.block_on(closed) {
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
        let client = &self.desk.client;
        let target = Target::from(&waiting.inquiry);
        let sent = self
            .runtime
            .block_on(reply::send(client, &target, &reply, Undo::NEVER));
        let whose = match sent {
            Ok(First::We) => Whose::Ours,
            Ok(First::Others) => Whose::Others,
            Err(error) => {
                self.lines.write(&format!("{}\n", words(&error)))?;
                if let Some(taken) = taken {
                    self.inbox.put_back(taken);
                }
                return Ok(Then::List);
            }
        };
        // An answer of ours was said back already.
        let said = whose == Whose::Ours && matches!(end, End::Answered(_));
        if let (false, Ok(found)) = (said, self.runtime.block_on(client.inquiry(id))) {
            let rows = end_lines(self.look.locale, &self.look.glyphs, &found, whose);
            say_rows(&self.lines, &rows)?;
        }
        Ok(Then::Next)
    }
}

/// What goes on beside a question of the inbox.
struct Beside<'a> {
    runtime: &'a Runtime,
    news: &'a Receiver<News>,
    desk: &'a Desk,
    inbox: &'a mut LineInbox,
    drafts: &'a mut Drafts,
    target: Target,
}

impl Outside for Beside<'_> {
    fn changed(&mut self, draft: &Draft) {
        self.inbox.keep(&self.target.id, draft);
        let (id, revision) = (self.target.id.clone(), self.target.revision);
        self.drafts.keep(id, revision, draft.clone());
    }

    fn deadline_stopped(&mut self) {
        let wish = Wish::KeepOpen(self.target.id.clone());
        self.runtime.spawn(self.desk.clone().serve(wish));
    }

    fn woken(&mut self) -> Woken {
        for news in self.news.try_iter() {
            self.inbox.hear_news(news);
        }
        if self.inbox.find(&self.target.id).is_some() {
            Woken::GoOn
        } else {
            Woken::Over
        }
    }
}
