import type { Page } from '@playwright/test';
import { expectClean, expectNoSidewaysScroll, showView, VIEWS, type View } from './support/accessible';
import { listSection } from './support/docs-pages';
import { expect, test } from './support/fixtures';

/** Opens a page once, and checks it in each view. */
async function checkPage(page: Page, path: string, views: readonly View[]): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const view of views) {
    await showView(page, view);
    await expectNoSidewaysScroll(page);
    await expectClean(page);
  }
  for (const { width, height } of VIEWS) {
    await page.setViewportSize({ width, height });
    await expectNoSidewaysScroll(page);
  }
}

test('a page of the documentation that does not exist says so before the reader does anything', async ({ page }) => {
  for (const missing of ['/docs/nowhere', '/docs/cli/nowhere', '/docs/api/nowhere']) {
    expect((await page.goto(missing))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

for (const path of ['/docs', '/docs/errors', '/docs/cli', '/docs/client']) {
  test(`${path} is accessible and fits in every width and color scheme`, async ({ page }) => {
    await checkPage(page, path, VIEWS);
  });
}

/** axe takes five times as long as all else on a page. */
const AXE_EVERY = 4;

/** The pages of a section share one layout: each must fit in every width, and axe checks each fourth in one of the views. */
async function checkSection(page: Page, section: string, isChosen: (index: number) => boolean): Promise<void> {
  const [, ...paths] = await listSection(page, section);
  expect(paths.length).toBeGreaterThan(10);
  for (const [index, path] of paths.entries()) {
    const view = VIEWS[(index / AXE_EVERY) % VIEWS.length];
    if (isChosen(index)) await checkPage(page, path, view === undefined ? [] : [view]);
  }
}

// In parts: on a busy machine, all pages of a section together take longer than a test may.
for (const [section, parts] of [
  ['/docs/api', 4],
  ['/docs/cli', 2],
] as const) {
  for (let part = 0; part < parts; part += 1) {
    test(`every page below ${section} is accessible and fits (part ${part + 1} of ${parts})`, async ({ page }) => {
      await checkSection(page, section, (index) => index % parts === part);
    });
  }
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
  await expectNoSidewaysScroll(page);
  await expectClean(page);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, 'Documentation', 'TypeScript client');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/client');
  await expect(drawer).toHaveCount(0);
});

/** Presses Tab until the link of a navigation has the focus. */
async function tabTo(page: Page, navigation: string, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: navigation }).getByRole('link', { name, exact: true });
  await expect(link).toBeVisible();
  const hasFocus = () => link.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 80 && !(await hasFocus()); presses += 1) await page.keyboard.press('Tab');
  await expect(link).toBeFocused();
}
