import type { Page } from '@playwright/test';
import { expect } from './fixtures';

/** Returns the paths of all pages that the navigation of a section lists, its own page first. */
export async function listSection(page: Page, section: string): Promise<string[]> {
  await page.goto(section);
  const links = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link');
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  const paths = hrefs.filter((href) => href.startsWith('/docs/') && !href.includes('#'));
  expect(paths[0]).toBe(section);
  return [...new Set(paths)];
}
