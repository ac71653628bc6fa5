// The icons: lines on a grid of 24, in the colour of the text around them. Drawn as nodes, so that the
// policy of the page allows them.

const SVG = 'http://www.w3.org/2000/svg';

/** One path for each icon. */
const PATHS = {
  alert: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.3v.2',
  'arrow-down': 'M12 5v14M6 13l6 6 6-6',
  'arrow-up': 'M12 19V5M6 11l6-6 6 6',
  back: 'M19 12H5M11 6l-6 6 6 6',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  chat: 'M4 5h16v11H11l-5 4v-4H4z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm6 9 6 6 6-6',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  inbox: 'M4 5h16v14H4zM4 13h5l1.5 2.5h3L15 13h5',
  keyboard: 'M3 6.5h18v11H3zM7 10h.1M10.3 10h.1M13.6 10h.1M17 10h.1M8 14h8',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M6 12h12',
  next: 'm9 6 6 6-6 6',
  note: 'M5 4h14v11l-5 5H5zM14 20v-5h5M8.5 8.5h7M8.5 12h4',
  phone: 'M7 3h10v18H7zM11 18h2',
  plus: 'M12 5v14M5 12h14',
  previous: 'm15 6-6 6 6 6',
  question:
    'M9 9.3a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 2M12 17.3v.2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4 4',
  settings: 'M4 8h9M17 8h3M4 16h3M11 16h9M15 6v4M9 14v4',
  snooze: 'M5 6h6l-6 7h6M14 11h5l-5 6h5',
  sort: 'M8 5v14M4.5 15.5 8 19l3.5-3.5M16 19V5M12.5 8.5 16 5l3.5 3.5',
  stop: 'M7 7h10v10H7z',
  trash: 'M5 7h14M9.5 7V4h5v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  undo: 'M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3',
  waiting: 'M6 12h.1M12 12h.1M18 12h.1',
};

/** Icons that point along the line of text: mirrored where that runs from right to left. */
const DIRECTED = ['back', 'next', 'previous', 'undo'];

/** @typedef {keyof typeof PATHS} IconName */

/**
 * An icon beside a text, or in a button with a name of its own: screen readers skip it.
 * @param {IconName} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon${DIRECTED.includes(name) ? ' directed' : ''}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
