import { expect, it } from 'vitest';
import { listAudit } from '@/lib/audit/list-audit';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

it('an erased organization keeps its audit log for the operator, with the erasure as its last entry', async () => {
  const { id, owner, keyId } = await makeTestProject();
  const everything = { organizationId: owner.organizationId };
  const before = (await listAudit(everything, { limit: 100 })).data;
  expect(before.map(({ target }) => target.id)).toEqual(expect.arrayContaining([id, keyId]));
  const path = `/api/v1/orgs/${owner.organizationId}`;
  expect((await call('DELETE', path, { bearer: owner.accessToken })).status).toBe(204);
  const after = (await listAudit(everything, { limit: 100 })).data;
  const facts = ({
    target: { name: _name, exists: _exists, ...target },
    details,
    ...entry
  }: (typeof before)[number]) => {
    const { targetName: _, ...others } = details;
    return { ...entry, target, details: others };
  };
  expect(after.slice(1).map(facts)).toEqual(before.map(facts));
  expect(before.some(({ details }) => 'targetName' in details)).toBe(true);
  // Neither what the entries store nor what the list finds.
  expect(after.filter(({ target, details }) => target.name !== undefined || 'targetName' in details)).toEqual([]);
  expect(after[0]).toMatchObject({
    action: 'organization.deleted',
    actor: { type: 'USER', id: owner.userId, email: owner.email },
    target: { type: 'organization', id: owner.organizationId },
  });
});
