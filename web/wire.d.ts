// What the server sends and takes: generated from schemas/openapi.json by `cargo xtask codegen`.

export type ActionType = "question_request";

/** One invalid answer. */
export type AnswerError = {
  /** A stable code: `empty`, `too_long`, `unknown_choice`, … */
  code: string;
  /** A sentence for the person who answered. */
  message: string;
  /** The question. Missing if the problem is not about a single one. */
  question?: string | null;
};

/** An answer to one inquiry. */
export type AnswerParams = {
  /** Answers by question id or text, as in [`RespondParams`]. */
  answers: Record<string, unknown>;
  /** Makes a repeated send harmless. */
  idempotency_key?: string | null;
  /**
   * The language of the person: typed numbers and days are read by its habits, and what does
   * not fit is said in it.
   */
  locale?: string | null;
  /** Notes by question id or text. */
  notes?: Record<string, unknown> | null;
  /** What the sender saw; an answer to an older revision is refused. */
  revision?: number | null;
  /** The day it is where the person is, for words such as “tomorrow”; by default the server's. */
  today?: string | null;
  /**
   * How long it can be taken back, in seconds: the inquiry waits on with the answer in `held`,
   * and `POST …/undo` takes it back. By default it takes effect at once.
   */
  undo_seconds?: number | null;
};

/** The answer to one question. */
export type Answer = Given & {
  /** What was given as a person reads it; missing where nothing was given. */
  display?: string | null;
  /** What the respondent wrote beside it. */
  note?: string | null;
  /** The question it belongs to. */
  question: string;
};

/** An app: a system prompt with its tools, under a name. */
export type App = {
  /** Whether it is the one that conversations get which name none. */
  default?: boolean;
  /** What it is for. */
  description?: string | null;
  /** Its id. */
  id: string;
  /** The model, if it names one. */
  model?: string | null;
  /** Its name in the caller's language, as far as it has one. */
  name: string;
  /** Its names by language. */
  names?: Record<string, string>;
  /** The ask tools the model sees, by name, and others it may use; `*` stands for every other. */
  tools?: Array<string>;
};

/** One page of a list. */
export type AppResponseList = {
  /** What is on the page. */
  items: Array<App>;
  /** The `cursor` of the next page; null on the last one. */
  next?: string | null;
};

/** The agent that asks. */
export type AskerParams = {
  /** The program, as it calls itself: `claude-code`. 1 to 100 characters. */
  client: string;
  /** Sessions that are over and whose open questions this one continues, at most 200. */
  earlier_sessions?: Array<string>;
  /** What it works on, usually a directory. At most 1,000 characters. */
  project?: string | null;
  /** Its session, 1 to 200 characters: what is asked in one is delivered to it. */
  session: string;
};

/** The agent that asked. */
export type Asker = {
  /** The program, as it calls itself. */
  client: string;
  /** When the outcome was handed to it. */
  delivered_at?: string | null;
  /** How often delivering the outcome was begun. */
  delivery_attempts?: number;
  /** What it works on. */
  project?: string | null;
  /** The session in which it asked. */
  session: string;
};

/** One block of a message. */
export type Block = {
  /** What the user is to act on. */
  action_type?: ActionType | null;
  /** The question of a `question_request`. */
  extra?: QuestionExtra | null;
  /** How it stands; missing where nothing can become of it. */
  status?: BlockStatus | null;
  /** What it says, in plain text, whatever it is. */
  text?: string;
  /** When it was written. */
  timestamp: string;
  /** The call of a `tool_call`, or the one that an `error` is about. */
  tool_call?: ToolCall | null;
  /** What it is. */
  type: BlockType;
};

export type BlockStatus = "pending" | "loading" | "success" | "denied" | "error";

export type BlockType = "content" | "action" | "tool_call" | "error";

/** The user stops the agent, or one inquiry of an external one. An empty body will do. */
export type CancelParams = {
  /** Makes a repeated send harmless. */
  idempotency_key?: string | null;
  /** The inquiry that is meant; whatever is going on if missing. */
  inquiry_id?: string | null;
  /** What the sender saw. */
  revision?: number | null;
};

/** One thing that was looked at. */
export type Check = {
  /** What is wrong, for the operator. */
  detail?: string | null;
  /** What: `store`, `jobs`, … */
  name: string;
  /** Whether it is well. */
  ok: boolean;
};

/** One choice of a question. */
export type Choice = {
  /** What the choice means. */
  description?: string | null;
  /** Whether taking it excludes all others. */
  exclusive?: boolean;
  /** What is shown; unique within its question. */
  label: string;
  /** What the choice would look like: a diff, a command, a sketch. */
  preview?: string | null;
  /** Whether the asker advises it: a badge, never a tick. */
  recommended?: boolean;
  /** What an answer stores; unique within its question. */
  value: string;
};

/** A conversation with a page of its messages. */
export type ConversationDetail = Conversation & {
  /** The `before` of the page of older messages; null if there are none. */
  before?: string | null;
  /** Its newest messages, or those before a cursor; oldest first. */
  messages: Array<Message>;
  /** The sequence of the newest event that this shows: begin the feed behind it. */
  sequence?: number | null;
};

/** A conversation as it stands. */
export type Conversation = {
  /** The app it runs, if it was started for one. */
  app?: string | null;
  /** When it began. */
  created_at: string;
  /** Who drives it. */
  driver: DriverName;
  /** Its id. */
  id: string;
  /** The conversation whose sub-agent it is. */
  parent?: string | null;
  /** Where it stands. */
  state: State;
  /** What to call it. */
  title?: string | null;
  /** When it was last touched. */
  updated_at: string;
  /** Counts its events; a larger one is newer. */
  version: number;
};

/** One page of a list. */
export type ConversationResponseList = {
  /** What is on the page. */
  items: Array<Conversation>;
  /** The `cursor` of the next page; null on the last one. */
  next?: string | null;
};

/** What a day, or both ends of a range, must fulfil. */
export type DateKind = {
  /** Latest day. */
  max?: string | null;
  /** What is said when a rule is broken. */
  message?: string | null;
  /** Earliest day. */
  min?: string | null;
};

/** A new deadline: a time, a length of time from now, or none at all. */
export type DeadlineParams = {
  /** When it ends unanswered. */
  expires_at?: string | null;
  /**
   * After which time it ends unanswered. Not together with `expires_at`; with neither, it waits
   * for as long as it takes.
   */
  expires_in?: Span | null;
  /** What the sender saw. */
  revision?: number | null;
};

/** The respondent wants the agent to go on without an answer. An empty body will do. */
export type DeclineParams = {
  /** Makes a repeated send harmless. */
  idempotency_key?: string | null;
  /** The inquiry that is meant; the one that waits if missing and only one does. */
  inquiry_id?: string | null;
  /** What the sender saw. */
  revision?: number | null;
  /** How long it can be taken back, in seconds, as with an answer. */
  undo_seconds?: number | null;
};

/** Notes how far the outcome has got. */
export type DeliveryParams = {
  /** How far. */
  state: DeliveryState;
};

/** How far the outcome of an inquiry has got to the agent that asked. */
export type DeliveryState = "started" | "done" | "failed";

/** A dialect: one tool contract. */
export type Dialect = {
  /** What a model is told about it. */
  description: string;
  /** What a system prompt says while the tool is enabled. */
  guidance: string;
  /** The JSON Schema of its input. */
  input_schema: Record<string, unknown>;
  /** The name of the tool. */
  name: string;
};

/** One page of a list. */
export type DialectResponseList = {
  /** What is on the page. */
  items: Array<Dialect>;
  /** The `cursor` of the next page; null on the last one. */
  next?: string | null;
};

/** A half-typed answer, to be kept. */
export type DraftParams = {
  /** The draft in the JSON form of the core's reducer. What does not fit the questions is dropped. */
  draft: Record<string, unknown>;
  /** What the sender saw; a draft of another revision is refused. */
  revision?: number | null;
};

/** A half-typed answer, as it was kept. */
export type Draft = {
  /** The draft; null if none is kept. */
  draft?: Record<string, unknown> | null;
  /** To which inquiry. */
  inquiry_id: string;
  /** When it was kept. */
  saved_at?: string | null;
};

export type DriverName = "built_in" | "external";

/** Something went wrong: with an agent's turn, or with the feed itself. */
export type ErrorEvent = {
  /** A stable word. */
  code: string;
  /** In which conversation; missing if the feed itself is meant. */
  conversation_id?: string | null;
  /** What to tell the user. */
  message: string;
  /** Where it stands in the feed; missing if it is transient. */
  sequence?: number | null;
};

/** What was given to one question. */
export type Given = ({
  given: "chosen";
  /** The respondent's own text. */
  own?: string | null;
  /** Values of the taken choices, in the order of the question. */
  values: Array<string>;
} & { date?: undefined; end?: undefined; number?: undefined; start?: undefined; text?: undefined }) | ({
  given: "text";
  /** What was written. */
  text: string;
} & { date?: undefined; end?: undefined; number?: undefined; own?: undefined; start?: undefined; values?: undefined }) | ({
  given: "number";
  /** Which one. */
  number: number;
} & { date?: undefined; end?: undefined; own?: undefined; start?: undefined; text?: undefined; values?: undefined }) | ({
  /** Which one. */
  date: string;
  given: "date";
} & { end?: undefined; number?: undefined; own?: undefined; start?: undefined; text?: undefined; values?: undefined }) | ({
  /** The last day, not before the first. */
  end: string;
  given: "date_range";
  /** The first day. */
  start: string;
} & { date?: undefined; number?: undefined; own?: undefined; text?: undefined; values?: undefined }) | ({
  given: "skipped";
} & { date?: undefined; end?: undefined; number?: undefined; own?: undefined; start?: undefined; text?: undefined; values?: undefined }) | ({
  given: "unanswered";
} & { date?: undefined; end?: undefined; number?: undefined; own?: undefined; start?: undefined; text?: undefined; values?: undefined }) | ({
  given: "unknown";
} & { date?: undefined; end?: undefined; number?: undefined; own?: undefined; start?: undefined; text?: undefined; values?: undefined });

/** The process runs. */
export type Health = {
  /** `ok`; with 503 `failed`: nothing can be written any more. */
  status: string;
  /** The version of the server. */
  version: string;
};

/** What a respondent has done with an inquiry and can take back for a while. */
export type Held = {
  /** Who did it, if they gave a name. */
  answered_by?: string | null;
  /** When they did it. */
  at: string;
  /** What they did, the answers included. */
  outcome: Outcome;
  /** From where it was done. */
  surface: SurfaceName;
  /** When it can no longer be taken back, and takes effect. */
  until: string;
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

/** A question was asked, nears its deadline, was answered or got its outcome: the whole inquiry. */
export type InquiryEvent = Inquiry & {
  /** Where it stands in the feed. */
  sequence: number;
};

/** An inquiry as it stands. */
export type Inquiry = {
  /** Who ended it, if they gave a name. */
  answered_by?: string | null;
  /** When it was asked. */
  asked_at: string;
  /** The agent that asked, if it named itself. */
  asker?: Asker | null;
  /** The conversation it was asked in. */
  conversation_id: string;
  /** The contract it was asked in: the name of a tool. */
  dialect: string;
  /** When it ends unanswered; missing if it waits for as long as it takes. */
  expires_at?: string | null;
  /**
   * What was done with it and can still be taken back. It is `pending` until then, and its
   * asker hears nothing.
   */
  held?: Held | null;
  /** Its id. */
  id: string;
  /** How it ended, the answers included. */
  outcome?: Outcome | null;
  /**
   * What is asked, at least one question; none if it was withdrawn because its conversation was
   * deleted.
   */
  questions: Array<Question>;
  /** When it ended. */
  resolved_at?: string | null;
  /** What the asker is told, in the form of its dialect. */
  result?: Result | null;
  /** Counts up when what is asked changes; an answer to an older one is refused. */
  revision: number;
  /** Who or what asks, in words. */
  source?: string | null;
  /** `pending`, or the name of its outcome. */
  status: InquiryStatus;
  /** From where it was ended. */
  surface?: SurfaceName | null;
};

/** One page of a list. */
export type InquiryResponseList = {
  /** What is on the page. */
  items: Array<Inquiry>;
  /** The `cursor` of the next page; null on the last one. */
  next?: string | null;
};

export type InquiryStatus = "pending" | "answered" | "declined" | "cancelled" | "rejected" | "superseded" | "expired" | "withdrawn" | "undeliverable";

/** More time for a respondent who is there. */
export type KeepOpenParams = {
  /**
   * How much time they get at least, from now on; with none, the deadline is taken away. Never
   * makes the time shorter.
   */
  expires_in?: Span | null;
  /** What the sender saw. */
  revision?: number | null;
};

/** What the holder of a link may do. Each one includes those before it. */
export type LinkAllow = "answer" | "decline" | "stop";

/** A link that shows and answers one question, once, until it expires. */
export type Link = {
  /** What its holder may do. */
  allow?: LinkAllow;
  /** Until when it opens anything. The question may end before that. */
  expires_at: string;
  /** The same code row by row, the empty space around it included: `1` is dark, `0` is light. */
  qr_rows?: Array<string> | null;
  /** The address as a QR code: an SVG image. Missing if it is too long for one. */
  qr_svg?: string | null;
  /** The address. Whoever has it can answer the question. */
  url: string;
};

/** A message is new, or has changed: the whole of it. */
export type MessageEvent = {
  /** In which conversation. */
  conversation_id: string;
  /** The message; it replaces an earlier one with the same id. */
  message: Message;
  /** Where it stands in the feed. */
  sequence: number;
};

/** The user says something. */
export type MessageParams = {
  /**
   * The sender's own id for it, of 1 to 200 characters: the same id and text again is the same
   * message, and harmless; the same id with another text is refused.
   */
  message_id?: string | null;
  /** What they say. */
  text: string;
};

/** One message of a conversation. */
export type Message = {
  /** When it was written. */
  at: string;
  /** What it holds, in order. */
  blocks: Array<Block>;
  /** Its id. A message that arrives again under the same id replaces the one before. */
  id: string;
  /** Who it is from. */
  role: Role;
  /** The `message_id` that its sender gave it. */
  sent_as?: string | null;
  /** The sequence of the event it began with. */
  sequence: number;
};

/** Starts a conversation. */
export type NewConversationParams = {
  /** The app it runs; the default one if missing. */
  app?: string | null;
  /** Whether somebody else's agent drives it. It then takes questions and no messages. */
  external?: boolean;
  /** Makes a repeated send harmless: the same key brings the same conversation. */
  idempotency_key?: string | null;
  /** The first message of the user. */
  message?: string | null;
  /** The sender's own id for that message, of 1 to 200 characters. */
  message_id?: string | null;
  /** What to call it; taken from the first message or question if missing. */
  title?: string | null;
};

/** An external agent asks. */
export type NewInquiryParams = {
  /**
   * The agent that asks. The same call of the same agent again brings the same inquiry until its
   * outcome was delivered.
   */
  asker?: AskerParams | null;
  /**
   * What the asker assumes until it has the answer, in a sentence for the respondent; it is shown
   * beside the questions and does not tell calls apart. Cut after 300 characters.
   */
  assumption?: string | null;
  /** The external conversation to ask in; a new one begins if missing. */
  conversation_id?: string | null;
  /**
   * The contract in which `input` is written: `ask_user_question`, `AskUserQuestion`, `question`
   * or `ask_user`. Recognised by its shape if missing.
   */
  dialect?: string | null;
  /** After which time it ends unanswered: `30s`, `5m`, `2h` or a number of seconds. By default never. */
  expires_in?: Span | null;
  /** Makes a repeated send harmless: the same key brings the same inquiry. */
  idempotency_key?: string | null;
  /** The tool input, as a model writes it. */
  input: Record<string, unknown>;
  /** Who or what asks, in words, shown with the question. */
  source?: string | null;
  /** Where to `POST` the inquiry once it has its outcome. */
  webhook?: string | null;
};

/** A link is wanted. An empty body will do. */
export type NewLinkParams = {
  /** What its holder may do; `decline` if missing. */
  allow?: LinkAllow;
  /** For how long it opens the question: `30s`, `5m`, `2h`; a day if missing, a week at most. */
  expires_in?: Span | null;
};

/** A further inquiry that waits. `GET /inquiries` has its questions. */
export type OtherPending = {
  /** When it was asked. */
  asked_at: string;
  /** When it ends unanswered, if ever. */
  expires_at?: string | null;
  /** Its id. */
  inquiry_id: string;
  /** Its revision. */
  revision?: number;
};

/** How an inquiry ended, told apart by `type`. */
export type Outcome = ({
  /** One for each question, in the order of the questions. */
  answers: Array<Answer>;
  type: "answered";
} & { message?: undefined; reason?: undefined }) | ({
  type: "declined";
} & { answers?: undefined; message?: undefined; reason?: undefined }) | ({
  type: "cancelled";
} & { answers?: undefined; message?: undefined; reason?: undefined }) | ({
  type: "rejected";
} & { answers?: undefined; message?: undefined; reason?: undefined }) | ({
  /** What they wrote. */
  message: string;
  type: "superseded";
} & { answers?: undefined; reason?: undefined }) | ({
  type: "expired";
} & { answers?: undefined; message?: undefined; reason?: undefined }) | ({
  type: "withdrawn";
} & { answers?: undefined; message?: undefined; reason?: undefined }) | ({
  /** `nobody_there`, `disabled`, `limit_reached` or `sub_agent`. */
  reason: string;
  type: "undeliverable";
} & { answers?: undefined; message?: undefined }) | ({
  type: "unknown";
} & { answers?: undefined; message?: undefined; reason?: undefined });

/** An inquiry that waits. */
export type Pending = {
  /** When it was asked. */
  asked_at: string;
  /** The contract it was asked in. */
  dialect?: string;
  /** When it ends unanswered, if ever. */
  expires_at?: string | null;
  /** Its id, to be sent along with the answer. */
  inquiry_id: string;
  /** What is asked. */
  questions: Array<Question>;
  /** Its revision, to be sent along with the answer. */
  revision?: number;
  /** Who or what asks, in words. */
  source?: string | null;
};

/** Why a request was refused. */
export type Problem = {
  /** The kind of problem: one of a documented list. */
  code?: string;
  /** What is wrong and what to do, in a sentence. */
  detail?: string;
  /** With `invalid_answer`: what is wrong with which answer. */
  errors?: Array<AnswerError>;
  /** With `invalid_input`: what is wrong where in the tool input. */
  problems?: Array<InputProblem>;
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

/** The question of a block. With several questions, the single fields show the first. */
export type QuestionExtra = {
  /** The message that was the answer, where the user wrote one instead of choosing. */
  answerMessageId?: string | null;
  /** The answer as a person reads it. */
  answerText?: string | null;
  /** The contract it was asked in. */
  dialect: string;
  /** When it ends unanswered, if ever. */
  expiresAt?: string | null;
  /** The inquiry, to be named when it is answered. */
  inquiryId: string;
  /** `pending`, or the name of its outcome. */
  inquiryStatus: InquiryStatus;
  /** Whether the user is to act; true only while it is pending. */
  needsUserAction: boolean;
  /** Whether an answer in own words is taken. */
  questionCustom: boolean;
  /** A short label. */
  questionHeader?: string | null;
  /** Whether more than one may be taken. */
  questionMultiple: boolean;
  /** The choices. */
  questionOptions: Array<QuestionOption>;
  /** What became of it. */
  questionResolution: QuestionResolution;
  /** What is asked. */
  questionText: string;
  /** All questions, with everything there is to know about them. */
  questions: Array<Question>;
  /** Its revision, to be named when it is answered. */
  revision: number;
};

/** What an answer looks like. */
export type QuestionKind = ({
  /** The choices, in the order of the asker. */
  choices: Array<Choice>;
  kind: "choice";
  /** Whether an answer of the respondent's own words is taken. */
  own_text: boolean;
  /** Whether more than one may be taken. */
  several: boolean;
} & { integer?: undefined; max?: undefined; max_length?: undefined; message?: undefined; min?: undefined; min_length?: undefined; pattern?: undefined; step?: undefined }) | ({
  kind: "text";
  /** Most characters. */
  max_length?: number | null;
  /** What is said when a rule is broken. */
  message?: string | null;
  /** Fewest characters. */
  min_length?: number | null;
  /** A regular expression (Rust syntax) that must match somewhere in the answer. */
  pattern?: string | null;
} & { choices?: undefined; integer?: undefined; max?: undefined; min?: undefined; own_text?: undefined; several?: undefined; step?: undefined }) | ({
  /** Whether only whole numbers are taken. */
  integer?: boolean;
  kind: "number";
  /** Largest. */
  max?: number | null;
  /** What is said when a rule is broken. */
  message?: string | null;
  /** Smallest. */
  min?: number | null;
  /** Distance between allowed numbers, counted from `min` or from 0. */
  step?: number | null;
} & { choices?: undefined; max_length?: undefined; min_length?: undefined; own_text?: undefined; pattern?: undefined; several?: undefined }) | (DateKind & {
  kind: "date";
} & { choices?: undefined; integer?: undefined; max_length?: undefined; min_length?: undefined; own_text?: undefined; pattern?: undefined; several?: undefined; step?: undefined }) | (DateKind & {
  kind: "date_range";
} & { choices?: undefined; integer?: undefined; max_length?: undefined; min_length?: undefined; own_text?: undefined; pattern?: undefined; several?: undefined; step?: undefined }) | ({
  kind: "unknown";
} & { choices?: undefined; integer?: undefined; max?: undefined; max_length?: undefined; message?: undefined; min?: undefined; min_length?: undefined; own_text?: undefined; pattern?: undefined; several?: undefined; step?: undefined });

/** A choice of a question block. */
export type QuestionOption = {
  /** What it means. */
  description?: string | null;
  /** What is shown. */
  label: string;
};

export type QuestionResolution = "asked" | "replied" | "rejected" | "expired" | "withdrawn" | "undeliverable";

/** One question of an inquiry. */
export type Question = QuestionKind & {
  /** Why it is asked. */
  context?: string | null;
  /** A short label, for a chip or a tab. */
  header?: string | null;
  /** Its place in the inquiry, as a name: `q1`, `q2`, … Answers may be keyed by it. */
  id: string;
  /** What an empty field shows. */
  placeholder?: string | null;
  /** Whether it may be passed over explicitly. */
  skippable?: boolean;
  /** What is asked. */
  text: string;
};

/** Whether requests can be served: 200 if all is well, 503 otherwise. */
export type Ready = {
  /** What was looked at. */
  checks: Array<Check>;
  /** Whether all is well. */
  ready: boolean;
};

/**
 * The server does not know the place that was named: its data was replaced by older or other data. The
 * reader starts over: it reads again what it shows, and the feed goes on from here.
 */
export type ResetEvent = {
  /** The newest sequence, behind which the feed goes on. */
  sequence: number;
};

/** An answer to the waiting question of a conversation. */
export type RespondParams = {
  /**
   * Answers by question id or text: a label, a list of labels, or a typed value such as
   * `{"values": […], "other": "…"}`, `{"text": "…"}`, `{"number": 3}`, `{"date": "2027-03-27"}`,
   * `{"start": "…", "end": "…"}` or `{"skipped": true}`. A number or a day may also be sent as
   * the person typed it, to be read by the habits of `locale`: `{"typed": "27 mar 2027"}`, and
   * `{"typed_start": "…", "typed_end": "…"}` for a range.
   */
  answers: Record<string, unknown>;
  /** Makes a repeated send harmless. */
  idempotency_key?: string | null;
  /** The inquiry it is meant for; the one that waits if missing and only one does. */
  inquiry_id?: string | null;
  /**
   * The language of the person: typed numbers and days are read by its habits, and what does
   * not fit is said in it.
   */
  locale?: string | null;
  /** Notes by question id or text. */
  notes?: Record<string, unknown> | null;
  /** What the sender saw; an answer to an older revision is refused. */
  revision?: number | null;
  /** The day it is where the person is, for words such as “tomorrow”; by default the server's. */
  today?: string | null;
  /**
   * How long it can be taken back, in seconds: the question waits on with the answer in `held`,
   * and `POST /inquiries/{id}/undo` takes it back. By default it takes effect at once.
   */
  undo_seconds?: number | null;
};

/** The result of a tool call. */
export type Result = {
  /** What the model reads. */
  content: string;
  /** Whether it is an error. */
  is_error?: boolean;
};

export type Role = "user" | "assistant";

/** One browser that is signed in. The secret in its cookie is known to that browser alone. */
export type Session = {
  /** When it was signed in. */
  created_at: string;
  /** Whether this very request came with it. */
  current?: boolean;
  /** When it ends unless it is used before. */
  expires_at: string;
  /** Names the session, to end it. It opens nothing. */
  id: string;
  /** When it was last used, to the hour. */
  last_used_at: string;
  /** What the browser said it is. Anybody can say anything. */
  user_agent?: string | null;
};

/** One page of a list. */
export type SessionResponseList = {
  /** What is on the page. */
  items: Array<Session>;
  /** The `cursor` of the next page; null on the last one. */
  next?: string | null;
};

/** A duration: `30s`, `5m`, `2h`, `1d`, or a number of seconds. */
export type Span = string | number;

/** A conversation is in another state, or its state holds something else. */
export type StateChangeEvent = State & {
  /** Which conversation. */
  conversation_id: string;
  /** Where it stands in the feed. */
  sequence: number;
};

/** Where a conversation stands, told apart by `type`. */
export type State = ({
  type: "idle";
} & { agents?: undefined; asked_at?: undefined; attempt?: undefined; call_id?: undefined; code?: undefined; dialect?: undefined; expires_at?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; revision?: undefined; source?: undefined; tool?: undefined }) | ({
  /** How often it was tried, this time included. */
  attempt: number;
  type: "llm_requesting";
} & { agents?: undefined; asked_at?: undefined; call_id?: undefined; code?: undefined; dialect?: undefined; expires_at?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; revision?: undefined; source?: undefined; tool?: undefined }) | ({
  /** The call it runs for. */
  call_id?: string | null;
  /** Its name. */
  tool?: string | null;
  type: "tool_executing";
} & { agents?: undefined; asked_at?: undefined; attempt?: undefined; code?: undefined; dialect?: undefined; expires_at?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; revision?: undefined; source?: undefined }) | (Pending & {
  /** Further inquiries that wait, oldest first. */
  others?: Array<OtherPending>;
} & {
  type: "awaiting_user_response";
} & { agents?: undefined; attempt?: undefined; call_id?: undefined; code?: undefined; message?: undefined; tool?: undefined }) | ({
  /** Which ones. */
  agents: Array<SubAgent>;
  type: "awaiting_sub_agents";
} & { asked_at?: undefined; attempt?: undefined; call_id?: undefined; code?: undefined; dialect?: undefined; expires_at?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; revision?: undefined; source?: undefined; tool?: undefined }) | ({
  /** `overloaded`, `network`, `malformed`, `refused`, `too_many_rounds` or `same_failures`. */
  code: string;
  /** What to tell the user. */
  message: string;
  type: "error";
} & { agents?: undefined; asked_at?: undefined; attempt?: undefined; call_id?: undefined; dialect?: undefined; expires_at?: undefined; inquiry_id?: undefined; others?: undefined; questions?: undefined; revision?: undefined; source?: undefined; tool?: undefined }) | ({
  type: "closed";
} & { agents?: undefined; asked_at?: undefined; attempt?: undefined; call_id?: undefined; code?: undefined; dialect?: undefined; expires_at?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; revision?: undefined; source?: undefined; tool?: undefined }) | ({
  type: "unknown";
} & { agents?: undefined; asked_at?: undefined; attempt?: undefined; call_id?: undefined; code?: undefined; dialect?: undefined; expires_at?: undefined; inquiry_id?: undefined; message?: undefined; others?: undefined; questions?: undefined; revision?: undefined; source?: undefined; tool?: undefined });

/** A sub-agent at work. */
export type SubAgent = {
  /** Its conversation. */
  conversation_id: string;
  /** Whether it has reported. */
  finished?: boolean;
  /** What its parent calls it. */
  name: string;
};

export type SurfaceName = "terminal" | "web" | "link" | "cli" | "http" | "mcp" | "system";

/** A piece of what the model is saying. */
export type TokenEvent = {
  /** In which conversation. */
  conversation_id: string;
  /** The piece. */
  text: string;
};

/** A tool call of a block. */
export type ToolCall = {
  /** The sub-agents it started. */
  agents?: Array<SubAgent>;
  /** Its id. */
  id: string;
  /** Its input as JSON text, cut to a length that can be shown. */
  input?: string;
  /** The tool. */
  name: string;
  /** Its result, cut likewise. */
  result?: string | null;
};

/** Takes back an answer that is held. */
export type UndoParams = {
  /** Makes a repeated request harmless: it never undoes an answer that was given later. */
  idempotency_key?: string | null;
  /** What the sender saw. */
  revision?: number | null;
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
