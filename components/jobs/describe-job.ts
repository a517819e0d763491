import {
  describeDeliveries,
  describeSkipped as describeSkippedRetries,
} from '@/components/bulk-retries/describe-bulk-retry';
import {
  describeEvents,
  describeSkipped as describeSkippedEvents,
} from '@/components/event-replays/describe-event-replay';
import { formatCount } from '@/components/ui/format-figures';
import type { Job, JobKind } from '@/lib/jobs/schema';

/** What people call each kind of job. */
export const KINDS: Readonly<Record<JobKind, string>> = {
  BULK_RETRY: 'Bulk retry',
  EVENT_REPLAY: 'Event replay',
  INCOMING_EVENT_REPLAY: 'Replay of incoming events',
};

/** Returns the progress from 0 to 100. A job of nothing is complete. */
export function percentOfJob({ status, total, done }: Pick<Job, 'status' | 'total' | 'done'>): number {
  if (status === 'COMPLETED' || total === 0) return 100;
  return Math.min(100, Math.floor((done / total) * 100));
}

/** Says how far a job is: "120 of 312 events". */
export function describeDone({ kind, done, total }: Pick<Job, 'kind' | 'done' | 'total'>): string {
  const of = kind === 'BULK_RETRY' ? describeDeliveries(total) : describeEvents(total);
  return `${formatCount(done)} of ${of}`;
}

/** Says what a job has done: "310 deliveries queued". */
export function describeResult({ bulkRetry, eventReplay, incomingEventReplay }: Job): string {
  if (bulkRetry !== null) return `${describeDeliveries(bulkRetry.retried)} queued again`;
  if (eventReplay !== null) return `${describeDeliveries(eventReplay.sent)} queued`;
  return `${describeEvents(incomingEventReplay?.replayed ?? 0)} replayed`;
}

/** Says what a job has skipped, and why; undefined when nothing. */
export function describeSkippedOf({ bulkRetry, eventReplay }: Job): string | undefined {
  if (bulkRetry !== null) return describeSkippedRetries(bulkRetry);
  return eventReplay === null ? undefined : describeSkippedEvents(eventReplay);
}

/** What the deliveries of a job have in common, for a link to their list. */
export function deliveriesQueryOf({
  bulkRetry,
  eventReplay,
  incomingEventReplay,
}: Job): Record<string, string | undefined> {
  if (bulkRetry !== null) {
    const { status, ...filter } = bulkRetry.filter;
    // What was retried has another state now.
    return filter;
  }
  if (eventReplay !== null) {
    const { endpointId, customerId, eventType, from, to } = eventReplay;
    const customer = endpointId === null ? customerId : null;
    return {
      endpointId: endpointId ?? undefined,
      customer: customer ?? undefined,
      eventType: eventType ?? undefined,
      from,
      to,
    };
  }
  const { destinationId, from, to } = incomingEventReplay ?? {};
  return { destinationId: destinationId ?? undefined, from: from ?? undefined, to };
}

/** Returns the path of the call that cancels a job, below that of its project. */
export function cancelPathOf({ id, kind }: Pick<Job, 'id' | 'kind'>): string {
  const resource = {
    BULK_RETRY: 'bulk-retries',
    EVENT_REPLAY: 'event-replays',
    INCOMING_EVENT_REPLAY: 'incoming-event-replays',
  }[kind];
  return `${resource}/${id}/cancel`;
}
