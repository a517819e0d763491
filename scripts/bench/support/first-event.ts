import { randomUUID } from 'node:crypto';
import type { Browser } from '@playwright/test';
import { PASSWORD } from '@/e2e/support/api';

/** Registers a person in the browser and follows the setup guide. @returns seconds until the first event is delivered */
export async function runFirstEvent(browser: Browser, baseURL: string): Promise<number> {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  const startedAt = performance.now();
  await page.goto('/register');
  await page.getByLabel('Email').fill(`ada-${randomUUID()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Your name').fill('Ada Lovelace');
  for (const name of ['Create account', 'Create project', 'Use a test receiver', 'Send a sample event']) {
    await page.getByRole('button', { name }).click();
  }
  await page.getByRole('heading', { name: 'Your first event was delivered' }).waitFor();
  const seconds = (performance.now() - startedAt) / 1000;
  await context.close();
  return seconds;
}
