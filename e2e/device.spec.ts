import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { callApi, PASSWORD } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { register } from './support/people';
import { runSql } from './support/run-sql';

interface DeviceCodes {
  deviceCode: string;
  userCode: string;
  verificationUriComplete: string;
  interval: number;
}

/** Imitates a command line: requests a code, and polls at the given interval. */
async function startClient(baseURL: string | undefined, clientName = 'eds on build-box') {
  const codes = await callApi<DeviceCodes>(baseURL ?? '', 'POST', '/auth/device/code', { body: { clientName } });
  let polled = false;
  const poll = async () => {
    if (polled) await sleep(codes.interval * 1000 + 200);
    polled = true;
    const response = await fetchChecked(`${baseURL}/api/v1/auth/device/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ deviceCode: codes.deviceCode }),
    });
    return { status: response.status, json: (await response.json()) as { code?: string; accessToken?: string } };
  };
  return { ...codes, poll };
}

/** Returns the path of a link to another base URL than that of the tests. */
function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const question = (page: Page) => page.getByRole('heading', { name: 'Let this device sign in as you?' });

test('a link leads through sign-in to the request, and approving it signs the device in', async ({
  page,
  context,
  baseURL,
}) => {
  const email = await register(page);
  await context.clearCookies();
  const client = await startClient(baseURL);
  await page.goto(pathOf(client.verificationUriComplete));
  await expect(page).toHaveURL(/\/login\?returnTo=%2Fdevice/);
  await signIn(page, email);
  await expect(question(page)).toBeVisible();
  const credentials = { body: { email, password: PASSWORD } };
  const { organization } = await callApi<{ organization: { name: string } }>(
    baseURL ?? '',
    'POST',
    '/auth/login',
    credentials,
  );
  for (const shown of [client.userCode, 'eds on build-box', /^(127\.0\.0\.1|::1)$/, email, organization.name]) {
    await expect(page.getByRole('main').getByText(shown).first()).toBeVisible();
  }
  expect((await client.poll()).json.code).toBe('authorization_pending');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'Approved' })).toBeVisible();

  const { status, json } = await client.poll();
  expect(status).toBe(200);
  const me = await callApi<{ user: { email: string } }>(baseURL ?? '', 'GET', '/auth/me', {
    token: json.accessToken ?? '',
  });
  expect(me.user.email).toBe(email);
  await page.getByRole('link', { name: 'View sessions' }).click();
  await page.getByRole('button', { name: /^Close the session on .*build-box/ }).click();
  await expect(page.getByText('Session closed: CLI on')).toBeVisible();
  await expect(callApi(baseURL ?? '', 'GET', '/auth/me', { token: json.accessToken ?? '' })).rejects.toThrow('401');
});

test('denying a request works by keyboard and tells the device', async ({ page, baseURL }) => {
  await register(page);
  const client = await startClient(baseURL, 'a stranger');
  await page.goto('/device');
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.keyboard.type(client.userCode.replace('-', '').toLowerCase());
  await expect(page.getByLabel('Code')).toHaveValue(client.userCode);
  await page.keyboard.press('Enter');
  await expect(question(page)).toBeFocused();
  const deny = page.getByRole('button', { name: 'Deny' });
  for (let presses = 0; presses < 5; presses++) {
    if (await deny.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(deny).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Denied' })).toBeFocused();
  expect((await client.poll()).json.code).toBe('access_denied');
  await page.reload();
  await expect(page.getByText('No request matches this code')).toBeVisible();
});

test('an invalid code is refused in the browser, and unknown codes by the server until its limit', async ({ page }) => {
  await register(page);
  await page.goto('/device?userCode=%3Cb%3E');
  const code = page.getByLabel('Code');
  await code.fill('ABCD-EFGH');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter eight letters')).toBeVisible();
  const letters = 'BCDFGHJKLM';
  for (const last of letters) {
    await code.fill(`ZZZZ-ZZZ${last}`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`ZZZZ-ZZZ${last}$`));
    await expect(page.getByText('No request matches this code')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Continue' })).not.toHaveAttribute('aria-busy', 'true');
  }
  await code.fill('ZZZZ-ZZZZ');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Too many attempts. Try again in \d+:\d\d/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue' })).toHaveAttribute('aria-disabled', 'true');
});

test('a request that expires before the decision is not approved', async ({ page, baseURL }) => {
  const email = await register(page);
  const client = await startClient(baseURL, `late ${email}`);
  await page.goto(`/device?userCode=${client.userCode}`);
  await expect(question(page)).toBeVisible();
  await runSql('UPDATE device_codes SET expires_at = now() WHERE client_name = $1', [`late ${email}`]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('No request matches this code')).toBeVisible();
  expect((await client.poll()).json.code).toBe('expired_token');
});

test('another person can sign in from the page and review the same request', async ({ page, baseURL }) => {
  const first = await register(page);
  await page.getByRole('button', { name: /^Account [A-Z]/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await register(page);
  const client = await startClient(baseURL);
  await page.goto(`/device?userCode=${client.userCode}`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login\?returnTo=%2Fdevice/);
  await signIn(page, first);
  await expect(question(page)).toBeVisible();
  await expect(page.getByRole('main').getByText(first)).toBeVisible();
});
