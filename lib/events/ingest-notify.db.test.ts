import pg from 'pg';
import { expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

const { url } = useDatabase();
const projects = useProjects();

it('a stored event notifies the workers of its project, a refused event does not', async () => {
  const listener = new pg.Client({ connectionString: url });
  await listener.connect();
  const woken: string[] = [];
  listener.on('notification', ({ payload }) => woken.push(payload ?? ''));
  await listener.query('LISTEN eds_outbox');
  const body = { type: 'a', data: {} };
  await call('POST', '/api/v1/events', { apiKey: projects.mine.readOnlyKey, body });
  await listener.query('SELECT 1');
  expect(woken).toEqual([]);
  await call('POST', '/api/v1/events', { apiKey: projects.mine.key, body });
  await listener.query('SELECT 1');
  expect(woken).toEqual([projects.mine.id]);
  await listener.end();
});
