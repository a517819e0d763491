import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

const EMPTY_PAGES = 3;

test('a filter without matches among the newest rows looks through older ones when asked', async ({
  page,
  workspace,
}) => {
  await signInAs(page, workspace);
  await page.route(/\/api\/v1\/projects\/[^/]+\/events\?/, async (route) => {
    const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const event = {
      id: '0197b6a0-0000-7000-8000-000000000001',
      type: 'rare.type',
      idempotencyKey: null,
      apiKeyId: null,
      clientAddress: null,
      customerId: null,
      customerUid: null,
      fanOutStatus: 'COMPLETED',
      createdAt: '2026-01-01T00:00:00.000Z',
      deliveries: { pending: 0, queued: 0, retrying: 0, succeeded: 1, failed: 0 },
    };
    const isLast = start === EMPTY_PAGES;
    await route.fulfill({ json: { data: isLast ? [event] : [], nextCursor: isLast ? null : String(start + 1) } });
  });
  await page.goto(`/projects/${workspace.projectId}/events?type=rare.*`);
  await expect(page.getByRole('heading', { name: 'No match among the newest rows' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'rare.type' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Keep looking' }).click();
  await expect(page.getByRole('link', { name: 'rare.type' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
});
