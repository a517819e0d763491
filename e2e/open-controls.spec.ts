import type { Locator, Page } from '@playwright/test';
import { expectClean, OPEN, VIEWS } from './support/accessible';
import { makeWorkspace } from './support/api';
import { expect, test } from './support/fixtures';
import { makePages, openLoaded } from './support/pages';
import { signInAs } from './support/team';

/** What a button that opens a dialog is called: nothing else says that it opens one. */
const OPENS_DIALOG = /^(New|Edit|Invite|Create|Add|Rotate|Delete|Transfer|Close|Leave|Replay|Change)\b/;

async function closeOpen(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  const ask = page.getByRole('button', { name: /^(Close without|Discard)/ });
  if (await ask.isVisible()) await ask.click();
  await expect(page.locator(OPEN)).toHaveCount(0);
}

/** Opens each control in turn and checks the page while it is open. @returns how many opened something */
async function checkEach(page: Page, controls: Locator): Promise<number> {
  let opened = 0;
  for (let index = 0; index < (await controls.count()); index++) {
    const control = controls.nth(index);
    if (!(await control.isVisible()) || (await control.getAttribute('aria-disabled')) === 'true') continue;
    await control.click();
    const open = page.locator(OPEN).first();
    await open.waitFor({ state: 'visible', timeout: 1500 }).catch(() => {});
    if (!(await open.isVisible())) continue;
    opened += 1;
    await expectClean(page);
    await closeOpen(page);
  }
  return opened;
}

for (const { width, height, colorScheme } of VIEWS) {
  test(`every page and its open menus, selects, palettes and dialogs are accessible at ${width} px, ${colorScheme}`, async ({
    newContext,
    receiver,
    baseURL,
  }) => {
    test.setTimeout(600_000);
    const context = await newContext({
      viewport: { width, height },
      colorScheme,
      baseURL: baseURL ?? '',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
    const paths = await makePages(baseURL ?? '', workspace);
    await signInAs(page, workspace);
    let opened = 0;
    for (const [index, path] of paths.entries()) {
      await openLoaded(page, path);
      await expectClean(page);
      const main = page.getByRole('main');
      // The controls of the shell are the same on every page.
      if (index === 0) opened += await checkEach(page, page.locator('[aria-haspopup]'));
      else opened += await checkEach(page, main.locator('[aria-haspopup]'));
      opened += await checkEach(page, main.getByRole('button', { name: OPENS_DIALOG }));
    }
    expect(opened).toBeGreaterThan(20);
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectClean(page);
    await page.keyboard.type('nothing of this name');
    await expect(page.getByText('No results.')).toBeVisible();
    await expectClean(page);
    await closeOpen(page);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectClean(page);
    await closeOpen(page);
    if (width < 1024) {
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
      await expectClean(page);
    }
  });
}
