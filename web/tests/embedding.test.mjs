// The element in other people's pages: plain, React and Vue hosts run the examples and answer a question.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compileScript, parse } from 'vue/compiler-sfc';
import * as questions from './example-questions.mjs';
import {
  answersOf,
  ask,
  questionElement,
  call,
  waitForState,
  harness,
  measure,
  waitForEqual,
} from './harness.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const examples = join(here, '..', '..', 'examples', 'web');
/** The site of somebody else, on a port that is free; the server must know it when it starts. */
const host = createServer((request, response) => serve(request, response));
await new Promise((resolve) => {
  host.listen(0, '127.0.0.1', resolve);
});
const home = `http://127.0.0.1:${host.address().port}`;
/** The back ends of docs/embedding.md, each on a port of its own. @type {Record<string, { command: string[], port: number }>} */
const backEnds = {
  node: { command: [process.execPath, 'back-end.mjs'], port: await freePort() },
  python: { command: ['python3', 'back_end.py'], port: await freePort() },
};
const origins = [home, ...Object.values(backEnds).map(({ port }) => `http://127.0.0.1:${port}`)];
const it = harness({
  more: [
    ...origins.flatMap((origin) => ['--allow-origin', origin]),
    '--allow-origin',
    'null',
    '--frame-origin',
    home,
  ],
});

async function freePort() {
  const taken = createServer();
  await new Promise((resolve) => {
    taken.listen(0, '127.0.0.1', resolve);
  });
  const { port } = taken.address();
  await new Promise((resolve) => {
    taken.close(resolve);
  });
  return port;
}

/** Compiles a component of Vue as its plug-in for bundlers does, with the setting that the example asks for. */
const vue = {
  name: 'vue',
  setup(bundler) {
    bundler.onLoad({ filter: /\.vue$/ }, ({ path }) => {
      const { descriptor, errors } = parse(readFileSync(path, 'utf8'), { filename: path });
      assert.deepEqual(errors, []);
      const compilerOptions = { isCustomElement: (tag) => tag === 'askback-question' };
      return {
        contents: compileScript(descriptor, {
          id: 'question',
          inlineTemplate: true,
          templateOptions: { compilerOptions },
        }).content,
        loader: 'js',
        resolveDir: dirname(path),
      };
    });
  },
};

/** What a site of its own writes around the component. */
const mains = {
  react: `import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { Question } from '../../clients/element/react.js';
    const onResolved = ({ inquiry }) => { document.title = 'Done: ' + inquiry.status; };
    globalThis.mount = ({ server: src, ...props }) => createRoot(document.querySelector('#place')).render(createElement(Question, { src, ...props, onResolved }));`,
  vue: `import { createApp, h } from 'vue';
    import Question from './Question.vue';
    const onResolved = ({ status }) => { document.title = 'Done: ' + status; };
    globalThis.mount = (props) => createApp({ render: () => h(Question, { ...props, onResolved }) }).mount('#place');`,
};

/** What the site serves. */
const files = {
  '/plain.html': ['text/html', readFileSync(join(examples, 'plain.html'))],
  '/plain.js': ['text/javascript', readFileSync(join(examples, 'plain.js'))],
};

/** A page with one module tag for the element and one script for the site. */
const pageOf = (name) =>
  `<!doctype html><html lang="en"><title>${name}</title><script type="module" src="${it.server.base}/web/element.js"></script><script src="/${name}.js"></script><main id="place"></main></html>`;

function serve(request, response) {
  const { pathname, searchParams } = new URL(request.url, home);
  if (pathname === '/frame') {
    const link = searchParams.get('link').replaceAll('"', '');
    const page = `<!doctype html><title>frame</title><iframe src="${link}"></iframe>`;
    return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
  }
  const name = /^\/(react|vue)$/.exec(pathname)?.[1];
  // The policy that docs/embedding.md gives.
  const { base } = it.server;
  const policy = {
    'Content-Security-Policy': `default-src 'self'; script-src 'self' ${base}; connect-src 'self' ${base}`,
  };
  if (name)
    return response.writeHead(200, { 'Content-Type': 'text/html', ...policy }).end(pageOf(name));
  const [type, body] = files[pathname] ?? [];
  if (!body) return response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
  return response.writeHead(200, { 'Content-Type': type, ...policy }).end(body);
}

before(async () => {
  for (const [name, contents] of Object.entries(mains)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: examples, loader: 'js' },
      bundle: true,
      write: false,
      format: 'iife',
      plugins: [vue],
      nodePaths: [join(here, '..', 'node_modules')],
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    });
    files[`/${name}.js`] = ['text/javascript', outputFiles[0].contents];
  }
});
after(() => {
  host.closeAllConnections();
  host.close();
});

/** A page of the site; it may speak to itself and to the server, and to nobody else. */
async function visit(path) {
  const page = await (await it.context({ signedIn: false })).newPage();
  page.complaints = [];
  page.requested = [];
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') page.complaints.push(message.text());
  });
  page.sent = new Set();
  page.responses = [];
  page.on('request', (request) => {
    page.requested.push(request.url());
    page.sent.add(request.headers().authorization);
  });
  page.on('response', (response) => {
    const isFeed = response.headers()['content-type']?.startsWith('text/event-stream');
    if (!isFeed) page.responses.push(response.text().catch(() => ''));
  });
  await page.goto(home + path);
  return page;
}
/** The token of one question, which the back end of the site gets. */
async function tokenOf(inquiry) {
  const { status, body } = await call(it.server, 'POST', `/inquiries/${inquiry.id}/tokens`, {});
  assert.equal(status, 201, JSON.stringify(body));
  return body.token;
}

const isAtHome = (page) =>
  assert.deepEqual(
    page.requested.filter((url) => !url.startsWith(home) && !url.startsWith(it.server.base)),
    [],
  );

/** Its answer is final at once. */
const withoutUndo = (element) => element.evaluate((node) => node.setAttribute('undo', '0'));

async function answer(page, inquiry) {
  await withoutUndo(questionElement(page, inquiry));
  await questionElement(page, inquiry).getByRole('button', { name: 'MongoDB' }).click();
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['MongoDB']);
  await waitForState(page, inquiry, 'replied');
  await page.waitForFunction(() => document.title === 'Done: answered');
  assert.deepEqual(page.complaints, []);
  isAtHome(page);
}

/** React and Vue render the example with one module tag, before the element is known and after. */
test('the element works in React and Vue', async () => {
  for (const name of Object.keys(mains)) {
    for (const order of ['defined first', 'rendered first']) {
      const inquiry = await ask(it.server, questions.single);
      const page = await visit(`/${name}`);
      assert.equal(await page.locator('script[type=module]').count(), 1);
      if (order === 'defined first')
        await page.evaluate(() => customElements.whenDefined('askback-question').then(() => {}));
      await page.evaluate((props) => globalThis.mount(props), {
        server: it.server.base,
        token: await tokenOf(inquiry),
        inquiry: inquiry.id,
      });
      await answer(page, inquiry);
      await page.context().close();
    }
  }
});

/** A page without a framework, with one import, answers one question and shows another. */
test('the element works in a plain page of another site', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await visit(
    `/plain.html?server=${it.server.base}&inquiry=${inquiry.id}&token=${await tokenOf(inquiry)}`,
  );
  await answer(page, inquiry);
  const other = await ask(it.server, questions.single);
  const otherToken = await tokenOf(other);
  await questionElement(page, inquiry).evaluate(
    (node, [id, token]) => {
      node.setAttribute('token', token);
      node.setAttribute('inquiry', id);
    },
    [other.id, otherToken],
  );
  await questionElement(page, other).locator('form').waitFor();
  // The language is that of the page, whatever an element says.
  await page.evaluate(
    ([src, token, id]) => {
      const element = document.createElement('askback-question');
      for (const [name, value] of Object.entries({ src, token, inquiry: id, lang: 'de' }))
        element.setAttribute(name, value);
      document.body.append(element);
    },
    [it.server.base, otherToken, other.id],
  );
  const elements = page.locator(`askback-question[inquiry="${other.id}"]`);
  for (const at of [0, 1])
    await elements.nth(at).getByRole('button', { name: 'Let the agent decide' }).waitFor();
  await elements.nth(1).evaluate((node) => node.remove());
  await call(it.server, 'POST', `/inquiries/${other.id}/decline`, {});
  await waitForState(page, other, 'declined');
  isAtHome(page);
  await page.context().close();
});

/** A page has the credential of its question and no other, gets the text of no other question, and offers nothing that the
 * token does not permit. */
test('a page sends the token of its question, and sees no other question', async () => {
  const secret = await ask(it.server, {
    questions: [
      {
        question: 'May I publish the salaries?',
        header: 'Salaries',
        options: [{ label: 'Yes' }, { label: 'No' }],
        multiSelect: false,
      },
    ],
  });
  const inquiry = await ask(it.server, questions.single);
  const token = await tokenOf(inquiry);
  const page = await visit(
    `/plain.html?server=${it.server.base}&inquiry=${inquiry.id}&token=${token}`,
  );
  const element = questionElement(page, inquiry);
  await element.locator('form').waitFor();
  assert.equal(await element.getByText('Answer on another device').count(), 0);
  await call(it.server, 'POST', `/inquiries/${secret.id}/decline`, {});
  await answer(page, inquiry);
  page.sent.delete(undefined);
  assert.deepEqual([...page.sent], [`Bearer ${token}`]);
  for (const response of await Promise.all(page.responses))
    assert.doesNotMatch(response, /salaries/);
  assert.doesNotMatch(await page.content(), /salaries/);
  await page.context().close();
});

/** The whole loop: a back end asks with its own token, and its page answers with that of the question. */
test('small back ends in Node and Python ask, and their pages answer', async () => {
  for (const [name, { command, port }] of Object.entries(backEnds)) {
    const [program, ...args] = command;
    const env = { ASKBACK_URL: it.server.base, ASKBACK_TOKEN: it.server.token, PORT: String(port) };
    const child = spawn(program, args, {
      cwd: examples,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
      assert.ok(!first.done, `${name} starts`);
      const page = await (await it.context({ signedIn: false })).newPage();
      const sent = new Set();
      page.on('request', (request) => sent.add(request.headers().authorization));
      await page.goto(first.value);
      await page.getByRole('button', { name: 'Yes' }).waitFor();
      await withoutUndo(page.locator('askback-question'));
      await page.getByRole('button', { name: 'Yes' }).click();
      await page.waitForFunction(() => document.title === 'Done: answered');
      sent.delete(undefined);
      assert.deepEqual([...sent], [`Bearer ${new URL(page.url()).searchParams.get('token')}`]);
      await page.context().close();
    } finally {
      child.kill();
    }
  }
});

/** The page of a link can be shown in a frame of a named site; no other page can, and no other site. */
test('a named site frames the page of a link', async () => {
  const inquiry = await ask(it.server, questions.single);
  const { body } = await call(it.server, 'POST', `/inquiries/${inquiry.id}/links`, {});
  const page = await visit(`/frame?link=${encodeURIComponent(body.url)}`);
  await page.frameLocator('iframe').getByText('MongoDB').first().waitFor();
  const policy = async (path) => {
    const response = await fetch(path, { redirect: 'manual' });
    return /frame-ancestors [^;]*/.exec(response.headers.get('content-security-policy') ?? '')?.[0];
  };
  assert.equal(await policy(body.url), `frame-ancestors ${home}`);
  for (const path of ['/inbox', `/q/${inquiry.id}`])
    assert.equal(await policy(it.server.base + path), "frame-ancestors 'none'", path);
  await page.context().close();
});

/** A page without an origin may be allowed; the element leaves out what its page hides, and is styled from outside. */
test('a page without an origin hides and styles parts of the element', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await (await it.context({ signedIn: false })).newPage();
  const style = 'askback-question::part(heading) { letter-spacing: 3px }';
  const attributes = `src="${it.server.base}" inquiry="${inquiry.id}" token="${await tokenOf(inquiry)}"`;
  await page.setContent(
    `<style>${style}</style><script type="module" src="${it.server.base}/web/element.js"></script>
     <askback-question ${attributes} hide="stop let-decide"></askback-question>`,
  );
  const element = questionElement(page, inquiry);
  await element.getByRole('button', { name: 'MongoDB' }).waitFor();
  for (const name of ['Let the agent decide', 'Stop the agent'])
    assert.equal(await element.getByRole('button', { name }).count(), 0, name);
  const heading = element.getByRole('heading').first();
  const spacing = () => measure(heading, (node) => getComputedStyle(node).letterSpacing);
  await waitForEqual(spacing, '3px');
  await page.context().close();
});
