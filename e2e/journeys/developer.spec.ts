import { callApi } from '@/e2e/support/api';
import { expect, test } from '@/e2e/support/fixtures';
import { invite, makeMember, makePerson, makeProject, signInAs } from '@/e2e/support/team';

test('an invited developer joins with the link and creates an endpoint', async ({ page, receiver }) => {
  const owner = await makePerson('Ada Lovelace', 'Analytical Engines');
  const project = await makeProject(owner, 'Web shop');
  const developer = await makePerson('Grace Hopper');
  const link = await invite(owner, developer.email, 'DEVELOPER');
  await signInAs(page, developer);
  await page.goto(link);
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(page.getByText('You’re now a developer of Analytical Engines.')).toBeVisible();
  await page.goto(`/projects/${project.id}/endpoints`);
  await page.getByRole('button', { name: 'New endpoint' }).first().click();
  await page.getByLabel('URL').fill(receiver.url);
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page.getByText(receiver.url).first()).toBeVisible();
});

test('a removed developer is refused by the page that is still open', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace');
  const project = await makeProject(owner, 'Web shop');
  const developer = await makeMember(owner, 'Grace Hopper', 'DEVELOPER');
  await signInAs(page, developer);
  await page.goto(`/projects/${project.id}/keys`);
  await page.getByRole('button', { name: 'New key' }).first().click();
  await page.getByLabel('Name').fill('Mine for ever');
  const path = `/orgs/${owner.organizationId}/members/${developer.userId}`;
  await callApi('DELETE', path, { token: owner.token });
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expect(page.getByText(/eds_[0-9A-Za-z]{20}/)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Project not found' })).toBeVisible();
});
