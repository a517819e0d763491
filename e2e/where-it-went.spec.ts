import type { Page } from '@playwright/test';
import { expectCleanInEveryView } from './support/accessible';
import { callApi, type Workspace } from './support/api';
import { makePortal } from './support/embedding-page';
import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

const makeEndpoint = ({ projectId, key }: Workspace, body: object) =>
  callApi<{ id: string }>('POST', `/projects/${projectId}/endpoints`, { key, body });

const rowOf = (page: Page, url: string) => page.getByRole('row').filter({ hasText: url });

test('the page of an event says where it went, and where not and why, and sends it there', async ({
  page,
  workspace,
  receiver,
}) => {
  const { key, projectId } = workspace;
  const filter = { path: 'data.amount', op: 'gte', value: 1000 };
  await makeEndpoint(workspace, { url: `${receiver.url}/large`, eventTypes: ['order.*'], filter });
  await makeEndpoint(workspace, { url: 'https://invoices.example.com/hooks', eventTypes: ['invoice.*'] });
  await makeEndpoint(workspace, { url: 'https://paused.example.com/hooks', eventTypes: ['*'], enabled: false });
  const body = { type: 'order.paid', data: { orderId: 'ord_42', amount: 42 } };
  const event = await callApi<{ id: string }>('POST', '/events', { key, body });
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/events/${event.id}`);
  const table = page.getByRole('table', { name: 'Where it went' });
  await expect(table.getByRole('row')).toHaveCount(5);
  await expect(rowOf(page, 'invoices.example.com')).toContainText(
    /Not subscribed.*It is subscribed to invoice\.\*, not to order\.paid\./,
  );
  await expect(rowOf(page, 'paused.example.com')).toContainText(/Disabled.*It has been paused since .* UTC\./);
  const filtered = rowOf(page, `${receiver.url}/large`);
  await expect(filtered).toContainText('data.amount is 42, and it wants data.amount is at least 1000');
  await page.getByRole('checkbox', { name: 'Only where it wasn’t sent' }).check();
  await expect(table.getByRole('row')).toHaveCount(4);
  await expectCleanInEveryView(page);
  await filtered.getByRole('button', { name: 'Send to this endpoint' }).click();
  await expect(table.getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('article')).toHaveCount(2);
  await rowOf(page, 'paused.example.com').getByRole('button', { name: 'Send to this endpoint' }).click();
  await expect(page.getByText('Enable it, then send the event.')).toBeVisible();
});

test('a customer sees why an event went to none of its endpoints', async ({ page, workspace }) => {
  const makeLink = await makePortal(workspace, []);
  const url = 'https://globex.example/hooks';
  await makeEndpoint(workspace, { url, customer: 'cus_1', eventTypes: ['invoice.*'] });
  const body = { type: 'order.paid', data: {}, customer: 'cus_1' };
  await callApi('POST', '/events', { key: workspace.key, body });
  await page.goto(await makeLink());
  await page.getByRole('tab', { name: 'Events' }).click();
  await expect(page.getByText('Sent to no endpoint', { exact: true })).toBeVisible();
  await expectCleanInEveryView(page);
  await page.getByRole('button', { name: 'order.paid' }).click();
  await expect(page.getByRole('heading', { name: 'order.paid' })).toBeFocused();
  await expect(page.getByRole('listitem').filter({ hasText: url })).toContainText(
    /Not subscribed.*Subscribe it to order\.paid for later events\.$/,
  );
  await expectCleanInEveryView(page);
  await page.getByRole('button', { name: 'All events' }).click();
  await expect(page.getByRole('tab', { name: 'Events' })).toHaveAttribute('aria-selected', 'true');
});
