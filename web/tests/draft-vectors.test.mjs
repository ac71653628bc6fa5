// draft.js follows the rules of the core's reducer: it replays test vectors that the core generated.
// The format is described in crates/testing/askback-testkit/src/draft_vectors.rs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildAnswers, missingAnswers, newDraft, reduce } from '../draft/draft.js';

const CASES_MIN = 1000;

/** The file that `cargo xtask web-test` has written, or fresh output of the generator. */
function readVectors() {
  const file = process.env.ASKBACK_DRAFT_VECTORS;
  if (file) return readFileSync(file, 'utf8');
  return execFileSync('cargo', ['xtask', 'draft-vectors'], {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  });
}

const vectors = readVectors()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The draft after an edit. Like the element, a skip also goes to the next page. */
function apply(questions, draft, edit) {
  const next = reduce(questions, draft, edit);
  if (edit.edit !== 'skip' || draft.page === 'review' || questions.length === 1) return next;
  const at = draft.page.question;
  if (!questions[at].optional) return next;
  const page = draft.from_review ? questions.length : at + 1;
  return reduce(questions, next, { edit: 'go_to', page });
}

/** As it is stored. */
const serialised = (value) => JSON.parse(JSON.stringify(value));

function replay({ questions, steps }, index) {
  let draft = newDraft(questions);
  steps.forEach(({ edit, draft: expected }, step) => {
    draft = apply(questions, draft, edit);
    assert.deepEqual(
      serialised(draft),
      expected,
      `case ${index}, step ${step}: ${JSON.stringify(edit)}`,
    );
  });
  return draft;
}

test('every edit leads to the draft of the core', () => {
  assert.ok(vectors.length >= CASES_MIN, `${vectors.length} cases`);
  vectors.forEach(replay);
});

test('what is sent is what the core sends', () => {
  for (const [index, vector] of vectors.entries()) {
    const { questions, answers, problem } = vector;
    const draft = replay(vector, index);
    const missing = missingAnswers(questions, draft);
    const name = `case ${index}: ${JSON.stringify({ draft, problem })}`;
    const isFoundHere =
      problem?.code === 'empty' ||
      (problem?.code === 'nothing_answered' && !draft.entries.some(({ skipped }) => skipped));
    if (answers) {
      assert.equal(missing, null, name);
      assert.deepEqual(serialised(buildAnswers({ questions }, draft)), answers, name);
    } else if (!problem) assert.deepEqual(missing, [], `${name}: the review comes first`);
    else if (!isFoundHere) assert.equal(missing, null, `${name}: the server finds it`);
    else if (problem.code === 'empty')
      assert.ok(
        missing?.some(({ id }) => id === problem.question),
        name,
      );
    else assert.deepEqual(missing, questions, name);
  }
});
