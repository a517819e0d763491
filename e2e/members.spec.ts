import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { callApi, PASSWORD } from './support/api';
import { waitForDialogsClosed } from './support/dialogs';
import { expect, test } from './support/fixtures';
import { linkIn, waitForMail } from './support/mails';
import { invite, makeMember, makePerson, makeProject, signInAs } from './support/team';

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const roleOf = (page: Page, name: string) => page.getByRole('combobox', { name: `Role of ${name}` });

test('an invited person registers, accepts, and is a viewer until promoted', async ({ page, newContext }) => {
  const owner = await makePerson('Ada Lovelace', 'Analytical Engines');
  const project = await makeProject(owner, 'Web shop');
  await signInAs(page, owner);
  await page.goto(`/orgs/${owner.organizationId}/members`);
  const email = `invited-${randomUUID()}@example.com`;
  await page.getByRole('button', { name: 'Invite member' }).first().click();
  await page.getByLabel('Email').fill(email.toUpperCase());
  await page.getByRole('radio', { name: /^Viewer/ }).check();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation link' });
  await expect(dialog).toContainText('No email was sent.');
  await expect(dialog.getByText('/accept-invitation?token=')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(rowOf(page, email)).toContainText('Viewer');

  const link = new URL(linkIn(await waitForMail(email, /invited/i)));
  const guest = await (await newContext()).newPage();
  await guest.goto(link.pathname + link.search);
  await expect(guest.getByRole('heading', { name: 'Join Analytical Engines' })).toBeVisible();
  await expect(guest.getByText(email)).toBeVisible();
  await expect(guest).not.toHaveURL(/token/);
  await guest.getByRole('link', { name: 'Create an account' }).click();
  await expect(guest.getByLabel('Email')).toHaveValue(email);
  await expect(guest).not.toHaveURL(new RegExp(link.searchParams.get('token') ?? '/'));
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expect(guest.getByLabel('Organization')).toHaveCount(0);
  await guest.getByLabel('Your name').fill('Vera Viewer');
  await guest.getByRole('button', { name: 'Create account' }).click();
  await guest.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(guest.getByRole('button', { name: /^Switch organization/ })).toContainText('Analytical Engines');
  await guest.getByRole('button', { name: /^Switch organization/ }).click();
  // They have no organization of their own.
  await expect(guest.getByRole('menuitemradio')).toHaveCount(1);
  await guest.keyboard.press('Escape');

  await guest.goto(`/projects/${project.id}/keys`);
  const newKey = guest.getByRole('button', { name: 'New key' });
  await expect(newKey).toHaveAttribute('aria-disabled', 'true');
  await newKey.focus();
  await expect(guest.getByRole('tooltip')).toContainText('Your role here is viewer; this needs developer or higher.');

  await page.reload();
  await expect(rowOf(page, 'Vera Viewer')).toBeVisible();
  await expect(page.getByText('No pending invitations')).toBeVisible();
  await roleOf(page, 'Vera Viewer').click();
  await page.getByRole('option', { name: /^Developer/ }).click();
  await expect(page.getByText('Vera Viewer is now a developer.')).toBeVisible();
  await guest.reload();
  await newKey.click();
  await expect(guest.getByRole('dialog')).toBeVisible();
  await guest.goto(link.pathname + link.search);
  await expect(guest.getByText('This link is no longer valid.')).toBeVisible();
});

test('opening an invitation does not accept it, and another account has to sign out first', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace', 'Analytical Engines');
  const invited = await makePerson('Grace Hopper');
  const other = await makePerson('Eve Else');
  const link = await invite(owner, invited.email, 'ADMIN');
  await signInAs(page, other);
  await page.goto(link);
  await expect(page.getByText(`You are signed in as ${other.email}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept invitation' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign out and switch accounts' }).click();
  // The address has an account, so registering is not offered.
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(invited.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Accept invitation' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Accept invitation' })).toBeVisible();
  const me = await callApi<{ organizations: unknown[] }>('GET', '/auth/me', { token: invited.token });
  expect(me.organizations).toHaveLength(1);
  await page.getByRole('button', { name: 'Accept invitation' }).press('Enter');
  await expect(page.getByText('You’re now an admin of Analytical Engines.')).toBeVisible();
});

test('an invitation is resent and revoked', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace');
  const email = `invited-${randomUUID()}@example.com`;
  const first = await invite(owner, email, 'DEVELOPER');
  await signInAs(page, owner);
  await page.goto(`/orgs/${owner.organizationId}/members`);
  const menu = page.getByRole('button', { name: `Actions for the invitation to ${email}` });
  const choose = async (item: string) => {
    await menu.click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  // The server sends no email.
  await menu.click();
  await expect(page.getByRole('menuitem', { name: 'New invitation link' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Email again' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Invite member' }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation link' });
  await expect(dialog).toContainText(`Only ${email} can accept with it`);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await choose('New invitation link');
  const copied = new URL((await dialog.getByText('/accept-invitation?token=').textContent()) ?? '');
  await dialog.getByRole('button', { name: 'Done' }).click();
  const second = new URL(linkIn(await waitForMail(email, /invited/i, 2)));
  await choose('Revoke');
  await page.getByRole('button', { name: 'Revoke invitation' }).click();
  await expect(page.getByText('No pending invitations')).toBeVisible();
  for (const link of [first, second.pathname + second.search, copied.pathname + copied.search]) {
    await page.goto(link);
    await expect(page.getByText('This link is no longer valid.')).toBeVisible();
  }
});

test('ownership is transferred in two steps, and the former owner leaves', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace', 'Analytical Engines');
  await makeMember(owner, 'Grace Hopper', 'DEVELOPER');
  await signInAs(page, owner);
  await page.goto(`/orgs/${owner.organizationId}/settings`);
  await page.getByRole('button', { name: 'Leave organization' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave organization' }).click();
  await expect(page.getByRole('alertdialog').getByRole('alert')).toContainText(/ownership first/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('main').getByRole('link', { name: 'transfer ownership' }).click();
  await expect(roleOf(page, 'Ada Lovelace')).toHaveAttribute('aria-disabled', 'true');

  await page.getByRole('button', { name: 'Transfer ownership' }).click();
  const giveUp = page.getByRole('button', { name: 'Become an admin' });
  await expect(giveUp).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('combobox', { name: 'New owner' }).click();
  await page.getByRole('option', { name: /Grace Hopper/ }).click();
  await page.getByRole('button', { name: 'Make owner' }).click();
  await expect(page.getByText('You and Grace Hopper are both owners.')).toBeVisible();
  await giveUp.click();
  await waitForDialogsClosed(page);
  await expect(roleOf(page, 'Ada Lovelace')).toContainText('Admin');
  await expect(roleOf(page, 'Grace Hopper')).toHaveAttribute('aria-disabled', 'true');

  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Leave' }).click();
  await page.getByRole('button', { name: 'Leave organization' }).click();
  await expect(page.getByText('You aren’t in any organizations.')).toBeVisible();
  await page.goto(`/orgs/${owner.organizationId}/members`);
  await expect(page.getByText('Organization not found')).toBeVisible();
});

test('an admin can change everyone except owners, and removes a member only after a confirmation', async ({ page }) => {
  const owner = await makePerson('Ada Lovelace');
  const admin = await makeMember(owner, 'Grace Hopper', 'ADMIN');
  const member = await makeMember(owner, 'Vera Viewer', 'VIEWER');
  await signInAs(page, admin);
  await page.goto(`/orgs/${owner.organizationId}/members`);
  await expect(roleOf(page, 'Ada Lovelace')).toHaveAttribute('aria-disabled', 'true');
  await roleOf(page, 'Vera Viewer').click();
  await expect(page.getByRole('option', { name: /^Owner/ })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions for Vera Viewer' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, member.email)).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Vera Viewer' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove member' }).click();
  await waitForDialogsClosed(page);
  await expect(rowOf(page, member.email)).toHaveCount(0);
  const { organizations } = await callApi<{ organizations: unknown[] }>('GET', '/auth/me', {
    token: member.token,
  });
  expect(organizations).toHaveLength(1);
});
