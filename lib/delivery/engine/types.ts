/** What a delivery goes to: an endpoint of a project, or a destination of a source. Ids differ across both. */
export type TargetKind = 'endpoint' | 'destination';

/** A target as it stands in the database, made ready for sending. */
export interface Target {
  id: string;
  kind: TargetKind;
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
  /** Whether the database says that it has been failing: only then does a success have to say otherwise. */
  isFailing: boolean;
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

/** A delivery that this worker holds the lease of. */
export interface Job {
  deliveryId: string;
  message: Message;
  /** Number of the attempt to be made; also the fence: a result is recorded only while it is the next one. */
  attemptNumber: number;
  /** Attempts made since the delivery was made or last retried by hand. */
  scheduleStep: number;
  /** When the lease ends, by performance.now() of this process, never later than by the database's clock. */
  leaseEndsAt: number;
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
