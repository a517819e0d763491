/** What a delivery goes to: an endpoint of a project, or a destination of a source. Ids differ across both. */
export type TargetKind = 'endpoint' | 'destination';

/** A target as it stands in the database, made ready for sending. */
export interface Target {
  id: string;
  kind: TargetKind;
  projectId: string;
  /** Scheme, host and port; never user and password. */
  origin: string;
  /** Path with query. */
  path: string;
  /** Keys to sign with; the one before a rotation only until its time (in milliseconds since 1970). */
  signingKeys: readonly { key: Buffer; validUntilMs: number }[];
  /** Headers of its own, such as a destination's credential. */
  headers: Readonly<Record<string, string>>;
  /** Seconds before each retry. */
  scheduleSeconds: readonly number[];
  /** Since when the database says that it has been failing, in milliseconds since 1970; null while it is healthy. */
  failingSinceMs: number | null;
  /** Changes with every change of the target. */
  version: string;
  /** Why nothing can be sent to it at present, for reasons of ours; an attempt then fails with it. */
  fault: string | null;
}

/** The bytes of an event or incoming event: the same for each target and each attempt. */
export interface Message {
  /** Goes out as webhook-id. */
  id: string;
  contentType: string;
  body: Buffer;
}

/** What a delivery is about: an event, or an incoming event. */
export interface DeliverySource {
  eventId: string | null;
  incomingEventId: string | null;
}

/** An outbox row that this worker holds the lease of, as long as deliveries of its event are not stored. */
export interface OutboxEntry {
  id: string;
  /** How often it has been taken, this time included: the fence of its removal. */
  takes: number;
  /** Deliveries that only this worker's memory knows. The row leaves the outbox with the last of them. */
  unstored: number;
  /** By performance.now(). */
  leaseEndsAt: number;
  /** Called when the last delivery is stored, or the lease is given up. */
  onClosed?: () => void;
}

/** A delivery that this worker holds the lease of. */
export interface LeasedDelivery {
  deliveryId: string;
  projectId: string;
  targetId: string;
  targetKind: TargetKind;
  source: DeliverySource;
  /** Number of the attempt to be made; also the fence: a result is recorded only while it is the next one. */
  attemptNumber: number;
  /** Attempts made since the delivery was made or last retried by hand. */
  scheduleStep: number;
  /** When the lease ends, by performance.now() of this process, never later than by the database's clock. */
  leaseEndsAt: number;
  /** By performance.now(). */
  leasedAt: number;
  /** The outbox row that stands for it while the delivery itself is not stored; null once it is. */
  entry: OutboxEntry | null;
  /** Settles when the statement that is storing it now has ended. */
  storing: Promise<void> | null;
}

/** A delivery with the bytes to send. */
export interface Job extends LeasedDelivery {
  message: Message;
}

/** What came of one attempt. */
export interface AttemptResult {
  succeeded: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  /** In plain words; null after a success. */
  error: string | null;
  retryAfter: string | null;
  startedAt: Date;
  durationMs: number;
}

/** An attempt with what it means for its delivery. */
export interface Outcome {
  job: Job;
  target: Target;
  result: AttemptResult;
  /** Milliseconds until the next attempt; null when this was the last one. */
  retryMs: number | null;
}
