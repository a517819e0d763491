import { expect, test } from './support/fixtures';
import { register } from './support/people';

test.use({
  baseURL: (process.env.E2E_BASE_URL ?? '').replace(/\/\/[^:/]+/, '//lan.test'),
  launchOptions: async ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), '--host-resolver-rules=MAP lan.test 127.0.0.1'];
    await use({ ...launchOptions, args });
  },
});

test('everything works on a name of the local network without https', async ({ page, context }) => {
  const email = await register(page);
  // Without these, a page that only worked on a secure origin would pass.
  expect(await page.evaluate(() => [window.isSecureContext, 'clipboard' in navigator, 'locks' in navigator])).toEqual([
    false,
    false,
    false,
  ]);
  expect(await page.evaluate(() => 'randomUUID' in crypto)).toBe(false);
  await page.goto('/account');
  await expect(page.getByText(email).first()).toBeVisible();
  const second = await context.newPage();
  await Promise.all([second.goto('/account/sessions'), page.reload()]);
  await expect(second.getByText('This session')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
  await second.close();

  await page.goto('/');
  await page.getByRole('button', { name: /Search or jump to/ }).click();
  await page.getByRole('option', { name: /Settings/ }).click();
  const copy = page.getByRole('button', { name: /^Copy/ }).first();
  await expect(page).toHaveURL(/\/settings$/);
  await copy.click();
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.press('ControlOrMeta+v');
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue(/\S{8}/);
});
