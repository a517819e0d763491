import { expect } from 'vitest';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { makeLink, openPortal } from '@/tests/fixtures/portal';
import { call } from '@/tests/http/api-request';
import type { Tenant } from './tenants';

/** The portal of a customer that has a row of each kind that a portal shows. */
export interface TenantPortal {
  customerId: string;
  /** Ids by path parameter. */
  ids: Record<'endpointId' | 'subscriptionId' | 'deliveryId' | 'attemptId' | 'eventId', string>;
  /** Tokens of sessions by what they permit. */
  tokens: Record<'READ' | 'MANAGE', string>;
  /** A link that was not opened yet. */
  link: string;
}

/** The value of a header that the company of a tenant sends to endpoints of its customers. */
export const COMPANY_VALUE = 'a value of the company';

/** Makes a customer of a tenant with an endpoint, a subscription and a delivery, and opens its portal. */
export async function makePortal({ ids, team, canary }: Tenant): Promise<TenantPortal> {
  const projectId = ids.projectId ?? '';
  const owner = { bearer: team.OWNER.accessToken };
  const post = async <T>(path: string, body: object) => {
    const made = await call<T>('POST', `/api/v1/projects/${projectId}${path}`, { ...owner, body });
    expect(made.status, made.text).toBe(201);
    return made.json;
  };
  const { id: customerId } = await post<{ id: string }>('/customers', { uid: `c-${newId()}`, name: canary });
  const { id: endpointId } = await post<Endpoint>('/endpoints', {
    url: `http://127.0.0.1:9/${canary}`,
    customer: customerId,
    headers: { 'X-Company': COMPANY_VALUE },
    eventTypes: ['order.created'],
  });
  const path = `/api/v1/projects/${projectId}/subscriptions?endpointId=${endpointId}`;
  const subscriptionId = (await call<Listing<Subscription>>('GET', path, owner)).json.data[0]?.id ?? '';
  const [eventId, deliveryId, attemptId] = [newId(), newId(), newId()];
  await database().query(
    `WITH event AS (
       INSERT INTO events (id, project_id, customer_id, type, payload) VALUES ($1, $4, $5, 'order.created', '{}')),
     delivery AS (
       INSERT INTO deliveries (id, project_id, customer_id, event_id, endpoint_id, status, attempt_count)
       VALUES ($2, $4, $5, $1, $6, 'FAILED', 1))
     INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, request_parts)
     VALUES ($3, $4, $2, 1, now(), 5, false, E'user-agent: a\nx-company: [redacted]\nwebhook-signature: v1,c2lnbmF0dXJlLW9mLWEtdGVzdA==')`,
    [eventId, deliveryId, attemptId, projectId, customerId, endpointId],
  );
  const open = (permissions: 'READ' | 'MANAGE') => openPortal(projectId, customerId, owner, { permissions });
  return {
    customerId,
    ids: { endpointId, subscriptionId, deliveryId, attemptId, eventId },
    tokens: { READ: await open('READ'), MANAGE: await open('MANAGE') },
    link: await makeLink(projectId, customerId, owner),
  };
}
