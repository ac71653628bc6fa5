// Asks, waits and answers with the client of @hey-api/openapi-ts.

import { answerInquiry, ask, readInquiry } from './hey-api/index.js';
import { client } from './hey-api/client.gen.js';

declare const process: { env: Record<string, string | undefined> };

client.setConfig({
  baseUrl: process.env.ASKBACK_URL as 'http://127.0.0.1:7777',
  auth: () => process.env.ASKBACK_TOKEN,
});
const asked = await ask({
  body: {
    questions: [
      { id: 'db', text: 'Which database?', choices: ['PostgreSQL', 'SQLite'] },
      { id: 'go', text: 'Roll out?', kind: 'confirm' },
    ],
    key: 'hey-api',
  },
  throwOnError: true,
});
const path = { id: asked.data.id };
const [found] = await Promise.all([
  readInquiry({ path, query: { wait: '30s' }, throwOnError: true }),
  answerInquiry({ path, body: { answers: { db: 'SQLite', go: true } }, throwOnError: true }),
]);
const outcome = found.data.outcome;
if (outcome?.type !== 'answered') throw new Error('no answer');
const values = JSON.stringify(outcome.answers.map((each) => each.value));
if (values !== '["SQLite",true]') throw new Error(values);
console.log('@hey-api/openapi-ts:', values);
