import type { Page } from '@playwright/test';
import { expectClean, VIEWS } from './support/accessible';
import { BASE_URL, callApi, PASSWORD, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

const section = (page: Page, id: string) => page.locator(`section#${id}`);
const example = (page: Page, id: string) => section(page, id).getByLabel(/^Example request \(/);
const search = (page: Page) => page.getByRole('combobox', { name: 'Search the documentation' });

/** Signs in from a page of the documentation, and returns to it. */
async function signInFromDocs(page: Page, workspace: Workspace): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, workspace);
}

async function fillSignIn(page: Page, { email }: Workspace): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Project of the examples' })).toBeVisible();
}

test('anyone reads the reference, and it loads nothing from elsewhere', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto('/docs/api');
  await expect(page.getByRole('heading', { name: 'API reference', level: 1 })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'API keys', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'API keys', level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/^API keys · API/);
  const create = section(page, 'create');
  await expect(create.getByRole('heading', { name: 'Create an API key' })).toBeVisible();
  await expect(create.getByText('Access token of a developer or higher')).toBeVisible();
  await expect(example(page, 'create')).toContainText(`${BASE_URL}/api/v1/projects/PROJECT_ID/api-keys`);
  await create.getByText(/^Show \d+ codes$/).click();
  await create.getByRole('link', { name: 'limit_reached' }).click();
  await expect(page).toHaveURL('/docs/errors#limit_reached');
  await expect(page.locator('#limit_reached')).toBeInViewport();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'limit_reached' })).toBeInViewport();
  expect(requested.filter((url) => !url.startsWith(`${BASE_URL}/`))).toEqual([]);
  expect(requested.filter((url) => url.includes('/api/v1/auth'))).toEqual([]);
});

test('the reference is readable without JavaScript', async ({ newContext }) => {
  const context = await newContext({ javaScriptEnabled: false, baseURL: BASE_URL });
  const page = await context.newPage();
  await page.goto('/docs/api/events');
  await expect(example(page, 'send')).toContainText('/api/v1/events');
  const fields = section(page, 'get')
    .getByText(/^Show \d+ fields$/)
    .first();
  await fields.click();
  await expect(section(page, 'get').getByText('The payload, as it was sent.')).toBeVisible();
});

test('the search finds calls by keyboard', async ({ page }) => {
  await page.goto('/docs/api/events');
  await page.keyboard.press('/');
  await expect(search(page)).toBeFocused();
  await page.keyboard.type('blorp flux');
  await expect(page.getByRole('option')).toHaveText([/Show all results for “blorp flux”/]);
  await page.keyboard.press('Escape');
  await expect(search(page)).not.toBeFocused();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('replace the secret of a source');
  const options = page.getByRole('option');
  await expect(options.first()).toContainText('Replace the secret of a source');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/api/sources#rotate-secret');
  await expect(section(page, 'rotate-secret')).toBeInViewport();
  await expect(search(page)).toHaveValue('');
  await page.keyboard.press('/');
  await page.keyboard.type('rate_limited');
  await page.getByRole('option', { name: 'rate_limited' }).first().click();
  await expect(page).toHaveURL('/docs/errors#rate_limited');
});

test('the examples have the project of the reader, who tries calls there', async ({ page, workspace }) => {
  const { projectId, key } = workspace;
  const body = { type: 'order.paid', data: { orderId: 'ord_1' } };
  const sent = await callApi<{ id: string }>('POST', '/events', { key, body });
  await page.goto('/docs/api/events');
  await expect(section(page, 'list').getByText('to try this call here')).toBeVisible();
  await signInFromDocs(page, workspace);
  await expect(example(page, 'list')).toContainText(`/api/v1/projects/${projectId}/events`);
  await section(page, 'list').getByRole('tab', { name: 'Node' }).click();
  await expect(example(page, 'get')).toContainText(`projectId: '${projectId}'`);

  const list = section(page, 'list');
  await list.getByRole('button', { name: 'Try it' }).click();
  await expect(list.getByLabel('projectId')).toHaveValue(projectId);
  await list.getByLabel('limit').fill('1');
  await list.getByRole('button', { name: 'Send request' }).click();
  const response = list.getByRole('status', { name: 'Response' });
  await expect(response).toContainText('200');
  await expect(response).toContainText('X-Request-Id:');
  await expect(response).toContainText(sent.id);

  const get = section(page, 'get');
  await get.getByRole('button', { name: 'Try it' }).click();
  await get.getByRole('button', { name: 'Send request' }).click();
  await expect(get.getByText('This is part of the path, so it needs a value.')).toBeVisible();
  await get.getByLabel('eventId').fill('../deliveries');
  await get.getByRole('button', { name: 'Send request' }).click();
  await expect(get.getByRole('status', { name: 'Response' })).toContainText('404');
  await expect(get.getByRole('link', { name: 'not_found' }).last()).toHaveAttribute('href', '/docs/errors#not_found');

  await page.reload();
  await expect(example(page, 'get')).toContainText(`projectId: '${projectId}'`);
});

test('a reader sends an event from the documentation, after a sign-in that leads back, and opens it', async ({
  page,
  workspace,
}) => {
  await page.goto('/docs/api/events');
  const send = section(page, 'send-to-project');
  await send.getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, workspace);
  await expect(page).toHaveURL('/docs/api/events#send-to-project');
  await send.getByRole('button', { name: 'Try it' }).click();
  await send.getByLabel('Data').fill('[1]');
  await send.getByRole('button', { name: 'Send event' }).click();
  await expect(send.getByText('Enter a JSON object.')).toBeVisible();
  await send.getByLabel('Data').fill('{"orderId": 12345678901234567890}');
  await send.getByLabel('Idempotency key').fill('from-the-documentation');
  await expectClean(page);
  await send.getByRole('button', { name: 'Send event' }).click();
  await expect(send.getByRole('status', { name: 'Response' })).toContainText('202');
  await send.getByRole('button', { name: 'Send event' }).click();
  await expect(send.getByRole('status', { name: 'Response' })).toContainText('Idempotent-Replayed:');
  await send.getByRole('link', { name: 'Open the event' }).click();
  await expect(page).toHaveURL(new RegExp(`/projects/${workspace.projectId}/events/`));
  await expect(page.getByText('12345678901234567890').first()).toBeVisible();
});

test('a reader with several projects chooses one', async ({ page, workspace }) => {
  const { token, projectId } = workspace;
  const { organizationId } = await callApi<{ organizationId: string }>('GET', `/projects/${projectId}`, {
    token,
  });
  const other = await callApi<{ id: string }>('POST', `/orgs/${organizationId}/projects`, {
    token,
    body: { name: 'Another' },
  });
  await page.goto('/docs/api/endpoints');
  await signInFromDocs(page, workspace);
  for (const [name, id] of [
    ['Web shop', projectId],
    ['Another', other.id],
  ] as const) {
    await page.getByRole('combobox', { name: 'Project of the examples' }).click();
    await page.getByRole('option', { name }).click();
    await expect(example(page, 'list')).toContainText(`/api/v1/projects/${id}/endpoints`);
  }
  await page.goto('/docs/api/organizations');
  await expect(example(page, 'get')).toContainText(`/api/v1/orgs/${organizationId}`);
});

test('a call that a session cannot make says which credential it needs', async ({ page, workspace }) => {
  await page.goto('/docs/api/admin');
  await signInFromDocs(page, workspace);
  const needs = (id: string) => section(page, id).getByText('Needs a different credential than your session');
  await expect(needs('get-stats')).toContainText('operator token');
  await expect(section(page, 'get-stats').getByRole('button', { name: 'Try it' })).toHaveCount(0);
  await page.goto('/docs/api/api-keys');
  await expect(needs('get-own')).toContainText('API key');
  await page.goto('/docs/api/operations');
  await section(page, 'live').getByRole('button', { name: 'Try it' }).click();
  await section(page, 'live').getByRole('button', { name: 'Send request' }).click();
  await expect(section(page, 'live').getByRole('status', { name: 'Response' })).toContainText('"ok"');
});

test('the dashboard leads to the reference', async ({ page, workspace }) => {
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/keys`);
  await page.getByRole('main').getByRole('link', { name: 'API reference' }).click();
  await expect(page.getByRole('heading', { name: 'API reference', level: 1 })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  // The home page adds the project to its URL.
  await expect(page).toHaveURL(/project=/);
  await page.getByRole('link', { name: 'Documentation' }).click();
  await expect(page).toHaveURL('/docs/guides');
  await page.goBack();
  await expect(page.getByRole('button', { name: /^Account [A-Z]/ })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('API reference');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/api');
});

for (const { width, height, colorScheme } of VIEWS) {
  test.describe(`at ${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('the reference is accessible and fits', async ({ page, workspace }) => {
      await page.goto('/docs/api');
      await expectClean(page);
      await page.goto('/docs/api/api-keys');
      await signInFromDocs(page, workspace);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      await section(page, 'list').getByRole('button', { name: 'Try it' }).click();
      await section(page, 'list').getByRole('button', { name: 'Send request' }).click();
      await expect(section(page, 'list').getByRole('status', { name: 'Response' })).toBeVisible();
      await search(page).fill('key');
      await expect(page.getByRole('option').first()).toBeVisible();
      await expectClean(page);
      await search(page).press('Escape');
      if (width >= 1024) return;
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await expect(page.getByRole('dialog').getByRole('link', { name: 'Rotate' })).toBeVisible();
      await expectClean(page);
      await page.getByRole('dialog').getByRole('link', { name: 'Errors', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Errors', level: 1 })).toBeVisible();
    });
  });
}
