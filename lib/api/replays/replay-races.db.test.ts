import { beforeEach, describe, expect, it } from 'vitest';
import type { ReplayedIncomingEvent, Source } from '@/lib/incoming/schema';
import { purgeProject } from '@/lib/lifecycle/purge-project';
import { lockLiveProject } from '@/lib/orgs/orgs-sql';
import { inSqlTransaction } from '@/lib/platform/db';
import { untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { countProjectRows } from '@/tests/fixtures/full-project';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';

useDatabase();
const ROUNDS = 5;

let project: TestProject;
let source: Source;
let eventIds: string[];
beforeEach(async () => {
  project = await makeTestProject();
  await makeSourceWithEvents();
});

const { send, makeSource, makeDestination } = sourceTools(() => project);
const replay = (id = '') => send<ReplayedIncomingEvent>('POST', `/incoming-events/${id}/replay`);

async function makeSourceWithEvents(): Promise<void> {
  source = await makeSource();
  for (let count = 0; count < 3; count++) await makeDestination(source, { url: 'http://127.0.0.1:9/hook' });
  eventIds = await insertIncomingEvents({ id: source.id, projectId: project.id }, 6);
}

/**
 * Replays events from several senders at once, and runs `remove` beside them. Each sender stops when it is refused.
 * @returns the statuses of the refusals, without repeats
 */
async function refusalsDuring(remove: () => Promise<void>): Promise<number[]> {
  let accepted = 0;
  const sendUntilRefused = async (id: string): Promise<number> => {
    for (;;) {
      const { status } = await replay(id);
      if (status !== 202) return status;
      accepted += 1;
    }
  };
  const senders = Promise.all(eventIds.map(sendUntilRefused));
  await waitFor('accepted replays', () => accepted >= eventIds.length);
  await remove();
  return [...new Set(await senders)];
}

describe('a replay of an incoming event', () => {
  it('locks its project before the event, so it cannot deadlock with a transaction that removes events', async () => {
    const [id = ''] = eventIds;
    const replayed = await inSqlTransaction(async (tx) => {
      await lockLiveProject.run(tx, project.id);
      const pending = replay(id);
      await untilLockWait(pending);
      await tx.query('DELETE FROM incoming_events WHERE id = $1', [id]);
      return { pending };
    });
    expect((await replayed.pending).status).toBe(404);
    expect((await replay(eventIds[1])).status).toBe(202);
  });

  it('runs beside the deletion of its source without an error of the server', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) await makeSourceWithEvents();
      const refusals = await refusalsDuring(async () => {
        expect((await send('DELETE', `/sources/${source.id}`)).status).toBe(204);
      });
      expect(refusals).toEqual([409]);
    }
  });

  it('runs beside the erasure of its project without an error of the server, and leaves no delivery', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) {
        project = await makeTestProject();
        await makeSourceWithEvents();
      }
      const { id, owner } = project;
      const refusals = await refusalsDuring(async () => {
        expect((await call('DELETE', `/api/v1/projects/${id}`, { bearer: owner.accessToken })).status).toBe(204);
        const pace = { endsAt: performance.now() + 20_000, isPaced: false };
        while ((await purgeProject(id, pace)) !== 'gone') expect(performance.now()).toBeLessThan(pace.endsAt);
      });
      expect([401, 404, 409]).toEqual(expect.arrayContaining(refusals));
      expect((await countProjectRows(id)).deliveries).toBe(0);
    }
  });
});
