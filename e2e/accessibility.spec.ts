import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { callApi, makeWorkspace, PASSWORD, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';

const VIEWS = [
  { width: 1280, height: 860, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** Rules of WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** A page that still fades in has other contrasts; what pulses for ever is never done. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    return Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

async function expectClean(page: Page): Promise<void> {
  await settle(page);
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect(found, page.url()).toEqual([]);
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, page.url()).toBeLessThanOrEqual(0);
}

async function signIn(page: Page, { email }: Workspace): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

for (const { width, height, colorScheme } of VIEWS) {
  test.describe(`at ${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('pages without a session are accessible and fit', async ({ page }) => {
      const signingIn = [
        '/login',
        '/login?error=idp_conflict',
        '/register',
        '/forgot-password',
        '/reset-password?token=x',
      ];
      for (const path of [...signingIn, '/verify-email?token=x', '/reset-password', '/docs/errors', '/nowhere']) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectClean(page);
        await expectNoSidewaysScroll(page);
      }
    });

    test('what the pages of signing in answer is accessible and fits', async ({ page }) => {
      const check = async (text: string) => {
        await expect(page.getByText(text)).toBeVisible();
        await expectClean(page);
        await expectNoSidewaysScroll(page);
      };
      const refuseSignIn = async (status: number, code: string) => {
        await page.route('**/api/v1/auth/login', (request) =>
          request.fulfill({ status, headers: { 'Retry-After': '90' }, json: { status, code, detail: 'Refused.' } }),
        );
        await page.goto('/login');
        await page.getByLabel('Email').fill('a-person-with-a-rather-long-address@department.company.example');
        await page.getByLabel('Password', { exact: true }).fill('whatever');
        await page.getByRole('button', { name: 'Sign in' }).click();
      };
      await refuseSignIn(401, 'invalid_credentials');
      await check('That email and password do not match an account.');
      await refuseSignIn(403, 'password_unconfirmed');
      await check('This password has to be confirmed first.');
      await refuseSignIn(423, 'account_locked');
      await check('Too many wrong passwords for this address.');
      await page.getByRole('link', { name: 'Forgot password?' }).click();
      await page.getByRole('button', { name: 'Send the link' }).click();
      await check('If there is an account for');
    });

    test('pages of a project are accessible and fit, empty and filled', async ({ page, receiver, baseURL }) => {
      test.setTimeout(180_000);
      const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
      const base = `/projects/${workspace.projectId}`;
      await signIn(page, workspace);
      const visit = async (path: string) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
        await expectClean(page);
        await expectNoSidewaysScroll(page);
      };
      await visit('/');
      await visit(`${base}/events`);
      const body = { type: 'order.paid', data: { orderId: 'ord_1' } };
      const sent = await callApi<{ id: string }>(baseURL ?? '', 'POST', '/events', { key: workspace.key, body });
      await expect.poll(() => receiver.received.length).toBe(1);
      const { data } = await callApi<{ data: { id: string }[] }>(baseURL ?? '', 'GET', `${base}/deliveries`, {
        key: workspace.key,
      });
      const paths = ['events', `events/${sent.id}`, 'deliveries', `deliveries/${data[0]?.id}`, 'endpoints'];
      for (const path of [...paths, `endpoints/${workspace.endpointId}`, 'subscriptions', 'keys'])
        await visit(`${base}/${path}`);
    });

    test('pages of the account and of approving a device are accessible and fit', async ({
      page,
      receiver,
      baseURL,
    }) => {
      const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
      await signIn(page, workspace);
      const check = async (text: string) => {
        await expect(page.getByText(text).first()).toBeVisible();
        await expectClean(page);
        await expectNoSidewaysScroll(page);
      };
      await page.goto('/account');
      await check('With your address and the password above.');
      await page.getByRole('button', { name: 'Delete account…' }).click();
      await check('Deleted with you');
      await page.goto('/account/sessions');
      await check('This session');
      await page.getByRole('button', { name: 'Close all…' }).click();
      await check('Close all sessions?');
      await page.goto('/device?userCode=BBBB-BBBB');
      await check('No request waits under this code');
      const body = { clientName: 'eds on a-machine-with-a-rather-long-name.department.company.example' };
      const { userCode } = await callApi<{ userCode: string }>(baseURL ?? '', 'POST', '/auth/device/code', { body });
      await page.goto(`/device?userCode=${userCode}`);
      await check('Only approve if you started this on your own machine.');
      await page.getByRole('button', { name: 'Approve' }).click();
      await check('is being signed in');
    });
  });
}

test('the keyboard alone reaches the pages, and dialogs give the focus back', async ({ page, receiver, baseURL }) => {
  const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
  await signIn(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/events`);
  await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('API keys');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'API keys', level: 1 })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible();
  await page.goto(`/projects/${workspace.projectId}/keys`);
  const opener = page.getByRole('button', { name: 'New key' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(opener).toBeFocused();
  const menu = page.getByRole('button', { name: /actions/i }).first();
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /revoke/i }).press('Enter');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
});
