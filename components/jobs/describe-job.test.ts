import { expect, it } from 'vitest';
import type { Job } from '@/lib/jobs/schema';
import { cancelPathOf, deliveriesQueryOf, describeDone, describeResult, percentOfJob } from './describe-job';

const NONE = { pending: 0, disabled: 0, deleted: 0, gone: 0 };
const NO_FAILURE = { failedTries: 0, error: null };
const AT = '2026-01-01T00:00:00.000Z';
const JOB: Job = {
  id: 'id',
  kind: 'BULK_RETRY',
  status: 'RUNNING',
  total: 400,
  done: 100,
  ...NO_FAILURE,
  createdAt: AT,
  completedAt: null,
  bulkRetry: null,
  eventReplay: null,
  incomingEventReplay: null,
};
const ENDED = { id: 'id', status: 'COMPLETED', ...NO_FAILURE, createdAt: AT, completedAt: AT } as const;

it('shows the progress in the unit of the job, and a completed one as full', () => {
  expect([describeDone(JOB), percentOfJob(JOB)]).toEqual(['100 of 400 deliveries', 25]);
  expect(describeDone({ ...JOB, kind: 'EVENT_REPLAY' })).toBe('100 of 400 events');
  expect(percentOfJob({ ...JOB, status: 'COMPLETED' })).toBe(100);
  expect(percentOfJob({ ...JOB, total: 0, done: 0 })).toBe(100);
});

it('links to the deliveries that a job may have changed, whatever their state is now', () => {
  const bulkRetry = { ...ENDED, filter: { status: 'FAILED', endpointId: 'e' }, total: 1, retried: 1, skipped: NONE };
  expect(deliveriesQueryOf({ ...JOB, bulkRetry })).toEqual({ endpointId: 'e' });
  const eventReplay = {
    ...ENDED,
    select: 'MISSING',
    from: AT,
    to: AT,
    endpointId: 'e',
    customerId: null,
    eventType: null,
    total: 3,
    checked: 3,
    sent: 2,
    skipped: NONE,
  } as const;
  const job: Job = { ...JOB, kind: 'EVENT_REPLAY', eventReplay };
  expect(deliveriesQueryOf(job)).toMatchObject({ endpointId: 'e', from: AT, to: AT });
  expect(describeResult(job)).toBe('2 deliveries queued');
});

it('is canceled where its resource is', () => {
  expect(cancelPathOf(JOB)).toBe('bulk-retries/id/cancel');
  expect(cancelPathOf({ ...JOB, kind: 'INCOMING_EVENT_REPLAY' })).toBe('incoming-event-replays/id/cancel');
});
