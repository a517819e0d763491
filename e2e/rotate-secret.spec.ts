import { expectCleanInEveryView } from './support/accessible';
import { callApi } from './support/api';
import { expect, test } from './support/fixtures';
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
