// The name of an app in the language of the page.

import { languageTag } from './i18n.js';

/** @import { App } from './wire.d.ts' */

/** @param {App} app */
export const localAppName = ({ name, names }) =>
  names?.[languageTag()] ?? names?.[languageTag().split('-')[0]] ?? name;
