import { callApi } from '@/e2e/support/api';
import { expect, test } from '@/e2e/support/fixtures';
import { invite, makeMember, makePerson, makeProject, type Person, signInAs } from '@/e2e/support/team';

const BASE_URL = process.env.E2E_BASE_URL ?? '';

const accept = (person: Person, link: string) =>
  callApi(BASE_URL, 'POST', '/auth/accept-invitation', {
    token: person.token,
    body: { token: new URL(link, BASE_URL).searchParams.get('token') },
  });

async function rolesIn(owner: Person): Promise<string[]> {
  const path = `/orgs/${owner.organizationId}/members`;
  const { data } = await callApi<{ data: { role: string }[] }>(BASE_URL, 'GET', path, { token: owner.token });
  return data.map(({ role }) => role).sort();
}

test('an invited developer joins with the link and creates an endpoint', async ({ page, receiver }) => {
  const owner = await makePerson(BASE_URL, 'Ada Lovelace', 'Analytical Engines');
  const project = await makeProject(BASE_URL, owner, 'Web shop');
  const developer = await makePerson(BASE_URL, 'Grace Hopper');
  const link = await invite(BASE_URL, owner, developer.email, 'DEVELOPER');
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

test('an invitation admits nobody else, nobody after it is revoked, and to no other organization', async ({ page }) => {
  const owner = await makePerson(BASE_URL, 'Ada Lovelace');
  const project = await makeProject(BASE_URL, owner, 'Web shop');
  const [invited, thief] = [await makePerson(BASE_URL, 'Grace Hopper'), await makePerson(BASE_URL, 'Mallory')];
  const link = await invite(BASE_URL, owner, invited.email, 'DEVELOPER');
  await expect(accept(thief, link)).rejects.toThrow(/400.*invalid_token/);

  const at = `/orgs/${owner.organizationId}/invitations`;
  const { data } = await callApi<{ data: { id: string }[] }>(BASE_URL, 'GET', at, { token: owner.token });
  await callApi(BASE_URL, 'DELETE', `${at}/${data[0]?.id}`, { token: owner.token });
  await expect(accept(invited, link)).rejects.toThrow(/400.*invalid_token/);
  expect(await rolesIn(owner)).toEqual(['OWNER']);

  // A new invitation works, once.
  const second = await invite(BASE_URL, owner, thief.email, 'DEVELOPER');
  await accept(thief, second);
  expect(await rolesIn(owner)).toEqual(['DEVELOPER', 'OWNER']);
  await expect(accept(thief, second)).rejects.toThrow(/400.*invalid_token/);

  const other = await makePerson(BASE_URL, 'Charles Babbage');
  const foreign = await makeMember(BASE_URL, other, 'Eve Else', 'DEVELOPER');
  await signInAs(page, foreign);
  await page.goto(`/projects/${project.id}/endpoints`);
  await expect(page.getByRole('heading', { name: 'Project not found' })).toBeVisible();
});

test('a removed developer is refused by the page that is still open', async ({ page }) => {
  const owner = await makePerson(BASE_URL, 'Ada Lovelace');
  const project = await makeProject(BASE_URL, owner, 'Web shop');
  const developer = await makeMember(BASE_URL, owner, 'Grace Hopper', 'DEVELOPER');
  await signInAs(page, developer);
  await page.goto(`/projects/${project.id}/keys`);
  await page.getByRole('button', { name: 'New key' }).first().click();
  await page.getByLabel('Name').fill('Mine for ever');
  const path = `/orgs/${owner.organizationId}/members/${developer.userId}`;
  await callApi(BASE_URL, 'DELETE', path, { token: owner.token });
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expect(page.getByText(/eds_[0-9A-Za-z]{20}/)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Project not found' })).toBeVisible();
});
