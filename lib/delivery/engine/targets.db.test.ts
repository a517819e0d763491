import { describe, expect, it } from 'vitest';
import { database, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { makeDispatcher, makeJob, makeTarget } from '@/tests/delivery/dispatcher';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { refreshWaitingTargets } from './claims/claim-backlog';
import { loadTargets, preparedTargets } from './targets';

useDatabase();

const URL = 'http://receiver.test/';

/** The database, and the ids of the targets that were read in full. */
function watchedDatabase() {
  const full: string[] = [];
  const sql = {
    query: async (query: { text: string }) => {
      const result = await database().query(query);
      if (query.text.includes('secret_encrypted')) full.push(...result.rows.map(({ id }: { id: string }) => id));
      return result;
    },
  } as unknown as Sql;
  return { sql, full };
}

describe('targets', () => {
  it('are read in full once, and again only after a change', async () => {
    const [kept, changed] = [await insertEndpoint({ url: URL }), await insertEndpoint({ url: URL })];
    const ids = [kept.id, changed.id];
    const { sql, full } = watchedDatabase();
    await loadTargets(sql, ids);
    expect(full.splice(0).sort()).toEqual([...ids].sort());
    const again = await loadTargets(sql, ids);
    expect(full).toEqual([]);
    expect(again.get(kept.id)).toMatchObject({ target: { id: kept.id, origin: 'http://receiver.test' } });
    await database().query(`UPDATE endpoints SET url = 'http://other.test/' WHERE id = $1`, [changed.id]);
    expect((await loadTargets(sql, ids)).get(changed.id)).toMatchObject({ target: { origin: 'http://other.test' } });
    expect(full).toEqual([changed.id]);
  });

  it('are not sent to once they or their projects are disabled or deleted', async () => {
    const endpoints = [await insertEndpoint({ url: URL }), await insertEndpoint({ url: URL })];
    const [disabled, orphan] = endpoints;
    const ids = [...endpoints.map(({ id }) => id), newId()];
    await loadTargets(database(), ids);
    await database().query('UPDATE endpoints SET enabled = false WHERE id = $1', [disabled?.id]);
    await database().query('UPDATE projects SET deleted_at = now() WHERE id = $1', [orphan?.projectId]);
    const { sql, full } = watchedDatabase();
    expect([...(await loadTargets(sql, ids)).values()]).toMatchObject([
      { obstacle: 'disabled', projectId: disabled?.projectId },
      { obstacle: 'deleted', projectId: orphan?.projectId },
      { obstacle: 'deleted', projectId: null },
    ]);
    expect(full).toEqual([]);
  });

  it('that are disabled have all of their queued jobs released in one call', async () => {
    const endpoints = [await insertEndpoint({ url: URL }), await insertEndpoint({ url: URL })];
    const kept = await insertEndpoint({ url: URL });
    const { dispatcher } = makeDispatcher({ mayStart: () => false });
    for (const { id, projectId } of [...endpoints, kept]) dispatcher.add({ ...makeTarget(id), projectId }, makeJob(id));
    const disabled = endpoints.map(({ id }) => id);
    await database().query('UPDATE endpoints SET enabled = false WHERE id = ANY($1)', [disabled]);
    const released: string[][] = [];
    await refreshWaitingTargets(dispatcher, async (jobs) => {
      released.push(jobs.map(({ targetId }) => targetId).sort());
    });
    expect(released).toEqual([disabled.sort()]);
    expect(dispatcher.waitingTargets()).toEqual([kept.id]);
  });

  it('of an owner with few stay prepared, however many another one has', async () => {
    const row = (project_id: string) => ({ id: newId(), version: '1', project_id });
    const prepare = (each: ReturnType<typeof row>) =>
      preparedTargets().prepare(each, ({ id, project_id: projectId }) => ({
        ...makeTarget(id),
        projectId,
        version: '1',
      }));
    const [few, many] = [newId(), newId()];
    const own = row(few);
    prepare(own);
    const others = Array.from({ length: 6_000 }, () => row(many));
    for (const each of others) prepare(each);
    expect(preparedTargets().find(own.id, '1')).toBeDefined();
    expect(others.filter(({ id }) => preparedTargets().peek(id) !== undefined).length).toBeLessThan(5_000);
    expect(preparedTargets().peek(others.at(-1)?.id as string)).toBeDefined();
  });

  it('of queued jobs take effect after a change, also one that no cache has', async () => {
    const endpoint = await insertEndpoint({ url: URL });
    const { dispatcher } = makeDispatcher({ mayStart: () => false });
    dispatcher.add({ ...makeTarget(endpoint.id), projectId: endpoint.projectId }, makeJob(endpoint.id));
    await refreshWaitingTargets(dispatcher, async () => undefined);
    expect(dispatcher.findTarget(endpoint.id)?.signingKeys).toHaveLength(1);
    await database().query(`UPDATE endpoints SET url = 'http://other.test/' WHERE id = $1`, [endpoint.id]);
    await refreshWaitingTargets(dispatcher, async () => undefined);
    expect(dispatcher.findTarget(endpoint.id)?.origin).toBe('http://other.test');
  });
});
