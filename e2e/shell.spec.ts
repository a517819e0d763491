import { randomUUID } from 'node:crypto';
import { expectClean } from './support/accessible';
import { makeWorkspace } from './support/api';
import { expect, test } from './support/fixtures';
import { openLoaded } from './support/pages';
import { signInAs } from './support/team';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

test('a missing resource has a heading and a way back, and no retry', async ({ page, workspace }) => {
  await signInAs(page, workspace);
  const base = `/projects/${workspace.projectId}`;
  for (const [path, heading, back] of [
    [`${base}/events/${randomUUID()}`, 'Event not found', 'All events'],
    [`${base}/deliveries/${randomUUID()}`, 'Delivery not found', 'All deliveries'],
    [`${base}/endpoints/${UNKNOWN}`, 'Endpoint not found', 'All endpoints'],
    [`${base}/sources/${UNKNOWN}`, 'Source not found', 'All sources'],
    [`${base}/tunnels/${UNKNOWN}`, 'Tunnel not found', 'All tunnels'],
    [`${base}/tunnels/${UNKNOWN}/requests/${UNKNOWN}`, 'Request not found', 'Back to the tunnel'],
    [`/projects/${UNKNOWN}/events`, 'Project not found', 'Go to the dashboard'],
    [`/orgs/${UNKNOWN}/members`, 'Organization not found', 'Go to the dashboard'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: back })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  }
  await expectClean(page);
  await page.goto('/nowhere');
  await expect(page.getByRole('link', { name: 'Event Delivery' })).toBeVisible();
});

test('a navigation moves the focus to the heading of the page, a first load does not', async ({
  page,
  receiver,
  workspace,
}) => {
  await signInAs(page, workspace);
  await openLoaded(page, `/projects/${workspace.projectId}/events`);
  await expect(page.getByRole('heading', { level: 1 })).not.toBeFocused();
  for (const name of ['Endpoints', 'Members', 'API keys']) {
    await page.getByRole('link', { name, exact: true }).click();
    const heading = page.getByRole('heading', { name, level: 1 });
    await expect(heading).toBeFocused();
    expect(await heading.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none');
  }
  await page.getByRole('link', { name: 'Endpoints', exact: true }).click();
  await page.getByRole('link', { name: receiver.url }).first().click();
  await expect(page).toHaveURL(/\/endpoints\/[0-9a-f-]+$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('the palette finds resources by id, URL, key name and person, also when typed before it has loaded', async ({
  page,
  receiver,
  workspace,
}) => {
  await signInAs(page, workspace);
  const base = `/projects/${workspace.projectId}`;
  await openLoaded(page, `${base}/events`);
  for (const [typed, option, url] of [
    [workspace.endpointId, /Endpoint/, `${base}/endpoints/${workspace.endpointId}`],
    [receiver.url.slice(7), /Endpoint/, `${base}/endpoints/${workspace.endpointId}`],
    ['server', /API key/, /\/keys\/[^/]+$/],
    ['hopper', /Member/, /\/members$/],
    [workspace.projectId, /Web shop/, `${base}/events`],
  ] as const) {
    await page.getByRole('button', { name: /Search or jump to…/ }).click();
    await page.keyboard.type(typed);
    await page.getByRole('option', { name: option }).first().click();
    await expect(page).toHaveURL(url);
  }
});

test('Enter in the palette opens what was found, and without a result looks in the data of events', async ({
  page,
  workspace,
}) => {
  await signInAs(page, workspace);
  const base = `/projects/${workspace.projectId}`;
  await openLoaded(page, `${base}/endpoints`);
  for (const [typed, selected, url] of [
    [workspace.endpointId, /Endpoint/, `${base}/endpoints/${workspace.endpointId}`],
    ['"orderId": 42', /^Look for/, `${base}/events?q=%22orderId%22%3A+42`],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type(typed);
    await expect(page.getByRole('option', { name: selected })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(url);
  }
});

test('single-key shortcuts stay silent while typing and can be turned off', async ({ page, receiver }) => {
  await signInAs(page, await makeWorkspace(receiver.url));
  await page.goto('/account');
  const name = page.getByRole('textbox', { name: /^Name/ });
  await name.fill('');
  await name.pressSequentially('ge?/');
  await expect(name).toHaveValue('ge?/');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.keyboard.press('?');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible();
  await expect(help).toHaveCount(0);
});
