import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { makeWorkspace } from './support/api';
import { copyWith } from './support/copy';
import { waitForDialogsClosed } from './support/dialogs';
import { expect, test } from './support/fixtures';
import { makeDestination, makeSource, secretOf, sendAsGitHub } from './support/sources';
import { signInAs } from './support/team';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a destination gets verified events with its credential and our signature, and is edited and deleted', async ({
  page,
  receiver,
  workspace,
}) => {
  const source = await makeSource(workspace, 'GITHUB');
  const secret = await secretOf(workspace, source);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/sources/${source.id}`);
  await expect(page.getByRole('heading', { name: 'No destinations yet' })).toBeVisible();

  await page.getByRole('button', { name: 'Add destination' }).click();
  await page.getByRole('button', { name: 'Create destination' }).click();
  await expect(page.getByText('Enter the URL of the receiver.')).toBeVisible();
  await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
  await page.getByLabel('Authentication').click();
  await page.getByRole('option', { name: 'Basic: username and password' }).click();
  await page.getByLabel('Username').fill('a:b');
  await page.getByLabel('Password').fill('p w');
  await page.getByRole('switch', { name: 'Sign deliveries' }).click();
  await page.getByRole('button', { name: 'Create destination' }).click();
  await expect(page.getByText('Must be a username without a colon.')).toBeVisible();
  await page.getByLabel('Username').fill('eds');
  await page.getByRole('button', { name: 'Create destination' }).click();

  const dialog = page.getByRole('dialog', { name: 'Signing secret' });
  await dialog.getByRole('button', { name: 'Show' }).click();
  const signingSecret = await copyWith(page, 'Copy the signing secret');
  await page.keyboard.press('Escape');
  await waitForDialogsClosed(page);
  await expect(page.getByText('Basic, as eds')).toBeVisible();

  const body = '{"zen":"Responsive is better than fast."}';
  const { id } = await sendAsGitHub(source.url, secret, body);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [forward] = receiver.received;
  expect(forward?.body).toBe(body);
  expect(forward?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from('eds:p w').toString('base64')}`,
    'x-github-event': 'push',
    'webhook-id': id,
  });
  expect(() => new Webhook(signingSecret).verify(body, forward?.headers as Record<string, string>)).not.toThrow();

  await choose(page, 'Edit');
  await expect(page.getByLabel('Authentication')).toHaveText('Keep current: Basic, as eds');
  await page.getByLabel('Description').fill('Build server');
  await page.getByLabel('Authentication').click();
  await page.getByRole('option', { name: 'None' }).click();
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByText('Build server')).toBeVisible();
  await expect(page.getByText('No authentication')).toBeVisible();
  await choose(page, 'Signing secret');
  await dialog.getByRole('button', { name: 'Remove secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove secret' }).click();
  await expect(page.getByText('Deliveries to this destination aren’t signed.')).toBeVisible();
  await page.keyboard.press('Escape');
  await sendAsGitHub(source.url, secret, '{"n":2}');
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received[1]?.headers).not.toHaveProperty('authorization');
  expect(receiver.received[1]?.headers).not.toHaveProperty('webhook-signature');

  await choose(page, 'Pause');
  await page.getByLabel('Reason').fill('Maintenance until noon');
  await page.getByRole('button', { name: 'Pause destination' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await expect(page.getByText('Maintenance until noon')).toBeVisible();
  await sendAsGitHub(source.url, secret, '{"n":3}');
  await choose(page, 'Resume');
  await expect(page.getByText('Paused', { exact: true })).toBeHidden();
  // The source, and its destination.
  await expect(page.getByText('Enabled', { exact: true })).toHaveCount(2);
  await choose(page, 'Delete');
  await page.getByRole('button', { name: 'Delete destination' }).click();
  await expect(page.getByRole('heading', { name: 'No destinations yet' })).toBeVisible();
  expect(receiver.received).toHaveLength(2);
});

test('a failing destination shows its health, and its deliveries are found, explained and retried', async ({
  page,
  receiver,
}) => {
  receiver.status = 503;
  const workspace = await makeWorkspace('http://127.0.0.1:9/unused');
  const source = await makeSource(workspace, 'GITHUB');
  await makeDestination(workspace, source, { url: receiver.url, retrySeconds: [1] });
  await sendAsGitHub(source.url, await secretOf(workspace, source), '{"n":1}');
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/sources/${source.id}`);
  await expect(page.getByText('Failing', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'View deliveries' }).click();
  await expect(page).toHaveURL(/deliveries\?destinationId=/);
  await expect(page.getByRole('combobox', { name: 'Target' })).toHaveValue(receiver.url);
  const row = page.getByRole('row').filter({ hasText: 'GITHUB source' });
  await expect(row).toContainText(receiver.url);
  await row.getByRole('link').click();
  await expect(page.getByText('Failed', { exact: true })).toBeVisible();
  await expect(page.getByText('503 Service Unavailable').first()).toBeVisible();
  receiver.status = 200;
  await page.getByRole('button', { name: 'Retry now' }).click();
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: /^…/ }).click();
  await expect(page).toHaveURL(/\/incoming-events\//);
  await expect(page.getByRole('article')).toContainText(receiver.url);
});
