import { expect, type Locator } from '@playwright/test';

/** Expects that a button is visible and disabled, and says why when it has the focus. */
export async function expectRefused(button: Locator, reason: string): Promise<void> {
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  // Scrolling closes a tooltip, and a focus that is off screen scrolls.
  await button.scrollIntoViewIfNeeded();
  await expect(async () => {
    await button.blur();
    await button.focus();
    await expect(button.page().getByRole('tooltip')).toContainText(reason, { timeout: 2_000 });
  }).toPass();
}
