import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { expect, test } from './support/fixtures';
import { linkIn, waitForMail } from './support/mails';
import { register } from './support/people';

const run = promisify(execFile);

// With transitions, unlike the other files.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Runs the Node sample from the page. */
async function runSample(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Node' }).click();
  const code = await page.getByRole('tabpanel', { name: 'Node' }).locator('pre').innerText();
  await run(process.execPath, ['--input-type=module', '-e', code]);
}

async function makeProjectAndEndpoint(page: Page, url: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Web shop');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByLabel('URL').fill(url);
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page.getByText('Waiting for your first event…')).toBeVisible();
}

async function makeKey(page: Page): Promise<void> {
  await page.getByText('Or send it from your code').click();
  await page.getByRole('button', { name: 'Create an API key' }).click();
  await expect(page.getByText('This is your API key.')).toBeVisible();
}

test('a new account gets to a verified, signed delivery in under three minutes', async ({ page, receiver }) => {
  const started = Date.now();
  const email = await register(page);
  await makeProjectAndEndpoint(page, receiver.url);
  await makeKey(page);
  await runSample(page);
  await expect(page.getByText('Your first event was delivered')).toBeVisible();
  expect(Date.now() - started).toBeLessThan(180_000);

  await page.getByRole('link', { name: 'View events' }).click();
  await expect(page.getByRole('link', { name: 'order.paid' })).toHaveCount(1);
  await page.getByRole('link', { name: 'Endpoints' }).click();
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('button', { name: 'Show' }).click();
  const secret = await page
    .getByText(/whsec_[A-Za-z0-9+/]{43}=/)
    .first()
    .innerText();

  expect(receiver.received).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ type: 'order.paid', data: { orderId: 'ord_1042' } });
  expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
  expect(linkIn(await waitForMail(email, /./))).toContain('/verify-email?token=');
});

test('the setup guide resumes after a reload, and the session survives', async ({ page, receiver }) => {
  await register(page);
  await makeProjectAndEndpoint(page, receiver.url);
  await makeKey(page);
  await page.reload();
  await expect(page.getByText('Waiting for your first event…')).toBeVisible();
  await page.getByText('Or send it from your code').click();
  await expect(page.getByText('A key is shown only once')).toBeVisible();
  await expect(page.getByText(/eds_[0-9A-Za-z]{49}/)).toHaveCount(0);
});
