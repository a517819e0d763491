import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { BASE_URL, callApi, makeWorkspace, PASSWORD } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { mockProblem } from './support/mock-problem';
import { ADMIN_TOKEN, openAsOperator } from './support/operator';
import { runSql } from './support/run-sql';
import { makePerson, signInAs } from './support/team';

/** Failed sign-ins before an address is locked. */
const THRESHOLD = 5;

const register = () => makePerson('Ada Lovelace', `Engines ${randomUUID()}`);

function trySignIn(email: string, password: string): Promise<Response> {
  const body = JSON.stringify({ email, password });
  const headers = { 'Content-Type': 'application/json' };
  return fetchChecked(`${BASE_URL}/api/v1/auth/login`, { method: 'POST', headers, body });
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

test('a wrong token shows an error, also with the session of an owner; the right one opens the page until a reload', async ({
  page,
}) => {
  await signInAs(page, await register());
  await page.goto('/operator');
  const field = page.getByLabel('Platform admin token');
  await expect(field).toHaveValue('');
  await expect(page.getByRole('tab')).toHaveCount(0);
  for (const wrong of ['not the token at all', 'not a header ✗']) {
    await field.fill(wrong);
    await page.getByRole('button', { name: 'Open' }).click();
    await expect(page.getByText('That token is incorrect.')).toBeVisible();
  }
  await field.fill(ADMIN_TOKEN);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Deployment' })).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue('');
  await expect(page.getByRole('heading', { name: 'Deployment' })).toHaveCount(0);
});

test('in a deployment without a token, the page explains how to set it', async ({ page }) => {
  await page.route('**/api/v1/admin/stats', (route) => route.fulfill(mockProblem('not_found', 'Nothing here.')));
  await page.goto('/operator');
  await expect(page.getByText('disabled in this deployment')).toBeVisible();
  await expect(page.getByText('PLATFORM_ADMIN_TOKEN').first()).toBeVisible();
  await expect(page.getByLabel('Platform admin token')).toHaveCount(0);
});

test('the token is in no storage, cookie, URL or document, and a click forgets it', async ({ page }) => {
  const sentTo: string[] = [];
  page.on('request', (request) => {
    if (Object.values(request.headers()).some((value) => value.includes(ADMIN_TOKEN))) sentTo.push(request.url());
    expect(request.url()).not.toContain(ADMIN_TOKEN);
  });
  await openAsOperator(page);
  for (const name of ['Users', 'Organizations', 'Audit log', 'Retention', 'Statistics']) {
    await tab(page, name);
    await expect(page.getByRole('tabpanel', { name })).toContainText(/\w/);
    await expect(page.getByRole('tabpanel', { name }).locator('[aria-busy="true"]')).toHaveCount(0);
  }
  const kept = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, history.state]);
    return stored + document.cookie + document.documentElement.outerHTML + location.href;
  });
  expect(kept).not.toContain(ADMIN_TOKEN);
  expect(JSON.stringify(await page.context().storageState())).not.toContain(ADMIN_TOKEN);
  expect(sentTo.length).toBeGreaterThan(0);
  expect(sentTo.filter((url) => !url.startsWith(`${BASE_URL}/api/v1/admin/`))).toEqual([]);
  await page.getByRole('button', { name: 'Remove token' }).click();
  await expect(page.getByLabel('Platform admin token')).toHaveValue('');
});

test('the statistics are shown without a session', async ({ page, receiver }) => {
  await makeWorkspace(receiver.url);
  await openAsOperator(page);
  expect(await page.context().cookies()).toEqual([]);
  await expect(page.getByText('Last 24 hours')).toBeVisible();
  const projects = page.getByText('Projects', { exact: true }).locator('..').getByRole('definition');
  expect(Number(await projects.innerText())).toBeGreaterThanOrEqual(1);
  await expect(page.getByRole('table', { name: 'Workers' }).getByText('Healthy')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Tables' }).getByText('delivery_attempts')).toBeVisible();
});

test('a locked account is found by the beginning of its address and unlocked', async ({ page }) => {
  const { email } = await register();
  for (let n = 0; n < THRESHOLD; n++) await trySignIn(email, 'wrong');
  expect((await trySignIn(email, PASSWORD)).status).toBe(423);
  await openAsOperator(page);
  await tab(page, 'Users');
  await expect(page.getByText('Search for a user')).toBeVisible();
  await page.getByLabel('Email address or its first letters').fill(email.slice(0, 20).toUpperCase());
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(row.getByText('Locked, ends')).toBeVisible();
  await row.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Unlock' }).click();
  await page.getByRole('button', { name: 'Unlock account' }).click();
  await expect(page.getByText(`${email} can sign in again.`)).toBeVisible();
  await expect(row.getByText('Locked, ends')).toHaveCount(0);
  expect((await trySignIn(email, PASSWORD)).status).toBe(200);
});

test('closing the sessions of a user signs them out immediately', async ({ page }) => {
  const { email, token } = await register();
  await openAsOperator(page);
  await tab(page, 'Users');
  await page.getByLabel('Email address or its first letters').fill(email);
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(row.getByText('1 open')).toBeVisible();
  await row.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Close sessions' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByText(email)).toBeVisible();
  await question.getByRole('button', { name: 'Close sessions' }).click();
  await expect(row.getByText('0 open')).toBeVisible();
  await expect(callApi('GET', '/auth/me', { token })).rejects.toThrow(/401/);
});

test('an organization is deleted by typing its exact name, and its audit log stays readable', async ({ page }) => {
  const { email, token, organizationId } = await register();
  const { name } = await callApi<{ name: string }>('GET', `/orgs/${organizationId}`, { token });
  await openAsOperator(page);
  await tab(page, 'Organizations');
  await page.getByLabel('Name contains').fill(name);
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible();
  await page.getByRole('button', { name, exact: true }).click();
  await expect(page.getByText(email)).toBeVisible();
  await page.getByRole('button', { name: 'Delete organization' }).click();
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Delete organization' });
  await question.getByRole('textbox').fill(name.slice(0, -1));
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await question.getByRole('textbox').fill(name);
  await confirm.click();
  await expect(page.getByText(`${name} was deleted.`)).toBeVisible();
  await expect(page.getByText('No matching organizations')).toBeVisible();
  await expect(callApi('GET', `/orgs/${organizationId}`, { token })).rejects.toThrow(/404/);
  await tab(page, 'Audit log');
  await page.getByRole('textbox', { name: 'Organization ID' }).fill(organizationId);
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Organization deleted' }).click();
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(rows.last().getByText('Operator')).toBeVisible();
});

async function openRetention(page: Page): Promise<void> {
  await openAsOperator(page);
  await page.getByRole('tab', { name: 'Retention' }).click();
  await expect(page.getByRole('table', { name: 'Jobs' })).toBeVisible();
}

test('the map shows and describes a non-empty default partition until its rows are moved', async ({ page }) => {
  await runSql(
    `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, request_size, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'GET', '/', 0, now() - interval '3 days' FROM generate_series(1, 12)`,
  );
  await openRetention(page);
  await expect(page.getByText('Default partition of tunnel_request_log: 12 rows')).toBeVisible();
  await expect(page.getByText('Default partitions are not empty: 12 in tunnel_request_log')).toBeVisible();
  await page.getByRole('button', { name: 'Run partitions now' }).click();
  await expect(page.getByText('Partitions for the coming days are ready.')).toBeVisible();
  await expect(page.getByText('Default partition of tunnel_request_log: 0 rows')).toBeVisible();
  await expect(page.getByText('Default partitions are not empty')).toHaveCount(0);
});

test('the days of the map can be selected by keyboard', async ({ page }) => {
  await openRetention(page);
  const days = page.getByRole('slider', { name: 'Days of delivery_attempts_failed' });
  await days.focus();
  await expect(days).toHaveAttribute('aria-valuetext', /today$/);
  await days.press('ArrowRight');
  await expect(days).toHaveAttribute('aria-valuetext', /created ahead$/);
  await expect(page.getByText(/^\w{3}, \d+ \w+ \d{4}, delivery_attempts_failed: about 0 rows/)).toBeVisible();
});

test('the main cleanup runs after a confirmation, and shows its result and counters', async ({ page }) => {
  const organizationId = randomUUID();
  const projectId = randomUUID();
  await runSql('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organizationId, 'Old']);
  await runSql('INSERT INTO projects (id, organization_id, name) VALUES ($1, $2, $3)', [
    projectId,
    organizationId,
    'Old',
  ]);
  await runSql(
    `INSERT INTO events (id, project_id, type, payload, created_at)
     SELECT gen_random_uuid(), $1, 'old', '{}', now() - interval '92 days' FROM generate_series(1, 1500)`,
    [projectId],
  );
  await openRetention(page);
  const events = page.getByRole('row').filter({ hasText: 'DATA_RETENTION_EVENTS_DAYS' });
  await expect(events.getByText('Overdue')).toBeVisible();
  await page.getByRole('button', { name: 'Run main now' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await runSql('SELECT FROM events WHERE project_id = $1', [projectId])).toHaveLength(1500);
  await page.getByRole('button', { name: 'Run main now' }).click();
  await question.getByRole('button', { name: 'Run main cleanup' }).click();
  await expect(page.getByText('Expired data deleted.')).toBeVisible({ timeout: 30_000 });
  expect(await runSql('SELECT FROM events WHERE project_id = $1', [projectId])).toHaveLength(0);
  await expect(events.getByText('Overdue')).toHaveCount(0);
  for (const column of [5, 6]) await expect(events.getByRole('cell').nth(column)).toHaveText('1,500');
  const main = page.getByRole('table', { name: 'Jobs' }).getByRole('row').filter({ hasText: /^main/ });
  await expect(main.getByText('Succeeded')).toBeVisible();
  await expect(main.getByText('1,500 rows deleted from events')).toBeVisible();
});

test('a job that is already running is not reported as a failure', async ({ page }) => {
  await openRetention(page);
  await page.route('**/admin/retention/run', (route) =>
    route.fulfill(mockProblem('conflict', 'The job cap is already running.')),
  );
  await page.getByRole('button', { name: 'Run cap now' }).click();
  await expect(page.getByText('The job cap is already running.')).toBeVisible();
  await expect(page.getByText('The job cap failed')).toHaveCount(0);
});
