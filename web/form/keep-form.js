// Keeps what is in the form behind a link, in this tab, until it was sent: without a connection the browser would show
// an error page in place of the form, and forget what was typed. On the page that shows the outcome nothing is kept any
// longer than it can be undone.

const KEY = `askback-form:${location.pathname}`;
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[novalidate]'));
/** Longer than an answer can be undone, in milliseconds. */
const UNDO_MS = 6000;

/** What a person enters: hidden fields and buttons are not part of it. */
const controls = () =>
  [...(form?.elements ?? [])].filter(
    /** @returns {each is HTMLInputElement | HTMLTextAreaElement} */
    (each) =>
      each instanceof HTMLTextAreaElement ||
      (each instanceof HTMLInputElement && !['hidden', 'submit'].includes(each.type)),
  );

/** @param {HTMLInputElement | HTMLTextAreaElement} each */
const isTicked = (each) => each instanceof HTMLInputElement && each.checked;

function save() {
  const values = controls().map((each) => [each.name, each.value, isTicked(each)]);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // Storage is full or forbidden: go on without a copy.
  }
}

function restore() {
  /** @type {[string, string, boolean][]} */
  const values = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  for (const each of controls())
    for (const [name, value, isOn] of values) {
      if (name !== each.name) continue;
      const isTick = each instanceof HTMLInputElement && ['radio', 'checkbox'].includes(each.type);
      if (!isTick) each.value = value;
      else if (each.value === value) each.checked = isOn;
      // Fields that are folded while they are empty.
      const folded = each.closest('details');
      if (folded && (isTick ? isOn : value)) folded.open = true;
    }
}

/** Whether the server is being asked. */
let isAsking = false;

/** Asks the server for the page before the form leaves it. @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  // A second press sends nothing more.
  if (isAsking) return;
  isAsking = true;
  const notice = /** @type {HTMLElement} */ (form?.querySelector('[data-offline]'));
  notice.hidden = true;
  try {
    await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
  } catch {
    notice.hidden = false;
    notice.scrollIntoView({ block: 'center' });
    isAsking = false;
    return;
  }
  form?.removeEventListener('submit', submit);
  form?.requestSubmit(event.submitter);
}

try {
  if (form) restore();
  else
    setTimeout(() => sessionStorage.removeItem(KEY), document.querySelector('form') ? UNDO_MS : 0);
} catch {
  // Storage is forbidden, or what is in it was not written here.
}
form?.addEventListener('input', save);
form?.addEventListener('submit', submit);
