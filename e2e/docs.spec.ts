import fs from 'node:fs';
import type { Page } from '@playwright/test';
import { BUILT_BASE_URL } from '@/lib/platform/built-base-url';
import { expectClean, expectNoSidewaysScroll, VIEWS } from './support/accessible';
import { BASE_URL } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { watchShifts } from './support/watch-shifts';

test('a page of the documentation that does not exist says so before the reader does anything', async ({ page }) => {
  for (const missing of ['/docs/nowhere', '/docs/guides/nowhere', '/docs/cli/nowhere', '/docs/api/nowhere']) {
    expect((await page.goto(missing))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('the build renders documents alone: the scripts of other pages need a nonce', () => {
  const { routes } = JSON.parse(fs.readFileSync('.next/prerender-manifest.json', 'utf8')) as { routes: object };
  const others = Object.keys(routes).filter((path) => path !== '/docs' && !path.startsWith('/docs/'));
  expect(others.sort()).toEqual(['/_global-error', '/_not-found', '/icon.svg', '/portal/any']);
});

for (const section of ['/docs/guides', '/docs/api', '/docs/cli']) {
  test(`every page below ${section} fits`, async ({ newContext, page }) => {
    const paths = await listSection(page, section);
    expect(paths.length).toBeGreaterThan(10);
    // Their layout needs no script. accessibility.spec.ts shows the wide one.
    const context = await newContext({ javaScriptEnabled: false, viewport: VIEWS[1], baseURL: BASE_URL });
    const plain = await context.newPage();
    for (const path of paths) {
      await plain.goto(path);
      await expectNoSidewaysScroll(plain);
    }
  });
}

test('the keyboard reaches the sections and pages of the documentation, and skips to the content', async ({ page }) => {
  await page.goto('/docs/client');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await tabTo(page, 'Sections', 'Command line');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/cli');
  await expect(page.getByRole('heading', { name: 'Command line', level: 1 })).toBeVisible();
  await tabTo(page, 'Documentation', 'eds events');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/cli/events');
  await expect(page.getByRole('heading', { name: 'eds events', level: 1 })).toBeVisible();
  await page.goto('/docs/cli');
  await page.keyboard.press('Tab');
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('on a narrow screen, the keyboard opens the navigation, follows a link in it, and closes it', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/docs/cli');
  const opener = page.getByRole('button', { name: 'Open navigation' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Documentation' });
  await expect(drawer).toBeVisible();
  await expectClean(page);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, 'Documentation', 'TypeScript client');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/client');
  await expect(drawer).toHaveCount(0);
});

test('the guides, their pictures and their links to each other work without JavaScript', async ({ newContext }) => {
  const page = await (await newContext({ javaScriptEnabled: false, baseURL: BASE_URL })).newPage();
  await page.goto('/docs');
  await expect(page).toHaveURL('/docs/guides');
  await page.getByRole('main').getByRole('link', { name: 'Retries and disabling' }).click();
  await expect(page.getByRole('heading', { name: 'Retries and disabling', level: 1 })).toBeVisible();
  const picture = page.getByRole('img', { name: 'A delivery with its attempts' });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'not public' }).click();
  await expect(page).toHaveURL('/docs/guides/security#requests-to-private-networks');
  await expect(page.getByRole('heading', { name: 'Requests to private networks' })).toBeInViewport();
});

test('a language that is chosen once is shown on every page, also after a reload, and moves nothing', async ({
  page,
}) => {
  await page.goto('/docs/guides/sending');
  await page.getByRole('tab', { name: 'Python' }).click();
  await expect(page.getByLabel('Example', { exact: true }).filter({ hasText: 'import os, requests' })).toBeVisible();
  for (const path of ['/docs/guides/quick-start', '/docs/guides/verifying-signatures']) {
    await page.goto(path);
    await expect(page.getByRole('tab', { name: 'Python' })).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('tabpanel')).toHaveCount(1);
  }
  await page.getByRole('tab', { name: 'Python' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('package webhook')).toBeVisible();
  const readShifts = await watchShifts(page);
  // What is below the tabs is in view.
  await page.setViewportSize({ width: 1280, height: 3000 });
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Go' })).toHaveAttribute('aria-selected', 'true');
  expect((await readShifts()).shifted).toBeLessThan(0.01);
});

test('a link to a language shows it, before and after the page has loaded, and without JavaScript all are shown', async ({
  newContext,
  page,
}) => {
  await page.goto('/docs/guides/verifying-signatures#ruby');
  await expect(page.getByRole('tab', { name: 'Ruby' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('#ruby')).toBeInViewport();
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'PHP' }).click();
  await expect(page.getByRole('tab', { name: 'PHP' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('#php')).toBeInViewport();
  await expectClean(page);
  const plain = await (await newContext({ javaScriptEnabled: false, baseURL: BASE_URL })).newPage();
  await plain.goto('/docs/guides/verifying-signatures');
  for (const id of ['node', 'java']) await expect(plain.locator(`#${id}`)).toBeVisible();
});

test('the search finds text of the guides without JavaScript, marks it, and says when nothing matches', async ({
  newContext,
}) => {
  const page = await (await newContext({ javaScriptEnabled: false, baseURL: BASE_URL })).newPage();
  await page.goto('/docs/guides');
  const field = page.getByRole('combobox', { name: 'Search the documentation' });
  await field.fill('webhook-id skip duplicates');
  await field.press('Enter');
  await expect(page).toHaveURL(/\/docs\/search\?q=webhook-id/);
  await expect(field).toHaveValue('webhook-id skip duplicates');
  await expect(page.getByRole('status').filter({ hasText: 'for “webhook-id skip duplicates”' })).toBeVisible();
  const found = page.getByRole('region', { name: 'In the guides' }).getByRole('listitem').first();
  await expect(found.getByText('Verifying signatures').first()).toBeVisible();
  await expect(found.locator('mark').filter({ hasText: 'webhook' }).first()).toBeVisible();
  await page.goto('/docs/search?q=%3Cb%3Eflux%3C%2Fb%3E');
  await expect(page.getByText('Nothing matches “<b>flux</b>”.')).toBeVisible();
  await page.goto('/docs/search');
  await expect(page.getByText('Type words into the search field.')).toBeVisible();
});

test('every link in a guide leads to a page and a heading that exist', async ({ page }) => {
  const [index = '', ...guides] = await listSection(page, '/docs/guides');
  const targets = new Set<string>();
  const ids = new Map<string, Set<string>>();
  const read = async (path: string) => {
    const known = ids.get(path);
    if (known !== undefined) return known;
    const html = await (await fetchChecked(`${BASE_URL}${path}`)).text();
    expect(html).not.toContain(new URL(BUILT_BASE_URL).hostname);
    const found = new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id));
    ids.set(path, found);
    const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
    if (guides.includes(path)) {
      for (const [, href = ''] of main.matchAll(/href="(\/docs[^"]*|#[^"]*)"/g)) {
        targets.add(href.startsWith('#') ? path + href : href);
      }
    }
    return found;
  };
  for (const path of [index, ...guides]) await read(path);
  expect(targets.size).toBeGreaterThan(60);
  const dead: string[] = [];
  for (const target of targets) {
    const [path = '', id] = target.split('#');
    const found = await read(path);
    if (id !== undefined && !found.has(id)) dead.push(target);
  }
  expect(dead).toEqual([]);
});

/** Returns the paths of all pages that the navigation of a section lists, its own page first. */
async function listSection(page: Page, section: string): Promise<string[]> {
  await page.goto(section);
  const links = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link');
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  const paths = hrefs.filter((href) => href.startsWith('/docs/') && !href.includes('#'));
  expect(paths[0]).toBe(section);
  return [...new Set(paths)];
}

/** Presses Tab until the link of a navigation has the focus. */
async function tabTo(page: Page, navigation: string, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: navigation }).getByRole('link', { name, exact: true });
  await expect(link).toBeVisible();
  const hasFocus = () => link.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 120 && !(await hasFocus()); presses += 1) await page.keyboard.press('Tab');
  await expect(link).toBeFocused();
}
