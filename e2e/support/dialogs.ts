import { expect, type Page } from '@playwright/test';

/**
 * Waits until no dialog or alertdialog is open. `getByRole('dialog')` does not find an alertdialog. While one is open,
 * elements outside it cannot be found by role.
 */
export async function waitForDialogsClosed(page: Page): Promise<void> {
  await expect(page.locator('[role="dialog"], [role="alertdialog"]')).toHaveCount(0);
}
