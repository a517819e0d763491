import type { RetentionJob } from '@/lib/admin/schema';

/** What each job does, and the message after it has run. */
export const JOB_LABELS: Record<RetentionJob, { about: string; done: string }> = {
  main: {
    about: 'Removes all expired data; creates and drops partitions.',
    done: 'Expired data was removed.',
  },
  burst: { about: 'Runs the main cleanup for at most a minute.', done: 'The burst cleanup has finished.' },
  cap: {
    about: 'Removes all but the newest attempts of each delivery.',
    done: 'Extra attempts were removed.',
  },
  metrics: { about: 'Records the row count of each table.', done: 'The table sizes were recorded.' },
  partitions: {
    about: 'Creates the partitions of the days ahead; empties the default partitions.',
    done: 'The partitions of the days ahead exist.',
  },
};
