import { describe, expect, it } from 'vitest';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { OrganizationExport } from '@/lib/lifecycle/export/schema';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import { makeProject, registerPerson } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

const read = async (query: Record<string, string>) =>
  (await callAsOperator<Listing<AuditLogEntry>>('GET', `/audit-log?${new URLSearchParams(query)}`)).json;
const actions = ({ data }: Listing<AuditLogEntry>) => data.map(({ action }) => action);

describe('the audit log of all organizations', () => {
  it('lists entries of every organization and those without one, newest first', async () => {
    const [ada, bob] = [await registerPerson(), await registerPerson()];
    const { data } = await read({ limit: '100' });
    const ids = data.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    const organizations = data.map(({ organizationId }) => organizationId);
    expect(organizations).toEqual(expect.arrayContaining([ada.organizationId, bob.organizationId, null]));
    expect(data.find(({ actor }) => actor.id === ada.userId)?.actor).toEqual({
      type: 'USER',
      id: ada.userId,
      email: ada.email,
    });
  });

  it('names organizations, targets and people while they exist', async () => {
    const ada = await registerPerson();
    const { organizationId } = ada;
    await makeProject(ada, 'Web shop');
    await callAsOperator('POST', `/users/${ada.userId}/close-sessions`);
    const { name } = (await callAsOperator<{ name: string }>('GET', `/orgs/${organizationId}`)).json;
    const find = async (query: Record<string, string>) => (await read({ ...query, limit: '1' })).data[0];
    expect(await find({ organizationId, action: 'project.created' })).toMatchObject({
      target: { name: 'Web shop' },
      organizationName: name,
    });
    expect((await find({ organizationId, action: 'organization.viewed' }))?.target.name).toBe(name);
    expect((await find({ action: 'account.sessions_closed' }))?.target).toMatchObject({
      id: ada.userId,
      name: ada.email,
    });

    await callAsOperator('DELETE', `/orgs/${organizationId}`);
    const erased = await read({ organizationId, limit: '100' });
    expect(erased.data.length).toBeGreaterThan(2);
    expect(JSON.stringify(erased)).not.toContain(name);
    expect(JSON.stringify(erased)).not.toContain('Web shop');
  });

  it('keeps the entries of a deleted organization', async () => {
    const { organizationId, accessToken } = await registerPerson();
    expect((await callAsOperator('DELETE', `/orgs/${organizationId}`)).status).toBe(204);
    expect((await call('GET', `/api/v1/orgs/${organizationId}/audit-log`, { bearer: accessToken })).status).toBe(404);
    const found = actions(await read({ organizationId }));
    expect(found).toEqual(expect.arrayContaining(['organization.created', 'organization.deleted']));
  });

  it('shows the IP address of the operator, which the organization sees in no list, CSV file or export', async () => {
    const { organizationId, accessToken: bearer } = await registerPerson();
    await callAsOperator('GET', `/orgs/${organizationId}`);
    const [seen] = (await read({ organizationId, action: 'organization.viewed' })).data;
    expect(seen).toMatchObject({ actor: { type: 'OPERATOR' }, ipAddress: TEST_ADDRESS });
    const { organizationName: _named, target, ...shared } = seen as AuditLogEntry;
    const { name: _targetName, ...shownTarget } = target;
    const path = `/api/v1/orgs/${organizationId}`;
    const list = await call<Listing<AuditLogEntry>>('GET', `${path}/audit-log`, { bearer });
    const exported = await call<OrganizationExport>('GET', `${path}/export`, { bearer });
    for (const entries of [list.json.data, exported.json.auditLogs]) {
      expect(entries.find(({ id }) => id === seen?.id)).toEqual({
        ...shared,
        target: shownTarget,
        ipAddress: null,
      });
      expect(entries.find(({ actor }) => actor.type === 'USER')?.ipAddress).toBe(TEST_ADDRESS);
    }
    const csv = await call('GET', `${path}/audit-log?format=csv&action=organization.viewed`, { bearer });
    expect(csv.text).toContain(seen?.id);
    expect(csv.text).not.toContain(TEST_ADDRESS);
  });

  it('is audited when it is read, once for all pages', async () => {
    const { organizationId } = await registerPerson();
    const views = async () => actions(await read({ action: 'audit_log.viewed', limit: '100' })).length;
    const before = await views();
    const first = await read({ organizationId, limit: '1' });
    await read({ organizationId, limit: '1', cursor: first.nextCursor ?? '' });
    // The other entry is from reading these entries.
    expect(await views()).toBe(before + 2);
  });
});
