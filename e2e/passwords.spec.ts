import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { BASE_URL, callApi, PASSWORD } from './support/api';
import { expect, test } from './support/fixtures';
import { linkIn, waitForMail } from './support/mails';
import { runSql } from './support/run-sql';
import { expectSignedIn, makePerson, NEW_PASSWORD, trySignIn } from './support/sign-in';

/** Failed sign-ins before an address is locked. See docs/specification.md#sign-in-limits. */
const THRESHOLD = 5;

async function expectNoSession(page: Page): Promise<void> {
  expect((await page.context().cookies()).filter(({ name }) => name === 'refresh_token')).toEqual([]);
}

test('a locked address shows a countdown, and a new password unlocks it', async ({ page }) => {
  const email = await makePerson();
  for (let failure = 0; failure < THRESHOLD; failure++) {
    const wrong = callApi('POST', '/auth/login', { body: { email, password: 'not the password' } });
    await expect(wrong).rejects.toThrow('401');
  }
  await page.goto('/login');
  await trySignIn(page, email, PASSWORD);
  const notice = page.getByRole('alert').filter({ hasText: 'Too many incorrect passwords for this account.' });
  await expect(notice.locator('time')).toHaveText(/^(1:00|0:[0-5]\d)$/);
  await expect(page.getByRole('button', { name: 'Sign in' })).toHaveAttribute('aria-disabled', 'true');
  await notice.getByRole('link', { name: 'set a new password' }).click();

  await expect(page).toHaveURL(`${BASE_URL}/forgot-password`);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Make link' }).click();
  await expect(
    page.getByText(`If there’s an account for ${email}, a link to set a new password is in the mail folder`),
  ).toBeVisible();

  await page.goto(linkIn(await waitForMail(email, /password/i)));
  await expect(page).toHaveURL(`${BASE_URL}/reset-password`);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByLabel('New password')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('New password')).toBeFocused();
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Password set. Sign in with it.')).toBeVisible();
  await trySignIn(page, email, PASSWORD);
  await expect(page.getByText('Incorrect email or password.')).toBeVisible();
  await trySignIn(page, email, NEW_PASSWORD);
  await expectSignedIn(page);
});

test('requesting a password link shows the same text for an address without an account', async ({ page }) => {
  const email = `nobody-${randomUUID()}@example.com`;
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  expect(page.url()).not.toContain('nobody');
  await page.getByRole('button', { name: 'Make link' }).click();
  await expect(
    page.getByText(`If there’s an account for ${email}, a link to set a new password is in the mail folder`),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: /^Another link in/ })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Change address' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('a password link works once, then shows that it is invalid', async ({ page, newContext }) => {
  const email = await makePerson();
  await callApi('POST', '/auth/forgot-password', { body: { email } });
  const link = linkIn(await waitForMail(email, /password/i));
  const referrers: string[] = [];
  page.on('request', (request) => {
    if (!request.url().includes('/api/')) return;
    request.allHeaders().then(
      ({ referer = '' }) => referrers.push(referer),
      () => undefined,
    );
  });
  for (const isFirst of [true, false]) {
    await page.goto(link);
    await expect(page).toHaveURL(`${BASE_URL}/reset-password`);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    if (isFirst) await expect(page.getByText('Password set. Sign in with it.')).toBeVisible();
  }
  const notice = page.getByRole('alert').filter({ hasText: 'This link is no longer valid.' });
  await expect(notice).toBeVisible();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page).toHaveURL(`${BASE_URL}/forgot-password`);
  await page.goBack();
  expect(page.url()).not.toContain('token');
  await expect.poll(() => referrers.length).toBeGreaterThan(1);
  expect(referrers.filter((referrer) => referrer.includes('token'))).toEqual([]);
  const bare = await (await newContext()).newPage();
  await bare.goto(`${BASE_URL}/reset-password`);
  await expect(bare.getByText('This link is no longer valid.')).toBeVisible();
  await bare.close();
});

test('an unconfirmed password works only after its owner confirms it', async ({ page }) => {
  const email = await makePerson();
  // As after an identity provider is linked to an account with an unconfirmed address.
  await runSql('UPDATE users SET password_confirmed = false WHERE email = $1', [email]);
  await page.goto('/login');
  await trySignIn(page, email, PASSWORD);
  const notice = page.getByRole('alert').filter({ hasText: 'Confirm this password first.' });
  await expect(notice.getByRole('link', { name: 'set a new one' })).toBeVisible();
  await expectNoSession(page);

  await page.goto(linkIn(await waitForMail(email, /confirm.*password/i)));
  await expect(page.getByText(`Confirm that you set the password for ${email}.`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Set a new one' })).toBeVisible();
  await page.getByRole('button', { name: 'Confirm password' }).click();
  await expect(page.getByText('Password confirmed. Sign in with it.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expectSignedIn(page);
});

test('password rules are shown at the field', async ({ page }) => {
  await page.goto('/register');
  const email = `ada-${randomUUID()}@example.com`;
  await page.getByLabel('Email').fill(email);
  for (const weak of ['short', email, 'password123']) {
    await page.getByLabel('Password', { exact: true }).fill(weak);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  }
});

test('password managers recognize the fields, and pasting works', async ({ page }) => {
  for (const [path, email, password] of [
    ['/login', 'username', 'current-password'],
    ['/register', 'email', 'new-password'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', email);
    const field = page.getByLabel('Password', { exact: true });
    await expect(field).toHaveAttribute('autocomplete', password);
    await expect(field).toHaveAttribute('name', 'password');
    await page.getByLabel('Email').fill('pasted text');
    await page.getByLabel('Email').press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await field.press('ControlOrMeta+v');
    await expect(field).toHaveValue('pasted text');
  }
});
