import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '@/lib/api/table';
import { VERBS } from '@/lib/http/table';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { CHANGES, type Change, UNAUDITED, type World } from '@/tests/fixtures/audited-changes';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

let world: World;

/** Inserts a destination of a source, an incoming event, a running replay and a running bulk retry. */
async function insertIncoming(project: TestProject, sourceId: string) {
  const destination = await call<{ id: string }>(
    'POST',
    `/api/v1/projects/${project.id}/sources/${sourceId}/destinations`,
    {
      apiKey: project.key,
      body: { url: 'https://receiver.example', signing: true },
    },
  );
  const [incomingEventId, replayId] = [newId(), newId()];
  await database().query(
    `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size)
     VALUES ($1, $2, $3, 'POST', '[]', 'x', 1)`,
    [incomingEventId, project.id, sourceId],
  );
  await database().query(
    `INSERT INTO incoming_event_replays (id, project_id, source_id, created_to, total) VALUES ($1, $2, $3, now(), 1)`,
    [replayId, project.id, sourceId],
  );
  const bulkRetryId = newId();
  await database().query(`INSERT INTO bulk_retries (id, project_id, filter, total) VALUES ($1, $2, '{}', 1)`, [
    bulkRetryId,
    project.id,
  ]);
  return { bulkRetryId, sourceId, destinationId: destination.json.id, incomingEventId, replayId };
}

beforeEach(async () => {
  const project = await makeTestProject();
  const member = await registerMember(project.owner.organizationId, 'VIEWER');
  const { id: endpointId } = await insertEndpoint({ url: 'https://receiver.example', projectId: project.id });
  const subscription = await call<{ id: string }>('POST', `/api/v1/projects/${project.id}/subscriptions`, {
    apiKey: project.key,
    body: { endpointId, eventType: 'order.*' },
  });
  const source = await call<{ id: string }>('POST', `/api/v1/projects/${project.id}/sources`, {
    apiKey: project.key,
    body: { name: 'shop', provider: 'GITHUB' },
  });
  const tunnel = await call<{ id: string }>('POST', `/api/v1/projects/${project.id}/tunnels`, { apiKey: project.key });
  const incoming = await insertIncoming(project, source.json.id);
  world = {
    ...project,
    ...{ member, endpointId, subscriptionId: subscription.json.id, ...incoming, tunnelId: tunnel.json.id },
  };
});

/** Prepares a change. Returns a function that makes it. */
async function prepare([route, , parts = () => ({})]: Change) {
  const { params = {}, ...options } = await parts(world);
  const values: Record<string, string> = {
    orgId: world.owner.organizationId,
    projectId: world.id,
    apiKeyId: world.keyId,
    endpointId: world.endpointId,
    subscriptionId: world.subscriptionId,
    sourceId: world.sourceId,
    destinationId: world.destinationId,
    incomingEventId: world.incomingEventId,
    replayId: world.replayId,
    bulkRetryId: world.bulkRetryId,
    tunnelId: world.tunnelId,
    ...params,
  };
  const [verb = '', template = ''] = route.split(' ');
  const path = `/api/v1${template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}`;
  const bearer = /register|login|reset-password|verify-email|token/.test(route)
    ? {}
    : { bearer: world.owner.accessToken };
  return () => call(verb, path, { ...bearer, ...options });
}

const newestAudit = async () =>
  (await database().query<{ id: string; action: string }>('SELECT id, action FROM audit_log ORDER BY id')).rows;

describe('the audit log has an entry for', () => {
  it.each(CHANGES)('%s: %s', async (...change) => {
    const make = await prepare(change);
    const before = (await newestAudit()).length;
    const { status, text } = await make();
    expect(status, text).toBeLessThan(300);
    expect((await newestAudit()).slice(before).map(({ action }) => action)).toContain(change[1]);
  });

  it('every route that makes a change, except those that need no entry', () => {
    const known = new Set([...CHANGES.map(([route]) => route), ...UNAUDITED]);
    const missing = Object.entries(api).flatMap(([path, entry]) =>
      VERBS.filter((verb) => verb !== 'GET' && verb in entry)
        .map((verb) => `${verb} ${path.replace('/api/v1', '')}`)
        .filter((route) => !route.includes(' /admin/') && !known.has(route)),
    );
    expect(missing).toEqual([]);
  });
});

/** Everything that a change could affect, except counters. */
async function digestOfAll(): Promise<Record<string, string>> {
  const tables = [
    ...['users', 'identities', 'sessions', 'refresh_tokens', 'user_tokens', 'device_codes', 'organizations'],
    ...['memberships', 'invitations', 'projects', 'api_keys', 'endpoints', 'subscriptions', 'sources', 'audit_log'],
    ...['destinations', 'incoming_event_replays', 'bulk_retries', 'deliveries', 'tunnels'],
  ];
  const digests: Record<string, string> = {};
  for (const table of tables) {
    const { rows } = await database().query<{ digest: string }>(
      `SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${table} t`,
    );
    digests[table] = rows[0]?.digest ?? '';
  }
  return digests;
}

describe('a change that cannot be audited does not happen', () => {
  afterEach(() => database().query('ALTER TABLE audit_log DROP CONSTRAINT IF EXISTS takes_nothing'));

  it.each(CHANGES)('%s', async (...change) => {
    const make = await prepare(change);
    await database().query('ALTER TABLE audit_log ADD CONSTRAINT takes_nothing CHECK (false) NOT VALID');
    const before = await digestOfAll();
    const { status, headers } = await make();
    expect(status).toBe(500);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(await digestOfAll()).toEqual(before);
  });
});
