import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@/lib/platform/errors';
import { expectCleanInEveryView } from './support/accessible';
import { callApi, makeWorkspace, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { mockProblem } from './support/mock-problem';
import { invite, makeMember, makePerson, signInAs } from './support/team';

/** Creates an expiring key, keys rotated with and without a grace period, and a revoked key. */
async function makeKeysOfEveryState(baseUrl: string, { token, projectId }: Workspace): Promise<void> {
  const path = `/projects/${projectId}/api-keys`;
  const make = (to: string, body: object) => callApi<{ id: string }>(baseUrl, 'POST', to, { token, body });
  await make(path, { name: 'expiring', expiresAt: new Date(Date.now() + 3 * 86_400_000).toISOString() });
  for (const gracePeriodHours of [0, 24]) {
    const { id } = await make(path, {
      name: 'a key with a name of many words, as many as people give',
      scope: 'READ_ONLY',
    });
    await make(`${path}/${id}/rotate`, { gracePeriodHours });
  }
  const { id } = await make(path, { name: 'revoked' });
  await callApi(baseUrl, 'DELETE', `${path}/${id}`, { token });
}

test('pages without a session are accessible and fit', async ({ page }) => {
  const authPages = ['/login', '/login?error=idp_conflict', '/register', '/forgot-password', '/reset-password?token=x'];
  for (const path of [
    ...authPages,
    '/verify-email?token=x',
    '/reset-password',
    '/docs/errors',
    '/operator',
    '/nowhere',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectCleanInEveryView(page);
  }
});

test('errors of the auth pages are accessible and fit', async ({ page }) => {
  const check = async (text: string) => {
    await expect(page.getByText(text)).toBeVisible();
    await expectCleanInEveryView(page);
  };
  const refuseSignIn = async (code: ErrorCode, headers = {}) => {
    await page.route('**/api/v1/auth/login', (request) => request.fulfill(mockProblem(code, 'Refused.', headers)));
    await page.goto('/login');
    await page.getByLabel('Email').fill('a-person-with-a-rather-long-address@department.company.example');
    await page.getByLabel('Password', { exact: true }).fill('whatever');
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await refuseSignIn('invalid_credentials');
  await check('Incorrect email or password.');
  await refuseSignIn('password_unconfirmed');
  await check('Confirm this password first.');
  await refuseSignIn('account_locked', { 'Retry-After': '90' });
  await check('Too many incorrect passwords for this account.');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Send link' }).click();
  await check('If there’s an account for');
});

test('empty project pages are accessible and fit', async ({ page, receiver, baseURL }) => {
  const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
  const base = `/projects/${workspace.projectId}`;
  await signInAs(page, workspace);
  const visit = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
    await expectCleanInEveryView(page);
  };
  await visit('/');
  await visit(`${base}/overview`);
  await visit(`${base}/events`);
  // An id of 2025, so that retention has removed the event.
  await visit(`${base}/events/01942000-0000-7000-8000-000000000000`);
  await expect(page.getByText('This event is no longer available.')).toBeVisible();
});

test('keys in every state and their dialogs are accessible and fit', async ({ page, receiver, baseURL }) => {
  const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
  await makeKeysOfEveryState(baseURL ?? '', workspace);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/keys`);
  const check = async (text: string) => {
    await expect(page.getByText(text).first()).toBeVisible();
    await expectCleanInEveryView(page);
  };
  for (const state of ['Active', 'Expires in', 'Rotating, expires in', 'Expired'])
    await expect(page.getByText(state).first()).toBeVisible();
  await check('Revoked');
  await page.getByRole('button', { name: 'New key' }).click();
  await check('Name it after the server that uses it.');
  await page.keyboard.press('Escape');
  const openMenu = () => page.getByRole('button', { name: 'Actions for expiring' }).first().click();
  await openMenu();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByText('Custom', { exact: true }).click();
  await page.getByLabel('Hours').fill('1000');
  await check(', when it expires.');
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await check('Until then, both keys work.');
  await page.getByRole('button', { name: 'Done' }).click();
  await check('Close without copying the key?');
  await page.getByRole('button', { name: 'Close without copying' }).click();
  await openMenu();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await check('The key it replaced');
});

test('organization and invitation pages are accessible and fit, for an owner and a viewer', async ({
  page,
  baseURL,
}) => {
  const base = baseURL ?? '';
  const owner = await makePerson(base, 'Ada Lovelace', 'An organization with a rather long name of many words');
  const viewer = await makeMember(base, owner, 'Vera Viewer', 'VIEWER');
  const address = `an-invited-person-${randomUUID()}@department.company.example`;
  const link = await invite(base, owner, address, 'OWNER');
  const check = async (text: string) => {
    await expect(page.getByText(text).first()).toBeVisible();
    await expectCleanInEveryView(page);
  };
  const open = async (name: string, text: string) => {
    await page.getByRole('button', { name }).first().click();
    await check(text);
    await page.keyboard.press('Escape');
  };
  const organization = `/orgs/${owner.organizationId}`;
  await page.goto(link);
  await check('Create an account with this email address');
  await signInAs(page, owner);
  await page.goto(link);
  await check('You are signed in as');
  await page.goto(`${organization}/settings`);
  await check('Organization ID');
  await open('Delete organization', 'All API keys. Requests with them');
  await page.goto(`${organization}/members`);
  await check(address);
  await open('Invite member', 'Can view projects but not change them');
  await open('Transfer ownership', 'Give up your own ownership');
  await page.goto(`${organization}/audit`);
  await check('Invitation created');
  await page.goto(`${organization}/audit?action=member.left`);
  await check('No matching entries');
  await page.goto('/orgs/00000000-0000-7000-8000-000000000000/members');
  await check('Organization not found');
  await page.context().clearCookies();
  await signInAs(page, viewer);
  for (const [path, text] of [
    ['settings', 'You’re a viewer of'],
    ['members', 'this needs admin or higher'],
    ['audit', 'Only admins and owners can read the audit log'],
  ] as const) {
    await page.goto(`${organization}/${path}`);
    await check(text);
  }
});

test('the pages of a device are accessible and fit', async ({ page, receiver, baseURL }) => {
  const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
  await signInAs(page, workspace);
  const check = async (text: string) => {
    await expect(page.getByText(text).first()).toBeVisible();
    await expectCleanInEveryView(page);
  };
  await page.goto('/device?userCode=BBBB-BBBB');
  await check('No request matches this code');
  const body = { clientName: 'eds on a-machine-with-a-rather-long-name.department.company.example' };
  const { userCode } = await callApi<{ userCode: string }>(baseURL ?? '', 'POST', '/auth/device/code', { body });
  await page.goto(`/device?userCode=${userCode}`);
  await check('Approve only if you started this on your own device.');
  await page.getByRole('button', { name: 'Approve' }).click();
  await check('is signing in');
});
