// What lists and notices call a question and where it comes from. Not loaded with the chat.

/** @import { Inquiry } from '../lib/wire.d.ts' */

/** What is asked; of several questions, the first. @param {Inquiry} inquiry */
export const askedOf = ({ questions, id }) => questions[0]?.text ?? id;

/** What a question is called in a few words. @param {Inquiry} inquiry */
export const nameOf = ({ questions, id }) => questions[0]?.header ?? questions[0]?.text ?? id;

/** The folder of the agent, by its last part. @param {Inquiry} inquiry */
export const projectOf = ({ asker }) => asker?.project?.split(/[\\/]/).findLast(Boolean) ?? '';
