import type { CleanupStep, JobRun } from '@/lib/retention/jobs/job-run';
import { expiredUntil } from '@/lib/retention/retention-policy';
import { countExpired, deleteInBatches } from './delete-in-batches';
import { type DeliverySource, EVENT, INCOMING_EVENT, isRemovableSql } from './delivery-source';

/** Only dead rows expire. A pending row stays, however old it is. */
const DEAD = { table: 'outbox' as const, key: 'id', where: `status = 'DEAD' AND dead_at <= $1` };

const deadUntil = ({ now, policy }: JobRun) => expiredUntil(now, policy.deadOutboxDays);

/** Removes dead outbox rows, of events and emails, after OUTBOX_DEAD_RETENTION_DAYS (docs/specification.md#retention). */
export const cleanOutbox: CleanupStep = {
  clean: (run) => deleteInBatches(run, { ...DEAD, values: [deadUntil(run)] }),

  /** Excludes rows that leave with their event: earlier steps count them. */
  async preview(run) {
    const { now, policy } = run;
    const outbox = await countExpired({
      ...DEAD,
      where: `${DEAD.where} AND NOT ${leavesWith(EVENT, '$2')} AND NOT ${leavesWith(INCOMING_EVENT, '$3')}`,
      values: [deadUntil(run), expiredUntil(now, policy.eventsDays), expiredUntil(now, policy.incomingEventsDays)],
    });
    return { rows: { outbox } };
  },
};

const leavesWith = (source: DeliverySource, until: string) => `EXISTS (
  SELECT FROM ${source.table} e WHERE e.id = outbox.${source.column} AND e.created_at <= ${until} AND ${isRemovableSql(source)})`;
