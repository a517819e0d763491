import type { Page, Request } from '@playwright/test';

const QUIET_MS = 500;

/** A stream of changes stays open, so Playwright's "networkidle" never comes. */
const isStream = (request: Request) => new URL(request.url()).pathname.endsWith('/changes');

/** Watches the requests of a page. Returns a function that waits until none was under way for half a second. */
export function watchRequests(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let quietSince = Date.now();
  page.on('request', (request) => void (isStream(request) || underWay.add(request)));
  const end = (request: Request) => {
    underWay.delete(request);
    quietSince = Date.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    while (underWay.size > 0 || Date.now() - quietSince < QUIET_MS) await page.waitForTimeout(50);
  };
}
