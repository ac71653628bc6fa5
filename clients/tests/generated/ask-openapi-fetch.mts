// Asks, waits and answers with the types of openapi-typescript.

import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

declare const process: { env: Record<string, string | undefined> };

const client = createClient<paths>({
  baseUrl: process.env.ASKBACK_URL,
  headers: { authorization: `Bearer ${process.env.ASKBACK_TOKEN}` },
});
const asked = await client.POST('/inquiries', {
  body: {
    questions: [
      { id: 'db', text: 'Which database?', choices: ['PostgreSQL', 'SQLite'] },
      { id: 'go', text: 'Roll out?', kind: 'confirm' },
    ],
    key: 'openapi-typescript',
  },
});
if (!asked.data) throw new Error(asked.error.detail);
const path = { id: asked.data.id };
const [found] = await Promise.all([
  client.GET('/inquiries/{id}', { params: { path, query: { wait: '30s' } } }),
  client.POST('/inquiries/{id}/answer', {
    params: { path },
    body: { answers: { db: 'SQLite', go: true } },
  }),
]);
const outcome = found.data?.outcome;
if (outcome?.type !== 'answered') throw new Error('no answer');
const values = JSON.stringify(outcome.answers.map((each) => each.value));
if (values !== '["SQLite",true]') throw new Error(values);
console.log('openapi-typescript:', values);
