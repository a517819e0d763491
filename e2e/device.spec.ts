import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { BASE_URL, callApi, PASSWORD } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { mockProblem } from './support/mock-problem';
import { runSql } from './support/run-sql';
import { makePerson, signInAsNew } from './support/team';

interface DeviceCodes {
  deviceCode: string;
  userCode: string;
  verificationUriComplete: string;
  interval: number;
}

/** Imitates a command line: requests a code, and polls at the given interval. */
async function startClient(clientName = 'eds on build-box') {
  const codes = await callApi<DeviceCodes>('POST', '/auth/device/code', { body: { clientName } });
  let polled = false;
  const poll = async () => {
    if (polled) await sleep(codes.interval * 1000 + 200);
    polled = true;
    const response = await fetchChecked(`${BASE_URL}/api/v1/auth/device/token`, {
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

test('a link leads through sign-in to the request, and approving it signs the device in', async ({ page }) => {
  const { email } = await makePerson('Ada Lovelace');
  const client = await startClient();
  await page.goto(pathOf(client.verificationUriComplete));
  await expect(page).toHaveURL(/\/login\?returnTo=%2Fdevice/);
  await signIn(page, email);
  await expect(question(page)).toBeVisible();
  const credentials = { body: { email, password: PASSWORD } };
  const { organization } = await callApi<{ organization: { name: string } }>('POST', '/auth/login', credentials);
  for (const shown of [client.userCode, 'eds on build-box', /^(127\.0\.0\.1|::1)$/, email, organization.name]) {
    await expect(page.getByRole('main').getByText(shown).first()).toBeVisible();
  }
  expect((await client.poll()).json.code).toBe('authorization_pending');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'Approved' })).toBeVisible();

  const { status, json } = await client.poll();
  expect(status).toBe(200);
  const me = await callApi<{ user: { email: string } }>('GET', '/auth/me', {
    token: json.accessToken ?? '',
  });
  expect(me.user.email).toBe(email);
  await page.getByRole('link', { name: 'View sessions' }).click();
  await page.getByRole('button', { name: /^Close the session on .*build-box/ }).click();
  await expect(page.getByText('Session closed: CLI on')).toBeVisible();
  await expect(callApi('GET', '/auth/me', { token: json.accessToken ?? '' })).rejects.toThrow('401');
});

test('denying a request works by keyboard and tells the device', async ({ page }) => {
  await signInAsNew(page);
  const client = await startClient('a stranger');
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

test('an invalid code is refused in the browser, an unknown one by the server, and too many for a while', async ({
  page,
}) => {
  await signInAsNew(page);
  await page.goto('/device?userCode=%3Cb%3E');
  const code = page.getByLabel('Code');
  await code.fill('ABCD-EFGH');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter eight letters')).toBeVisible();
  await code.fill('ZZZZ-ZZZZ');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No request matches this code')).toBeVisible();
  const refusal = mockProblem('rate_limited', 'Too many codes.', { 'Retry-After': '90' });
  await page.route('**/api/v1/auth/device?*', (route) => route.fulfill(refusal));
  await code.fill('ZZZZ-ZZZB');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Too many attempts. Try again in \d+:\d\d/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue' })).toHaveAttribute('aria-disabled', 'true');
});

test('a request that expires before the decision is not approved', async ({ page }) => {
  const email = await signInAsNew(page);
  const client = await startClient(`late ${email}`);
  await page.goto(`/device?userCode=${client.userCode}`);
  await expect(question(page)).toBeVisible();
  await runSql('UPDATE device_codes SET expires_at = now() WHERE client_name = $1', [`late ${email}`]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('No request matches this code')).toBeVisible();
  expect((await client.poll()).json.code).toBe('expired_token');
});

test('another person can sign in from the page and review the same request', async ({ page }) => {
  const { email: first } = await makePerson('Grace Hopper');
  await signInAsNew(page);
  const client = await startClient();
  await page.goto(`/device?userCode=${client.userCode}`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login\?returnTo=%2Fdevice/);
  await signIn(page, first);
  await expect(question(page)).toBeVisible();
  await expect(page.getByRole('main').getByText(first)).toBeVisible();
});
