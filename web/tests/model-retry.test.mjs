// T-16: while the model is asked again, the chat says why.
import { test } from 'node:test';
import { call, harness } from './harness.mjs';

const it = harness({
  more: ['--provider', 'openai', '--model', 'none', '--base-url', 'http://127.0.0.1:1/v1'],
  env: { OPENAI_API_KEY: 'a-key-for-the-tests' },
});

test('a retry says why', async () => {
  const { body } = await call(it.server, 'POST', '/conversations', { message: 'Hello' });
  const page = await it.open(`/c/${body.id}`);
  await page
    .getByText(/Cannot reach .*127\.0\.0\.1 \(connection refused\).*, retry .*\d.* of .*6/)
    .waitFor();
  await page.context().close();
});
