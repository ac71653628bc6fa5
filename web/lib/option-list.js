import { h } from './dom.js';

/** The options of a menu. @param {string[][]} choices values and labels @param {string} [chosen] */
export const optionList = (choices, chosen) =>
  choices.map(([value, label]) => h('option', { value, selected: value === chosen }, label));
