import type { Page } from '@playwright/test';
import type { Destination } from '@/lib/incoming/schema';
import { newIdAt } from '@/lib/platform/ids';
import { expectCleanInEveryView } from './support/accessible';
import { callApi, makeWorkspace, type Workspace } from './support/api';
import { waitForDialogsClosed } from './support/dialogs';
import { expect, test } from './support/fixtures';
import { runSql } from './support/run-sql';
import { makeDestination, makeSource } from './support/sources';
import { signInAs } from './support/team';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Inserts a delivery a minute: failed between two times, succeeded in the hour before and after.
 * @param destination what was down, in place of the endpoint of the workspace
 */
async function insertOutage(
  { projectId, endpointId }: Workspace,
  fromMs: number,
  toMs: number,
  destination?: Destination,
): Promise<void> {
  const times = Array.from(
    { length: (toMs - fromMs + 2 * HOUR_MS) / MINUTE_MS },
    (_, n) => fromMs - HOUR_MS + n * MINUTE_MS,
  );
  const isDown = times.map((at) => at >= fromMs && at < toMs);
  const [columns, event] =
    destination === undefined
      ? [
          'event_id, endpoint_id',
          `INSERT INTO events (id, project_id, type, payload, created_at)
           SELECT id, $4, 'order.paid', '{"type":"order.paid","timestamp":"2026-01-31T09:30:00.000Z","data":{}}', at FROM given`,
        ]
      : [
          'incoming_event_id, destination_id',
          `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size, created_at)
           SELECT id, $4, '${destination.sourceId}', 'POST', '[]', '', 0, at FROM given`,
        ];
  await runSql(
    `WITH given AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::boolean[]) AS g(id, at, down)),
       event AS (${event}),
       stat AS (
         INSERT INTO stats (project_id, period, subject_id, starts_at, succeeded, server_errors)
         SELECT $4, 'HOUR', $5, date_trunc('hour', at), count(*) FILTER (WHERE NOT down), count(*) FILTER (WHERE down)
         FROM given GROUP BY 4)
     INSERT INTO deliveries (id, project_id, ${columns}, status, attempt_count, last_response_status, last_error,
                             last_attempt_at, completed_at, created_at)
     SELECT id, $4, id, $5, CASE WHEN down THEN 'FAILED' ELSE 'SUCCEEDED' END::"DeliveryStatus", 1,
            CASE WHEN down THEN 503 ELSE 200 END, CASE WHEN down THEN 'Answered with status 503' END, at, at, at
     FROM given`,
    [
      times.map((at) => newIdAt(new Date(at))),
      times.map((at) => new Date(at).toISOString()),
      isDown,
      projectId,
      destination?.id ?? endpointId,
    ],
  );
}

const strip = (page: Page) => page.getByRole('region', { name: 'Outages' });

/** Inserts an outage of two hours and opens the project. Returns what clicks and counts. */
async function openAfterOutage(page: Page, workspace: Workspace, destination?: Destination) {
  const from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 4 * HOUR_MS + 2 * MINUTE_MS;
  await insertOutage(workspace, from, from + 2 * HOUR_MS, destination);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}`);
  let count = 0;
  const click = async (target: ReturnType<Page['getByRole']>) => {
    await target.click();
    count += 1;
  };
  return { click, clicks: () => count };
}

test('an outage is found and its deliveries are sent in at most six clicks', async ({ page, receiver }) => {
  const workspace = await makeWorkspace(receiver.url);
  const { click, clicks } = await openAfterOutage(page, workspace);
  await click(page.getByRole('link', { name: 'Endpoints', exact: true }));
  await click(page.getByRole('link', { name: receiver.url }).first());
  await expect(strip(page)).toContainText(/Down .*\d\d:02 to .*\d\d:0\d, 120 waiting or failed/);
  await expectCleanInEveryView(page);
  await click(strip(page).getByRole('button', { name: /^Send now/ }));
  const dialog = page.getByRole('dialog', { name: 'Send what the outage kept back' });
  await expect(dialog).toContainText('120 deliveries will be sent again.');
  await click(dialog.getByRole('button', { name: 'Send 120 deliveries' }));
  await waitForDialogsClosed(page);
  expect(clicks()).toBeLessThanOrEqual(6);
  await expect.poll(() => receiver.received.length).toBe(120);
  await expect(strip(page)).toContainText('done: every delivery of that time has arrived', { timeout: 20_000 });
  await expect(strip(page).getByRole('button', { name: /^Send now/ })).toHaveCount(0);
});

test('the page of a source shows which destination was down, and sends what that kept back in at most six clicks', async ({
  page,
  receiver,
}) => {
  const workspace = await makeWorkspace('http://127.0.0.1:9/unused');
  const source = await makeSource(workspace, 'NONE');
  const steady = await makeDestination(workspace, source, { url: 'http://127.0.0.1:9/steady' });
  const destination = await makeDestination(workspace, source, { url: receiver.url, enabled: false });
  const { click, clicks } = await openAfterOutage(page, workspace, destination);
  await click(page.getByRole('link', { name: 'Sources', exact: true }));
  await click(page.getByRole('link', { name: source.name }).first());
  const outages = page.getByRole('region', { name: `Outages of ${receiver.url}` });
  await expect(outages).toContainText(/Down .*\d\d:02 to .*\d\d:0\d, 120 waiting or failed/);
  await expect(page.getByRole('region', { name: `Outages of ${steady.url}` })).toHaveCount(0);
  await expectCleanInEveryView(page);
  await click(outages.getByRole('button', { name: /^Send now/ }));
  const dialog = page.getByRole('dialog', { name: 'Send what the outage kept back' });
  await expect(dialog).toContainText(
    '120 deliveries will be sent again. The destination is paused: it is enabled first.',
  );
  await click(dialog.getByRole('button', { name: 'Enable and send 120 deliveries' }));
  await waitForDialogsClosed(page);
  expect(clicks()).toBeLessThanOrEqual(6);
  await expect.poll(() => receiver.received.length).toBe(120);
  await expect(outages).toContainText('done: every delivery of that time has arrived', { timeout: 20_000 });

  await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click();
  await page.getByRole('menuitem', { name: 'Recover since…' }).click();
  await expect(page.getByRole('dialog', { name: 'Recover deliveries' })).toContainText(
    'Every attempted delivery has succeeded since then.',
  );
});

test('the page of an endpoint leads with its deliveries, by their outcome', async ({ page, receiver }) => {
  const workspace = await makeWorkspace(receiver.url);
  const from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 4 * HOUR_MS;
  await insertOutage(workspace, from, from + HOUR_MS);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/endpoints/${workspace.endpointId}`);
  const table = page.getByRole('table', { name: 'Deliveries' });
  await expect(table.getByText('Succeeded')).toHaveCount(10);
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await expect(table.getByText('Failed')).toHaveCount(10);
  await page.getByRole('link', { name: 'View all deliveries' }).click();
  await expect(page).toHaveURL(/deliveries\?endpointId=.*&status=FAILED/);
});

test('what waits is told with its next attempt and sent at once, also when it is of no outage', async ({
  page,
  receiver,
}) => {
  receiver.status = 503;
  const workspace = await makeWorkspace(receiver.url);
  const { key, token, projectId, endpointId } = workspace;
  await callApi('PATCH', `/projects/${projectId}/endpoints/${endpointId}`, { token, body: { retrySeconds: [3600] } });
  await callApi('POST', '/events', { key, body: { type: 'order.paid', data: {} } });
  await expect.poll(() => receiver.received.length).toBe(1);
  receiver.status = 200;
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/endpoints/${endpointId}`);
  await expect(strip(page)).toContainText(/1 delivery waits, the next attempt at .*\d\d:\d\d/);
  await strip(page)
    .getByRole('button', { name: /^Send now/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Send what waits' });
  await expect(dialog).toContainText('1 delivery will be sent again.');
  await dialog.getByRole('button', { name: 'Send 1 delivery' }).click();
  await waitForDialogsClosed(page);
  await expect.poll(() => receiver.received.length).toBe(2);
  await expect(strip(page)).toBeHidden({ timeout: 20_000 });
});
