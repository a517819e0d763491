import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { launchProduct, type Product } from './launch-product';

export const ADMIN_TOKEN = 'the-operator-of-the-browser-tests';

/** A product of its own whose operator has a token; variables are added to those of every test. */
export function launchOperatedProduct(variables: Record<string, string> = {}): Promise<Product> {
  const logFile = path.resolve('.build', `operator-${randomUUID()}.log`);
  return launchProduct(logFile, { PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN, ...variables });
}

/** Opens the operator's page and its token form with the right token. */
export async function openAsOperator(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.url}/operator`);
  await page.getByLabel('Platform admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { name: 'Deployment' })).toBeVisible();
}
