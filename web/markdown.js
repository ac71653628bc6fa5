// A small part of Markdown, built as nodes: headings, lists, quotes, code, tables' text, emphasis, links.
// No HTML, no images: what is not known stays the text that it is.

import { h } from './dom.js';

const FENCE = /^\s{0,3}(\x60{3,}|~{3,})\s*([\w+-]*)\s*$/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const ITEM = /^(\s*)([-*+]|(\d{1,9})[.)])\s+(.*)$/;
/** Deeper quotes and lists than this stay text. */
const DEPTH_MAX = 6;

/**
 * The nodes of a text. Headings begin below those of the page.
 * @param {string} text
 * @returns {Node[]}
 */
export const markdown = (text) => blocks(text.replace(/\r\n?/g, '\n').split('\n'), 0);

/** @param {string[]} lines @param {number} depth @returns {Node[]} */
function blocks(lines, depth) {
  /** @type {Node[]} */
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === '') at += 1;
    else if (fence) at = code(lines, at, fence, nodes);
    else if (heading) {
      nodes.push(h('p', { role: 'heading', 'aria-level': Math.min(heading[1].length + 2, 6), class: 'heading', dir: 'auto' }, inline(heading[2])));
      at += 1;
    } else if (RULE.test(line)) {
      nodes.push(h('hr'));
      at += 1;
    } else if (depth < DEPTH_MAX && QUOTE.test(line)) at = quote(lines, at, depth, nodes);
    else if (depth < DEPTH_MAX && ITEM.test(line)) at = list(lines, at, depth, nodes);
    else at = paragraph(lines, at, nodes);
  }
  return nodes;
}

/** @param {string[]} lines @param {number} at @param {RegExpExecArray} fence @param {Node[]} nodes */
function code(lines, at, fence, nodes) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence[1])) end += 1;
  nodes.push(h('pre', { dir: 'ltr', tabindex: 0 }, h('code', {}, lines.slice(at + 1, end).join('\n'))));
  return end + 1;
}

/** @param {string[]} lines @param {number} at @param {number} depth @param {Node[]} nodes */
function quote(lines, at, depth, nodes) {
  const inner = [];
  for (; at < lines.length && QUOTE.test(lines[at]); at += 1) inner.push(lines[at].replace(QUOTE, '$1'));
  nodes.push(h('blockquote', { dir: 'auto' }, blocks(inner, depth + 1)));
  return at;
}

/** @param {string[]} lines @param {number} at @param {number} depth @param {Node[]} nodes */
function list(lines, at, depth, nodes) {
  const first = /** @type {RegExpExecArray} */ (ITEM.exec(lines[at]));
  const indent = first[1].length;
  const isNumbered = first[3] !== undefined;
  const items = [];
  while (at < lines.length) {
    const item = ITEM.exec(lines[at]);
    if (!item || item[1].length > indent + 1 || item[1].length < indent || (item[3] !== undefined) !== isNumbered) break;
    const inner = [item[4]];
    for (at += 1; at < lines.length && (/^\s{2,}\S/.test(lines[at]) || (lines[at].trim() === '' && /^\s{2,}\S/.test(lines[at + 1] ?? ''))); at += 1) {
      const next = ITEM.exec(lines[at]);
      if (next && next[1].length <= indent + 1) break;
      inner.push(lines[at].slice(Math.min(indent + 2, /** @type {number} */ (lines[at].search(/\S|$/)))));
    }
    items.push(h('li', { dir: 'auto' }, inner.length === 1 ? inline(inner[0]) : blocks(inner, depth + 1)));
  }
  nodes.push(isNumbered ? h('ol', { start: first[3] }, items) : h('ul', {}, items));
  return at;
}

/** @param {string[]} lines @param {number} at @param {Node[]} nodes */
function paragraph(lines, at, nodes) {
  const from = at;
  do at += 1; while (at < lines.length && lines[at].trim() !== '' && ![FENCE, HEADING, RULE, QUOTE, ITEM].some((start) => start.test(lines[at])));
  nodes.push(h('p', { dir: 'auto' }, inline(lines.slice(from, at).join('\n'))));
  return at;
}

const INLINE = /(`+)(.+?)\1(?!`)|\*\*(?=\S)([\s\S]+?)\*\*|(?<!\w)__(?=\S)([\s\S]+?)__(?!\w)|\*(?=\S)([^*\n]+?)\*|(?<!\w)_(?=\S)([^_\n]+?)_(?!\w)|~~(?=\S)(.+?)~~|\[([^\]\n]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/;

/** @param {string} text @returns {(Node | string)[]} */
function inline(text) {
  /** @type {(Node | string)[]} */
  const nodes = [];
  for (let rest = text; rest;) {
    const found = INLINE.exec(rest);
    if (!found) return [...nodes, rest];
    if (found.index > 0) nodes.push(rest.slice(0, found.index));
    nodes.push(span(found));
    rest = rest.slice(found.index + found[0].length);
  }
  return nodes;
}

/** @param {RegExpExecArray} found @returns {Node | string} */
function span(found) {
  const [all, , code, strong, strongToo, em, emToo, del, label, href, url] = found;
  if (code !== undefined) return h('code', { dir: 'ltr' }, code.trim() || code);
  if (strong ?? strongToo) return h('strong', {}, inline(strong ?? strongToo));
  if (em ?? emToo) return h('em', {}, inline(em ?? emToo));
  if (del) return h('del', {}, inline(del));
  const target = href ?? url;
  // Only what leads to a page or a mailbox; everything else stays text.
  if (!/^(https?:|mailto:)/i.test(target)) return all;
  return h('a', { href: target, target: '_blank', rel: 'noopener noreferrer nofollow' }, label ?? url);
}
