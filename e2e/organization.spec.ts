import fs from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { BASE_URL, callApi } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { goByKeys } from './support/keyboard';
import { makeMember, makePerson, makeProject, signInAs } from './support/team';

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

async function readDownload(download: Download): Promise<string> {
  return fs.readFile(await download.path(), 'utf8');
}

/** Returns the status of reading events with a key. */
async function statusOfKey(projectId: string, key: string): Promise<number> {
  return (await fetchChecked(`${BASE_URL}/api/v1/projects/${projectId}/events`, { headers: { 'X-API-Key': key } }))
    .status;
}

test('the export is a complete document, and an interrupted one is not saved', async ({ page, browserFaults }) => {
  const owner = await makePerson('Ada Lovelace', 'Analytical Engines');
  await makeProject(owner, 'Web shop');
  await signInAs(page, owner);
  await page.goto(`/orgs/${owner.organizationId}/settings`);
  const button = page.getByRole('button', { name: 'Download export' });
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toMatch(/^analytical-engines-export-.*\.json$/);
  const document = JSON.parse(await readDownload(download));
  expect(document).toMatchObject({
    organization: { id: owner.organizationId, name: 'Analytical Engines' },
    members: [{ email: owner.email, role: 'OWNER' }],
    projects: [{ name: 'Web shop' }],
    auditLogsTruncated: false,
  });
  await expect(page.getByText(`It contains all ${document.auditLogsTotal} audit entries.`)).toBeVisible();

  await page.route('**/export', (route) => route.abort());
  await button.click();
  await expect(page.getByText('The export was interrupted and not saved')).toBeVisible();
  await expect.poll(() => browserFaults).not.toEqual([]);
  expect(browserFaults.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
});

test('an export with too many audit entries says how many exist', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace');
  await signInAs(page, owner);
  await page.goto(`/orgs/${owner.organizationId}/settings`);
  await page.route('**/export', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...(await response.json()), auditLogsTruncated: true, auditLogsTotal: 23_410 },
    });
  });
  await page.getByRole('button', { name: 'Download export' }).click();
  await expect(page.getByText('It contains the newest 10,000 of 23,410 audit entries')).toBeVisible();
});

test('an organization is deleted by its exact name, and its keys stop working immediately', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace', 'Analytical  Engines & Co');
  const project = await makeProject(owner, 'Web shop');
  const { key } = await callApi<{ key: string }>('POST', `/projects/${project.id}/api-keys`, {
    token: owner.token,
    body: { name: 'server' },
  });
  expect(await statusOfKey(project.id, key)).toBe(200);
  await callApi('POST', '/orgs', { token: owner.token, body: { name: 'The other one' } });
  await signInAs(page, owner);
  await page.goto(`/orgs/${owner.organizationId}/settings`);
  await page.getByRole('button', { name: 'Delete organization' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Its projects: Web shop');
  const erase = dialog.getByRole('button', { name: 'Delete organization' });
  await dialog.getByRole('textbox').fill('analytical  engines & co');
  await page.keyboard.press('Enter');
  await expect(erase).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox').fill('Analytical  Engines & Co');
  await erase.click();
  await expect(page.getByText('was deleted.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Switch organization/ })).toContainText('The other one');
  expect(await statusOfKey(project.id, key)).toBe(401);
});

test('the audit log keeps its filters in the URL and in the download', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace');
  const admin = await makeMember(owner, 'Grace Hopper', 'ADMIN');
  await makeProject(owner, 'Web shop');
  await signInAs(page, owner);
  await page.goto(`/orgs/${owner.organizationId}/audit`);
  await expect(rowOf(page, 'Project created')).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Member joined' }).click();
  await expect(page).toHaveURL(/action=member\.added/);
  // While the list of actions is open, rows cannot be found by role.
  await expect(rowOf(page, 'Member joined')).toContainText(admin.email);
  await expect(rowOf(page, 'Project created')).toHaveCount(0);
  await expect(rowOf(page, 'Member joined')).toContainText('Admin');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const lines = (await readDownload(download)).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('member.added');

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rowOf(page, 'Project created')).toHaveCount(1);
  await rowOf(page, 'Member joined').getByRole('button', { name: admin.email }).click();
  await expect(page).toHaveURL(new RegExp(`actorId=${admin.userId}`));
  await expect(page.getByRole('combobox', { name: 'Actor' })).toContainText('Grace Hopper');
  await expect(rowOf(page, 'Member joined')).toHaveCount(1);
  await expect(rowOf(page, 'Project created')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'Custom…' }).click();
  await page.getByLabel('From').fill('2020-01-30T12:00');
  await page.getByLabel('To', { exact: true }).fill('2020-01-31T12:00');
  await page.getByLabel('To', { exact: true }).press('Enter');
  await expect(page.getByText('No matching entries')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-01-31T12:00');
});

test('the audit log names and links what exists, and hides sign-ins', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace');
  const project = await makeProject(owner, 'Web shop');
  const path = `/projects/${project.id}/endpoints`;
  const make = (url: string) => callApi<{ id: string }>('POST', path, { token: owner.token, body: { url } });
  const kept = await make('https://shop.example/billing');
  const gone = await make('https://shop.example/old');
  await callApi('DELETE', `${path}/${gone.id}`, { token: owner.token });
  await signInAs(page, owner);
  await page.goto(`/orgs/${owner.organizationId}/audit`);
  await expect(rowOf(page, 'Endpoint deleted')).toContainText('https://shop.example/old');
  await expect(rowOf(page, 'Endpoint deleted').getByRole('link')).toHaveCount(0);
  await expect(rowOf(page, 'Signed in')).not.toHaveCount(0);
  await page.getByRole('switch', { name: 'Hide sign-ins' }).click();
  await expect(page).toHaveURL(/signIns=hidden/);
  await expect(rowOf(page, 'Signed in')).toHaveCount(0);
  await page.getByRole('link', { name: 'https://shop.example/billing' }).click();
  await expect(page).toHaveURL(new RegExp(`${path}/${kept.id}$`));
});

test('the history of an endpoint and of a key shows each change, before and after', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace', 'Analytical Engines');
  const { token } = owner;
  const project = await makeProject(owner, 'Web shop');
  const body = { url: 'https://hooks.example.com/in', description: 'Orders' };
  const endpoint = await callApi<{ id: string }>('POST', `/projects/${project.id}/endpoints`, { token, body });
  const change = { description: 'Orders and invoices', enabled: false, url: body.url };
  await callApi('PATCH', `/projects/${project.id}/endpoints/${endpoint.id}`, { token, body: change });
  await callApi('POST', `/projects/${project.id}/api-keys`, { token, body: { name: 'server' } });
  await signInAs(page, owner);
  await page.goto(`/projects/${project.id}/endpoints/${endpoint.id}`);
  await page.getByRole('tab', { name: 'History' }).click();
  const changed = rowOf(page, 'Endpoint changed');
  await expect(changed).toContainText('Orders → Orders and invoices');
  await expect(changed).toContainText('yes → no');
  await expect(changed).not.toContainText('URL');
  await page.reload();
  await expect(rowOf(page, 'Endpoint created')).toBeVisible();

  await page.goto(`/projects/${project.id}/keys`);
  await page.getByRole('button', { name: /server/ }).click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  await expect(rowOf(page, 'API key created')).toContainText('server');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: /Clear/ }).click();
  await expect(rowOf(page, 'Endpoint created')).toBeVisible();
});

test('a viewer sees why the audit log and invitations are hidden, and requests neither', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace');
  const viewer = await makeMember(owner, 'Vera Viewer', 'VIEWER');
  await signInAs(page, viewer);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/orgs/${owner.organizationId}/audit`);
  await expect(page.getByText('Only admins and owners can read the audit log')).toBeVisible();
  await page.goto(`/orgs/${owner.organizationId}/members`);
  await expect(rowOf(page, owner.email)).toBeVisible();
  await expect(page.getByText('Your role here is viewer; this needs admin or higher.')).toBeVisible();
  await page.goto(`/orgs/${owner.organizationId}/settings`);
  for (const name of ['Save name', 'Download export', 'Delete organization']) {
    await expect(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  }
  expect(asked.filter((path) => /audit-log|invitations/.test(path))).toEqual([]);
});

test('a new organization name appears immediately', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace', 'Before');
  await signInAs(page, owner);
  await page.goto(`/orgs/${owner.organizationId}/settings`);
  await page.getByLabel('Name').fill('  ');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Name').fill('After');
  await page.getByLabel('Name').press('Enter');
  await expect(page.getByRole('button', { name: /^Switch organization/ })).toContainText('After');
});

test('a second organization starts with the setup guide, and the switcher returns to the first', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace', 'The first');
  const project = await makeProject(owner, 'Web shop');
  await signInAs(page, owner);
  await page.goto(`/projects/${project.id}/events`);
  const switcher = page.getByRole('button', { name: /^Switch organization/ });
  await switcher.click();
  await page.getByRole('menuitem', { name: 'New organization' }).click();
  await page.getByLabel('Name').fill('The second');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await expect(page.getByText('In The second.')).toBeVisible();
  await expect(switcher).toContainText('The second');
  await page.reload();
  await expect(switcher).toContainText('The second');
  await switcher.click();
  await page.getByRole('menuitemradio', { name: /^The first/ }).click();
  await expect(page.getByRole('button', { name: /^Switch project/ })).toContainText('Web shop');
  await expect(switcher).toContainText('The first');
  await expect(page).toHaveURL(new RegExp(`project=${project.id}`));
  await expect(page.getByRole('heading', { name: 'Deliver your first event' })).toBeVisible();
  await goByKeys(page, 'm', /\/members$/);
  await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible();
});
