import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A load of events at an even pace, whether or not earlier ones have been answered. */
export interface Run {
  port: number;
  /** API keys, used in turn. */
  keys: string[];
  perSecond: number;
  ms: number;
  /** Whether each event has an Idempotency-Key and is sent again after a 5xx, 429 or broken connection until it gets 202. */
  isRetrying: boolean;
  /** How long one request may take, and for how long after the end of the run events are still retried. */
  timeoutMs: number;
  patienceMs: number;
  /** Keep-alive connections at most. */
  connections: number;
}

/** Event id, when it was first sent, when 202 came (milliseconds since 1970), and how many requests that took. */
export type AcceptedEvent = [id: string, firstAt: number, acceptedAt: number, tries: number];

export interface RunResult {
  accepted: AcceptedEvent[];
  /** Events given up at once, by status or error code. */
  refused: Record<string, number>;
  /** Events that were retried to the end without a 202. */
  unanswered: number;
  /** Events never sent because too many were waiting for an answer. */
  skipped: number;
}

const DEFAULTS = { isRetrying: false, timeoutMs: 30_000, patienceMs: 0, connections: 16 };

/** A sender in a process of its own. */
export interface PacedSender {
  /** One run at a time. Resolves when the last event has been answered or given up. */
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

/** @throws Error when an event of the run got another answer than 202 */
export function requireAllAccepted({ accepted, refused, unanswered, skipped }: RunResult): AcceptedEvent[] {
  if (Object.keys(refused).length + unanswered + skipped > 0) {
    throw new Error(`not every event got 202: ${JSON.stringify({ refused, unanswered, skipped })}`);
  }
  return accepted;
}
