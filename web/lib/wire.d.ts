// What the server sends and takes: generated from schemas/openapi.json by `cargo xtask codegen`.

/** One of `question_request`. Newer versions may have others. */
export type ActionType = "question_request";

/** A message of AG-UI. */
export type AgUiMessage = {
  /** A text, or a list of parts. Only parts with a `text` are read. */
  content?: unknown;
  /** The sender's id for the message. */
  id: string;
  /** Only messages of `user` are read. */
  role: string;
};

/** One invalid answer. */
export type AnswerError = {
  /** A stable code: `empty`, `too_long`, `unknown_choice`, … */
  code: string;
  /** A sentence for the person who answered. */
  message: string;
  /** The question. Missing if the problem is not about a single one. */
  question?: string | null;
};

/** Answers one inquiry. */
export type AnswerParams = {
  /** Answers by question id or text, as in [`RespondParams`]. */
  answers: Record<string, unknown>;
  /** A repeated request with the same key has no further effect. */
  key?: string | null;
  /** The language of the person, for parsing typed numbers and dates and for error messages. */
  locale?: string | null;
  /** Notes by question id or text. */
  notes?: Record<string, string> | null;
  /** Whether to leave the other questions unanswered. Without it, an answer that leaves a question open is refused. */
  partial?: boolean;
  /** The revision that the sender saw. An answer to an older revision is refused. */
  revision?: number | null;
  /** The date where the person is, for words such as “tomorrow”. By default that of the server. */
  today?: string | null;
  /**
   * The undo window in seconds. Until its end the inquiry stays pending with the answer in `held`, and
   * `POST …/undo` undoes it. With 0, as by default, the answer takes effect at once.
   */
  undo_seconds?: number | null;
};

/** The answer to one question. */
export type Answer = (ChosenAnswer & { date?: undefined; end?: undefined; number?: undefined; start?: undefined; text?: undefined }) | (TextAnswer & { date?: undefined; end?: undefined; number?: undefined; own?: undefined; start?: undefined; values?: undefined }) | (NumberAnswer & { date?: undefined; end?: undefined; own?: undefined; start?: undefined; text?: undefined; values?: undefined }) | (DateAnswer & { end?: undefined; number?: undefined; own?: undefined; start?: undefined; text?: undefined; values?: undefined }) | (DateRangeAnswer & { date?: undefined; number?: undefined; own?: undefined; text?: undefined; values?: undefined }) | (SkippedAnswer & { date?: undefined; end?: undefined; number?: undefined; own?: undefined; start?: undefined; text?: undefined; values?: undefined }) | (UnansweredAnswer & { date?: undefined; end?: undefined; number?: undefined; own?: undefined; start?: undefined; text?: undefined; values?: undefined });

/** The respondent sent answers. */
export type AnsweredOutcome = {
  /** One answer for each question, in the same order. */
  answers: Array<Answer>;
  type: "answered";
};

/** An app: a named system prompt with its tools. */
export type App = {
  /** Whether conversations without `app` use this one. */
  default?: boolean;
  /** What the app does. */
  description?: string | null;
  /** What to send as `app` when starting a conversation. */
  id: string;
  /** The model, if the app requires one. */
  model?: string | null;
  /** The name to show, in English if there is no other. */
  name: string;
  /** Names by language tag. */
  names?: Record<string, string>;
  /** Names of the ask tools and of other tools that the model may use. `*` stands for all other tools. */
  tools?: Array<string>;
};

/** One page of a list. */
export type AppResponseList = {
  /** The items of this page. */
  items: Array<App>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** The agent that asks. */
export type AskerParams = {
  /** The name of the program, such as `claude-code`. 1 to 100 characters. */
  client: string;
  /** What the agent works on, usually a directory. At most 1,000 characters. */
  project?: string | null;
  /** The session that asks and gets the outcome. 1 to 200 characters. */
  session: string;
};

/** The agent that asked. */
export type Asker = {
  /** The name of the program. In this name and the next two, characters that cannot be shown are written as `\u202e`. */
  client: string;
  /** When the outcome was delivered. */
  delivered_at?: string | null;
  /** How many deliveries of the outcome were started. */
  delivery_attempts?: number;
  /** Whether the agent has stopped waiting: it gets the outcome when it asks again. False if that is not known. */
  detached?: boolean;
  /** What the agent works on. */
  project?: string | null;
  /** The session that asked, or that took the question over. */
  session: string;
  /** Whether `session` is not the session that asked, but one that took the question over after its end. */
  taken_over?: boolean;
};

/** A session of an agent. */
export type AskerSession = {
  /** Its name. */
  session: string;
};

/** One page of a list. */
export type AskerSessionResponseList = {
  /** The items of this page. */
  items: Array<AskerSession>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** How an inquiry ended or was handed on, or a conversation was deleted. */
export type AuditEntry = {
  /** The outcome with the answers, if it was requested. */
  answer?: Outcome | null;
  /** When it was asked. */
  asked_at?: string | null;
  /** What the person who acted calls themselves, if known. */
  by?: string | null;
  /** The conversation. */
  conversation_id: string;
  /** The tool contract in which it was asked. */
  dialect?: string | null;
  /** The alias of the recipient before it was handed on. Missing if it was for everybody. */
  from?: string | null;
  /** Who that is, if a service has proved it: `telegram:42`. */
  identity?: string | null;
  /** The inquiry that ended or was handed on. */
  inquiry_id?: string | null;
  /** What the entry is about. */
  kind: AuditKind;
  /** The node of the server on which they acted. */
  node?: string | null;
  /** The kind of the outcome. */
  outcome?: InquiryStatus | null;
  /** What was asked, if it was requested. */
  questions?: Array<Question> | null;
  /**
   * SHA-256 of what was asked: the text of each question and the labels of its choices, each with a line
   * feed after it. Missing if the questions were deleted.
   */
  questions_sha256?: string | null;
  /** Why it was handed on, in the words of whoever did it. */
  reason?: string | null;
  /** When it was stored, by the clock of the server. */
  recorded_at: string;
  /** When the outcome was given. Before `recorded_at` if it could be undone for a while. */
  resolved_at?: string | null;
  /** The position in the feed. Rises from entry to entry. */
  sequence: number;
  /** Who or what asked, as text. */
  source?: string | null;
  /** Where they acted from. */
  surface?: SurfaceName | null;
  /** The alias of the recipient to whom it was handed on. */
  to?: string | null;
};

/** One of `outcome`, `handed_on`, `conversation_deleted`, `unreadable`. Newer versions may have others. */
export type AuditKind = "outcome" | "handed_on" | "conversation_deleted" | "unreadable";

/** A part of the log. */
export type AuditPage = {
  /** Oldest first. May be empty although `next` is there. */
  items: Array<AuditEntry>;
  /** The highest sequence number of the store. */
  newest: number;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** Sub-agents are working on a call. */
export type AwaitingSubAgentsStateChangeEvent = {
  /** The sub-agents. */
  agents: Array<SubAgent>;
  /** The conversation that changed. */
  conversation_id: string;
  /** The position in the feed. */
  sequence: number;
  type: "awaiting_sub_agents";
};

/** Sub-agents are working on a call. */
export type AwaitingSubAgentsState = {
  /** The sub-agents. */
  agents: Array<SubAgent>;
  type: "awaiting_sub_agents";
};

/** A question is pending. */
export type AwaitingUserResponseStateChangeEvent = {
  /** The conversation that changed. */
  conversation_id: string;
  /** The pending inquiry. The oldest, if an external agent has asked several. */
  inquiry_id: string;
  /** Further pending inquiries, oldest first. */
  others?: Array<string>;
  /**
   * The questions as the tool sent them, in its own words. Missing in lists and in the feed of all conversations:
   * the inquiry has them.
   */
  questions?: Array<Record<string, unknown>>;
  /** The position in the feed. */
  sequence: number;
  /** Who or what asks, as text. */
  source?: string | null;
  /** The id of the tool call that asks it, if the built-in agent made it. */
  tool_use_id?: string | null;
  type: "awaiting_user_response";
};

/** A question is pending. */
export type AwaitingUserResponseState = {
  /** The pending inquiry. The oldest, if an external agent has asked several. */
  inquiry_id: string;
  /** Further pending inquiries, oldest first. */
  others?: Array<string>;
  /**
   * The questions as the tool sent them, in its own words. Missing in lists and in the feed of all conversations:
   * the inquiry has them.
   */
  questions?: Array<Record<string, unknown>>;
  /** Who or what asks, as text. */
  source?: string | null;
  /** The id of the tool call that asks it, if the built-in agent made it. */
  tool_use_id?: string | null;
  type: "awaiting_user_response";
};

/** One block of a message. */
export type Block = {
  /** What the user has to act on. */
  action_type?: ActionType | null;
  /** The question of a `question_request`. */
  extra?: QuestionExtra | null;
  /** The progress. Missing for blocks that never change. */
  status?: BlockStatus | null;
  /** The block as plain text. */
  text?: string;
  /** When the block was created. */
  timestamp: string;
  /** The call of a `tool_call`, or the call that an `error` is about. */
  tool_call?: ToolCall | null;
  /** The kind of the block. */
  type: BlockType;
};

/** One of `pending`, `loading`, `success`, `denied`, `error`. Newer versions may have others. */
export type BlockStatus = "pending" | "loading" | "success" | "denied" | "error";

/** One of `content`, `action`, `tool_call`, `error`. Newer versions may have others. */
export type BlockType = "content" | "action" | "tool_call" | "error";

/** Cancels one inquiry of an external agent. The body may be empty. */
export type CancelParams = {
  /** A repeated request with the same key has no further effect. */
  key?: string | null;
  /** The revision that the sender saw. */
  revision?: number | null;
};

/** Stops the agent of a conversation, or cancels one of its inquiries. The body may be empty. */
export type CancelWorkParams = {
  /** The inquiry to cancel. If missing, all current work. */
  inquiry_id?: string | null;
  /** A repeated request with the same key has no further effect. */
  key?: string | null;
  /** The revision that the sender saw. */
  revision?: number | null;
};

/** The respondent stopped the agent. */
export type CancelledOutcome = {
  type: "cancelled";
};

/** One of `asked`, `handed_on`, `deadline_moved`, `reminded`, `snoozed`, `held`, `reopened`, `resolved`, `delivered`, `detached`, `attached`. Newer versions may have others. */
export type ChangeName = "asked" | "handed_on" | "deadline_moved" | "reminded" | "snoozed" | "held" | "reopened" | "resolved" | "delivered" | "detached" | "attached";

/** A message of a channel that shows a question to a person. */
export type ChannelMessage = {
  /** The name of the channel. */
  channel: string;
  /** Why it is refused, or what went wrong last in a channel in which it waits. */
  reason?: string | null;
  /** The alias of the person. */
  recipient: string;
  /** How far it is. */
  state: ChannelMessageState;
};

/** One page of a list. */
export type ChannelMessageResponseList = {
  /** The items of this page. */
  items: Array<ChannelMessage>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** How far a message is. */
export type ChannelMessageState = "waiting" | "sent" | "refused";

/** A configured channel. It contains no token and no address of a person. */
export type Channel = {
  /** What it is: `telegram`, … */
  kind: string;
  /** What went wrong last, unless something worked since. */
  last_error?: string | null;
  /** When the provider last answered. Missing until it has. */
  last_success?: string | null;
  /** Messages that are not updated any more, because the channel or the person is no longer configured. */
  left_messages?: Array<LeftMessages>;
  /** Its name in the configuration. */
  name: string;
  /**
   * Pending questions that the provider has refused to deliver, by person and reason. They are tried once more when the
   * person writes to the channel, and when the server starts.
   */
  not_delivered?: Array<NotDelivered>;
  /** The recipients with an account there. */
  recipients: Array<string>;
  /** Whether the channel is no longer configured. It is listed because of the messages that it has left. */
  removed?: boolean;
};

/** One page of a list. */
export type ChannelResponseList = {
  /** The items of this page. */
  items: Array<Channel>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** One check. */
export type Check = {
  /** What is wrong, for the operator. */
  detail?: string | null;
  /** What was checked: `store`, `jobs`, … */
  name: string;
  /** Whether the check passed. */
  ok: boolean;
};

/** A choice of a question. */
export type ChoiceParams = {
  /** What the choice means or leads to. */
  description?: string;
  /** Whether it cannot be combined with others. If left out, a label such as "None of these" is. */
  exclusive?: boolean;
  /** What the person sees. */
  label: string;
  /** What the choice would look like: code, a diff, a sketch. Shown on demand. */
  preview?: string;
  /** Whether it is advised: a badge, never a tick. */
  recommended?: boolean;
  /** What the answer is. The label if left out. */
  value?: string;
};

/** One or several of the choices. */
export type ChoiceQuestion = {
  /** The choices, in the order in which to show them. */
  choices: Array<Choice>;
  /** Background information for the respondent. */
  context?: string | null;
  /** A short label. */
  header?: string | null;
  /** The key of its answer: as the asker calls it, or `q1`, `q2`, … by position. */
  id: string;
  kind: "choice";
  /** Whether it may be skipped. */
  optional?: boolean;
  /** Whether the respondent may write own text. */
  own: boolean;
  /** Shown in an empty field. */
  placeholder?: string | null;
  /** Whether several choices may be selected. */
  several: boolean;
  /** The text of the question. */
  text: string;
};

/** One choice of a question. */
export type Choice = {
  /** An explanation of the choice. */
  description?: string | null;
  /** Whether it cannot be combined with other choices. */
  exclusive?: boolean;
  /** The text to show. Unique within the question. */
  label: string;
  /** A longer preview of the choice, such as a diff or a command. */
  preview?: string | null;
  /** Whether the agent recommends it. Show a badge; do not preselect it. */
  recommended?: boolean;
  /** Stored in the answer. Unique within the question. */
  value: string;
};

/** Selected choices, own text, or both. */
export type ChosenAnswer = {
  /** The answer as text for people. Missing if there is none. */
  display?: string | null;
  given: "chosen";
  /** A comment of the respondent. */
  note?: string | null;
  /** The respondent's own text. */
  own?: string | null;
  /** The question it belongs to. */
  question: string;
  /**
   * What a program goes on with: the value of the chosen choice, own text if there is only that, or a text; with
   * several choices, an array of values with own text last; true or false; a number; a date; an object with `start`
   * and `end`; or null if there is no answer.
   */
  value?: unknown;
  /** Values of the selected choices, in the order of the question. */
  values: Array<string>;
};

/** The conversation was deleted. This is final. */
export type ClosedStateChangeEvent = {
  /** The conversation that changed. */
  conversation_id: string;
  /** The position in the feed. */
  sequence: number;
  type: "closed";
};

/** The conversation was deleted. This is final. */
export type ClosedState = {
  type: "closed";
};

/** Lets an answer take effect before its undo window ends. */
export type CommitAnswerParams = {
  /** `held.until` of the answer that is meant. A later answer is not committed. If missing, any answer is. */
  until?: string | null;
};

/** Yes or no: one of two choices. */
export type ConfirmQuestion = {
  /** The choice that means true, and the one that means false. */
  choices: Array<Choice>;
  /** Background information for the respondent. */
  context?: string | null;
  /** A short label. */
  header?: string | null;
  /** The key of its answer: as the asker calls it, or `q1`, `q2`, … by position. */
  id: string;
  kind: "confirm";
  /** Whether it may be skipped. */
  optional?: boolean;
  /** Shown in an empty field. */
  placeholder?: string | null;
  /** The text of the question. */
  text: string;
};

/** A conversation with a page of its messages. */
export type ConversationDetail = {
  /** The app it was started with. */
  app?: string | null;
  /** The `before` for older messages. Null if there are none. */
  before?: string | null;
  /** When it was created. */
  created_at: string;
  /** `built_in` or `external`. */
  driver: DriverName;
  /** Starts with `cnv_`. */
  id: string;
  /** The newest messages, or those before a cursor. Oldest first. */
  messages: Array<Message>;
  /** The conversation that started this one as a sub-agent. */
  parent?: string | null;
  /** The sequence number of the newest event included here. Start the feed after it. */
  sequence?: number | null;
  /** What the agent is doing now. */
  state: State;
  /** A title for lists. */
  title?: string | null;
  /** When it last changed. */
  updated_at: string;
  /** The number of its events. Increases with every change. */
  version: number;
};

/** The current state of a conversation. */
export type Conversation = {
  /** The app it was started with. */
  app?: string | null;
  /** When it was created. */
  created_at: string;
  /** `built_in` or `external`. */
  driver: DriverName;
  /** Starts with `cnv_`. */
  id: string;
  /** The conversation that started this one as a sub-agent. */
  parent?: string | null;
  /** What the agent is doing now. */
  state: State;
  /** A title for lists. */
  title?: string | null;
  /** When it last changed. */
  updated_at: string;
  /** The number of its events. Increases with every change. */
  version: number;
};

/** One page of a list. */
export type ConversationResponseList = {
  /** The items of this page. */
  items: Array<Conversation>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** A credential, without its secret. */
export type Credential = {
  /** When it was made. */
  created_at: string;
  /** When it ends. */
  expires_at?: string | null;
  /** When it was last used, to the minute. */
  last_used_at?: string | null;
  /** Identifies it, to revoke it. */
  name: string;
  /** The alias of the person it is for. */
  person?: string | null;
  /** What it permits. */
  scope: ScopeName;
};

/** One page of a list. */
export type CredentialResponseList = {
  /** The items of this page. */
  items: Array<Credential>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** A date. */
export type DateAnswer = {
  /** The date. */
  date: string;
  /** The answer as text for people. Missing if there is none. */
  display?: string | null;
  given: "date";
  /** A comment of the respondent. */
  note?: string | null;
  /** The question it belongs to. */
  question: string;
  /**
   * What a program goes on with: the value of the chosen choice, own text if there is only that, or a text; with
   * several choices, an array of values with own text last; true or false; a number; a date; an object with `start`
   * and `end`; or null if there is no answer.
   */
  value?: unknown;
};

export type DateQuestion = {
  /** Background information for the respondent. */
  context?: string | null;
  /** A short label. */
  header?: string | null;
  /** The key of its answer: as the asker calls it, or `q1`, `q2`, … by position. */
  id: string;
  kind: "date";
  /** The latest allowed date. */
  max?: string | null;
  /** Shown when the answer breaks a rule. */
  message?: string | null;
  /** The earliest allowed date. */
  min?: string | null;
  /** Whether it may be skipped. */
  optional?: boolean;
  /** Shown in an empty field. */
  placeholder?: string | null;
  /** The text of the question. */
  text: string;
};

/** A range of dates. */
export type DateRangeAnswer = {
  /** The answer as text for people. Missing if there is none. */
  display?: string | null;
  /** The last day. Not before the first. */
  end: string;
  given: "date_range";
  /** A comment of the respondent. */
  note?: string | null;
  /** The question it belongs to. */
  question: string;
  /** The first day. */
  start: string;
  /**
   * What a program goes on with: the value of the chosen choice, own text if there is only that, or a text; with
   * several choices, an array of values with own text last; true or false; a number; a date; an object with `start`
   * and `end`; or null if there is no answer.
   */
  value?: unknown;
};

export type DateRangeQuestion = {
  /** Background information for the respondent. */
  context?: string | null;
  /** A short label. */
  header?: string | null;
  /** The key of its answer: as the asker calls it, or `q1`, `q2`, … by position. */
  id: string;
  kind: "date_range";
  /** The latest allowed date. */
  max?: string | null;
  /** Shown when the answer breaks a rule. */
  message?: string | null;
  /** The earliest allowed date. */
  min?: string | null;
  /** Whether it may be skipped. */
  optional?: boolean;
  /** Shown in an empty field. */
  placeholder?: string | null;
  /** The text of the question. */
  text: string;
};

/** A new deadline: a time, a duration from now, or none. */
export type DeadlineParams = {
  /** The new deadline. */
  expires_at?: string | null;
  /** Time until the new deadline. Send this or `expires_at`. Without either, the deadline is removed. */
  expires_in?: Span | null;
  /** The revision that the sender saw. */
  revision?: number | null;
};

/** Declines one inquiry: the agent continues without an answer. The body may be empty. */
export type DeclineParams = {
  /** A repeated request with the same key has no further effect. */
  key?: string | null;
  /** The revision that the sender saw. */
  revision?: number | null;
  /** The undo window in seconds, as with an answer. */
  undo_seconds?: number | null;
};

/** Declines the pending question of a conversation. The body may be empty. */
export type DeclinePendingParams = {
  /** The inquiry to decline or reject. If missing, the only pending one. */
  inquiry_id?: string | null;
  /** A repeated request with the same key has no further effect. */
  key?: string | null;
  /** The revision that the sender saw. */
  revision?: number | null;
  /** The undo window in seconds, as with an answer. */
  undo_seconds?: number | null;
};

/** The agent continues without an answer. */
export type DeclinedOutcome = {
  type: "declined";
};

/** Reports the progress of a delivery. */
export type DeliveryParams = {
  /**
   * With `started`: refused with 409 unless `delivery_attempts` is this. Of several that try at once, one
   * may deliver.
   */
  expected_attempts?: number | null;
  /** `started`, `done` or `failed`; before there is an outcome, `attached` or `detached`. */
  state: DeliveryState;
};

/** The progress of delivering an outcome to the agent that asked. */
export type DeliveryState = "started" | "done" | "failed" | "attached" | "detached";

/** A dialect: one tool contract. */
export type Dialect = {
  /** The tool description for the model. */
  description: string;
  /** What to add to the system prompt while the tool is enabled. */
  guidance: string;
  /** The JSON Schema of the tool input. */
  input_schema: Record<string, unknown>;
  /** The name of the tool. */
  name: string;
};

/** One page of a list. */
export type DialectResponseList = {
  /** The items of this page. */
  items: Array<Dialect>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** Stores an unfinished answer. */
export type DraftParams = {
  /** The draft as the core serialises it. Parts that do not belong to the questions are dropped. */
  draft: Record<string, unknown>;
  /**
   * The `version` of the stored draft that this one was made from. If another one is stored, the request is
   * refused as `draft_changed`, and what is stored stays.
   */
  replaces?: string | null;
  /** The revision that the sender saw. A draft for another revision is refused. */
  revision?: number | null;
};

/** The stored unfinished answer. */
export type Draft = {
  /** Null if none is stored. */
  draft?: Record<string, unknown> | null;
  /** The inquiry it is for. */
  inquiry_id: string;
  /** When it was stored. */
  saved_at?: string | null;
  /** Identifies the content. Empty if none is stored. */
  version?: string;
};

/** One of `built_in`, `external`. Newer versions may have others. */
export type DriverName = "built_in" | "external";

/** A turn failed, or a stored event is damaged. */
export type ErrorEvent = {
  /** A stable code. */
  code: string;
  /** The conversation. Missing if the feed itself failed. */
  conversation_id?: string | null;
  /** A sentence for the user. */
  message: string;
  /** The position in the feed. Missing if the event is not stored. */
  sequence?: number | null;
};

/** The turn failed. A new message tries again. */
export type ErrorStateChangeEvent = {
  /** `overloaded`, `network`, `malformed`, `refused`, `too_many_rounds` or `same_failures`. */
  code: string;
  /** The conversation that changed. */
  conversation_id: string;
  /** A sentence for the user. */
  message: string;
  /** The position in the feed. */
  sequence: number;
  type: "error";
};

/** The turn failed. A new message tries again. */
export type ErrorState = {
  /** `overloaded`, `network`, `malformed`, `refused`, `too_many_rounds` or `same_failures`. */
  code: string;
  /** A sentence for the user. */
  message: string;
  type: "error";
};

/** Nobody answered before the deadline. */
export type ExpiredOutcome = {
  type: "expired";
};

/** What else is known of a person who is to be forgotten. */
export type ForgetParams = {
  /** Names that they have acted under besides the present one, such as an earlier one. */
  names?: Array<string>;
};

/** Somebody who was forgotten. */
export type Forgotten = {
  /** What is shown in place of their name and alias. */
  pseudonym: string;
};

/** Gives a pending inquiry to another recipient. */
export type HandOnParams = {
  /** Why. The new recipient reads it. Truncated to 300 characters. */
  reason?: string | null;
  /** The alias of the new recipient or group. */
  recipient: string;
  /** The revision that you saw. Refused if it is not the current one. */
  revision?: number | null;
};

/** How an inquiry came to its present recipient. */
export type HandedOn = {
  /** When. */
  at: string;
  /** The name of the person who handed it on, if known. */
  by?: string | null;
  /** The alias of the recipient before. Missing if it was for everybody. */
  from?: string | null;
  /** Who that is, if a service has proved it: `telegram:42`. */
  identity?: string | null;
  /** Why, in their words. */
  reason?: string | null;
  /** Where it was handed on from. */
  surface: SurfaceName;
};

/** Whether the process works. */
export type Health = {
  /** `ok`, or with status 503 `failed`: the store can no longer be written. */
  status: string;
  /** The version of the server. */
  version: string;
};

/** An answer, a decline or a rejection that can still be undone. */
export type Held = {
  /** The name of the person, if known. */
  answered_by?: string | null;
  /** When it was given. */
  at: string;
  /** Who that is, if a service has proved it: `telegram:42`. */
  identity?: string | null;
  /** The node of the server that took it. */
  node?: string | null;
  /** The outcome it will have, with the answers. */
  outcome: Outcome;
  /** Where it was given from. */
  surface: SurfaceName;
  /** The end of the undo window, when it takes effect. */
  until: string;
};

/** Waiting for a message. */
export type IdleStateChangeEvent = {
  /** The conversation that changed. */
  conversation_id: string;
  /** The position in the feed. */
  sequence: number;
  type: "idle";
};

/** Waiting for a message. */
export type IdleState = {
  type: "idle";
};

/** One problem of a tool input. */
export type InputProblem = {
  /** A stable code. */
  code: string;
  /** What to send instead. */
  hint: string;
  /** Such as `questions[0].options[1].label`. Empty for the whole input. */
  path: string;
};

/** A question was asked, or changed. */
export type InquiryEvent = {
  /** What happened to it. */
  change: ChangeName;
  /**
   * The inquiry as `GET /inquiries/{id}` returned it right after the change, or returns it now if the event is sent
   * again.
   */
  inquiry: Inquiry;
  /**
   * The position in the feed. Missing if the change is not stored there: `snoozed`, `detached`, `attached` and
   * `delivered` are not sent again to a client that was not connected.
   */
  sequence?: number | null;
  /** Who undid the answer, if the change is `reopened`. */
  undone_by?: UndoneBy | null;
};

/** What a respondent can do with an inquiry, so that no surface has to know the dialects. Nothing once it has its outcome. */
export type InquiryFlags = {
  /** Whether skipping every question is an answer. Otherwise, decline it. */
  can_skip?: boolean;
  /** Whether a message to the conversation answers it. Its answer becomes the next message of the user. */
  takes_message?: boolean;
};

/** An inquiry with its current status. */
export type Inquiry = {
  /** The name of the person who ended it, if known. */
  answered_by?: string | null;
  /** When it was asked. */
  asked_at: string;
  /** The agent that asked, if it identified itself. */
  asker?: Asker | null;
  /** What the agent assumes until it has the answer. The last line of each `context` says it too. */
  assumption?: string | null;
  /** The conversation in which it was asked. */
  conversation_id: string;
  /** The contract in which it was asked: `questions`, or the name of a tool. */
  dialect: string;
  /** The deadline. Missing if there is none. */
  expires_at?: string | null;
  /** What a respondent can do with it. */
  flags?: InquiryFlags;
  /** Who handed it on to `recipient`. Missing if nobody did. */
  handed_on?: HandedOn | null;
  /**
   * An answer that can still be undone. The inquiry stays `pending`, and the agent is not told, until
   * the undo window ends.
   */
  held?: Held | null;
  /** Starts with `inq_`. */
  id: string;
  /** Who that is, if a service has proved it: `telegram:42`. */
  identity?: string | null;
  /** The tool input in the words of `dialect`, if a request asks for it by `with_input`: it says again what is in `questions`. */
  input?: Record<string, unknown> | null;
  /** The idempotency key with which it was asked. */
  key?: string | null;
  /** The id of the message in which it was ended, as the service of `identity` gives it. */
  message_id?: string | null;
  /** What the agent sent with it as `metadata`. */
  metadata?: Record<string, unknown> | null;
  /** The node of the server on which it ended. Missing if an earlier version stored it. */
  node?: string | null;
  /** The outcome, with the answers. */
  outcome?: Outcome | null;
  /** Whether only that person and administrators see it. */
  private?: boolean;
  /**
   * At least one question. Empty only if the conversation was deleted, or if the feed says that a pending inquiry is not
   * for the reader any more.
   */
  questions: Array<Question>;
  /**
   * In the response to asking somebody: whether they get a message about it. Otherwise it waits where they look for it, and
   * `warning` says so.
   */
  reachable?: boolean | null;
  /**
   * The alias of the recipient: the one that the agent named, or the one to whom it was handed on. Missing if
   * it is for everybody.
   */
  recipient?: string | null;
  /** The name of that person. Missing if it is a group, or an alias that is no longer configured. */
  recipient_name?: string | null;
  /** When it ended. */
  resolved_at?: string | null;
  /** What to return to the agent, in the format of its dialect. */
  result?: Result | null;
  /** Increases when the question changes. An answer to an older revision is refused. */
  revision: number;
  /** Hidden from the inbox until then: the requested time, or that of the reminder if its deadline is nearer. */
  snoozed_until?: string | null;
  /** Who or what asks, as text. */
  source?: string | null;
  /** `pending`, or the kind of its outcome. */
  status: InquiryStatus;
  /** Where it was ended from. */
  surface?: SurfaceName | null;
  /** The id of the tool call that asks it, if the built-in agent made it. */
  tool_use_id?: string | null;
  /** Never decreases. Of two copies of an inquiry, the one with the higher version is newer. */
  version?: number;
  /** In the response to asking: what the asker should know. */
  warning?: string | null;
};

/** One page of a list. */
export type InquiryResponseList = {
  /** The items of this page. */
  items: Array<Inquiry>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** One of `pending`, `answered`, `declined`, `cancelled`, `rejected`, `superseded`, `expired`, `withdrawn`, `undeliverable`. Newer versions may have others. */
export type InquiryStatus = "pending" | "answered" | "declined" | "cancelled" | "rejected" | "superseded" | "expired" | "withdrawn" | "undeliverable";

/** A token with which one inquiry can be read, followed and answered. */
export type InquiryToken = {
  /** What its holder may do. */
  allow: LinkAllow;
  /** When it ends. */
  expires_at: string;
  /** What to send as `Authorization: Bearer`, or to give to `<askback-question>`. */
  token: string;
};

/** Removes or extends the deadline for a respondent who is working on the answer. */
export type KeepOpenParams = {
  /**
   * The least time that is left from now. Never shortens the time. If missing, the deadline is
   * removed.
   */
  expires_in?: Span | null;
  /** The revision that the sender saw. */
  revision?: number | null;
};

/** Messages that are not updated any more. */
export type LeftMessages = {
  /** How many messages. */
  messages: number;
  /** The alias of the person. */
  recipient: string;
};

/** What the holder of a link may do. Each one includes those before it. */
export type LinkAllow = "answer" | "decline" | "stop";

/** For whom an account is linked. */
export type LinkCodeParams = {
  /** The alias of the recipient. May be missing if there is only one. */
  recipient?: string | null;
};

/** A one-time code with which a person links their account. */
export type LinkCode = {
  /** What the provider calls us, such as the name of the bot. Missing if it cannot be reached. */
  account?: string | null;
  /** The code. */
  code: string;
  /** When the code stops working. */
  expires_at: string;
  /** The recipient that it is for. */
  recipient: string;
  /** A link that opens the conversation with the code. Missing if the provider has none. */
  url?: string | null;
};

/** A link that shows one question and takes one answer, until it expires. */
export type Link = {
  /** What its holder may do. */
  allow?: LinkAllow;
  /** When the link expires. The question may end earlier. */
  expires_at: string;
  /** The QR code row by row, including the quiet zone: `1` is dark, `0` is light. */
  qr_rows?: Array<string> | null;
  /** The URL as a QR code in SVG. Missing if the URL is too long. */
  qr_svg?: string | null;
  /** The URL. Everybody who has it can answer the question. */
  url: string;
};

/** Waiting for the model. */
export type LlmRequestingStateChangeEvent = {
  /** The number of this attempt, starting at 1. */
  attempt: number;
  /** After how many attempts the turn fails. Given with `reason`. */
  attempts_max?: number | null;
  /** The conversation that changed. */
  conversation_id: string;
  /** Why the attempt before failed, such as “Cannot reach HOST (connection refused)”. */
  reason?: string | null;
  /** The position in the feed. */
  sequence: number;
  type: "llm_requesting";
};

/** Waiting for the model. */
export type LlmRequestingState = {
  /** The number of this attempt, starting at 1. */
  attempt: number;
  /** After how many attempts the turn fails. Given with `reason`. */
  attempts_max?: number | null;
  /** Why the attempt before failed, such as “Cannot reach HOST (connection refused)”. */
  reason?: string | null;
  type: "llm_requesting";
};

/** Who a caller is. */
export type Me = {
  /** The name under which an agent asks. */
  agent?: string | null;
  /** The aliases of the groups of the person. */
  groups?: Array<string>;
  /** The alias of the person. */
  person?: string | null;
  /** The name of the person, as others see it. */
  person_name?: string | null;
  /** What the caller may do. */
  scope: ScopeName;
};

/** A message is new or has changed. */
export type MessageEvent = {
  /** The conversation it belongs to. */
  conversation_id: string;
  /** The whole message. It replaces an earlier one with the same id. */
  message: Message;
  /** The position in the feed. */
  sequence: number;
};

/** Sends a message to the agent. */
export type MessageParams = {
  /**
   * The sender's id for the message. 1 to 200 characters. A repeated id with the same text has no
   * further effect; with another text it is refused.
   */
  message_id?: string | null;
  /** The text of the message. */
  text: string;
};

/** One message of a conversation. */
export type Message = {
  /** When it was written. */
  at: string;
  /** The content, in order. */
  blocks: Array<Block>;
  /** A message replaces an earlier one with the same id. */
  id: string;
  /** Who it is from. */
  role: Role;
  /** The `message_id` that its sender gave it. */
  sent_as?: string | null;
  /** The sequence number of its first event. */
  sequence: number;
};

/** Starts a conversation. */
export type NewConversationParams = {
  /** The app to run. The default app if missing. */
  app?: string | null;
  /** Whether an external agent drives it. It then takes questions and no messages. */
  external?: boolean;
  /** A repeated request with the same key returns the same conversation. */
  key?: string | null;
  /** The first message of the user. */
  message?: string | null;
  /** The sender's id for that message. 1 to 200 characters. */
  message_id?: string | null;
  /** By default taken from the first message or question. */
  title?: string | null;
};

/** Creates a credential. */
export type NewCredentialParams = {
  /** How long it is valid, such as `90d`. Without it, until it is revoked. */
  expires_in?: Span | null;
  /** Names it in lists. An agent asks under this name. */
  name: string;
  /** The alias of the person it is for. Required with `respondent`, and only there. */
  person?: string | null;
  /** `admin`, `agent`, `respondent` or `metrics`. */
  scope: ScopeName;
};

/** A new credential. Its token is shown this one time. */
export type NewCredential = {
  /** The credential. */
  credential: Credential;
  /** What to send as `Authorization: Bearer`. */
  token: string;
};

/** Asks a question as an external agent. */
export type NewInquiryParams = {
  /**
   * The agent that asks. If its session repeats the call, it gets the same inquiry until the outcome is about
   * to be delivered.
   */
  asker?: AskerParams | null;
  /**
   * What the agent assumes until it has the answer, as a sentence for the respondent. Ignored when
   * calls are compared. Truncated to 300 characters.
   */
  assumption?: string | null;
  /** The external conversation to ask in. A new one if missing. */
  conversation_id?: string | null;
  /**
   * The tool contract of `input`: `ask_user_question`, `AskUserQuestion`, `question` or `ask_user`.
   * Detected from the input if missing.
   */
  dialect?: string | null;
  /** The deadline. Send this or `expires_in`. Without either, there is none. */
  expires_at?: string | null;
  /** Time until the deadline: `30s`, `5m`, `2h` or a number of seconds. */
  expires_in?: Span | null;
  /** The input of a tool, as a model writes it. */
  input?: Record<string, unknown> | null;
  /** A repeated request with the same key returns the same inquiry. */
  key?: string | null;
  /** An object that is returned with the inquiry, everywhere. At most 4 KB as JSON. */
  metadata?: Record<string, unknown> | null;
  /** Whether only that person and administrators see it: no group, and nobody else if they do not answer. */
  private?: boolean;
  /** 1 to 20 questions of mixed kinds. Send these or `input`. */
  questions?: Array<QuestionParams> | null;
  /** The alias of the recipient or group who gets the question through channels. Everybody if missing. */
  recipient?: string | null;
  /** Who or what asks, shown with the question. */
  source?: string | null;
  /** A URL to `POST` the inquiry to when it has its outcome. */
  webhook?: string | null;
};

/** Creates a token for one inquiry. The body may be empty. */
export type NewInquiryTokenParams = {
  /** What its holder may do. By default `decline`. */
  allow?: LinkAllow;
  /** How long it is valid: `5m`, `2h`. By default a day, at most a week. */
  expires_in?: Span | null;
};

/** Creates a link. The body may be empty. */
export type NewLinkParams = {
  /** What its holder may do. By default `decline`. */
  allow?: LinkAllow;
  /** How long the link is valid: `30s`, `5m`, `2h`. By default a day, at most a week. */
  expires_in?: Span | null;
};

/** Creates a link that signs one browser in. The body may be empty. */
export type NewSignInCodeParams = {
  /** The alias of the person whom it signs in. Without one, it signs an administrator in. */
  person?: string | null;
};

/** One of `resume`, `stop`. Newer versions may have others. */
export type NextStep = "resume" | "stop";

/** Questions that did not reach a person through a channel. */
export type NotDelivered = {
  /** How many questions. */
  questions: number;
  /** What the provider says. */
  reason: string;
  /** The alias of the person. */
  recipient: string;
};

/** A number. */
export type NumberAnswer = {
  /** The answer as text for people. Missing if there is none. */
  display?: string | null;
  given: "number";
  /** A comment of the respondent. */
  note?: string | null;
  /** The number. */
  number: number;
  /** The question it belongs to. */
  question: string;
  /**
   * What a program goes on with: the value of the chosen choice, own text if there is only that, or a text; with
   * several choices, an array of values with own text last; true or false; a number; a date; an object with `start`
   * and `end`; or null if there is no answer.
   */
  value?: unknown;
};

/** A number. */
export type NumberQuestion = {
  /** Background information for the respondent. */
  context?: string | null;
  /** A short label. */
  header?: string | null;
  /** The key of its answer: as the asker calls it, or `q1`, `q2`, … by position. */
  id: string;
  /** Whether the number must be an integer. */
  integer?: boolean;
  kind: "number";
  /** The largest allowed number. */
  max?: number | null;
  /** Shown when the answer breaks a rule. */
  message?: string | null;
  /** The smallest allowed number. */
  min?: number | null;
  /** Whether it may be skipped. */
  optional?: boolean;
  /** Shown in an empty field. */
  placeholder?: string | null;
  /** Allowed numbers are multiples of this, starting at `min` or 0. */
  step?: number | null;
  /** The text of the question. */
  text: string;
};

/** How the members of a group are on call. */
export type OnCallParams = {
  /** After how many days the next member is the first, such as 7. Without it, the first one always is. */
  days?: number | null;
  /** The day on which the first member began, in UTC: today if it is missing. */
  since?: string | null;
};

/** Who is on call in a group. */
export type OnCall = {
  /** After how many days the next member is the first. */
  days?: number | null;
  /** The alias of the member who gets a question that is asked now. The others get it by and by, if it has a deadline. */
  now: string;
  /** The day on which the first member began, in UTC. */
  since?: string | null;
};

/** How an inquiry ended. `type` says which. */
export type Outcome = (AnsweredOutcome & { message?: undefined; reason?: undefined }) | (DeclinedOutcome & { answers?: undefined; message?: undefined; reason?: undefined }) | (CancelledOutcome & { answers?: undefined; message?: undefined; reason?: undefined }) | (RejectedOutcome & { answers?: undefined; message?: undefined; reason?: undefined }) | (SupersededOutcome & { answers?: undefined; reason?: undefined }) | (ExpiredOutcome & { answers?: undefined; message?: undefined; reason?: undefined }) | (WithdrawnOutcome & { answers?: undefined; message?: undefined; reason?: undefined }) | (UndeliverableOutcome & { answers?: undefined; message?: undefined });

/** Whether the server wants to know. */
export type Presence = {
  /** `false` if no messages are sent, or none wait for anybody. A surface then need not tell again. */
  wanted: boolean;
};

/** Why a request was refused. */
export type Problem = {
  /** The kind of problem: one of a documented list. */
  code?: string;
  /** What is wrong and what to do, in a sentence. */
  detail?: string;
  /** With `invalid_answer`: what is wrong with which answer. With `incomplete`: the open questions. */
  errors?: Array<AnswerError>;
  /** With `invalid_input`: what is wrong where in the tool input. */
  problems?: Array<InputProblem>;
  /** The id of the request, as in the header `x-request-id` and in the log of the server. */
  request_id?: string | null;
  /** Seconds to wait before the next attempt. */
  retry_after_seconds?: number | null;
  /** The HTTP status. */
  status: number;
  /** The kind of problem in words. */
  title?: string;
  /** `urn:askback:problem:` followed by the code. */
  type?: string;
  /** With `not_pending` and `stale_inquiry`: how the question ended, and who ended it. */
  winner?: Winner | null;
};

/** A person for whom a browser can subscribe. */
export type PushRecipient = {
  /** The alias. */
  alias: string;
  /** The name. Empty if the configuration names nobody. */
  name: string;
};

/** What a page needs to subscribe its browser. */
export type PushSettings = {
  /** The public key of the server, in base64url: `applicationServerKey`. */
  key: string;
  /** The people for whom a browser can subscribe. */
  recipients: Array<PushRecipient>;
};

/** The keys of a browser, in base64url. */
export type PushSubscriptionKeys = {
  /** The secret that it shares with the server. */
  auth: string;
  /** Its public key. */
  p256dh: string;
};

/** A subscription as the browser gives it (`PushSubscription.toJSON()`), and for whom it is. */
export type PushSubscriptionParams = {
  /** The address at the push service of the browser. */
  endpoint: string;
  /** The keys of the browser. */
  keys: PushSubscriptionKeys;
  /** The alias of the recipient. May be missing if there is only one. */
  recipient?: string | null;
};

/** For whom a browser is subscribed. */
export type PushSubscription = {
  /** The alias of the recipient. */
  recipient: string;
};

/** Which subscription ends. */
export type PushUnsubscribeParams = {
  /** The address at the push service of the browser. */
  endpoint: string;
};

/** The question of a block. If there are several, the fields for one question hold the first. */
export type QuestionExtra = {
  /** The message that was the answer, if the user wrote one instead of choosing. */
  answerMessageId?: string | null;
  /** The answer as text for people. */
  answerText?: string | null;
  /** The tool contract of the question. */
  dialect: string;
  /** The deadline, if there is one. */
  expiresAt?: string | null;
  /** Send this with the answer. */
  inquiryId: string;
  /** `pending`, or the kind of the outcome. */
  inquiryStatus: InquiryStatus;
  /** True only while the question is pending. */
  needsUserAction: boolean;
  /** Whether own text is allowed. */
  questionCustom: boolean;
  /** A short label. */
  questionHeader?: string | null;
  /** Whether several choices may be selected. */
  questionMultiple: boolean;
  /** The choices. */
  questionOptions: Array<QuestionOption>;
  /** The result so far. */
  questionResolution: QuestionResolution;
  /** The text of the question. */
  questionText: string;
  /** All questions with all their fields. */
  questions: Array<Question>;
  /** Send this with the answer. */
  revision: number;
};

/** A choice of a question block. */
export type QuestionOption = {
  /** An explanation of the choice. */
  description?: string | null;
  /** The text to show. */
  label: string;
};

/** A question. A field that its `kind` does not take is refused. */
export type QuestionParams = {
  /** The choices of `choice`: texts, or objects. Of `confirm`, two: the first means true, the second false. If left out there, Yes and No. At most 100. */
  choices?: Array<unknown>;
  /** Why it is asked. */
  context?: string;
  /** A short label for the question. At most 30 characters. */
  header?: string;
  /** The key of its answer: letters, digits, `_`, `-` and `.`. `q1`, `q2`, … by position if left out. At most 64 characters. */
  id?: string;
  /** Whether only whole numbers are allowed. */
  integer?: boolean;
  /** What an answer looks like. If left out, `choice` if there are choices, else `text`. */
  kind?: "choice" | "text" | "number" | "date" | "date_range" | "confirm";
  max?: unknown;
  /** Maximum number of characters of a text. */
  max_length?: number;
  /** What the user reads when the answer breaks a rule. At most 200 characters. */
  message?: string;
  min?: unknown;
  /** Minimum number of characters of a text. */
  min_length?: number;
  /** Whether it may be skipped. False if left out. */
  optional?: boolean;
  /** Whether the person may write an answer that is not among the choices. False if left out. */
  own?: boolean;
  /** A regular expression that a text must match: Rust syntax, so no look-around and no back-references. Anchor it with ^ and $ to match the whole text. At most 500 characters. */
  pattern?: string;
  /** What an empty field shows. At most 200 characters. */
  placeholder?: string;
  /** Whether several choices may be taken. False if left out. */
  several?: boolean;
  /** Distance between allowed numbers, greater than 0. */
  step?: number;
  /** The whole question as the person reads it. */
  text: string;
};

/** One of `asked`, `replied`, `rejected`, `declined`, `expired`, `withdrawn`, `undeliverable`. Newer versions may have others. */
export type QuestionResolution = "asked" | "replied" | "rejected" | "declined" | "expired" | "withdrawn" | "undeliverable";

/** One question of an inquiry. */
export type Question = (ChoiceQuestion & { integer?: undefined; max?: undefined; max_length?: undefined; message?: undefined; min?: undefined; min_length?: undefined; pattern?: undefined; step?: undefined }) | (ConfirmQuestion & { integer?: undefined; max?: undefined; max_length?: undefined; message?: undefined; min?: undefined; min_length?: undefined; own?: undefined; pattern?: undefined; several?: undefined; step?: undefined }) | (TextQuestion & { choices?: undefined; integer?: undefined; max?: undefined; min?: undefined; own?: undefined; several?: undefined; step?: undefined }) | (NumberQuestion & { choices?: undefined; max_length?: undefined; min_length?: undefined; own?: undefined; pattern?: undefined; several?: undefined }) | (DateQuestion & { choices?: undefined; integer?: undefined; max_length?: undefined; min_length?: undefined; own?: undefined; pattern?: undefined; several?: undefined; step?: undefined }) | (DateRangeQuestion & { choices?: undefined; integer?: undefined; max_length?: undefined; min_length?: undefined; own?: undefined; pattern?: undefined; several?: undefined; step?: undefined });

/** Whether the server can handle requests: 200 if so, 503 otherwise. */
export type Ready = {
  /** The checks that were made. */
  checks: Array<Check>;
  /** Whether all checks passed. */
  ready: boolean;
};

/** A person, or with `members` a group. */
export type RecipientParams = {
  /**
   * Accounts of the person, such as `proxy:anna@example.org`, the name under which a proxy knows her. Accounts that are linked
   * come in addition.
   */
  identities?: Array<string>;
  /** The aliases of the members of a group. */
  members?: Array<string> | null;
  /** The name of the person that others see. */
  name?: string | null;
  /** Asks one member first. Without it, all members get questions at once. */
  on_call?: OnCallParams | null;
};

/** A person or a group. It contains no account and no address. */
export type Recipient = {
  /** What `recipient` of a question names. */
  alias: string;
  /** Whether the configuration of the server has it, and it is changed there. */
  configured?: boolean;
  /** The aliases of the members of a group. Missing for a person. */
  members?: Array<string> | null;
  /** The name of the person; the alias of a group. Empty if the configuration names nobody. */
  name: string;
  /** Who gets questions for the group first. Missing if all members get them at once. */
  on_call?: OnCall | null;
  /**
   * Whether a question to them is sent through a channel. Otherwise they see it in the browser and at the
   * terminal only.
   */
  reachable?: boolean;
};

/** One page of a list. */
export type RecipientResponseList = {
  /** The items of this page. */
  items: Array<Recipient>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** The respondent rejected the question. The agent stops. */
export type RejectedOutcome = {
  type: "rejected";
};

/**
 * The server does not know the sequence number of the client: its data was replaced by older or other
 * data. The client loads again what it shows, and the feed continues from here.
 */
export type ResetEvent = {
  /** The newest sequence number. The feed continues after it. */
  sequence: number;
};

/** Answers the pending question of a conversation. */
export type RespondParams = {
  /**
   * Answers by question id or text: what a person would type in the language of `locale` (a label, a number, `27 mar 2027`), a list
   * of labels, true or false, null to skip, or an object such as
   * `{"values": […], "own": "…"}`, `{"text": "…"}`, `{"number": 3}`, `{"date": "2027-03-27"}`,
   * `{"start": "…", "end": "…"}` or `{"skipped": true}`. `{"typed": "27 mar 2027"}` is the same as the text, and
   * `{"typed_start": "…", "typed_end": "…"}` are the two fields of a range.
   */
  answers: Record<string, unknown>;
  /** The inquiry to answer. If missing, the only pending one. */
  inquiry_id?: string | null;
  /** A repeated request with the same key has no further effect. */
  key?: string | null;
  /** The language of the person, for parsing typed numbers and dates and for error messages. */
  locale?: string | null;
  /** Notes by question id or text. */
  notes?: Record<string, string> | null;
  /** Whether to leave the other questions unanswered. Without it, an answer that leaves a question open is refused. */
  partial?: boolean;
  /** The revision that the sender saw. An answer to an older revision is refused. */
  revision?: number | null;
  /** The date where the person is, for words such as “tomorrow”. By default that of the server. */
  today?: string | null;
  /**
   * The undo window in seconds. Until its end the question stays pending with the answer in `held`, and
   * `POST /inquiries/{id}/undo` undoes it. With 0, as by default, the answer takes effect at once.
   */
  undo_seconds?: number | null;
};

/** The result of a tool call. */
export type Result = {
  /** The text for the model. */
  content: string;
  /** Whether the call failed. */
  is_error?: boolean;
  /** Whether the agent continues with `content`, or stops and does not call the model again. */
  next: NextStep;
};

/** The answer to an interrupt. */
export type ResumeEntry = {
  /** The id of the inquiry. */
  interruptId: string;
  /** Answers by question id or text, as in `POST /inquiries/{id}/answer`. */
  payload?: Record<string, unknown>;
  /** Answered, or abandoned: then the question is declined. */
  status: ResumeStatus;
};

/** How a client ends an interrupt. */
export type ResumeStatus = "resolved" | "cancelled";

/** One of `user`, `assistant`. Newer versions may have others. */
export type Role = "user" | "assistant";

/**
 * A run of an agent, as AG-UI 1.0 defines it. Further fields, such as `tools`, `state` and `context`,
 * are ignored.
 */
export type RunAgentInput = {
  /** An object whose `app` names the app of a new conversation. */
  forwardedProps?: Record<string, unknown> | null;
  /** The last one of the user is sent to the agent. A repeated id has no further effect. */
  messages?: Array<AgUiMessage>;
  /** Answers to the interrupts of an earlier run. */
  resume?: Array<ResumeEntry>;
  /** The client's name of the run. */
  runId: string;
  /** The client's name of the conversation, or the id of a conversation. */
  threadId: string;
};

/** A draft was stored. */
export type SavedDraft = {
  /** For `replaces`, when it is stored again. */
  version: string;
};

/** One of `admin`, `agent`, `respondent`, `inquiry`, `metrics`. Newer versions may have others. */
export type ScopeName = "admin" | "agent" | "respondent" | "inquiry" | "metrics";

/** A browser that is signed in. Only the browser knows the secret in its cookie. */
export type Session = {
  /** When the browser signed in. */
  created_at: string;
  /** Whether it is the session of this request. */
  current?: boolean;
  /** When the session ends if it is not used. */
  expires_at: string;
  /** Identifies the session, to end it. Not a secret. */
  id: string;
  /** When it was last used, to the hour. */
  last_used_at: string;
  /** The alias of the person who uses it. Without one, it may do everything. */
  person?: string | null;
  /** What the browser sent as `User-Agent`. Not verified. */
  user_agent?: string | null;
};

/** One page of a list. */
export type SessionResponseList = {
  /** The items of this page. */
  items: Array<Session>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** A link that signs one browser in, once. */
export type SignInCode = {
  /** When it stops working. */
  expires_at: string;
  /** The rows of its QR code: `1` is dark, `0` light. */
  qr_rows?: Array<string> | null;
  /** Its QR code, as SVG. */
  qr_svg?: string | null;
  /** The link. Whoever opens it first is signed in. */
  url: string;
};

/** The fields of the form on the sign-in page. */
export type SignInParams = {
  /** The page to open then, such as `/inbox`. Anything that is not a page of this server counts as `/`. */
  to?: string;
  /** The token of the server. Spaces around it are ignored. */
  token: string;
};

/** Explicitly skipped. */
export type SkippedAnswer = {
  /** The answer as text for people. Missing if there is none. */
  display?: string | null;
  given: "skipped";
  /** A comment of the respondent. */
  note?: string | null;
  /** The question it belongs to. */
  question: string;
  /**
   * What a program goes on with: the value of the chosen choice, own text if there is only that, or a text; with
   * several choices, an array of values with own text last; true or false; a number; a date; an object with `start`
   * and `end`; or null if there is no answer.
   */
  value?: unknown;
};

/** Hides an inquiry from the inbox, or shows it again. */
export type SnoozeParams = {
  /** When it is shown again. Missing: now. */
  until?: string | null;
};

/** A duration: `30s`, `5m`, `2h`, `1d`, or a number of seconds. */
export type Span = string | number;

/** The state of a conversation changed. */
export type StateChangeEvent = (IdleStateChangeEvent & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; call_id?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined }) | (LlmRequestingStateChangeEvent & { agents?: undefined; call_id?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined }) | (ToolExecutingStateChangeEvent & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool_use_id?: undefined }) | (AwaitingUserResponseStateChangeEvent & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; call_id?: undefined; code?: undefined; message?: undefined; reason?: undefined; tool?: undefined }) | (AwaitingSubAgentsStateChangeEvent & { attempt?: undefined; attempts_max?: undefined; call_id?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined }) | (ErrorStateChangeEvent & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; call_id?: undefined; inquiry_id?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined }) | (ClosedStateChangeEvent & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; call_id?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined });

/** What a conversation is doing. `type` says which. */
export type State = (IdleState & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; call_id?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined }) | (LlmRequestingState & { agents?: undefined; call_id?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined }) | (ToolExecutingState & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool_use_id?: undefined }) | (AwaitingUserResponseState & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; call_id?: undefined; code?: undefined; message?: undefined; reason?: undefined; tool?: undefined }) | (AwaitingSubAgentsState & { attempt?: undefined; attempts_max?: undefined; call_id?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined }) | (ErrorState & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; call_id?: undefined; inquiry_id?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined }) | (ClosedState & { agents?: undefined; attempt?: undefined; attempts_max?: undefined; call_id?: undefined; code?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; reason?: undefined; source?: undefined; tool?: undefined; tool_use_id?: undefined });

/** A sub-agent. */
export type SubAgent = {
  /** The conversation of the sub-agent. */
  conversation_id: string;
  /** Whether it has returned its result. */
  finished?: boolean;
  /** The name that its parent gave it. */
  name: string;
};

/** The respondent wrote a message instead of answering. */
export type SupersededOutcome = {
  /** The message. */
  message: string;
  type: "superseded";
};

/** One of `terminal`, `web`, `link`, `cli`, `http`, `mcp`, `telegram`, `slack`, `ntfy`, `push`, `email`, `command`, `system`. Newer versions may have others. */
export type SurfaceName = "terminal" | "web" | "link" | "cli" | "http" | "mcp" | "telegram" | "slack" | "ntfy" | "push" | "email" | "command" | "system";

/** Passes the questions of ended sessions to another session of the same agent. */
export type TakeoverParams = {
  /** The `asker.client` of the agent. */
  client: string;
  /** The sessions that have ended. At most 200. */
  from: Array<string>;
  /** The `asker.project` of the agent. */
  project?: string | null;
  /**
   * Whether `session` continues those sessions. Otherwise the same call of `session` asks anew, and never gets
   * the outcome of a question that it took over.
   */
  resumes?: boolean;
  /** The session that gets the questions. */
  session: string;
};

/** What was taken over. */
export type Takeover = {
  /** How many questions belong to the session now that belonged to others before. */
  questions: number;
};

/** Free text. */
export type TextAnswer = {
  /** The answer as text for people. Missing if there is none. */
  display?: string | null;
  given: "text";
  /** A comment of the respondent. */
  note?: string | null;
  /** The question it belongs to. */
  question: string;
  /** The text. */
  text: string;
  /**
   * What a program goes on with: the value of the chosen choice, own text if there is only that, or a text; with
   * several choices, an array of values with own text last; true or false; a number; a date; an object with `start`
   * and `end`; or null if there is no answer.
   */
  value?: unknown;
};

/** Free text. */
export type TextQuestion = {
  /** Background information for the respondent. */
  context?: string | null;
  /** A short label. */
  header?: string | null;
  /** The key of its answer: as the asker calls it, or `q1`, `q2`, … by position. */
  id: string;
  kind: "text";
  /** The largest number of characters. */
  max_length?: number | null;
  /** Shown when the answer breaks a rule. */
  message?: string | null;
  /** The least number of characters. */
  min_length?: number | null;
  /** Whether it may be skipped. */
  optional?: boolean;
  /** A regular expression (Rust syntax) that must match somewhere in the answer. */
  pattern?: string | null;
  /** Shown in an empty field. */
  placeholder?: string | null;
  /** The text of the question. */
  text: string;
};

/** Part of the text that the model is writing. */
export type TokenEvent = {
  /**
   * The text belongs to a reply that began after this sequence number. It is outdated if you know of
   * a later event of the conversation: the reply is complete, or was given up. A value that differs
   * from that of the token before begins a new text. Missing from older servers.
   */
  after?: number | null;
  /** The conversation it belongs to. */
  conversation_id: string;
  /** Text to append. */
  text: string;
};

/** A tool call of a block. */
export type ToolCall = {
  /** Sub-agents that the call started. */
  agents?: Array<SubAgent>;
  /** The id that the model gave the call. */
  id: string;
  /** The input as JSON text, truncated. */
  input?: string;
  /** The name of the tool. */
  name: string;
  /** The result, truncated. */
  result?: string | null;
};

/** A tool is about to run or running. */
export type ToolExecutingStateChangeEvent = {
  /** The id of the call. */
  call_id?: string | null;
  /** The conversation that changed. */
  conversation_id: string;
  /** The position in the feed. */
  sequence: number;
  /** The name of the tool. */
  tool?: string | null;
  type: "tool_executing";
};

/** A tool is about to run or running. */
export type ToolExecutingState = {
  /** The id of the call. */
  call_id?: string | null;
  /** The name of the tool. */
  tool?: string | null;
  type: "tool_executing";
};

/** Asks which day a text means. Nothing is stored. */
export type TypedDateParams = {
  /** The language of the person, for parsing and for `problem`. English if missing. */
  locale?: string | null;
  /** What the person typed: `tomorrow`, `27 mar`, `next friday`, or both days of a range, `27 mar to 3 apr`. */
  text: string;
  /** The date where the person is. By default that of the server. */
  today?: string | null;
};

/** The day that an answer with this text would store. */
export type TypedDate = {
  /** Null if the text is not a date. The first day of a range. */
  date?: string | null;
  /** The last day, if the text is a range of days. */
  end?: string | null;
  /** Why the text is not a date, in the language of the person. Null if it is one. */
  problem?: string | null;
};

/** Left without an answer. */
export type UnansweredAnswer = {
  /** The answer as text for people. Missing if there is none. */
  display?: string | null;
  given: "unanswered";
  /** A comment of the respondent. */
  note?: string | null;
  /** The question it belongs to. */
  question: string;
  /**
   * What a program goes on with: the value of the chosen choice, own text if there is only that, or a text; with
   * several choices, an array of values with own text last; true or false; a number; a date; an object with `start`
   * and `end`; or null if there is no answer.
   */
  value?: unknown;
};

/** The question was never shown. */
export type UndeliverableOutcome = {
  /** `nobody_there`, `disabled`, `limit_reached` or `sub_agent`. */
  reason: string;
  type: "undeliverable";
};

/** Undoes an answer within its undo window. */
export type UndoParams = {
  /** A repeated request with the same key does not undo a later answer. */
  key?: string | null;
  /** The revision that the sender saw. */
  revision?: number | null;
};

/** Who undid an answer. */
export type UndoneBy = {
  /** Who that is, if a service has proved it: `telegram:42`. */
  identity?: string | null;
  /** The name of the person, if known. */
  name?: string | null;
  /** Where it was undone. */
  surface: SurfaceName;
};

/** The body of a call of a webhook. */
export type WebhookBody = {
  /** The inquiry as `GET /inquiries/{id}` returns it. */
  inquiry: Inquiry;
  /** `inquiry_resolved` when it has its outcome, `inquiry_reminder` when its deadline is near. */
  type: string;
};

/** A webhook that was not delivered yet. */
export type Webhook = {
  /** How often it was tried. */
  attempts: number;
  /** The host and port of its URL. The rest may contain secrets of the receiver. */
  host: string;
  /** For `POST /webhooks/{id}/retry`. */
  id: string;
  /** The inquiry that it is about. */
  inquiry_id: string;
  /** Why the last attempt failed. */
  last_error?: string | null;
  /** When it is tried next. Missing if it was given up: it is kept for a week, in which it can be tried again. */
  next_attempt_at?: string | null;
  /** `inquiry_resolved` or `inquiry_reminder`. */
  type: string;
};

/** One page of a list. */
export type WebhookResponseList = {
  /** The items of this page. */
  items: Array<Webhook>;
  /** The `cursor` of the next page. Null on the last page. */
  next?: string | null;
};

/** How a question ended before the answer of this request arrived. */
export type Winner = {
  /** Who ended it, if they gave a name. */
  answered_by?: string | null;
  /** When it ended. */
  at?: string | null;
  /** The inquiry that ended. */
  inquiry_id: string;
  /** The outcome with its answers. */
  outcome?: Outcome | null;
  /** The kind of its outcome. */
  status: InquiryStatus;
  /** Where it was ended from. */
  surface?: SurfaceName | null;
};

/** The agent withdrew it, or its conversation was stopped or deleted. */
export type WithdrawnOutcome = {
  type: "withdrawn";
};
