/** What of the server's JSON this client reads. Expect more fields than these. */
export interface InquiryJson {
  id: string;
  status: string;
  outcome?: { type: string; answers?: { question: string; value?: unknown }[] } | null;
  result?: { content: string } | null;
  [field: string]: unknown;
}

/** There is no server, or what listens there is not the server of the data directory. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** The server refused the request. Branch on `code`; the message says what to change. */
export class AskbackProblem extends Error {
  override name = 'AskbackProblem';

  constructor(readonly status: number, readonly code = '', detail = '') {
    super(`${status} ${code}: ${detail}`);
  }
}

/**
 * Why there is no answer: `pending` (the time to wait is over, and the question stays open), `declined` (the program
 * decides), `stopped` (the person wants it to stop), `expired`, `superseded` (the person wrote something else), `gone`
 * (withdrawn, deleted or not delivered), `incomplete` (questions of a form were left open).
 */
export type OutcomeStatus = 'pending' | 'declined' | 'stopped' | 'expired' | 'superseded' | 'gone' | 'incomplete';

/** How a wait ended. */
export type Outcome<T> =
  | { status: 'answered'; value: T; inquiry: InquiryJson }
  | { status: OutcomeStatus; inquiry: InquiryJson };

/** `ask` throws it for everything but an answer. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';

  constructor(readonly outcome: { status: OutcomeStatus; inquiry: InquiryJson }) {
    super(`${outcome.inquiry.id} is ${outcome.status}`);
  }
}

const STATUSES: Record<string, OutcomeStatus | 'answered' | undefined> = {
  answered: 'answered', declined: 'declined', rejected: 'stopped', cancelled: 'stopped', expired: 'expired',
  superseded: 'superseded', withdrawn: 'gone', undeliverable: 'gone',
};

/** A status that this version does not know counts as pending. */
export const outcomeStatus = (inquiry: InquiryJson) => STATUSES[inquiry.status] ?? 'pending';
