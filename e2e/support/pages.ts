import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { callApi, type Workspace } from './api';
import { makeDestination, makeSource, secretOf, sendAsGitHub } from './sources';
import { logRequest, makeTunnel } from './tunnels';

const LONG_PATH = 'a-long-path/'.repeat(6);

/**
 * Fills a workspace and returns the paths of every page of its owner but /operator. Each list has rows, in several states and with long
 * names.
 */
export async function makePages(workspace: Workspace): Promise<string[]> {
  const { key, token, projectId } = workspace;
  const base = `/projects/${projectId}`;
  const body = { type: 'order.paid', data: { orderId: 'ord_1' } };
  const event = await callApi<{ id: string }>('POST', '/events', { key, body });
  const deliveries = () => callApi<{ data: { id: string }[] }>('GET', `${base}/deliveries`, { key });
  await expect.poll(async () => (await deliveries()).data.length).toBe(1);
  const delivery = (await deliveries()).data[0]?.id;

  const customerId = await makeCustomer(workspace);
  const source = await makeSource(workspace, 'GITHUB');
  const destination = { url: `http://127.0.0.1:9/${LONG_PATH}`, signing: true, enabled: false };
  await makeDestination(workspace, source, destination);
  const unused = await makeSource(workspace, 'STRIPE');
  const text = JSON.stringify({ text: 'x'.repeat(300) });
  await sendAsGitHub(source.url, 'a wrong secret', text);
  const incoming = await sendAsGitHub(source.url, await secretOf(workspace, source), text);

  const tunnel = await makeTunnel(workspace, { name: 'Laptop' });
  const binary = Buffer.from(Array.from({ length: 300 }, (_, n) => (n * 7) % 256));
  await logRequest(projectId, tunnel.id, { status: null, error: 'tunnel_offline', method: 'DELETE' });
  const request = await logRequest(projectId, tunnel.id, { path: `/${LONG_PATH}`, status: 302, responseBody: binary });

  const alertId = await makeAlert(workspace);
  const rotatedKey = await makeKeysOfEveryState(workspace);
  const me = await callApi<{ organizations: { id: string }[] }>('GET', '/auth/me', { token });
  const organizationId = me.organizations[0]?.id;
  const invitation = { email: `an-invited-person-${projectId}@department.company.example`, role: 'DEVELOPER' };
  await callApi('POST', `/orgs/${organizationId}/invitations`, { token, body: invitation });

  const ofProject = [
    'overview',
    'events',
    `events/${event.id}`,
    'deliveries',
    `deliveries/${delivery}`,
    'endpoints',
    `endpoints/${workspace.endpointId}`,
    'event-types',
    `event-types/${await makeEventType(workspace)}`,
    'customers',
    `customers/${customerId}`,
    'subscriptions',
    'keys',
    `keys/${rotatedKey}`,
    'sources',
    `sources/${source.id}`,
    `sources/${unused.id}`,
    'incoming-events',
    `incoming-events/${incoming.id}`,
    'tunnels',
    `tunnels/${tunnel.id}`,
    `tunnels/${tunnel.id}/requests/${request}`,
    'alerts',
    `alerts/${alertId}`,
    'jobs',
    'settings',
    'settings/portal',
  ];
  const ofOrganization = ['members', 'settings', 'audit'];
  return [
    `/?project=${projectId}`,
    ...ofProject.map((path) => `${base}/${path}`),
    ...ofOrganization.map((path) => `/orgs/${organizationId}/${path}`),
    '/retention',
    '/account',
    '/account/sessions',
    '/device',
  ];
}

/** Defines an event type of every kind of field, which an endpoint is subscribed to. @returns its name */
async function makeEventType({ token, projectId, endpointId }: Workspace): Promise<string> {
  const make = (path: string, body: object) => callApi('POST', `/projects/${projectId}/${path}`, { token, body });
  const name = '0197b6a0-aaaa-7000-8000-000000000000';
  const line = { type: 'object', properties: { sku: { type: 'string', maxLength: 40 } }, required: ['sku'] };
  await make('event-types', {
    name,
    description: 'A description of many words, as many as people give it.\n'.repeat(3),
    group: 'A group with a name of many words',
    status: 'DEPRECATED',
    schema: {
      properties: {
        a_member_with_a_long_name_of_many_words: { enum: ['one', 'two'], description: 'A meaning. '.repeat(20) },
        lines: { type: 'array', items: line },
      },
      required: ['lines'],
    },
    example: { lines: [{ sku: LONG_PATH.slice(0, 40) }] },
  });
  await make('event-types', { name: `a.type.${'of-many-words.'.repeat(8)}` });
  await make('subscriptions', { endpointId, eventType: name });
  return name;
}

/** Creates a customer with an endpoint and an event that is delivered there. @returns its id */
async function makeCustomer({ key, token, projectId }: Workspace): Promise<string> {
  const base = `/projects/${projectId}`;
  const make = <T>(path: string, body: object) => callApi<T>('POST', `${base}/${path}`, { token, body });
  const uid = `a-customer-with-a-long-id.${'of-many-words.'.repeat(6)}`;
  const metadata = { plan: 'enterprise', note: 'a text of many words, as many as people keep'.repeat(3) };
  const { id } = await make<{ id: string }>('customers', { uid, name: 'Acme International Incorporated', metadata });
  await make('endpoints', { url: `http://127.0.0.1:9/${LONG_PATH}`, customer: uid, eventTypes: ['order.*'] });
  await callApi('POST', '/events', { key, body: { type: 'order.paid', data: {}, customer: uid } });
  return id;
}

/** Creates an alert that has sent a test, which fails. @returns its id */
async function makeAlert({ token, projectId }: Workspace): Promise<string> {
  const path = `/projects/${projectId}/alerts`;
  const body = {
    name: 'An alert with a name of many words, as many as people give',
    kind: 'WEBHOOK',
    target: `http://127.0.0.1:9/${LONG_PATH}`,
    triggers: ['ENDPOINT_FAILING', 'ENDPOINT_RECOVERED', 'BACKLOG', 'KEY_EXPIRING'],
  };
  const { id } = await callApi<{ id: string }>('POST', path, { token, body });
  await callApi('POST', `${path}/${id}/test`, { token });
  return id;
}

/** Creates an expiring key, a rotated key whose old one still works, and a revoked key. */
async function makeKeysOfEveryState({ token, projectId }: Workspace): Promise<string> {
  const path = `/projects/${projectId}/api-keys`;
  const make = (to: string, body: object) => callApi<{ id: string }>('POST', to, { token, body });
  await make(path, { name: 'expiring', expiresAt: new Date(Date.now() + 3 * 86_400_000).toISOString() });
  const rotated = await make(path, { name: 'a key with a name of many words, as many as people give' });
  await make(`${path}/${rotated.id}/rotate`, { gracePeriodHours: 24 });
  const revoked = await make(path, { name: 'revoked' });
  await callApi('DELETE', `${path}/${revoked.id}`, { token });
  return rotated.id;
}

/** Opens a page and waits until it shows its data. */
export async function openLoaded(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
}
