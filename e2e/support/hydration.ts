import { type BrowserContext, expect, type Page } from '@playwright/test';

/**
 * Makes `goto` and `reload` of every page in a context wait for hydration. On a slow machine the document is ready
 * earlier, and a button clicked before hydration would submit its form without JavaScript.
 */
export function waitForHydration(context: BrowserContext): BrowserContext {
  context.on('page', (page) => {
    const goto = page.goto.bind(page);
    const reload = page.reload.bind(page);
    page.goto = async (...given) => {
      const response = await goto(...given);
      await waitUntilHydrated(page);
      return response;
    };
    page.reload = async (...given) => {
      const response = await reload(...given);
      await waitUntilHydrated(page);
      return response;
    };
  });
  return context;
}

/** React marks each element that it has hydrated. A redirect to another document is followed and waited for. */
async function waitUntilHydrated(page: Page): Promise<void> {
  await expect(async () => {
    const unhydrated = await page.evaluate(() => {
      // The documentation loads its scripts when its reader moves the pointer.
      window.dispatchEvent(new Event('pointermove'));
      return [...document.querySelectorAll('form, input, button')].filter(
        (element) => !Object.keys(element).some((name) => name.startsWith('__reactProps')),
      ).length;
    });
    expect(unhydrated, `controls of ${page.url()} that are not hydrated`).toBe(0);
  }).toPass({ timeout: 20_000, intervals: [20, 50, 100] });
}
