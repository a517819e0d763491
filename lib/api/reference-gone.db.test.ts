import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { call } from '@/tests/api-request';
import { useDatabase } from '@/tests/database';
import { untilLockWait } from '@/tests/lock-waits';
import { makeProject, registerPerson } from '@/tests/people';

useDatabase();

it('a change that an erasure overtakes is answered 404, as it would be a moment later', async () => {
  const person = await registerPerson();
  const project = await makeProject(person);
  const create = () =>
    call('POST', `/api/v1/projects/${project.id}/endpoints`, {
      bearer: person.accessToken,
      body: { url: 'https://shop.example/hook' },
    });
  expect((await create()).status).toBe(201);
  const client = await database().connect();
  await client.query('BEGIN');
  await client.query('DELETE FROM endpoints WHERE project_id = $1', [project.id]);
  await client.query('DELETE FROM projects WHERE id = $1', [project.id]);
  const underWay = create();
  await untilLockWait(underWay);
  await client.query('COMMIT');
  client.release();
  expect((await underWay).json).toMatchObject({ status: 404, code: 'not_found' });
});
