// Reads {"strings": path, "languages": [{words, size, cases}]} on stdin and writes, for each
// language, what the browser's formatter makes of each case, and the gzip size of `size`.
import { gzipSync } from "node:zlib";

process.stdin.setEncoding("utf8");
let input = "";
for await (const chunk of process.stdin) input += chunk;
const { strings, languages } = JSON.parse(input);
const { createStrings } = await import(strings);
const results = languages.map(({ words, size, cases }) => {
  const say = createStrings(words, words.tag);
  return { size: gzipSync(size).length, said: cases.map(([id, args]) => say(id, args)) };
});
process.stdout.write(JSON.stringify(results));
