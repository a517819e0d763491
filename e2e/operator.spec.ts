import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectCleanInEveryView } from './support/accessible';
import { callApi, makeWorkspace, PASSWORD } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import type { Product } from './support/launch-product';
import {
  ADMIN_TOKEN,
  fillDefaultPartition,
  launchProductWithOperator,
  openAsOperator,
  PATHS,
  statusOf,
  UNKNOWN_PATHS,
  VERBS,
} from './support/operator';
import { requestRaw } from './support/request-raw';
import { makePerson } from './support/team';

let product: Product;

test.beforeAll(async () => {
  product = await launchProductWithOperator({ AUTH_LOCKOUT_THRESHOLD: '2', AUTH_LOCKOUT_INITIAL_SECONDS: '900' });
});

test.afterAll(async () => {
  await product?.stop();
});

const register = () => makePerson(product.url, 'Ada Lovelace', `Engines ${randomUUID()}`);

function trySignIn(email: string, password: string): Promise<Response> {
  const body = JSON.stringify({ email, password });
  const headers = { 'Content-Type': 'application/json' };
  return fetchChecked(`${product.url}/api/v1/auth/login`, { method: 'POST', headers, body });
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

test('with PLATFORM_ADMIN_TOKEN set, every path answers 401 without the token', async () => {
  for (const method of VERBS) {
    for (const path of [...PATHS, ...UNKNOWN_PATHS]) {
      expect(await statusOf(product.url, method, path), `${method} ${path}`).toBe(401);
      expect(await statusOf(product.url, method, path, 'a wrong token'), `${method} ${path}`).toBe(401);
    }
  }
  expect(await statusOf(product.url, 'GET', '/stats', ADMIN_TOKEN)).toBe(200);
  expect(await statusOf(product.url, 'GET', '/nothing', ADMIN_TOKEN)).toBe(404);
});

test('without PLATFORM_ADMIN_TOKEN, every path answers 404 and the page explains how to set it', async ({
  page,
  baseURL,
}) => {
  for (const method of VERBS) {
    for (const path of [...PATHS, ...UNKNOWN_PATHS]) {
      expect(await statusOf(baseURL ?? '', method, path, ADMIN_TOKEN), `${method} ${path}`).toBe(404);
    }
  }
  await page.goto('/operator');
  await expect(page.getByText('disabled in this deployment')).toBeVisible();
  await expect(page.getByText('PLATFORM_ADMIN_TOKEN').first()).toBeVisible();
  await expect(page.getByLabel('Platform admin token')).toHaveCount(0);
});

test('an owner’s session opens nothing of the operator, in the page or the API', async ({ page }) => {
  const { email, token, organizationId } = await register();
  const headers = { Authorization: `Bearer ${token}` };
  for (const [method, path] of [
    ['GET', '/audit-log'],
    ['DELETE', `/orgs/${organizationId}`],
  ] as const) {
    expect((await requestRaw(product.url, method, `/api/v1/admin${path}`, { headers })).status).toBe(401);
  }
  await page.goto(`${product.url}/login?returnTo=/operator`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Platform admin token')).toHaveValue('');
  await expect(page.getByRole('tab')).toHaveCount(0);
  await callApi(product.url, 'GET', `/orgs/${organizationId}`, { token });
});

test('a wrong token shows an error, the right one opens the page, and a reload forgets it', async ({ page }) => {
  await page.goto(`${product.url}/operator`);
  const field = page.getByLabel('Platform admin token');
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

test('the token is in no storage, cookie, URL or document, and a click forgets it', async ({ page }) => {
  const sentTo: string[] = [];
  page.on('request', (request) => {
    if (Object.values(request.headers()).some((value) => value.includes(ADMIN_TOKEN))) sentTo.push(request.url());
    expect(request.url()).not.toContain(ADMIN_TOKEN);
  });
  await openAsOperator(page, product);
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
  expect(sentTo.filter((url) => !url.startsWith(`${product.url}/api/v1/admin/`))).toEqual([]);
  await page.getByRole('button', { name: 'Remove token' }).click();
  await expect(page.getByLabel('Platform admin token')).toHaveValue('');
});

test('the statistics are shown without a session', async ({ page, receiver }) => {
  await makeWorkspace(product.url, receiver.url);
  await openAsOperator(page, product);
  expect(await page.context().cookies()).toEqual([]);
  await expect(page.getByText('Last 24 hours')).toBeVisible();
  const projects = page.getByText('Projects', { exact: true }).locator('..').getByRole('definition');
  expect(Number(await projects.innerText())).toBeGreaterThanOrEqual(1);
  await expect(page.getByRole('table', { name: 'Workers' }).getByText('Healthy')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Tables' }).getByText('delivery_attempts')).toBeVisible();
});

test('a locked account is found by the beginning of its address and unlocked', async ({ page }) => {
  const { email } = await register();
  for (const password of ['wrong', 'wrong again']) await trySignIn(email, password);
  expect((await trySignIn(email, PASSWORD)).status).toBe(423);
  await openAsOperator(page, product);
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
  await openAsOperator(page, product);
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
  await expect(callApi(product.url, 'GET', '/auth/me', { token })).rejects.toThrow(/401/);
});

test('an organization is deleted by typing its exact name, and its audit log stays readable', async ({ page }) => {
  const { email, token, organizationId } = await register();
  const { name } = await callApi<{ name: string }>(product.url, 'GET', `/orgs/${organizationId}`, { token });
  await openAsOperator(page, product);
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
  await expect(callApi(product.url, 'GET', `/orgs/${organizationId}`, { token })).rejects.toThrow(/404/);
  await tab(page, 'Audit log');
  await page.getByRole('textbox', { name: 'Organization ID' }).fill(organizationId);
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Organization deleted' }).click();
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(rows.last().getByText('Operator')).toBeVisible();
});

test('partitions are shown, and created on request', async ({ page }) => {
  await openAsOperator(page, product);
  await tab(page, 'Retention');
  await expect(page.getByRole('slider', { name: 'Days of tunnel_request_log' })).toBeVisible();
  await page.getByRole('button', { name: 'Run partitions now' }).click();
  await expect(page.getByText('Partitions for the coming days are ready.')).toBeVisible();
  const row = page
    .getByRole('table', { name: 'Jobs' })
    .getByRole('row')
    .filter({ hasText: /^partitions/ });
  await expect(row.getByText('Succeeded')).toBeVisible();
});

test('the page is accessible and fits', async ({ page, receiver }) => {
  const { email } = await makeWorkspace(product.url, receiver.url);
  await fillDefaultPartition(product);
  const check = async (text: string) => {
    await expect(page.getByText(text).first()).toBeVisible();
    await expectCleanInEveryView(page);
  };
  await page.goto(`${product.url}/operator`);
  await page.getByLabel('Platform admin token').fill('wrong');
  await page.getByRole('button', { name: 'Open' }).click();
  await check('That token is incorrect.');
  await openAsOperator(page, product);
  await check('Last 24 hours');
  await tab(page, 'Users');
  await page.getByLabel('Email address or its first letters').fill(email);
  await check('1 open');
  await tab(page, 'Organizations');
  await check('Active');
  const organizations = page.getByRole('table').getByRole('button', { name: /^Grace/ });
  await organizations.first().click();
  await check('Pending invitations');
  await page.getByRole('button', { name: 'Delete organization' }).click();
  await check('Delete this organization?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await tab(page, 'Audit log');
  await check('Organization viewed');
  await tab(page, 'Retention');
  await check('Default partitions are not empty');
  await page.getByText('Show as a table').click();
  await check('created ahead');
  await page.getByRole('button', { name: 'Run main now' }).click();
  await check('Run the main cleanup now?');
  await page.getByRole('button', { name: 'Cancel' }).click();
});
