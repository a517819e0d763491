import { beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { countFrom as count, registerDemoAccount } from '@/tests/fixtures/demo';
import { useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { Api } from './account';
import { seedHistory } from './seed';
import { makeWorkspace } from './workspace';

useDatabase();
const server = useTunnelServer();
let organizationId: string;

beforeAll(async () => {
  const api = new Api(server.origin);
  const account = await registerDemoAccount(api, false);
  organizationId = account.organizationId;
  expect(await seedHistory(await makeWorkspace(api, account, '127.0.0.1:4747'))).toBe(true);
}, 120_000);

describe('the audit log of the demo', () => {
  it('has entries from when their targets were created, in the order of their ids', async () => {
    const kinds = ['api_key', 'endpoint', 'subscription', 'source', 'destination', 'tunnel', 'invitation', 'project'];
    for (const kind of kinds) {
      const entries = `audit_log a JOIN ${kind}s t ON t.id = a.target_id WHERE a.action = '${kind}.created'`;
      expect(await count(`${entries} AND abs(extract(epoch FROM a.created_at - t.created_at)) > 1`)).toBe(0);
      expect(await count(entries)).toBeGreaterThan(0);
    }
    // The sign-in of this run is not moved: the id and the time of what the product writes differ by as long as its transaction lasts.
    const moved = `audit_log WHERE NOT (action = 'session.created' AND created_at > now() - interval '1 hour')`;
    expect(await count(`${moved} AND abs(extract(epoch FROM created_at - uuid_extract_timestamp(id))) > 1`)).toBe(0);
  });

  it('has entries with the targets and details that the product writes', async () => {
    const target = async (action: string) => {
      const { rows } = await database().query<{ type: string; id: string | null; keys: string }>(
        `SELECT DISTINCT target_type AS type, target_id AS id, (SELECT string_agg(k, ' ' ORDER BY k) FROM jsonb_object_keys(details) k) AS keys
         FROM audit_log WHERE action = $1`,
        [action],
      );
      return rows;
    };
    const signIns = await target('session.created');
    expect(new Set(signIns.map(({ type, keys }) => `${type} ${keys}`))).toEqual(new Set(['session method']));
    expect(await target('audit_log.viewed')).toEqual([{ type: 'audit_log', id: null, keys: null }]);
    expect(await target('organization.exported')).toEqual([{ type: 'organization', id: organizationId, keys: null }]);
    expect(await target('member.role_changed')).toEqual([{ type: 'user', id: expect.any(String), keys: 'from to' }]);
    expect(await target('endpoint.disabled')).toMatchObject([{ type: 'endpoint', keys: 'projectId reason' }]);
  });

  it('has entries about people, endpoints and sources that exist', async () => {
    for (const [type, table] of Object.entries({ user: 'users', endpoint: 'endpoints', source: 'sources' })) {
      const entries = `audit_log a WHERE target_type = '${type}'`;
      expect(await count(`${entries} AND action NOT LIKE '%.created'`)).toBeGreaterThan(1);
      expect(await count(`${entries} AND NOT EXISTS (SELECT FROM ${table} t WHERE t.id = a.target_id)`)).toBe(0);
    }
    const strangers = `audit_log a WHERE actor_type = 'USER' AND NOT EXISTS
      (SELECT FROM memberships m WHERE m.user_id = a.actor_id AND (m.created_at <= a.created_at + interval '1 second'))`;
    expect(await count(strangers)).toBe(0);
  });

  it('is append-only again', async () => {
    await expect(database().query('UPDATE audit_log SET created_at = now()')).rejects.toThrow('append only');
  });
});
