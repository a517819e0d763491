import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { fillProject } from '@/tests/fixtures/full-project';
import { invite } from '@/tests/fixtures/members';
import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import { asPerson, freshEmail, makeProject, registerMember, signInAgain } from '@/tests/fixtures/people';
import { makeKey } from '@/tests/fixtures/projects';
import { type CallOptions, call, expectInvalid } from '@/tests/http/api-request';
import { makePortal, type TenantPortal } from '@/tests/tenancy/portals';
import { ALL_ROUTES, byName, type TenancyRoute } from '@/tests/tenancy/routes';
import { fillPath, makeTeam, makeTenant, type Tenant } from '@/tests/tenancy/tenants';

// Each list adds a few keys.
useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN, PROJECT_MAX_API_KEYS: '1000' });

const LISTS = ALL_ROUTES.filter(({ definition }) => {
  const { schema } = definition.response;
  return schema instanceof z.ZodObject && 'nextCursor' in schema.shape;
});

let tenant: Tenant;
let portal: TenantPortal;

/** Adds a row to each list of the tenant. */
async function addRows(): Promise<void> {
  const { team, ids } = tenant;
  const { projectId = '', orgId = '', sourceId, tunnelId, deliveryId, alertId } = ids;
  await fillProject(projectId, { events: 1, attempts: 1 });
  await run(
    `INSERT INTO destinations (id, project_id, source_id, url) VALUES ($3, $1, $2, 'https://more.example')`,
    projectId,
    sourceId,
    newId(),
  );
  await run(
    `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, request_size)
     VALUES ($3, $1, $2, 'GET', '/', 1)`,
    projectId,
    tunnelId,
    newId(),
  );
  await addAttempt(projectId, deliveryId);
  await run(
    `INSERT INTO alert_messages (id, project_id, alert_id, kind, trigger, text, data, status)
     VALUES ($3, $1, $2, 'BEGAN', 'BACKLOG', 'Deliveries wait.', '{}', 'SENT')`,
    projectId,
    alertId,
    newId(),
  );
  await addPortalRows(projectId);
  await makeKey(projectId, team.OWNER, { name: 'one more' });
  await makeProject({ ...team.OWNER, organizationId: orgId });
  await invite(team.OWNER, orgId, freshEmail());
  await registerMember(orgId, 'VIEWER');
  await signInAgain(team.OWNER);
  await call('POST', '/api/v1/orgs', asPerson(team.OWNER, { name: 'One more' }));
}

/** Adds a row to each list of the portal. */
async function addPortalRows(projectId: string): Promise<void> {
  const { customerId, ids } = portal;
  await run(
    `INSERT INTO endpoints (id, project_id, customer_id, url) VALUES ($3, $1, $2, 'https://more.example')`,
    projectId,
    customerId,
    newId(),
  );
  await run(
    'INSERT INTO subscriptions (id, project_id, customer_id, endpoint_id, event_type) VALUES ($4, $1, $2, $3, $5)',
    projectId,
    customerId,
    ids.endpointId,
    newId(),
    `a.${newId()}`,
  );
  await run(
    `WITH event AS (
       INSERT INTO events (id, project_id, customer_id, type, payload) VALUES ($4, $1, $2, 'order.created', '{}') RETURNING id)
     INSERT INTO deliveries (id, project_id, customer_id, event_id, endpoint_id, status)
     SELECT id, $1, $2, id, $3, 'FAILED' FROM event`,
    projectId,
    customerId,
    ids.endpointId,
    newId(),
  );
  await addAttempt(projectId, ids.deliveryId);
}

async function addAttempt(projectId: string, deliveryId: string | undefined): Promise<void> {
  const [last] = await select(
    'SELECT max(attempt_number) AS number FROM delivery_attempts WHERE delivery_id = $1',
    deliveryId,
  );
  await run(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded)
     VALUES ($3, $1, $2, $4, now(), 5, false)`,
    projectId,
    deliveryId,
    newId(),
    last.number + 1,
  );
}

beforeAll(async () => {
  tenant = await makeTenant(await makeTeam(), 'Minnow');
  portal = await makePortal(tenant);
  for (let added = 0; added < 3; added++) await addRows();
});

function credentialsOf({ definition }: TenancyRoute): CallOptions {
  const { kind } = definition.caller;
  if (kind === 'operator') return { headers: { 'x-platform-admin-token': ADMIN_TOKEN } };
  return kind === 'portal' ? { bearer: portal.tokens.READ } : asPerson(tenant.team.OWNER);
}

const read = (route: TenancyRoute, query: string) => {
  const ids = route.definition.caller.kind === 'portal' ? portal.ids : tenant.ids;
  const path = `${fillPath(route.path, ids)}?${query}`;
  return call<Listing<{ id: string; userId?: string; endpointId?: string; name?: string }>>(
    route.verb,
    path,
    credentialsOf(route),
  );
};

/** Reads all pages, and the ids of their rows. Runs `after` after the first page. */
async function readAll(route: TenancyRoute, limit: number, after = async () => {}): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json, text } = await read(route, `limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect(json.data?.length, text).toBeLessThanOrEqual(limit);
    if (cursor === '') await after();
    seen.push(...json.data.map(({ id, userId, endpointId, name }) => id ?? userId ?? endpointId ?? name));
    cursor = json.nextCursor;
  }
  return seen;
}

it.each(byName(LISTS))('%s has pages that miss and repeat no row while rows are added', async (_, route) => {
  const expected = await readAll(route, 100);
  expect(expected.length).toBeGreaterThan(2);
  const seen = await readAll(route, 2, addRows);
  // Reading the audit log as the operator adds an entry to it.
  expect(seen.filter((id) => expected.includes(id))).toEqual(expected);
  expect(new Set(seen).size).toBe(seen.length);
});

it.each(byName(LISTS))('%s refuses limits that it does not have, and what is no cursor', async (_, route) => {
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense']) {
    expectInvalid(await read(route, query), query.split('=')[0]);
  }
});
