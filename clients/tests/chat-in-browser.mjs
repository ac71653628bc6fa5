// Sends a message in examples/chat, answers the question of the model, and prints the reply: chat-in-browser.mjs URL
import { browser } from '../../web/tests/chromium.mjs';

const chromium = await browser();
const page = await chromium.newPage();
page.setDefaultTimeout(110_000);
await page.goto(process.argv[2]);
await page.getByRole('button', { name: 'Send' }).click();
await page.locator('askback-question').getByRole('button', { name: 'bicycle' }).click();
console.log(await page.locator('.reply').textContent());
if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
await chromium.close();
