import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { setTestConfig } from '@/tests/setup/variables';
import { loadMessages } from './messages';
import { takeEntries } from './outbox/take-entries';

const ROWS = 32;
/** What each row takes of the thread. */
const ROW_MS = 2;

beforeAll(() => void setTestConfig());
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** A database that returns large events. */
function makeSql(): Sql {
  const rows = Array.from({ length: ROWS }, () => {
    const id = newId();
    const row = {
      outbox_id: id,
      takes: 1,
      deliveries: 0,
      looked_at: 0,
      targets: null,
      stored: null,
      due: ROWS,
      turn_customer_id: null,
    };
    return {
      ...row,
      project_id: 'project',
      event_id: id,
      incoming_event_id: null,
      type: 'a',
      event_ms: 0,
      traceparent: null,
      get payload() {
        vi.advanceTimersByTime(ROW_MS / 2);
        return '{}';
      },
    };
  });
  return { query: async () => ({ rows }) } as unknown as Sql;
}

/** Counts the turns of the event loop until some work ends. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  await ended;
  return turns;
}

it('makes the messages of a take in several turns of the event loop', async () => {
  expect(await countTurns(takeEntries(makeSql(), [{ key: 'project', most: ROWS }]))).toBeGreaterThan(ROWS / 4);
});

it('makes the messages of a claim in several turns of the event loop', async () => {
  const sources = [{ eventId: 'event', incomingEventId: null }];
  expect(await countTurns(loadMessages(makeSql(), sources))).toBeGreaterThan(ROWS / 4);
});
