import { expect, it } from 'vitest';
import { inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';

useDatabase();

const INSERT_OUTBOX = `INSERT INTO outbox (id, kind) VALUES ($1, 'MAIL') RETURNING available_at <= now() AS is_due`;

async function isDue(tx: SqlTransaction, sql: string, values: unknown[]): Promise<boolean> {
  return (await tx.query<{ is_due: boolean }>(sql, values)).rows[0]?.is_due ?? false;
}

it('a row that is stored as due now is due in the same transaction, not half a millisecond later', async () => {
  const endpoint = await insertEndpoint({ url: 'http://receiver.test/' });
  const [eventId] = await insertEvents(endpoint.projectId, 1);
  const outcomes: boolean[] = [];
  for (let n = 0; n < 40; n++) {
    await inSqlTransaction(async (tx) => {
      outcomes.push(await isDue(tx, INSERT_OUTBOX, [newId()]));
      const insertDelivery = `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, next_attempt_at)
        VALUES ($1, $2, $3, $4, now()) RETURNING next_attempt_at <= now() AS is_due`;
      outcomes.push(await isDue(tx, insertDelivery, [newId(), endpoint.projectId, eventId, endpoint.id]));
    });
  }
  expect(outcomes.filter((due) => !due)).toEqual([]);
});
