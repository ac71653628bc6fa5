// Markdown that is being streamed. Complete blocks are drawn once; only the open end is drawn again, and
// as plain text when it is long, so that the total work is linear.

import { div, h } from './dom.js';
import { fenceOf, itemOf, markdown, TEXT_CHARS_MAX } from './markdown.js';

/** A longer open end is drawn as plain text. */
const OPEN_CHARS_MAX = 4000;

export class MarkdownStream {
  constructor() {
    this.open = h('div');
    this.node = div('markdown', this.open);
    /** The text after the last complete block. */
    this.rest = '';
    /** How far `rest` was scanned. */
    this.read = 0;
    this.fence = '';
    /** Characters in complete blocks. */
    this.drawn = 0;
    /** @type {Text | null} */
    this.plain = null;
  }

  /** @param {string} text */
  push(text) {
    this.rest += text;
    const end = this.drawn > TEXT_CHARS_MAX ? 0 : this.blockEnd();
    if (end > 0) {
      this.open.before(...markdown(this.rest.slice(0, end)));
      this.drawn += end;
      this.rest = this.rest.slice(end);
      this.read -= end;
      this.plain = null;
    }
    if (this.plain) this.plain.appendData(text);
    else if (this.rest.length <= OPEN_CHARS_MAX) this.open.replaceChildren(...markdown(this.rest));
    else {
      this.plain = document.createTextNode(this.rest);
      this.open.replaceChildren(h('p', { class: 'plain', dir: 'auto' }, this.plain));
    }
  }

  /** The end of the last complete block. */
  blockEnd() {
    let end = 0;
    for (
      let next = this.rest.indexOf('\n', this.read);
      next >= 0;
      next = this.rest.indexOf('\n', this.read)
    ) {
      const line = this.rest.slice(this.read, next);
      const fence = fenceOf(line);
      if (this.fence) {
        if (line.trimStart().startsWith(this.fence)) this.fence = '';
      } else if (fence) this.fence = fence;
      const after = this.rest[next + 1];
      // A blank line ends a paragraph; a list or a quote may continue after it.
      if (
        !this.fence &&
        line.trim() === '' &&
        after &&
        !/[\s>]/.test(after) &&
        !itemOf(this.rest.slice(next + 1, next + 16))
      )
        end = next + 1;
      if (after === undefined) break;
      this.read = next + 1;
    }
    return end;
  }
}
