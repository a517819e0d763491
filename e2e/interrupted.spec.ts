import { expectCleanInEveryView } from './support/accessible';
import { callApi, PASSWORD, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

/** Closes all sessions of the person but a new one, as another device does. */
async function closeElsewhere({ email }: Workspace): Promise<void> {
  const body = { email, password: PASSWORD };
  const { accessToken: token } = await callApi<{ accessToken: string }>('POST', '/auth/login', { body });
  await callApi('DELETE', '/auth/sessions?keepCurrent=true', { token });
}

test('without a network, the page stays, says so, and keeps what is typed', async ({ page, context, workspace }) => {
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/endpoints`);
  await expect(page.getByRole('row')).toHaveCount(2);
  await context.setOffline(true);
  await expect(page.getByText('You’re offline. What you see may be out of date.')).toBeVisible();
  await expectCleanInEveryView(page);
  await page.getByRole('link', { name: 'Sources' }).first().click();
  await expect(page.getByText('You’re offline. This page stays open until you’re back.')).toBeVisible();
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByLabel('URL').fill('https://receiver.example/hooks');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('URL')).toHaveValue('https://receiver.example/hooks');
  await context.setOffline(false);
  await expect(page.getByText('You’re offline.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('receiver.example/hooks');
});

test('Escape asks before it discards what was typed in a dialog, and not otherwise', async ({ page, workspace }) => {
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/endpoints`);
  const dialog = page.getByRole('dialog', { name: 'New endpoint' });
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByLabel('URL').fill('https://receiver.example/hooks');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Discard what you typed?');
  await expectCleanInEveryView(page);
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('URL')).toHaveValue('https://receiver.example/hooks');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);
});

test('a form asks before its page is left while it has changes that are not saved', async ({ page, workspace }) => {
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/settings`);
  const asks = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await expect(page.getByLabel('Name')).not.toHaveValue('');
  expect(await asks()).toBe(false);
  for (const name of ['Store', 'Web shop']) {
    await page.getByLabel('Name').fill(name);
    await expect.poll(asks).toBe(true);
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByRole('button', { name: /^Switch project/ })).toContainText(name);
    await expect.poll(asks).toBe(false);
  }
});

test('a session that ends while a form is open comes back to the same form', async ({ page, context, workspace }) => {
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/endpoints`);
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByLabel('URL').fill('https://receiver.example/hooks');
  await closeElsewhere(workspace);
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  const ended = page.getByRole('alertdialog', { name: 'Your session has ended' });
  await expect(ended).toContainText(workspace.email);
  await expectCleanInEveryView(page);
  const [login] = await Promise.all([
    context.waitForEvent('page'),
    ended.getByRole('button', { name: 'Sign in in a new tab' }).click(),
  ]);
  await login.getByLabel('Email').fill(workspace.email);
  await login.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await login.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(ended).toHaveCount(0);
  await expect(page.getByLabel('URL')).toHaveValue('https://receiver.example/hooks');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('receiver.example/hooks');
});

test('keeps what is typed when a save has failed without a network and the session then ends', async ({
  page,
  context,
  workspace,
}) => {
  await signInAs(page, workspace);
  const { organizationId } = await callApi<{ organizationId: string }>('GET', `/projects/${workspace.projectId}`, {
    token: workspace.token,
  });
  for (const { path, open, field, typed, save } of [
    {
      path: `/projects/${workspace.projectId}/endpoints`,
      open: 'New endpoint',
      field: 'URL',
      typed: 'https://receiver.example/hooks',
      save: 'Create endpoint',
    },
    {
      path: `/orgs/${organizationId}/members`,
      open: 'Invite member',
      field: 'Email',
      typed: 'grace@example.com',
      save: 'Invite',
    },
  ]) {
    await page.goto(path);
    // A list without rows repeats its button.
    await page.getByRole('button', { name: open }).first().click();
    await page.getByLabel(field).fill(typed);
    await context.setOffline(true);
    await page.getByRole('button', { name: save }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText('You’re offline.')).toHaveCount(0);
    await closeElsewhere(workspace);
    await page.getByRole('button', { name: save }).click();
    const ended = page.getByRole('alertdialog', { name: 'Your session has ended' });
    await expect(ended).toBeVisible();
    const tab = await context.newPage();
    await signInAs(tab, workspace);
    await tab.goto('/account');
    await expect(ended).toHaveCount(0);
    await expect(page.getByLabel(field)).toHaveValue(typed);
  }
});
