import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { expectCleanInEveryView } from './support/accessible';
import { callApi, makeWorkspace, type Workspace } from './support/api';
import { copyWith } from './support/copy';
import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const PAGE_OF_ERRORS = '<!doctype html><title>Down</title><script>document.title = "run"</script><h1>Down</h1>';

/** Starts a receiver that fails with a page of HTML, with many headers and a cookie. */
async function startFailingReceiver() {
  const server = createServer((request, response) => {
    const headers = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-header-${n}`, 'value '.repeat(8)]));
    request.resume().on('end', () => {
      response.writeHead(503, { ...headers, 'content-type': 'text/html', 'set-cookie': 'session=hush' });
      response.end(PAGE_OF_ERRORS);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, close };
}

/** Sends an event and waits for its first attempt. @returns the path of its delivery */
async function deliver({ key, projectId }: Workspace): Promise<string> {
  const body = { type: 'order.paid', data: { orderId: 'ord_1042', amount: 4200, lines: [{ sku: 'tea', count: 2 }] } };
  const { id } = await callApi<{ id: string }>('POST', '/events', { key, body });
  type Deliveries = { data: { id: string; attemptCount: number }[] };
  const find = async () =>
    (await callApi<Deliveries>('GET', `/projects/${projectId}/deliveries?eventId=${id}`, { key })).data[0];
  await expect.poll(async () => (await find())?.attemptCount).toBe(1);
  return `/projects/${projectId}/deliveries/${(await find())?.id}`;
}

test('an attempt shows what was sent and what came back, and its curl command is accepted by a verifier', async ({
  page,
  receiver,
  workspace,
}) => {
  const path = await deliver(workspace);
  await signInAs(page, workspace);
  await page.goto(path);
  await page.locator('summary').press('Enter');
  await expect(page.getByRole('table', { name: 'Timing' }).getByRole('rowheader', { name: 'Waiting' })).toBeVisible();
  await expect(page.getByText(new URL(receiver.url).host, { exact: true })).toBeVisible();
  const responseHeaders = page.getByRole('table', { name: 'Response headers' });
  await expect(responseHeaders.getByRole('row', { name: 'content-type text/plain' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Response body' })).toHaveText('answer 200');

  await page.getByRole('tab', { name: 'Response' }).press('ArrowRight');
  const headers = page.getByRole('table', { name: 'Request headers' });
  await expect(headers.getByRole('rowheader', { name: 'webhook-signature' })).toBeVisible();
  const requestBody = page.getByRole('region', { name: 'Request body' });
  await expect(requestBody).toContainText('"orderId": "ord_1042"');
  await page.getByRole('tab', { name: 'Raw' }).click();
  await expect(requestBody).toHaveText(receiver.received[0]?.body ?? '');

  const command = await copyWith(page, 'Copy as curl');
  await promisify(execFile)('sh', ['-c', command]);
  const [sent, repeated] = receiver.received;
  expect(repeated?.body).toBe(sent?.body);
  const { secret } = await callApi<{ secret: string }>(
    'GET',
    `/projects/${workspace.projectId}/endpoints/${workspace.endpointId}/secret`,
    { token: workspace.token },
  );
  const verify = () => new Webhook(secret).verify(repeated?.body ?? '', repeated?.headers as Record<string, string>);
  expect(verify()).toMatchObject({ type: 'order.paid', data: { orderId: 'ord_1042' } });
});

test('a hostile response is shown as text, accessibly', async ({ page }) => {
  const receiver = await startFailingReceiver();
  const workspace = await makeWorkspace(receiver.url);
  await signInAs(page, workspace);
  await page.goto(await deliver(workspace));
  await page.getByText('Attempt 1', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Response body' })).toHaveText(PAGE_OF_ERRORS);
  await expect(page.getByRole('row', { name: 'set-cookie hidden' })).toBeVisible();
  expect([await page.title(), await page.content()].join()).not.toMatch(/^run|hush/);
  await expectCleanInEveryView(page);
  receiver.close();
});

test('an endpoint is subscribed, paused and tested on its page', async ({ page, receiver, workspace }) => {
  await deliver(workspace);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/endpoints/${workspace.endpointId}`);

  const paid = page.getByRole('checkbox', { name: 'order.paid' });
  await expect(paid).toBeChecked();
  await expect(paid).toBeDisabled();
  await expect(paid).toHaveAccessibleDescription('included in *');
  await page.getByRole('checkbox', { name: '* all events' }).uncheck();
  await expect(paid).not.toBeChecked();
  await paid.check();
  await page.getByLabel('Another type or pattern').fill('invoice.*');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('checkbox', { name: 'invoice.*' })).toBeChecked();
  type Subscriptions = { data: { eventType: string }[] };
  const path = `/projects/${workspace.projectId}/subscriptions`;
  const { data } = await callApi<Subscriptions>('GET', path, { key: workspace.key });
  expect(data.map(({ eventType }) => eventType).sort()).toEqual(['invoice.*', 'order.paid']);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByLabel('Reason').fill('Maintenance until noon');
  await page.getByRole('button', { name: 'Pause endpoint' }).click();
  await expect(page.getByText('Paused: Maintenance until noon')).toBeVisible();

  await page.getByLabel('Event type').fill('order.paid');
  await page.getByLabel('Data', { exact: true }).fill('{"orderId": ');
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText('Enter a JSON object')).toBeVisible();
  await page.getByLabel('Data', { exact: true }).fill('{"orderId": "ord_7"}');
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText('The receiver responded with 200')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Response body' })).toHaveText('answer 200');
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({
    type: 'order.paid',
    data: { orderId: 'ord_7' },
  });

  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Paused: Maintenance until noon')).toHaveCount(0);
});
