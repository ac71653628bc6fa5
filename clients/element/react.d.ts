import type { ReactElement } from 'react';

import type { AskbackQuestionAttributes, AskbackQuestionEvents } from './index.js';

type Listener<K extends keyof AskbackQuestionEvents> = (
  detail: AskbackQuestionEvents[K]['detail'],
  event: AskbackQuestionEvents[K],
) => void;

export interface QuestionProps extends AskbackQuestionAttributes {
  onState?: Listener<'askback-state'>;
  onResolved?: Listener<'askback-resolved'>;
  onHeld?: Listener<'askback-held'>;
  onError?: Listener<'askback-error'>;
  className?: string;
}

/** Shows one question. Loads the element from the server when it is first drawn. */
export function Question(props: QuestionProps): ReactElement;
