import type { Frame, Page } from '@playwright/test';
import { build } from 'esbuild';
import { BASE_URL } from './support/api';
import { makePortal, startEmbeddingPage } from './support/embedding-page';
import { test as base, expect } from './support/fixtures';

const test = base.extend<{ company: Awaited<ReturnType<typeof startEmbeddingPage>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern.
  company: async ({}, use) => {
    const company = await startEmbeddingPage({ '/react.js': await bundleReactPage() });
    await use(company);
    await company.close();
  },
});

/** A page that shows the component of the client package, and changes its link when the session is about to end. */
async function bundleReactPage(): Promise<string> {
  const contents = `
    import { createElement, useState } from 'react';
    import { createRoot } from 'react-dom/client';
    import { EdsPortal } from './lib/client/react';
    const links = JSON.parse(document.getElementById('links').textContent);
    function Page() {
      const [at, setAt] = useState(0);
      return createElement(EdsPortal, { src: links[at], colorScheme: 'dark', onExpired: () => setAt(1) });
    }
    createRoot(document.getElementById('root')).render(createElement(Page));`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

const pageWith = (link: string, attributes = '') => `<!doctype html><html lang="en"><title>Settings</title>
  <body><h1>Settings</h1><eds-portal src="${link}" ${attributes}></eds-portal>
  <script src="${BASE_URL}/portal/embed.js" async></script>`;

const portalIn = (page: Page) => page.frameLocator('eds-portal iframe');
const expectOpen = (page: Page) => expect(portalIn(page).getByText('Globex')).toBeVisible();

/** The frame of the portal, whose scripts the test may run. */
async function portalFrame(page: Page) {
  await expectOpen(page);
  const frame = page.frames().find((each) => each.url().startsWith(`${BASE_URL}/portal/`));
  if (frame === undefined) throw new Error('the page has no frame of the portal');
  return frame;
}

const heightOfContent = (frame: Frame) => frame.evaluate(() => document.body.offsetHeight);
const heightOfFrame = async (page: Page) => (await page.locator('eds-portal iframe').boundingBox())?.height;
const hasHeightOfContent = async (page: Page, frame: Frame) =>
  (await heightOfFrame(page)) === (await heightOfContent(frame));

test('a page of an allowed origin shows the portal, as high as its content, and asks no other origin', async ({
  page,
  workspace,
  company,
}) => {
  const makeLink = await makePortal(workspace, [company.origin]);
  const link = await makeLink();
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  company.html = pageWith(link);
  await page.goto(company.origin);
  const frame = await portalFrame(page);
  expect([...asked].sort()).toEqual([BASE_URL, company.origin].sort());
  expect(frame.url()).toBe(link.split('#')[0]);
  // The frame gets its height once the list has loaded.
  await expect(frame.getByRole('heading', { name: 'No endpoints yet' })).toBeVisible();
  await expect.poll(() => hasHeightOfContent(page, frame)).toBe(true);
  expect(await frame.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight)).toBe(true);
  const height = await heightOfContent(frame);
  await frame.evaluate(() => {
    const tall = document.createElement('div');
    tall.style.height = '700px';
    document.querySelector('main')?.append(tall);
  });
  await expect.poll(() => heightOfFrame(page)).toBe(height + 700);
});

test('a page of another origin shows no portal; its link opens it on its own, once, and keeps nothing', async ({
  page,
  workspace,
  company,
  browserFaults,
}) => {
  const link = await (await makePortal(workspace, ['https://app.example.com']))();
  company.html = pageWith(link);
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(company.origin);
  await refused;
  await expect.poll(() => browserFaults.splice(0).length).toBeGreaterThan(0);
  await page.goto(link);
  await expect(page.getByText('Globex')).toBeVisible();
  expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual(['', 0, 0]);
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByText('This link is no longer valid')).toBeVisible();
});

test('a new link continues the session of the running page, which asks for it 60 s before its end', async ({
  page,
  workspace,
  company,
}) => {
  const makeLink = await makePortal(workspace, [company.origin]);
  await page.clock.install();
  company.html = pageWith(await makeLink({ sessionSeconds: 300 }));
  await page.goto(company.origin);
  const frame = await portalFrame(page);
  await frame.evaluate(() => Object.assign(window, { typed: 'kept' }));
  await page.evaluate(() =>
    document.addEventListener('eds-portal-expired', ({ target }) =>
      Object.assign(window, { expired: (target as Element).localName }),
    ),
  );
  const expired = () => page.evaluate(() => (window as { expired?: string }).expired);
  await page.clock.fastForward(200_000);
  expect(await expired()).toBeUndefined();
  await page.clock.fastForward(60_000);
  await expect.poll(expired).toBe('eds-portal');
  const exchanged = page.waitForResponse((response) => response.url().endsWith('/api/v1/portal/sessions'));
  const next = await makeLink();
  await page.evaluate((url) => document.querySelector('eds-portal')?.setAttribute('src', url), next);
  expect((await exchanged).status()).toBe(201);
  expect(await frame.evaluate(() => (window as { typed?: string }).typed)).toBe('kept');
});

test('messages of others than the portal and the page around it change nothing', async ({
  page,
  workspace,
  company,
}) => {
  const makeLink = await makePortal(workspace, [company.origin]);
  company.html = pageWith(await makeLink());
  await page.goto(company.origin);
  const frame = await portalFrame(page);
  const readStyle = () => page.locator('eds-portal iframe').evaluate((each) => each.getAttribute('style'));
  // The frame gets its height once the list has loaded.
  await expect(frame.getByRole('heading', { name: 'No endpoints yet' })).toBeVisible();
  await expect.poll(() => hasHeightOfContent(page, frame)).toBe(true);
  const before = await readStyle();
  let exchanges = 0;
  page.on('request', (request) => {
    exchanges += Number(request.url().endsWith('/portal/sessions'));
  });
  await page.evaluate(() => {
    window.postMessage({ type: 'eds-portal:size', height: 9_999 }, '*');
    window.postMessage({ type: 'eds-portal:expiring' }, '*');
  });
  await frame.evaluate(() => {
    window.postMessage({ type: 'eds-portal:link', link: 'plink_forged' }, '*');
    window.parent.postMessage({ type: 'eds-portal:size', height: 'calc(1px)' }, '*');
    window.parent.postMessage(null, '*');
  });
  await page.waitForTimeout(300);
  expect(await readStyle()).toBe(before);
  expect(exchanges).toBe(0);
});

test('the portal has the scheme of the page, follows it, and takes another one by an attribute', async ({
  page,
  workspace,
  company,
}) => {
  const makeLink = await makePortal(workspace, [company.origin]);
  await page.emulateMedia({ colorScheme: 'dark' });
  company.html = pageWith(await makeLink());
  await page.goto(company.origin);
  const frame = await portalFrame(page);
  const isDark = () => frame.evaluate(() => document.documentElement.classList.contains('dark'));
  expect(await isDark()).toBe(false);
  await page.evaluate(() => document.documentElement.setAttribute('style', 'color-scheme: light dark'));
  await expect.poll(isDark).toBe(true);
  await page.evaluate(() => document.querySelector('eds-portal')?.setAttribute('color-scheme', 'light'));
  await expect.poll(isDark).toBe(false);
  await page.evaluate(() => document.querySelector('eds-portal')?.setAttribute('color-scheme', 'system'));
  await expect.poll(isDark).toBe(true);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(isDark).toBe(false);
});

test('the component for React shows the portal, and passes each new link on', async ({ page, workspace, company }) => {
  const makeLink = await makePortal(workspace, [company.origin]);
  await page.clock.install();
  const links = [await makeLink({ sessionSeconds: 300 }), await makeLink()];
  company.html = `<!doctype html><html lang="en"><title>Settings</title><body><h1>Settings</h1><div id="root"></div>
    <script id="links" type="application/json">${JSON.stringify(links)}</script><script src="/react.js"></script>`;
  await page.goto(company.origin);
  const frame = await portalFrame(page);
  expect(await frame.evaluate(() => document.documentElement.className)).toContain('dark');
  const exchanged = page.waitForResponse((response) => response.url().endsWith('/api/v1/portal/sessions'));
  await page.clock.fastForward(260_000);
  expect((await exchanged).status()).toBe(201);
  await expect(page.locator('eds-portal')).toHaveAttribute('src', links[1] ?? '');
});

test('the script of the element is small, and any page may run it', async ({ request }) => {
  const response = await request.get('/portal/embed.js', { headers: { Origin: 'https://app.example.com' } });
  expect([response.status(), response.headers()['content-type']]).toEqual([200, expect.stringMatching(/javascript/)]);
  expect((await response.body()).length).toBeLessThanOrEqual(4_000);
  expect(response.headers()['set-cookie']).toBeUndefined();
});
