import { randomUUID } from 'node:crypto';
import { callApi, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { goByKeys } from './support/keyboard';
import { runSql } from './support/run-sql';
import { signInAs } from './support/team';

const DAY_MS = 86_400_000;

/** Returns an id that was created so many days ago. */
function oldId(days: number): string {
  const hex = (Date.now() - days * DAY_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}

async function deliver({ key, projectId }: Workspace): Promise<{ eventId: string; deliveryId: string }> {
  const body = { type: 'order.paid', data: { orderId: 'ord_1' } };
  const { id } = await callApi<{ id: string }>('POST', '/events', { key, body });
  const path = `/projects/${projectId}/deliveries?eventId=${id}&status=SUCCEEDED`;
  const read = () => callApi<{ data: { id: string }[] }>('GET', path, { key });
  await expect.poll(async () => (await read()).data.length).toBe(1);
  return { eventId: id, deliveryId: (await read()).data[0]?.id ?? '' };
}

test('the page shows the rules, the organization’s rows and the next runs, and g r opens it', async ({
  page,
  workspace,
}) => {
  await deliver(workspace);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/events`);
  await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible();
  await goByKeys(page, 'r', /\/retention$/);
  await expect(page.getByRole('link', { name: 'Retention', exact: true })).toHaveAttribute('aria-current', 'page');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const events = row('With their data and deliveries. An event stays').getByRole('cell');
  await expect(events.nth(1)).toContainText('90 days');
  await expect(events.nth(2)).toHaveText('1');
  await expect(row('Attempts that got a 2xx response').getByRole('cell').nth(2)).toHaveText('1');
  await expect(row('Attempts that got another response').getByRole('cell').nth(4)).toHaveText('Nothing to delete');
  await expect(row('Only the newest are kept')).toContainText('10 per delivery');
  await expect(row('The request log of your tunnels')).toContainText('Not configurable');
  await events.nth(1).getByText('90 days').focus();
  await expect(page.getByRole('tooltip')).toContainText('DATA_RETENTION_EVENTS_DAYS');
  const schedule = row('Deletes all expired data').getByText('Daily at 02:00 UTC');
  await schedule.focus();
  await expect(page.getByRole('tooltip')).toHaveText('0 2 * * *');
  await expect(page.getByText('deleted after that day has ended')).toBeVisible();
  await expect(page.getByRole('img', { name: /counted back from today/ })).toBeVisible();
});

test('a delivery says how many attempts retention deleted, and by which rules', async ({ page, workspace }) => {
  const { eventId, deliveryId } = await deliver(workspace);
  const path = `/projects/${workspace.projectId}/deliveries/${deliveryId}`;
  await signInAs(page, workspace);
  await page.goto(path);
  await expect(page.getByText('Attempt 1', { exact: true })).toBeVisible();
  await expect(page.getByText('Retention deleted')).toHaveCount(0);
  // Like dropping a partition, which does not update the count.
  await runSql('DELETE FROM delivery_attempts WHERE delivery_id = $1', [deliveryId]);
  const { storedAttempts } = await callApi<{ storedAttempts: number }>('GET', path, {
    key: workspace.key,
  });
  expect(storedAttempts).toBe(0);
  for (const shown of [path, `/projects/${workspace.projectId}/events/${eventId}`]) {
    await page.goto(shown);
    const words = page.getByText('Retention deleted 1 attempt.');
    await expect(words).toContainText('14 days after a success and 90 days after a failure, at most 10');
  }
  await page.getByRole('main').getByRole('link', { name: 'View retention' }).click();
  await expect(page.getByRole('heading', { name: 'Retention', level: 1 })).toBeVisible();
});

test('an event older than its retention is not reported as missing; an unknown one is', async ({ page, workspace }) => {
  const base = `/projects/${workspace.projectId}`;
  await signInAs(page, workspace);
  await page.goto(`${base}/events/${oldId(91)}`);
  await expect(page.getByText('This event is no longer available.')).toBeVisible();
  await expect(page.getByText('Events are kept for 90 days.')).toBeVisible();
  await page.goto(`${base}/deliveries/${oldId(40)}`);
  await expect(page.getByText('This delivery is no longer available.')).toBeVisible();
  for (const path of [`events/${oldId(80)}`, `events/${randomUUID()}`, `deliveries/${oldId(20)}`]) {
    await page.goto(`${base}/${path}`);
    await expect(page.getByRole('heading', { name: /^(Event|Delivery) not found$/ })).toBeVisible();
  }
  await page.goto(`${base}/events?type=nothing.of.this`);
  await expect(page.getByText('Events are kept for 90 days')).toBeVisible();
  await page.goto(`${base}/events?type=nothing.of.this&since=7d`);
  await expect(page.getByText('No matching events')).toBeVisible();
  await expect(page.getByText('Events are kept for 90 days')).toHaveCount(0);
});
