import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { callApi, makeWorkspace, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { goByKeys } from './support/keyboard';
import type { Product } from './support/launch-product';
import { mockProblem } from './support/mock-problem';
import { launchProductWithOperator, openAsOperator } from './support/operator';
import { runSql } from './support/run-sql';
import { makePerson, signInAs } from './support/team';

const DAY_MS = 86_400_000;

/** Returns an id that was created so many days ago. */
function oldId(days: number): string {
  const hex = (Date.now() - days * DAY_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}

async function deliver(
  baseUrl: string,
  { key, projectId }: Workspace,
): Promise<{ eventId: string; deliveryId: string }> {
  const body = { type: 'order.paid', data: { orderId: 'ord_1' } };
  const { id } = await callApi<{ id: string }>(baseUrl, 'POST', '/events', { key, body });
  const path = `/projects/${projectId}/deliveries?eventId=${id}&status=SUCCEEDED`;
  const read = () => callApi<{ data: { id: string }[] }>(baseUrl, 'GET', path, { key });
  await expect.poll(async () => (await read()).data.length).toBe(1);
  return { eventId: id, deliveryId: (await read()).data[0]?.id ?? '' };
}

test.describe('for members', () => {
  test('the page shows the rules, the organization’s rows and the next runs, and g r opens it', async ({
    page,
    receiver,
    baseURL,
  }) => {
    const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
    await deliver(baseURL ?? '', workspace);
    await signInAs(page, workspace);
    await page.goto(`/projects/${workspace.projectId}/events`);
    await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible();
    await goByKeys(page, 'r', /\/retention$/);
    await expect(page.getByRole('link', { name: 'Retention', exact: true })).toHaveAttribute('aria-current', 'page');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    const events = row('Including payloads and deliveries').getByRole('cell');
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
    await expect(page.getByText('at the end of the UTC day they expire on')).toBeVisible();
    await expect(page.getByRole('img', { name: /counted back from today/ })).toBeVisible();
  });

  test('a failure shows its request id, and a person without an organization can create one', async ({
    page,
    baseURL,
  }) => {
    const person = await makePerson(baseURL ?? '', 'Ada Lovelace');
    await page.route('**/api/v1/orgs/*/retention', (route) => route.fulfill(mockProblem('forbidden', 'Not now.')));
    await signInAs(page, person);
    await page.goto('/retention');
    await expect(page.getByText('We couldn’t load the retention rules.')).toBeVisible();
    await expect(page.getByText('req-7')).toBeVisible();
    await page.unroute('**/api/v1/orgs/*/retention');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('table', { name: 'Cleanups' })).toBeVisible();
    await runSql('DELETE FROM memberships WHERE user_id = $1', [person.userId]);
    await page.reload();
    await expect(page.getByText('You aren’t in any organizations.')).toBeVisible();
  });

  test('a delivery says how many attempts retention deleted, and by which rules', async ({
    page,
    receiver,
    baseURL,
  }) => {
    const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
    const { eventId, deliveryId } = await deliver(baseURL ?? '', workspace);
    const path = `/projects/${workspace.projectId}/deliveries/${deliveryId}`;
    await signInAs(page, workspace);
    await page.goto(path);
    await expect(page.getByText('Attempt 1', { exact: true })).toBeVisible();
    await expect(page.getByText('Retention deleted')).toHaveCount(0);
    // Like dropping a partition, which does not update the count.
    await runSql('DELETE FROM delivery_attempts WHERE delivery_id = $1', [deliveryId]);
    const { storedAttempts } = await callApi<{ storedAttempts: number }>(baseURL ?? '', 'GET', path, {
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

  test('an event older than its retention is not reported as missing; an unknown one is', async ({
    page,
    receiver,
    baseURL,
  }) => {
    const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
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
});

test.describe('for the operator', () => {
  let product: Product;

  test.beforeAll(async () => {
    product = await launchProductWithOperator();
  });

  test.afterAll(async () => {
    await product?.stop();
  });

  async function query<T extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<T[]> {
    const client = new pg.Client({ connectionString: product.databaseUrl });
    await client.connect();
    try {
      return (await client.query<T>(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  async function openRetention(page: Page): Promise<void> {
    await openAsOperator(page, product);
    await page.getByRole('tab', { name: 'Retention' }).click();
    await expect(page.getByRole('table', { name: 'Jobs' })).toBeVisible();
  }

  test('the map shows and describes a non-empty default partition until its rows are moved', async ({ page }) => {
    await query(
      `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, request_size, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'GET', '/', 0, now() - interval '3 days' FROM generate_series(1, 12)`,
    );
    await openRetention(page);
    await expect(page.getByText('Default partition of tunnel_request_log: 12 rows')).toBeVisible();
    await expect(page.getByText('Default partitions are not empty: 12 in tunnel_request_log')).toBeVisible();
    await page.getByRole('button', { name: 'Run partitions now' }).click();
    await expect(page.getByText('Partitions for the coming days are ready.')).toBeVisible();
    await expect(page.getByText('Default partition of tunnel_request_log: 0 rows')).toBeVisible();
    await expect(page.getByText('Default partitions are not empty')).toHaveCount(0);
  });

  test('the days of the map can be selected by keyboard', async ({ page }) => {
    await openRetention(page);
    const days = page.getByRole('slider', { name: 'Days of delivery_attempts_failed' });
    await days.focus();
    await expect(days).toHaveAttribute('aria-valuetext', /today$/);
    await days.press('ArrowRight');
    await expect(days).toHaveAttribute('aria-valuetext', /created ahead$/);
    await expect(page.getByText(/^\w{3}, \d+ \w+ \d{4}, delivery_attempts_failed: about 0 rows/)).toBeVisible();
  });

  test('the main cleanup runs after a confirmation, and shows its result and counters', async ({ page }) => {
    const organizationId = randomUUID();
    const projectId = randomUUID();
    await query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organizationId, 'Old']);
    await query('INSERT INTO projects (id, organization_id, name) VALUES ($1, $2, $3)', [
      projectId,
      organizationId,
      'Old',
    ]);
    await query(
      `INSERT INTO events (id, project_id, type, payload, created_at)
       SELECT gen_random_uuid(), $1, 'old', '{}', now() - interval '92 days' FROM generate_series(1, 1500)`,
      [projectId],
    );
    await openRetention(page);
    const events = page.getByRole('row').filter({ hasText: 'DATA_RETENTION_EVENTS_DAYS' });
    await expect(events.getByText('Overdue')).toBeVisible();
    await page.getByRole('button', { name: 'Run main now' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await query('SELECT FROM events WHERE project_id = $1', [projectId])).toHaveLength(1500);
    await page.getByRole('button', { name: 'Run main now' }).click();
    await question.getByRole('button', { name: 'Run main cleanup' }).click();
    await expect(page.getByText('Expired data deleted.')).toBeVisible({ timeout: 30_000 });
    expect(await query('SELECT FROM events WHERE project_id = $1', [projectId])).toHaveLength(0);
    await expect(events.getByText('Overdue')).toHaveCount(0);
    for (const column of [5, 6]) await expect(events.getByRole('cell').nth(column)).toHaveText('1,500');
    const main = page.getByRole('table', { name: 'Jobs' }).getByRole('row').filter({ hasText: /^main/ });
    await expect(main.getByText('Succeeded')).toBeVisible();
    await expect(main.getByText('1,500 rows deleted from events')).toBeVisible();
  });

  test('a job that is already running is not reported as a failure', async ({ page }) => {
    await openRetention(page);
    await page.route('**/admin/retention/run', (route) =>
      route.fulfill(mockProblem('conflict', 'The job cap is already running.')),
    );
    await page.getByRole('button', { name: 'Run cap now' }).click();
    await expect(page.getByText('The job cap is already running.')).toBeVisible();
    await expect(page.getByText('The job cap failed')).toHaveCount(0);
  });
});
