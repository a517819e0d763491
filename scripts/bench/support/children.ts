import { fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';

/** A process that answers each message with one message. It ends with this process. */
interface Child<Ready, Answer> {
  pid: number;
  /** Its first message. */
  ready: Ready;
  ask(message: Serializable): Promise<Answer>;
  stop(): void;
}

/** Starts a process and waits for its first message, which says that it is ready. */
export async function startChild<Ready, Answer = unknown>(
  file: string,
  args: readonly string[] = [],
  environment: Record<string, string | undefined> = process.env,
): Promise<Child<Ready, Answer>> {
  const child = fork(file, args, { env: environment as NodeJS.ProcessEnv });
  const [ready] = (await once(child, 'message')) as [Ready];
  let lastAnswer: Promise<unknown> = Promise.resolve();
  return {
    pid: child.pid ?? 0,
    ready,
    // Answers do not name their question, so one is asked at a time.
    ask(message) {
      const answer = lastAnswer.then(async () => {
        const answered = once(child, 'message');
        child.send(message);
        return (await answered)[0] as Answer;
      });
      lastAnswer = answer;
      return answer;
    },
    stop: () => child.kill('SIGKILL'),
  };
}

/** What a receiver has counted since its last reset. A hanging one reads nothing and counts connections only. */
export interface ReceiverReport {
  requests: number;
  /** Distinct events, and how many of them arrived more than once. */
  events: number;
  repeated: number;
  /** The maximum of open connections. */
  mostOpen: number;
  /** Event id and its first arrival, in milliseconds since 1970. Empty unless asked for `times`. */
  seen: [string, number][];
}

/** Asked `reset`, `count` or `times`. To the sender each of its ports is an origin. */
export type Receiver = Child<{ ports: number[] }, ReceiverReport>;

interface ReceiverOptions {
  ports?: number;
  /** Before each response; for `http`. */
  delayMs?: number;
}

/**
 * Starts a receiver in a separate process, so that it shares no event loop with a sender.
 * @param behavior `http` responds with 200, from an HTTP server. The others use raw sockets to save CPU: they respond with 200 or
 *   500, or never
 */
export function startReceiver(
  behavior: 'http' | 'ok' | 'fail' | 'hang',
  { ports = 1, delayMs = 0 }: ReceiverOptions = {},
): Promise<Receiver> {
  return startChild('scripts/bench/support/receiver.mjs', [behavior, String(ports), String(delayMs)]);
}

/** Events at a fixed rate, sent without waiting for responses. */
export interface Run {
  port: number;
  /** API keys, used round-robin. */
  keys: string[];
  perSecond: number;
  ms: number;
  /** Whether each event has an Idempotency-Key and is retried after a 5xx, 429 or broken connection until it gets 202. */
  isRetrying?: boolean;
  /** The timeout of one request, and how long events are retried after the end of the run. */
  timeoutMs?: number;
  waitMs?: number;
  /** Maximum number of keep-alive connections. */
  connections?: number;
  /** The size of a body; by default about 150. */
  bytes?: number;
  /** Each event is for one of so many customers, `c1` and on; 0 for none. */
  customers?: number;
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

/** A sender in a separate process. */
export interface PacedSender {
  /** Runs one load at a time. Resolves when every event has got a response or was given up. */
  run(run: Run): Promise<RunResult>;
}

export async function startPacedSender(): Promise<PacedSender> {
  const child = await startChild<string, RunResult>('scripts/bench/support/paced-sender.mjs');
  return { run: (run) => child.ask({ ...run }) };
}

/** @throws Error unless every event got 202 */
export function requireAllAccepted({ accepted, refused, unanswered, skipped }: RunResult): AcceptedEvent[] {
  if (Object.keys(refused).length + unanswered + skipped > 0) {
    throw new Error(`not every event got 202: ${JSON.stringify({ refused, unanswered, skipped })}`);
  }
  return accepted;
}
