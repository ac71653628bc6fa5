// What the server sends, as far as the pages use it. docs/http-api.md has the whole.

export type Choice = {
  value: string;
  label: string;
  description?: string;
  preview?: string;
  recommended?: boolean;
  exclusive?: boolean;
};

export type Question = {
  id: string;
  header?: string;
  text: string;
  context?: string;
  placeholder?: string;
  skippable: boolean;
  kind: "choice" | "text" | "number" | "date" | "date_range";
  several?: boolean;
  own_text?: boolean;
  choices?: Choice[];
  min_length?: number;
  max_length?: number;
  min?: number | string;
  max?: number | string;
  step?: number;
  integer?: boolean;
};

export type GivenAnswer = {
  question: string;
  given: string;
  values?: string[];
  own?: string;
  date?: string;
  start?: string;
  end?: string;
  display?: string;
  note?: string;
};

export type Outcome = { type: string; answers?: GivenAnswer[]; message?: string; reason?: string };

export type Inquiry = {
  id: string;
  conversation_id: string;
  status: string;
  revision: number;
  dialect: string;
  questions: Question[];
  source?: string;
  asked_at: string;
  expires_at?: string;
  resolved_at?: string;
  outcome?: Outcome;
  answered_by?: string;
  surface?: string;
};

export type Winner = {
  inquiry_id: string;
  status: string;
  outcome?: Outcome;
  answered_by?: string;
  surface?: string;
  at?: string;
};

export type AnswerError = { question?: string; code: string; message: string };

export type ProblemBody = {
  status: number;
  code: string;
  detail: string;
  title: string;
  errors?: AnswerError[];
  winner?: Winner;
};

export type ConversationState = {
  type: string;
  inquiry_id?: string;
  dialect?: string;
  questions?: Question[];
  source?: string;
  asked_at?: string;
  expires_at?: string;
  revision?: number;
  tool?: string;
  message?: string;
  code?: string;
};

export type Extra = {
  inquiryId: string;
  revision: number;
  dialect: string;
  inquiryStatus: string;
  questions: Question[];
  answerText?: string;
  expiresAt?: string;
};

export type Block = {
  type: string;
  text: string;
  status?: string;
  timestamp: string;
  action_type?: string;
  extra?: Extra;
  tool_call?: { id: string; name: string; input?: unknown; result?: string };
};

export type Message = { id: string; role: string; at: string; sequence: number; blocks: Block[] };

export type Conversation = {
  id: string;
  driver: string;
  app?: string;
  title?: string;
  state: ConversationState;
  created_at: string;
  updated_at: string;
  messages?: Message[];
  before?: string | number | null;
  sequence?: number;
};

export type App = {
  id: string;
  name: string;
  names?: Record<string, string>;
  description?: string;
  default: boolean;
};

export type DraftField = "answer" | "end" | "own" | "note";

// The JSON form of the core's draft of one question.
export type Entry = {
  focus: number;
  field?: DraftField;
  picked?: string[];
  own?: string;
  own_ticked?: boolean;
  typed?: string;
  typed_end?: string;
  part?: "start" | "end";
  note?: string;
  skipped?: boolean;
};

export type Page = { question: number } | "review";

export type Draft = { page: Page; entries: Entry[]; review_focus: number; from_review?: boolean };

export type Edit =
  | { edit: "mark"; row: number }
  | { edit: "mark_all" }
  | { edit: "open"; field: DraftField }
  | { edit: "close" }
  | { edit: "write"; field: DraftField; text: string }
  | { edit: "skip" }
  | { edit: "go_to"; page: number }
  | { edit: "reopen"; page: number };
