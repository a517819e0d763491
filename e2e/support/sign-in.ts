import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { callApi, PASSWORD } from './api';
import { expect } from './fixtures';

/** A password that no test account has yet. */
export const NEW_PASSWORD = 'a wholly other staple';

/** Registers a person through the API. Returns their address. */
export async function makePerson(): Promise<string> {
  const email = `ada-${randomUUID()}@example.com`;
  await callApi('POST', '/auth/register', { body: { email, password: PASSWORD, name: 'Ada Lovelace' } });
  return email;
}

/** Fills in and sends the form of the sign-in page. */
export async function trySignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until the page shows that its person is signed in. */
export async function expectSignedIn(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: /^Account [A-Z]/ })).toBeVisible();
}
