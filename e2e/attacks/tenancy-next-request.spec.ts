import { expect, test } from '@playwright/test';
import { useTarget } from '@/e2e/support/target';
import { createTenantTools, EVENT, statusAndCode, withKey } from '@/e2e/support/tenants';

// One product for all tests. Each test creates the organizations that it attacks.
test.describe.configure({ mode: 'default' });

const target = useTarget();
const { join, make, makeTenant } = createTenantTools(target);

test('a member removed during their requests is refused from the next request', async () => {
  const [victim, member] = [await makeTenant(), await target.makeVictim()];
  await join(victim, member, 'ADMIN');
  const at = `/orgs/${victim.organizationId}/members/${member.userId}`;
  const create = (index: number) =>
    target.send('POST', `/orgs/${victim.organizationId}/projects`, {
      token: member.token,
      body: { name: `P${index}` },
    });
  expect((await create(0)).status).toBe(201);
  const during = Array.from({ length: 20 }, (_, index) => create(index + 1));
  const removal = target.send('DELETE', at, { token: victim.token });
  expect((await removal).status).toBe(204);
  const after = await Promise.all(Array.from({ length: 10 }, (_, index) => create(index + 100)));
  expect(new Set(after.map(statusAndCode))).toEqual(new Set(['404 not_found']));
  // Each concurrent request ran either before or after the removal.
  const made = (await Promise.all(during)).map(({ status }) => status);
  for (const status of made) expect([201, 404]).toContain(status);
  const { rows } = await target.database.query(
    'SELECT count(*)::int AS count FROM projects WHERE organization_id = $1',
    [victim.organizationId],
  );
  expect(rows[0].count).toBe(2 + made.filter((status) => status === 201).length);
  expect((await target.whoAmI(member.token)).json.organizations.map(({ id }: { id: string }) => id)).toEqual([
    member.organizationId,
  ]);
  expect((await target.send('GET', `/projects/${victim.projectId}`, { token: member.token })).status).toBe(404);
  expect((await target.send('GET', `/projects/${victim.projectId}`, { token: victim.token })).status).toBe(200);
});

test('a demoted member has the permissions of the new role from the next request, whatever their token says', async () => {
  const [victim, member] = [await makeTenant(), await target.makeVictim()];
  await join(victim, member, 'ADMIN');
  const body = { organizationId: victim.organizationId };
  const switched = await target.send('POST', '/auth/switch-organization', { token: member.token, body });
  const token = switched.json.accessToken;
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  expect([claims.org, claims.role]).toEqual([victim.organizationId, 'ADMIN']);
  const may = async () => {
    const rename = await target.send('PATCH', `/projects/${victim.projectId}`, { token, body: { name: 'Vault' } });
    const secret = await target.send('GET', `/projects/${victim.projectId}/endpoints/${victim.endpointId}/secret`, {
      token,
    });
    const read = await target.send('GET', `/projects/${victim.projectId}`, { token });
    return [rename, secret, read].map(({ status }) => status);
  };
  const at = `/orgs/${victim.organizationId}/members/${member.userId}`;
  const demote = (role: string) => target.send('PATCH', at, { token: victim.token, body: { role } });
  expect(await may()).toEqual([200, 200, 200]);
  expect((await demote('DEVELOPER')).status).toBe(200);
  expect(await may()).toEqual([403, 200, 200]);
  expect((await demote('VIEWER')).status).toBe(200);
  expect(await may()).toEqual([403, 403, 200]);
  const itself = await target.send('PATCH', at, { token, body: { role: 'OWNER' } });
  expect(statusAndCode(itself)).toBe('403 forbidden');
  expect((await demote('ADMIN')).status).toBe(200);
  expect(await may()).toEqual([200, 200, 200]);
});

test('a revoked key is refused from the next request on both lanes; another key still works', async () => {
  const tenant = await makeTenant();
  const project = `/projects/${tenant.projectId}`;
  const { key: other } = await make(`${project}/api-keys`, { token: tenant.token, body: { name: 'other' } });
  const tryAll = async (key: string) => {
    const options = withKey(key);
    const responses = [
      await target.send('POST', '/events', { ...options, body: EVENT }),
      await target.send('POST', `${project}/events`, { ...options, body: EVENT }),
      await target.send('GET', `${project}/events`, options),
    ];
    return responses.map(statusAndCode);
  };
  expect(await tryAll(tenant.key)).toEqual(['202', '202', '200']);
  const during = Array.from({ length: 20 }, () =>
    target.send('POST', '/events', { ...withKey(tenant.key), body: EVENT }),
  );
  const revoked = await target.send('DELETE', `${project}/api-keys/${tenant.apiKeyId}`, { token: tenant.token });
  expect(revoked.status).toBe(204);
  expect(await tryAll(tenant.key)).toEqual(Array(3).fill('401 api_key_revoked'));
  for (const response of await Promise.all(during))
    expect(['202', '401 api_key_revoked']).toContain(statusAndCode(response));
  expect(await tryAll(other)).toEqual(['202', '202', '200']);
});

test('a deleted project or organization is gone for its members and keys from the next request', async () => {
  for (const what of ['project', 'organization'] as const) {
    const [victim, neighbour] = [await makeTenant(), await makeTenant()];
    const at = what === 'project' ? `/projects/${victim.projectId}` : `/orgs/${victim.organizationId}`;
    expect((await target.send('DELETE', at, { token: victim.token })).status).toBe(204);
    expect(statusAndCode(await target.send('GET', `/projects/${victim.projectId}`, { token: victim.token }))).toBe(
      '404 not_found',
    );
    for (const path of ['/events', `/projects/${victim.projectId}/events`]) {
      const response = await target.send('POST', path, { ...withKey(victim.key), body: EVENT });
      expect(statusAndCode(response), `${what}: ${path}`).toBe('401 invalid_api_key');
    }
    const own = await target.send('POST', '/events', { ...withKey(neighbour.key), body: EVENT });
    expect(own.status).toBe(202);
  }
});
