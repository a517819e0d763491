import { describe, expect, it } from 'vitest';
import type { ErasurePreview } from '@/lib/lifecycle/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

useDatabase();

const preview = (person: TestPerson) =>
  call<ErasurePreview>('GET', '/api/v1/auth/me/erasure', { bearer: person.accessToken });

describe('the preview of an erasure', () => {
  it('groups the organizations by what would happen to them, and changes nothing', async () => {
    const person = await registerPerson({ organizationName: 'Alone' });
    const blocked = await call<{ id: string }>('POST', '/api/v1/orgs', {
      bearer: person.accessToken,
      body: { name: 'Team' },
    });
    await registerMember(blocked.json.id, 'ADMIN');
    await registerMember(blocked.json.id, 'VIEWER');
    const other = await registerPerson({ organizationName: 'Theirs' });
    await database().query(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'OWNER')`, [
      other.organizationId,
      person.userId,
    ]);
    const expected = {
      deletes: [{ id: person.organizationId, name: 'Alone' }],
      blocks: [{ id: blocked.json.id, name: 'Team', memberCount: 3 }],
      leaves: [{ id: other.organizationId, name: 'Theirs' }],
    };
    expect((await preview(person)).json).toEqual(expected);
    expect((await preview(person)).json).toEqual(expected);
  });

  it('omits deleted organizations', async () => {
    const person = await registerPerson();
    await database().query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [person.organizationId]);
    expect((await preview(person)).json).toEqual({ deletes: [], blocks: [], leaves: [] });
  });

  it('predicts what the erasure does', async () => {
    const person = await registerPerson();
    expect((await preview(person)).json.blocks).toEqual([]);
    expect((await call('DELETE', '/api/v1/auth/me', { bearer: person.accessToken })).status).toBe(204);
  });
});
