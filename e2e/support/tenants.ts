import { expect } from '@playwright/test';
import type { AttackRequest, AttackResponse } from './attacker';
import { requestRaw } from './request-raw';
import type { Target, Victim } from './target';

export const EVENT = { type: 'order.created', data: { total: 1 } };

/** A person with a project that has one resource of each kind. */
export interface Tenant extends Victim {
  projectId: string;
  endpointId: string;
  subscriptionId: string;
  apiKeyId: string;
  eventId: string;
  deliveryId: string;
  key: string;
}

export const withKey = (key: string): AttackRequest => ({ headers: { 'x-api-key': key } });
export const statusAndCode = ({ status, json }: AttackResponse) => `${status} ${json?.code ?? ''}`.trim();

/** Sends a path unchanged, with the credentials and the body of an attack. */
function sendRawPath(baseUrl: string, method: string, path: string, { token, headers, body }: AttackRequest) {
  const sent: Record<string, string | string[]> = { ...headers };
  if (token !== undefined) sent.authorization = `Bearer ${token}`;
  if (body === undefined) return requestRaw(baseUrl, method, path, { headers: sent });
  sent['content-type'] = 'application/json';
  return requestRaw(baseUrl, method, path, { headers: sent, body: JSON.stringify(body) });
}

/** Returns the helpers for attacks between tenants. */
export function createTenantTools(target: Target) {
  async function make(path: string, options: AttackRequest): Promise<AttackResponse['json']> {
    const response = await target.send('POST', path, options);
    expect(response.status, `${path}: ${response.text}`).toBeLessThan(300);
    return response.json;
  }

  async function makeTenant(): Promise<Tenant> {
    const person = await target.makeVictim();
    const { token } = person;
    const { id: projectId } = await make(`/orgs/${person.organizationId}/projects`, { token, body: { name: 'Vault' } });
    const project = `/projects/${projectId}`;
    const { id: apiKeyId, key } = await make(`${project}/api-keys`, { token, body: { name: 'Vault key' } });
    const url = 'http://127.0.0.1:9/vault';
    const { id: endpointId } = await make(`${project}/endpoints`, { token, body: { url, description: 'Vault' } });
    const subscription = { endpointId, eventType: '*' };
    const { id: subscriptionId } = await make(`${project}/subscriptions`, { token, body: subscription });
    const { id: eventId } = await make('/events', { headers: { 'x-api-key': key }, body: EVENT });
    const deliveries = () => target.send('GET', `${project}/deliveries`, { token });
    await expect.poll(async () => (await deliveries()).json.data.length).toBe(1);
    const deliveryId = (await deliveries()).json.data[0].id;
    return { ...person, projectId, endpointId, subscriptionId, apiKeyId, eventId, deliveryId, key };
  }

  /** Returns everything of a tenant that an attacker could change. Leaves out fields that deliveries change. */
  async function stateOf({ projectId, organizationId }: Tenant): Promise<unknown> {
    const { rows } = await target.database.query(
      `SELECT
       (SELECT json_agg(o) FROM organizations o WHERE id = $2) AS organization,
       (SELECT json_agg(p) FROM projects p WHERE organization_id = $2) AS projects,
       (SELECT json_agg(m ORDER BY user_id) FROM memberships m WHERE organization_id = $2) AS members,
       (SELECT json_agg(i) FROM invitations i WHERE organization_id = $2) AS invitations,
       (SELECT json_agg(to_jsonb(k) - 'last_used_at' ORDER BY id) FROM api_keys k WHERE project_id = $1) AS keys,
       (SELECT json_agg(to_jsonb(e) - 'failing_since' - 'updated_at' ORDER BY id) FROM endpoints e WHERE project_id = $1) AS endpoints,
       (SELECT json_agg(s ORDER BY id) FROM subscriptions s WHERE project_id = $1) AS subscriptions,
       (SELECT json_agg(v.id ORDER BY id) FROM events v WHERE project_id = $1) AS events,
       (SELECT json_agg(d.id ORDER BY id) FROM deliveries d WHERE project_id = $1) AS deliveries,
       (SELECT count(*) FROM audit_log WHERE organization_id = $2) AS audit`,
      [projectId, organizationId],
    );
    return rows[0];
  }

  return {
    makeTenant,
    stateOf,
    sendRawPath: (method: string, path: string, options: AttackRequest) =>
      sendRawPath(target.product.url, method, path, options),
  };
}
