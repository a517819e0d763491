import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { PASSWORD } from './api';

/** Registers a new person in the browser. The page then shows the setup guide. */
export async function register(page: Page): Promise<string> {
  const email = `ada-${randomUUID()}@example.com`;
  await page.goto('/register');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Deliver your first event' })).toBeVisible();
  return email;
}
