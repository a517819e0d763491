import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { makeProject, registerPerson } from '@/tests/fixtures/people';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

it('a change gets 404 when its resource is deleted meanwhile', async () => {
  const person = await registerPerson();
  const { id: projectId } = await makeProject(person);
  const create = <T>(what: string, body: object) =>
    call<T>('POST', `/api/v1/projects/${projectId}/${what}`, { bearer: person.accessToken, body });
  const endpoint = await create<{ id: string }>('endpoints', { url: 'https://shop.example/hook' });
  const client = await database().connect();
  await client.query('BEGIN');
  await client.query('DELETE FROM endpoints WHERE id = $1', [endpoint.json.id]);
  const underWay = create<Problem>('subscriptions', { endpointId: endpoint.json.id, eventType: '*' });
  await untilLockWait(underWay);
  await client.query('COMMIT');
  client.release();
  expect((await underWay).json).toMatchObject({ status: 404, code: 'not_found' });
});

it.each(['PATCH', 'DELETE'])('%s of an endpoint gets 404 when another request deletes it meanwhile', async (verb) => {
  const person = await registerPerson();
  const { id: projectId } = await makeProject(person);
  const path = `/api/v1/projects/${projectId}/endpoints`;
  const body = { url: 'https://shop.example/hook' };
  const endpoint = await call<{ id: string }>('POST', path, { bearer: person.accessToken, body });
  const client = await database().connect();
  await client.query('BEGIN');
  await client.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [endpoint.json.id]);
  const changed = verb === 'PATCH' ? { body: { description: 'Mine' } } : {};
  const underWay = call(verb, `${path}/${endpoint.json.id}`, { bearer: person.accessToken, ...changed });
  await untilLockWait(underWay);
  await client.query('COMMIT');
  client.release();
  expect((await underWay).json).toMatchObject({ status: 404, code: 'not_found' });
  const actions = (await auditOf(person.organizationId)).map(({ action }) => action);
  expect(actions.filter((action) => /^endpoint\.(updated|deleted)$/.test(action))).toEqual([]);
});
