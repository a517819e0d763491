import type { RetentionJob } from '@/lib/admin/schema';

/** What each job does, and what its button says of its end. */
export const JOB_LABELS: Record<RetentionJob, { about: string; done: string }> = {
  main: {
    about: 'Removes everything that has expired; makes and drops partitions.',
    done: 'What had expired is gone.',
  },
  burst: { about: 'Does what main does, for a minute at most.', done: 'The burst cleanup has ended.' },
  cap: {
    about: 'Removes all but the newest attempts of each delivery.',
    done: 'No delivery has more attempts than are kept.',
  },
  metrics: { about: 'Notes how many rows each table has.', done: 'The sizes of the tables are noted.' },
  partitions: {
    about: 'Makes the partitions of the days ahead; empties the default ones.',
    done: 'The partitions of the days ahead are there.',
  },
};
