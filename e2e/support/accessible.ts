import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { expectAlignedTables } from './aligned-tables';

/** The viewports and themes that every page is checked in. */
export const VIEWS = [
  { width: 1280, height: 860, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** The size of a window and the color scheme of its system. */
export interface View {
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
}

/** Shows the page in another view without loading it again, and waits for its colors. */
export async function showView(page: Page, { width, height, colorScheme }: View): Promise<void> {
  await page.setViewportSize({ width, height });
  await showScheme(page, colorScheme);
}

async function showScheme(page: Page, colorScheme: View['colorScheme']): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
}

/** Rules of WCAG 2.2, levels A and AA, and one that axe runs only on request: people speak the names that they see. */
const OPTIONS: axe.RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  rules: { 'label-content-name-mismatch': { enabled: true } },
  resultTypes: ['violations'],
  // No rule of these needs the style sheets once more.
  preload: false,
};

/**
 * Waits for the title, which is streamed after the page, and for finite animations, which change contrasts. Shows the page
 * from its beginning, since axe refuses a button that a sticky header covers in part.
 */
async function settle(page: Page): Promise<void> {
  await expect(page).not.toHaveTitle('');
  await page.evaluate(() => {
    window.scrollTo(0, 0);
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    return Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/** The narrowest width that WCAG 2.2 asks for (1.4.10, Reflow). */
const NARROWEST = 320;

/**
 * Expects that the tables of the page are aligned, that it violates none of the rules, on a phone also at the narrowest
 * width, and that its colors have enough contrast in both color schemes.
 */
export async function expectClean(page: Page): Promise<void> {
  await settle(page);
  await expectAlignedTables(page);
  await expectNone(page, OPTIONS);
  const { scheme, isFixed } = await page.evaluate(() => ({
    scheme: matchMedia('(prefers-color-scheme: dark)').matches ? ('dark' as const) : ('light' as const),
    isFixed: ['light', 'dark'].includes(localStorage.getItem('theme') ?? ''),
  }));
  if (!isFixed) {
    await showScheme(page, scheme === 'dark' ? 'light' : 'dark');
    await settle(page);
    await expectNone(page, { runOnly: ['color-contrast'], resultTypes: ['violations'], preload: false });
    await showScheme(page, scheme);
  }
  const size = phoneSize(page);
  if (size === null) return;
  await page.setViewportSize({ ...size, width: NARROWEST });
  await settle(page);
  await expectNone(page, OPTIONS);
  await page.setViewportSize(size);
}

async function expectNone(page: Page, options: axe.RunOptions): Promise<void> {
  // By hand, and once for a page: @axe-core/playwright injects axe before each run, which takes as long as the run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }, options);
  expect(found, `${page.url()} at ${page.viewportSize()?.width} px`).toEqual([]);
}

/** Returns the size of a window that is a phone's; null for others. */
function phoneSize(page: Page) {
  const size = page.viewportSize();
  return size === null || size.width > 400 ? null : size;
}

/** Expects that the page does not scroll sideways; on a phone also at the narrowest width. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expectNoOverflow(page);
  const size = phoneSize(page);
  if (size === null) return;
  await page.setViewportSize({ ...size, width: NARROWEST });
  await expectNoOverflow(page);
  await page.setViewportSize(size);
}

async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${page.url()} at ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
}
