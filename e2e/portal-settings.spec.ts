import { expectCleanInEveryView } from './support/accessible';
import { callApi, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { addMember, makePerson, signInAs } from './support/team';

const settingsOf = ({ projectId }: Workspace) => `/projects/${projectId}/settings/portal`;

test('an owner chooses how the portal looks, and sees it before it is saved', async ({ page, workspace }) => {
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/settings`);
  await page.getByRole('navigation', { name: 'Project settings' }).getByRole('link', { name: 'Portal' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Portal' })).toBeVisible();
  const preview = page.getByRole('figure', { name: 'Preview of the portal' });
  await expect(preview.getByText('Web shop')).toHaveCount(2);
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme');
  await expect(preview.getByText('Acme')).toHaveCount(2);
  await page.getByRole('textbox', { name: 'Accent color' }).fill('#ff8800');
  await expect(page.getByText('So that it can be read, it becomes')).toBeVisible();
  await expect(preview.getByText('Add endpoint').first()).toHaveCSS('background-color', 'rgb(171, 91, 0)');
  await expect(preview.getByText('Add endpoint').last()).toHaveCSS('background-color', 'rgb(255, 136, 0)');
  const origins = page.getByRole('textbox', { name: 'Allowed origins' });
  await origins.fill('https://app.acme.example\nhttp://acme.example');
  await page.getByRole('button', { name: 'Save portal' }).click();
  await expect(page.getByText('Http://acme.example must start with https://.')).toBeVisible();
  await expectCleanInEveryView(page);
  await origins.fill('https://app.acme.example\nhttp://localhost:3000\n');
  await page.getByRole('button', { name: 'Save portal' }).click();
  await expect(page.getByText('Portal saved.')).toBeVisible();
  await page.reload();
  await expect(origins).toHaveValue('https://app.acme.example\nhttp://localhost:3000');
  await expect(page.getByRole('textbox', { name: 'Accent color' })).toHaveValue('#ff8800');
  await expectCleanInEveryView(page);
});

test('a URL that leads to no image is refused as the logo, with the reason', async ({ page, workspace, receiver }) => {
  await signInAs(page, workspace);
  await page.goto(settingsOf(workspace));
  await page.getByRole('textbox', { name: 'Logo URL' }).fill(receiver.url);
  await page.getByRole('button', { name: 'Save portal' }).click();
  await expect(page.getByText('Is not a PNG, JPEG or WebP image.')).toBeVisible();
});

test('a developer opens the portal of a customer, and copies a link; a viewer does neither', async ({
  page,
  newContext,
  workspace,
}) => {
  const { projectId, token } = workspace;
  const body = { uid: 'cus_1', name: 'Globex' };
  const { id } = await callApi<{ id: string }>('POST', `/projects/${projectId}/customers`, { token, body });
  const developer = await makePerson('Dora Developer');
  await addMember(projectId, developer.email, 'DEVELOPER');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(page, developer);
  await page.goto(settingsOf(workspace));
  await expect(page.getByRole('button', { name: 'Save portal' })).toHaveAttribute('aria-disabled', 'true');
  await page.goto(`/projects/${projectId}/customers/${id}`);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open portal' }).click();
  const portal = await opened;
  await expect(portal.getByText('Globex')).toBeVisible();
  expect(await portal.evaluate(() => window.opener)).toBeNull();
  expect(new URL(portal.url()).hash).toBe('');
  await page.bringToFront();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const theirs = await (await newContext()).newPage();
  await theirs.goto(link);
  await expect(theirs.getByText('Globex')).toBeVisible();
  const { organizationId } = await callApi<{ organizationId: string }>('GET', `/projects/${projectId}`, { token });
  const path = `/orgs/${organizationId}/audit-log?action=customer.portal_link_created`;
  expect((await callApi<{ data: object[] }>('GET', path, { token })).data).toMatchObject([
    { actor: { type: 'USER', email: developer.email } },
    { actor: { type: 'USER', email: developer.email } },
  ]);

  const viewer = await makePerson('Vera Viewer');
  await addMember(projectId, viewer.email, 'VIEWER');
  const other = await (await newContext()).newPage();
  await signInAs(other, viewer);
  await other.goto(`/projects/${projectId}/customers/${id}`);
  for (const name of ['Open portal', 'Copy link']) {
    await expect(other.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  }
});
