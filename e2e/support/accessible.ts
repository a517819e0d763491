import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** The narrowest width is the one that WCAG 2.2 asks for (1.4.10, Reflow). Together they have both layouts and color schemes. */
export const VIEWS = [
  { width: 1280, height: 860, colorScheme: 'light' },
  { width: 320, height: 740, colorScheme: 'dark' },
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
  await page.evaluate(() => window.scrollTo(0, 0));
  // The promise `finished` of an animation is sometimes never settled.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  );
}

/** Expects of the page in its view that the tables are aligned, nothing scrolls sideways, and none of the rules is violated. */
export async function expectClean(page: Page): Promise<void> {
  await settle(page);
  await expectAlignedTables(page);
  await expectNoSidewaysScroll(page);
  await expectNone(page);
}

/** Expects that the page is clean in every view, and ends in the first. An open select would close: the size changes. */
export async function expectCleanInEveryView(page: Page): Promise<void> {
  for (const view of [...VIEWS].reverse()) {
    await showView(page, view);
    await expectClean(page);
  }
}

/** What covers a page and hides it from assistive technology. The page itself is checked while nothing is open. */
export const OPEN = '[role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]';

async function expectNone(page: Page): Promise<void> {
  // By hand, and once for a page: @axe-core/playwright injects axe before each run, which takes as long as the run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    async ({ options, open }) => {
      // Suggestions of a field leave the page as it is, so only what hides the rest is checked alone.
      const covering = [...document.querySelectorAll(open)].filter((element) => {
        const hidden = document.querySelector('main')?.closest('[aria-hidden="true"], [inert]') ?? null;
        return hidden !== null && !hidden.contains(element);
      });
      const context = covering.length === 0 ? document : { include: covering };
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(context, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    },
    { options: OPTIONS, open: OPEN },
  );
  expect(found, `${page.url()} at ${page.viewportSize()?.width} px`).toEqual([]);
}

/** Expects that the page does not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${page.url()} at ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
}

/** Expects that each table shows as many headings as cells in a row: a cell that is hidden alone puts others below wrong headings. */
async function expectAlignedTables(page: Page): Promise<void> {
  const where = `${page.url()} at ${page.viewportSize()?.width} px`;
  // Again, since a table that is just shown may be laid out while it is measured.
  await expect.poll(() => findMisalignedTables(page), where).toEqual([]);
}

function findMisalignedTables(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown = (row: HTMLTableRowElement) =>
      [...row.cells].filter((cell) => cell.getClientRects().length > 0).reduce((sum, cell) => sum + cell.colSpan, 0);
    return [...document.querySelectorAll('table')].flatMap((table) => {
      const head = table.tHead?.rows[0];
      // A long list starts with a gap in place of rows.
      const row = [...(table.tBodies[0]?.rows ?? [])].find(({ ariaHidden }) => ariaHidden === null);
      // On narrow screens rows are cards.
      const isCards = getComputedStyle(table).display !== 'table';
      if (head === undefined || row === undefined || isCards) return [];
      const headings = shown(head);
      const cells = shown(row);
      return headings === cells ? [] : [`${table.ariaLabel}: ${headings} headings, ${cells} cells`];
    });
  });
}
