/** What of an inquiry is certain; GET /inquiries/{id} has all of it. */
export interface AskbackInquiry {
  id: string;
  status: string;
  [field: string]: unknown;
}

export interface AskbackQuestionAttributes {
  /** The id of the inquiry. */
  inquiry: string;
  /** The address of the server; by default that of the page. */
  src?: string;
  token?: string;
  /** Who answers, for the record. */
  actor?: string;
  /** With `off`, digits do not pick choices. */
  digits?: 'off';
  /** What is not offered, separated by spaces: `stop`, `let-decide`, `other-device`, `hand-on`. */
  hide?: string;
  /** For how many seconds an answer can be undone, 0 to 60; 0 is none. */
  undo?: number | string;
}

export type AskbackState =
  | 'asked'
  | 'sending'
  | 'offline'
  | 'held'
  | 'replied'
  | 'declined'
  | 'rejected'
  | 'cancelled'
  | 'expired'
  | 'late'
  | 'error'
  | 'loading'
  | 'missing'
  | 'refused'
  | 'unreachable';

export interface AskbackQuestionEvents {
  'askback-state': CustomEvent<{ state: AskbackState; inquiry: AskbackInquiry | null }>;
  'askback-resolved': CustomEvent<{ inquiry: AskbackInquiry; hadFocus: boolean; byUser: boolean }>;
  'askback-held': CustomEvent<{ inquiry: AskbackInquiry; hadFocus: boolean; byUser: boolean }>;
  'askback-error': CustomEvent<{ inquiry: AskbackInquiry; errors: unknown[] }>;
  'askback-leave': CustomEvent<Record<string, never>>;
  'askback-announce': CustomEvent<{ text: string; isUrgent: boolean }>;
}

export interface AskbackQuestionElement extends HTMLElement {
  addEventListener<K extends keyof AskbackQuestionEvents>(
    type: K,
    listener: (event: AskbackQuestionEvents[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** Defines `<askback-question>` with the module of this server. */
export function loadElement(server: string): Promise<void>;

declare global {
  interface HTMLElementTagNameMap {
    'askback-question': AskbackQuestionElement;
  }
  interface HTMLElementEventMap extends AskbackQuestionEvents {}
}
