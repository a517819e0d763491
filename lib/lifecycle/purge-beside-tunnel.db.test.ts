import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { toLogRow } from '@/lib/tunnel/request-log/log-row';
import { storeRequests } from '@/lib/tunnel/request-log/record-request';
import { useDatabase } from '@/tests/database/use-database';
import { countProjectRows } from '@/tests/fixtures/full-project';
import { makeTestProject } from '@/tests/fixtures/projects';
import { makeEntry, makeTunnel } from '@/tests/fixtures/tunnels';
import { purgeProject } from './purge-project';

useDatabase();

it('a project that is erased while requests to its tunnel are logged keeps no row', async () => {
  const project = await makeTestProject();
  const tunnel = await makeTunnel(project);
  let isGone = false;
  const write = async () => {
    while (!isGone) {
      await storeRequests(database(), [toLogRow(makeEntry({ projectId: project.id, tunnelId: tunnel.id }))]);
    }
  };
  const purge = async () => {
    while ((await countProjectRows(project.id)).tunnel_request_log === 0) expect(isGone).toBe(false);
    await database().query('UPDATE projects SET deleted_at = now() WHERE id = $1', [project.id]);
    const pace = { endsAt: performance.now() + 10_000, isPaced: false };
    while ((await purgeProject(project.id, pace)) !== 'gone') expect(performance.now()).toBeLessThan(pace.endsAt);
    isGone = true;
  };
  await Promise.all([purge(), write(), write()]);
  expect(Object.values(await countProjectRows(project.id)).filter((count) => count > 0)).toEqual([]);
});
