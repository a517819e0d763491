import { expectCleanInEveryView } from './support/accessible';
import { callApi } from './support/api';
import { expect, test } from './support/fixtures';
import { runSql } from './support/run-sql';
import { signInAs } from './support/team';

test('an event is found by an order in its data, and says who sent it; its key leads to all it sent', async ({
  page,
  workspace,
}) => {
  const { key, projectId } = workspace;
  const send = (orderId: string) =>
    callApi('POST', '/events', { key, body: { type: 'order.paid', data: { orderId } } });
  for (const order of ['ord_41', 'ord_42', 'ord_43']) await send(order);
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/events`);
  await expect(page.getByRole('row')).toHaveCount(4);
  await expectCleanInEveryView(page);
  await page.keyboard.press('/');
  await page.keyboard.type('ord_42');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('link', { name: 'order.paid' }).click();
  await expect(page.getByText('"ord_42"')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('from 127.0.0.1');
  const way = page.getByRole('article').getByRole('listitem');
  await expect(way).toHaveCount(2);
  await expect(way.nth(1)).toContainText(/Received.*The request that brought the event/);
  await expect(way.nth(0)).toContainText(/Attempt 1.*\+\d.*after it was received/);
  await expectCleanInEveryView(page);
  await page.getByRole('link', { name: 'server' }).click();
  await expect(page.getByRole('heading', { name: 'Where it sends from' })).toBeVisible();
  await expect(page.getByText('from 127.0.0.1', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: '127.0.0.1' })).toContainText('3 events');
  await expectCleanInEveryView(page);
  await page.getByRole('link', { name: 'View events' }).click();
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('cell', { name: '127.0.0.1' })).toHaveCount(3);
});

test('events are found by the address that sent them, and the page of a key leads to them', async ({
  page,
  workspace,
}) => {
  const { key, projectId } = workspace;
  for (const n of [1, 2]) await callApi('POST', '/events', { key, body: { type: 'order.paid', data: { n } } });
  await runSql(
    `UPDATE events SET client_address = '198.51.100.7' WHERE id = (SELECT min(id::text)::uuid FROM events WHERE project_id = $1)`,
    [projectId],
  );
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/events`);
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('searchbox', { name: 'Search events' }).fill('198.51.100.7');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('cell', { name: '198.51.100.7' })).toBeVisible();
  await page.getByRole('link', { name: 'order.paid' }).click();
  await page.getByRole('link', { name: 'server' }).click();
  await page.getByRole('listitem').filter({ hasText: '198.51.100.7' }).getByRole('link', { name: '1 event' }).click();
  await expect(page).toHaveURL(/apiKeyId=.*&clientAddress=198\.51\.100\.7/);
  await expect(page.getByRole('row')).toHaveCount(2);
  const filter = page.getByRole('searchbox', { name: 'Sent from' });
  await expect(filter).toHaveValue('198.51.100.7');
  await filter.fill('198.51');
  await expect(page.getByText('Enter a complete address, such as 203.0.113.7.')).toBeVisible();
  await expectCleanInEveryView(page);
});

test('an incoming event is found by text in its body', async ({ page, workspace }) => {
  const { key, projectId } = workspace;
  const { url } = await callApi<{ url: string }>('POST', `/projects/${projectId}/sources`, {
    key,
    body: { name: 'shop' },
  });
  for (const order of [41, 42]) await fetch(url, { method: 'POST', body: JSON.stringify({ order }) });
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/incoming-events`);
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('searchbox', { name: 'Search incoming events' }).fill('"order":42');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await expect(page.getByText('42', { exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('from 127.0.0.1');
});
