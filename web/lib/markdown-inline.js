// Emphasis, code and links inside one block, in one pass. The position of the last match of each mark is
// cached: it is valid for every earlier start, so no part of the text is searched twice.

import { h } from './dom.js';

const WORD = /\w/;
const SPACE = /\s/;

class Marks {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    /** The last match of each mark. @type {Map<string, number>} */
    this.known = new Map();
    /** Positions of runs of backticks by length, the next one last. @type {Map<number, number[]> | null} */
    this.runs = null;
  }

  /**
   * The first match of `mark` from `from` on for which `fits` is true; Infinity if there is none.
   * @param {string} mark
   * @param {number} from
   * @param {(at: number) => boolean} [fits] must be the same for every call with this mark
   */
  next(mark, from, fits = () => true) {
    const known = this.known.get(mark) ?? -1;
    if (known >= from) return known;
    let at = from - 1;
    do at = this.text.indexOf(mark, at + 1);
    while (at >= 0 && !fits(at));
    const found = at < 0 ? Number.POSITIVE_INFINITY : at;
    this.known.set(mark, found);
    return found;
  }

  /** The first space or line end from `from` on. @param {number} from */
  space(from) {
    const known = this.known.get('space') ?? -1;
    if (known >= from) return known;
    let at = from;
    while (at < this.text.length && !SPACE.test(this.text[at])) at += 1;
    this.known.set('space', at);
    return at;
  }

  /** The next run of exactly `length` backticks. @param {number} length @param {number} from */
  ticks(length, from) {
    if (!this.runs) {
      this.runs = new Map();
      for (const { 0: run, index } of [...this.text.matchAll(/\x60+/g)].reverse()) {
        const positions = this.runs.get(run.length) ?? [];
        positions.push(index);
        this.runs.set(run.length, positions);
      }
    }
    const positions = this.runs.get(length) ?? [];
    while (positions.length > 0 && positions[positions.length - 1] < from) positions.pop();
    return positions.at(-1) ?? Number.POSITIVE_INFINITY;
  }
}

/** @param {string} text @returns {(Node | string)[]} */
export function inline(text) {
  /** @type {(Node | string)[]} */
  const nodes = [];
  const marks = new Marks(text);
  const special = /[\x60*_~[]|https?:\/\//g;
  let done = 0;
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const span = spanAt(marks, found.index, found[0]);
    if (!span) {
      // A run of backticks that opens nothing is text as a whole.
      while (found[0].length === 1 && text[special.lastIndex] === found[0] && found[0] === '\x60')
        special.lastIndex += 1;
      continue;
    }
    if (found.index > done) nodes.push(text.slice(done, found.index));
    nodes.push(span.node());
    done = span.end;
    special.lastIndex = done;
  }
  return done < text.length ? [...nodes, text.slice(done)] : nodes;
}

/** The span that a mark opens, or null if it is not closed. @param {Marks} marks @param {number} at @param {string} mark @returns {{ end: number, node: () => Node | string } | null} */
function spanAt(marks, at, mark) {
  switch (mark) {
    case '\x60':
      return code(marks, at);
    case '*':
      return marked(marks, at, '**', 'strong') ?? single(marks, at, '*');
    case '_':
      return isInWord(marks.text, at)
        ? null
        : (marked(marks, at, '__', 'strong') ?? single(marks, at, '_'));
    case '~':
      return marked(marks, at, '~~', 'del');
    case '[':
      return link(marks, at);
    default:
      return address(marks, at, mark);
  }
}

/** @param {string} text @param {number} at */
const isInWord = (text, at) => at > 0 && WORD.test(text[at - 1]);

/** @param {Marks} marks @param {number} at */
function code(marks, at) {
  const { text } = marks;
  let from = at;
  while (text[from] === '\x60') from += 1;
  const end = marks.ticks(from - at, from);
  if (end === from || end > marks.next('\n', at)) return null;
  const inner = text.slice(from, end);
  return { end: end + from - at, node: () => h('code', { dir: 'ltr' }, inner.trim() || inner) };
}

/** Two marks on each side. @param {Marks} marks @param {number} at @param {string} mark @param {'strong' | 'del'} tag */
function marked(marks, at, mark, tag) {
  const { text } = marks;
  if (!text.startsWith(mark, at) || !text[at + 2] || SPACE.test(text[at + 2])) return null;
  const end = marks.next(
    mark,
    at + 3,
    mark === '__' ? (at) => !WORD.test(text[at + 2] ?? ' ') : undefined,
  );
  if (end > text.length || (tag === 'del' && end > marks.next('\n', at))) return null;
  return { end: end + 2, node: () => h(tag, {}, inline(text.slice(at + 2, end))) };
}

/** One mark on each side, in one line. @param {Marks} marks @param {number} at @param {string} mark */
function single(marks, at, mark) {
  const { text } = marks;
  const first = text[at + 1];
  if (!first || first === mark || SPACE.test(first)) return null;
  const end = text.indexOf(mark, at + 1);
  if (end < 0 || end > marks.next('\n', at) || (mark === '_' && WORD.test(text[end + 1] ?? ' ')))
    return null;
  return { end: end + 1, node: () => h('em', {}, inline(text.slice(at + 1, end))) };
}

/** @param {Marks} marks @param {number} at */
function link(marks, at) {
  const { text } = marks;
  const close = marks.next(']', at + 1);
  if (close === at + 1 || close > marks.next('\n', at) || text[close + 1] !== '(') return null;
  const end = marks.next(')', close + 2);
  if (end === close + 2 || end > marks.space(close + 2)) return null;
  const [label, href] = [text.slice(at + 1, close), text.slice(close + 2, end)];
  // Other schemes stay text.
  const isKnown = /^(https?:|mailto:)/i.test(href);
  return { end: end + 1, node: () => (isKnown ? anchor(href, label) : text.slice(at, end + 1)) };
}

/** A bare URL, without trailing punctuation. @param {Marks} marks @param {number} at @param {string} scheme */
function address({ text }, at, scheme) {
  const from = at + scheme.length;
  let end = from;
  while (end < text.length && !/[\s<>"')\]]/.test(text[end])) end += 1;
  while (end > from && /[.,;:!?]/.test(text[end - 1])) end -= 1;
  if (end === from) return null;
  const href = text.slice(at, end);
  return { end, node: () => anchor(href, href) };
}

/** @param {string} href @param {string} label */
const anchor = (href, label) =>
  h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, label);
