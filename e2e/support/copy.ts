import { expect, type Page } from '@playwright/test';

/** Copies with the button of that name, and returns what is copied. The context needs the permissions of the clipboard. */
export async function copyWith(page: Page, name: string): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name, exact: true }).click();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return read();
}
