// Ask a person a question, and get the answer in the type that you asked for:
//   if (await new Askback().ask('Roll out 4.2?', confirm(), { key: 'deploy-4.2' })) …
export { Askback, Inquiry } from './client.js';
export type { ConnectOptions, StartOptions, WaitOptions } from './client.js';
export { AskbackProblem, type InquiryJson, NoAnswer, type Outcome, type OutcomeStatus, Unreachable } from './errors.js';
export type { FeedEvent } from './feed.js';
export { choice, confirm, date, dateRange, form, number, optional, several, text } from './kinds.js';
export type { Choice, Form, FormValue, Kind, ValueOf } from './kinds.js';
export { verifyWebhook } from './signatures.js';
