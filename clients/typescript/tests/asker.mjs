// Asks questions with keys, one after the other, and prints the answers.
import { Askback, number } from '../dist/index.js';

const [round, questions] = process.argv.slice(2);
const ab = new Askback({ source: 'asker' });
for (let at = 0; at < Number(questions); at++) {
  console.log(await ab.ask(`Question ${round}-${at}?`, number({ integer: true }), { key: `${round}/${at}` }));
}
