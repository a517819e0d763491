import type { Page } from '@playwright/test';
import { expectCleanInEveryView } from './support/accessible';
import { callApi, type Workspace } from './support/api';
import { waitForDialogsClosed } from './support/dialogs';
import { makePortal } from './support/embedding-page';
import { expect, test } from './support/fixtures';
import { runSql } from './support/run-sql';
import { signInAs } from './support/team';

/** Sends events that an endpoint misses, since it is off meanwhile. */
async function miss({ projectId, key }: Workspace, endpointId: string, count: number, more: object = {}) {
  const patch = (body: object) => callApi('PATCH', `/projects/${projectId}/endpoints/${endpointId}`, { key, body });
  await patch({ enabled: false });
  const sent: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const body = { type: 'order.paid', data: { n }, ...more };
    sent.push((await callApi<{ id: string }>('POST', '/events', { key, body })).id);
  }
  // Until their fan-out has ended, they are on their way.
  for (const id of sent) {
    await expect
      .poll(async () => {
        const path = `/projects/${projectId}/events/${id}`;
        return (await callApi<{ fanOutStatus: string }>('GET', path, { key })).fanOutStatus;
      })
      .toBe('COMPLETED');
  }
}

const replayCard = (page: Page) => page.getByRole('region', { name: 'Event replay' });

test('an endpoint that is resumed says what it missed, sends it once, and all jobs show how that went', async ({
  page,
  workspace,
  receiver,
}) => {
  const { projectId, endpointId } = workspace;
  await miss(workspace, endpointId, 3);
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/endpoints/${endpointId}`);
  await page.getByRole('button', { name: 'Resume' }).click();
  const offer = page.getByRole('status').filter({ hasText: /3 events since .* were not sent\. Send them\?/ });
  await expect(offer).toBeVisible();
  await expectCleanInEveryView(page);
  await offer.getByRole('button', { name: 'Send 3 events' }).click();
  await expect(offer).toHaveCount(0);
  await expect(replayCard(page)).toContainText('Events replayed 3 sent, 3 of 3 events checked');
  await expect.poll(() => receiver.received.length).toBe(3);
  await page.getByRole('button', { name: 'Replay events…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay events' });
  await expect(dialog).toContainText('There is nothing to send.');
  await dialog.getByText('All', { exact: true }).click();
  await expect(dialog).toContainText('3 events will be sent.');
  await expectCleanInEveryView(page);
  await dialog.getByRole('button', { name: 'Send 3 events' }).click();
  await waitForDialogsClosed(page);
  await expect.poll(() => receiver.received.length).toBe(6);
  await replayCard(page).first().getByRole('link', { name: 'All jobs' }).click();
  const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('row').filter({ hasText: 'Event replay' });
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(receiver.url);
  await expect(rows.first()).toContainText('Completed');
  await expect(rows.first()).toContainText('3 of 3 events');
  await expectCleanInEveryView(page);
  await rows.first().getByRole('button', { name: 'Event replay' }).click();
  const details = page.getByRole('dialog', { name: 'Event replay' });
  await expect(details).toContainText('3 deliveries queued');
  await expectCleanInEveryView(page);
  await details.getByRole('link', { name: 'View deliveries' }).click();
  await expect(page.getByRole('row').getByText('Succeeded')).toHaveCount(3);
});

test('the list of jobs shows which one fails, why, and what becomes of it', async ({ page, workspace }) => {
  const { projectId } = workspace;
  for (const [status, tries] of [
    ['FAILED', 13],
    ['RUNNING', 2],
  ]) {
    await runSql(
      `INSERT INTO event_replays (id, project_id, owner_id, selection, created_from, created_to, total, checked, sent, status, failed_tries,
                                  error, next_batch_at, completed_at)
       VALUES (gen_random_uuid(), $1, $1, 'MISSING', now(), now(), 9, 4, 3, $2::"EventReplayStatus", $3,
               'The database refused a change.', now() + interval '1 hour', CASE WHEN $3 = 13 THEN now() END)`,
      [projectId, status, tries],
    );
  }
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/jobs`);
  const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('row').filter({ hasText: 'Event replay' });
  await expect(rows.filter({ hasText: 'Failing' })).toHaveCount(1);
  await expectCleanInEveryView(page);
  const dialog = page.getByRole('dialog', { name: 'Event replay' });
  for (const [state, next] of [
    ['Failing', 'The last 2 tries failed. It tries again within ten minutes.'],
    ['Failed', 'The last 13 tries failed. What it has done stays done; start it again to do the rest.'],
  ]) {
    await rows.filter({ hasText: state }).getByRole('button', { name: 'Event replay' }).click();
    await expect(dialog).toContainText(`The database refused a change. ${next}`);
    await expect(dialog).toContainText('3 deliveries queued');
    await page.keyboard.press('Escape');
    await waitForDialogsClosed(page);
  }
});

test('an endpoint that is created offers the events of the last 24 hours that it is subscribed to', async ({
  page,
  workspace,
  receiver,
}) => {
  const { projectId, endpointId } = workspace;
  await miss(workspace, endpointId, 2);
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/endpoints`);
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByLabel('URL', { exact: true }).fill(`${receiver.url}/second`);
  await page.getByRole('checkbox', { name: /^\*/ }).check();
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  const offer = page.getByRole('status').filter({ hasText: '2 events in the last 24 hours match this endpoint' });
  await offer.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(offer).toHaveCount(0);
  expect(receiver.received).toEqual([]);
});

test('a customer who turns an endpoint on again is offered what it missed', async ({ page, workspace, receiver }) => {
  const { projectId, key } = workspace;
  const makeLink = await makePortal(workspace, []);
  const body = { url: receiver.url, customer: 'cus_1', eventTypes: ['*'] };
  const { id } = await callApi<{ id: string }>('POST', `/projects/${projectId}/endpoints`, { key, body });
  await miss(workspace, id, 2, { customer: 'cus_1' });
  await page.goto(await makeLink());
  await page.getByRole('button', { name: receiver.url }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('2 events were not sent while this endpoint was off. Send them?')).toBeVisible();
  await expectCleanInEveryView(page);
  await page.getByRole('button', { name: 'Send 2 events' }).click();
  await expect(page.getByText('The missed events are being sent, oldest first.')).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(2);
});
