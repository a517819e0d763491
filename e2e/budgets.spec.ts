import fs from 'node:fs';
import nodePath from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BrowserContext } from '@playwright/test';
import { makeWorkspace } from './support/api';
import { expect, test } from './support/fixtures';
import { makePages } from './support/pages';
import { signInAs } from './support/team';

/** Scripts of a first load, in thousands of bytes as they are sent. The aims are 60, 130 and 180. */
const BUDGETS_KB = { docs: 60, 'sign-in': 155, dashboard: 200 } as const;

interface Load {
  /** As sent, and in gzip for clients without brotli. */
  sentKb: number;
  gzipKb: number;
  /** Largest contentful paint. Depends on what else the machine does, so it is only reported. */
  paintMs: number;
  /** Cumulative layout shift; e2e/shell.spec.ts holds it below 0.05. */
  shift: number;
}

type Vitals = { paintMs: number; shift: number };

/** Opens a page, and measures what it loads before its reader does anything. */
async function measure(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await page.addInitScript(() => {
    const vitals: Vitals = { paintMs: 0, shift: 0 };
    Object.assign(window, { vitals });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) vitals.paintMs = entry.startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) vitals.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const scripts = new Map<string, Promise<{ sent: number; gzip: number }>>();
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    const size = async () => {
      const response = await request.response();
      const gzip = gzipSync((await response?.body()) ?? '').length;
      // The header also tells the size of a script that an earlier page left in the cache.
      return { sent: Number(response?.headers()['content-length'] ?? gzip), gzip };
    };
    scripts.set(request.url(), size());
  });
  // `page.goto` of these tests moves the pointer, which makes pages load more.
  await cdp.send('Page.navigate', { url });
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
  // What is left for idle moments has been requested after two of them.
  await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise((resolve) => requestIdleCallback(resolve));
  });
  const sizes = await Promise.all(scripts.values());
  const { paintMs, shift } = await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals);
  await page.close();
  const sum = (of: 'sent' | 'gzip') => Math.round(sizes.reduce((total, size) => total + size[of], 0) / 100) / 10;
  return { sentKb: sum('sent'), gzipKb: sum('gzip'), paintMs: Math.round(paintMs), shift };
}

/** Returns those above a budget, after writing all to the output. */
async function measureAll(
  context: BrowserContext,
  baseUrl: string,
  paths: readonly string[],
  kind: keyof typeof BUDGETS_KB,
) {
  const above: string[] = [];
  for (const path of paths) {
    const load = await measure(context, baseUrl + path);
    const name = path.replace(/\?.*/, '').replace(/[0-9a-f]{8}-[0-9a-f-]+/g, '…');
    const row = `${name.padEnd(44)} ${load.sentKb} kB (gzip ${load.gzipKb} kB), LCP ${load.paintMs} ms, CLS ${load.shift.toFixed(3)}`;
    process.stdout.write(`    ${row}\n`);
    if (load.sentKb > BUDGETS_KB[kind]) above.push(row);
  }
  return above;
}

const DOCS = ['/docs', '/docs/api', '/docs/api/events', '/docs/errors', '/docs/cli', '/docs/client'];
const SIGN_IN = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=x',
  '/verify-email?token=x',
  '/accept-invitation?token=x',
];

test('a page of the documentation loads at most 60 kB of scripts', async ({ newContext, baseURL }) => {
  expect(await measureAll(await newContext(), baseURL ?? '', DOCS, 'docs')).toEqual([]);
});

test('a page before sign-in loads at most 155 kB of scripts', async ({ newContext, baseURL }) => {
  expect(await measureAll(await newContext(), baseURL ?? '', SIGN_IN, 'sign-in')).toEqual([]);
});

test('a page of the dashboard loads at most 200 kB of scripts', async ({ newContext, receiver, baseURL }) => {
  const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
  const made = await makePages(baseURL ?? '', workspace);
  const paths = [...made, `/projects/${workspace.projectId}/overview`, '/', '/device', '/operator'];
  const context = await newContext({ baseURL: baseURL ?? '' });
  await signInAs(await context.newPage(), workspace);
  expect(await measureAll(context, baseURL ?? '', paths, 'dashboard')).toEqual([]);
});

test('no script of the build contains zod', () => {
  const folder = nodePath.resolve('.next/static/chunks');
  const scripts = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter((name) => /\b_zod\b/.test(fs.readFileSync(nodePath.join(folder, name), 'utf8')))).toEqual([]);
});
