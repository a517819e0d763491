import { listBulkRetries } from '@/lib/delivery/bulk-retries/bulk-retries';
import { listEventReplays } from '@/lib/delivery/event-replays/event-replays';
import type { BulkRetry, EventReplay } from '@/lib/delivery/schema';
import { listReplays } from '@/lib/incoming/replays/replays';
import type { Replay } from '@/lib/incoming/schema';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import type { Job } from './schema';

/** Lists the jobs of a project, newest first. Ids sort by creation time, whatever the kind, so the lists of all kinds share a cursor. */
export async function listJobs(projectId: string, page: Page): Promise<Listing<Job>> {
  // One more of each tells whether another page follows.
  const longer = { ...page, limit: page.limit + 1 };
  const [bulkRetries, eventReplays, replays] = await Promise.all([
    listBulkRetries(projectId, longer),
    listEventReplays(projectId, longer),
    listReplays(projectId, longer),
  ]);
  const jobs = [
    ...bulkRetries.data.map(ofBulkRetry),
    ...eventReplays.data.map(ofEventReplay),
    ...replays.data.map(ofReplay),
  ];
  jobs.sort((a, b) => (a.id < b.id ? 1 : -1));
  return toListing(jobs, page.limit, (job) => job);
}

const NO_RESOURCE = { bulkRetry: null, eventReplay: null, incomingEventReplay: null };

const shared = ({
  id,
  status,
  total,
  failedTries,
  error,
  createdAt,
  completedAt,
}: BulkRetry | EventReplay | Replay) => ({
  id,
  status,
  total,
  failedTries,
  error,
  createdAt,
  completedAt,
  ...NO_RESOURCE,
});

function ofBulkRetry(bulkRetry: BulkRetry): Job {
  const { retried, skipped, total } = bulkRetry;
  const done = retried + skipped.pending + skipped.disabled + skipped.deleted + skipped.gone;
  return { ...shared(bulkRetry), kind: 'BULK_RETRY', done: Math.min(total, done), bulkRetry };
}

function ofEventReplay(eventReplay: EventReplay): Job {
  const { checked, skipped, total } = eventReplay;
  return { ...shared(eventReplay), kind: 'EVENT_REPLAY', done: Math.min(total, checked + skipped.gone), eventReplay };
}

function ofReplay(replay: Replay): Job {
  const done = Math.min(replay.total, replay.replayed);
  return { ...shared(replay), kind: 'INCOMING_EVENT_REPLAY', done, incomingEventReplay: replay };
}
