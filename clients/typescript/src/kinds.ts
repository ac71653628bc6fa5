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
  /** Only a type: no kind has it. */
  readonly answer?: T;
}

/** The type of the answers to a kind. */
export type ValueOf<K> = K extends Kind<infer T> ? T : never;

interface Texts {
  header?: string;
  context?: string;
  placeholder?: string;
  message?: string;
}

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
  options: Texts & { min?: number; max?: number; step?: number; integer?: boolean } = {},
): Kind<number> => kind('number', options);

/** A day, as `2027-03-27`. */
export const date = (options: Texts & { min?: string; max?: string } = {}): Kind<string> => kind('date', options);

export const dateRange = (
  options: Texts & { min?: string; max?: string } = {},
): Kind<{ start: string; end: string }> => kind('date_range', options);

/** A question that may be skipped; the answer is null then. */
export const optional = <T>({ fields }: Kind<T>): Kind<T | null> => ({ fields: { ...fields, optional: true } });

/** The questions of a form by id: text and kind. */
export type Form = Record<string, readonly [text: string, kind: Kind<unknown>]>;
export type FormValue<F extends Form> = { [Id in keyof F]: ValueOf<F[Id][1]> };

/** The answers by id; undefined if one is missing that is not optional. */
export function readForm<F extends Form>(form: F, inquiry: InquiryJson): FormValue<F> | undefined {
  const answers = new Map(inquiry.outcome?.answers?.map(({ question, value }) => [question, value]));
  const values = Object.keys(form).map((id) => [id, answers.get(id) ?? null] as const);
  const isComplete = values.every(([id, value]) => value !== null || form[id]?.[1].fields.optional);
  return isComplete ? (Object.fromEntries(values) as FormValue<F>) : undefined;
}
