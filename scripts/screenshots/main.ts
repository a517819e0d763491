import fs from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, devices, expect, type Page } from '@playwright/test';
import { launchProduct, type Product } from '@/e2e/support/launch-product';
import { ADMIN_TOKEN, openAsOperator } from '@/e2e/support/operator';
import { openLoaded } from '@/e2e/support/pages';
import { trySignIn } from '@/e2e/support/sign-in';
import { Api } from '@/scripts/demo/account';
import { buildStale, PAGES, PROCESSES } from '@/scripts/start/build';
import { ensureChromium } from '@/scripts/test/ensure-chromium';
import { type DemoAccount, fillWithDemo } from './fill-with-demo';
import { findIds } from './find-ids';
import { PAGE_PICTURES, type PageIds, pathOf } from './pages';

const FOLDER = path.resolve('.build/screenshots');
const DOCS_FOLDER = path.resolve('docs/images');
const COLOR_SCHEMES = ['light', 'dark'] as const;
/** Also on a machine that does other work. */
const LOADING_MS = 30_000;
/** With the user agents of real devices, which the page of sessions names. A phone has no space for scroll bars. */
const DEVICES = {
  desktop: { viewport: { width: 1280, height: 860 }, userAgent: devices['Desktop Chrome'].userAgent },
  phone: {
    viewport: { width: 390, height: 844 },
    userAgent: devices['Pixel 7'].userAgent,
    isMobile: true,
    hasTouch: true,
  },
};

/** The pictures that README.md and the guides show. */
const IN_DOCS = ['overview', 'delivery', 'endpoints'].map((name) => `desktop-light/${name}.png`);

/** Writes a picture of every page. With `--docs` also those of the documents. */
export async function main(args: string[]): Promise<void> {
  await buildStale([...PROCESSES, ...PAGES], new AbortController().signal);
  const executablePath = await ensureChromium();
  fs.rmSync(FOLDER, { recursive: true, force: true });
  fs.mkdirSync(FOLDER, { recursive: true });
  const product = await launchProduct(path.join(FOLDER, 'product.log'), {
    PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN,
    DELIVERY_RETRY_SECONDS: '',
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const demo = await fillWithDemo(product);
  try {
    await takeAll(browser, product, demo.account);
  } finally {
    demo.stop();
    await browser.close();
    await product.stop();
  }
  if (args.includes('--docs')) copyToDocs();
  console.log(`Pictures of ${Object.values(PAGE_PICTURES).filter(Boolean).length} pages are in ${FOLDER}`);
  process.exit();
}

async function takeAll(browser: Browser, product: Product, { email, password }: DemoAccount): Promise<void> {
  const { url } = product;
  const body = { email, password };
  const api = new Api(url);
  const { accessToken: token } = await api.call<{ accessToken: string }>('POST', '/auth/login', { body });
  const ids = await findIds(url, token);
  await api.call('POST', '/auth/logout', { token });
  for (const [size, device] of Object.entries(DEVICES)) {
    for (const colorScheme of COLOR_SCHEMES) {
      const folder = path.join(FOLDER, `${size}-${colorScheme}`);
      const context = await browser.newContext({ ...device, baseURL: url, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await takePages(page, 'anyone', ids, folder);
      await signIn(page, body);
      await takePages(page, 'person', ids, folder);
      await openAsOperator(page);
      await take(page, folder, 'operator');
      await context.close();
    }
  }
}

async function takePages(page: Page, visitor: 'anyone' | 'person', ids: PageIds, folder: string): Promise<void> {
  for (const [route, picture] of Object.entries(PAGE_PICTURES)) {
    if (picture === null || picture.visitor !== visitor) continue;
    const opened = pathOf(route, picture, ids);
    await openLoaded(page, opened);
    await waitForSearchField(page, opened);
    // Also parts that do not count as loading of the page, such as the attempts of an event.
    await page.locator('.animate-pulse').last().waitFor({ state: 'detached' });
    // A figure that is not known yet.
    await expect(page.locator('main dd', { hasText: /^…$/ })).toHaveCount(0, { timeout: LOADING_MS });
    await take(page, folder, picture.name);
  }
}

/** The field of a search is filled by the scripts of the page, which load when its reader first moves the pointer. */
async function waitForSearchField(page: Page, opened: string): Promise<void> {
  const typed = new URLSearchParams(opened.split('?')[1]).get('q');
  if (typed === null) return;
  await page.mouse.move(1, 1);
  await expect(page.getByRole('combobox', { name: /^Search/ })).toHaveValue(typed, { timeout: LOADING_MS });
}

async function signIn(page: Page, { email, password }: DemoAccount): Promise<void> {
  await page.goto('/login');
  await trySignIn(page, email, password);
  await page.waitForURL(/\/projects\//);
}

/** Makes the window as high as the page, so that what sticks to its edges is in its place. */
async function take(page: Page, folder: string, name: string): Promise<void> {
  const size = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (size !== null) await page.setViewportSize({ ...size, height: Math.max(size.height, height) });
  await page.screenshot({ path: path.join(folder, `${name}.png`), animations: 'disabled' });
  if (size !== null) await page.setViewportSize(size);
}

function copyToDocs(): void {
  fs.mkdirSync(DOCS_FOLDER, { recursive: true });
  for (const file of IN_DOCS) fs.copyFileSync(path.join(FOLDER, file), path.join(DOCS_FOLDER, path.basename(file)));
}
