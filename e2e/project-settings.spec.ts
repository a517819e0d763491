import { callApi } from './support/api';
import { expect, test } from './support/fixtures';
import { makePerson, makeProject, signInAs } from './support/team';

test('an owner renames a project and sees its limits', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace');
  const project = await makeProject(owner, 'Web shop');
  await callApi('POST', `/projects/${project.id}/endpoints`, {
    token: owner.token,
    body: { url: 'https://shop.example/hook' },
  });
  await signInAs(page, owner);
  await page.goto(`/projects/${project.id}/overview`);
  await page.getByRole('link', { name: 'Project settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Project settings' })).toBeVisible();
  await expect(page.getByText(project.id)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Endpoints1 of 1,000' })).toBeVisible();
  await page.getByLabel('Name').fill('Store');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('button', { name: /^Switch project/ })).toContainText('Store');
  await page.goto(`/orgs/${owner.organizationId}/settings`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Projects1 of 100' })).toBeVisible();
});

test('a project is deleted by its exact name', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace');
  const kept = await makeProject(owner, 'Kept');
  const project = await makeProject(owner, 'Web  shop');
  await signInAs(page, owner);
  await page.goto(`/projects/${project.id}/settings`);
  await page.getByRole('button', { name: 'Delete project' }).click();
  const dialog = page.getByRole('alertdialog');
  const remove = dialog.getByRole('button', { name: 'Delete project' });
  await dialog.getByRole('textbox').fill('web  shop');
  await page.keyboard.press('Enter');
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox').fill('Web  shop');
  await remove.click();
  await expect(page.getByText('is deleted.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Switch project/ })).toContainText('Kept');
  const { data } = await callApi<{ data: { id: string }[] }>('GET', `/orgs/${owner.organizationId}/projects`, {
    token: owner.token,
  });
  expect(data.map(({ id }) => id)).toEqual([kept.id]);
});
