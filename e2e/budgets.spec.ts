import fs from 'node:fs';
import nodePath from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { BASE_URL } from './support/api';
import { fetchChecked } from './support/check-response';
import { makePortal } from './support/embedding-page';
import { expect, test } from './support/fixtures';
import { makePages } from './support/pages';
import { signInAs } from './support/team';

/** Scripts of a first load in gzip, in thousands of bytes. */
const BUDGETS_KB = { docs: 280, 'sign-in': 220, portal: 220, dashboard: 300 } as const;

/** Returns the size in gzip of a script of the build, by its path in a page. */
function sizeOf(path: string): number {
  return fs.statSync(nodePath.resolve(`.next${path.replace(/^\/_next/, '')}.gz`)).size;
}

function toKb(paths: Iterable<string>): number {
  const bytes = [...paths].reduce((total, path) => total + sizeOf(path), 0);
  return Math.round(bytes / 100) / 10;
}

/** Returns the scripts that a page names for current browsers. Much faster than opening it. */
async function scriptsNamedBy(context: BrowserContext, url: string): Promise<Set<string>> {
  const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`);
  const response = await fetchChecked(url, { headers: { Cookie: cookies.join('; ') } });
  expect(response.status).toBe(200);
  const tags = (await response.text()).match(/<script\b[^>]*\bsrc="[^>]*>/g) ?? [];
  const modern = tags.filter((tag) => !/\bnomodule\b/i.test(tag));
  return new Set(modern.map((tag) => /\bsrc="([^"?]+)/.exec(tag)?.[1] ?? ''));
}

/** Opens a page, and returns the scripts that it loads before its reader does anything. */
async function scriptsLoadedBy(context: BrowserContext, url: string): Promise<Set<string>> {
  const page = await context.newPage();
  const loaded = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') loaded.add(new URL(request.url()).pathname);
  });
  // `page.goto` of these tests moves the pointer, which makes pages load more.
  const cdp = await context.newCDPSession(page);
  await cdp.send('Page.navigate', { url });
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
  // Some scripts ask for others when they run, or in an idle moment.
  let before: number;
  do {
    before = loaded.size;
    await page.evaluate(async () => {
      for (const _ of [1, 2]) await new Promise((resolve) => requestIdleCallback(resolve));
    });
    await page.waitForTimeout(500);
  } while (loaded.size > before);
  await page.close();
  return loaded;
}

type Scripts = typeof scriptsNamedBy;

/** Returns those above a budget, after writing all to the output. */
async function measureAll(
  context: BrowserContext,
  urls: readonly string[],
  kind: keyof typeof BUDGETS_KB,
  scripts: Scripts,
) {
  const above: string[] = [];
  for (const url of urls) {
    const sentKb = toKb(await scripts(context, url));
    const name = new URL(url).pathname.replace(/[0-9a-f]{8}-[0-9a-f-]+/g, '…');
    const row = `${name.padEnd(44)} ${sentKb} kB${scripts === scriptsLoadedBy ? ' (browser)' : ''}`;
    process.stdout.write(`    ${row}\n`);
    if (sentKb > BUDGETS_KB[kind]) above.push(row);
  }
  return above;
}

const DOCS = [
  '/docs/guides',
  '/docs/guides/quick-start',
  '/docs/search?q=retry',
  '/docs/api',
  '/docs/api/events',
  '/docs/errors',
  '/docs/cli',
  '/docs/client',
];
const SIGN_IN = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=x',
  '/verify-email?token=x',
  '/accept-invitation?token=x',
];

test('a page of the documentation loads at most 280 kB of scripts', async ({ newContext }) => {
  const context = await newContext();
  const urls = DOCS.map((path) => `${BASE_URL}${path}`);
  expect(await measureAll(context, urls, 'docs', scriptsNamedBy)).toEqual([]);
  expect(await measureAll(context, urls.slice(0, 1), 'docs', scriptsLoadedBy)).toEqual([]);
});

test('a page before sign-in loads at most 220 kB of scripts', async ({ newContext }) => {
  const context = await newContext();
  const urls = SIGN_IN.map((path) => `${BASE_URL}${path}`);
  expect(await measureAll(context, urls, 'sign-in', scriptsNamedBy)).toEqual([]);
  // A dead link shows an error, whose parts are loaded with it.
  expect(await measureAll(context, urls.slice(0, 4), 'sign-in', scriptsLoadedBy)).toEqual([]);
});

// It is a part of somebody else's page.
test('the portal loads at most 220 kB of scripts and styles', async ({ newContext, workspace }) => {
  const context = await newContext();
  const link = await (await makePortal(workspace, []))();
  const page = await (await fetchChecked(link)).text();
  const styles = [...page.matchAll(/<link rel="stylesheet" href="([^"?]+)/g)].map(([, path]) => path ?? '');
  expect(styles.length).toBeGreaterThan(0);
  const withStyles: Scripts = async (...of) => new Set([...styles, ...(await scriptsLoadedBy(...of))]);
  expect(await measureAll(context, [link], 'portal', withStyles)).toEqual([]);
});

test('a page of the dashboard loads at most 300 kB of scripts', async ({ newContext, workspace }) => {
  const paths = [...(await makePages(workspace)), '/operator'];
  const context = await newContext({ baseURL: BASE_URL });
  await signInAs(await context.newPage(), workspace);
  const measure = (some: string[], scripts: Scripts) =>
    measureAll(
      context,
      some.map((path) => `${BASE_URL}${path}`),
      'dashboard',
      scripts,
    );
  expect(await measure(paths, scriptsNamedBy)).toEqual([]);
  // Those that show the most, for what a page loads after its first scripts.
  const full = paths.filter((path) => /^\/\?|overview$|deliveries$|\/(?:events|endpoints|sources)\/[^/]+$/.test(path));
  expect(full.length).toBeGreaterThan(5);
  expect(await measure(full, scriptsLoadedBy)).toEqual([]);
});

test('no script of the build contains zod', () => {
  const folder = nodePath.resolve('.next/static/chunks');
  const scripts = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter((name) => /\b_zod\b/.test(fs.readFileSync(nodePath.join(folder, name), 'utf8')))).toEqual([]);
});
