import { expectCleanInEveryView } from './support/accessible';
import { callApi } from './support/api';
import { waitForDialogsClosed } from './support/dialogs';
import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

test('an alert is made, says what its triggers mean, sends a test, shows what arrived, and is muted', async ({
  page,
  workspace,
  receiver,
}) => {
  const { projectId } = workspace;
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/alerts`);
  await expect(page.getByText('No alerts yet')).toBeVisible();
  await expectCleanInEveryView(page);
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await expect(dialog.getByLabel('Address')).toHaveValue(/@/);
  await expect(dialog.getByText('For 30 minutes, every attempt to an endpoint has failed.')).toBeVisible();
  await expectCleanInEveryView(page);
  await dialog.getByLabel('Name').fill('On call');
  await dialog.getByText('Webhook', { exact: true }).click();
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('Schema mismatch').check();
  await dialog.getByLabel('API key expiring').check();
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await expect(page.getByRole('heading', { name: 'On call' })).toBeVisible();
  await waitForDialogsClosed(page);

  await page.getByRole('button', { name: 'Send a test' }).click();
  const row = page.getByRole('table', { name: 'Messages' }).getByRole('row').filter({ hasText: 'Test' });
  await expect(row).toContainText('This is a test of the alert “On call”. Nothing has happened.');
  await expect(row).toContainText('Sent', { timeout: 15_000 });
  expect(JSON.parse(receiver.received[0]?.body ?? '').type).toBe('alert.test');
  await expect(page.getByText('Never fired')).toHaveCount(6);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByText(/whsec_[A-Za-z0-9+/]/)).toBeVisible();
  await expectCleanInEveryView(page);

  await page.getByRole('button', { name: 'Mute' }).click();
  await page.getByRole('menuitem', { name: 'For 8 hours' }).click();
  await expect(page.getByText(/^Muted, ends/)).toBeVisible();
  await page.getByRole('button', { name: 'Unmute' }).click();
  await expect(page.getByRole('button', { name: 'Mute', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit alert' });
  await edit.getByLabel('API key expiring').uncheck();
  await edit.getByRole('button', { name: 'Save alert' }).click();
  await waitForDialogsClosed(page);
  await expect(page.getByText('Never fired')).toHaveCount(5);
  await page.goto(`/projects/${projectId}/alerts`);
  await expect(page.getByRole('table', { name: 'Alerts' })).toContainText(receiver.url);
  await expectCleanInEveryView(page);
});

test('a test of an email shows that the mail server has it', async ({ page, workspace }) => {
  const { projectId, token } = workspace;
  const me = await callApi<{ user: { email: string } }>('GET', '/auth/me', { token });
  const body = { name: 'Mail', kind: 'EMAIL', target: me.user.email, triggers: ['BACKLOG'] };
  const { id } = await callApi<{ id: string }>('POST', `/projects/${projectId}/alerts`, { token, body });
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/alerts/${id}`);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByRole('table', { name: 'Messages' })).toContainText('With the mail server');
});
