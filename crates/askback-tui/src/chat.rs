//! The chat: what is said, what the agent does, its questions where they are asked, and a field to
//! write in. A component without a terminal and without a network: it is fed keys and news, shows
//! frames and lines, and collects wishes.

mod keys;
mod menu;
mod news;
mod view;

use askback_core::draft::Draft;
use askback_core::id::{ConversationId, InquiryId};
use askback_locale::{Arg, Locale};
use askback_wire::inquiry::InquiryResponse;
use askback_wire::state::StateResponse;
use jiff::civil::Date;

use crate::composer::Composer;
use crate::deadline::Deadline;
use crate::keymap::{Action, Keymap, Mode};
use crate::prompt::{Border, Kept, Options, Prompt};
use crate::reply::{Reply, Target};
use crate::transcript::Transcript;
use crate::typeahead::TypeaheadGuard;
use askback_terminal::app::{Scene, Want};
use askback_terminal::clock::Moment;
use askback_terminal::editor::Edited;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{Event, Key};
use askback_terminal::row::{Frame, Row, Size};
use askback_terminal::surface::FRAME_MIN;

pub use menu::Earlier;
pub use news::News;

/// How a chat is set up.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The language.
    pub locale: Locale,
    /// The marks.
    pub glyphs: Glyphs,
    /// Today, where the user is.
    pub today: Date,
    /// How long no key may come before those that answer are heard.
    pub quiet: std::time::Duration,
    /// The keys.
    pub keymap: Keymap,
    /// What is drawn around a question.
    pub border: Border,
    /// The command that comes back to a conversation; `{id}` stands for its id.
    pub command: String,
}

/// What a chat wants done. Each is answered by news.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// Say something; a conversation begins if there is none.
    Say(String),
    /// Reply to a question.
    Reply(Target, Reply),
    /// Stop the agent.
    Stop,
    /// Keep a half-typed answer.
    Draft(InquiryId, u32, Draft),
    /// A key stopped the deadline of a question.
    KeepOpen(InquiryId),
    /// Have a link to a question made, for another device.
    Share(InquiryId),
    /// Read the draft of a question that was asked; it comes back as [`News::Asked`].
    Prepare(Box<InquiryResponse>),
    /// List earlier conversations.
    List,
    /// Go on with an earlier conversation.
    Open(ConversationId),
}

/// A question that waits.
#[derive(Debug)]
struct Pending {
    inquiry: InquiryResponse,
    prompt: Prompt,
    stage: Stage,
}

/// How far the answer to a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It is shown.
    Open,
    /// It was left for later.
    Left,
    /// Its answer is on the way.
    Sending,
}

/// Something in place of the field.
#[derive(Debug)]
enum Over {
    /// What can be done besides writing, as it was when the menu was opened, with one row in focus.
    Menu(Vec<menu::Choice>, usize),
    /// Whether stopping the agent is meant.
    ConfirmStop,
    /// Earlier conversations, with one in focus.
    Earlier(Vec<Earlier>, usize),
    /// Everything that was said, from this row on.
    Reader(usize),
}

/// Whether the server is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Connecting,
    Connected,
    Lost,
}

/// The chat.
#[derive(Debug)]
pub struct Chat {
    setting: Setting,
    size: Size,
    conversation: Option<ConversationId>,
    agent: String,
    state: StateResponse,
    line: Line,
    link: Option<String>,
    transcript: Transcript,
    composer: Composer,
    pending: Vec<Pending>,
    at: usize,
    over: Option<Over>,
    notice: Option<String>,
    /// What is said when a conversation is opened.
    welcome: Vec<Row>,
    saying: bool,
    wishes: Vec<Wish>,
    wants: Vec<Want>,
    now: Moment,
    /// For the menus; a question has a guard of its own.
    guard: TypeaheadGuard,
    last_key: Option<(Option<Key>, Moment)>,
    /// The question that was painted last.
    painted: Option<InquiryId>,
    /// Whether the question that is shown next was opened by the user.
    opening: bool,
    /// Whether a question went away under the hands: what is typed may be meant for it, and is not
    /// sent before there was a pause.
    needs_pause: bool,
    /// The key that answered a question last, and when: pressed again at once, it is no message.
    answered: Option<(Key, Moment)>,
}

impl Chat {
    /// An empty chat.
    pub fn new(setting: Setting, agent: &str) -> Chat {
        Chat {
            guard: TypeaheadGuard::new(setting.quiet),
            last_key: None,
            painted: None,
            opening: false,
            needs_pause: false,
            answered: None,
            setting,
            size: Size {
                columns: 80,
                rows: 24,
            },
            conversation: None,
            agent: agent.to_owned(),
            state: StateResponse::Idle,
            line: Line::Connecting,
            link: None,
            transcript: Transcript::default(),
            composer: Composer::default(),
            pending: Vec::new(),
            at: 0,
            over: None,
            notice: None,
            welcome: Vec::new(),
            saying: false,
            wishes: Vec::new(),
            wants: Vec::new(),
            now: Moment::ZERO,
        }
    }

    /// What it wants done, each given once.
    pub fn wishes(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.wishes)
    }

    /// Which conversation it shows.
    pub fn conversation(&self) -> Option<&ConversationId> {
        self.conversation.as_ref()
    }

    fn say(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.setting.glyphs.own(self.setting.locale.text(id, args))
    }

    /// How the first key of an action is named.
    fn key_name(&self, mode: Mode, action: Action) -> String {
        let keymap = &self.setting.keymap;
        keymap
            .name(mode, action, &self.setting.glyphs)
            .unwrap_or_default()
    }

    /// The question that is shown.
    fn shown(&self) -> Option<&Pending> {
        let pending = self.pending.get(self.at)?;
        (pending.stage == Stage::Open && self.over.is_none()).then_some(pending)
    }

    /// Whether the agent is at work.
    fn is_busy(&self) -> bool {
        match &self.state {
            StateResponse::LlmRequesting { .. }
            | StateResponse::ToolExecuting { .. }
            | StateResponse::AwaitingSubAgents { .. } => true,
            StateResponse::Idle
            | StateResponse::AwaitingUserResponse { .. }
            | StateResponse::Error { .. }
            | StateResponse::Closed
            | StateResponse::Unknown => self.saying,
        }
    }

    fn add(&mut self, inquiry: InquiryResponse, draft: Option<Draft>, deadline: Option<Deadline>) {
        if self
            .pending
            .iter()
            .any(|known| known.inquiry.id == inquiry.id)
        {
            return;
        }
        let Ok(asked) = inquiry.to_inquiry() else {
            self.notice = Some(self.say("web-bad-question", &[]));
            return;
        };
        let mut options = Options::new(self.setting.locale, self.setting.today);
        options.glyphs = self.setting.glyphs;
        options.quiet = self.setting.quiet;
        options.keymap = self.setting.keymap.clone();
        options.border = self.setting.border;
        options.asker = Some(inquiry.source.clone().unwrap_or_else(|| self.agent.clone()));
        options.kept = Kept::InStore;
        options.link = self
            .link
            .as_ref()
            .map(|link| format!("{link}/q/{}", inquiry.id));
        options.draft = draft;
        options.deadline = deadline;
        let mut prompt = Prompt::new(asked, options);
        prompt.handle(&Event::Resize(self.prompt_size()), self.now);
        // Whoever is writing goes on writing: their keys are not for a question they have not seen.
        let stage = if self.composer.is_empty() {
            Stage::Open
        } else {
            // A message may count as an answer, and nobody has seen the question yet.
            self.needs_pause = true;
            Stage::Left
        };
        self.pending.push(Pending {
            inquiry,
            prompt,
            stage,
        });
        if self.shown().is_none() {
            self.at = self.pending.len() - 1;
        }
        self.fit();
    }

    /// The room of a prompt: a row less if others wait, too.
    fn prompt_size(&self) -> Size {
        let row = usize::from(self.pending.len() > 1 && self.size.rows > 8);
        Size {
            columns: self.size.columns,
            rows: self.size.rows - row,
        }
    }

    fn fit(&mut self) {
        let size = self.prompt_size();
        for pending in &mut self.pending {
            pending.prompt.handle(&Event::Resize(size), self.now);
        }
    }
}

impl Scene for Chat {
    fn resize(&mut self, size: Size) {
        // A smaller window shows a part of it.
        self.size = size.at_least(FRAME_MIN);
        self.fit();
    }

    fn handle(&mut self, event: &Event, now: Moment) {
        self.now = now;
        self.hear_event(event);
    }

    fn early(&mut self, event: &Event) {
        self.hear_early(event);
    }

    fn tick(&mut self, now: Moment) {
        self.now = now;
        let mut over = None;
        for (at, pending) in self.pending.iter_mut().enumerate() {
            if pending.stage == Stage::Sending {
                continue;
            }
            if let crate::prompt::Reaction::End(end) = pending.prompt.tick(now) {
                over = Some((at, end));
            }
        }
        if let Some((at, end)) = over {
            self.end(at, end);
        }
    }

    fn next_tick(&self, now: Moment) -> Option<std::time::Duration> {
        let open = self
            .pending
            .iter()
            .filter(|one| one.stage != Stage::Sending);
        open.filter_map(|one| one.prompt.next_tick(now)).min()
    }

    fn lines(&mut self) -> Vec<Row> {
        let columns = self.columns();
        self.transcript.print(columns, &self.setting.glyphs)
    }

    fn wants(&mut self) -> Vec<Want> {
        std::mem::take(&mut self.wants)
    }

    fn view(&self) -> Frame {
        view::frame(self)
    }

    fn painted(&mut self, now: Moment) {
        self.guard.painted(now);
        let shown = self.shown().map(|pending| pending.inquiry.id.clone());
        if shown.is_some()
            && let Some(pending) = self.pending.get_mut(self.at)
        {
            match (shown == self.painted, std::mem::take(&mut self.opening)) {
                (false, true) => pending.prompt.opened(self.last_key),
                (false, false) => pending.prompt.appear(self.last_key),
                (true, _) => {}
            }
            pending.prompt.painted(now);
        }
        self.painted = shown;
    }

    fn reappear(&mut self) {
        self.guard.close();
        self.painted = None;
    }

    fn title(&self) -> String {
        let waiting = self.pending.iter().find(|one| one.stage != Stage::Sending);
        match waiting {
            Some(pending) => pending.prompt.title(),
            None => self.say("chat-title", &[("agent", self.agent.as_str().into())]),
        }
    }

    fn waiting(&self) -> Option<String> {
        let newest = self.pending.iter().rev();
        newest
            .map(|one| &one.inquiry)
            .next()
            .map(|inquiry| inquiry.id.to_string())
    }

    fn edited(&mut self, edited: &Edited) {
        let text = match edited {
            Edited::Text(text) => text,
            Edited::Missing => return self.notice = Some(self.say("notice-editor-missing", &[])),
            Edited::Failed => return self.notice = Some(self.say("notice-editor-failed", &[])),
        };
        if self.shown().is_some() {
            self.pending[self.at].prompt.edited(text);
            self.keep_draft(self.at);
        } else {
            self.composer.set(text);
        }
    }

    fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.setting.glyphs = glyphs;
        for pending in &mut self.pending {
            pending.prompt.set_glyphs(glyphs);
        }
    }
}

#[cfg(test)]
#[path = "chat/chat_tests.rs"]
mod tests;
