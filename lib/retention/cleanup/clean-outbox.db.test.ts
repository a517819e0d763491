import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import { useDatabase } from '@/tests/database/use-database';
import { countRows, idsOf, insertDeliverySource, useDeliveryProject } from '@/tests/fixtures/delivery-sources';
import { runStep, startTestRun, type TestRunOptions } from '@/tests/retention/test-run';
import { cleanEvents, cleanIncomingEvents } from './clean-events';
import { cleanOutbox } from './clean-expired';
import { INCOMING_EVENT } from './event-sql';

useDatabase();

const now = new Date('2028-03-01T02:00:00.000Z');
const cutoff = expiryCutoff(now, 90);
const project = useDeliveryProject();

async function insertMail(deadAt: Date | null, createdAt = addMs(now, -300 * DAY_MS)): Promise<string> {
  const id = newId();
  await database().query(
    `INSERT INTO outbox (id, kind, status, dead_at, created_at) VALUES ($1, 'MAIL', $2::"OutboxStatus", $3, $4)`,
    [id, deadAt === null ? 'PENDING' : 'DEAD', deadAt, createdAt],
  );
  return id;
}

const clean = (options: TestRunOptions = {}) => runStep(cleanOutbox, { now, ...options });

describe('an outbox row', () => {
  it('that died exactly 90 days ago is removed, and one that died a millisecond later stays', async () => {
    await insertMail(cutoff);
    const kept = await insertMail(addMs(cutoff, 1));
    expect(await clean()).toEqual({ outbox: 1 });
    expect(await idsOf('outbox')).toEqual([kept]);
  });

  it('of an event or incoming event is removed by the same rule, without its event', async () => {
    await insertDeliverySource({ project, at: cutoff, outbox: 'DEAD' });
    await insertDeliverySource({ project, at: cutoff, source: INCOMING_EVENT, outbox: 'DEAD' });
    expect(await clean()).toEqual({ outbox: 2 });
    expect(await countRows('events', 'incoming_events')).toEqual({ events: 1, incoming_events: 1 });
  });

  it('that is pending stays, however old it is', async () => {
    await insertMail(null, new Date('2015-01-01T00:00:00Z'));
    await insertDeliverySource({ project, at: new Date('2015-01-01T00:00:00Z'), outbox: 'PENDING' });
    expect(await clean()).toEqual({});
    expect(await countRows('outbox')).toEqual({ outbox: 2 });
  });

  it('is kept for OUTBOX_DEAD_RETENTION_DAYS, as set at the time of the run', async () => {
    await insertMail(expiryCutoff(now, 10));
    expect(await clean()).toEqual({});
    expect(await clean({ policy: { deadOutboxDays: 10 } })).toEqual({ outbox: 1 });
  });

  it('is removed in batches, all in one run, and counted once when two runs work at once', async () => {
    for (let n = 0; n < 10; n += 1) await insertMail(cutoff);
    const [first, second] = await Promise.all([
      clean({ policy: { batchSize: 3 } }),
      clean({ policy: { batchSize: 3 } }),
    ]);
    expect((first.outbox ?? 0) + (second.outbox ?? 0)).toBe(10);
    expect(await countRows('outbox')).toEqual({ outbox: 0 });
  });

  it('that an operator returns to the queue stays', async () => {
    const revived = await insertMail(cutoff);
    await insertMail(cutoff);
    await inSqlTransaction(async (tx) => {
      await tx.query(`UPDATE outbox SET status = 'PENDING', dead_at = NULL WHERE id = $1`, [revived]);
      expect(await clean()).toEqual({ outbox: 1 });
    });
    expect(await clean()).toEqual({});
    expect(await idsOf('outbox')).toEqual([revived]);
  });
});

describe('a preview of the outbox', () => {
  it('excludes rows that are removed with their event', async () => {
    await insertMail(cutoff);
    await insertMail(null);
    await insertDeliverySource({ project, at: cutoff, outbox: 'DEAD' });
    await insertDeliverySource({ project, at: cutoff, outbox: 'DEAD', deliveries: 1, deliveryStatus: 'PENDING' });
    await insertDeliverySource({ project, at: cutoff, source: INCOMING_EVENT, outbox: 'DEAD' });
    const run = await startTestRun({ now });
    const preview = await cleanOutbox.preview(run);
    expect(await countRows('outbox')).toEqual({ outbox: 5 });
    await cleanEvents.clean(run);
    await cleanIncomingEvents.clean(run);
    expect(preview).toEqual({ rows: await clean() });
    expect(preview.rows).toEqual({ outbox: 2 });
  });
});
