import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { BASE_URL, makeWorkspace, PASSWORD, type Workspace } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { launchProduct } from './support/launch-product';

const TABS = 5;
const TOKEN_SECONDS = 5;
const LIFETIMES = 2;
/** Short-lived tokens are refreshed after four fifths of their lifetime, by one tab. */
const REFRESH_MS = TOKEN_SECONDS * 800;
/** No test sends events. */
const NO_RECEIVER = 'http://127.0.0.1:9/';

async function signIn(page: Page, baseUrl: string, { email }: Workspace): Promise<void> {
  await page.goto(`${baseUrl}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Makes a workspace; retries when its short-lived access token expires meanwhile. */
async function makeWorkspaceInTime(baseUrl: string): Promise<Workspace> {
  const made: Workspace[] = [];
  await expect(async () => void made.push(await makeWorkspace(NO_RECEIVER, baseUrl))).toPass({ timeout: 60_000 });
  return made[0] as Workspace;
}

/** Opens several tabs at once, and records every visit to the sign-in page. */
async function openTabs(context: BrowserContext, url: string, heading: string) {
  const logins: string[] = [];
  const pages = await Promise.all(Array.from({ length: TABS }, () => context.newPage()));
  for (const page of pages) {
    page.on('framenavigated', (frame) => {
      if (new URL(frame.url()).pathname === '/login') logins.push(frame.url());
    });
  }
  await Promise.all(pages.map((page) => page.goto(url)));
  for (const page of pages) await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
  return { pages, logins };
}

test('tabs whose access tokens expire within seconds never sign each other out, with and without Web Locks', async ({
  newContext,
}) => {
  const product = await launchProduct(test.info().outputPath('product.log'), {
    AUTH_ACCESS_TOKEN_SECONDS: String(TOKEN_SECONDS),
  });
  try {
    await Promise.all(
      [true, false].map(async (hasLocks) => expectStaySignedIn(product.url, await newContext(), hasLocks)),
    );
  } finally {
    await product.stop();
  }
});

/** Without Web Locks, tabs have BroadcastChannel alone to agree on who refreshes. */
async function expectStaySignedIn(baseUrl: string, context: BrowserContext, hasLocks: boolean): Promise<void> {
  if (!hasLocks) await context.addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'locks'));
  const workspace = await makeWorkspaceInTime(baseUrl);
  const first = await context.newPage();
  await signIn(first, baseUrl, workspace);
  expect(await first.evaluate(() => 'locks' in navigator)).toBe(hasLocks);
  await first.close();

  const started = Date.now();
  const refreshes: number[] = [];
  context.on('response', (response) => {
    if (response.url().endsWith('/auth/restore')) refreshes.push(response.status());
  });
  const { pages, logins } = await openTabs(context, `${baseUrl}/projects/${workspace.projectId}/events`, 'Events');
  await sleep(LIFETIMES * TOKEN_SECONDS * 1000);
  await Promise.all(pages.map((page) => page.getByRole('link', { name: 'Endpoints' }).first().click()));
  for (const page of pages) {
    await expect(page.getByRole('heading', { name: 'Endpoints', level: 1 })).toBeVisible();
    await expect(page.getByText(NO_RECEIVER).first()).toBeVisible();
  }
  expect(logins).toEqual([]);
  const good = refreshes.filter((status) => status === 200);
  // Without Web Locks two tabs sometimes refresh at once. The loser uses the session of the winner. Without any lock
  // there would be four losers for every winner.
  const lost = refreshes.filter((status) => status === 401);
  expect(lost.length).toBeLessThan(hasLocks ? 1 : good.length);
  expect(good.length + lost.length).toBe(refreshes.length);
  expect(good.length).toBeGreaterThanOrEqual(LIFETIMES);
  // One refresh per opened tab, then one per token lifetime. Without a lock there would be five times as many.
  expect(good.length).toBeLessThanOrEqual(TABS + Math.ceil((Date.now() - started) / REFRESH_MS));
}

test('a sign-out in one tab signs out all tabs and closes the session on the server', async ({ context }) => {
  const workspace = await makeWorkspace(NO_RECEIVER);
  const first = await context.newPage();
  await signIn(first, BASE_URL, workspace);
  const { pages } = await openTabs(context, `${BASE_URL}/projects/${workspace.projectId}/events`, 'Events');
  const cookie = (await context.cookies()).find(({ name }) => name === 'refresh_token');
  await first.getByRole('button', { name: /^Account [A-Z]/ }).click();
  await first.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(first).toHaveURL(`${BASE_URL}/login`);
  for (const page of pages) {
    await expect(page.getByText('You signed out in another tab. Sign in to return to your page.')).toBeVisible();
  }
  for (const page of [first, ...pages]) await expect(page.getByText(workspace.email)).toHaveCount(0);
  const headers = { Cookie: `refresh_token=${cookie?.value}` };
  const refused = await fetchChecked(`${BASE_URL}/api/v1/auth/refresh`, { method: 'POST', headers });
  expect(((await refused.json()) as { code: string }).code).toBe('invalid_refresh_token');
});

test('a sign-out that the server does not confirm says so, and keeps the person signed in until one that it confirms', async ({
  page,
}) => {
  const workspace = await makeWorkspace(NO_RECEIVER);
  await signIn(page, BASE_URL, workspace);
  await page.route('**/auth/logout', (route) => route.abort('internetdisconnected'), { times: 1 });
  const signOut = async () => {
    await page.getByRole('button', { name: /^Account [A-Z]/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await signOut();
  await expect(page.getByText('You’re still signed in.')).toBeVisible();
  await expect(page).not.toHaveURL(/login/);
  await signOut();
  await expect(page).toHaveURL(`${BASE_URL}/login`);
});

test('another person who signs in in one tab sees no data of the first person in other tabs', async ({ context }) => {
  const ada = await makeWorkspace(NO_RECEIVER);
  const grace = await makeWorkspace(NO_RECEIVER);
  const adas = await context.newPage();
  await signIn(adas, BASE_URL, ada);
  await adas.goto(`${BASE_URL}/projects/${ada.projectId}/events`);
  await expect(adas.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible();
  const loaded = adas.waitForEvent('load');

  // The sign-in page leads a signed-in person on to the dashboard, so Grace signs in without it. No page of hers is open yet: it could
  // restore Ada's session at the same time, and its response would bring back Ada's cookie.
  const credentials = { email: grace.email, password: PASSWORD };
  expect((await context.request.post(`${BASE_URL}/api/v1/auth/login`, { data: credentials })).status()).toBe(200);
  const graces = await context.newPage();
  await graces.goto(BASE_URL);
  await loaded;
  await expect(adas).not.toHaveURL(new RegExp(ada.projectId));
  await adas.getByRole('button', { name: /^Account [A-Z]/ }).click();
  await expect(adas.getByText(grace.email)).toBeVisible();
  await expect(adas.getByText(ada.email)).toHaveCount(0);
});
