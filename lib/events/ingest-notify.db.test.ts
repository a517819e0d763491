import pg from 'pg';
import { expect, it } from 'vitest';
import { call } from '@/tests/api-request';
import { useDatabase } from '@/tests/database';
import { useProjects } from '@/tests/projects';

const { url } = useDatabase();
const projects = useProjects();

it('a stored event wakes the workers, a refused one does not', async () => {
  const listener = new pg.Client({ connectionString: url });
  await listener.connect();
  let woken = 0;
  listener.on('notification', () => {
    woken++;
  });
  await listener.query('LISTEN eds_outbox');
  const body = { type: 'a', data: {} };
  await call('POST', '/api/v1/events', { apiKey: projects.mine.readOnlyKey, body });
  await listener.query('SELECT 1');
  expect(woken).toBe(0);
  await call('POST', '/api/v1/events', { apiKey: projects.mine.key, body });
  await listener.query('SELECT 1');
  expect(woken).toBe(1);
  await listener.end();
});
