// While the model is asked again, the chat says why.
import { test } from 'node:test';
import { harness } from './harness.mjs';

const it = harness({
  more: ['--provider', 'openai', '--model', 'none', '--base-url', 'http://127.0.0.1:1/v1'],
  env: { OPENAI_API_KEY: 'a-key-for-the-tests' },
});

// The page is there before the first attempt: on a busy machine, all attempts may be over until a page is drawn.
test('a retry says why', async () => {
  const page = await it.open('/new');
  await page.getByRole('textbox').fill('Hello');
  await page.keyboard.press('Enter');
  await page
    .getByText(/Cannot reach .*127\.0\.0\.1 \(connection refused\).*, retry .*\d.* of .*6/)
    .waitFor();
  await page.context().close();
});
