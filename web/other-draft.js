// Another device saved a different draft of the answer meanwhile.

import { button, h } from './dom.js';
import { t } from './i18n.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** @param {AskbackQuestion} element @param {Inquiry} inquiry */
export const otherDraftView = (element, inquiry) =>
  h(
    'div',
    { class: 'notice' },
    h('p', {}, t('web-other-draft')),
    button(t('web-use-other-draft'), () => {
      element.draftSync.useOtherDraft(inquiry);
      element.render();
      element.focusFirst();
    }),
  );
