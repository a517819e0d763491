import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectClean, expectCleanInEveryView, VIEWS } from './support/accessible';
import { callApi, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

const TYPES = ['order.paid', 'order.item.added', 'invoice.sent'] as const;

/** Sends an event of each type. Returns their ids, in the order of the types. */
async function sendEvents({ key }: Workspace): Promise<string[]> {
  const ids: string[] = [];
  for (const type of TYPES) {
    ids.push((await callApi<{ id: string }>('POST', '/events', { key, body: { type, data: {} } })).id);
  }
  return ids;
}

const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link') });

test('a prefix that is typed filters events without an error or an empty list on the way', async ({
  page,
  workspace,
}) => {
  await sendEvents(workspace);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/events`);
  await expect(rowsOf(page)).toHaveCount(3);
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = () => seen.push(...(document.body.innerText.match(/No matching events|couldn’t load/g) ?? []));
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  const type = page.getByRole('combobox', { name: 'Event type' });
  await type.pressSequentially('order.*', { delay: 120 });
  await expect(rowsOf(page)).toHaveCount(2);
  await expect(page).toHaveURL(/type=order\.\*/);
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);

  await page.reload();
  await expect(rowsOf(page)).toHaveCount(2);
  await type.fill('order paid');
  await expect(page.getByText('Use letters, digits, dots')).toBeVisible();
  await expect(type).toHaveAttribute('aria-invalid', 'true');
  await expect(rowsOf(page)).toHaveCount(2);
  await page.goto(`/projects/${workspace.projectId}/events?type=a%20b`);
  await expect(rowsOf(page)).toHaveCount(3);
  await expect(page.getByText('Use letters, digits, dots')).toBeVisible();
});

test('an event is found by JSON of a log, and its row shows where', async ({ page, workspace }) => {
  await callApi('POST', '/events', {
    key: workspace.key,
    body: { type: 'order.paid', data: { note: 'the first', orderId: '42', amount: 4200 } },
  });
  await sendEvents(workspace);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/events`);
  await expect(rowsOf(page)).toHaveCount(4);
  await page.getByRole('searchbox', { name: 'Search events' }).fill('"orderId": "42"');
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowsOf(page)).toContainText('{"note":"the first","orderId":"42","amount":4200}');
  await expect(page.locator('mark')).toHaveText('"orderId":"42"');
  await expect(page.getByRole('button', { name: 'Download' })).toHaveAttribute('aria-disabled', 'true');
  await expectCleanInEveryView(page);
  await page.getByRole('searchbox', { name: 'Search events' }).fill('orderId 43');
  await expect(page.getByText('Every word must be in the data')).toBeVisible();
});

test('types that were seen are suggested and chosen with the keyboard alone', async ({ page, workspace }) => {
  await sendEvents(workspace);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/events`);
  await expect(rowsOf(page)).toHaveCount(3);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search events' })).toBeFocused();
  await page.keyboard.press('Tab');
  const type = page.getByRole('combobox', { name: 'Event type' });
  await expect(type).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: 'order.*' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await type.pressSequentially('order.p');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: 'order.paid' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(type).toHaveValue('order.paid');
  await expect(rowsOf(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rowsOf(page)).toHaveCount(3);
  await expect(type).toHaveValue('');
});

test('deliveries are filtered by state, response, time and ID in a link, and downloaded', async ({
  page,
  workspace,
}) => {
  const [eventId = ''] = await sendEvents(workspace);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/deliveries`);
  await expect(page.getByRole('row').getByText('Succeeded')).toHaveCount(3);

  await page.getByRole('combobox', { name: 'State' }).click();
  for (const state of ['Queued', 'Retrying', 'Failed']) {
    await expect(page.getByRole('option', { name: state, exact: true })).toBeVisible();
  }
  await page.getByRole('option', { name: 'Succeeded' }).click();
  await page.getByRole('combobox', { name: 'Response' }).fill('2xx');
  await page.getByLabel('Delivery or event ID').fill(eventId);
  await expect(rowsOf(page)).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Time of the event' }).click();
  await page.getByRole('option', { name: 'Custom…' }).click();
  await expect(page.getByLabel('From')).toHaveValue(/T/);
  await page.reload();
  await expect(rowsOf(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Download' }).click();
  await expect(page.getByText('the newest, up to 100,000')).toBeVisible();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('deliveries.csv');
  const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(eventId);

  await page.route('**/deliveries?*format=ndjson*', (route) =>
    route.fulfill({ headers: { 'X-Download-Truncated': 'true' }, contentType: 'application/x-ndjson', body: '{}\n' }),
  );
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('menuitem', { name: 'JSON lines' }).click();
  await expect(page.getByText('Older rows may be missing')).toBeVisible();

  // What is being typed is not read yet: 0002 is a year, too.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByLabel('From').fill('0002-01-01T00:00');
  await page.getByLabel('To', { exact: true }).fill('2001-01-02T00:00');
  await expect(page.getByLabel('From')).not.toHaveValue(/^0002/);
  await page.getByLabel('From').fill('2001-01-01T00:00');
  await page.getByLabel('From').press('Enter');
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible();
  expect(asked.filter((url) => /from=(0|-)/.test(url))).toEqual([]);
  expect(asked.some((url) => /from=2001.*to=2001/.test(url))).toBe(true);
  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
  await expect(rowsOf(page)).toHaveCount(3);
});

test('on a phone a button opens the other filters, counts those that are set, and moves no row of actions', async ({
  page,
  workspace,
}) => {
  const [, phone] = VIEWS;
  await page.setViewportSize(phone);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/deliveries?status=FAILED`);
  const button = page.getByRole('button', { name: 'Filters 1 active' });
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('combobox', { name: 'Event type' })).toBeVisible();
  const state = page.getByRole('combobox', { name: 'State' });
  await expect(state).toBeHidden();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Tab');
  await expect(state).toBeFocused();
  await expectClean(page);
  const download = page.getByRole('button', { name: 'Download' });
  const before = await download.boundingBox();
  await page.getByRole('button', { name: 'Live. Pause updates' }).click();
  await expect(page.getByRole('button', { name: 'Paused. Resume updates' })).toBeVisible();
  expect(await download.boundingBox()).toEqual(before);
  expect((await page.getByRole('button', { name: 'Retry matching' }).boundingBox())?.y).toBe(before?.y);
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeVisible();
});
