import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Events at a fixed rate, sent without waiting for responses. */
export interface Run {
  port: number;
  /** API keys, used round-robin. */
  keys: string[];
  perSecond: number;
  ms: number;
  /** Whether each event has an Idempotency-Key and is retried after a 5xx, 429 or broken connection until it gets 202. */
  isRetrying: boolean;
  /** The timeout of one request, and how long events are retried after the end of the run. */
  timeoutMs: number;
  waitMs: number;
  /** Maximum number of keep-alive connections. */
  connections: number;
}

/** Event id, time of the first request, time of the 202 (milliseconds since 1970), and number of requests. */
export type AcceptedEvent = [id: string, firstAt: number, acceptedAt: number, tries: number];

export interface RunResult {
  accepted: AcceptedEvent[];
  /** Events given up without a retry, by status or error code. */
  refused: Record<string, number>;
  /** Events that were retried until the end without a 202. */
  unanswered: number;
  /** Events not sent because too many were waiting for a response. */
  skipped: number;
}

const DEFAULTS = { isRetrying: false, timeoutMs: 30_000, waitMs: 0, connections: 16 };

/** A sender in a separate process. */
export interface PacedSender {
  /** Runs one load at a time. Resolves when every event has got a response or was given up. */
  run(run: Omit<Run, keyof typeof DEFAULTS> & Partial<Run>): Promise<RunResult>;
  stop(): void;
}

export function startPacedSender(): PacedSender {
  const child = fork('scripts/bench/support/paced-sender.mjs');
  return {
    async run(run) {
      const answered = once(child, 'message');
      child.send({ ...DEFAULTS, ...run });
      return (await answered)[0] as RunResult;
    },
    stop: () => child.kill('SIGKILL'),
  };
}

/** @throws Error unless every event got 202 */
export function requireAllAccepted({ accepted, refused, unanswered, skipped }: RunResult): AcceptedEvent[] {
  if (Object.keys(refused).length + unanswered + skipped > 0) {
    throw new Error(`not every event got 202: ${JSON.stringify({ refused, unanswered, skipped })}`);
  }
  return accepted;
}
