// The state of <askback-question> follows from what happened: every phase meets every inquiry from every origin.
import assert from 'node:assert/strict';
import { test } from 'node:test';

// Modules of the page listen to its window.
globalThis.addEventListener ??= () => {};
const { EMPTY, reduce } = await import('../question/state.js');
const { undoneHere } = await import('../draft/outbox.js');

const open = { id: 'inq_1', status: 'pending', version: 1, questions: [{ id: 'q1' }] };
const held = { ...open, version: 2, held: { answered_by: 'Bo', until: '2030-01-01T00:00:05Z' } };
const answered = { ...open, version: 3, status: 'answered', answered_by: 'Bo' };
const expired = { ...open, version: 3, status: 'expired' };
const PHASES = ['', 'sending', 'offline', 'unreachable', 'missing', 'refused', 'late', 'late_sent'];
const ORIGINS = ['feed', 'accepted', 'refused'];
const errors = [{ code: 'empty', message: 'Choose one' }];

const after = (state, inquiry, origin = 'feed') =>
  reduce(state, { type: 'inquiry', inquiry, origin });

/** @param {(combination: { phase: string, origin: string, state: object }) => void} check */
function inEveryPhase(inquiry, check) {
  for (const phase of PHASES)
    for (const origin of ORIGINS)
      check({ phase, origin, state: { ...EMPTY, inquiry, phase, errors } });
}

test('an inquiry that is older than the known one changes nothing', () => {
  inEveryPhase(answered, ({ state, origin }) => assert.equal(after(state, open, origin), state));
});

test('an outcome ends every phase but that of a late answer, and all errors', () => {
  inEveryPhase(open, ({ state, phase, origin }) => {
    const next = after(state, answered, origin);
    assert.equal(next.phase, phase.startsWith('late') ? phase : '', `${phase} ${origin}`);
    assert.deepEqual(next.errors, []);
    assert.equal(next.inquiry.status, 'answered');
  });
});

test('only the reply to what was sent says that it was sent here', () => {
  inEveryPhase(open, ({ state, origin }) => {
    for (const inquiry of [held, answered])
      assert.equal(after(state, inquiry, origin).isSentHere, origin === 'accepted');
  });
  const sentHere = after({ ...EMPTY, inquiry: open }, held, 'accepted');
  assert.equal(after(sentHere, answered).isSentHere, true, 'the feed takes nothing away');
});

test('who was too late is told whose answer counts, and nobody else', () => {
  inEveryPhase(open, ({ state, phase, origin }) => {
    const isTooLate = origin === 'refused' && ['sending', 'offline'].includes(phase);
    const conflict = isTooLate ? 'web-conflict' : '';
    assert.equal(after(state, answered, origin).notice, conflict, `${phase} ${origin}`);
    assert.equal(after(state, expired, origin).notice, isTooLate ? 'web-too-late' : '');
  });
  assert.equal(after({ ...EMPTY, inquiry: open }, held, 'refused').notice, 'web-conflict');
});

test('an answer that was undone is said to have been, to whoever gave it', () => {
  const reopened = { ...open, version: 4 };
  const sentHere = after({ ...EMPTY, inquiry: open }, held, 'accepted');
  assert.equal(after(sentHere, reopened).notice, 'web-undone-elsewhere');
  assert.equal(after({ ...EMPTY, inquiry: held }, reopened).notice, '');
  undoneHere.add(open.id);
  assert.equal(after(sentHere, reopened).notice, 'web-undone');
  undoneHere.delete(open.id);
  assert.equal(after(sentHere, reopened).isSentHere, false);
});

test('an answer refused for one that was undone meanwhile can be sent again', () => {
  const state = { ...EMPTY, inquiry: open, phase: 'sending' };
  assert.equal(after(state, { ...open, version: 4 }, 'refused').phase, '');
  assert.equal(after(state, { ...open, version: 4 }, 'feed').phase, 'sending');
});

test('an inquiry that can be read again is shown again', () => {
  for (const phase of ['unreachable', 'missing', 'refused'])
    assert.equal(after({ ...EMPTY, inquiry: open, phase }, { ...open, version: 2 }).phase, '');
});

test('questions stay when the conversation was deleted, but not those of another inquiry', () => {
  const state = { ...EMPTY, inquiry: open };
  assert.deepEqual(after(state, { ...answered, questions: [] }).inquiry.questions, open.questions);
  assert.deepEqual(after(state, { ...answered, id: 'inq_2', questions: [] }).inquiry.questions, []);
});

test('errors end what is being sent, and keep a late answer open', () => {
  const next = (phase) => reduce({ ...EMPTY, phase }, { type: 'errors', errors });
  assert.deepEqual([next('sending').phase, next('late').phase], ['', 'late']);
  assert.deepEqual(next('late').errors, errors);
});
