// The reply while it is streamed. Loaded with the first token.

import { p } from '../lib/dom.js';
import { MarkdownStream } from '../lib/markdown-stream.js';

/** The reply while it is streamed, drawn once per frame. */
export class StreamedReply {
  /** @param {HTMLElement} node @param {() => string} author */
  constructor(node, author) {
    this.node = node;
    this.author = author;
    /** The sequence number after which the reply began. @type {number | undefined} */
    this.after = undefined;
    /** Text since the last frame. */
    this.received = '';
    this.frame = 0;
    /** @type {MarkdownStream | null} */
    this.markdown = null;
  }

  /** @param {{ text: string, after?: number }} token */
  append({ text, after }) {
    if (after !== this.after) this.clear();
    this.after = after;
    this.received += text;
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.frame = 0;
    this.node.hidden = false;
    if (!this.markdown) {
      this.markdown = new MarkdownStream();
      this.node.replaceChildren(p('author', this.author()), this.markdown.node);
    }
    this.markdown.push(this.received);
    this.received = '';
  }

  clear() {
    cancelAnimationFrame(this.frame);
    this.received = '';
    this.frame = 0;
    this.markdown = null;
    this.node.hidden = true;
    this.node.replaceChildren();
  }
}
