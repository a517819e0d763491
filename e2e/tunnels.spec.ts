import type { Page } from '@playwright/test';
import { makeWorkspace, type Workspace } from './support/api';
import { waitForDialogsClosed } from './support/dialogs';
import { expect, test } from './support/fixtures';
import { goByKeys } from './support/keyboard';
import { signInAs } from './support/team';
import { logRequest, makeTunnel, setOnline } from './support/tunnels';

const TUNNEL_URL = /^https?:\/\/[^/]+\/t\/[A-Za-z0-9_-]{43}\/$/;

/** Creates a workspace and signs in. */
async function start(page: Page): Promise<Workspace> {
  const workspace = await makeWorkspace('http://127.0.0.1:9/unused');
  await signInAs(page, workspace);
  return workspace;
}

const urlShown = (page: Page) => page.getByRole('region', { name: 'Public URL' });
const pathOf = ({ projectId }: Pick<Workspace, 'projectId'>, tunnelId = '') =>
  `/projects/${projectId}/tunnels/${tunnelId}`;

test('a tunnel is created from the empty list, protected, renamed, given another URL and deleted', async ({ page }) => {
  const workspace = await start(page);
  await page.goto(`/projects/${workspace.projectId}/events`);
  await goByKeys(page, 't', /\/tunnels$/);
  await expect(page.getByRole('heading', { name: 'No tunnels yet' })).toBeVisible();
  await expect(page.getByText('eds listen 4000')).toBeVisible();

  await page.getByRole('button', { name: 'New tunnel' }).click();
  await page.getByRole('switch', { name: 'Require a password' }).click();
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByLabel('Allowed IP addresses').fill('192.0.2.7\nhome');
  await page.getByRole('button', { name: 'Create tunnel' }).click();
  await expect(page.getByText('Enter at least 8 characters.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await page.getByRole('button', { name: 'Create tunnel' }).click();
  await expect(page.getByText('Must be an address or a CIDR.')).toBeVisible();
  await page.getByLabel('Allowed IP addresses').fill('192.0.2.7');
  await page.getByRole('button', { name: 'Create tunnel' }).click();

  await expect(page.getByRole('heading', { level: 1 })).toContainText(/[a-z]+-[a-z]+/);
  await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible();
  await expect(page.getByText('Required, username ada')).toBeVisible();
  await expect(page.getByText('192.0.2.7', { exact: true })).toBeVisible();
  const before = (await urlShown(page).innerText()).trim();
  expect(before).toMatch(TUNNEL_URL);

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('My laptop');
  await page.getByRole('switch', { name: 'Require a password' }).click();
  await page.getByRole('button', { name: 'Save tunnel' }).click();
  await expect(page.getByRole('heading', { name: 'My laptop' })).toBeVisible();
  await expect(page.getByText('Not required')).toBeVisible();

  await page.getByRole('button', { name: 'Rotate URL' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate URL' }).click();
  await waitForDialogsClosed(page);
  await expect(urlShown(page)).not.toContainText(before);
  expect((await urlShown(page).innerText()).trim()).toMatch(TUNNEL_URL);

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete tunnel' }).click();
  await expect(page.getByRole('heading', { name: 'No tunnels yet' })).toBeVisible();
});

test('requests appear while they arrive, wait behind a button, and are filtered by the URL', async ({ page }) => {
  const workspace = await start(page);
  const { id } = await makeTunnel(workspace, { name: 'My laptop' });
  await page.goto(pathOf(workspace, id));
  await expect(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible();
  await logRequest(workspace.projectId, id, { path: '/first' });
  const rows = page.getByRole('table', { name: 'Requests' }).getByRole('link');
  await expect(rows).toHaveText([/POST\s*\/first/]);

  await rows.first().hover();
  await logRequest(workspace.projectId, id, { method: 'GET', path: '/second', status: 404 });
  await logRequest(workspace.projectId, id, { path: '/third', status: null, error: 'tunnel_offline' });
  const pill = page.getByRole('button', { name: '2 new requests' });
  await expect(pill).toBeVisible();
  await expect(rows).toHaveCount(1);
  await pill.click();
  await expect(rows).toHaveText([/\/third/, /\/second/, /\/first/]);
  await expect(page.getByRole('row', { name: /\/third/ })).toContainText('No response');

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: '4xx client error' }).click();
  await expect(page).toHaveURL(/status=4xx/);
  await expect(rows).toHaveText([/\/second/]);
  await page.reload();
  await expect(rows).toHaveText([/\/second/]);
  await page.goto(`${pathOf(workspace, id)}?status=5xx&method=GET`);
  await expect(page.getByRole('heading', { name: 'No matching requests' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(rows).toHaveCount(3);
});

test('the state of a tunnel follows its client, in the list and on its page', async ({ page }) => {
  const workspace = await start(page);
  const tunnel = await makeTunnel(workspace, { name: 'My laptop' });
  await page.goto(pathOf(workspace));
  const row = page.getByRole('row', { name: /My laptop/ });
  await expect(row).toContainText('Offline');
  await expect(row).toContainText('Never');
  await setOnline(workspace.projectId, tunnel.id);
  await expect(row).toContainText('Online');
  await row.getByRole('link').click();
  await expect(page.getByRole('status').filter({ hasText: 'Online' })).toBeVisible();
  await expect(page.getByText('No client is connected.')).toBeHidden();
});

test('a request shows what came in and what went out, and is replayed while the tunnel is online', async ({ page }) => {
  const workspace = await start(page);
  const { projectId } = workspace;
  const { id } = await makeTunnel(workspace, { name: 'My laptop' });
  const responseBody = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
  const first = await logRequest(projectId, id, { path: '/first', responseBody });
  const again = await logRequest(projectId, id, { path: '/again' });
  await page.goto(pathOf(workspace, id));
  await page.getByRole('link', { name: /\/first/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('POST /first');
  await expect(page.getByRole('region', { name: 'Request body' })).toContainText('"type": "order.paid"');
  await expect(page.getByText('[redacted]')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Response body' })).toContainText('89 50 4e 47 00 ff');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe(`response-${first}.bin`);

  const replay = page.getByRole('button', { name: 'Replay' });
  await expect(replay).toHaveAttribute('aria-disabled', 'true');
  await replay.hover();
  await expect(page.getByRole('tooltip')).toContainText('The tunnel is offline. Start its client first.');
  await setOnline(projectId, id);
  await expect(replay).not.toHaveAttribute('aria-disabled', 'true');
  // Without a client, the page can only be shown what a replay answers.
  await page.route('**/replay', (route) => route.fulfill({ status: 202, json: { requestId: again } }));
  await replay.click();
  await expect(page.getByText('Request replayed.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('POST /again');
});

test('a request that failed says why, and one that was only partly kept cannot be replayed', async ({ page }) => {
  const workspace = await start(page);
  const { projectId } = workspace;
  const { id } = await makeTunnel(workspace, {});
  await setOnline(projectId, id);
  const failed = await logRequest(projectId, id, { status: null, error: 'tunnel_timeout' });
  const refused = await logRequest(projectId, id, { status: 401, error: 'unauthenticated' });
  const cut = await logRequest(projectId, id, { size: 9_000_000, truncated: true });
  await page.goto(`${pathOf(workspace, id)}/requests/${failed}`);
  await expect(page.getByText('The local server did not respond within 30 seconds.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Response', exact: true })).toHaveCount(0);
  await page.goto(`${pathOf(workspace, id)}/requests/${refused}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('401');
  await expect(page.getByText('The request didn’t include the tunnel’s username and password.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Response', exact: true })).toHaveCount(0);
  await page.goto(`${pathOf(workspace, id)}/requests/${cut}`);
  await expect(page.getByText('The body is 9.0 MB. Only the beginning was stored.')).toBeVisible();
  await page.getByRole('button', { name: 'Replay' }).focus();
  await expect(page.getByRole('tooltip')).toContainText('Only the beginning of its body was stored');
});
