import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { toPublicHeaders } from '@/lib/tunnel/relay/public/response-headers';

// Shows what Chromium does with the headers that visitors of a tunnel get. The tests next to the relay show that it sends them.

const SCRIPT = "history.replaceState(null, '', '/login'); document.documentElement.id = 'ran';";
const FORM = '<form action="/taken"><input type="password" name="password"></form>';
const PAGES: Record<string, string> = {
  'text/html': `<!doctype html><title>Sign in</title>${FORM}<script>${SCRIPT}</script>`,
  'application/xhtml+xml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>${FORM.replace('>', '/>')}</body></html>`,
  'image/svg+xml': `<svg xmlns="http://www.w3.org/2000/svg"><script>${SCRIPT}</script></svg>`,
};
const CASES = Object.keys(PAGES).flatMap((type) => [200, 401, 500].map((status) => ({ type, status })));

let server: Server;
let origin: string;
test.beforeAll(async () => {
  server = createServer((request, response) => {
    const [, type = '', status = '200', place] =
      decodeURIComponent(request.url ?? '').match(/^\/t\/(.+);(\d+);(\w+)$/) ?? [];
    const isOwnOrigin = place === 'own';
    const rules = { status: Number(status), prefix: '/t/token', isOwnOrigin, mayRender: isOwnOrigin };
    response.writeHead(Number(status), toPublicHeaders([['Content-Type', type]], rules).flat()).end(PAGES[type] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Opens a page of a tunnel. Chromium ends the navigation to a file with an error. */
async function open(page: Page, { type, status }: { type: string; status: number }, place: 'dashboard' | 'own') {
  await page.goto(`${origin}/t/${encodeURIComponent(`${type};${status};${place}`)}`).catch(() => undefined);
  return { path: new URL(page.url()).pathname, fields: await page.locator('input').count() };
}

test('Chromium shows nothing that a tunnel on the dashboard’s origin returns', async ({ page }) => {
  for (const shown of CASES) {
    await test.step(`${shown.type}, ${shown.status}`, async () => {
      const { path, fields } = await open(page, shown, 'dashboard');
      expect(path).not.toBe('/login');
      expect(fields).toBe(0);
      await expect(page.locator('#ran')).toHaveCount(0);
    });
  }
});

test('Chromium shows the page of a tunnel on an origin of its own', async ({ page }) => {
  expect(await open(page, { type: 'text/html', status: 200 }, 'own')).toEqual({ path: '/login', fields: 1 });
});
