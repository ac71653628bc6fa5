// A back end that asks, and gives its page the token of that one question: node back-end.mjs
// ASKBACK_URL and ASKBACK_TOKEN (an administrator's) stay here; the page gets neither.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { ASKBACK_URL, ASKBACK_TOKEN, PORT = '8080' } = process.env;

async function askback(path, body) {
  const response = await fetch(ASKBACK_URL + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${ASKBACK_TOKEN}`, 'content-type': 'application/json' },
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const server = createServer(async (request, response) => {
  if (request.url === '/plain.js') {
    const script = readFileSync(new URL('plain.js', import.meta.url));
    return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
  }
  if (request.url !== '/deploy' && !request.url.startsWith('/plain.html'))
    return response.writeHead(404).end();
  if (request.url !== '/deploy') {
    const page = readFileSync(new URL('plain.html', import.meta.url));
    return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  }
  const { id } = await askback('/inquiries', {
    questions: [{ text: 'Deploy now?', kind: 'confirm' }],
  });
  const { token } = await askback(`/inquiries/${id}/tokens`, { expires_in: '1h' });
  const query = new URLSearchParams({ server: ASKBACK_URL, inquiry: id, token });
  return response.writeHead(303, { location: `/plain.html?${query}` }).end();
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/deploy`);
});
