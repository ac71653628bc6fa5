// The kinds of questions, each with the type of its answer.

import type { InquiryJson } from './errors.js';

/** A label, or a label with what it stands for. */
export type Choice<V extends string = string> =
  | V
  | { label: string; value: V; description?: string; recommended?: boolean; preview?: string };

/** A kind of question whose answer is a `T`. */
export interface Kind<T> {
  /** The fields of the question besides id and text. */
  readonly fields: Record<string, unknown>;
  /** Of a form: its questions. */
  readonly form?: Form;
  /** Only a type: no kind has it. */
  readonly answer?: T;
}

/** The type of the answers to a kind. */
export type ValueOf<K> = K extends Kind<infer T> ? T : never;

type Texts = { header?: string; context?: string; placeholder?: string; message?: string };
type Limits<V> = { min?: V; max?: V };

const kind = <T>(name: string, fields: object = {}): Kind<T> => ({ fields: { kind: name, ...fields } });

/** One of these. To let the person write something else, use `choice.own`. */
export function choice<const V extends string>(...choices: Choice<V>[]): Kind<V> {
  return kind('choice', { choices });
}
choice.own = (...choices: Choice[]): Kind<string> => kind('choice', { choices, own: true });

/** Any number of these. To let the person write something else, use `several.own`. */
export function several<const V extends string>(...choices: Choice<V>[]): Kind<V[]> {
  return kind('choice', { choices, several: true });
}
several.own = (...choices: Choice[]): Kind<string[]> => kind('choice', { choices, several: true, own: true });

export const confirm = (options: Texts = {}): Kind<boolean> => kind('confirm', options);

export const text = (
  options: Texts & { min_length?: number; max_length?: number; pattern?: string } = {},
): Kind<string> => kind('text', options);

export const number = (
  options: Texts & Limits<number> & { step?: number; integer?: boolean } = {},
): Kind<number> => kind('number', options);

/** A day, as `2027-03-27`. */
export const date = (options: Texts & Limits<string> = {}): Kind<string> => kind('date', options);

export const dateRange = (options: Texts & Limits<string> = {}): Kind<{ start: string; end: string }> =>
  kind('date_range', options);

/** A question that may be skipped; the answer is null then. */
export const optional = <T>({ fields }: Kind<T>): Kind<T | null> => ({ fields: { ...fields, optional: true } });

/** The questions of a form by id: text and kind. */
export type Form = Record<string, readonly [text: string, kind: Kind<unknown>]>;
export type FormValue<F extends Form> = { [Id in keyof F]: ValueOf<F[Id][1]> };

/** Several questions at once. The text of the question as a whole is the context of the first one. */
export const form = <const F extends Form>(questions: F): Kind<FormValue<F>> => ({ fields: {}, form: questions });

export function questionsOf(text: string, kind: Kind<unknown>): object[] {
  if (!kind.form) return [{ id: 'answer', text, ...kind.fields }];
  const [first, ...others] = Object.entries(kind.form).map(([id, [text, { fields }]]) => ({ id, text, ...fields }));
  return [{ context: text, ...first }, ...others];
}

/** The value of an answered inquiry; undefined if an answer is missing that is not optional. */
export function readAnswers<T>(kind: Kind<T>, { outcome }: InquiryJson): T | undefined {
  const answers = new Map(outcome?.answers?.map(({ question, value }) => [question, value]));
  const read = (id: string, { fields }: Kind<unknown>) => answers.get(id) ?? (fields.optional ? null : undefined);
  if (!kind.form) return read('answer', kind) as T | undefined;
  const values = Object.entries(kind.form).map(([id, [, kind]]) => [id, read(id, kind)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(values) as T);
}
