import { beforeEach, describe, expect, it } from 'vitest';
import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { exists } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { countProjectRows, fillProject } from '@/tests/fixtures/full-project';
import { makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { eraseOrganization } from './erase-organization';

useDatabase();
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);

beforeEach(() => database().query('TRUNCATE projects, outbox, delivery_attempts CASCADE'));

const callerOf = ({ userId, organizationId }: TestPerson, role: Role = 'OWNER'): PersonCaller => ({
  type: 'person',
  userId,
  sessionId: newId(),
  organizationId,
  role,
  tokenExpiresAt: 0,
  client: { ipAddress: '198.51.100.9', userAgent: null },
});

describe('erasing an organization', () => {
  it('removes its rows from every table, and no row of another organization', async () => {
    const owner = await registerPerson();
    const other = await registerPerson();
    const project = await makeProject(owner);
    const kept = await makeProject(other);
    await fillProject(project.id);
    await fillProject(kept.id);
    const before = await countProjectRows(project.id);
    for (const [table, count] of Object.entries(before)) expect(count, table).toBeGreaterThan(0);
    await eraseOrganization(callerOf(owner), owner.organizationId);
    expect(sum(await countProjectRows(project.id))).toBe(0);
    expect(await countProjectRows(kept.id)).toEqual(before);
    expect(await exists('projects', project.id)).toBe(false);
    expect(await exists('organizations', owner.organizationId)).toBe(false);
    expect(await exists('organizations', other.organizationId)).toBe(true);
  });

  it('leaves no row in any table with a reference to organizations', async () => {
    const owner = await registerPerson();
    await registerMember(owner.organizationId, 'VIEWER');
    await database().query(
      `INSERT INTO invitations (id, organization_id, email, role, token_hash, expires_at)
       VALUES ($1, $2, 'a@example.com', 'VIEWER', '\\x01', now())`,
      [newId(), owner.organizationId],
    );
    await eraseOrganization(callerOf(owner), owner.organizationId);
    const { rows } = await database().query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'organization_id' AND table_name <> 'audit_log'`,
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const { table_name } of rows) {
      const left = await database().query(`SELECT FROM ${table_name} WHERE organization_id = $1`, [
        owner.organizationId,
      ]);
      expect(left.rowCount, table_name).toBe(0);
    }
  });

  it('keeps the audit log and records the erasure, without the name', async () => {
    const owner = await registerPerson({ organizationName: 'Engines' });
    const before = await auditOf(owner.organizationId);
    await eraseOrganization(callerOf(owner), owner.organizationId);
    const after = await auditOf(owner.organizationId);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)).toMatchObject({
      action: 'organization.deleted',
      actor_id: owner.userId,
      organization_id: owner.organizationId,
      ip_address: '198.51.100.9',
    });
    expect(JSON.stringify(after)).not.toContain('Engines');
  });

  it('happens once when many requests come at once', async () => {
    const owner = await registerPerson();
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => eraseOrganization(callerOf(owner), owner.organizationId)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const entries = (await auditOf(owner.organizationId)).filter(({ action }) => action === 'organization.deleted');
    expect(entries).toHaveLength(1);
  });

  it('removes it from sessions and people, who keep their other organizations', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'VIEWER');
    await call('POST', '/api/v1/auth/switch-organization', {
      bearer: member.accessToken,
      body: { organizationId: owner.organizationId },
    });
    await eraseOrganization(callerOf(owner), owner.organizationId);
    const me = await call<{ organizations: { id: string }[] }>('GET', '/api/v1/auth/me', {
      bearer: member.accessToken,
    });
    expect(me.json.organizations.map(({ id }) => id)).toEqual([member.organizationId]);
  });
});
