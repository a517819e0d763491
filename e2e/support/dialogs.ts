import { expect, type Page } from '@playwright/test';

/**
 * Waits until no dialog is open, of either role: a confirmation is an `alertdialog`, which `getByRole('dialog')` does
 * not find. While one is open nothing behind it is found by role, so that what is looked for there seems absent.
 */
export async function waitForDialogsClosed(page: Page): Promise<void> {
  await expect(page.locator('[role="dialog"], [role="alertdialog"]')).toHaveCount(0);
}
