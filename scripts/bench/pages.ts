import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { callApi, PASSWORD } from '@/e2e/support/api';
import { launchProduct } from '@/e2e/support/launch-product';
import { openLoaded } from '@/e2e/support/pages';
import { trySignIn } from '@/e2e/support/sign-in';
import { fillWithDemo } from '@/scripts/screenshots/fill-with-demo';
import { findIds } from '@/scripts/screenshots/find-ids';
import { PAGE_PICTURES, pathOf } from '@/scripts/screenshots/pages';
import { ensureChromium } from '@/scripts/test/ensure-chromium';
import { checkFigure, checkValue, median, reportFigure, say } from './support/figures';

const ROUNDS = 3;
const LCP_TARGET_MS = 1000;
const CLS_TARGET = 0.05;
const FIRST_EVENT_TARGET_S = 10;

/** What a browser reports about one load of a page. */
interface Load {
  lcpMs: number;
  cls: number;
}

/**
 * The pages with the demo's data, in a browser without a cache: largest contentful paint (LCP) and layout shift (CLS), beside the
 * LCP of a page that is one line of text. Also the time from opening the registration to the first delivered event.
 */
export async function main(): Promise<void> {
  const executablePath = await ensureChromium();
  fs.mkdirSync('.build', { recursive: true });
  const product = await launchProduct(path.resolve('.build/bench-pages.log'), { AUTH_BCRYPT_COST: '' });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const demo = await fillWithDemo(product);
    // Keeps its data; the events that it sends would take part of the machine.
    demo.stop();
    const seconds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) seconds.push(await runFirstEvent(browser, product.url));
    checkFigure('register to first delivered event', seconds, { atMost: FIRST_EVENT_TARGET_S }, ' s');
    await measurePages(browser, product.url, demo.account);
  } finally {
    await browser.close();
    await product.stop();
  }
}

async function measurePages(browser: Browser, baseURL: string, account: { email: string; password: string }) {
  const { accessToken } = await callApi<{ accessToken: string }>('POST', '/auth/login', {
    baseUrl: baseURL,
    body: account,
  });
  const ids = await findIds(baseURL, accessToken);
  const context = await newContext(browser, baseURL);
  const plainMs = await measurePlainPage(context);
  reportFigure('LCP of a page of one line', plainMs, ' ms');
  const worst: Load = { lcpMs: 0, cls: 0 };
  for (const visitor of ['anyone', 'person'] as const) {
    if (visitor === 'person') await signIn(context, account);
    for (const [route, picture] of Object.entries(PAGE_PICTURES)) {
      if (picture?.visitor !== visitor) continue;
      const loads: Load[] = [];
      for (let round = 0; round < ROUNDS; round += 1) loads.push(await load(context, pathOf(route, picture, ids)));
      const lcpMs = median(loads.map((one) => one.lcpMs));
      const cls = Math.max(...loads.map((one) => one.cls));
      say(`${picture.name.padEnd(24)} LCP ${lcpMs.toFixed(0).padStart(5)} ms  CLS ${cls.toFixed(3)}`);
      worst.lcpMs = Math.max(worst.lcpMs, lcpMs);
      worst.cls = Math.max(worst.cls, cls);
    }
  }
  checkValue('slowest page, LCP', worst.lcpMs, { atMost: LCP_TARGET_MS }, ' ms');
  checkValue('RATIO LCP of the slowest page ÷ page of one line', worst.lcpMs / median(plainMs), { atMost: 20 });
  checkValue('largest layout shift of a page', worst.cls, { atMost: CLS_TARGET });
}

function newContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  return browser.newContext({ baseURL, viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' });
}

async function measurePlainPage(context: BrowserContext): Promise<number[]> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Plain</title><h1>A page of one line of text</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await newColdPage(context);
    await page.goto(url);
    times.push((await readLoad(page)).lcpMs);
    await page.close();
  }
  server.close();
  return times;
}

async function newColdPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await (await context.newCDPSession(page)).send('Network.setCacheDisabled', { cacheDisabled: true });
  return page;
}

async function load(context: BrowserContext, path: string): Promise<Load> {
  const page = await newColdPage(context);
  await openLoaded(page, path);
  const measured = await readLoad(page);
  await page.close();
  return measured;
}

/** Reads what the browser has recorded, once it has painted. */
function readLoad(page: Page): Promise<Load> {
  return page.evaluate(async () => {
    const painted = new Promise<number>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
        type: 'largest-contentful-paint',
        buffered: true,
      });
    });
    let cls = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) cls += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    const lcpMs = await painted;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { lcpMs, cls };
  });
}

async function signIn(context: BrowserContext, { email, password }: { email: string; password: string }) {
  const page = await context.newPage();
  await page.goto('/login');
  await trySignIn(page, email, password);
  await page.waitForURL(/\/projects\//);
  await page.close();
}

/** Registers a person in the browser and follows the setup guide. @returns seconds until the first event is delivered */
async function runFirstEvent(browser: Browser, baseURL: string): Promise<number> {
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
