import type { Page, Request } from '@playwright/test';
import { expectCleanInEveryView } from './support/accessible';
import { BASE_URL, callApi, makeWorkspace, type Workspace } from './support/api';
import { makePortal } from './support/embedding-page';
import { expect, test } from './support/fixtures';
import type { Receiver } from './support/receiver';

type Fixtures = { page: Page; workspace: Workspace };

async function openPortal({ page, workspace }: Fixtures, body: object = {}) {
  const makeLink = await makePortal(workspace, []);
  await page.goto(await makeLink(body));
  await expect(page.getByText('Globex')).toBeVisible();
  return makeLink;
}

/** Makes an endpoint of the customer, whose deliveries fail for good after two attempts. */
const makeEndpoint = ({ projectId, key }: Workspace, { url }: Receiver) =>
  callApi<{ id: string }>('POST', `/projects/${projectId}/endpoints`, {
    key,
    body: { url, description: 'Billing', customer: 'cus_1', eventTypes: ['*'], retrySeconds: [1] },
  });

const send = ({ key }: Workspace, type: string) =>
  callApi('POST', '/events', { key, body: { type, data: { orderId: 'ord_1' }, customer: 'cus_1' } });

const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('a customer adds an endpoint with all events or some, and tests it at once', async ({
  page,
  workspace,
  receiver,
}) => {
  await openPortal({ page, workspace });
  await button(page, 'Add endpoint').click();
  await expect(page.getByRole('heading', { name: 'Add an endpoint' })).toBeFocused();
  await button(page, 'Add endpoint').click();
  await expect(page.getByText('Enter the URL.')).toBeVisible();
  await page.getByLabel('Endpoint URL').fill(receiver.url);
  await page.getByRole('radio', { name: /Only some events/ }).check();
  await page.getByLabel('Find or add an event type').fill('order.*');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('checkbox', { name: 'order.*' })).toBeChecked();
  await page.getByLabel('Description').fill('Billing');
  await button(page, 'Add endpoint').click();
  await expect(page.getByText('Your endpoint is added.')).toBeVisible();
  await button(page, 'send a test').click();
  await page.getByLabel('Data').fill('{"total": 1.50');
  await button(page, 'Send test').click();
  await expect(page.getByText(/^Enter a JSON object/)).toBeVisible();
  await page.getByLabel('Data').fill('{"total": 1.50}');
  await button(page, 'Send test').click();
  await expect(page.getByText(/^It works: your server answered in/)).toBeVisible();
  await expect(page.getByText(`POST ${receiver.url}`)).toBeVisible();
  await expect(page.getByLabel('Body of the answer', { exact: true })).toHaveText('answer 200');
  expect(receiver.received.map(({ body }) => body)).toEqual([
    expect.stringMatching(/"type":"endpoint\.test".*"data":\{"total": 1\.50\}/),
  ]);
  receiver.status = 401;
  await button(page, 'Send test').click();
  await expect(page.getByText('Your server answered 401 Unauthorized.')).toBeVisible();
  await expect(page.getByText(/verifies the signature with the secret of this endpoint/)).toBeVisible();
});

test('a customer finds out why a delivery failed, and sends it again', async ({ page, workspace, receiver }) => {
  await openPortal({ page, workspace });
  receiver.status = 500;
  await makeEndpoint(workspace, receiver);
  await send(workspace, 'order.paid');
  await tab(page, 'Deliveries').click();
  const failed = page.getByRole('listitem').filter({ hasText: 'Failed' });
  await expect(failed).toContainText('Your server answered 500 Internal Server Error');
  await page.getByRole('radio', { name: 'Delivered' }).check();
  await expect(page.getByRole('heading', { name: 'No delivered deliveries' })).toBeVisible();
  await page.getByRole('radio', { name: 'Failed' }).check();
  await button(page, 'order.paid').click();
  await expect(page.getByText(/Something failed in your server.*no longer try by ourselves/)).toBeVisible();
  await expect(page.getByLabel('Body of the answer', { exact: true })).toHaveText('answer 500');
  await expect(page.getByLabel('Body of the request', { exact: true })).toContainText('"orderId": "ord_1"');
  receiver.status = 200;
  await button(page, 'Send again').click();
  await expect(page.getByRole('status').filter({ hasText: 'Delivered' })).toBeVisible();
  await expect(page.getByText('Attempt 3')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Webhooks', level: 1 })).toBeFocused();
});

test('a customer reads the secret, and replaces it while the old one still works', async ({
  page,
  workspace,
  receiver,
}) => {
  await openPortal({ page, workspace });
  await makeEndpoint(workspace, receiver);
  await button(page, receiver.url).click();
  await tab(page, 'Verify').click();
  await expect(page.getByText(/^whsec_•+$/)).toBeVisible();
  await button(page, 'Show').click();
  const secret = await page.getByText(/^whsec_[\w+/=]{32,}$/).innerText();
  for (const name of ['Node', 'Python', 'Go', 'PHP']) {
    await tab(page, name).click();
    await expect(page.getByLabel(`Verification (${name})`, { exact: true })).toContainText(/verify\(/i);
  }
  await button(page, 'Replace').click();
  const dialog = page.getByRole('dialog', { name: 'Replace the secret?' });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button(page, 'Replace')).toBeFocused();
  await button(page, 'Replace').click();
  await dialog.getByRole('radio', { name: /For one more week/ }).check();
  await dialog.getByRole('button', { name: 'Replace secret' }).click();
  await expect(page.getByText(/^The secret before it works until/)).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
  await tab(page, 'Test').click();
  await button(page, 'Send test').click();
  await expect.poll(() => receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
});

test('a customer changes, pauses and deletes an endpoint', async ({ page, workspace, receiver }) => {
  await openPortal({ page, workspace });
  const { id } = await makeEndpoint(workspace, receiver);
  const path = `/projects/${workspace.projectId}/endpoints/${id}`;
  await button(page, receiver.url).click();
  await tab(page, 'Settings').click();
  await page.getByRole('radio', { name: /Only some events/ }).check();
  await page.getByLabel('Find or add an event type').fill('order.paid');
  await button(page, 'Add').click();
  await page.getByLabel('Description').fill('Orders');
  await button(page, 'Save changes').click();
  await expect(page.getByText('Saved.')).toBeVisible();
  const { token } = workspace;
  const { data } = await callApi<{ data: { eventType: string }[] }>(
    'GET',
    `/projects/${workspace.projectId}/subscriptions?endpointId=${id}`,
    { token },
  );
  expect(data.map(({ eventType }) => eventType)).toEqual(['order.paid']);
  expect(await callApi('GET', path, { token })).toMatchObject({ description: 'Orders' });
  await button(page, 'Pause').click();
  await expect(page.getByText('Nothing is sent until it is resumed.')).toBeVisible();
  expect(await callApi('GET', path, { token })).toMatchObject({ enabled: false });
  await button(page, 'Resume').click();
  await expect(button(page, 'Pause')).toBeVisible();
  await button(page, 'Delete endpoint').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click();
  await expect(page.getByRole('heading', { name: 'No endpoints yet' })).toBeVisible();
});

test('who may only read sees what was sent, but no secret and nothing to change', async ({
  page,
  workspace,
  receiver,
}) => {
  await openPortal({ page, workspace }, { permissions: 'READ' });
  await expect(page.getByText(/look at everything here except secrets/)).toBeVisible();
  await expect(button(page, /Add/)).toHaveCount(0);
  receiver.status = 500;
  await makeEndpoint(workspace, receiver);
  await send(workspace, 'order.paid');
  await button(page, receiver.url).click();
  await expect(page.getByRole('tab')).toHaveText(['Deliveries', 'Verify', 'Settings']);
  await tab(page, 'Settings').click();
  await expect(page.getByText('All events')).toBeVisible();
  await tab(page, 'Verify').click();
  await expect(page.getByText(/whsec_•/)).toHaveCount(0);
  await expect(button(page, /Pause|Show|Replace|Delete|Save/)).toHaveCount(0);
  await tab(page, 'Deliveries').click();
  await button(page, 'order.paid').click();
  await expect(page.getByLabel('Body of the answer', { exact: true })).toHaveText('answer 500');
  await expect(button(page, /Send|Try/)).toHaveCount(0);
});

test('a used link, a page that is loaded again and an ended session say what to do, without dead controls', async ({
  page,
  workspace,
}) => {
  const makeLink = await openPortal({ page, workspace });
  expect(page.url()).not.toContain('#');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This page needs a new link' })).toBeVisible();
  const link = await makeLink();
  await page.goto(link);
  await button(page, 'Add endpoint').click();
  const path = `/projects/${workspace.projectId}/customers/cus_1/portal-sessions`;
  await callApi('DELETE', path, { token: workspace.token });
  await page.getByLabel('Endpoint URL').fill('https://example.com/webhooks');
  await button(page, 'Add endpoint').click();
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  await expect(page.getByText('To continue, go back to Acme and open this page again.')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
});

test('a link of another project opens that project’s page alone, though its customer has the same uid', async ({
  page,
  workspace,
  receiver,
}) => {
  await openPortal({ page, workspace });
  const makeLink = await makePortal(await makeWorkspace(receiver.url), []);
  const link = await makeLink();
  const exchanged = page.waitForResponse((response) => response.url().endsWith('/portal/sessions'));
  await page.evaluate((hash) => window.location.assign(hash), new URL(link).hash);
  expect((await exchanged).status()).toBe(401);
  await expect(button(page, 'Add endpoint')).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('Globex')).toBeVisible();
});

test('the end of a session is told before it, and then what to do', async ({ page, workspace }) => {
  await page.clock.install();
  await openPortal({ page, workspace }, { sessionSeconds: 300 });
  await page.clock.fastForward(230_000);
  await expect(page.getByText(/ends in less than a minute/)).toHaveCount(0);
  await page.clock.fastForward(25_000);
  await expect(page.getByText(/ends in less than a minute/)).toBeVisible();
  await page.clock.fastForward(50_000);
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
});

test('the portal keeps nothing in the browser, sends no cookie, and asks no other origin', async ({
  page,
  workspace,
  receiver,
}) => {
  // As of a person who has an account here, too.
  const cookie = { name: 'of-the-dashboard', value: '1', url: BASE_URL };
  await page.context().addCookies([cookie]);
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await openPortal({ page, workspace });
  await makeEndpoint(workspace, receiver);
  await button(page, receiver.url).click();
  await tab(page, 'Verify').click();
  await button(page, 'Show').click();
  await expect(button(page, 'Hide')).toBeVisible();
  expect(new Set(requests.map((request) => new URL(request.url()).origin))).toEqual(new Set([BASE_URL]));
  const calls = requests.filter((request) => request.url().includes('/api/'));
  expect(calls.length).toBeGreaterThan(3);
  for (const call of calls) expect(await call.allHeaders()).not.toHaveProperty('cookie');
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual([cookie.name]);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
});

test('every view is accessible and fits, in both schemes, with the color of the company', async ({
  page,
  workspace,
  receiver,
}) => {
  const { projectId, token } = workspace;
  await callApi('PATCH', `/projects/${projectId}`, { token, body: { portal: { accentColor: '#ffd400' } } });
  await openPortal({ page, workspace });
  await expectCleanInEveryView(page);
  await button(page, 'Add endpoint').click();
  await page.getByRole('radio', { name: /Only some events/ }).check();
  await expectCleanInEveryView(page);
  receiver.status = 500;
  await makeEndpoint(workspace, receiver);
  await send(workspace, 'order.paid');
  await button(page, 'All endpoints').click();
  await expect(button(page, receiver.url)).toBeVisible();
  await expectCleanInEveryView(page);
  await button(page, receiver.url).click();
  for (const name of ['Test', 'Verify', 'Settings']) {
    await tab(page, name).click();
    await expectCleanInEveryView(page);
  }
  await button(page, 'Delete endpoint').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectCleanInEveryView(page);
  await page.keyboard.press('Escape');
  await tab(page, 'Deliveries').click();
  await button(page, 'order.paid').click();
  await expect(page.getByLabel('Body of the answer', { exact: true })).toBeVisible();
  await page.getByText(/headers? of the request/).click();
  await expectCleanInEveryView(page);
});

test('the portal is complete by keyboard', async ({ page, workspace, receiver }) => {
  await openPortal({ page, workspace });
  await button(page, 'Add endpoint').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Add an endpoint' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type(receiver.url);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: receiver.url })).toBeVisible();
  await tab(page, 'Verify').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(tab(page, 'Test')).toBeFocused();
  await expect(button(page, 'Send test')).toBeVisible();
  await page.keyboard.press('End');
  await expect(tab(page, 'Settings')).toHaveAttribute('aria-selected', 'true');
});
