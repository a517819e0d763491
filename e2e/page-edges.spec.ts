import config from '@/playwright.config';
import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

const VIEWPORT = { width: 1280, height: 700 };

// Playwright hides scrollbars unless told otherwise.
test.use({
  viewport: VIEWPORT,
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] },
});

test('the panel beside the sign-in form reaches the right edge', async ({ page }) => {
  await page.goto('/login');
  const right = await page.locator('aside').evaluate((panel) => panel.getBoundingClientRect().right);
  expect(right).toBe(VIEWPORT.width);
});

test('neither a longer page nor an open dialog moves anything sideways', async ({ page, workspace }) => {
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/keys`);
  // Not by its role, which an open dialog hides.
  const button = page.locator('main button', { hasText: 'New key' });
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
  const width = () => page.evaluate(() => document.documentElement.clientWidth);
  const before = { width: await width(), button: await button.boundingBox() };
  expect(before.width).toBeLessThan(VIEWPORT.width);
  await page.evaluate(() => {
    document.body.style.minHeight = '300vh';
  });
  expect({ width: await width(), button: await button.boundingBox() }).toEqual(before);
  await button.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await button.boundingBox()).toEqual(before.button);
});
