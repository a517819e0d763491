import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { ROLES, type Role } from '@/lib/audit/types';
import type { Organization } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import { fillProject } from '@/tests/fixtures/full-project';
import { invite, setRole } from '@/tests/fixtures/members';
import { freshEmail, makeProject, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { makeKey } from '@/tests/fixtures/projects';
import { type CallOptions, call } from '@/tests/http/api-request';

/** A person for each role, and a member whom the others manage. */
export type Team = Record<Role | 'MANAGED', TestPerson>;

/** An organization with rows of every kind. */
export interface Tenant {
  /** Part of all its names; it must not appear in responses to another tenant. */
  canary: string;
  team: Team;
  /** Ids by path parameter: orgId, projectId, endpointId, … */
  ids: Record<string, string>;
  keys: Record<'READ_ONLY' | 'READ_WRITE', string>;
}

/** Registers a person for each role. */
export async function makeTeam(): Promise<Team> {
  const team = {} as Team;
  for (const role of [...ROLES, 'MANAGED'] as const) team[role] = await registerPerson();
  return team;
}

/** Creates an organization with the team, a project with rows of every kind, and a key of each scope. */
export async function makeTenant(team: Team, canary: string): Promise<Tenant> {
  const bearer = team.OWNER.accessToken;
  const made = await call<Organization>('POST', '/api/v1/orgs', { bearer, body: { name: `${canary} Ltd` } });
  expect(made.status, made.text).toBe(201);
  const organizationId = made.json.id;
  for (const role of ['VIEWER', 'DEVELOPER', 'ADMIN'] as const) await setRole(organizationId, team[role], role);
  await setRole(organizationId, team.MANAGED, 'VIEWER');
  const { id: projectId } = await makeProject({ ...team.OWNER, organizationId }, `${canary} shop`);
  const key = async (scope: 'READ_ONLY' | 'READ_WRITE') =>
    (await makeKey(projectId, team.OWNER, { name: `${canary} key`, scope })).key;
  const keys = { READ_ONLY: await key('READ_ONLY'), READ_WRITE: await key('READ_WRITE') };
  const invitation = await invite(team.OWNER, organizationId, freshEmail());
  await fillProject(projectId, { events: 1, attempts: 1 });
  const userId = team.MANAGED.userId;
  const ids = { orgId: organizationId, userId, projectId, invitationId: invitation.json.id };
  return { canary, team, keys, ids: { ...ids, ...(await markContents(projectId, canary)) } };
}

/** Writes the canary into the rows of the project, points its endpoint to a closed port, and returns their ids. */
async function markContents(projectId: string, canary: string): Promise<Record<string, string>> {
  const { rows } = await database().query<Record<string, string>>(
    `WITH e AS (UPDATE endpoints SET url = 'http://127.0.0.1:9/' || $2 WHERE project_id = $1 RETURNING id),
       v AS (
         UPDATE events v SET payload = json_build_object('from', $2::text)::text, api_key_id = k.id
         FROM api_keys k WHERE v.project_id = $1 AND k.project_id = $1 AND k.name = 'new' RETURNING v.id),
       n AS (UPDATE incoming_events SET body = convert_to($2, 'UTF8') WHERE project_id = $1 RETURNING id),
       o AS (UPDATE sources SET name = $2 WHERE project_id = $1 RETURNING id),
       t AS (UPDATE destinations SET url = 'http://127.0.0.1:9/' || $2 WHERE project_id = $1 RETURNING id),
       c AS (UPDATE customers SET name = $2 WHERE project_id = $1 RETURNING id),
       y AS (UPDATE event_types SET description = $2 WHERE project_id = $1 RETURNING name),
       w AS (UPDATE alerts SET name = $2 WHERE project_id = $1 RETURNING id),
       u AS (UPDATE tunnels SET name = $2 WHERE project_id = $1 RETURNING id),
       l AS (UPDATE tunnel_request_log SET path = '/' || $2 WHERE project_id = $1 RETURNING id)
     SELECT e.id AS "endpointId", v.id AS "eventId", o.id AS "sourceId", n.id AS "incomingEventId",
       t.id AS "destinationId", r.id AS "replayId", b.id AS "bulkRetryId", g.id AS "eventReplayId", u.id AS "tunnelId", w.id AS "alertId", c.id AS customer, y.name AS name, l.id AS "requestId",
       s.id AS "subscriptionId", d.id AS "deliveryId", a.id AS "attemptId", k.id AS "apiKeyId"
     FROM e, v, o, n, t, u, w, c, y, l, incoming_event_replays r, bulk_retries b, event_replays g, subscriptions s, deliveries d, delivery_attempts a, api_keys k
     WHERE r.project_id = $1 AND b.project_id = $1 AND g.project_id = $1 AND s.project_id = $1 AND d.event_id = v.id AND a.delivery_id = d.id AND k.project_id = $1 AND k.name = 'new'`,
    [projectId, canary],
  );
  expect(rows).toHaveLength(1);
  return rows[0] ?? {};
}

/** Fills the parameters of a path. @throws Error for a parameter without an id */
export function fillPath(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${path}: tests/tenancy/tenants.ts makes nothing for {${name}} yet`);
    return id;
  });
}

/** The callers: without credentials, of another organization, and of the organization. */
export const CALLERS = [
  'nobody',
  'stranger',
  "stranger's key",
  "stranger's read-only key",
  ...ROLES,
  'READ_ONLY',
  'READ_WRITE',
] as const;
export type CallerName = (typeof CALLERS)[number];

/** Returns the credentials of a caller of a tenant. */
export function credentialsOf(who: CallerName, { team, keys }: Tenant, stranger: Tenant): CallOptions {
  if (who === 'nobody') return {};
  if (who === 'stranger') return { bearer: stranger.team.OWNER.accessToken };
  if (who === "stranger's key") return { apiKey: stranger.keys.READ_WRITE };
  if (who === "stranger's read-only key") return { apiKey: stranger.keys.READ_ONLY };
  if (who === 'READ_ONLY' || who === 'READ_WRITE') return { apiKey: keys[who] };
  return { bearer: team[who].accessToken };
}

/** What any request may change. */
const PASSING_TABLES = ['rate_limits', 'metric_counters', 'key_uses', '_prisma_migrations'];

/** Returns a checksum of each table, without the last use of sessions. */
export async function digestDatabase(): Promise<Record<string, string>> {
  const { rows: tables } = await database().query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = ANY (current_schemas(false)::regnamespace[]) AND relkind IN ('r', 'p')
     AND NOT relispartition AND NOT relname = ANY($1) ORDER BY relname`,
    [PASSING_TABLES],
  );
  const digests = tables.map(
    ({ name }) => `SELECT '${name}' AS name,
      count(*) || ':' || coalesce(sum(hashtextextended((to_jsonb(t) - 'last_used_at')::text, 0)), 0) AS digest
      FROM "${name}" t`,
  );
  const text = digests.join(' UNION ALL ');
  // Planning it takes longer than running it, and each connection plans a named statement once.
  const statement = { name: createHash('sha256').update(text).digest('base64'), text };
  const { rows } = await database().query<{ name: string; digest: string }>(statement);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
