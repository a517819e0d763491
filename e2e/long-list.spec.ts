import type { Locator, Page } from '@playwright/test';
import { expectClean } from './support/accessible';
import { makeWorkspace } from './support/api';
import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

const PAGES = 12;
const PER_PAGE = 50;
const WINDOWED_FROM = 300;
const idOf = (n: number) => `0197b6a0-0000-7000-8000-${(1_000_000 - n).toString(16).padStart(12, '0')}`;

/** Some names need two lines on a phone, so that rows differ in height. */
const typeOf = (n: number) => `order.${n}${n % 7 === 0 ? '.shipment.returned.to.the.warehouse.by.the.carrier' : ''}`;

/** Answers requests for the list of events with pages of many events, like the API. */
async function mockEvents(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/projects\/[^/]+\/events\?/, async (route) => {
    const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: PER_PAGE }, (_, n) => ({
      id: idOf(start + n),
      type: typeOf(start + n),
      createdAt: new Date(Date.UTC(2026, 0, 1) - (start + n) * 1000).toISOString(),
      deliveries: { pending: 0, queued: 0, retrying: 0, succeeded: 1, failed: 0 },
      idempotencyKey: null,
      apiKeyId: null,
      clientAddress: null,
      customerId: null,
      customerUid: null,
      fanOutStatus: 'COMPLETED',
    }));
    const next = start + PER_PAGE;
    await route.fulfill({ json: { data, nextCursor: next < PAGES * PER_PAGE ? String(next) : null } });
  });
}

/** Scrolls up and expects the row, while it is rendered, to move as far as the wheel, and no row to jump. */
async function expectSteadyScroll(page: Page, row: Locator): Promise<void> {
  const top = async () => (await row.boundingBox())?.y ?? 0;
  let before = await top();
  for (let step = 0; step < 12; step++) {
    await page.mouse.wheel(0, -300);
    await expect.poll(top).toBe(before + 300);
    before += 300;
  }
}

for (const width of [1280, 390]) {
  test(`at ${width} px, a long list renders only the rows near the screen; scrolling and keys reach every row`, async ({
    page,
    receiver,
  }) => {
    await page.setViewportSize({ width, height: 860 });
    const workspace = await makeWorkspace(receiver.url);
    await signInAs(page, workspace);
    await mockEvents(page);
    await page.goto(`/projects/${workspace.projectId}/events`);
    const link = (n: number) => page.getByRole('link', { name: typeOf(n), exact: true });
    await expect(link(0)).toBeVisible();
    const table = page.getByRole('table', { name: 'Events' });
    const loadMore = page.getByRole('button', { name: 'Load more' });
    for (let n = 1; n < WINDOWED_FROM / PER_PAGE - 1; n++) {
      await loadMore.click();
      await expect(link(n * PER_PAGE + 1)).toBeVisible();
    }
    // The code for long lists is loaded with the page that makes this one long.
    await expect(table).not.toHaveAttribute('aria-rowcount');
    const focused = link(200);
    await focused.focus();
    const before = (await focused.boundingBox())?.y ?? 0;
    await loadMore.dispatchEvent('click');
    await expect(table).toHaveAttribute('aria-rowcount', String(WINDOWED_FROM + 1));
    await expect(focused).toBeFocused();
    expect(Math.abs(((await focused.boundingBox())?.y ?? 0) - before)).toBeLessThan(1);
    for (let n = WINDOWED_FROM / PER_PAGE; n < PAGES; n++) {
      // The library measures rows later while the reader scrolls.
      await loadMore.evaluate((button: HTMLElement) => {
        window.scrollTo(0, document.documentElement.scrollHeight);
        button.click();
      });
      await expect(table).toHaveAttribute('aria-rowcount', String((n + 1) * PER_PAGE + 1));
    }
    await expect(loadMore).toHaveCount(0);
    const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
    const height = await pageHeight();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(link(PAGES * PER_PAGE - 1)).toBeInViewport();
    expect(Math.abs((await pageHeight()) - height)).toBeLessThan(50);
    const rendered = () => table.locator('tbody tr:not([data-gap])').count();
    expect(await rendered()).toBeLessThan(250);

    // The row in the middle is where it would be, and nothing moves when it is rendered.
    await page.mouse.move(5, 5);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
    const firstInView = () =>
      table.getByRole('link').evaluateAll((links) => {
        const inView = links.find((each) => each.getBoundingClientRect().top > 100);
        return Number(/\d+/.exec(inView?.textContent ?? '')?.[0]);
      });
    // The rows are rendered in the frame after the scroll.
    let middle = 0;
    await expect(async () => {
      middle = await firstInView();
      expect(middle).toBeGreaterThan(200);
      expect(middle).toBeLessThan(400);
    }).toPass();
    expect(await rendered()).toBeLessThan(250);
    expect(Math.abs((await pageHeight()) - height)).toBeLessThan(50);

    // The heights of the rows above are unknown after a resize.
    await page.setViewportSize({ width: width - 30, height: 860 });
    await link(middle + 5).focus();
    await expectSteadyScroll(page, link(middle + 5));
    await expectClean(page);

    await link(middle + 5).focus();
    await page.keyboard.press('Home');
    await expect(link(0)).toBeFocused();
    await page.keyboard.press('End');
    await expect(link(PAGES * PER_PAGE - 1)).toBeFocused();
    await expect(link(PAGES * PER_PAGE - 1)).toBeInViewport();
    await page.keyboard.press('ArrowUp');
    await expect(link(PAGES * PER_PAGE - 2)).toBeFocused();
    // A row with the focus stays, however far away it is.
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(link(0)).toBeInViewport();
    await expect(link(PAGES * PER_PAGE - 2)).toBeFocused();
  });
}
