// Uses everything of the client once, and prints what it got. The server is the one that ASKBACK_URL names.
import { Askback, choice, confirm, date, dateRange, form, number, optional, several, text } from '../dist/index.js';

const ab = new Askback({ source: 'tour' });
const options = { expires_in: '2h', recipient: 'zoe', metadata: { build: 42 }, assumption: 'Nobody objects.' };
const values = await ab.ask(
  'All kinds.',
  form({
    confirmed: ['Roll out?', confirm({ header: 'Roll-out', context: 'The canary is green.' })],
    amount: ['How many?', number({ min: 1, max: 9, step: 1, integer: true, message: '1 to 9.' })],
    name: ['Name?', text({ min_length: 1, max_length: 20, pattern: '.*', placeholder: 'Ada' })],
    day: ['Day?', date({ min: '2027-01-01' })],
    days: ['Days?', dateRange()],
    database: ['Database?', choice('PostgreSQL', { label: 'SQLite', value: 'sqlite', description: 'One file' })],
    regions: ['Regions?', several.own('eu', 'us')],
    comment: ['Comment?', optional(text())],
  }),
  { key: 'tour', webhook: 'https://ci.example/askback', ...options },
);
const started = await ab.start('Withdraw me?', confirm());
const link = await started.link('1h');
const isWithdrawn = await started.withdraw();
const other = await ab.start('Either?', choice('a', 'b'), { conversation_id: undefined });
const first = await (await ab.waitAny([other])).value();
let event;
for await (event of ab.events({ after: '6' })) break;
console.log(JSON.stringify({ values, link, isWithdrawn, first, event }));
