// What of the server's JSON this client reads. Expect more fields than these.

export interface AnswerJson {
  question: string;
  value?: unknown;
  display?: string;
  note?: string | null;
}

export interface InquiryJson {
  id: string;
  status: string;
  outcome?: { type: string; answers?: AnswerJson[] } | null;
  result?: { content: string; is_error: boolean; next: string } | null;
  answered_by?: string | null;
  [field: string]: unknown;
}
