import * as z from 'zod';
import { BulkRetry, EventReplay, TRIES } from '@/lib/delivery/schema';
import { Replay, ReplayStatus } from '@/lib/incoming/schema';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { Time } from '@/lib/platform/instant';

export const JobKind = z.enum(['BULK_RETRY', 'EVENT_REPLAY', 'INCOMING_EVENT_REPLAY']);
export type JobKind = z.infer<typeof JobKind>;

/** A job of a project. Its `kind` says which resource it is. */
export const Job = z.object({
  id: field(Id, 'The id of its resource'),
  kind: field(JobKind, 'Which resource it is'),
  status: field(ReplayStatus, 'The current status'),
  total: field(z.int(), 'What it works through: deliveries of a bulk retry, else events'),
  done: field(z.int(), 'How many of these it is done with, skipped ones included'),
  ...TRIES,
  createdAt: field(Time, 'When it was created'),
  completedAt: field(Time.nullable(), 'When it ended; null before that', null),
  bulkRetry: field(BulkRetry.nullable(), 'The bulk retry; null for another kind'),
  eventReplay: field(EventReplay.nullable(), 'The event replay; null for another kind'),
  incomingEventReplay: field(Replay.nullable(), 'The replay of incoming events; null for another kind'),
});
export type Job = z.infer<typeof Job>;
