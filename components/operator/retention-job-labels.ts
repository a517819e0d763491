import type { RetentionJob } from '@/lib/admin/schema';

/** What each job does, and the message after it has run. */
export const JOB_LABELS: Record<RetentionJob, { about: string; done: string }> = {
  main: {
    about: 'Deletes all expired data, and creates and drops partitions.',
    done: 'Expired data deleted.',
  },
  burst: { about: 'Runs the main cleanup for up to a minute.', done: 'Burst cleanup finished.' },
  cap: {
    about: 'Deletes all but the newest attempts of each delivery.',
    done: 'Extra attempts deleted.',
  },
  metrics: { about: 'Records the row count of each table.', done: 'Table sizes recorded.' },
  partitions: {
    about: 'Creates partitions for the coming days and empties the default partitions.',
    done: 'Partitions for the coming days are ready.',
  },
};
