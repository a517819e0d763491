import type { Page } from '@playwright/test';
import { BASE_URL, callApi, makeWorkspace, PASSWORD } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

/** No test sends events. */
const NO_RECEIVER = 'http://127.0.0.1:9/';
const CLOSED = 'You were signed out on another device. Sign in again to continue.';

/** Collects every error that the browser logs, also refused requests. */
function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  return errors;
}

/** Closes all sessions of a person but a new one, as another device does. */
async function closeElsewhere(email: string): Promise<void> {
  const body = { email, password: PASSWORD };
  const { accessToken: token } = await callApi<{ accessToken: string }>('POST', '/auth/login', { body });
  await callApi('DELETE', '/auth/sessions?keepCurrent=true', { token });
}

test('a visitor without a session gets the sign-in page from the server, without an error', async ({ page }) => {
  const errors = watchErrors(page);
  const headers = { Accept: 'text/html' };
  const response = await fetchChecked(`${BASE_URL}/account?x=1`, { headers, redirect: 'manual' });
  expect(response.status).toBe(307);
  const location = new URL(response.headers.get('Location') ?? '', BASE_URL);
  expect(location.href).toBe(`${BASE_URL}/login?returnTo=%2Faccount%3Fx%3D1`);
  await page.goto('/projects/1/events');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('a browser whose session was closed on another device says so, without an error', async ({ page }) => {
  const workspace = await makeWorkspace(NO_RECEIVER);
  await signInAs(page, workspace);
  await closeElsewhere(workspace.email);
  const errors = watchErrors(page);
  await page.goto('/account');
  await expect(page.getByText(CLOSED)).toBeVisible();
  expect(errors).toEqual([]);
  await page.getByLabel('Email').fill(workspace.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`${BASE_URL}/account`);
});

test('an open page says that its session was closed on another device', async ({ page }) => {
  const workspace = await makeWorkspace(NO_RECEIVER);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/endpoints`);
  await expect(page.getByRole('heading', { name: 'Endpoints', level: 1 })).toBeVisible();
  await closeElsewhere(workspace.email);
  // The page may notice it before the click, and then has no such link.
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('nav a[href$="/sources"]')?.click());
  await expect(page.getByText(CLOSED)).toBeVisible();
});

test('a signed-in person who opens the sign-in page gets the dashboard', async ({ page }) => {
  await signInAs(page, await makeWorkspace(NO_RECEIVER));
  for (const path of ['/login', '/register']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: /^Account [A-Z]/ })).toBeVisible();
  }
});
