import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { callApi, type Workspace } from './api';

/** Sends an event and returns the paths of every page of a workspace, each with rows where it lists any. */
export async function makePages(baseUrl: string, workspace: Workspace): Promise<string[]> {
  const { key, token, projectId } = workspace;
  const base = `/projects/${projectId}`;
  const body = { type: 'order.paid', data: { orderId: 'ord_1' } };
  const event = await callApi<{ id: string }>(baseUrl, 'POST', '/events', { key, body });
  const deliveries = () => callApi<{ data: { id: string }[] }>(baseUrl, 'GET', `${base}/deliveries`, { key });
  await expect.poll(async () => (await deliveries()).data.length).toBe(1);
  const delivery = (await deliveries()).data[0]?.id;
  const make = (path: string, named: object) =>
    callApi<{ id: string }>(baseUrl, 'POST', `${base}/${path}`, { token, body: named });
  const source = await make('sources', { name: 'Payments', provider: 'NONE' });
  const tunnel = await make('tunnels', { name: 'Laptop' });
  const me = await callApi<{ organizations: { id: string }[] }>(baseUrl, 'GET', '/auth/me', { token });
  const organization = `/orgs/${me.organizations[0]?.id}`;
  return [
    ...['events', `events/${event.id}`, 'deliveries', `deliveries/${delivery}`, 'endpoints'],
    ...[`endpoints/${workspace.endpointId}`, 'subscriptions', 'keys', 'sources', `sources/${source.id}`],
    ...['incoming-events', 'tunnels', `tunnels/${tunnel.id}`, 'settings'],
  ]
    .map((path) => `${base}/${path}`)
    .concat(['members', 'settings', 'audit'].map((path) => `${organization}/${path}`))
    .concat(['/retention', '/account', '/account/sessions']);
}

/** Opens a page and waits until it shows its data. */
export async function openLoaded(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
}
