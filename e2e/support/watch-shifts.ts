import type { Page } from '@playwright/test';

interface Shift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

/** Adds up the layout shifts that no input caused, as the web vital CLS does, and names what moved. */
export async function watchShifts(page: Page): Promise<() => Promise<{ shifted: number; moved: string[] }>> {
  await page.addInitScript(() => {
    const total = { shifted: 0, moved: [] as string[] };
    Object.assign(window, { total });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as Shift[]) {
        if (hadRecentInput) continue;
        total.shifted += value;
        total.moved.push(...sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? ''));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { total: { shifted: number; moved: string[] } }).total);
}
