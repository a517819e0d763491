import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';

const PROVIDERS = '/api/v1/auth/providers';

test('a page that receives a field which no schema describes fails its test', async ({ page, responseWatch }) => {
  await page.route(`**${PROVIDERS}`, (route) => route.fulfill({ json: { data: [], total: 0 } }));
  await page.goto('/login');
  const finished = page.waitForEvent('requestfinished', (request) => request.url().endsWith(PROVIDERS));
  await page.evaluate((path) => window.fetch(path), PROVIDERS);
  await finished;
  await responseWatch.settle();
  expect(responseWatch.takeFaults()).toEqual([
    expect.stringMatching(/^GET \/api\/v1\/auth\/providers 200: .*undescribed: total/),
  ]);
});

test('a request that receives an undeclared status fails its test', async ({ receiver }) => {
  // The receiver is no API: it answers every path with 200 and no problem document.
  const elsewhere = `${new URL(receiver.url).origin}/api/v1/orgs`;
  await expect(fetchChecked(elsewhere, { method: 'POST' })).rejects.toThrow('POST /api/v1/orgs 200: ');
});
