import type { Locator, Page } from '@playwright/test';
import { expectCleanInEveryView, VIEWS } from './support/accessible';
import { BASE_URL, callApi, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { runSql } from './support/run-sql';
import { makePerson, signInAs } from './support/team';

const MANY = 119;
/** The endpoints that are looked for, among the first that are created: far below the first page of the list. */
const PLACES = { slow: 3, failing: 5, silent: 7 } as const;
const urlOf = (n: number) => `https://customer-${n}.example.com/hooks/events/of/this/customer/in/the/shop`;

/** Adds 119 endpoints to the workspace, and statistics and deliveries of all. Returns their ids in the order of their creation. */
async function makeMany({ projectId, token }: Workspace): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < MANY; n += 1) {
    const body = { url: urlOf(n), description: `Customer ${n}`, eventTypes: n === 9 ? [] : ['order.*'] };
    ids.push((await callApi<{ id: string }>('POST', `/projects/${projectId}/endpoints`, { token, body })).id);
  }
  const { slow, failing, silent } = PLACES;
  await runSql(
    `INSERT INTO stats (project_id, period, subject_id, starts_at, succeeded, server_errors, durations)
     SELECT project_id, 'HOUR', id, date_trunc('hour', now()), 20, CASE WHEN id = $3 THEN 60 ELSE 0 END,
            array_fill(0, ARRAY[CASE WHEN id = $2 THEN 45 ELSE 20 END]) || ARRAY[20]
     FROM endpoints WHERE project_id = $1`,
    [projectId, ids[slow], ids[failing]],
  );
  await runSql(
    `WITH event AS (INSERT INTO events (id, project_id, type, payload) VALUES (uuidv7(), $1, 'order.paid', '{}') RETURNING id)
     INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, completed_at, created_at)
     SELECT uuidv7(), $1, event.id, e.id, 'SUCCEEDED', 1, now(),
            now() - CASE WHEN e.id = $2 THEN interval '3 days' ELSE interval '1 minute' END
     FROM event, endpoints e WHERE e.project_id = $1`,
    [projectId, ids[silent]],
  );
  await runSql('UPDATE endpoints SET failing_since = now() WHERE id = $1', [ids[failing]]);
  return ids;
}

/** Counts clicks. */
function clicker() {
  let clicks = 0;
  return {
    click: async (target: Locator) => {
      clicks += 1;
      await target.click();
    },
    count: () => clicks,
  };
}

const firstRow = (page: Page) => page.getByRole('row').nth(1);

test('among 120 endpoints, the slowest, the failing and the silent one are found in six clicks each', async ({
  page,
  workspace,
}) => {
  test.slow();
  const ids = await makeMany(workspace);
  const home = `/projects/${workspace.projectId}/overview`;
  const pageOf = (n: number) => new RegExp(`/endpoints/${ids[n]}`);
  await signInAs(page, workspace);

  for (const [order, n] of [
    ['Slowest first', PLACES.slow],
    ['Lowest success rate first', PLACES.failing],
    ['Longest silent first', PLACES.silent],
  ] as const) {
    await page.goto(home);
    const { click, count } = clicker();
    await click(page.getByRole('link', { name: 'Endpoints', exact: true }).first());
    await click(page.getByRole('combobox', { name: 'Order' }));
    await click(page.getByRole('option', { name: order }));
    await expect(firstRow(page)).toContainText(`customer-${n}.`);
    await click(firstRow(page).getByRole('link').first());
    await expect(page).toHaveURL(pageOf(n));
    expect(count()).toBeLessThanOrEqual(6);
    await page.goBack();
    await expect(page).toHaveURL(/sort=/);
    await expect(firstRow(page)).toContainText(`customer-${n}.`);
  }

  // The overview begins with both.
  for (const [name, n] of [
    [`“Customer ${PLACES.failing}” is failing`, PLACES.failing],
    [`“Customer ${PLACES.silent}” has received nothing for a day`, PLACES.silent],
  ] as const) {
    await page.goto(home);
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name }).click();
    await expect(page).toHaveURL(pageOf(n));
  }
});

test('endpoints are searched on the server, show their entire host, and say when they receive nothing', async ({
  page,
  workspace,
}) => {
  test.slow();
  const ids = await makeMany(workspace);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/endpoints`);
  await expect(page.getByRole('row')).toHaveCount(51);
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Search endpoints' });
  await expect(search).toBeFocused();
  await search.fill('CUSTOMER-9.');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/q=CUSTOMER-9\./);
  const [, phone] = VIEWS;
  for (const size of [{ width: 1280, height: 800 }, phone]) {
    await page.setViewportSize(size);
    const host = firstRow(page).getByText('https://customer-9.example.com', { exact: true });
    expect(await host.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  }
  await expectCleanInEveryView(page);
  await page.getByRole('link', { name: 'Choose events' }).click();
  await expect(page).toHaveURL(new RegExp(`/endpoints/${ids[9]}#subscriptions`));
  await expect(page.getByRole('heading', { name: 'Subscriptions' })).toBeInViewport();
  await page.goto(`/projects/${workspace.projectId}/endpoints?q=nowhere`);
  await expect(page.getByRole('heading', { name: 'No matching endpoints' })).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(page.getByRole('row')).toHaveCount(51);
});

test('deliveries are filtered by a target that the keyboard finds among 120', async ({ page, workspace }) => {
  test.slow();
  const ids = await makeMany(workspace);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/deliveries`);
  const target = page.getByRole('combobox', { name: 'Target' });
  await target.fill('customer-2.');
  await expect(page.getByRole('option')).toHaveCount(1);
  await expect(page.getByRole('option')).toContainText('Customer 2');
  await target.press('ArrowDown');
  await target.press('Enter');
  await expect(page).toHaveURL(new RegExp(`endpointId=${ids[2]}`));
  await expect(target).toHaveValue(urlOf(2));
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.reload();
  await expect(target).toHaveValue(urlOf(2));
  await target.fill('nowhere');
  await expect(page.getByText('No endpoint or destination has this text.')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`endpointId=${ids[2]}`));
  await target.fill('');
  await expect(page).not.toHaveURL(/endpointId=/);
});

test('a new endpoint is subscribed to the events that are chosen with it', async ({ page, workspace }) => {
  const { projectId, key, token } = workspace;
  await callApi('POST', '/events', { key, body: { type: 'order.paid', data: {} } });
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/endpoints`);
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'New endpoint' });
  await dialog.getByLabel('URL').fill('https://new.example.com/hooks');
  await dialog.getByRole('checkbox', { name: 'order.paid' }).check();
  const other = dialog.getByLabel('Another type or pattern');
  await other.fill('not a type');
  await other.press('Enter');
  await expect(dialog.getByText('2 subscriptions are created with it.')).toBeVisible();
  await expectCleanInEveryView(page);
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(dialog.getByText('Must be an event type, a prefix such as order.*, or *.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'not a type' }).uncheck();
  await other.fill('user.*');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page).toHaveURL(/\/endpoints\/[0-9a-f-]{36}$/);
  const endpointId = page.url().split('/').at(-1);
  const path = `/projects/${projectId}/subscriptions?endpointId=${endpointId}`;
  const { data } = await callApi<{ data: { eventType: string }[] }>('GET', path, { token });
  expect(data.map(({ eventType }) => eventType).sort()).toEqual(['order.paid', 'user.*']);
});

test('a stranger finds no endpoints of another project, and its owner does', async ({ page, workspace }) => {
  const { projectId, token } = workspace;
  const stranger = await makePerson('Mallory');
  for (const path of ['endpoints?sort=-p95', 'endpoints?q=hooks', 'targets']) {
    const statusFor = async (bearer: string) => {
      const headers = { Authorization: `Bearer ${bearer}` };
      return (await page.request.get(`${BASE_URL}/api/v1/projects/${projectId}/${path}`, { headers })).status();
    };
    expect([path, await statusFor(stranger.token), await statusFor(token)]).toEqual([path, 404, 200]);
  }
});
