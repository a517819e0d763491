import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { callApi, PASSWORD } from './support/api';
import { expect, test } from './support/fixtures';
import { goByKeys } from './support/keyboard';
import { linkIn, readMails, waitForMail } from './support/mails';
import { runSql } from './support/run-sql';
import { signInAsNew } from './support/team';

const NEW_PASSWORD = 'another horse, another battery';

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const expectLoginPage = (page: Page) => expect(page).toHaveURL(/\/login/);
const expectSignedIn = (page: Page) => expect(page.getByRole('button', { name: /^Account [A-Z]/ })).toBeVisible();

/** Signs the same person in with another browser. */
async function signInElsewhere(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage();
  await signIn(page, email);
  await expectSignedIn(page);
  return page;
}

/** Gives the organizations of a person a second owner. */
async function addCoOwner(ownerEmail: string): Promise<string> {
  const email = `co-owner-${randomUUID()}@example.com`;
  await callApi('POST', '/auth/register', { body: { email, password: PASSWORD } });
  await runSql(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT joining.id, m.organization_id, 'OWNER'
     FROM users joining, memberships m JOIN users owner ON owner.id = m.user_id
     WHERE joining.email = $1 AND owner.email = $2`,
    [email, ownerEmail],
  );
  return email;
}

test('a new name appears immediately everywhere', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/account');
  const save = page.getByRole('button', { name: 'Save name' });
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Name').fill('Augusta King');
  await save.click();
  await expect(page.getByText('Name saved.')).toBeVisible();
  await page.getByRole('button', { name: /^Account [A-Z]/ }).click();
  await expect(page.getByRole('menu').getByText('Augusta King')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Augusta King');
});

test('an unconfirmed address is marked, gets another email, and is confirmed with its link', async ({
  page,
  context,
}) => {
  const email = await signInAsNew(page);
  await page.goto('/account');
  await expect(page.getByText('Not confirmed')).toBeVisible();
  await page.getByRole('button', { name: 'Make another link' }).click();
  await expect(page.getByText(`A new link for ${email} is in the mail folder`)).toBeVisible();
  // The second email replaces the one of the registration.
  const link = new URL(linkIn(await waitForMail(email, /confirm/i, 2)));
  expect(readMails().filter((mail) => mail.includes(`To: ${email}`))).toHaveLength(2);
  const tab = await context.newPage();
  await tab.goto(link.pathname + link.search);
  await tab.getByRole('button', { name: /confirm/i }).click();
  await expect(tab.getByText(/is confirmed/)).toBeVisible();
  await page.bringToFront();
  await page.reload();
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();
});

test('changing the password signs out all other sessions and keeps this one', async ({ page, newContext }) => {
  const email = await signInAsNew(page);
  const other = await signInElsewhere(await newContext(), email);
  await page.goto('/account');
  await page.getByLabel('Current password').fill('not my password');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await expect(page.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Current password').fill(PASSWORD);
  await change.click();
  await expect(page.getByText('Password changed.')).toBeVisible();
  await expect(page.getByLabel('New password')).toHaveValue('');

  await other.goto('/account');
  await expectLoginPage(other);
  await signIn(other, email);
  await expect(other.getByText('Incorrect email or password')).toBeVisible();
  await signIn(other, email, NEW_PASSWORD);
  await expectSignedIn(other);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
});

test('an account without a password adds one with an emailed link', async ({ page }) => {
  const email = await signInAsNew(page);
  await runSql('UPDATE users SET password_hash = NULL WHERE email = $1', [email]);
  await page.goto('/account');
  await expect(page.getByRole('button', { name: 'Add a password' })).toBeVisible();
  await expect(page.getByLabel('Current password')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add a password' }).click();
  await expect(page.getByText(`A link for ${email} is in the mail folder`)).toBeVisible();
  const token = new URL(linkIn(await waitForMail(email, /password/i))).searchParams.get('token');
  await callApi('POST', '/auth/reset-password', { body: { token, password: NEW_PASSWORD } });
  await page.goto('/account');
  await expectLoginPage(page);
  await signIn(page, email, NEW_PASSWORD);
  await expectSignedIn(page);
  await page.goto('/account');
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible();
});

test('a session closed in another browser is refused at its next request', async ({ page, newContext }) => {
  const email = await signInAsNew(page);
  const other = await signInElsewhere(await newContext(), email);
  await page.goto('/account/sessions');
  await expect(page.getByRole('button', { name: /^(Close the session on|Sign out of this)/ })).toHaveCount(2);
  await expect(page.getByText('This session', { exact: true })).toHaveCount(1);
  await page.getByRole('button', { name: /^Close the session on/ }).press('Enter');
  await expect(page.getByRole('heading', { name: 'No other sessions' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign out of this session' })).toBeFocused();
  // Its access token has not expired, but is refused.
  await goByKeys(other, 'a', /\/login/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No other sessions' })).toBeVisible();
});

test('all other sessions close at once; the current one needs a confirmation', async ({ page, newContext }) => {
  const email = await signInAsNew(page);
  const others = await Promise.all([
    signInElsewhere(await newContext(), email),
    signInElsewhere(await newContext(), email),
  ]);
  await page.goto('/account/sessions');
  await page.getByRole('button', { name: 'Close all others' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close other sessions' }).click();
  await expect(page.getByRole('heading', { name: 'No other sessions' })).toBeVisible();
  for (const other of others) {
    await other.goto('/account');
    await expectLoginPage(other);
  }
  await page.getByRole('button', { name: 'Sign out of this session' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await expect(page.getByText('This session', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Close all', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close all and sign out' }).click();
  await expectLoginPage(page);
  await page.goto('/account');
  await expectLoginPage(page);
});

test('deleting the account lists what is deleted, asks for the address, and ends every tab', async ({
  page,
  context,
}) => {
  const email = await signInAsNew(page);
  const shared = await callApi<{ accessToken: string }>('POST', '/auth/login', {
    body: { email, password: PASSWORD },
  });
  await addCoOwner(email);
  await callApi('POST', '/orgs', { token: shared.accessToken, body: { name: 'Mine alone' } });
  const tab = await context.newPage();
  await tab.goto('/account');
  await expect(tab.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();

  let erasures = 0;
  page.on('request', (request) => {
    if (request.method() === 'DELETE') erasures += 1;
  });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('region', { name: 'Deleted with you' })).toContainText('Mine alone');
  await expect(dialog.getByRole('region', { name: 'You’ll leave' }).getByRole('listitem')).toHaveCount(1);
  const erase = dialog.getByRole('button', { name: 'Delete my account' });
  await expect(erase).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox').fill('somebody@example.com');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('textbox').fill(email.toUpperCase());
  await erase.click();
  await expect(page.getByText('Your account was deleted')).toBeVisible();
  expect(erasures).toBe(1);
  await expectLoginPage(tab);
  await signIn(page, email);
  await expect(page.getByText('Incorrect email or password')).toBeVisible();
});

test('the last owner of an organization with other members cannot delete the account, and sees why', async ({
  page,
}) => {
  const email = await signInAsNew(page);
  const coOwner = await addCoOwner(email);
  await page.goto('/account');
  const opener = page.getByRole('button', { name: 'Delete account' });
  await opener.click();
  const dialog = page.getByRole('dialog');
  const erase = dialog.getByRole('button', { name: 'Delete my account' });
  await dialog.getByRole('textbox').fill(email);
  // While the dialog is open.
  await runSql(
    `UPDATE memberships SET role = 'DEVELOPER'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)
       AND organization_id IN (SELECT m.organization_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $2)`,
    [coOwner, email],
  );
  await erase.click();
  await expect(dialog.getByRole('alert')).toContainText('Nothing was deleted');
  const blocks = dialog.getByRole('region', { name: 'Blocks deletion' });
  await expect(blocks).toContainText('2 members');
  await expect(erase).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByRole('link', { name: 'transfer ownership' }).click();
  await expect(page.getByRole('button', { name: 'Transfer ownership' })).toBeVisible();
});
