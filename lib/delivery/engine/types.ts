import type { EndpointKeys } from '@/lib/delivery/credentials';
import type { EndpointSignature, RateLimit } from '@/lib/delivery/endpoint-options-policy';
import type { Filter } from '@/lib/delivery/filters/filter';
import type { ExchangeTiming } from '@/lib/platform/net/connection-steps';

/** A target is an endpoint of a project or a destination of a source. Their ids never collide. */
export type TargetKind = 'endpoint' | 'destination';

/** Why nothing may be sent to a target. */
export type Obstacle = 'disabled' | 'deleted';

/** A target, prepared for sending. */
export interface Target {
  id: string;
  kind: TargetKind;
  projectId: string;
  /** The customer of the endpoint; null for an endpoint of the project itself, and for a destination. */
  customerId: string | null;
  /** Scheme, host and port; never user and password. */
  origin: string;
  /** Path with query. */
  path: string;
  /** Keys to sign with, until a time in milliseconds since 1970; the present one first. */
  signingKeys: readonly (EndpointKeys & { validUntilMs: number })[];
  /** The credential of a destination, or the headers of an endpoint, by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** What is sent beside the signature of Standard Webhooks. */
  signature: EndpointSignature;
  /** Whether it gets the data of an event alone. */
  sendsData: boolean;
  /** Which events it gets; null for all. */
  filter: Filter | null;
  /** How many attempts may start in a window; null for any number. */
  rateLimit: RateLimit | null;
  /** Seconds before each retry. */
  scheduleSeconds: readonly number[];
  /** When its failures began, in milliseconds since 1970; null while it is healthy. */
  failingSinceMs: number | null;
  /** Changes with every change of the target. */
  version: string;
  /** Why this service cannot send to it, as the error of its attempts; null if it can. */
  fault: string | null;
}

/** The bytes of an event or incoming event: the same for each target and each attempt. */
export interface Message {
  /** The id of the event or incoming event. */
  id: string;
  kind: 'event' | 'incoming event';
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** Empty if it is large, until an attempt reads it (large-bodies.ts). */
  body: Buffer;
  /** The type of an event, and where its data is in its body. */
  event?: { type: string; dataStart: number; dataEnd: number };
  /** The bytes of a body that is read for each attempt. */
  largeBytes?: number;
  /** The query string that an incoming event came with. */
  query?: string;
  /** What it counts toward the limits of memory, without a large body. */
  bytes: number;
  /** The W3C trace context of the request that it came with. */
  traceparent?: string;
}

/** What a delivery is about: an event, or an incoming event. */
export interface EventRef {
  eventId: string | null;
  incomingEventId: string | null;
}

/** An outbox row that this worker has leased, until all deliveries of its event are stored. */
export interface OutboxEntry {
  id: string;
  /** How often it has been taken, including this time: the fencing token of its removal. */
  takes: number;
  /** Deliveries that exist only in memory. The row is removed when the last of them is stored. */
  unstored: number;
  /** By performance.now(). */
  leaseEndsAt: number;
  /** Called when the last delivery is stored, or when the row is rescheduled. */
  onClosed?: () => void;
}

/** A delivery that this worker has leased. */
export interface LeasedDelivery {
  deliveryId: string;
  projectId: string;
  targetId: string;
  targetKind: TargetKind;
  /** The customer of its target. Null also for one that has been stored, with its customer. */
  customerId: string | null;
  /** The turn key of the outbox row that it comes from; the project for one that has been stored. */
  turn: string;
  source: EventRef;
  /** Number of the next attempt, and fencing token: a result is recorded only if no other worker recorded this attempt. */
  attemptNumber: number;
  /** Attempts since the delivery was created or last retried by hand. */
  scheduleStep: number;
  /** By performance.now(). Never later than in the database. */
  leaseEndsAt: number;
  /** By performance.now(). */
  leasedAt: number;
  /** Until when it may start, by performance.now(), if its target has a rate limit. */
  startBy?: number;
  /** The outbox row that represents the delivery until it is stored; null after that. */
  entry: OutboxEntry | null;
  /** Resolves when the statement that stores it has ended; null without such a statement. */
  storing: Promise<void> | null;
}

/** A delivery with the bytes to send. */
export interface Job extends LeasedDelivery {
  message: Message;
}

/** The result of one attempt. */
export interface AttemptResult {
  succeeded: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  /** In plain words; null after a success. */
  error: string | null;
  retryAfter: string | null;
  startedAt: Date;
  durationMs: number;
  /** Set if its connection got no turn in time: nothing was sent. */
  hadNoTurn?: boolean;
  /** The headers of the request that cannot be derived later, as stored (request-headers.ts); null if nothing was sent. */
  requestParts: string | null;
  /** As stored (request-headers.ts), without credentials; null without a response. */
  responseHeaders: string | null;
  remoteAddress: string | null;
  timing: ExchangeTiming;
}

/** The result of a job, with the time of its retry. */
export interface Outcome {
  job: Job;
  target: Target;
  result: AttemptResult;
  /** Milliseconds until the next attempt; null when this was the last one. */
  retryMs: number | null;
}
