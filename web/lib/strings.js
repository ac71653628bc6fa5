// @ts-check
/**
 * Formats the messages that `askback-locale` compiles from its Fluent files (docs/locales.md).
 *
 * @typedef {string | Part[]} Message
 * @typedef {string | [string] | [string, Record<string, Message>, string]} Part
 * @typedef {{ tag: string, rules: string, dir: "ltr" | "rtl", messages: Record<string, Message> }} Words
 * @typedef {Record<string, string | number>} Args
 */

/**
 * Creates the formatter of one language. Arguments are put between isolation marks, so that their
 * direction does not affect the text around them.
 *
 * @param {Words} json the compiled messages
 * @param {string} [tag] the language, where it is not the one in `json`
 * @returns {(id: string, args?: Args) => string}
 */
export function createStrings(json, tag) {
  const rules = json.rules || tag || 'en';
  const plurals = new Intl.PluralRules(rules);
  const numbers = new Intl.NumberFormat(rules, {
    numberingSystem: 'latn',
    useGrouping: false,
    maximumFractionDigits: 20,
  });

  /** @type {(variants: Record<string, Message>, value: string | number) => string | undefined} */
  const fitting = (variants, value) => {
    const keys = typeof value === 'number' ? [String(value), plurals.select(value)] : [value];
    return keys.find((key) => Object.hasOwn(variants, key));
  };

  /** @type {(message: Message, args: Args) => string} */
  const format = (message, args) =>
    typeof message === 'string' ? message : message.map((part) => formatPart(part, args)).join('');

  /** @type {(part: Part, args: Args) => string} */
  const formatPart = (part, args) => {
    if (typeof part === 'string') return part;
    const [name, variants, otherwise] = part;
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (variants) {
      const key = value === undefined ? undefined : fitting(variants, value);
      return format(variants[key ?? /** @type {string} */ (otherwise)], args);
    }
    if (value === undefined) return `{$${name}}`;
    return `\u2068${typeof value === 'number' ? numbers.format(value) : value}\u2069`;
  };

  return (id, args = {}) =>
    Object.hasOwn(json.messages, id) ? format(json.messages[id], args) : id;
}
