import { expect, type Page } from '@playwright/test';

/** Goes to a page of the shell by `g` and its key, and waits until its address is there. */
export async function goByKeys(page: Page, key: string, address: RegExp): Promise<void> {
  // On a busy machine the second key may come too late to belong to the first.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect(page).toHaveURL(address, { timeout: 3_000 });
  }).toPass();
}
