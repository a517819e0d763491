import { type BrowserContext, expect, type Page } from '@playwright/test';

/**
 * Lets `goto` and `reload` of every page of a context end when the page has come to life. Its document is there before:
 * on a slow machine a button clicked then would send its form as a page without scripts does.
 */
export function awaitLife(context: BrowserContext): BrowserContext {
  context.on('page', (page) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (...given) => {
      const answer = await goto(...given);
      await waitForLife(page);
      return answer;
    };
    page.reload = async (...given) => {
      const answer = await reload(...given);
      await waitForLife(page);
      return answer;
    };
  });
  return context;
}

/** React marks each element that it has taken over. What leads on to another document meanwhile is waited for too. */
async function waitForLife(page: Page): Promise<void> {
  await expect(async () => {
    const lifeless = await page.evaluate(
      () =>
        [...document.querySelectorAll('form, input, button')].filter(
          (element) => !Object.keys(element).some((name) => name.startsWith('__reactProps')),
        ).length,
    );
    expect(lifeless, `controls of ${page.url()} that nothing handles yet`).toBe(0);
  }).toPass({ timeout: 20_000 });
}
