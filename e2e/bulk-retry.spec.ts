import type { Page } from '@playwright/test';
import { expectCleanInEveryView } from './support/accessible';
import { callApi, makeWorkspace, type Workspace } from './support/api';
import { waitForDialogsClosed } from './support/dialogs';
import { insertFailedDeliveries } from './support/failed-deliveries';
import { expect, test } from './support/fixtures';
import { runSql } from './support/run-sql';
import { signInAs } from './support/team';

const deliveriesOf = ({ projectId }: Workspace, query = '') => `/projects/${projectId}/deliveries${query}`;
const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select the delivery/ });
const bulkRetry = (page: Page) => page.getByRole('region', { name: 'Bulk retry' });

/** Signs in to a workspace with failed deliveries. */
async function open(page: Page, receiverUrl: string, failed: number): Promise<Workspace> {
  const workspace = await makeWorkspace(receiverUrl);
  await insertFailedDeliveries(workspace, failed);
  await signInAs(page, workspace);
  return workspace;
}

test('a range of deliveries is selected with Shift and retried, and the result is shown', async ({
  page,
  receiver,
}) => {
  const workspace = await open(page, receiver.url, 8);
  await page.goto(deliveriesOf(workspace));
  await expect(boxes(page)).toHaveCount(8);
  await boxes(page).nth(1).click();
  await boxes(page)
    .nth(3)
    .click({ modifiers: ['Shift'] });
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar.getByRole('status')).toHaveText('3 selected');
  await bar.getByRole('button', { name: 'Retry 3 selected' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Retry 3 deliveries?' });
  await expect(dialog).toContainText('at most 200 per second');
  await dialog.getByRole('button', { name: 'Start retry' }).click();
  await waitForDialogsClosed(page);
  await expect(bar).toHaveCount(0);
  await expect(bulkRetry(page)).toContainText('Retried 3 of 3 deliveries');
  await expect.poll(() => receiver.received.length).toBe(3);
  await expect(page.getByRole('row').getByText('Succeeded')).toHaveCount(3);
  await bulkRetry(page).getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await expect(boxes(page)).toHaveCount(8);
  await expect(bulkRetry(page)).toHaveCount(0);
});

test('the rows below a bulk retry show what came of it, also while updates are paused', async ({ page, receiver }) => {
  const workspace = await open(page, receiver.url, 2);
  await page.goto(deliveriesOf(workspace));
  await page.getByRole('button', { name: 'Live. Pause updates' }).click();
  await page.getByRole('checkbox', { name: 'Select all loaded deliveries' }).check();
  await page.getByRole('button', { name: 'Retry 2 selected' }).click();
  await page.getByRole('button', { name: 'Start retry' }).click();
  await expect(bulkRetry(page)).toContainText('Retried 2 of 2 deliveries');
  await expect(page.getByRole('row').getByText('Succeeded')).toHaveCount(2);
});

test('all that match are retried with the keyboard, and the progress survives a reload', async ({ page, receiver }) => {
  const workspace = await open(page, receiver.url, 120);
  await page.goto(deliveriesOf(workspace));
  const disabled = page.getByRole('button', { name: 'Retry matching' });
  await expect(disabled).toHaveAttribute('aria-disabled', 'true');
  await disabled.hover();
  await expect(page.getByRole('tooltip')).toContainText('Choose the state');

  await page.goto(deliveriesOf(workspace, '?status=FAILED&eventType=order.*'));
  await page.getByRole('checkbox', { name: 'Select all loaded deliveries' }).focus();
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar.getByRole('status')).toHaveText('50 selected');
  await bar.getByRole('button', { name: 'Select all 120 matching' }).press('Enter');
  await expect(bar.getByRole('status')).toHaveText('120 matching');
  await bar.getByRole('button', { name: 'Retry 120 matching' }).press('Enter');
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Start retry' }).press('Enter');
  await waitForDialogsClosed(page);
  await page.reload();
  await expect(bulkRetry(page)).toContainText('120 deliveries');
  await expect(bulkRetry(page).getByRole('progressbar', { name: 'Deliveries retried' })).toHaveAttribute(
    'aria-valuenow',
    '100',
  );
  await expect(bulkRetry(page)).toContainText('Retried 120 of 120 deliveries');
  await expect.poll(() => receiver.received.length).toBe(120);
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
});

test('a running retry is canceled, and says what it has skipped', async ({ page, receiver }) => {
  const workspace = await open(page, receiver.url, 3);
  const { token, projectId } = workspace;
  const paused = await callApi<{ id: string }>('POST', `/projects/${projectId}/endpoints`, {
    token,
    body: { url: receiver.url, enabled: false },
  });
  await insertFailedDeliveries({ ...workspace, endpointId: paused.id }, 2);
  await page.goto(deliveriesOf(workspace, '?status=FAILED'));
  await page.getByRole('button', { name: 'Retry 5 matching' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start retry' }).click();
  await expect(bulkRetry(page)).toContainText('Retried 3 of 5 deliveries');
  await expect(bulkRetry(page)).toContainText('Skipped: 2 to a paused or disabled endpoint or destination.');

  await runSql(
    `INSERT INTO bulk_retries (id, project_id, filter, total, next_batch_at)
     VALUES ('ffffffff-ffff-7fff-8fff-ffffffffffff', $1, '{"status":"FAILED"}', 2, 'infinity')`,
    [projectId],
  );
  await page.reload();
  await expect(bulkRetry(page)).toContainText('Retrying 0 of 2 deliveries');
  await expectCleanInEveryView(page);
  await page.getByRole('button', { name: 'Cancel retry' }).click();
  await expect(bulkRetry(page)).toContainText('Retry canceled after 0 of 2 deliveries');
  await page.goto(`/projects/${projectId}/deliveries`);
  await expect(page.getByRole('button', { name: 'Cancel retry' })).toHaveCount(0);
});

test('an endpoint recovers what it has failed since a time', async ({ page, receiver }) => {
  const workspace = await open(page, receiver.url, 2);
  await insertFailedDeliveries(workspace, 4, { agoMs: 3 * 3_600_000 });
  await page.goto(`/projects/${workspace.projectId}/endpoints/${workspace.endpointId}`);
  await page.getByRole('button', { name: 'Recover since…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recover deliveries' });
  await expect(dialog).toContainText('6 deliveries will be retried.');
  await dialog.getByRole('radio', { name: '24 hours' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(dialog.getByRole('radio', { name: '1 hour' })).toBeChecked();
  await expect(dialog).toContainText('2 deliveries will be retried.');
  await dialog.getByRole('radio', { name: 'Custom' }).check({ force: true });
  await dialog.getByLabel('From').fill('2001-01-01T00:00');
  await expect(dialog).toContainText('6 deliveries will be retried.');
  await dialog.getByRole('radio', { name: '1 hour' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Recover deliveries' }).click();
  await waitForDialogsClosed(page);
  await expect(bulkRetry(page)).toContainText('Retried 2 of 2 deliveries');
  await expect.poll(() => receiver.received.length).toBe(2);
});

test('a disabled endpoint is enabled before it recovers', async ({ page, receiver }) => {
  const workspace = await open(page, receiver.url, 2);
  const path = `/projects/${workspace.projectId}/endpoints/${workspace.endpointId}`;
  await callApi('PATCH', path, { token: workspace.token, body: { enabled: false } });
  await page.goto(path);
  await page.getByRole('button', { name: 'Recover since…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recover deliveries' });
  await expect(dialog.getByText('Since it was disabled')).toBeVisible();
  await expect(dialog).toContainText('The endpoint is paused: it is enabled first.');
  await dialog.getByRole('button', { name: 'Enable and recover' }).click();
  await waitForDialogsClosed(page);
  await expect(bulkRetry(page)).toContainText('Retried 2 of 2 deliveries');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
});

test('a viewer sees the progress, but no checkboxes and no way to retry', async ({ page, receiver }) => {
  const workspace = await open(page, receiver.url, 2);
  await page.goto(deliveriesOf(workspace, '?status=FAILED'));
  await expect(boxes(page)).toHaveCount(2);
  await runSql(
    `UPDATE memberships SET role = 'VIEWER' WHERE organization_id = (SELECT organization_id FROM projects WHERE id = $1)`,
    [workspace.projectId],
  );
  await page.reload();
  await expect(page.getByRole('row').getByText('Failed')).toHaveCount(2);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Retry matching' })).toHaveAttribute('aria-disabled', 'true');
});
