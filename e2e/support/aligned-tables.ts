import { expect, type Page } from '@playwright/test';

/** Expects that each table shows as many headings as cells in a row: a cell that is hidden alone puts others below wrong headings. */
export async function expectAlignedTables(page: Page): Promise<void> {
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
