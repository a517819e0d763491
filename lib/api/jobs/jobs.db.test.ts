import { expect, it } from 'vitest';
import type { Job } from '@/lib/jobs/schema';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';

useDatabase();

it('the jobs of all kinds are one list, newest first, that pages with one cursor and shows no other project', async () => {
  const [project, other] = [await makeTestProject(), await makeTestProject()];
  const source = await sourceTools(() => project).makeSource();
  const insert = {
    BULK_RETRY: (id: string, projectId: string) =>
      run(
        `INSERT INTO bulk_retries (id, project_id, filter, total, retried, skipped_disabled, status)
         VALUES ($1, $2, '{"status":"FAILED"}', 9, 3, 1, 'RUNNING')`,
        id,
        projectId,
      ),
    EVENT_REPLAY: (id: string, projectId: string) =>
      run(
        `INSERT INTO event_replays (id, project_id, owner_id, selection, created_from, created_to, total, checked, status)
         VALUES ($1, $2, $2, 'MISSING', now(), now(), 9, 5, 'CANCELED')`,
        id,
        projectId,
      ),
    INCOMING_EVENT_REPLAY: (id: string, projectId: string) =>
      run(
        `INSERT INTO incoming_event_replays (id, project_id, source_id, created_to, total, replayed, status)
         VALUES ($1, $2, $3, now(), 9, 6, 'FAILED')`,
        id,
        projectId,
        source.id,
      ),
  };
  const kinds = [
    'BULK_RETRY',
    'BULK_RETRY',
    'EVENT_REPLAY',
    'INCOMING_EVENT_REPLAY',
    'BULK_RETRY',
    'EVENT_REPLAY',
  ] as const;
  const ids: string[] = [];
  for (const kind of kinds) {
    const id = newId();
    ids.unshift(id);
    await insert[kind](id, project.id);
  }
  await insert.BULK_RETRY(newId(), other.id);
  const read = async (limit: number) => {
    const jobs: Job[] = [];
    for (let cursor = ''; ; ) {
      const path = `/api/v1/projects/${project.id}/jobs?limit=${limit}${cursor}`;
      const { json } = await call<Listing<Job>>('GET', path, { apiKey: project.key });
      jobs.push(...json.data);
      if (json.nextCursor === null) return jobs;
      cursor = `&cursor=${json.nextCursor}`;
    }
  };
  for (const limit of [1, 2, 3, 6, 100]) expect((await read(limit)).map(({ id }) => id)).toEqual(ids);
  const jobs = await read(100);
  expect(jobs.map(({ kind }) => kind)).toEqual([...kinds].reverse());
  expect(jobs.map(({ done, status }) => [done, status]).slice(0, 3)).toEqual([
    [5, 'CANCELED'],
    [4, 'RUNNING'],
    [6, 'FAILED'],
  ]);
  for (const { kind, id, bulkRetry, eventReplay, incomingEventReplay } of jobs) {
    const shown = { BULK_RETRY: bulkRetry, EVENT_REPLAY: eventReplay, INCOMING_EVENT_REPLAY: incomingEventReplay };
    expect(Object.values(shown).filter((each) => each !== null)).toEqual([shown[kind]]);
    expect(shown[kind]?.id).toBe(id);
  }
});
