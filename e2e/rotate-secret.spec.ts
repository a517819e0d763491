import type { Page } from '@playwright/test';
import type { DestinationSecret } from '@/lib/incoming/schema';
import { expectCleanInEveryView } from './support/accessible';
import { callApi } from './support/api';
import { expect, test } from './support/fixtures';
import { makeDestination, makeSource } from './support/sources';
import { signInAs } from './support/team';

test('a signing secret is rotated with a grace period, until which the page names the old one, or ends it now', async ({
  page,
  workspace,
}) => {
  const { key, projectId } = workspace;
  const { data } = await callApi<{ data: { id: string }[] }>('GET', `/projects/${projectId}/endpoints`, { key });
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/endpoints/${data[0]?.id}`);
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio', { name: '24 h' })).toBeChecked();
  await expectCleanInEveryView(page);
  await dialog.getByText('7 days').click();
  await expect(dialog.getByText('The old secret works until')).toBeVisible();
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/whsec_[A-Za-z0-9+/]{40}/)).toBeVisible();
  await expect(page.getByText('The previous secret is valid until')).toBeVisible();
  await page.getByRole('button', { name: 'End it now' }).click();
  await expectCleanInEveryView(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'End it now' }).click();
  await expect(page.getByText('Previous secret ended.')).toBeVisible();
  await expect(page.getByText('The previous secret is valid until')).toHaveCount(0);
  await expect(page.getByText(/whsec_[A-Za-z0-9+/]{40}/)).toBeVisible();
});

/** Waits until the page has loaded a resource again, as it does when its tab is opened. */
async function revisit(page: Page, path: string): Promise<void> {
  await expect(async () => {
    const loaded = page.waitForResponse((response) => response.url().endsWith(path), { timeout: 1000 });
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await loaded;
  }).toPass();
}

test('the page of an endpoint hides a secret that somebody else has rotated, and keeps the one it has made', async ({
  page,
  workspace,
}) => {
  const { key, token, projectId } = workspace;
  const { data } = await callApi<{ data: { id: string }[] }>('GET', `/projects/${projectId}/endpoints`, { key });
  const path = `/projects/${projectId}/endpoints/${data[0]?.id}`;
  await signInAs(page, workspace);
  await page.goto(path);
  const secret = page.getByText(/^whsec_[A-Za-z0-9+/]{40}/);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(secret).toBeVisible();
  await revisit(page, path);
  await expect(secret).toBeVisible();

  const rotated = await callApi<DestinationSecret>('POST', `${path}/rotate-secret`, { token, body: {} });
  await revisit(page, path);
  await expect(secret).toHaveCount(0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(secret).toHaveText(rotated.secret);

  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await revisit(page, path);
  await expect(secret).toBeVisible();
  await expect(secret).not.toHaveText(rotated.secret);
});

test('the secret of a destination is hidden once somebody else rotates it', async ({ page, receiver, workspace }) => {
  const { token, projectId } = workspace;
  const source = await makeSource(workspace, 'GITHUB');
  const { id } = await makeDestination(workspace, source, { url: receiver.url, signing: true });
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/sources/${source.id}`);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Signing secret' }).click();
  const dialog = page.getByRole('dialog');
  const secret = dialog.getByText(/^whsec_[A-Za-z0-9+/]{40}/);
  await dialog.getByRole('button', { name: 'Show' }).click();
  await expect(secret).toBeVisible();
  const path = `/projects/${projectId}/sources/${source.id}/destinations/${id}/rotate-secret`;
  const rotated = await callApi<DestinationSecret>('POST', path, { token, body: {} });
  await expect(secret).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Show' }).click();
  await expect(secret).toHaveText(rotated.secret);
});
