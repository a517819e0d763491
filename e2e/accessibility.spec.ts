import type { Locator, Page } from '@playwright/test';
import { expectClean, expectCleanInEveryView, OPEN, VIEWS } from './support/accessible';
import { makeWorkspace } from './support/api';
import { expect, test } from './support/fixtures';
import { openAsOperator } from './support/operator';
import { makePages, openLoaded } from './support/pages';
import { writeHistory } from './support/statistics';
import { signInAs } from './support/team';
import { watchShifts } from './support/watch-shifts';

/** What a control that opens a dialog is called: nothing else says that it opens one. */
const OPENS_DIALOG =
  /^(?!New test receiver|Change password|Close the session|Add$)(New|Edit|Invite|Create|Add|Rotate|Revoke|Delete|Transfer|Close|Leave|Replay|Change|Recover|Pause|Signing secret|Run main)\b/;

test('every page without a session is accessible and fits', async ({ page }) => {
  for (const path of [
    '/login',
    '/login?error=idp_conflict',
    '/register',
    '/forgot-password',
    '/reset-password?token=x',
    '/reset-password',
    '/verify-email?token=x',
    '/accept-invitation?token=x',
    '/operator',
    '/nowhere',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectCleanInEveryView(page);
  }
});

// The pages of a section share one component; docs.spec.ts shows that each fits, and api-reference.spec.ts opens all of one.
test('the pages of the documentation are accessible', async ({ page }) => {
  for (const path of [
    '/docs/guides',
    '/docs/guides/verifying-signatures',
    '/docs/search?q=retry',
    '/docs/errors',
    '/docs/cli',
    '/docs/cli/events',
    '/docs/client',
  ]) {
    await page.goto(path);
    await expectCleanInEveryView(page);
  }
});

async function closeOpen(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  const ask = page.getByRole('button', { name: /^(Close without|Discard)/ });
  if (await ask.isVisible()) await ask.click();
  await expect(page.locator(OPEN)).toHaveCount(0);
}

const isDisabled = async (control: Locator) => (await control.getAttribute('aria-disabled')) === 'true';

/** Clicks, and checks the page if something opened. @returns what opened */
async function openAndCheck(page: Page, control: Locator): Promise<Locator | null> {
  try {
    await control.click({ timeout: 5_000 });
  } catch (error) {
    // What a page loads after its own data may disable a control.
    if (await isDisabled(control)) return null;
    throw error;
  }
  const open = page.locator(OPEN).first();
  await open.waitFor({ state: 'visible', timeout: 1500 }).catch(() => {});
  if (!(await open.isVisible())) return null;
  await expectClean(page);
  return open;
}

/** The beginning of the names of controls that each row of a table has: one row shows what opens in all. */
const OF_A_ROW = /^(?:Actions for(?: the invitation)?|Role of)/;

/** Opens each control in turn, and the dialogs of each menu, unless `checked` has it, to which it adds them. */
async function checkEach(page: Page, controls: Locator, checked: Set<string>): Promise<void> {
  const route = new URL(page.url()).pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
  for (let index = 0; index < (await controls.count()); index++) {
    const control = controls.nth(index);
    if (!(await control.isVisible()) || (await isDisabled(control))) continue;
    const name = (await control.getAttribute('aria-label')) ?? (await control.innerText());
    const kind = `${route} ${OF_A_ROW.exec(name)?.[0] ?? name}`;
    if (checked.has(kind)) continue;
    const open = await openAndCheck(page, control);
    if (open === null) continue;
    checked.add(kind);
    const items = open.locator('[role="menuitem"]:not([aria-disabled="true"])').filter({ hasText: OPENS_DIALOG });
    const names = await items.allInnerTexts();
    await closeOpen(page);
    for (const item of names) {
      await control.click();
      await page.getByRole('menuitem', { name: item }).click();
      await expect(page.getByRole('menu')).toHaveCount(0);
      await expect(page.locator(OPEN)).not.toHaveCount(0);
      await expectClean(page);
      await closeOpen(page);
    }
  }
}

async function checkControls(page: Page, checked: Set<string>): Promise<void> {
  const main = page.getByRole('main');
  await checkEach(page, main.locator('[aria-haspopup]'), checked);
  await checkEach(page, main.getByRole('button', { name: OPENS_DIALOG }), checked);
}

for (const { width, height, colorScheme } of VIEWS) {
  test.describe(`at ${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('every page of a person, and what opens in it, is accessible and fits; no page shifts by 0.05 while it loads', async ({
      page,
      receiver,
    }) => {
      test.setTimeout(600_000);
      const workspace = await makeWorkspace(receiver.url);
      const paths = await makePages(workspace);
      await writeHistory(workspace);
      await signInAs(page, workspace);
      const readShifts = await watchShifts(page);
      const shifts: unknown[] = [];
      const checked = new Set<string>();
      for (const path of paths) {
        await openLoaded(page, path);
        const { shifted, moved } = await readShifts();
        if (shifted >= 0.05) shifts.push({ path, shifted, moved });
        await checkControls(page, checked);
      }
      expect(shifts).toEqual([]);
      expect(checked.size).toBeGreaterThan(30);
    });

    test('the menus and palettes of the frame are accessible and fit', async ({ page, workspace }) => {
      await signInAs(page, workspace);
      await openLoaded(page, `/projects/${workspace.projectId}/settings`);
      await checkEach(page, page.locator('[aria-haspopup]'), new Set());
      await page.keyboard.press('ControlOrMeta+k');
      await expect(page.getByRole('option').first()).toBeVisible();
      await expectClean(page);
      await page.keyboard.type('nothing of this name');
      await expect(page.getByText('Nothing has this as its name or ID.')).toBeVisible();
      await expectClean(page);
      await closeOpen(page);
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await expectClean(page);
      await closeOpen(page);
      if (width >= 1024) return;
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
      await expectClean(page);
    });

    test('the page of the operator is accessible and fits', async ({ page, workspace }) => {
      await openAsOperator(page);
      for (const name of ['Statistics', 'Users', 'Organizations', 'Audit log', 'Retention']) {
        await page.getByRole('tab', { name }).click();
        if (name === 'Users') await page.getByLabel('Email address or its first letters').fill(workspace.email);
        const panel = page.getByRole('tabpanel', { name });
        if (name === 'Organizations') await page.getByRole('table').getByRole('button').first().click();
        await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0);
        await expectClean(page);
        await checkControls(page, new Set());
      }
    });
  });
}
