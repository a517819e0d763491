import { expect, type Page } from '@playwright/test';

/** The operator token of the product under test. */
export const ADMIN_TOKEN = 'the-operator-of-the-browser-tests';

/** Opens the operator page with the right token. */
export async function openAsOperator(page: Page): Promise<void> {
  await page.goto('/operator');
  await page.getByLabel('Platform admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { name: 'Deployment' })).toBeVisible();
}
