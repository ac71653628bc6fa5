// The client against the real server: answers, outcomes, restarts, abort signals, and a program that is not the server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';

import {
  Askback,
  AskbackProblem,
  choice,
  confirm,
  date,
  dateRange,
  form,
  NoAnswer,
  number,
  optional,
  several,
  text,
  Unreachable,
  verifyWebhook,
} from '../dist/index.js';
import { Server } from './server.mjs';

const server = new Server();
let ab;
before(async () => {
  await server.start();
  ab = new Askback({ data: server.directory, source: 'test' });
});
after(() => server.kill());

const statusOf = async (promise) => {
  const error = await promise.then(
    () => assert.fail('an answer'),
    (error) => error,
  );
  assert.ok(error instanceof NoAnswer, String(error));
  return error.outcome.status;
};

test('each kind comes back', async () => {
  const questions = form({
    go: ['Roll out?', confirm()],
    database: ['Database?', choice('PostgreSQL', 'SQLite')],
    regions: ['Regions?', several('eu', 'us')],
    name: ['Name?', text({ max_length: 20 })],
    replicas: ['Replicas?', number({ min: 1, integer: true })],
    launch: ['Launch?', date()],
    window: ['Window?', dateRange()],
    comment: ['Comment?', optional(text())],
  });
  const asked = ab.ask('Plan the launch.', questions, { key: 'form' });
  const window = { start: '2027-03-27', end: '2027-03-28' };
  await server.answer('Roll out?', false, 'SQLite', ['us'], 'Ada', 3, '2027-03-27', window, null);
  assert.deepEqual(await asked, {
    go: false,
    database: 'SQLite',
    regions: ['us'],
    name: 'Ada',
    replicas: 3,
    launch: '2027-03-27',
    window,
    comment: null,
  });
});

test('each other outcome has its status', async () => {
  for (const [way, status] of [['decline', 'declined'], ['reject', 'stopped'], ['cancel', 'stopped']]) {
    const inquiry = await ab.start(`${way}?`, confirm());
    await server.request('POST', `/inquiries/${inquiry.id}/${way}`, {});
    assert.equal((await inquiry.wait()).status, status);
  }
  assert.equal(await statusOf(ab.ask('Expire?', confirm(), { expires_in: '200ms' })), 'expired');
  const withdrawn = await ab.start('Withdraw?', confirm());
  assert.deepEqual([await withdrawn.withdraw(), await withdrawn.withdraw()], [true, false]);
  assert.equal(await statusOf(withdrawn.value()), 'gone');
});

test('a key resumes after the time to wait is over', async () => {
  assert.equal(await statusOf(ab.ask('Late?', confirm(), { key: 'late', timeoutMs: 100 })), 'pending');
  await server.answer('Late?', true);
  assert.equal(await new Askback({ data: server.directory }).ask('Late?', confirm(), { key: 'late', source: 'test' }), true);
  await assert.rejects(ab.ask('Another?', confirm(), { key: 'late' }), (error) => {
    return error instanceof AskbackProblem && error.code === 'idempotency_mismatch';
  });
});

test('an abort ends the wait and not the question', async () => {
  const abort = new AbortController();
  const inquiry = await ab.start('Abort?', confirm(), { key: 'abort' });
  const waiting = inquiry.wait({ signal: abort.signal });
  abort.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  await server.answer('Abort?', true);
  assert.equal(await ab.ask('Abort?', confirm(), { key: 'abort' }), true);
});

test('a wait goes on over a killed server, and the feed resumes', async () => {
  const inquiry = await ab.start('Survive?', confirm());
  const alone = await ab.start('Alone?', confirm());
  const events = ab.events({ after: '0' });
  const changeOf = async (wanted) => {
    for (;;) {
      const { value } = await events.next();
      if (value.type === 'inquiry' && value.data.inquiry.id === inquiry.id && value.data.change === wanted) return;
    }
  };
  await changeOf('asked');
  const waiting = inquiry.value();
  await server.kill();
  assert.equal((await alone.wait({ timeoutMs: 300 })).status, 'pending');
  // Nobody knows whether it is asked.
  const later = ab.ask('Later?', confirm(), { key: 'later', timeoutMs: 300 });
  await assert.rejects(later, (error) => error instanceof Unreachable && error.message.includes('the key "later"'));
  const stopped = ab.start('Never?', confirm(), { signal: AbortSignal.timeout(300) });
  await assert.rejects(stopped, { name: 'TimeoutError' });
  await server.start();
  await server.answer('Survive?', true);
  assert.equal(await waiting, true);
  await changeOf('resolved');
  await events.return();
});

test('wait any returns the first', async () => {
  const [slow, fast] = await Promise.all([ab.start('Slow?', confirm()), ab.start('Fast?', confirm())]);
  assert.equal(await statusOf(ab.waitAny([slow, fast], { timeoutMs: 100 })), 'pending');
  await server.answer('Fast?', true);
  assert.equal(await ab.waitAny([slow, fast]), fast);
});

test('fifty askers with one key ask once, and a run repeats its keys', async () => {
  const asked = await Promise.all(Array.from({ length: 50 }, () => ab.start('Same?', confirm(), { key: 'same' })));
  assert.equal(new Set(asked.map(({ id }) => id)).size, 1);
  const ids = [];
  for (let times = 0; times < 2; times++) {
    const run = ab.run('deploy-42');
    ids.push([(await run.start('Go on?', confirm())).id, (await run.start('Go on?', confirm())).id]);
  }
  assert.deepEqual(ids[0], ids[1]);
  assert.notEqual(ids[0][0], ids[0][1]);
});

test('a link opens the question', async () => {
  assert.match(await (await ab.start('Linked?', confirm())).link(), /^http:\/\/127\.0\.0\.1:/);
});

test('the token is sent only on the connection with the proof', async () => {
  const seen = [];
  let secret = 'guess';
  // Closes the connection after each response, as a server that is killed after its proof.
  const impostor = createServer((request, response) => {
    seen.push(request.url + JSON.stringify(request.headers));
    const message = `askback server proof 1\n${address}\n${request.url.split('nonce=')[1]}`;
    const proof = createHmac('sha256', secret).update(message).digest('hex');
    response.setHeader('connection', 'close').end(JSON.stringify({ proof }));
  });
  await new Promise((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const data = mkdtempSync(`${tmpdir()}/askback-client-`);
  const address = `http://127.0.0.1:${impostor.address().port}`;
  writeFileSync(`${data}/server.json`, JSON.stringify({ address, token: 'very-secret' }));
  await assert.rejects(new Askback({ data }).ask('Secret?', confirm()), Unreachable);
  chmodSync(`${data}/server.json`, 0o600);
  await assert.rejects(new Askback({ data }).ask('Secret?', confirm()), /is not the server/);
  secret = 'very-secret';
  await assert.rejects(new Askback({ data }).ask('Secret?', confirm()), Unreachable);
  impostor.close();
  impostor.closeAllConnections?.();
  assert.ok(seen.length > 0 && !seen.join().includes('very-secret'));
});

test('a proxy never gets the token of a server on this machine', async () => {
  const seen = [];
  const proxy = createServer((request, response) => {
    seen.push(request.url);
    response.writeHead(502).end();
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { address, token } = server.found;
  const program = `import { Askback, confirm } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
    for (const where of [{ data: ${JSON.stringify(server.directory)} }, ${JSON.stringify({ url: address, token })}]) {
      console.log((await new Askback(where).start('Directly?', confirm())).inquiry.status);
    }
    process.exit();`;
  writeFileSync(`${server.directory}/direct.mjs`, program);
  const url = `http://127.0.0.1:${proxy.address().port}`;
  const env = { ...process.env, HTTP_PROXY: url, http_proxy: url, NODE_USE_ENV_PROXY: '1', NO_PROXY: '', no_proxy: '' };
  const flags = globalThis.Deno ? ['run', '--allow-all'] : [];
  const asker = spawn(process.execPath, [...flags, `${server.directory}/direct.mjs`], { env });
  let printed = '';
  for await (const part of asker.stdout) printed += part;
  proxy.close();
  assert.equal(printed, 'pending\npending\n');
  assert.deepEqual(seen.filter((path) => path.includes(address)), []);
});

test('a page of another program is no response', async () => {
  const portal = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>'));
  await new Promise((resolve) => portal.listen(0, '127.0.0.1', resolve));
  const elsewhere = new Askback({ url: `http://127.0.0.1:${portal.address().port}`, token: 'a\nb' });
  await assert.rejects(elsewhere.ask('Anybody?', confirm()), /responded with 200 text\/html: is that an askback server/);
  portal.close();
  portal.closeAllConnections?.();
});

test('a page of a proxy goes by, and its refusal is told', async () => {
  let status = 521;
  const proxy = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').writeHead(status).end('<h1>No</h1>');
    status = 413;
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const asked = new Askback({ url: `http://127.0.0.1:${proxy.address().port}`, token: 'token' }).start('Proxy?', confirm());
  await assert.rejects(asked, (error) => error instanceof AskbackProblem && /413 : is that an askback server/.test(error));
  proxy.close();
  proxy.closeAllConnections?.();
});

test('an unknown status counts as pending', async () => {
  const statuses = ['thinking_about_it', 'answered'];
  const outcome = { type: 'answered', answers: [{ question: 'answer', value: true }] };
  const newer = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: 'inq_1', status: statuses.shift(), outcome }));
  });
  await new Promise((resolve) => newer.listen(0, '127.0.0.1', resolve));
  assert.equal(await new Askback({ url: `http://127.0.0.1:${newer.address().port}`, token: 'token' }).ask('Ready?', confirm()), true);
  newer.close();
  newer.closeAllConnections?.();
  assert.deepEqual(statuses, []);
});

test('the feed reads any text that an agent may write', async () => {
  const key = 'line\u2028data: {}\u2029next\u0085 🙂';
  const { id } = await ab.start('Any text?', confirm(), { key });
  for await (const { type, data } of ab.events({ after: '0' })) {
    if (type !== 'inquiry' || data.inquiry.id !== id) continue;
    assert.equal(data.inquiry.key, key);
    break;
  }
});

test('what cannot be sent or waited for is refused at once', async () => {
  await assert.rejects(ab.start('How?', confirm(), { metadata: { count: 1n } }), TypeError);
  await assert.rejects(ab.start('How?', confirm({ context: 'x'.repeat(50_000_000) })), /413 too_large/);
  await assert.rejects(ab.waitAny([]), RangeError);
  await assert.rejects(ab.ask('Stop?', confirm(), { signal: AbortSignal.abort(new Error('mine')) }), /mine/);
});

test('a damaged or missing file is named, and its content is not shown', async () => {
  const data = mkdtempSync(`${tmpdir()}/askback-client-`);
  writeFileSync(`${data}/server.json`, '{"token": "secret"', { mode: 0o600 });
  const isNamed = (file) => (error) =>
    error instanceof Unreachable && error.message.startsWith(`cannot read ${data}/${file} `) && !error.message.includes('secret');
  process.env.ASKBACK_TOKEN_FILE = `${data}/token`;
  await Promise.all([
    assert.rejects(new Askback({ data }).ask('Anybody?', confirm()), isNamed('server.json')),
    assert.rejects(new Askback({ url: 'http://127.0.0.1:1' }).ask('Anybody?', confirm()), isNamed('token')),
  ]);
  delete process.env.ASKBACK_TOKEN_FILE;
});

test('a timer cannot be longer than 24 days, and a longer wait does not end at once', async () => {
  const inquiry = await ab.start('Long?', confirm());
  const waiting = inquiry.value({ timeoutMs: 30 * 24 * 3_600_000 });
  await server.answer('Long?', true);
  assert.equal(await waiting, true);
});

test('only genuine webhooks are accepted', async () => {
  const [body, secret] = ['{"type":"inquiry_resolved","inquiry":{"id":"inq_1"}}', 'whsec_c2VjcmV0'];
  const mac = createHmac('sha256', secret).update(`1000.${body}`).digest('hex');
  const delivery = verifyWebhook(new TextEncoder().encode(body), `t=1000,v1=00,v1=${mac}`, secret, 1_100_000);
  assert.equal(delivery.inquiry.id, 'inq_1');
  for (const [header, now] of [['', 0], ['t=1000,v1=00', 1e6], [`t=1000,v1=${mac}`, 1.4e6], [`t=1001,v1=${mac}`, 1e6]]) {
    assert.throws(() => verifyWebhook(body, header, secret, now), /does not match the body|is too old/);
  }
});
