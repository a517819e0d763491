import type { Page } from '@playwright/test';
import { BASE_URL, callApi, makeWorkspace, PASSWORD } from './support/api';
import { fetchChecked } from './support/check-response';
import { waitForDialogsClosed } from './support/dialogs';
import { expect, test } from './support/fixtures';

const PLAINTEXT = /^eds_[0-9A-Za-z]{49}$/;

async function openKeys(page: Page, email: string, projectId: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto(`/projects/${projectId}/keys`);
  await expect(page.getByRole('heading', { name: 'API keys', level: 1 })).toBeVisible();
}

/** Sends one event as a server would. */
async function send(key: string): Promise<{ status: number; code?: string }> {
  const response = await fetchChecked(`${BASE_URL}/api/v1/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ type: 'order.paid', data: { orderId: 'ord_1' } }),
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, ...(code === undefined ? {} : { code }) };
}

async function lastUseOf(token: string, projectId: string, hint: string): Promise<string | null> {
  const path = `/projects/${projectId}/api-keys`;
  const { data } = await callApi<{ data: { hint: string; lastUsedAt: string | null }[] }>('GET', path, {
    token,
  });
  return data.find((key) => key.hint === hint)?.lastUsedAt ?? null;
}

const rowOf = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text });

async function choose(page: Page, row: ReturnType<typeof rowOf>, item: string): Promise<void> {
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Reads the key from the dialog, copies it and closes the dialog. */
async function copyKey(page: Page): Promise<string> {
  const shown = await page.getByRole('dialog').getByRole('region', { name: 'Key', exact: true }).innerText();
  const plaintext = shown.trim();
  expect(plaintext).toMatch(PLAINTEXT);
  await page.getByRole('button', { name: 'Copy key', exact: true }).click();
  // Until the clipboard has the key, the dialog asks before it closes.
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(plaintext);
  await page.getByRole('button', { name: 'Done' }).click();
  await waitForDialogsClosed(page);
  return plaintext;
}

const makeOwn = () => makeWorkspace('http://127.0.0.1:9/unused');

test('a key is created, sends events, is rotated without a grace period, and its replacement is revoked', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { email, token, projectId } = await makeOwn();
  await openKeys(page, email, projectId);

  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Checkout');
  await page.getByRole('button', { name: 'Create key' }).click();
  const old = await copyKey(page);
  const oldRow = rowOf(page, `${old.slice(0, 8)}…${old.slice(-4)}`);
  await expect(oldRow).toContainText('Read and write');
  await expect(oldRow).toContainText('Active');
  await expect(oldRow).toContainText('Not yet (up to a minute late)');
  await expect(oldRow).toContainText('by Grace Hopper');
  expect(await send(old)).toEqual({ status: 202 });

  await choose(page, oldRow, 'Rotate');
  const checked = page.getByRole('radio', { name: '24 h' });
  await expect(checked).toBeFocused();
  await page.keyboard.press('Space');
  await expect(checked).toBeChecked();
  await expect(page.getByText(/^The old key is valid until \d+ \w+( \d{4})? \d\d:\d\d \S+\.$/)).toBeVisible();
  await page.getByText('None', { exact: true }).click();
  await expect(page.getByText('The old key stops working immediately.')).toBeVisible();
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await expect(page.getByText('is no longer valid.')).toBeVisible();
  const replacement = await copyKey(page);
  expect(await send(old)).toEqual({ status: 401, code: 'api_key_expired' });
  expect(await send(replacement)).toEqual({ status: 202 });

  await expect(oldRow).toContainText('Expired');
  const hint = `${replacement.slice(0, 8)}…${replacement.slice(-4)}`;
  const newRow = rowOf(page, hint).filter({ hasNotText: 'Replaced by' });
  await expect(newRow).toContainText('Checkout');
  await oldRow.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Rotate' })).toContainText('Rotate its replacement');
  await page.keyboard.press('Escape');

  // The last use is recorded after the response.
  await expect.poll(() => lastUseOf(token, projectId, hint)).not.toBeNull();
  await choose(page, newRow, 'Revoke');
  await expect(page.getByRole('alertdialog')).toContainText(
    /Takes effect immediately\. Last used (just now|\d+ s ago)\./,
  );
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(newRow).toContainText('Revoked');
  expect(await send(replacement)).toEqual({ status: 401, code: 'api_key_revoked' });
});

test('a click anywhere in the row of a key opens it', async ({ page }) => {
  const { email, token, projectId } = await makeOwn();
  await callApi('POST', `/projects/${projectId}/api-keys`, { token, body: { name: 'Shop' } });
  await openKeys(page, email, projectId);
  // The link of the row covers its cells.
  await rowOf(page, 'Shop').getByRole('cell').nth(2).click({ force: true });
  await expect(page).toHaveURL(/\/keys\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Shop');
});

test('a rotation shows when the old key ends, and its row links to the replacement', async ({ page }) => {
  const { email, token, projectId } = await makeOwn();
  const inTwoHours = new Date(Date.now() + 2 * 3_600_000).toISOString();
  const body = { name: 'Brief', expiresAt: inTwoHours };
  await callApi('POST', `/projects/${projectId}/api-keys`, { token, body });
  await openKeys(page, email, projectId);
  await expect(rowOf(page, 'Brief')).toContainText(/Expires in (1|2) h/);

  await choose(page, rowOf(page, 'Brief'), 'Rotate');
  await expect(page.getByText(/^The old key is valid until .*, when it expires\.$/)).toBeVisible();
  await page.getByText('1 h', { exact: true }).click();
  await expect(page.getByText(', when it expires.')).toHaveCount(0);
  await page.getByText('Custom', { exact: true }).click();
  await page.getByLabel('Hours').fill('9000');
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await expect(page.getByLabel('Hours')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Hours').fill('48');
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await expect(page.getByText(/is valid until .* Until then, both keys work\./)).toBeVisible();

  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Close without copying the key?');
  await page.getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('dialog', { name: 'Key “Brief”' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close without copying' }).click();
  await waitForDialogsClosed(page);

  const old = rowOf(page, 'Replaced by');
  await expect(old).toContainText(/Rotating, expires in (1|2) h/);
  const link = old.getByRole('link', { name: /^eds_/ });
  await link.click();
  const replacement = rowOf(page, 'Brief').filter({ hasNotText: 'Replaced by' });
  await expect(replacement).toContainText((await link.innerText()).trim());
  await expect(replacement.locator('[id^="key-"]')).toBeFocused();

  await choose(page, replacement, 'Revoke');
  await expect(page.getByRole('alertdialog')).toContainText(/The key it replaced, eds_\S+, is still valid until/);
});

test('a leaked key is replaced without downtime and then revoked, in six clicks each, after its users are seen', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { email, token, projectId } = await makeOwn();
  const made = { token, body: { name: 'Leaked' } };
  const { key: leaked } = await callApi<{ key: string }>('POST', `/projects/${projectId}/api-keys`, made);
  expect(await send(leaked)).toEqual({ status: 202 });
  await openKeys(page, email, projectId);
  let clicks = 0;
  const click = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
    await page.getByRole(role, { name, exact: true }).click();
    clicks += 1;
  };

  await rowOf(page, 'Leaked').getByRole('link').first().click();
  await expect(page.getByText('from 127.0.0.1', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: '127.0.0.1' })).toContainText('1 event');
  const old = page.url();
  await callApi('POST', `/projects/${projectId}/endpoints`, { key: leaked, body: { url: 'https://thief.example/' } });
  await page.getByRole('tab', { name: 'What it changed' }).click();
  await expect(rowOf(page, 'https://thief.example/')).toContainText('Endpoint created');
  await click('Rotate');
  await click('Rotate key');
  const shown = await page.getByRole('dialog').getByRole('region', { name: 'Key', exact: true }).innerText();
  await click('Copy key');
  await click('Done');
  await waitForDialogsClosed(page);
  expect(clicks + 1).toBeLessThanOrEqual(6);
  for (const key of [leaked, shown.trim()]) expect(await send(key)).toEqual({ status: 202 });

  await page.goto(`/projects/${projectId}/keys`);
  clicks = 0;
  await rowOf(page, /Rotating, expires/)
    .getByRole('link')
    .first()
    .click();
  await expect(page).toHaveURL(old);
  await click('Revoke');
  await click('Revoke key');
  expect(clicks + 1).toBeLessThanOrEqual(6);
  await expect(page.getByRole('main')).toContainText('Revoked');
  expect(await send(leaked)).toEqual({ status: 401, code: 'api_key_revoked' });
  expect(await send(shown.trim())).toEqual({ status: 202 });
});

test('Escape while a key is being created does not lose it', async ({ page }) => {
  const { email, projectId } = await makeOwn();
  await openKeys(page, email, projectId);
  await page.route('**/api-keys', async (route) => {
    if (route.request().method() === 'POST') await page.keyboard.press('Escape');
    await route.continue();
  });
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Checkout');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('dialog', { name: 'Key “Checkout”' })).toBeVisible();
});
