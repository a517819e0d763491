import type { CleanupStep, JobRun } from '@/lib/retention/jobs/job-run';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import { countExpired, deleteInBatches } from './delete-in-batches';
import { countDeadAlone, deadOutbox } from './expired-rows-sql';

const deadCutoff = ({ now, policy }: JobRun) => expiryCutoff(now, policy.deadOutboxDays);

/** Removes dead outbox rows, of events and emails, after OUTBOX_DEAD_RETENTION_DAYS (docs/specification.md#retention). */
export const cleanOutbox: CleanupStep = {
  clean: (run) => deleteInBatches(run, deadOutbox, [deadCutoff(run)]),

  /** Excludes rows that are removed with their event: earlier steps count them. */
  async preview(run) {
    const { now, policy } = run;
    const outbox = await countExpired(countDeadAlone, [
      deadCutoff(run),
      expiryCutoff(now, policy.eventsDays),
      expiryCutoff(now, policy.incomingEventsDays),
    ]);
    return { rows: { outbox } };
  },
};
