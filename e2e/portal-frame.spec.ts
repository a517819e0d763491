import type { FrameLocator, Page } from '@playwright/test';
import { BASE_URL, callApi, type Workspace } from './support/api';
import { makePortal, startEmbeddingPage } from './support/embedding-page';
import { test as base, expect } from './support/fixtures';

interface Company {
  /** Opens a page of the company's own product, with the portal in it. */
  open(body?: object): Promise<FrameLocator>;
  makeLink(body?: object): Promise<string>;
}

const test = base.extend<{ company: Company }>({
  company: async ({ page, workspace }, use) => {
    const site = await startEmbeddingPage();
    const makeLink = await makePortal(workspace, [site.origin]);
    await use({
      makeLink,
      open: async (body) => {
        site.html = `<!doctype html><html lang="en"><title>Settings</title><body><h1>Settings</h1>
          <eds-portal src="${await makeLink(body)}"></eds-portal>
          <script src="${BASE_URL}/portal/embed.js" async></script>`;
        await page.goto(site.origin);
        const portal = page.frameLocator('eds-portal iframe');
        await expect(portal.getByText('Globex')).toBeVisible();
        return portal;
      },
    });
    await site.close();
  },
});

const makeEndpoints = async ({ projectId, key }: Workspace, count: number) => {
  for (let at = 0; at < count; at += 1) {
    const body = { url: `https://example.com/${at}`, customer: 'cus_1', eventTypes: ['*'] };
    await callApi('POST', `/projects/${projectId}/endpoints`, { key, body });
  }
};

/** What of an element is outside the window, in pixels. */
async function hiddenPixels(page: Page, portal: FrameLocator, role: 'dialog'): Promise<number> {
  const box = await portal.getByRole(role).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  if (box === null) return Infinity;
  return Math.max(0, -box.y) + Math.max(0, box.y + box.height - height);
}

const scrollsInside = (portal: FrameLocator) =>
  portal.locator('body').evaluate((body) => {
    const isCut = [document.documentElement, body].some((each) => each.scrollHeight > window.innerHeight + 1);
    const inner = [...body.querySelectorAll('*')].filter(
      (each) => each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY),
    );
    return { isCut, inner: inner.length };
  });

test('in a page of the company the portal is as high as what it shows, and never scrolls inside', async ({
  page,
  company,
  workspace,
}) => {
  await makeEndpoints(workspace, 15);
  await page.setViewportSize({ width: 390, height: 700 });
  const portal = await company.open();
  await expect(portal.getByRole('listitem')).toHaveCount(15);
  await expect.poll(() => scrollsInside(portal)).toEqual({ isCut: false, inner: 0 });
  await portal.getByRole('button', { name: 'https://example.com/3' }).click();
  await expect(portal.getByRole('heading', { name: 'https://example.com/3' })).toBeInViewport();
  await portal.getByRole('tab', { name: 'Verify' }).click();
  await portal.getByRole('tab', { name: 'Go' }).click();
  await expect.poll(() => scrollsInside(portal)).toEqual({ isCut: false, inner: 0 });
});

test('a dialog opens where the person looks, however long the page is', async ({ page, company, workspace }) => {
  await makeEndpoints(workspace, 1);
  await page.setViewportSize({ width: 1000, height: 600 });
  const portal = await company.open();
  await portal.getByRole('button', { name: 'https://example.com/0' }).click();
  await portal.getByRole('tab', { name: 'Verify' }).click();
  await portal.getByRole('button', { name: 'Replace' }).click();
  await expect(portal.getByRole('dialog')).toBeVisible();
  await expect.poll(() => hiddenPixels(page, portal, 'dialog')).toBe(0);
  await portal.getByRole('button', { name: 'Cancel' }).click();
  await portal.getByRole('tab', { name: 'Settings' }).click();
  await portal.getByRole('button', { name: 'Delete endpoint' }).click();
  await expect.poll(() => hiddenPixels(page, portal, 'dialog')).toBe(0);
  await portal.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click();
  await expect(portal.getByRole('heading', { name: 'No endpoints yet' })).toBeVisible();
});

test('a new link continues an ended session, with what was typed', async ({ page, company }) => {
  await page.clock.install();
  const portal = await company.open({ sessionSeconds: 300 });
  await portal.getByRole('button', { name: 'Add endpoint' }).click();
  await portal.getByLabel('Endpoint URL').fill('https://example.com/typed');
  await page.clock.fastForward(301_000);
  await expect(portal.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  await expect(portal.getByText('To continue, load this page again.')).toBeVisible();
  const link = await company.makeLink();
  await page.evaluate((url) => document.querySelector('eds-portal')?.setAttribute('src', url), link);
  await expect(portal.getByLabel('Endpoint URL')).toBeVisible();
  await expect(portal.getByLabel('Endpoint URL')).toHaveValue('https://example.com/typed');
  // A click misses a button that moves while the frame grows.
  await expect.poll(() => scrollsInside(portal)).toEqual({ isCut: false, inner: 0 });
  await portal.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(portal.getByText('Your endpoint is added.')).toBeVisible();
});
