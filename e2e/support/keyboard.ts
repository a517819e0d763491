import { expect, type Page } from '@playwright/test';

/** Opens a page with `g` and its key, and waits for its URL. */
export async function goByKeys(page: Page, key: string, address: RegExp): Promise<void> {
  // On a busy machine the second key can arrive too late.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect(page).toHaveURL(address, { timeout: 3_000 });
  }).toPass();
}
